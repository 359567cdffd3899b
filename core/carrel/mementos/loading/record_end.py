# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where a record ends whose index does not say how long it is: so that no more is fetched."""

import re
import zlib
from collections.abc import AsyncIterator

_GZIP = b"\x1f\x8b"
_HEAD_MOST_BYTES = 1024**2
_PIECE_BYTES = 1024**2
_LENGTH = re.compile(rb"^Content-Length:[ \t]*(\d{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_WARC_HEAD = re.compile(rb"^WARC/.*?\r?\n\r?\n", re.DOTALL)
_ARC_HEAD = re.compile(rb"^[a-z][a-z0-9+.-]*:[^\n]* (\d{1,18})\r?\n")
# The line breaks behind a record.
_CLOSING_BYTES = 4


async def until_record_ends(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield pieces up to that in which the first record ends: the member of a gzip, the block of
    a WARC or ARC that is not packed. What is neither ends soon."""
    ends: _MemberEnd | _BlockEnd | None = None
    async for piece in pieces:
        ends = ends or (_MemberEnd() if piece.startswith(_GZIP) else _BlockEnd())
        yield piece
        if ends.is_in(piece):
            return


class _MemberEnd:
    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(31)

    def is_in(self, piece: bytes) -> bool:
        left = piece
        while left and not self._inflate.eof:
            try:
                self._inflate.decompress(left, _PIECE_BYTES)
            except zlib.error:
                return True  # whoever reads it will say what is wrong
            left = self._inflate.unconsumed_tail
        return self._inflate.eof


class _BlockEnd:
    def __init__(self) -> None:
        self._head = b""
        self._seen = 0
        self._end: int | None = None

    def is_in(self, piece: bytes) -> bool:
        self._seen += len(piece)
        if self._end is None:
            self._head += piece
            self._end = _end_after(self._head)
        return self._end is not None and self._seen >= self._end


def _end_after(beginning: bytes) -> int | None:
    """Return how long a record is by its head, None while that is not known."""
    if (head := _WARC_HEAD.match(beginning)) and (length := _LENGTH.search(head[0])):
        return head.end() + int(length[1]) + _CLOSING_BYTES
    if head := _ARC_HEAD.match(beginning):
        return head.end() + int(head[1]) + _CLOSING_BYTES
    return 0 if len(beginning) > _HEAD_MOST_BYTES else None
