# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fetching one payload in one pass: received, hashed and written while it arrives.

Runs in a worker thread. A small payload ends up in memory, a large one in a `Part` on disk, so
memory does not grow with the file.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from carrel.capture.block_worker import Block
from carrel.capture.client import Cancelled, Client, Response
from carrel.capture.digests import Digester, algorithms_for
from carrel.capture.exchange import CannotDecode, ContentDecoder, Exchange
from carrel.capture.gzip_member import MEBIBYTE
from carrel.capture.hops import Hops
from carrel.capture.obstacles import is_challenge, is_login
from carrel.capture.part import Part
from carrel.capture.retry import Patience, retry_after_s
from carrel.capture.stored import Damaged
from carrel.capture.warc_series import WarcSeries
from carrel.errors import IngestStop
from carrel.model import Fixity, Status

# Payloads up to this size are built as a record in memory.
_IN_MEMORY_BYTES = 4 * MEBIBYTE
_HOP_BODY_BYTES = 256 * 1024

Progress = Callable[[int, int | None], None]
Reserve = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Order:
    """What to fetch and whom to tell.

    `algorithms` are those of the declared digests. `progress` is told bytes received and the
    announced length; `reserve` is told of each block's bytes beforehand and may raise IngestStop.
    """

    url: str
    algorithms: Iterable[str] = ()
    progress: Progress = lambda received, total: None
    reserve: Reserve = lambda count: None
    is_cancelled: Callable[[], bool] = lambda: False


@dataclass(frozen=True, slots=True)
class Fetched:
    """A payload that arrived whole.

    `hops` are the redirects before it; `exchange` the answer, its body empty when `part` holds it.
    `fixity` is over the bytes as transferred; `decoded` over those with the content coding undone,
    None if there was none.
    """

    hops: tuple[Exchange, ...]
    exchange: Exchange
    fixity: Fixity
    decoded: Fixity | None = None
    part: Part | None = None


def fetch(client: Client, series: WarcSeries, order: Order, patience: Patience) -> Fetched:
    """Return the payload at `order.url`, tried as often as `patience` allows.

    Raises IngestStop with why it can not be had, and Cancelled. Nothing half-done stays on disk.
    """
    for attempt in patience.attempts():
        try:
            return _fetch_once(client, series, order)
        except IngestStop as stop:
            if not attempt.may_repeat(stop):
                raise
            attempt.wait(stop, order.is_cancelled)
    raise AssertionError("patience gives at least one attempt, and the last one may not repeat")


def _fetch_once(client: Client, series: WarcSeries, order: Order) -> Fetched:
    hops = Hops(order.url)
    url: str | None = order.url
    while url is not None:
        if order.is_cancelled():
            raise Cancelled
        with client.open(url) as response:
            if not response.exchange.is_redirect:
                _check_answer(response)
                return _receive(client, series, order, response, tuple(hops.exchanges))
            url = hops.next_after(response.read(_HOP_BODY_BYTES))
            if url is not None and is_login(url):
                message = f"{order.url} leads to a log-in page: {url}."
                raise IngestStop(Status.BLOCKED_WALL, message)
    raise AssertionError("a redirect always leads somewhere")


def _check_answer(response: Response) -> None:
    """Raise IngestStop unless this is an answer that carries the payload."""
    exchange = response.exchange
    if exchange.status_code == 200 and not is_challenge(exchange):
        return
    raise refusal(response.read(_HOP_BODY_BYTES))


def refusal(exchange: Exchange) -> IngestStop:
    """Return why an answer that is not a 200 carries no payload, for people."""
    code = exchange.status_code
    said = f"{exchange.url} answered with HTTP {code}"
    wait_s = retry_after_s(exchange.headers.get("retry-after"))
    if is_challenge(exchange):
        message = f"{said}: a bot check stands before the file."
        return IngestStop(Status.BLOCKED_CHALLENGE, message, may_repeat=False)
    if code == 429:
        message = f"{said}: too many requests."
        return IngestStop(Status.RATE_LIMITED, message, retry_after_s=wait_s)
    if code in (401, 403):
        message = f"{said}: access to the file is not allowed."
        return IngestStop(Status.PLATFORM_RESTRICTED, message)
    if code == 400 and b"guestbook" in exchange.body.lower():
        return IngestStop(Status.TERMS_REQUIRED, f"{said}: it wants a guestbook answered first.")
    return IngestStop(
        Status.ERROR_PLATFORM_DOWNLOAD, f"{said}.", may_repeat=code >= 500, retry_after_s=wait_s
    )


def _receive(
    client: Client,
    series: WarcSeries,
    order: Order,
    response: Response,
    hops: tuple[Exchange, ...],
) -> Fetched:
    digester = Digester(algorithms_for(order.algorithms))
    sink = _Sink(series, response.exchange)
    decoded = _Decoded.of(response.exchange, order.algorithms)
    received = 0
    try:
        order.progress(0, response.length)
        for block in response.blocks(order.is_cancelled, client.stall_s):
            order.reserve(len(block))
            digester.feed(block)
            decoded.feed(block)
            sink.write(block)
            received += len(block)
            order.progress(received, response.length)
        fixity = digester.fixity()
        exchange = sink.finish(fixity, response.elapsed_s)
        return Fetched(hops, exchange, fixity, decoded.fixity(), sink.part)
    except Damaged as error:
        sink.discard()
        message = f"{response.exchange.url} can not be stored: {error}."
        raise IngestStop(Status.STORE_DAMAGED, message) from error
    except BaseException:
        sink.discard()
        raise
    finally:
        digester.close()
        decoded.close()


class _Sink:
    """Takes blocks into memory, and from a size on into a part on disk."""

    def __init__(self, series: WarcSeries, exchange: Exchange) -> None:
        self._series, self._exchange = series, exchange
        self._blocks: list[Block] = []
        self._held = 0
        self.part: Part | None = None

    def write(self, block: Block) -> None:
        if self.part is not None:
            self.part.write(block)
            return
        self._blocks.append(block)
        self._held += len(block)
        if self._held > _IN_MEMORY_BYTES:
            self.part = self._series.start_part(self._exchange)
            for held in self._blocks:
                self.part.write(held)
            self._blocks = []

    def finish(self, fixity: Fixity, elapsed_s: float) -> Exchange:
        if self.part is not None:
            self.part.finish(fixity)
        return replace(self._exchange, body=b"".join(self._blocks), elapsed_s=elapsed_s)

    def discard(self) -> None:
        if self.part is not None:
            self.part.discard()


class _Decoded:
    """The digests of a body with its content coding undone, where it has one.

    Some servers send a file that is a gzip as if it were a coding, others code what they were asked
    not to: the published digest may be that of either, so both are known.
    """

    def __init__(self, coding: str, algorithms: Iterable[str]) -> None:
        self._decoder = ContentDecoder(coding)
        self._digester = Digester(algorithms_for(algorithms))
        self._is_broken = False

    @classmethod
    def of(cls, exchange: Exchange, algorithms: Iterable[str]) -> "_Decoded | _NotCoded":
        if not exchange.content_coding:
            return _NotCoded()
        try:
            return cls(exchange.content_coding, algorithms)
        except CannotDecode:
            return _NotCoded()

    def feed(self, block: Block) -> None:
        if self._is_broken:
            return
        try:
            for content in self._decoder.feed(block):
                self._digester.feed(content)
        except CannotDecode:
            self._is_broken = True

    def fixity(self) -> Fixity | None:
        """Return what the decoded body is, None if the coding is broken or breaks off."""
        fixity = self._digester.fixity()
        return fixity if self._decoder.is_complete and not self._is_broken else None

    def close(self) -> None:
        self._digester.close()


class _NotCoded:
    """Stands in for a body without a content coding, which needs no second look."""

    def feed(self, block: Block) -> None: ...

    def fixity(self) -> None: ...

    def close(self) -> None: ...
