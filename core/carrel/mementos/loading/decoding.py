# SPDX-License-Identifier: AGPL-3.0-or-later
"""From a stored payload to the bytes of the resource: without chunks, without content coding.

Some archives store responses with the chunks of HTTP in them; all store content codings as they were
sent. What is unpacked comes in small pieces, however well it was packed.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from carrel.errors import NotLoaded
from carrel.mementos.loading.record import Record, http_fields

_PIECE_BYTES = 256 * 1024
_LONGEST_CHUNK_LINE = 4096
_CHUNK_LINE = re.compile(rb"[0-9A-Fa-f]{1,15}[ \t]*(?:;[^\r\n]*)?\r?\n")


def decoded(record: Record) -> Iterator[bytes]:
    """Yield the bytes of the resource. Raises NotLoaded for a coding that is damaged or unknown."""
    fields = http_fields(record.http_head)
    pieces = iter(record.payload)
    if "chunked" in fields.get("transfer-encoding", "").lower():
        pieces = _unchunked(pieces, record)
    codings = fields.get("content-encoding", "").lower().split(",")
    for coding in reversed([each.strip() for each in codings]):
        if coding not in ("", "identity"):
            pieces = _unpacked(pieces, coding, record)
    return pieces


def _unpacked(pieces: Iterable[bytes], coding: str, record: Record) -> Iterator[bytes]:
    make = _unpackers().get(coding)
    if make is None:
        raise _trouble(record, f"its content coding “{coding[:40]}” is unknown here")
    return _inflated(iter(pieces), make, record)


def _unpackers() -> dict[str, Callable[[bytes], Any]]:
    return {
        "gzip": lambda start: zlib.decompressobj(31),
        "x-gzip": lambda start: zlib.decompressobj(31),
        # Some servers send the bare stream (RFC 1951) where the one of RFC 1950 is meant.
        "deflate": lambda start: zlib.decompressobj(15 if start[:1] == b"\x78" else -15),
    }


def _inflated(
    pieces: Iterator[bytes], make: Callable[[bytes], Any], record: Record
) -> Iterator[bytes]:
    start = next(pieces, b"")
    unpacker = make(start)
    try:
        for piece in chain((start,), pieces):
            packed = piece
            while packed and not unpacker.eof:
                yield unpacker.decompress(packed, _PIECE_BYTES)
                packed = unpacker.unconsumed_tail
        if start and not unpacker.eof:
            raise _trouble(record, "its packed content ends too early")
    except zlib.error as error:
        raise _trouble(record, f"its packed content is damaged ({error})") from error


def _unchunked(pieces: Iterator[bytes], record: Record) -> Iterator[bytes]:
    """Yield the content of chunks (RFC 9112, 7.1); what has none in spite of its header as it is."""
    buffer = next(pieces, b"")
    if not _CHUNK_LINE.match(buffer):
        yield buffer
        yield from pieces
        return
    while True:
        line, buffer = _chunk_line(buffer, pieces, record)
        left = int(re.match(rb"[0-9A-Fa-f]+", line)[0], 16)  # type: ignore[index]  # it matched
        if left == 0:
            return
        while left:
            if not buffer:
                buffer = _more(pieces, record)
            piece, buffer = buffer[:left], buffer[left:]
            left -= len(piece)
            yield piece
        while len(buffer) < 2:
            buffer += _more(pieces, record)
        buffer = buffer.removeprefix(b"\r\n") if buffer[:2] == b"\r\n" else buffer.lstrip(b"\n")


def _chunk_line(buffer: bytes, pieces: Iterator[bytes], record: Record) -> tuple[bytes, bytes]:
    while not (match := _CHUNK_LINE.match(buffer)):
        if len(buffer) > _LONGEST_CHUNK_LINE:
            raise _trouble(record, "its chunks are damaged")
        buffer += _more(pieces, record)
    return match[0], buffer[match.end() :]


def _more(pieces: Iterator[bytes], record: Record) -> bytes:
    piece = next(pieces, b"")
    if not piece:
        raise _trouble(record, "its chunks end too early")
    return piece


def _trouble(record: Record, what: str) -> NotLoaded:
    url = record.field("WARC-Target-URI")
    return NotLoaded(url, f"The content of {url[:300]} can not be unpacked: {what}.")
