# SPDX-License-Identifier: AGPL-3.0-or-later
"""An answer whose body is still to come, and how it is read: watched, and stopped when wished."""

import socket
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
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
from carrel.model import Status

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
_TIMEOUTS = (TimeoutError, BlockingIOError, httpcore.ReadTimeout)


def surplus_stop(url: str) -> IngestStop:
    """Return why a body that goes on behind its announced end is not believed to be whole."""
    message = f"{url} sent more than it announced: what arrived may be a part."
    return IngestStop(Status.TRUNCATED, message)


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
        """Yield the body in blocks of about 1 MiB at the most, each in memory of its own.

        Raises IngestStop (truncated, read-timeout, network-error) and Cancelled, the first only
        after all that came was yielded.
        """
        with translated(self.exchange.url):
            length = self.length
            has_coding = "transfer-encoding" in self.exchange.headers
            if length is None or has_coding or length < _RAW_READ_FROM_BYTES:
                pieces = self._pieces()
            else:
                pieces = self._raw_pieces(length, is_cancelled, stall_s)
            yield from _gathered(pieces, is_cancelled)

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
            if not truncated and self.has_surplus:
                raise surplus_stop(self.exchange.url)
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
        """Yield the body as it comes through the parser."""
        pieces = self._response.iter_stream()
        while True:
            asked = monotonic()
            piece = next(pieces, None)
            if piece is None:
                return
            self._flow.took(len(piece), monotonic() - asked)
            yield piece

    def _raw_pieces(
        self, length: int, is_cancelled: Callable[[], bool], stall_s: float
    ) -> Iterator[bytes]:
        """Yield the body as it comes past the parser, an empty piece where nothing comes."""
        # The parser holds back what came with the headers: its first piece empties it. It must
        # stay alive until the end, for the connection closes with it.
        parsed = self._response.iter_stream()
        first = next(parsed)
        yield first
        left = length - len(first)
        take = _taker(self._response.extensions["network_stream"])
        while left > 0:
            stop_if(is_cancelled)
            piece = self._taken(take, min(left, MEBIBYTE), stall_s)
            left -= len(piece)
            yield piece

    def _taken(self, take: Callable[[int], bytes], size: int, stall_s: float) -> bytes:
        """Return what comes in a short while, `size` bytes at the most."""
        asked = monotonic()
        try:
            piece = take(size)
        except _TIMEOUTS as error:
            self._flow.took(0, monotonic() - asked)
            if self._flow.silent_s > stall_s:
                raise httpcore.ReadTimeout("nothing comes any more") from error
            return b""
        except OSError as error:
            raise httpcore.ReadError(str(error)) from error
        if not piece:
            raise httpcore.RemoteProtocolError("the connection ended before the body did")
        self._flow.took(len(piece), monotonic() - asked)
        return piece


def _gathered(pieces: Iterable[bytes], is_cancelled: Callable[[], bool]) -> Iterator[Block]:
    """Yield small pieces joined, and large ones as they are."""
    block, since = bytearray(), monotonic()
    try:
        for piece in pieces:
            stop_if(is_cancelled)
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


def _taker(stream: httpcore.NetworkStream) -> Callable[[int], bytes]:
    """Return what takes up to so many bytes from a connection, waiting `_POLL_S` at the most.

    On Linux a bare socket comes back with all of them at once, or with what came in that time. TLS,
    and TLS within TLS, go through the library.
    """
    bare = stream.get_extra_info("socket")
    if stream.get_extra_info("ssl_object") is not None or type(bare) is not socket.socket:
        return lambda size: stream.read(min(size, _TLS_READ_BYTES), timeout=_POLL_S)
    if sys.platform != "linux":
        bare.settimeout(_POLL_S)
        return bare.recv
    bare.settimeout(None)  # Python would come back with the first bytes; the system waits instead
    wait = struct.pack("@ll", 0, round(_POLL_S * 1e6))
    bare.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, wait)
    return lambda size: bare.recv(size, socket.MSG_WAITALL)
