# SPDX-License-Identifier: AGPL-3.0-or-later
"""A record at the beginning of some content: its head, and its block to be read on demand."""

import re
from collections.abc import Iterator

from carrel.mementos.warc.heads import Head, arc_head, is_warc, warc_head
from carrel.mementos.warc.members import Content
from carrel.mementos.warc.problems import InvalidRecord, ProblemKind
from carrel.translation import tr

_HEAD_MAX_BYTES = 1024 * 1024
_LINE_MAX_BYTES = 64 * 1024
_PIECE_BYTES = 256 * 1024
_HTTP_START = re.compile(rb"HTTP/\d|[A-Za-z]{2,20} \S")


def begin(content: Content) -> "Block":
    """Take the head of the record that content is at, and return its block.

    Raises InvalidRecord.
    """
    if is_warc(content.beginning(5)):
        head = warc_head(content.head(_HEAD_MAX_BYTES))
    else:
        head = arc_head(content.line(_LINE_MAX_BYTES))
    return Block(content, head)


class Block:
    """The block of a record, read from its beginning to its end. `left` bytes are still to come."""

    def __init__(self, content: Content, head: Head) -> None:
        self._content, self.head = content, head
        self.left = head.length

    def beginning(self, size: int) -> bytes:
        """Return what comes next without taking it: so many bytes, fewer at the end."""
        return self._content.beginning(min(size, self.left))

    def http_head(self) -> bytes:
        """Take the head of the HTTP message that the block is, b"" for a block that is none.

        It ends with an empty line, unless the block ends before one. Raises InvalidRecord.
        """
        if not self._is_http():
            return b""
        most = min(self.left, _HEAD_MAX_BYTES)
        taken = self._content.head_within(most)
        if not taken and self.left == most:
            taken = self._content.take(most)
        self.left -= len(taken)
        return taken

    def pieces(self) -> Iterator[bytes]:
        """Yield what is left. Raises InvalidRecord when the record ends too early."""
        while self.left:
            piece = self._content.take(min(self.left, _PIECE_BYTES))
            if not piece:
                raise self._too_short()
            self.left -= len(piece)
            yield piece

    def skip(self) -> None:
        """Pass over what is left. Raises InvalidRecord when the record ends too early."""
        self.left -= self._content.skip(self.left)
        if self.left:
            raise self._too_short()

    def _is_http(self) -> bool:
        if self.head.kind not in ("response", "request", "revisit") or not self.left:
            return False
        if not self.head.url[:6].lower().startswith(("http:", "https:")):
            declared = self.head.named.get("content-type", "")
            return declared.startswith("application/http")
        return _HTTP_START.match(self.beginning(24)) is not None

    def _too_short(self) -> InvalidRecord:
        size = self.head.length
        return InvalidRecord(
            ProblemKind.WRONG_LENGTH,
            tr(
                "A record says that it has {stated} bytes, and has {found}.",
                stated=size,
                found=size - self.left,
            ),
        )
