# SPDX-License-Identifier: AGPL-3.0-or-later
"""Content codings undone, never beyond a bound: what unpacks to gigabytes is not unpacked."""

import importlib
import zlib
from collections.abc import Iterable, Iterator
from types import ModuleType

from carrel.errors import CarrelError

_PIECE = 64 * 1024
_MOST_CODINGS = 3
# Few bytes can unpack to 16 MiB: in small steps no single one yields more than there is room for.
_BROTLI_STEP = 16
_GZIP_MAGIC = b"\x1f\x8b"
# What browsers undo themselves.
BROWSER_CODINGS = frozenset({"gzip", "x-gzip", "deflate", "br", "zstd"})


class NotUnpacked(CarrelError):
    """A payload can not be unpacked here; `str` is a sentence for people."""


def codings_of(content_encoding: str) -> tuple[str, ...]:
    """Return the codings of a Content-Encoding in the order they were applied."""
    names = (each.strip().lower() for each in content_encoding.split(","))
    return tuple(each for each in names if each not in ("", "identity", "none", "utf-8"))


def is_gzip(beginning: bytes) -> bool:
    return beginning.startswith(_GZIP_MAGIC)


def unpacked(payload: Iterable[bytes], content_encoding: str, most: int) -> bytes:
    """Return a payload with its codings undone.

    Many archives undo them before they write, and keep the header: what does not unpack from its
    first byte on is taken as it is, what breaks off later as far as it goes. Raises NotUnpacked for
    more than `most` bytes, and for a coding that is not known here.
    """
    content = _bounded(payload, most)
    names = codings_of(content_encoding)
    if len(names) > _MOST_CODINGS:
        raise NotUnpacked("It says that it was packed more often than anybody packs.")
    for name in reversed(names):
        content = _undone(content, name, most)
    return content


def _bounded(payload: Iterable[bytes], most: int) -> bytes:
    content = bytearray()
    for piece in payload:
        content += piece
        if len(content) > most:
            raise _too_large(most)
    return bytes(content)


def _undone(content: bytes, name: str, most: int) -> bytes:
    if name in ("gzip", "x-gzip"):
        return _gunzipped(content, most) if is_gzip(content) else content
    if name == "deflate":
        return _inflated(content, most)
    if name == "br":
        return _unbrotlied(content, most)
    raise NotUnpacked(f"It is packed as “{name[:40]}”, which Carrel can not unpack.")


def _gunzipped(content: bytes, most: int) -> bytes:
    """Return all members of a gzip file, one after another."""
    out = bytearray()
    while is_gzip(content):
        member = zlib.decompressobj(wbits=31)
        if not _take(out, _pieces(content, member), most):
            break
        content = member.unused_data
    return bytes(out)


def _inflated(content: bytes, most: int) -> bytes:
    """Return what was deflated, with zlib's header as HTTP wants it or without as some do."""
    for wbits in (15, -15):
        out = bytearray()
        _take(out, _pieces(content, zlib.decompressobj(wbits=wbits)), most)
        if out or not content:
            return bytes(out)
    return content


def _take(out: bytearray, pieces: Iterator[bytes], most: int) -> bool:
    """Add pieces as far as they make sense, and say whether they did to their end."""
    try:
        for piece in pieces:
            out += piece
            if len(out) > most:
                raise _too_large(most)
    except zlib.error:
        return False
    return True


def _pieces(content: bytes, packer: "zlib._Decompress") -> Iterator[bytes]:
    rest: bytes | memoryview = content
    while not packer.eof and (piece := packer.decompress(rest, _PIECE)):
        yield piece
        rest = packer.unconsumed_tail


def _unbrotlied(content: bytes, most: int) -> bytes:
    """Return what brotli packed, by whichever of its libraries is installed."""
    library = _brotli()
    if library is None:
        raise NotUnpacked("It is packed with brotli, for which no library is installed here.")
    unpacker = library.Decompressor()
    # The libraries share a name, but not that of their method.
    process = unpacker.process if hasattr(unpacker, "process") else unpacker.decompress
    out = bytearray()
    for at in range(0, len(content), _BROTLI_STEP):
        try:
            out += process(content[at : at + _BROTLI_STEP])
        except library.error:
            break
        if len(out) > most:
            raise _too_large(most)
    return bytes(out) or content


def _brotli() -> ModuleType | None:
    for name in ("brotli", "brotlicffi"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def _too_large(most: int) -> NotUnpacked:
    return NotUnpacked(
        f"It is larger than the {most // 1024**2} MiB that are made fit for looking."
    )
