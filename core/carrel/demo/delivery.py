# SPDX-License-Identifier: AGPL-3.0-or-later
"""How a payload goes out: whole, in part, in chunks, slowly, or only half of it."""

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from carrel.demo.answer import Headers, Payload
from carrel.demo.dataset import Delivery

_RANGE = re.compile(r"bytes=(?P<first>\d*)-(?P<last>\d*)")
_SLICES = 40


@dataclass(frozen=True, slots=True)
class Sending:
    """A status, headers, and which bytes of the payload follow them.

    `stop` is where the sending ends, which may be before what the headers promise.
    """

    status: int
    headers: Headers
    payload: Payload
    start: int = 0
    stop: int = 0

    @property
    def is_chunked(self) -> bool:
        return self.payload.delivery is Delivery.CHUNKED

    @property
    def breaks_off(self) -> bool:
        return self.payload.delivery is Delivery.BREAKS_OFF

    def pieces(self, slow_s: float, closing: threading.Event) -> Iterator[bytes]:
        """Yield the bytes. A slow payload takes `slow_s` seconds for the whole of it."""
        blocks = self.payload.content.blocks(self.start, self.stop)
        if self.payload.delivery is not Delivery.SLOW or not slow_s:
            yield from blocks
            return
        slice_size = max(1, self.payload.content.size // _SLICES)
        for block in blocks:
            for begin in range(0, len(block), slice_size):
                piece = block[begin : begin + slice_size]
                # The server's end must not wait for the slow.
                if closing.wait(slow_s * len(piece) / self.payload.content.size):
                    return
                yield piece


def sending(payload: Payload, range_header: str | None, if_range: str | None) -> Sending:
    """Return how to answer a request for a payload, or for a part of it (RFC 9110, section 14)."""
    size = payload.content.size
    if payload.delivery is Delivery.CHUNKED:
        return Sending(200, (*payload.headers, ("Transfer-Encoding", "chunked")), payload, 0, size)
    headers = (*payload.headers, ("Accept-Ranges", "bytes"))
    is_current = if_range is None or if_range == f'"{payload.content.tag}"'
    span = _span(range_header, size) if range_header and is_current else None
    if span is None:
        return Sending(200, (*headers, _length(size)), payload, 0, _end(payload, size))
    start, stop = span
    if start >= stop:
        refusal = (("Content-Range", f"bytes */{size}"), _length(0))
        return Sending(416, refusal, payload)
    part = ("Content-Range", f"bytes {start}-{stop - 1}/{size}")
    return Sending(
        206, (*headers, part, _length(stop - start)), payload, start, _end(payload, stop)
    )


def _length(size: int) -> tuple[str, str]:
    return ("Content-Length", str(size))


def _end(payload: Payload, stop: int) -> int:
    if payload.delivery is Delivery.BREAKS_OFF:
        return min(stop, payload.content.size // 2)
    return stop


def _span(header: str, size: int) -> tuple[int, int] | None:
    """Return start and stop of the one range asked for, None if the header is to be ignored."""
    match = _RANGE.fullmatch(header.strip())
    if match is None or not (match["first"] or match["last"]):
        return None
    if not match["first"]:
        return max(0, size - int(match["last"])), size
    first = int(match["first"])
    last = int(match["last"]) if match["last"] else max(first, size - 1)
    return None if last < first else (first, min(last + 1, size))
