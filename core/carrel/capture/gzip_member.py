# SPDX-License-Identifier: AGPL-3.0-or-later
"""One gzip member (RFC 1952), written in one pass though its first bytes are known last.

A WARC record's length and digests stand before its payload. Here a member starts with a *stored*
deflate block (RFC 1951, 3.2.4) that holds the record's headers in clear; when the payload is
through, the headers are patched in place and the member's CRC is combined from both parts. Any
reader of gzip reads the result.
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from isal import isal_zlib
from isal.igzip_lib import IsalError

from carrel.capture.block_worker import Block
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

# No name, no time, unknown system: the same bytes in, the same member out.
_GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_FLAGS_AT, _RESERVED_FLAGS = 3, 0xE0
_STORED_MAX = 0xFFFF
_FINAL_EMPTY_BLOCK = b"\x01\x00\x00\xff\xff"
_COMPRESSION_LEVEL = 1
# zlib's number for the largest window, in gzip's wrapping.
_GZIP_WINDOW = 31

# A payload that shrinks by less than this is stored as it is; the question is asked again now and
# then, since a file may change its nature on the way (a tar of texts and pictures).
_WORTHWHILE_RATIO = 0.97
_PROBE_EVERY_BYTES = 32 * MEBIBYTE
# A shorter block tells nothing about the rest.
_PROBE_BYTES = 64 * 1024

_Part = bytes | memoryview


def compress_member(content: bytes) -> bytes:
    """Return the content as one whole gzip member; stored, where compressing it gains little.

    What is stored is read again ten times as fast, and each copy, packing, merging and verification
    reads it.
    """
    packed = isal_zlib.compress(content, _COMPRESSION_LEVEL, _GZIP_WINDOW)
    if len(packed) < len(content) * _WORTHWHILE_RATIO:
        return packed
    trailer = _trailer(isal_zlib.crc32(content), len(content))
    return b"".join((_opening(content), _FINAL_EMPTY_BLOCK, trailer))


def has_reserved_flags(member: bytes) -> bool:
    """Say whether a member begins with flags that no reader may pass over (RFC 1952, 2.3.1.2).

    isal does: it would call a member whole that gzip refuses.
    """
    return len(member) > _FLAGS_AT and bool(member[_FLAGS_AT] & _RESERVED_FLAGS)


def why_broken(error: Exception) -> str:
    """Return, for people, what it is of a member that the library could not read."""
    if "checksum" in str(error).lower():
        return tr("its bytes are not as they were written (checksum mismatch)")
    return tr("its bytes cannot be decompressed")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a file that was written, in bytes, and how to tell that it is intact.

    `is_intact` looks at the first `length` bytes of what it is given.
    """

    offset: int
    length: int
    is_intact: Callable[[bytearray], bool]


class PatchedMember:
    """A member that is being written to `file`, whose first bytes can be replaced at the end.

    Every block that is written ends on a byte boundary with no reference to what came before (a
    full flush), so that a cut-off member could be continued from any of them.
    """

    def __init__(self, file: BinaryIO, head_size: int, offset: int) -> None:
        self._file, self._head_size, self.offset = file, head_size, offset
        self._end = file.tell()
        self._crc = self._size = 0
        self._compresses = True
        self._until_probe = 0

    @classmethod
    def begin(cls, file: BinaryIO, head: bytes) -> "PatchedMember":
        """Return a member that begins where the file stands."""
        member = cls(file, len(head), file.tell())
        member._write_whole(_opening(head))
        return member

    @classmethod
    def resume(
        cls, file: BinaryIO, head: bytes, offset: int, *, crc: int, size: int
    ) -> "PatchedMember":
        """Return a member that began at `offset` and was cut off where the file stands.

        It stands behind a whole block; `crc` and `size` are those of the payload so far.
        """
        member = cls(file, len(head), offset)
        member._crc, member._size = crc, size
        return member

    @staticmethod
    def payload_offset(offset: int, head: bytes) -> int:
        """Return where the payload of a member with this head begins, if it begins at `offset`."""
        return offset + len(_opening(head))

    def write(self, block: Block) -> Piece:
        """Append a block of the payload, of 1 MiB as a rule, which must not change afterwards."""
        self._crc = isal_zlib.crc32(block, self._crc)
        self._size += len(block)
        packed = self._compressed(block) if self._until_probe <= 0 or self._compresses else None
        self._until_probe -= len(block)
        if packed is None:
            parts = list(_stored(block))
            return self._write(parts, lambda found: _begins_with(found, parts))
        length = sum(map(len, packed))
        return self._write(
            packed, lambda found: inflated(memoryview(found)[:length], len(block)) == block
        )

    def finish(self, head: bytes) -> tuple[Piece, Piece]:
        """Put the final head in place, of the same length, and end the member; return both."""
        if len(head) != self._head_size:
            raise ValueError(f"a head of {self._head_size} bytes cannot become {len(head)} bytes")
        crc = isal_zlib.crc32_combine(isal_zlib.crc32(head), self._crc, self._size)
        tail = self._write_whole(_FINAL_EMPTY_BLOCK + _trailer(crc, self._head_size + self._size))
        end, self._end = self._end, self.offset
        self._file.seek(self.offset)
        beginning = self._write_whole(_opening(head))
        self._file.seek(end)
        self._end = end
        return beginning, tail

    @property
    def length(self) -> int:
        """How much of the file the member takes, in bytes."""
        return self._end - self.offset

    @property
    def crc(self) -> int:
        """The CRC-32 of the payload so far."""
        return self._crc

    @property
    def size(self) -> int:
        """How many bytes of payload there are so far."""
        return self._size

    def _write_whole(self, data: bytes) -> Piece:
        return self._write([data], lambda found: _begins_with(found, [data]))

    def _write(self, parts: Sequence[_Part], is_intact: Callable[[bytearray], bool]) -> Piece:
        self._file.writelines(parts)
        length = sum(map(len, parts))
        offset, self._end = self._end, self._end + length
        return Piece(offset, length, is_intact)

    def _compressed(self, block: Block) -> Sequence[bytes] | None:
        """Return a block compressed, in parts, None if that does not make it shorter."""
        deflate = isal_zlib.compressobj(_COMPRESSION_LEVEL, isal_zlib.DEFLATED, -15)
        packed = deflate.compress(block), deflate.flush(isal_zlib.Z_FULL_FLUSH)
        length = sum(map(len, packed))
        if self._until_probe <= 0 and len(block) >= _PROBE_BYTES:
            self._compresses = length < len(block) * _WORTHWHILE_RATIO
            self._until_probe = _PROBE_EVERY_BYTES
        return packed if length < len(block) else None


def inflated(packed: bytes | memoryview, size: int) -> bytes:
    """Return what these deflate blocks hold, one byte more than `size` at most; "" if nothing.

    The right size beforehand saves a quarter of the time.
    """
    try:
        return isal_zlib.decompressobj(-15).decompress(packed, size + 1)
    except IsalError:  # type: ignore[misc]  # its stub is wrong
        return b""


def _opening(head: bytes) -> bytes:
    return b"".join((_GZIP_HEADER, *_stored(head)))


def _stored(data: Block) -> Iterator[_Part]:
    """Yield `data` as non-final stored deflate blocks, their heads and contents in turn."""
    view = memoryview(data)
    for start in range(0, len(data), _STORED_MAX):
        part = view[start : start + _STORED_MAX]
        yield struct.pack("<BHH", 0, len(part), len(part) ^ _STORED_MAX)
        yield part


def _begins_with(found: bytearray, parts: Iterable[_Part]) -> bool:
    """Say whether these parts stand at the beginning, one behind the other."""
    start = 0
    for part in parts:
        if not found.startswith(part, start):
            return False
        start += len(part)
    return True


def _trailer(crc: int, size: int) -> bytes:
    return struct.pack("<II", crc, size & 0xFFFFFFFF)
