# SPDX-License-Identifier: AGPL-3.0-or-later
"""The lines of an index: those of cdxj-indexer, and where we mean to differ."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from carrel.mementos.warc.indexer import index_file, index_files
from carrel.mementos.warc.problems import Problem, ProblemKind
from carrel.mementos.warc.stretches import Options
from support.warcs import (
    Made,
    arc_record,
    metadata,
    record,
    request,
    resource,
    response,
    revisit,
    sha1_of,
    warcinfo,
    write_arc,
    write_warc,
    write_whole_gzip,
)

URL = "http://example.org/a"


def rows(path: Path, options: Options | None = None) -> list[tuple[str, str, dict[str, str]]]:
    """Return key, time and fields of each line of a file's index."""
    found = []
    for line in index_file(path, options=options or Options()):
        key, timestamp, fields = line.decode().split(" ", 2)
        found.append((key, timestamp, json.loads(fields)))
    return found


def told(path: Path, options: Options | None = None) -> Sequence[Problem]:
    problems: list[Problem] = []
    list(index_file(path, problems.append, options or Options()))
    return problems


def indexers(path: Path) -> bytes:
    """Return what cdxj-indexer writes."""
    pytest.importorskip("cdxj_indexer")
    command = [sys.executable, "-W", "ignore", "-m", "cdxj_indexer.main", "-s", "-p", str(path)]
    return subprocess.run(command, check=True, capture_output=True).stdout


def ours(path: Path) -> bytes:
    output = path.with_suffix(".cdxj")
    index_files([path], output)
    return output.read_bytes()


POST = request(URL, method="POST", body=b"q=one+two&a=%C3%A9")
PUT = request(URL, method="PUT", body=b'{"a": 1}', content_type="application/json")
ANSWER = response(URL)
LIKE_CDXJ_INDEXER: dict[str, list[Made]] = {
    "responses": [warcinfo(), response(URL), response("https://www.example.org:8080/ü?b=2&a=1")],
    "other statuses": [response(URL, status="404 Not Found"), response(URL, status="302 Found")],
    "no reason": [response(URL, status="200")],
    "no type": [response(URL, headers=())],
    "odd types": [response(URL, headers=(("content-type", " Text/HTML ;charset=x"),))],
    "revisits": [response(URL), revisit(URL), revisit(URL, block=b"")],
    "resources": [resource("urn:x", b"text", "text/plain; charset=utf-8")],
    "notes": [metadata(URL, b"a: b", "application/warc-fields")],
    "get": [request(URL), response(URL)],
    "post before": [POST, response(URL, concurrent_to=POST.record_id)],
    "put before": [PUT, response(URL, concurrent_to=PUT.record_id)],
    "post after": [
        ANSWER,
        request(URL, method="POST", body=b"a=1", concurrent_to=ANSWER.record_id),
    ],
    "post of another": [request("http://example.org/b", method="POST", body=b"a=1"), response(URL)],
    "fraction of a second": [response(URL, date="2020-01-02T03:04:05.678901Z")],
    "blanks and brackets": [response("<http://example.org/a b>")],
}


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
@pytest.mark.parametrize("made", LIKE_CDXJ_INDEXER.values(), ids=LIKE_CDXJ_INDEXER.keys())
def test_the_lines_are_those_of_cdxj_indexer(tmp_path: Path, made: list[Made], name: str) -> None:
    digested = [Made(_with_digest(each.content), each.record_id) for each in made]
    write_warc(tmp_path / name, *digested)

    assert ours(tmp_path / name) == indexers(tmp_path / name)


def _with_digest(content: bytes) -> bytes:
    """Return a record with a digest: without one, cdxj-indexer -p has that of nothing."""
    if b"WARC-Payload-Digest" in content:
        return content
    head, _, block = content.partition(b"\r\n")
    return head + b"\r\nWARC-Payload-Digest: " + sha1_of(content).encode() + b"\r\n" + block


def test_a_digest_that_is_missing_is_found_out(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", response(URL, b"content", digest=None), resource(URL, b"r"))

    assert [fields["digest"] for _, _, fields in rows(tmp_path / "a.warc.gz")] == [
        sha1_of(b"content"),
        sha1_of(b"r"),
    ]


def test_an_arc_is_indexed_with_digests(tmp_path: Path) -> None:
    [(offset, length)] = write_arc(tmp_path / "a.arc.gz", arc_record(URL, b"content"))

    assert rows(tmp_path / "a.arc.gz") == [
        (
            "org,example)/a",
            "20200102030405",
            {
                "url": URL,
                "mime": "text/html",
                "status": "200",
                "digest": sha1_of(b"content"),
                "length": str(length),
                "offset": str(offset),
                "filename": "a.arc.gz",
            },
        )
    ]


@pytest.mark.parametrize("method", ["OPTIONS", "DELETE", "PATCH"])
def test_every_method_has_a_key_but_get_and_head(tmp_path: Path, method: str) -> None:
    asked = request(URL, method=method)
    write_warc(tmp_path / "a.warc.gz", asked, response(URL, concurrent_to=asked.record_id))

    [(key, _, fields)] = rows(tmp_path / "a.warc.gz")

    assert key == f"org,example)/a?__wb_method={method.lower()}"
    assert fields["method"] == method


def test_a_head_request_has_the_key_of_a_get(tmp_path: Path) -> None:
    asked = request(URL, method="HEAD")
    write_warc(tmp_path / "a.warc.gz", asked, response(URL, concurrent_to=asked.record_id))

    assert [key for key, _, _ in rows(tmp_path / "a.warc.gz")] == ["org,example)/a"]


def test_a_revisit_is_found_by_its_request_too(tmp_path: Path) -> None:
    said = revisit(URL)
    asked = request(URL, method="POST", body=b"a=1", concurrent_to=said.record_id)
    write_warc(tmp_path / "a.warc.gz", said, asked)

    assert [key for key, _, _ in rows(tmp_path / "a.warc.gz")] == [
        "org,example)/a?__wb_method=post&a=1"
    ]


def test_pairs_that_are_written_across_each_other_are_found(tmp_path: Path) -> None:
    asked = [request(URL, method="POST", body=b"n=%d" % number) for number in range(9)]
    said = [response(URL, concurrent_to=each.record_id) for each in asked]
    write_warc(tmp_path / "a.warc.gz", *asked, *reversed(said))

    keys = [key for key, _, _ in rows(tmp_path / "a.warc.gz")]

    assert sorted(keys) == [f"org,example)/a?__wb_method=post&n={number}" for number in range(9)]


def test_without_looking_at_requests_a_post_is_a_get(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", POST, response(URL, concurrent_to=POST.record_id))

    found = rows(tmp_path / "a.warc.gz", Options(post_append=False))

    assert [(key, "method" in fields) for key, _, fields in found] == [("org,example)/a", False)]


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        (response("http:///"), ProblemKind.NO_ADDRESS),
        (record("response", b"", [("WARC-Date", "2020-01-01T00:00:00Z")]), ProblemKind.NO_ADDRESS),
        (response(URL, date="soon"), ProblemKind.NO_DATE),
        (response("http://example.org/" + "a" * 70_000), ProblemKind.NO_ADDRESS),
        (response("http://example.org/\x01"), ProblemKind.NO_ADDRESS),
    ],
)
def test_a_record_that_can_not_be_looked_up_is_told(
    tmp_path: Path, made: Made, kind: ProblemKind
) -> None:
    places = write_warc(tmp_path / "a.warc.gz", warcinfo(), made, response(URL))

    problems = told(tmp_path / "a.warc.gz")

    assert [(each.kind, each.offset) for each in problems] == [(kind, places[1][0])]
    assert len([line for line in index_file(tmp_path / "a.warc.gz") if line]) == 1


def test_records_that_share_a_member_have_no_lines(tmp_path: Path) -> None:
    write_whole_gzip(tmp_path / "a.warc.gz", response(URL), response(URL), response(URL))

    assert rows(tmp_path / "a.warc.gz") == []
    assert [each.kind for each in told(tmp_path / "a.warc.gz")] == [ProblemKind.SHARED_MEMBER]


def test_digests_are_verified_when_asked_for(tmp_path: Path) -> None:
    good = response(URL, b"good")
    bad = response(URL, b"bad", digest=sha1_of(b"good"))
    places = write_warc(tmp_path / "a.warc.gz", good, bad, revisit(URL, b"good"))

    problems = told(tmp_path / "a.warc.gz", Options(verify=True))

    assert [(each.kind, each.offset) for each in problems] == [
        (ProblemKind.WRONG_DIGEST, places[1][0])
    ]
    assert sha1_of(b"bad") in problems[0].message
    assert told(tmp_path / "a.warc.gz") == []
