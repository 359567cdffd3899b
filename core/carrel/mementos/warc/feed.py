# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bytes as they lie in a file or come over the network, piece by piece, with their position."""

from collections.abc import Iterator
from io import SEEK_END, UnsupportedOperation
from typing import BinaryIO

from carrel.translation import tr

# Small, since what a gzip member leaves of a piece is copied for the next member.
PIECE_BYTES = 32 * 1024
# Of a long member pieces grow up to this, which fits into the processor's cache.
_LARGEST_PIECE_BYTES = 256 * 1024


class Feed:
    """A stream of bytes that takes back what was too much. `position` is that of the next byte."""

    def __init__(self, pieces: Iterator[bytes], position: int = 0) -> None:
        self._pieces, self._held = pieces, b""
        self.position = position

    def take(self) -> bytes:
        """Return the next piece, b"" at the end."""
        piece = self._held or next(self._pieces, b"")
        self._held = b""
        self.position += len(piece)
        return piece

    def give_back(self, rest: bytes) -> None:
        """Take back the end of what was taken last."""
        self._held = rest
        self.position -= len(rest)

    def peek(self, size: int) -> bytes:
        """Return so many of the next bytes without taking them, fewer at the end."""
        while len(self._held) < size and (piece := next(self._pieces, b"")):
            self._held += piece
        return self._held[:size]

    def skip(self, count: int) -> int:
        """Pass over bytes, fewer if there are no more; return how many."""
        left = count
        while left and (piece := self.take()):
            if len(piece) > left:
                self.give_back(piece[left:])
                return count
            left -= len(piece)
        return count - left

    @property
    def size(self) -> int | None:
        """How many bytes there are in all, None where no one knows."""
        return None

    @property
    def can_seek(self) -> bool:
        return False

    def seek(self, position: int) -> None:
        """Go to a position. Only where `can_seek` is true."""
        raise UnsupportedOperation(tr("a stream cannot be read twice"))


class FileFeed(Feed):
    """A stretch of a file, from `start` up to `end` or to its end, whose first byte is number 0.

    A stream that cannot seek is read from where it stands. Reading may raise OSError.
    """

    def __init__(self, file: BinaryIO, start: int = 0, end: int | None = None) -> None:
        self._file, self._start = file, start
        self._piece_bytes = PIECE_BYTES
        self._seekable = file.seekable()
        self._end: int | None = end
        if self._seekable:
            size = file.seek(0, SEEK_END)
            self._end = size if end is None else min(end, size)
        super().__init__(self._read())
        if self._seekable:
            self.seek(0)

    @property
    def size(self) -> int | None:
        return None if self._end is None else self._end - self._start

    @property
    def can_seek(self) -> bool:
        return self._seekable

    def give_back(self, rest: bytes) -> None:
        super().give_back(rest)
        self._piece_bytes = PIECE_BYTES

    def seek(self, position: int) -> None:
        self._file.seek(self._start + position)
        self._held, self._piece_bytes = b"", PIECE_BYTES
        self.position = position
        # A generator that has ended stays so.
        self._pieces = self._read()

    def skip(self, count: int) -> int:
        if not self._seekable or self.size is None or count <= len(self._held):
            return super().skip(count)
        count = min(count, self.size - self.position)
        self.seek(self.position + count)
        return count

    def _read(self) -> Iterator[bytes]:
        left = None if self.size is None else self.size - self.position
        while left is None or left > 0:
            size = self._piece_bytes
            piece = self._file.read(size if left is None else min(size, left))
            if not piece:
                return
            self._piece_bytes = min(2 * size, _LARGEST_PIECE_BYTES)
            if left is not None:
                left -= len(piece)
            yield piece
