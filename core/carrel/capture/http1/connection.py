# SPDX-License-Identifier: AGPL-3.0-or-later
"""A connection to a server: one question after the other, each with its answer."""

from collections.abc import Callable, Hashable, Iterator
from time import monotonic

import httpcore

from carrel.capture.attentive import stop_if
from carrel.capture.gzip_member import MEBIBYTE
from carrel.capture.http1.body import Body, body_behind
from carrel.capture.http1.head import Head, end_of_head, head_of
from carrel.capture.http1.stream import Stream

# From this length on a body is taken in stretches of 1 MiB, as far as the stream can.
_LARGE_BYTES = 4 * MEBIBYTE


class Answer:
    """An answer whose body is still to come. Its pieces can be taken once."""

    def __init__(self, head: Head, body: Body, connection: "Connection") -> None:
        self.head, self.connection = head, connection
        self.length = body.left
        """How long the body is, in bytes; None if nobody said, or a coding overrules what was."""
        self._body = body

    @property
    def leaves_nothing(self) -> bool:
        """Whether the body came to its end, and the connection is there for another question."""
        if not self._body.is_over or self._body.surplus or self.head.http_version < b"HTTP/1.1":
            return False
        return "close" not in map(str.lower, self.head.members("connection"))

    @property
    def surplus(self) -> bytes:
        """What came behind the body, and belongs to no question."""
        return self._body.surplus

    def pieces(self) -> Iterator[bytes]:
        """Yield the body as it comes; b"" where nothing came for a turn of the stream.

        Raises httpcore.NetworkError and httpcore.RemoteProtocolError, the latter also where the
        connection ends before the body does.
        """
        body, stream = self._body, self.connection.stream
        is_large = (body.left or 0) >= _LARGE_BYTES
        yield from body.feed(self.connection.taken_along())
        while not body.is_over:
            if is_large and body.left:
                piece = stream.take_up_to(min(body.left, MEBIBYTE))
            else:
                piece = stream.take()
            if piece is None:
                yield b""
            elif piece:
                yield from body.feed(piece)
            else:
                body.connection_ended()


class Connection:
    """One connection. `timeout_s` is how long a server may be silent.

    `end` says where it leads: connections with one end stand for one another.
    """

    def __init__(self, stream: Stream, end: Hashable, timeout_s: float) -> None:
        self.stream, self.end = stream, end
        self._timeout_s = timeout_s
        self._held = b""
        self.idle_since = monotonic()
        self.was_heard = False
        """Whether anything came in answer to the last question."""

    def ask(
        self,
        method: bytes,
        question: bytes,
        *,
        until: float,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """Send a question and return its answer, whose head must be there `until` a moment.

        Answers of status 1xx are passed over (RFC 9110, 15.2). Raises httpcore.NetworkError,
        TimeoutException and RemoteProtocolError, and Cancelled.
        """
        self.was_heard = False
        self.stream.send(question)
        while True:
            head = self._head(until, is_cancelled)
            if head.status_code == 101:
                raise httpcore.RemoteProtocolError("the server changes to what nobody asked for")
            if head.status_code >= 200:
                return Answer(head, body_behind(head, method), self)

    def taken_along(self) -> bytes:
        """Return what came with the head, and belongs to the body."""
        held, self._held = self._held, b""
        return held

    def has_expired(self, after_s: float) -> bool:
        """Say whether a connection that rests is not to be used again: too old, or ended."""
        return monotonic() - self.idle_since > after_s or self.stream.is_readable()

    def close(self) -> None:
        self.stream.close()

    def _head(self, until: float, is_cancelled: Callable[[], bool]) -> Head:
        while not self._held or (end := end_of_head(self._held)) < 0:
            piece = self._received(until, is_cancelled)
            if not piece:
                within = "the connection ended within the head"
                before = "Server disconnected without a word"
                raise httpcore.RemoteProtocolError(within if self.was_heard else before)
            self.was_heard = True
            self._held += piece
        data, self._held = self._held[:end], self._held[end:]
        return head_of(data)

    def _received(self, until: float, is_cancelled: Callable[[], bool]) -> bytes:
        latest = min(until, monotonic() + self._timeout_s)
        while monotonic() < latest:
            piece = self.stream.take()
            if piece is not None:
                return piece
            stop_if(is_cancelled)
        raise httpcore.ReadTimeout("nothing comes")
