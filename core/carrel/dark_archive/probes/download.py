# SPDX-License-Identifier: AGPL-3.0-or-later
"""Taking a body into a file: hashed while it is written, whole or not at all, and never too much.

It differs from the transfer of a dataset's files: no WARC is written, and nothing is gone on with.
Full texts are small, and a look that failed is taken again in the next run.
"""

import hashlib
import os
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from types import TracebackType

from carrel.capture.block_worker import Block
from carrel.capture.client import Response
from carrel.capture.digests import Digester
from carrel.capture.exchange import CannotDecode, Exchange
from carrel.capture.media import PDF, has_pdf_end, media_of
from carrel.dark_archive.probes.faults import Fault
from carrel.dark_archive.probes.look import Payload
from carrel.errors import IngestStop
from carrel.model import Status
from carrel.model.sizes import MEBIBYTE, in_words
from carrel.translation import tr

# What came in place of a full text is kept up to here.
EVIDENCE_BYTES = MEBIBYTE
# As much of a body is looked at.
_BEGINNING_BYTES = 256 * 1024
_ENDING_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What one body may take: bytes, and seconds from its head on."""

    max_bytes: int
    max_seconds: float


@dataclass(frozen=True, slots=True)
class Received:
    """A body in a file, and what was seen of it.

    `beginning` is its first part with the content coding undone, and `shown` what kind of content
    that is, whereas `payload.media` is that of the bytes, which `is_coded` says are in a coding.
    `is_cut` says that it is a PDF without its end; `has_end` that the answer told where its body
    ends, and it came so far.
    """

    payload: Payload
    beginning: bytes
    shown: str | None
    is_coded: bool
    is_cut: bool
    has_end: bool


def receive(response: Response, path: Path, limits: Limits) -> Received | Fault:
    """Return the body, in a new file at `path`, or why it did not come.

    Leaves no file unless it came whole. Raises Cancelled, and OSError of the disk.
    """
    exchange = response.exchange
    if response.length is not None and response.length > limits.max_bytes:
        return _too_large(exchange, limits)
    until = monotonic() + limits.max_seconds
    with _Inflow(path) as inflow:
        try:
            for block in response.blocks():
                inflow.write(block)
                if inflow.size > limits.max_bytes:
                    return _too_large(exchange, limits)
                if monotonic() > until:
                    return _too_slow(exchange, limits)
        except IngestStop as stop:
            is_late = stop.status is Status.READ_TIMEOUT
            return Fault("too-slow" if is_late else "truncated", str(stop), may_pass=True)
        if response.cut is not None:
            return Fault("truncated", str(response.cut), may_pass=True)
        return inflow.finish(exchange)


def keep(exchange: Exchange, path: Path) -> Payload:
    """Return an answer's body, as far as it is in memory, in a new file. Raises OSError."""
    with _Inflow(path) as inflow:
        inflow.write(exchange.body[:EVIDENCE_BYTES])
        return inflow.finish(exchange).payload


def cut(payload: Payload) -> Payload:
    """Return a file as evidence: cut, if it is longer than that may be. Raises OSError."""
    if payload.size <= EVIDENCE_BYTES:
        return payload
    os.truncate(payload.path, EVIDENCE_BYTES)
    content = payload.path.read_bytes()
    sha256, md5 = hashlib.sha256(content).hexdigest(), hashlib.md5(content).hexdigest()
    return replace(payload, size=len(content), sha256=sha256, md5=md5)


class _Inflow:
    """A new file that is written and hashed. On leaving it is removed, unless it is finished."""

    def __init__(self, path: Path) -> None:
        self._path, self._file = path, path.open("xb")
        self._digester = Digester(("md5", "sha256"))
        self._beginning, self._ending = bytearray(), b""
        self._is_finished = False
        self.size = 0

    def __enter__(self) -> "_Inflow":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._digester.close()
        try:
            self._file.close()
        finally:
            if not self._is_finished:
                self._path.unlink(missing_ok=True)

    def write(self, block: Block) -> None:
        self._digester.feed(block)
        self._file.write(block)
        self.size += len(block)
        self._beginning += block[: _BEGINNING_BYTES - len(self._beginning)]
        self._ending = (self._ending + block[-_ENDING_BYTES:])[-_ENDING_BYTES:]

    def finish(self, exchange: Exchange) -> Received:
        """Close the file and return what is in it. Raises OSError."""
        self._file.close()
        digests = self._digester.fixity().digests
        raw, header = bytes(self._beginning), exchange.mimetype
        kind = media_of(raw, "" if exchange.content_coding else header) if raw else None
        payload = Payload(self._path, self.size, digests["sha256"], digests["md5"], kind)
        beginning, shown = _decoded(exchange, raw) if raw else (b"", None)
        self._is_finished = True
        return Received(
            payload,
            beginning,
            shown,
            is_coded=bool(exchange.content_coding),
            is_cut=kind == PDF and not has_pdf_end(self._ending),
            has_end=exchange.tells_end,
        )


def _decoded(exchange: Exchange, raw: bytes) -> tuple[bytes, str | None]:
    """Return what a body begins with, its content coding undone, and of which kind that is."""
    header = exchange.mimetype
    try:
        content = replace(exchange, body=raw).beginning(_BEGINNING_BYTES)
    except CannotDecode:
        return b"", header or None
    return content, media_of(content, header)


def _too_large(exchange: Exchange, limits: Limits) -> Fault:
    most = in_words(limits.max_bytes)
    message = tr(
        "{url} delivers more than {most}, the maximum size of a full text.",
        url=exchange.url,
        most=most,
    )
    return Fault("too-large", message)


def _too_slow(exchange: Exchange, limits: Limits) -> Fault:
    message = tr(
        "{url} did not arrive within {max_seconds:.0f} seconds.",
        url=exchange.url,
        max_seconds=limits.max_seconds,
    )
    return Fault("too-slow", message)
