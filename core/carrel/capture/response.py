# SPDX-License-Identifier: AGPL-3.0-or-later
"""An answer whose body is still to come, and how it is read: watched, and stopped when wished."""

import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from time import monotonic

import httpcore

from carrel.capture.attentive import stop_if
from carrel.capture.block_worker import Block
from carrel.capture.connections import surplus
from carrel.capture.exchange import Exchange
from carrel.capture.gzip_member import MEBIBYTE
from carrel.capture.network_faults import translated
from carrel.capture.throughput import Throughput, TooSlow
from carrel.errors import IngestStop

# From this length on a body is read straight from the connection, past the parser: it is a third
# faster, and the price is that the connection is not used again.
_RAW_READ_FROM_BYTES = 4 * MEBIBYTE
# A TLS record holds 16 KiB; asking for more allocates much and returns little.
_TLS_READ_BYTES = 64 * 1024
# A block is handed on after this time though it is not full: slow files show progress too.
_SLICE_S = 0.5
# How often a silent connection is looked at, to notice a wish to stop.
_POLL_S = 0.5
# What ends a body before its time; what came until then is handed on first.
_FAULTS = (
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.TimeoutException,
    OSError,
    TooSlow,
)
_TIMEOUTS = (TimeoutError, httpcore.ReadTimeout)


class Response:
    """An answer whose body is still to come. Read `blocks` once, or `read`, inside its `with`."""

    def __init__(
        self, response: httpcore.Response, exchange: Exchange, began: float, flow: Throughput
    ) -> None:
        self._response, self._flow = response, flow
        self.exchange, self.began = exchange, began

    @property
    def length(self) -> int | None:
        """The announced length of the body in bytes, None if there is none to trust."""
        text = self.exchange.headers.get("content-length", "")
        return int(text) if text.isascii() and text.isdigit() else None

    @property
    def has_surplus(self) -> bool:
        """Whether more came behind the body, once it was read, than a line's end."""
        return bool(surplus(self._response.stream).strip(b"\r\n"))

    @property
    def elapsed_s(self) -> float:
        return monotonic() - self.began

    def blocks(self, is_cancelled: Callable[[], bool], stall_s: float) -> Iterator[Block]:
        """Yield the body in blocks of 1 MiB at the most, each in memory of its own.

        Raises IngestStop (truncated, read-timeout, network-error) and Cancelled, the first only
        after all that came was yielded.
        """
        with translated(self.exchange.url):
            length = self.length
            has_coding = "transfer-encoding" in self.exchange.headers
            if length is None or has_coding or length < _RAW_READ_FROM_BYTES:
                yield from self._parsed_blocks(is_cancelled)
            else:
                yield from self._raw_blocks(length, is_cancelled, stall_s)

    def read(self, max_bytes: int) -> Exchange:
        """Return the exchange with its body, cut at `max_bytes`."""
        body, is_cut = bytearray(), False
        try:
            with translated(self.exchange.url):
                for piece in self._pieces():
                    body += piece
                    if len(body) > max_bytes:
                        break
        except IngestStop:
            if not self.exchange.is_redirect:
                raise
            is_cut = True  # where a redirect leads is known, whatever becomes of its words
        is_cut = is_cut or len(body) > max_bytes
        self.exchange = replace(
            self.exchange, body=bytes(body[:max_bytes]), elapsed_s=self.elapsed_s, is_cut=is_cut
        )
        return self.exchange

    def _pieces(self) -> Iterator[bytes]:
        """Yield the body as it comes through the parser."""
        pieces = self._response.iter_stream()
        while True:
            asked = monotonic()
            piece = next(pieces, None)
            if piece is None:
                return
            self._flow.took(len(piece), monotonic() - asked)
            yield piece

    def _parsed_blocks(self, is_cancelled: Callable[[], bool]) -> Iterator[Block]:
        block, since = bytearray(), monotonic()
        try:
            for piece in self._pieces():
                stop_if(is_cancelled)
                block += piece
                if len(block) >= MEBIBYTE or monotonic() - since > _SLICE_S:
                    yield block
                    block, since = bytearray(), monotonic()
        except _FAULTS:
            if block:
                yield block
            raise
        if block:
            yield block

    def _raw_blocks(
        self, length: int, is_cancelled: Callable[[], bool], stall_s: float
    ) -> Iterator[Block]:
        # The parser holds back what came with the headers: its first piece empties it. It must
        # stay alive until the end, for the connection closes with it.
        parsed = self._response.iter_stream()
        first = next(parsed)
        yield first
        left = length - len(first)
        read_into = _reader(self._response.extensions["network_stream"])
        while left > 0:
            block = bytearray(min(left, MEBIBYTE))
            filled, fault = self._fill(block, read_into, is_cancelled, stall_s)
            if fault is not None:
                # Its traceback holds the block, which can not be cut therefore.
                if filled:
                    yield block[:filled]
                raise fault
            del block[filled:]
            left -= filled
            yield block

    def _fill(
        self,
        block: bytearray,
        read_into: Callable[[memoryview], int],
        is_cancelled: Callable[[], bool],
        stall_s: float,
    ) -> tuple[int, Exception | None]:
        """Fill a block, or as much of it as comes in a while.

        Returns how much came and why no more will, None if it may.
        """
        began = asked = monotonic()
        filled = 0
        with memoryview(block) as view:
            while filled < len(block) and not (filled and asked - began > _SLICE_S):
                stop_if(is_cancelled)
                try:
                    count = self._read(view[filled:], read_into, stall_s)
                except _FAULTS as fault:
                    return filled, fault
                filled += count
                asked = monotonic()
        return filled, None

    def _read(
        self, view: memoryview, read_into: Callable[[memoryview], int], stall_s: float
    ) -> int:
        """Read what is there, if anything comes in a short while; return how much it was."""
        asked = monotonic()
        try:
            count = read_into(view)
        except _TIMEOUTS:
            self._flow.took(0, monotonic() - asked)
            if self._flow.silent_s > stall_s:
                raise
            return 0
        except OSError as error:
            raise httpcore.ReadError(str(error)) from error
        if not count:
            raise httpcore.RemoteProtocolError("the connection ended before the body did")
        self._flow.took(count, monotonic() - asked)
        return count


def _reader(stream: httpcore.NetworkStream) -> Callable[[memoryview], int]:
    """Return what reads from a connection into memory, waiting `_POLL_S` at the most.

    A bare socket reads straight into it; TLS, and TLS within TLS, go through the library.
    """
    bare = stream.get_extra_info("socket")
    if stream.get_extra_info("ssl_object") is None and type(bare) is socket.socket:
        bare.settimeout(_POLL_S)
        return bare.recv_into

    def read_into(view: memoryview) -> int:
        piece = stream.read(min(len(view), _TLS_READ_BYTES), timeout=_POLL_S)
        view[: len(piece)] = piece
        return len(piece)

    return read_into
