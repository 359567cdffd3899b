# SPDX-License-Identifier: AGPL-3.0-or-later
"""A connection to a server: one question after the other, each with its answer."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from time import monotonic

import httpcore

from carrel.capture.http1.body import Body, OpenEnded, body_behind
from carrel.capture.http1.head import Head, ProtocolViolation, end_of_head, head_of
from carrel.capture.http1.stream import Stream
from carrel.capture.server import Server
from carrel.hosts.pauses import stop_if
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

# From this length on a body is taken in stretches of 1 MiB, as far as the stream can; but for its
# end, behind which more may come than the body.
_LARGE_BYTES = 4 * MEBIBYTE
_END_BYTES = 16 * 1024


class Answer:
    """An answer whose body is still to come. Its pieces can be taken once."""

    def __init__(self, head: Head, body: Body, connection: "Connection") -> None:
        self.head, self.connection = head, connection
        self.length = body.left
        """How long the body is, in bytes; None if nobody said, or a coding overrules what was."""
        self._body = body

    @property
    def leaves_nothing(self) -> bool:
        """Whether the body came to its end, and the connection is there for another question.

        What comes on it after this, another answer would take for its own: see `has_expired`.
        """
        if not self._body.is_over or self._body.surplus or self.head.http_version < b"HTTP/1.1":
            return False
        return "close" not in map(str.lower, self.head.members("connection"))

    def surplus(self) -> bytes:
        """Return what came behind the body, as far as it is here, and belongs to no question."""
        body, stream = self._body, self.connection.stream
        has_end = body.is_over and not isinstance(body, OpenEnded)
        if has_end and not body.surplus and stream.is_readable():
            with suppress(httpcore.NetworkError):  # the body is whole, however it ends then
                list(body.feed(stream.take() or b""))
        return body.surplus

    @property
    def is_cut(self) -> bool:
        """Whether a body without a length ended as no TLS connection ends: perhaps too early
        (RFC 9112, 9.8)."""
        is_ended = isinstance(self._body, OpenEnded) and self._body.is_over
        return is_ended and self.connection.stream.was_cut

    def pieces(self, most: Callable[[], int | None] = lambda: None) -> Iterator[bytes]:
        """Yield the body as it comes; b"" where nothing came for a turn of the stream.

        Pieces are no larger than `most` says, but for what came with the head; None for any size.
        Raises httpcore.NetworkError and httpcore.RemoteProtocolError, the latter also where the
        connection ends before the body does.
        """
        body, stream = self._body, self.connection.stream
        is_large = (body.left or 0) >= _LARGE_BYTES
        yield from body.feed(self.connection.taken_along())
        while not body.is_over:
            if body.left and (limit := most()):
                piece = stream.take_up_to(min(limit, body.left, MEBIBYTE))
            elif is_large and (stretch := (body.left or 0) - _END_BYTES) > 0:
                piece = stream.take_up_to(min(stretch, MEBIBYTE))
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

    `end` says where it leads: connections with one end stand for one another. `server` is who is
    there.
    """

    def __init__(
        self, stream: Stream, end: Hashable, timeout_s: float, server: Server = Server()
    ) -> None:
        self.stream, self.end, self.server = stream, end, server
        self._timeout_s = timeout_s
        self._held = bytearray()
        self.idle_since = monotonic()

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
        self.stream.send(question)
        while True:
            head = self._head(until, is_cancelled)
            if head.status_code == 101:
                raise ProtocolViolation(tr("it changes to a protocol that was not requested"))
            if head.status_code >= 200:
                return Answer(head, body_behind(head, method), self)

    @property
    def has_more(self) -> bool:
        """Whether there is something on it that no one took, be it its end."""
        return bool(self._held) or self.stream.is_readable()

    def taken_along(self) -> bytes:
        """Return what came with the head, and belongs to the body."""
        held = bytes(self._held)
        self._held.clear()
        return held

    def has_expired(self, after_s: float) -> bool:
        """Say whether a connection that rests is not to be used again: too old, or ended."""
        return monotonic() - self.idle_since > after_s or self.has_more

    def close(self) -> None:
        self.stream.close()

    def _head(self, until: float, is_cancelled: Callable[[], bool]) -> Head:
        end, seen = -1, 0
        while end < 0:
            if len(self._held) == seen:
                self._take(until, is_cancelled)
            end = end_of_head(self._held, seen)
            seen = len(self._held)
        data = bytes(self._held[:end])
        del self._held[:end]
        return head_of(data)

    def _take(self, until: float, is_cancelled: Callable[[], bool]) -> None:
        """Take what comes next of a head."""
        latest = min(until, monotonic() + self._timeout_s)
        while monotonic() < latest:
            stop_if(is_cancelled)
            piece = self.stream.take()
            if piece:
                self._held += piece
                return
            if piece is not None:
                within = "the connection ended within the head"
                before = "Server disconnected without an answer"
                raise httpcore.RemoteProtocolError(within if self._held else before)
        raise httpcore.ReadTimeout(tr("nothing comes"))
