# SPDX-License-Identifier: AGPL-3.0-or-later
"""From a stored payload to the bytes of the resource: without chunks, without content coding.

Some archives store responses with the chunks of HTTP in them, and all store content codings as they
were sent. Many undo either before they write, and keep the header: what is not packed as it says is
taken as it is. What is unpacked comes in small pieces, however well it was packed.
"""

import importlib
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from types import ModuleType
from typing import Any

from carrel.errors import CarrelError
from carrel.mementos.loading.record import Record, http_fields
from carrel.translation import tr

# What browsers undo themselves.
BROWSER_CODINGS = frozenset({"gzip", "x-gzip", "deflate", "br", "zstd"})
_MOST_CODINGS = 3
_PIECE_BYTES = 256 * 1024
# Few bytes of brotli can unpack to 16 MiB: in small steps no single one yields so much.
_BROTLI_STEP = 16
_GZIP_MAGIC = b"\x1f\x8b"
_LONGEST_CHUNK_LINE = 4096
_CHUNK_LINE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")


class NotUnpacked(CarrelError):
    """A payload cannot be unpacked, or not to its end; `str` is a sentence for people."""


def decoded(record: Record) -> Iterator[bytes]:
    """Yield the bytes of the resource that a record holds. Raises NotUnpacked, and NotLoaded."""
    coding = http_fields(record.http_head).get("content-encoding", "")
    return unpacked(unchunked(record), coding)


def is_chunked(record: Record) -> bool:
    """Say whether a record says that its payload is stored in chunks."""
    return "chunked" in http_fields(record.http_head).get("transfer-encoding", "").lower()


def unchunked(record: Record) -> Iterator[bytes]:
    """Yield a payload without the chunks of HTTP. Raises NotUnpacked where they are damaged."""
    return without_chunks(iter(record.payload)) if is_chunked(record) else iter(record.payload)


def unpacked(pieces: Iterable[bytes], content_encoding: str) -> Iterator[bytes]:
    """Yield a payload with its content codings undone.

    Raises NotUnpacked for a coding that is not known here, and where the content is damaged.
    """
    names = codings_of(content_encoding)
    if len(names) > _MOST_CODINGS:
        raise NotUnpacked(tr("It has too many content codings."))
    for name in reversed(names):
        pieces = _undoing(name)(iter(pieces))
    return iter(pieces)


def codings_of(content_encoding: str) -> tuple[str, ...]:
    """Return the codings of a Content-Encoding in the order they were applied."""
    names = (each.strip().lower() for each in content_encoding.split(","))
    return tuple(each for each in names if each not in ("", "identity", "none", "utf-8"))


def is_gzip(beginning: bytes) -> bool:
    return beginning.startswith(_GZIP_MAGIC)


def _undoing(name: str) -> Callable[[Iterator[bytes]], Iterator[bytes]]:
    if name in ("gzip", "x-gzip"):
        return _gunzipped
    if name == "deflate":
        return _inflated
    if name == "br":
        if _brotli() is None:
            raise NotUnpacked(
                tr("It is compressed with brotli, for which no library is installed here.")
            )
        return _unbrotlied
    raise NotUnpacked(
        tr("It is compressed as “{name}”, which Carrel cannot decompress.", name=name[:40])
    )


def _gunzipped(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the content of all members of a gzip file (RFC 1952, 2.2)."""
    start = _at_least(2, pieces)
    if not is_gzip(start):
        yield start
        yield from pieces
        return
    member = zlib.decompressobj(31)
    for piece in chain((start,), pieces):
        packed = piece
        while packed:
            if member.eof:
                if not is_gzip(packed):
                    break  # what pads the last member is nothing
                member = zlib.decompressobj(31)
            yield _step(member, packed)
            packed = member.unconsumed_tail or member.unused_data
    if not member.eof:
        raise NotUnpacked(tr("Its compressed content ends too early."))


def _inflated(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield what was deflated: with zlib's header as HTTP wants it, or bare as some send it."""
    start = _at_least(2, pieces)
    if not start:
        return
    wbits = next((bits for bits in (15, -15) if _makes_sense(start, bits)), None)
    if wbits is None:
        yield start
        yield from pieces
        return
    packer = zlib.decompressobj(wbits)
    for piece in chain((start,), pieces):
        packed = piece
        while packed and not packer.eof:
            yield _step(packer, packed)
            packed = packer.unconsumed_tail
    if not packer.eof:
        raise NotUnpacked(tr("Its compressed content ends too early."))


def _step(packer: "zlib._Decompress", packed: bytes) -> bytes:
    try:
        return packer.decompress(packed, _PIECE_BYTES)
    except zlib.error as error:
        raise NotUnpacked(
            tr("Its compressed content is damaged ({error}).", error=error)
        ) from error


def _makes_sense(start: bytes, wbits: int) -> bool:
    try:
        zlib.decompressobj(wbits).decompress(start, _PIECE_BYTES)
    except zlib.error:
        return False
    return True


def _unbrotlied(pieces: Iterator[bytes]) -> Iterator[bytes]:
    library: Any = _brotli()
    unpacker = library.Decompressor()
    # Two libraries share the name, but not that of their method.
    process = unpacker.process if hasattr(unpacker, "process") else unpacker.decompress
    came = False
    for piece in pieces:
        for at in range(0, len(piece), _BROTLI_STEP):
            try:
                content = process(piece[at : at + _BROTLI_STEP])
            except library.error as error:
                if came:
                    raise NotUnpacked(tr("Its compressed content is damaged.")) from error
                yield piece
                yield from pieces
                return
            came = came or bool(content)
            yield content


def _brotli() -> ModuleType | None:
    for name in ("brotli", "brotlicffi"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def without_chunks(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the content of chunks (RFC 9112, 7.1); as it is, what has none despite its header.

    Raises NotUnpacked where they are damaged.
    """
    buffer = _at_least(18, pieces)
    if not _CHUNK_LINE.match(buffer):
        yield buffer
        yield from pieces
        return
    while True:
        left, buffer = _chunk_size(buffer, pieces)
        if left == 0:
            return
        while left:
            if not buffer:
                buffer = _more(pieces)
            piece, buffer = buffer[:left], buffer[left:]
            left -= len(piece)
            yield piece
        while len(buffer) < 2:
            buffer += _more(pieces)
        buffer = buffer.removeprefix(b"\r").removeprefix(b"\n")


def _chunk_size(buffer: bytes, pieces: Iterator[bytes]) -> tuple[int, bytes]:
    """Return the size of the chunk that begins here, and what is known of its content."""
    while not (match := _CHUNK_LINE.match(buffer)):
        if len(buffer) > _LONGEST_CHUNK_LINE:
            raise NotUnpacked(tr("Its chunks are damaged."))
        buffer += _more(pieces)
    return int(match[1], 16), buffer[match.end() :]


def _more(pieces: Iterator[bytes]) -> bytes:
    for piece in pieces:
        if piece:
            return piece
    raise NotUnpacked(tr("Its chunks end too early."))


def _at_least(count: int, pieces: Iterator[bytes]) -> bytes:
    """Return the first so many bytes, or all there are."""
    start = b""
    for piece in pieces:
        start += piece
        if len(start) >= count:
            break
    return start
