# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where a body ends (RFC 9112, 6.3): after so many bytes, after its last chunk, or with all."""

import re
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import Protocol

import httpcore

from carrel.capture.http1.head import LARGEST_HEAD_BYTES, Head, ProtocolViolation
from carrel.translation import tr

_LENGTH = re.compile(r"[0-9]{1,20}")
_CHUNK_SIZE = re.compile(rb"0*([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?\r\n")


class Body(Protocol):
    """A body that is being received. Raises httpcore.RemoteProtocolError."""

    @property
    def is_over(self) -> bool: ...

    @property
    def left(self) -> int | None:
        """How many bytes are still to come, None if no one said."""

    @property
    def surplus(self) -> bytes:
        """What came behind its end."""

    def feed(self, data: bytes) -> Iterable[bytes]:
        """Yield what of the body is in what came; b"" where it only frames the body."""

    def connection_ended(self) -> None:
        """Note that nothing more can come. Raises if the body is not whole."""


def body_behind(head: Head, method: bytes) -> Body:
    """Return what is to be received behind a head, the answer to a question of this method.

    Two lengths that differ, and codings that we did not ask for, are no answer to trust. Raises
    Breach.
    """
    code = head.status_code
    if code in (204, 304) or code < 200 or method == b"HEAD":
        return Sized(0)
    if method == b"CONNECT" and code < 300:
        return Sized(0)
    lengths = set(head.members("content-length"))
    if len(lengths) > 1 or not all(map(_LENGTH.fullmatch, lengths)):
        what = (
            tr("two lengths")
            if len(lengths) > 1
            else tr("a length (Content-Length) that is not a number")
        )
        raise ProtocolViolation(tr("it states {what}", what=what))
    # "identity" is none (RFC 2616, 3.6; no longer in its successors).
    codings = [each.lower() for each in head.members("transfer-encoding")]
    if codings := [each for each in codings if each != "identity"]:
        if codings != ["chunked"]:
            raise ProtocolViolation(tr("it has a transfer coding that was not requested"))
        return Chunked()
    return Sized(int(lengths.pop())) if lengths else OpenEnded()


class Sized:
    """A body whose length stands before it."""

    def __init__(self, length: int) -> None:
        self._length = self.left = length
        self.is_over = not length
        self.surplus = b""

    def feed(self, data: bytes) -> Iterable[bytes]:
        if len(data) > self.left:
            data, self.surplus = data[: self.left], self.surplus + data[self.left :]
        self.left -= len(data)
        self.is_over = not self.left
        return (data,) if data else ()

    def connection_ended(self) -> None:
        came = self._length - self.left
        raise httpcore.RemoteProtocolError(
            f"the connection ended (received {came} bytes, expected {self._length})"
        )


class OpenEnded:
    """A body that ends where its connection does."""

    left = None
    surplus = b""
    is_over = False

    def feed(self, data: bytes) -> Iterable[bytes]:
        return (data,)

    def connection_ended(self) -> None:
        self.is_over = True


class _Awaited(Enum):
    """What comes next in a body of chunks."""

    SIZE = auto()
    CONTENT = auto()
    END_OF_CONTENT = auto()
    TRAILER = auto()


class Chunked:
    """A body in chunks, each with its size before it (RFC 9112, 7.1). Trailers are passed over."""

    left = None

    def __init__(self) -> None:
        self._awaited = _Awaited.SIZE
        self._of_chunk = self._of_trailers = 0
        self._line = b""
        self.is_over = False
        self.surplus = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        data, self._line = self._line + data, b""
        at, has_content = 0, False
        while at < len(data) and not self.is_over:
            if self._awaited is _Awaited.CONTENT:
                content = data[at : at + self._of_chunk]
                at += len(content)
                self._of_chunk -= len(content)
                if not self._of_chunk:
                    self._awaited = _Awaited.END_OF_CONTENT
                has_content = True
                yield content
                continue
            end = data.find(b"\n", at) + 1
            if not end:
                self._line = data[at:]
                self._stop_if_too_long(len(self._line))
                break
            self._take_line(data[at:end])
            at = end
        if self.is_over:
            self.surplus += data[at:]
        if not has_content:
            yield b""  # so that whoever waits for content can look at the clock

    def connection_ended(self) -> None:
        if self._awaited is not _Awaited.TRAILER:
            raise httpcore.RemoteProtocolError("the connection ended before the last chunk")
        # The last chunk was there; only what closes the trailers is not.
        self.is_over, self._line = True, b""

    def _take_line(self, line: bytes) -> None:
        if self._awaited is _Awaited.SIZE:
            found = _CHUNK_SIZE.fullmatch(line)
            if found is None:
                raise ProtocolViolation(tr("one of its chunks has no size"))
            self._of_chunk = int(found[1], 16)
            self._awaited = _Awaited.CONTENT if self._of_chunk else _Awaited.TRAILER
        elif self._awaited is _Awaited.END_OF_CONTENT:
            if line != b"\r\n":
                raise ProtocolViolation(tr("one of its chunks is longer than its size"))
            self._awaited = _Awaited.SIZE
        else:
            self._of_trailers += len(line)
            self._stop_if_too_long(self._of_trailers)
            self.is_over = line in (b"\r\n", b"\n")

    def _stop_if_too_long(self, size: int) -> None:
        if size > LARGEST_HEAD_BYTES:
            raise ProtocolViolation(tr("the text between its chunks does not end"))
