# SPDX-License-Identifier: AGPL-3.0-or-later
"""An address that leads to a file: archived by itself, as far as it is one."""

import asyncio
import base64
import hashlib
from pathlib import Path
from typing import Any

import pytest

from carrel.capture.client import Client
from carrel.errors import IngestStop
from carrel.model import Landing, PlatformItem, Status
from carrel.platforms.landing import land
from carrel.platforms.registry import describe
from carrel.settings import Network
from support.answers import Answers
from support.archives import ingest, new_archive
from support.wire import Reply, WireServer, html, redirect, reply

BODY = b"year,ice\n2020,3\n"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive")


def file_at(url: str, *hops: str, body: bytes = BODY, **headers: str) -> Landing:
    named = {name.replace("_", "-").lower(): value for name, value in headers.items()}
    kind = {"content-type": "text/csv"}
    return Landing(
        url, (url, *hops), 200, {**kind, **named}, body, Status.WRONG_MIMETYPE, "no page"
    )


def told(of: Landing) -> PlatformItem:
    return asyncio.run(describe(of, Answers({})))[0]


def test_a_file_is_described_by_its_headers() -> None:
    md5 = base64.b64encode(hashlib.md5(BODY).digest()).decode()
    url = "https://www.data.example/d/a%20b.csv"

    item = told(file_at(url, Content_Length="16", ETag='"x1"', Content_MD5=md5))

    (entry,) = item.manifest
    assert (item.platform_name, item.platform_domain) == ("file", "data.example")
    assert (item.platform_id, entry.platform_url) == (url, url)
    assert (entry.path, entry.mimetype) == ("a b.csv", "text/csv")
    assert (entry.declared.size, entry.declared.digests) == (
        16,
        {"md5": hashlib.md5(BODY).hexdigest()},
    )
    assert entry.extra == {"is_unnamed": True, "etag": '"x1"'}
    assert [finding.code for finding in item.findings] == ["single-file"]


def test_the_name_is_that_which_the_server_gives() -> None:
    of = file_at("https://d.example/get?id=7", Content_Disposition='attachment; filename="ice.csv"')

    assert told(of).manifest[0].path == "ice.csv"


def test_the_length_of_what_is_compressed_on_the_way_is_no_size() -> None:
    of = file_at("https://d.example/a.csv", Content_Length="16", Content_Encoding="gzip")

    assert told(of).manifest[0].declared.size is None


def test_an_address_that_holds_for_minutes_is_not_the_files() -> None:
    lasting = "https://d.example/download/7"
    of = file_at(lasting, "https://s3.example/a.csv?X-Amz-Signature=abc&X-Amz-Expires=60")

    item = told(of)

    assert (item.platform_id, item.manifest[0].platform_url) == (lasting, lasting)
    assert item.manifest[0].path == "7"


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        (reply(BODY, Content_Type="text/csv"), "/a.csv"),
        (reply(BODY, Content_Type="text/plain"), "/a.csv"),
        (reply(b"PK\x03\x04" + bytes(500), Content_Type="application/zip"), "/get?id=7"),
        (reply(b"PK\x03\x04" + bytes(500), Content_Type="text/html"), "/a.zip"),
        (reply(b'{"type": "FeatureCollection"}', Content_Type="application/json"), "/a.geojson"),
        (reply(b"<kml/>", Content_Type="application/xml"), "/a.kml"),
        (reply(b"1 2 3\n" * 1000, Content_Type="text/plain"), "/download/7"),
        (
            reply(b"<p>", Content_Type="text/html", Content_Disposition="attachment; filename=a.x"),
            "/get",
        ),
    ],
)  # fmt: skip
def test_a_link_to_a_file_is_archived_as_what_it_is(
    archive: Path, answer: Reply, path: str
) -> None:
    with WireServer() as server:
        (result,) = ingest(archive, server.serve(path, answer))

    assert result.status is Status.SUCCESS_FILE
    assert result.item is not None
    assert result.item.platform_name == "file"
    assert result.choice is not None
    assert result.choice.strategy == "web-file"
    assert "landing-wrong-mimetype" not in [finding.code for finding in result.findings]
    file_result = result.to_file_result_json()
    assert file_result is not None
    assert file_result["request"]["ingest_type"] == "component"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (html("<h1>Sorry</h1>"), Status.NO_PLATFORM_MATCH),
        (reply(b"<html><h1>Sorry</h1>", Content_Type="application/zip"), Status.WRONG_MIMETYPE),
        (reply(b"not found", Content_Type="text/plain"), Status.WRONG_MIMETYPE),
        (reply(b'{"error": "gone"}', Content_Type="application/json"), Status.WRONG_MIMETYPE),
        (reply(b"not found", Content_Type="text/html"), Status.NO_PLATFORM_MATCH),
        (reply(b'["x"]' * 900, Content_Type="application/json"), Status.WRONG_MIMETYPE),
        (reply(BODY, "404 Not Found", Content_Type="text/csv"), Status.NOT_FOUND),
    ],
)
def test_a_page_or_a_message_is_no_file(archive: Path, answer: Reply, status: Status) -> None:
    with WireServer() as server:
        (result,) = ingest(archive, server.serve("/get/7/", answer))

    assert result.status is status
    assert result.files == ()


def test_a_file_is_not_fetched_to_be_looked_at() -> None:
    with WireServer() as server, Client(Network()) as client:
        large = reply(bytes(3_000_000), Content_Type="application/json")
        url = server.serve("/a.geojson", large)
        of = asyncio.run(land(client, url, lambda exchange: None))

    assert len(of.body) <= 64 * 1024
    assert told(of).manifest[0].declared.size == 3_000_000


def test_a_link_may_lead_on_to_the_file(archive: Path) -> None:
    with WireServer() as server:
        server.serve("/files/a.csv", reply(BODY, Content_Type="text/csv"))
        url = server.serve("/latest", redirect("/files/a.csv"))
        (result,) = ingest(archive, url)

    assert result.status is Status.SUCCESS_FILE
    assert [file.path for file in result.files] == ["a.csv"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Content_Length": "-5"},
        {"Content_Length": "9" * 40},
        {"Content_Disposition": 'attachment; filename="../../etc/passwd"'},
        {"Content_MD5": "=====", "Digest": "md5=!!!, sha-256=" + "A" * 44},
        {"ETag": "\x00"},
    ],
)
def test_odd_headers_are_no_failure(headers: dict[str, Any]) -> None:
    (entry,) = told(file_at("https://d.example/a.csv", **headers)).manifest

    assert entry.declared.size is None
    assert "/" not in entry.path


def test_a_platform_that_names_the_dataset_goes_before() -> None:
    url = "https://zenodo.org/records/1/files/a.csv"

    with pytest.raises(IngestStop) as stop:
        told(file_at(url))

    assert stop.value.status is Status.PLATFORM_HTTP_ERROR
    assert stop.value.asked is not None
    assert stop.value.asked.platform_name == "zenodo"
