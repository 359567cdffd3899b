# SPDX-License-Identifier: AGPL-3.0-or-later
"""An answer whose body is still to come, and how it is read: watched, and stopped when wished."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from time import monotonic

import httpcore

from carrel.capture.bandwidth import Bandwidth
from carrel.capture.block_worker import Block
from carrel.capture.exchange import Exchange
from carrel.capture.http1.connection import Answer
from carrel.capture.network_faults import translated
from carrel.capture.throughput import Throughput, TooSlow
from carrel.errors import IngestStop
from carrel.hosts.pauses import stop_if
from carrel.model import Status
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

# A block is handed on after this time though it is not full: slow files show progress too.
_SLICE_S = 0.5
# What ends a body before its time; what came until then is handed on first.
_FAULTS = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, TooSlow)


class Response:
    """An answer whose body is still to come. Read `blocks` once, or `read`, inside its `with`.

    `flow` watches it and `bandwidth` slows it down; it is given up after `stall_s` of silence, or
    when `is_cancelled` says so.
    """

    def __init__(
        self,
        answer: Answer,
        exchange: Exchange,
        *,
        began: float,
        flow: Throughput,
        bandwidth: Bandwidth,
        stall_s: float,
        is_cancelled: Callable[[], bool],
    ) -> None:
        self._answer, self._flow, self._bandwidth = answer, flow, bandwidth
        self._stall_s, self._is_cancelled = stall_s, is_cancelled
        self.exchange, self.began = exchange, began

    @property
    def length(self) -> int | None:
        """The announced length of the body in bytes, None if there is none to trust."""
        return self._answer.length

    @property
    def doubt(self) -> IngestStop | None:
        """Why a body that was read is not to be taken for whole by itself, None if it is."""
        return self._surplus or self.cut

    @property
    def _surplus(self) -> IngestStop | None:
        if not self._answer.surplus().strip(b"\r\n"):
            return None
        message = tr(
            "{url} sent more than it announced: what arrived may be incomplete.",
            url=self.exchange.url,
        )
        return IngestStop(Status.TRUNCATED, message)

    @property
    def cut(self) -> IngestStop | None:
        """Why a body of unknown length may be a part: it ended as no encrypted connection ends."""
        if not self._answer.is_cut:
            return None
        message = tr(
            "{url} was cut off and has no declared length: its encrypted "
            "connection did not end properly, so what arrived may be incomplete.",
            url=self.exchange.url,
        )
        return IngestStop(Status.TRUNCATED, message)

    @property
    def peer(self) -> str:
        """The network address that answered: the server's, or the proxy's."""
        return self._answer.connection.stream.peer

    @property
    def elapsed_s(self) -> float:
        return monotonic() - self.began

    def blocks(self) -> Iterator[Block]:
        """Yield the body in blocks of about 1 MiB at most, each in memory of its own.

        Raises IngestStop (truncated, read-timeout, remote-server-error) and Cancelled, the first
        only after all that came was yielded.
        """
        with translated(self.exchange.url):
            yield from _gathered(self._pieces())

    def read(self, max_bytes: int) -> Exchange:
        """Return the exchange with its body, cut at `max_bytes`.

        Raises IngestStop as `blocks` does, and truncated for a body that goes on behind its end;
        but a redirect's is taken as far as it came: where it leads is known.
        """
        body, truncated = bytearray(), ""
        try:
            with translated(self.exchange.url):
                for piece in self._pieces():
                    body += piece
                    if len(body) > max_bytes:
                        truncated = "length"
                        break
            # A page that ends without TLS's goodbye is taken: old servers know of none. What only
            # says why there is none is taken as it comes.
            if not truncated and self.exchange.status_code < 300 and (stop := self._surplus):
                raise stop
        except IngestStop as stop:
            if not self.exchange.is_redirect:
                raise
            truncated = "time" if stop.status is Status.READ_TIMEOUT else "disconnect"
        self.exchange = replace(
            self.exchange,
            body=bytes(body[:max_bytes]),
            elapsed_s=self.elapsed_s,
            truncated=truncated,
        )
        return self.exchange

    def _pieces(self) -> Iterator[bytes]:
        """Yield the body as it comes, an empty piece where nothing comes."""
        asked = monotonic()
        bandwidth = self._bandwidth
        for piece in self._answer.pieces(lambda: bandwidth.piece_bytes):
            stop_if(self._is_cancelled)
            self._flow.took(len(piece), monotonic() - asked)
            if self._flow.silent_s > self._stall_s:
                raise httpcore.ReadTimeout(tr("no more data arrives"))
            yield piece
            bandwidth.spend(len(piece), self._is_cancelled)
            asked = monotonic()


def _gathered(pieces: Iterable[bytes]) -> Iterator[Block]:
    """Yield small pieces joined, and large ones as they are."""
    block, since = bytearray(), monotonic()
    try:
        for piece in pieces:
            if not block and len(piece) >= MEBIBYTE:
                yield piece
                since = monotonic()
                continue
            block += piece
            if block and (len(block) >= MEBIBYTE or monotonic() - since > _SLICE_S):
                yield block
                block, since = bytearray(), monotonic()
    except _FAULTS:
        if block:
            yield block
        raise
    if block:
        yield block
