# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel serve` over what others wrote: the WARCs and indexes that come with pywb."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord

from support.serving import PYWB_SAMPLES, CarrelServer, Reply

pytestmark = pytest.mark.skipif(not PYWB_SAMPLES.is_dir(), reason="pywb is not installed here")

_CONFIG = f"""\
collections:
  iana:
    index: {PYWB_SAMPLES}/cdxj/iana.cdxj
    resource: file://{PYWB_SAMPLES}/warcs/
  all:
    index: {{type: file, path: "file://{PYWB_SAMPLES}/cdx/"}}
    resource:
      - warc-index+{PYWB_SAMPLES}/text_content/pathindex.txt
      - warc-prefix+{PYWB_SAMPLES}/warcs
  post:
    index: {PYWB_SAMPLES}/cdxj/post-test.cdxj
    resource: {PYWB_SAMPLES}/warcs
  warc: {PYWB_SAMPLES}/warcs/iana.warc.gz
  arc: {PYWB_SAMPLES}/warcs/example.arc.gz
  live: $live
  group:
    index_timeout: 2.5
    index_group:
      one: {PYWB_SAMPLES}/cdxj/iana.cdxj
      two: {PYWB_SAMPLES}/cdxj/dupes.cdxj
      again: {PYWB_SAMPLES}/cdx/iana.cdx
      gone: /no/such/folder
    resource: {PYWB_SAMPLES}/warcs
  steps:
    sequence:
      - name: first
        index: {PYWB_SAMPLES}/cdxj/dupes.cdxj
        resource: /no/such/folder
      - name: second
        index: {PYWB_SAMPLES}/cdxj/iana.cdxj
        resource: {PYWB_SAMPLES}/warcs
"""
_IANA = "http://www.iana.org/"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CarrelServer]:
    with CarrelServer(tmp_path_factory.mktemp("served"), _CONFIG) as running:
        yield running


def _record(reply: Reply) -> tuple[ArcWarcRecord, bytes]:
    """Return the one record of an answer, and its content."""
    assert reply.status == 200, reply.body
    assert reply.headers["content-type"] == "application/warc-record"
    record = next(iter(ArchiveIterator(io.BytesIO(reply.body))))
    return record, record.content_stream().read()


def test_rows_have_the_fields_that_everybody_relies_on(server: CarrelServer) -> None:
    (row,) = server.index("iana", _IANA).rows

    assert row["urlkey"] == "org,iana)/"
    assert (row["source"], row["source_type"]) == ("iana", "file")
    assert {"url", "timestamp", "filename", "offset", "length"} <= row.keys()


def test_a_row_of_a_folder_names_its_file(server: CarrelServer) -> None:
    sources = {row["source"] for row in server.index("all", _IANA).rows}

    assert sources == {"all:iana.cdx", "all:dupes.cdx"}


@pytest.mark.parametrize("match_type", ["prefix", "host", "domain"])
def test_a_range_of_keys_gives_all_its_rows(server: CarrelServer, match_type: str) -> None:
    lines = (PYWB_SAMPLES / "cdxj" / "iana.cdxj").read_text().splitlines()

    rows = server.index("iana", _IANA, matchType=match_type).rows

    assert len(rows) == len(lines)
    assert [(row["urlkey"], row["timestamp"]) for row in rows] == [
        tuple(line.split(" ", 2)[:2]) for line in lines
    ]


def test_each_output_has_its_type(server: CarrelServer) -> None:
    kinds = {
        output: server.index("iana", _IANA, output=output).headers["content-type"]
        for output in ("cdxj", "json", "text", "link")
    }

    assert kinds["cdxj"] == "text/x-cdxj"
    assert kinds["json"] == "text/x-ndjson"
    assert kinds["text"].startswith("text/plain")
    assert kinds["link"] == "application/link-format"


def test_the_sources_of_a_group_are_merged_and_copies_folded(server: CarrelServer) -> None:
    answer = server.index("group", _IANA)

    first, *_ = answer.rows
    assert (first["source"], first["also"]) == ("one", "again")
    assert list(answer.errors) == ["gone"]


def test_a_sequence_gives_the_first_step_that_has_anything(server: CarrelServer) -> None:
    assert {row["source"] for row in server.index("steps", _IANA).rows} == {"first"}


def test_loading_goes_on_where_the_first_step_has_no_records(server: CarrelServer) -> None:
    reply = server.resource("steps", _IANA)

    record, _ = _record(reply)
    assert reply.headers["archive-source-coll"] == "second"
    assert record.rec_headers.get_header("WARC-Date") == "2014-01-26T20:06:24Z"
    assert "dupes.warc.gz" in reply.errors


def test_a_record_comes_with_what_it_is(server: CarrelServer) -> None:
    reply = server.resource("iana", _IANA, closest="2014")

    record, content = _record(reply)
    assert content.lstrip().startswith(b"<!doctype html>")
    assert reply.headers["memento-datetime"] == "Sun, 26 Jan 2014 20:06:24 GMT"
    assert reply.headers["link"] == f'<{_IANA}>; rel="original"'
    assert record.rec_headers.get_header("Content-Length").isdigit()


def test_a_revisit_has_the_payload_of_another_url(server: CarrelServer) -> None:
    reply = server.resource("all", "http://test@example.com/", closest="20130729195151")

    record, content = _record(reply)
    assert record.rec_type == "response"
    assert b"Example Domain" in content
    assert record.rec_headers.get_header("WARC-Target-URI") == "http://test@example.com/"
    assert record.rec_headers.get_header("WARC-Refers-To-Target-URI") == "http://example.iana.org/"


def test_a_warc_is_opened_where_it_lies(server: CarrelServer) -> None:
    _, content = _record(server.resource("warc", _IANA))

    assert b"Internet Assigned Numbers Authority" in content


def test_an_arc_comes_out_as_warc(server: CarrelServer) -> None:
    record, content = _record(server.resource("arc", "http://example.com/"))

    assert record.rec_type == "response"
    assert b"Example Domain" in content


def test_what_was_posted_is_found_by_its_body(server: CarrelServer) -> None:
    body = b"foo=bar&test=abc"
    headers = {"Content-Type": "application/x-www-form-urlencoded"}

    reply = server.resource(
        "post", "http://httpbin.org/post", method="POST", headers=headers, body=body
    )

    record, content = _record(reply)
    assert json.loads(content)["form"] == {"foo": "bar", "test": "abc"}
    assert record.rec_headers.get_header("WARC-Date") == "2014-06-10T00:08:59Z"


@pytest.mark.parametrize("line_break", [b"\r\n", b"\n"])
def test_a_request_can_be_written_out_in_a_body(server: CarrelServer, line_break: bytes) -> None:
    lines = (
        b"POST /post HTTP/1.1",
        b"Content-Type: application/x-www-form-urlencoded",
        b"",
        b"A=1&B=[]&C=3",
    )

    reply = server.ask(
        "/post/resource-post?url=http%3A%2F%2Fhttpbin.org%2Fpost",
        method="POST",
        body=line_break.join(lines),
    )

    record, _ = _record(reply)
    assert record.rec_headers.get_header("WARC-Date") == "2014-06-10T00:11:51Z"


@pytest.mark.parametrize("body", [b"", b"nonsense", b"GET / HTTP/1.1\r\nno header\r\n\r\n", b"\0"])
def test_a_body_that_is_no_request_is_refused(server: CarrelServer, body: bytes) -> None:
    reply = server.ask("/post/resource-post?url=http://x.org/", method="POST", body=body)

    assert reply.status == 400
    assert reply.json["message"]


def test_nothing_to_load_is_404_with_a_reason(server: CarrelServer) -> None:
    reply = server.resource("iana", "http://nobody.example/")

    assert (reply.status, reply.json["message"]) == (404, "No Resource Found")


def test_a_warc_that_is_missing_is_named(server: CarrelServer) -> None:
    reply = server.resource(
        "all", "http://example.com?example=2", filter="=filename:non-existent.warc"
    )

    assert reply.status == 404
    assert "non-existent.warc" in reply.json["errors"]


@pytest.mark.parametrize(
    "parameters",
    [
        {"limit": "x"},
        {"filter": "~url:("},
        {"closest": "soon"},
        {"from": "2014-01-01"},
        {"sort": "upwards"},
        {"matchType": "near"},
        {"output": "pdf"},
        {"sources": "nobody"},
    ],
)
def test_what_makes_no_sense_is_refused(server: CarrelServer, parameters: dict[str, str]) -> None:
    reply = server.index("iana", _IANA, **parameters)

    assert reply.status == 400
    assert reply.json["message"]


def test_an_unknown_collection_is_404_in_json(server: CarrelServer) -> None:
    reply = server.index("nobody", _IANA)

    assert reply.status == 404
    assert "nobody" in reply.json["message"]


def test_a_live_row_has_where_it_is_and_nobody_is_asked(server: CarrelServer) -> None:
    (row,) = server.index("live", "http://nowhere.invalid/a").rows

    assert row["live_url"] == "http://nowhere.invalid/a"
    assert row["source_type"] == "live"


@pytest.mark.parametrize("host", ["evil.example", "169.254.169.254", "evil.example:80"])
def test_another_name_than_the_loopbacks_is_turned_away(server: CarrelServer, host: str) -> None:
    assert server.ask("/iana/index?url=x.org", headers={"Host": host}).status == 403


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}],
)
def test_another_sites_page_is_turned_away(server: CarrelServer, headers: dict[str, str]) -> None:
    assert server.ask("/iana/index?url=x.org", headers=headers).status == 403


def test_private_networks_are_not_reached(server: CarrelServer) -> None:
    reply = server.resource("live", "http://192.168.0.1/")

    assert reply.status == 404
    assert "live" in reply.json["errors"]


# What Memento clients and browsers ask


def test_a_timegate_leads_to_the_capture_of_that_moment(server: CarrelServer) -> None:
    moment = "Mon, 27 Jan 2014 17:12:38 GMT"

    reply = server.ask(f"/all/timegate/{_IANA}", headers={"Accept-Datetime": moment})

    assert reply.status == 302
    assert reply.headers["location"] == f"{server.origin}/all/20140127171238id_/{_IANA}"
    assert "accept-datetime" in reply.headers["vary"]
    assert "memento-datetime" not in reply.headers


def test_a_raw_memento_has_the_bytes_and_says_when_they_are_of(server: CarrelServer) -> None:
    _, content = _record(server.resource("iana", _IANA))

    reply = server.ask(f"/iana/20140126200624id_/{_IANA}")

    assert reply.body == content
    assert reply.headers["memento-datetime"] == "Sun, 26 Jan 2014 20:06:24 GMT"
    assert 'rel="original"' in reply.headers["link"]
    assert 'rel="timemap"' in reply.headers["link"]


def test_a_timemap_lists_every_memento(server: CarrelServer) -> None:
    reply = server.ask(f"/all/timemap/link/{_IANA}")

    assert reply.headers["content-type"] == "application/link-format"
    assert reply.body.decode().count("; datetime=") == len(server.index("all", _IANA).rows)


def test_a_url_with_a_query_stands_in_a_path(server: CarrelServer) -> None:
    reply = server.ask("/all/20140103030321id_/http://example.com?example=1")

    assert b"Example Domain" in reply.body


def test_a_page_is_shown_without_scripts_and_with_its_own_images(server: CarrelServer) -> None:
    reply = server.ask(f"/iana/20140126200624/{_IANA}", headers={"Accept": "text/html"})

    page = reply.body.decode()
    policy = reply.headers["content-security-policy"]
    assert "<script" not in page
    assert "Scripts were removed" in page
    assert "script-src 'none'" in policy
    assert policy.startswith("sandbox")
    assert "/_embedded/" in page


def test_what_a_page_embeds_comes_by_its_door(server: CarrelServer) -> None:
    page = server.ask(f"/iana/20140126200624/{_IANA}").body.decode()
    style = next(part for part in page.split('"') if "/_embedded/" in part and "cs_" in part)

    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    reply = server.ask(urlsplit(style).path, headers=headers)

    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/css")


def test_people_see_pages_where_programs_see_json(server: CarrelServer) -> None:
    accepts = {"Accept": "text/html,*/*"}

    assert b"<h1>Collections" in server.ask("/", headers=accepts).body
    assert "iana" in server.ask("/").json["collections"]
    assert server.ask("/nobody/", headers=accepts).headers["content-type"].startswith("text/html")
    assert b"2014-01-26" in server.ask(f"/iana/*/{_IANA}", headers=accepts).body


def test_the_server_ends_when_it_is_told_to(tmp_path: Path) -> None:
    with CarrelServer(tmp_path, "collections:\n  live: $live\n") as running:
        running.ask("/live/index?url=x.org")
        code, said = running.stop()

    assert code in (0, 143, -15)
    assert "Traceback" not in said


def test_pywbs_collections_are_served_as_they_stand(tmp_path: Path) -> None:
    root = tmp_path / "pywb"
    for name in ("iana", "empty"):
        (root / "collections" / name / "archive").mkdir(parents=True)
        (root / "collections" / name / "indexes").mkdir()
    lines = (PYWB_SAMPLES / "cdxj" / "iana.cdxj").read_bytes()
    (root / "collections" / "iana" / "indexes" / "index.cdxj").write_bytes(lines)
    warc = (PYWB_SAMPLES / "warcs" / "iana.warc.gz").read_bytes()
    (root / "collections" / "iana" / "archive" / "iana.warc.gz").write_bytes(warc)

    with CarrelServer(tmp_path / "served", None, "--archive", root) as server:
        _, content = _record(server.resource("iana", _IANA))
        known = server.ask("/").json["collections"]

    assert b"Internet Assigned Numbers Authority" in content
    assert {"iana", "empty", "public"} <= known.keys()
