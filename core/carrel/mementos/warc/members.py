# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is packed in a gzip member (RFC 1952), or lies plain in a file, read in small pieces."""

import re
from collections.abc import Callable
from typing import Protocol

from isal.igzip_lib import DECOMP_GZIP, IgzipDecompressor, IsalError

from carrel.capture.gzip_member import has_reserved_flags, why_broken
from carrel.mementos.warc.feed import Feed
from carrel.mementos.warc.problems import InvalidRecord, ProblemKind
from carrel.translation import tr

GZIP_MARK = b"\x1f\x8b\x08"
# Never more content at once, however well it was packed; it fits into the processor's cache.
_PIECE_BYTES = 256 * 1024
_PROBE_BYTES = 4096
_BREAKS = re.compile(rb"[\r\n]+")
_SLOPPY_EMPTY_LINE = re.compile(rb"\n\r+\n")
# A file made to look like the beginnings of members is not followed forever.
_MOST_PROBES = 10_000


class Packing(Protocol):
    """A way in which content lies in a file."""

    def read(self) -> bytes:
        """Return the next piece, b"" at the end. Raises InvalidRecord."""
        ...

    def skip(self, count: int) -> int:
        """Pass over bytes, fewer if there are no more; return how many. Raises InvalidRecord."""
        ...


class Member:
    """The content of the gzip member that a feed stands at; behind it the feed goes on."""

    def __init__(self, feed: Feed) -> None:
        self._feed, self._inflate = feed, IgzipDecompressor(DECOMP_GZIP)
        self._fault: InvalidRecord | None = None
        if has_reserved_flags(feed.peek(4)):
            message = tr("The record is damaged: it does not begin as gzip does (RFC 1952).")
            self._fault = InvalidRecord(ProblemKind.BROKEN_GZIP, message)

    def read(self) -> bytes:
        if self._fault is not None:
            raise self._fault
        try:
            return self._next_piece()
        except InvalidRecord as error:
            self._fault = error
            raise

    def _next_piece(self) -> bytes:
        inflate = self._inflate
        while not inflate.eof:
            packed = self._feed.take() if inflate.needs_input else b""
            if not packed and inflate.needs_input:
                raise InvalidRecord(ProblemKind.CUT_SHORT, tr("The record is cut off."))
            try:
                piece = inflate.decompress(packed, _PIECE_BYTES)
            except (IsalError, EOFError) as error:  # type: ignore[misc]  # its stub is wrong
                message = tr(
                    "The record is damaged: {why_broken}.",
                    why_broken=why_broken(error),
                )
                raise InvalidRecord(ProblemKind.BROKEN_GZIP, message) from error
            if inflate.eof:
                self._feed.give_back(inflate.unused_data)
            if piece:
                return piece
        return b""

    def skip(self, count: int) -> int:
        return 0


class Plain:
    """Content as it lies in the file."""

    def __init__(self, feed: Feed) -> None:
        self.read: Callable[[], bytes] = feed.take
        self.skip: Callable[[int], int] = feed.skip


class Content:
    """Content that is read in heads, lines and blocks. `position` counts what was taken."""

    def __init__(self, packing: Packing) -> None:
        self._packing = packing
        self._held, self._at = b"", 0
        self.position = 0

    def beginning(self, size: int) -> bytes:
        """Return what comes next without taking it: so many bytes, fewer at the end."""
        while len(self._held) - self._at < size and self._fetch():
            pass
        return self._held[self._at : self._at + size]

    def head(self, most: int) -> bytes:
        """Take all up to and with the first empty line. Raises InvalidRecord if there is none."""
        looked = 0
        while (end := self._empty_line(looked)) < 0:
            looked = self._without_empty_line()
            self._want_more(most)
        return self._take(end)

    def head_within(self, size: int) -> bytes:
        """Take all up to and with the first empty line of the next bytes, b"" if there is none."""
        looked = 0
        while not 0 <= (end := self._empty_line(looked)) <= self._at + size:
            looked = self._without_empty_line()
            if end >= 0 or len(self._held) - self._at >= size or not self._fetch():
                return b""
        return self._take(end)

    def line(self, most: int) -> bytes:
        """Take all up to and with the next line break. Raises InvalidRecord if there is none."""
        while (end := self._held.find(b"\n", self._at) + 1) <= 0:
            self._want_more(most)
        return self._take(end)

    def take(self, most: int) -> bytes:
        """Take the next bytes, at most so many, b"" at the end. Raises InvalidRecord."""
        if self._at == len(self._held):
            self._held, self._at = self._packing.read(), 0
        return self._take(min(self._at + most, len(self._held)))

    def skip(self, count: int) -> int:
        """Pass over bytes, fewer if there are no more; return how many. Raises InvalidRecord."""
        left = count
        while left:
            if at_hand := min(left, len(self._held) - self._at):
                self._at += at_hand
                passed = at_hand
            elif not (passed := self._packing.skip(left)):
                self._held, self._at = self._packing.read(), 0
                if not self._held:
                    break
            self.position += passed
            left -= passed
        return count - left

    def skip_newlines(self) -> bool:
        """Pass over line breaks, as many as there are; say whether anything comes after them."""
        while True:
            if self._at == len(self._held):
                self._held, self._at = self._packing.read(), 0
                if not self._held:
                    return False
            if breaks := _BREAKS.match(self._held, self._at):
                self._take(breaks.end())
            if self._at < len(self._held):
                return True

    def _fetch(self) -> bool:
        piece = self._packing.read()
        self._held, self._at = self._held[self._at :] + piece, 0
        return bool(piece)

    def _take(self, end: int) -> bytes:
        taken = self._held[self._at : end]
        self._at = end
        self.position += len(taken)
        return taken

    def _without_empty_line(self) -> int:
        """Return how much of what is held has no empty line in it, and begins none at its end."""
        whole = self._held.rstrip(b"\r")
        end = len(whole) - 1 if whole.endswith(b"\n") else len(self._held)
        return max(0, end - self._at)

    def _empty_line(self, looked: int) -> int:
        """Return where the first empty line of what is held ends, -1 if it has none.

        So many bytes of it were looked at before.
        """
        held, at = self._held, self._at + looked
        end = held.find(b"\n\r\n", at)
        bare = held.find(b"\n\n", at, end if end >= 0 else len(held))
        if bare >= 0:
            return bare + 2
        if end >= 0:
            return end + 3
        # Some have been through a program that made three characters of each line break.
        sloppy = _SLOPPY_EMPTY_LINE.search(held, at)
        return sloppy.end() if sloppy else -1

    def _want_more(self, most: int) -> None:
        """Have more at hand. Raises InvalidRecord if there is no more, or too much already."""
        if len(self._held) - self._at > most:
            raise InvalidRecord(ProblemKind.ENDLESS_HEAD, tr("A record's head has no end."))
        if not self._fetch():
            raise InvalidRecord(ProblemKind.CUT_SHORT, tr("The file ends within a record's head."))


def find_member(feed: Feed, begins_record: Callable[[bytes], bool]) -> bool:
    """Bring a feed to the next gzip member that begins with a record, and say whether there is one.

    It begins to look where the feed stands, which must be able to seek.
    """
    probes, held = 0, b""
    while piece := feed.take():
        held += piece
        start, at = feed.position - len(held), 0
        while (at := held.find(GZIP_MARK, at)) >= 0:
            if (probes := probes + 1) > _MOST_PROBES:
                return False
            if begins_record(_first_bytes(feed, start + at)):
                feed.seek(start + at)
                return True
            at += 1
        feed.seek(start + len(held))
        held = held[-len(GZIP_MARK) + 1 :]
    return False


def _first_bytes(feed: Feed, position: int) -> bytes:
    """Return the first bytes of a gzip member, b"" where there is none."""
    feed.seek(position)
    try:
        content = IgzipDecompressor(DECOMP_GZIP).decompress(feed.take(), _PROBE_BYTES)
    except (IsalError, EOFError):  # type: ignore[misc]  # its stub is wrong
        return b""
    return content
