# SPDX-License-Identifier: AGPL-3.0-or-later
"""A look at the beginning of a memento says whether it is what its index says."""

import base64
import gzip
import hashlib

import pytest

from carrel.engine.mementos.content import peeked
from carrel.mementos.loading.record import Record
from carrel.model import Memento

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
