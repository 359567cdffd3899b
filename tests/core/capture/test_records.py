# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARC records as other people's reader sees them."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.capture.annotations import (
    CONFORMS_TO,
    continuation_records,
    document_record,
    metadata_record,
    warc_fields,
    warcinfo,
)
from carrel.capture.records import (
    REVISIT_PROFILE,
    Record,
    ResponseHead,
    new_record_id,
    request_record,
    response_record,
    revisit_record,
    sha1_label,
    warc_date,
    warc_head,
)
from carrel.capture.resume import Continuation
from carrel.model import Capture, Fixity
from support.records import STARTED, ReadRecord, exchange, read_warc

ID = "<urn:uuid:00000000-0000-0000-0000-000000000001>"
URL = "http://example.org/a"


def read(tmp_path: Path, record: Record) -> ReadRecord:
    path = tmp_path / "one.warc.gz"
    path.write_bytes(record.member())
    (only,) = read_warc(path)
    return only


def capture(payload: bytes) -> Capture:
    return Capture(
        url="http://example.org/original",
        surt="org,example)/original",
        timestamp="20250102030405",
        mimetype="text/plain",
        status_code=200,
        size=len(payload),
        filename="main.warc.gz",
        offset=1,
        length=2,
        record_id=new_record_id(),
        md5=hashlib.md5(payload).hexdigest(),
        sha1=hashlib.sha1(payload).hexdigest(),
        sha256=hashlib.sha256(payload).hexdigest(),
    )


def test_a_response_is_read_with_its_headers_and_payload(tmp_path: Path) -> None:
    found = read(tmp_path, response_record(exchange(URL), b"payload", ID))

    assert (found.kind, found.uri, found.payload) == ("response", URL, b"payload")
    assert (found.http_status, found.http_headers) == ("200 OK", [("Content-Type", "text/plain")])
    assert found.headers["WARC-Date"] == "2026-03-02T09:30:15Z"
    assert found.headers["WARC-Record-ID"] == ID
    assert found.digest_checked


@pytest.mark.parametrize("version", [b"HTTP/1.2", b"HTTP/2.0", b"HTTP/9.9"])
def test_a_version_that_no_reader_knows_is_one_that_all_know(version: bytes) -> None:
    odd = replace(exchange(URL), http_version=version)

    assert odd.response_head_bytes().startswith(b"HTTP/1.1 200 OK\r\n")
    assert odd.rewritten_headers == {"version": version.decode()}


@pytest.mark.parametrize("version", [b"HTTP/1.0", b"HTTP/1.1"])
def test_a_version_that_readers_know_stays(version: bytes) -> None:
    usual = replace(exchange(URL), http_version=version)

    assert usual.response_head_bytes().startswith(version + b" 200 OK\r\n")
    assert usual.rewritten_headers == {}


def test_an_empty_payload_is_legal(tmp_path: Path) -> None:
    found = read(tmp_path, response_record(exchange(URL), b"", ID))

    assert found.payload == b""
    assert found.digest_checked


def test_a_body_that_was_cut_says_so(tmp_path: Path) -> None:
    found = read(tmp_path, response_record(replace(exchange(URL), truncated="length"), b"pay", ID))

    assert found.headers["WARC-Truncated"] == "length"


def test_a_body_that_is_whole_says_nothing_of_the_kind(tmp_path: Path) -> None:
    found = read(tmp_path, response_record(exchange(URL), b"payload", ID))

    assert "WARC-Truncated" not in found.headers


def test_a_cut_body_is_not_announced_longer_than_it_is(tmp_path: Path) -> None:
    whole = exchange(URL, headers=((b"Content-Length", b"9000"), (b"Server", b"x")))

    found = read(tmp_path, response_record(replace(whole, truncated="length"), b"pay", ID))

    assert found.http_headers == [("X-Archive-Orig-Content-Length", "9000"), ("Server", "x")]
    assert b"\r\nContent-Length: 9000\r\n" in whole.response_head_bytes()


def test_an_undone_transfer_coding_is_not_announced_again(tmp_path: Path) -> None:
    headers = ((b"Transfer-Encoding", b"chunked"), (b"Content-Encoding", b"gzip"))

    found = read(tmp_path, response_record(exchange(URL, headers=headers), b"payload", ID))

    assert found.http_headers == [
        ("X-Archive-Orig-Transfer-Encoding", "chunked"),
        ("Content-Encoding", "gzip"),
    ]


def test_a_status_line_without_a_reason_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, response_record(exchange(URL, status=404, reason=b""), b"", ID))

    assert found.http_status == "404"


def test_repeated_headers_stay_apart(tmp_path: Path) -> None:
    headers = ((b"Link", b"<a>; rel=item"), (b"link", b"<b>; rel=item"), (b"X-Name", b"\xe9t\xe9"))

    found = read(tmp_path, response_record(exchange(URL, headers=headers), b"", ID))

    assert [name for name, _ in found.http_headers] == ["Link", "link", "X-Name"]


def test_the_request_is_there_without_what_is_secret(tmp_path: Path) -> None:
    sent = (
        (b"Host", b"example.org"),
        (b"Authorization", b"Bearer s3cret"),
        (b"X-Dataverse-key", b"s3cret"),
        (b"Cookie", b"session=s3cret"),
    )

    record = request_record(exchange(URL, request_headers=sent), ID)
    found = read(tmp_path, record)

    assert record.block.startswith(b"GET /a HTTP/1.1\r\n")
    assert found.headers["WARC-Concurrent-To"] == ID
    assert found.http_headers == [("Host", "example.org")]


def test_a_revisit_names_the_record_that_holds_its_bytes(tmp_path: Path) -> None:
    original = capture(b"payload")

    found = read(tmp_path, revisit_record(exchange(URL), original, ID))

    assert (found.kind, found.uri) == ("revisit", URL)
    assert found.headers["WARC-Record-ID"] == ID
    assert found.headers["WARC-Date"] == warc_date(STARTED)
    assert found.headers["WARC-Profile"] == REVISIT_PROFILE
    assert found.headers["WARC-Refers-To"] == original.record_id
    assert found.headers["WARC-Refers-To-Target-URI"] == original.url
    assert found.headers["WARC-Refers-To-Date"] == "2025-01-02T03:04:05Z"
    assert found.headers["WARC-Payload-Digest"] == sha1_label(original.sha1)
    assert found.http_status == "200 OK"


def test_a_later_part_is_said_to_be_what_it_was(tmp_path: Path) -> None:
    answer = exchange(
        URL,
        status=206,
        reason=b"Partial Content",
        headers=((b"Content-Range", b"bytes 5-9/10"), (b"ETag", b'"v1"\x00')),
        request_headers=((b"Host", b"example.org"), (b"Range", b"bytes=5-")),
    )

    request, metadata = continuation_records(Continuation(answer, 5, 8), ID)

    asked = read(tmp_path, request)
    assert (asked.kind, asked.headers["WARC-Concurrent-To"]) == ("request", ID)
    assert b"Range: bytes=5-\r\n" in request.block
    said = read(tmp_path, metadata)
    assert (said.kind, said.headers["WARC-Refers-To"]) == ("metadata", ID)
    lines = metadata.block.decode().splitlines()
    assert lines[:2] == ["payloadRange: bytes 5-7", "httpStatus: 206 Partial Content"]
    assert "http-content-range: bytes 5-9/10" in lines
    assert 'http-etag: "v1" ' in lines


def test_the_first_record_says_who_wrote_the_file(tmp_path: Path) -> None:
    found = read(tmp_path, warcinfo("main-1.warc.gz", "The archivist", "Carrel/1 (x)"))

    lines = found.payload.decode().split("\r\n")
    assert found.headers["WARC-Filename"] == "main-1.warc.gz"
    assert f"conformsTo: {CONFORMS_TO}" in lines
    assert "operator: The archivist" in lines
    assert "http-header-user-agent: Carrel/1 (x)" in lines


def test_a_document_is_kept_byte_for_byte(tmp_path: Path) -> None:
    record = document_record("urn:x-carrel:1", b'{"a": "\xc3\xa9"}', "application/json", STARTED)

    found = read(tmp_path, record)

    assert (found.kind, found.payload) == ("metadata", b'{"a": "\xc3\xa9"}')


@pytest.mark.parametrize(
    "value", ["http://a/\r\nWARC-Type: x", "a\nb", "a\x00b", "a\rb", "a\x7fb", "a\tb"]
)
def test_a_field_that_would_break_out_of_its_line_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="cannot hold"):
        warc_head([("WARC-Target-URI", value)])


@given(
    size=st.none() | st.integers(0, 2**63),
    sha1=st.binary(min_size=20, max_size=20).map(bytes.hex),
)
def test_heads_are_of_one_length_whatever_is_filled_in(size: int | None, sha1: str) -> None:
    head = ResponseHead(ID, exchange(URL))
    fixity = None if size is None else Fixity(size, {"sha1": sha1})

    assert len(head.bytes_for(fixity)) == len(head.bytes_for(None))


def test_what_is_said_of_a_capture_has_all_its_fields_in_their_order() -> None:
    record = metadata_record(URL, ID, {"path": "a.csv"}, STARTED)

    assert (
        record.content()
        == (
            f"WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: {record.record_id}\r\n"
            f"WARC-Date: 2026-03-02T09:30:15Z\r\nWARC-Target-URI: {URL}\r\nWARC-Refers-To: {ID}\r\n"
            "Content-Type: application/warc-fields\r\n"
            "WARC-Payload-Digest: sha1:CGM6Z3M2QKIQKL2RZHLY33Z6QUOZASKD\r\n"
            "WARC-Block-Digest: sha1:CGM6Z3M2QKIQKL2RZHLY33Z6QUOZASKD\r\n"
            "Content-Length: 13\r\n\r\npath: a.csv\r\n\r\n\r\n"
        ).encode()
    )


def test_an_address_that_would_break_out_of_its_line_makes_no_record() -> None:
    record = document_record("http://a/\r\nWARC-Type: x", b"{}", "application/json", STARTED)

    with pytest.raises(ValueError, match="cannot hold"):
        record.member()


@given(value=st.text(st.characters(exclude_categories=["Cs"])))
def test_warc_fields_never_break_lines(value: str) -> None:
    block = warc_fields({"path": value, "size": "1"})

    assert block.count(b"\n") == block.count(b"\r") == 2
    assert block.endswith(b"\r\nsize: 1\r\n")


@pytest.mark.parametrize(
    "path", ["high  water + low water.txt", "雨の\u3000記録.csv", "a\u00a0b.txt", "x" * 5000]
)
def test_a_name_stands_in_the_metadata_as_it_is(tmp_path: Path, path: str) -> None:
    found = read(tmp_path, metadata_record(URL, ID, {"path": path}, STARTED))

    assert found.payload.decode() == f"path: {path}\r\n"
