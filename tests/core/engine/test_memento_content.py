# SPDX-License-Identifier: AGPL-3.0-or-later
"""A look at the beginning of a memento says whether it is what its index says."""

import base64
import gzip
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.engine.mementos.content import compared, peeked, saved
from carrel.mementos.loading.record import Record
from carrel.mementos.warc.parts import part_of_raw
from carrel.mementos.warc.reader import records
from carrel.model import Memento
from carrel.model.memento_part import Part
from carrel.model.memento_views import is_another
from support.warcs import DATE, write_warc
from support.warcs import record as warc_record

PAYLOAD = b"station,level\nPort 1,1.20\n"


def digest(payload: bytes) -> str:
    return base64.b32encode(hashlib.sha1(payload).digest()).decode()


def record(payload: bytes, coding: str = "") -> Record:
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n".encode()
    return Record((), head, iter([payload[:7], payload[7:]]), len(payload))


def memento(declared: str) -> Memento:
    fields = {"url": "http://data.example.org/levels.csv", "digest": declared}
    return Memento("org,example,data)/levels.csv", "20210611092031", fields)


@pytest.mark.parametrize(
    ("declared", "is_proven"),
    [(digest(PAYLOAD), True), (digest(b"another"), False), ("-", None)],
)
def test_what_is_read_whole_is_compared_with_its_index(
    declared: str, is_proven: bool | None
) -> None:
    assert peeked(record(PAYLOAD), memento(declared), 1000).is_proven is is_proven


def test_a_packed_payload_is_compared_as_it_was_sent() -> None:
    packed = gzip.compress(PAYLOAD, mtime=0) + b"what stands behind"

    seen = peeked(record(packed, "gzip"), memento(digest(packed)), 1000)

    assert (seen.content, seen.is_proven) == (PAYLOAD, True)


def test_of_what_is_not_read_whole_nothing_is_said() -> None:
    assert peeked(record(PAYLOAD), memento(digest(b"another")), 5).is_proven is None


def half(status: str, *headers: str, truncated: str = "") -> Record:
    head = "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode()
    fields = (("WARC-Truncated", truncated),) if truncated else ()
    return Record(fields, head, iter([PAYLOAD]), len(PAYLOAD))


SIZE = len(PAYLOAD)


@pytest.mark.parametrize(
    ("stored", "part"),
    [
        (half("200 OK", f"Content-Length: {SIZE}"), None),
        (half("200 OK", f"Content-Length: {SIZE + 1}"), Part.SHORT),
        (half("200 OK", f"Content-Length: {SIZE - 1}"), None),
        (half("200 OK", "Content-Length: 9999", "Content-Encoding: gzip"), None),
        (half("304 Not Modified", "Content-Length: 9999"), None),
        (half("200 OK", truncated="length"), Part.TRUNCATED),
        (half("206 Partial Content", f"Content-Range: bytes 0-{SIZE - 1}/{SIZE}"), None),
        (half("206 Partial Content", f"Content-Range: bytes 0-{SIZE - 1}/9999"), Part.RANGE),
        (half("206 Partial Content", f"Content-Range: bytes 0-{SIZE - 1}/*"), Part.RANGE),
    ],
)
def test_a_capture_that_is_only_a_part_says_why(stored: Record, part: Part | None) -> None:
    assert peeked(stored, memento(digest(PAYLOAD)), 1000).part is part


def test_of_two_that_are_compared_each_says_that_it_is_only_a_part() -> None:
    whole, short = half("200 OK"), half("200 OK", f"Content-Length: {SIZE + 1}")

    found = compared((memento("-"), whole), (memento("-"), short))

    assert found.is_same
    assert found.parts == (None, Part.SHORT)


def of(moment: str, payload: bytes = PAYLOAD) -> Record:
    return replace(record(payload), fields=(("WARC-Date", moment),))


def listed(timestamp: str) -> Memento:
    return replace(memento("-"), timestamp=timestamp, source="Remote")


def test_what_is_saved_says_of_which_time_it_is(tmp_path: Path) -> None:
    row = listed("20000229000000")

    written = saved(of("2022-01-01T00:00:00Z"), row, tmp_path / "page", lambda done, total: None)

    assert written.delivered_at == "20220101000000"
    assert is_another(row, written.delivered_at)


def test_one_capture_that_is_delivered_for_two_is_told() -> None:
    pairs = [
        (listed(moment), of("2022-01-01T00:00:00Z"))
        for moment in ("20000229000000", "20220101000000")
    ]

    found = compared(pairs[0], pairs[1])

    assert found.are_one_capture
    assert found.delivered_at == ("20220101000000", "20220101000000")


def test_different_bytes_that_are_delivered_as_of_one_time_are_two_captures() -> None:
    at = "2022-01-01T00:00:00Z"
    one = listed("20000229000000"), of(at, b"one")
    other = listed("20220101000000"), of(at, b"other")

    found = compared(one, other)

    assert not found.are_one_capture
    assert found.delivered_at == ("20220101000000", "20220101000000")
    assert not found.is_same


def test_two_captures_of_their_own_times_are_two() -> None:
    one = listed("20000229000000"), of("2000-02-29T00:00:00Z")
    other = listed("20220101000000"), of("2022-01-01T00:00:00Z")

    assert not compared(one, other).are_one_capture


@pytest.mark.parametrize(
    ("head", "part"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-length : 9\r\n\r\n", Part.SHORT),
        (b"HTTP/1.1 200 OK\nContent-Length: 9\n\n", Part.SHORT),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n", None),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Encoding: gzip\r\n\r\n", None),
        (b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 1-8/9\r\n\r\n", Part.RANGE),
        (b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-7/8\r\n\r\n", None),
        (b"no answer of a server\r\n\r\n", None),
    ],
)
def test_a_record_that_a_file_is_at_says_the_same_before_it_is_read(
    head: bytes, part: Part | None, tmp_path: Path
) -> None:
    fields = [("WARC-Target-URI", "http://a.example/"), ("WARC-Date", DATE)]
    write_warc(tmp_path / "a.warc.gz", warc_record("response", head + b"8 bytes.", fields))

    (found,) = [part_of_raw(each) for each in records(tmp_path / "a.warc.gz")]

    assert found is part
