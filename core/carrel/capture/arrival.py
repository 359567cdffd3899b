# SPDX-License-Identifier: AGPL-3.0-or-later
"""A payload while it arrives: hashed and written, whichever answer brings the next block of it.

A small one ends up in memory, a large one in a `Part` on disk, so memory does not grow with the
file.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic

from carrel.capture.block_worker import Block
from carrel.capture.decoded import Decoded, Fault
from carrel.capture.digests import Digester, algorithms_for
from carrel.capture.ends import HeldEnds
from carrel.capture.exchange import Exchange
from carrel.capture.part import Part
from carrel.capture.response import Response
from carrel.capture.resume import Continuation, Resumable
from carrel.capture.stored import Damaged
from carrel.capture.unfinished import Beginning, Further, Unfinished
from carrel.capture.warc_series import WarcSeries
from carrel.errors import IngestStop
from carrel.hosts.pauses import Cancelled, Waits
from carrel.model import Fixity, Status
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

log = logging.getLogger(__name__)

# Payloads up to this size are built as a record in memory.
_IN_MEMORY_BYTES = 4 * MEBIBYTE
# What takes longer to come goes to the disk too, so that a kill does not take it along.
_IN_MEMORY_S = 10.0
# Less is as soon fetched again as gone on with.
_WORTH_LEAVING_BYTES = 256 * 1024

Progress = Callable[[int, int | None], None]
Reserve = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Order:
    """What to fetch and whom to tell.

    `algorithms` are those of the declared digests. `progress` is told bytes received and the
    announced length, and before that `found` how many of them an earlier process left; `reserve` is
    told of each block's bytes beforehand, may raise IngestStop and may take its time. `waits` is
    told why nothing moves for now, "" when the server was asked. `is_proven` says whether a whole
    payload is what was declared, by a digest; None where no digest was. `holds_ends` says that the
    ends of the payload are wanted, too.
    """

    url: str
    algorithms: Iterable[str] = ()
    progress: Progress = lambda received, total: None
    found: Callable[[int], None] = lambda count: None
    reserve: Reserve = lambda count: None
    is_cancelled: Callable[[], bool] = lambda: False
    waits: Waits = lambda reason: None
    is_proven: Callable[[Fixity], bool] | None = None
    holds_ends: bool = False


@dataclass(frozen=True, slots=True)
class Fetched:
    """A payload that arrived whole.

    `hops` are the redirects before it; `exchange` the answer, its body empty when `part` holds it.
    `fixity` is over the bytes as transferred; `decoded` over those with the content coding undone,
    None if there was none. `continuations` are the answers that brought later parts of the payload,
    none if it came in one piece. `ends` are those of the payload, where they were wanted.
    """

    hops: tuple[Exchange, ...]
    exchange: Exchange
    fixity: Fixity
    decoded: Fixity | None = None
    part: Part | None = None
    continuations: tuple[Continuation, ...] = ()
    ends: HeldEnds | None = None


class Arrival:
    """A payload of which the beginning arrived: hashed and written, whatever brings the rest."""

    def __init__(
        self,
        series: WarcSeries,
        order: Order,
        beginning: Beginning,
        *,
        may_resume: bool,
        since: float,
    ) -> None:
        self._order, self._beginning, self._since = order, beginning, since
        self._is_provable = order.is_proven is not None
        exchange = beginning.exchange
        self._resumable = (
            Resumable.of(exchange, beginning.total, is_provable=self._is_provable)
            if may_resume
            else None
        )
        self._digester = Digester(algorithms_for(order.algorithms))
        self._decoded = Decoded.of(exchange.content_coding, order.algorithms)
        self._sink = _Sink(series, beginning, can_be_left=self._resumable is not None)
        self._ends = HeldEnds() if order.holds_ends else None
        self._continuations: list[Continuation] = []
        self.received = 0

    @classmethod
    def take_up(cls, series: WarcSeries, order: Order, unfinished: Unfinished) -> "Arrival | None":
        """Return what an interrupted process had begun, None if it cannot be gone on with.

        Reads all of it. Raises Cancelled and OSError, and leaves everything as it is then.
        """
        beginning = unfinished.beginning
        age_s = (datetime.now(UTC) - beginning.exchange.started).total_seconds()
        since = monotonic() - max(0.0, age_s)
        begun = cls(series, order, beginning, may_resume=True, since=since)
        try:
            if begun._resumable is not None:
                begun._sink.part = Part.resume(unfinished, begun._feed_again)
                begun._continuations = unfinished.continuations(begun.received)
                return begun
        except Damaged as error:
            log.info("%s begins anew: %s", order.url, error)
        except BaseException:
            begun._close()
            raise
        begun._close()
        unfinished.discard()
        return None

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to be requested."""
        return self._resumable is not None and self.received == self._resumable.total

    @property
    def total(self) -> int | None:
        """How long the payload is, in bytes, as its first answer said; None if it did not."""
        return self._beginning.total

    @property
    def may_go_on(self) -> bool:
        return self._resumable is not None and self.received > 0

    @property
    def coding_fault(self) -> IngestStop | None:
        """Why the content coding of what arrived shows it not to be whole; None if it does not."""
        url, coding = self._order.url, self._beginning.exchange.content_coding
        match self._decoded.fault:
            case None:
                return None
            case Fault.CUT:
                message = tr(
                    "{url} came in a {coding} coding that ends too early: it is incomplete.",
                    url=url,
                    coding=coding,
                )
                return IngestStop(Status.TRUNCATED, message)
            case Fault.BROKEN:
                message = tr(
                    "{url} came in a {coding} coding that is damaged.", url=url, coding=coding
                )
                return IngestStop(Status.TRANSFER_ENCODING_ERROR, message)

    def headers(self) -> Mapping[str, str]:
        """Return what asks for the rest."""
        return self._resumable.headers(self.received) if self._resumable else {}

    def is_continued_by(self, answer: Exchange) -> bool:
        return self._resumable is not None and self._resumable.is_continued_by(
            answer, self.received, is_provable=self._is_provable
        )

    def receive(self, response: Response) -> None:
        """Take a body to its end, or as far as it comes.

        Raises IngestStop, Cancelled, Damaged and OSError.
        """
        order, total = self._order, self._beginning.total
        order.progress(self.received, total)
        for block in response.blocks():
            order.reserve(len(block))
            self._decoded.feed(block)
            self._sink.write(block)
            self._take(block)
            order.progress(self.received, total)

    def go_on(self, response: Response) -> None:
        """Take a body that continues what is there. Raises what `receive` raises."""
        start = self.received
        self._sink.continued(Further(start, response.exchange))
        try:
            self.receive(response)
        finally:
            if self.received > start:
                self._continuations.append(Continuation(response.exchange, start, self.received))
        if self.received != self._beginning.total:
            message = tr("{url} sent only a part of what was requested.", url=response.exchange.url)
            raise IngestStop(Status.TRUNCATED, message)

    def _feed_again(self, block: Block) -> None:
        """Take what is on disk already. Raises Cancelled."""
        order = self._order
        if order.is_cancelled():
            raise Cancelled
        self._take(block)
        order.found(self.received)
        order.progress(self.received, self._beginning.total)

    def _take(self, block: Block) -> None:
        self._digester.feed(block)
        if self._ends is not None:
            self._ends.write(block)
        self.received += len(block)

    def finish(self) -> Fetched:
        fixity = self._digester.fixity()
        exchange = self._sink.finish(fixity, monotonic() - self._since)
        decoded = self._decoded.fixity()
        self._close()
        return Fetched(
            self._beginning.hops,
            exchange,
            fixity,
            decoded,
            self._sink.part,
            tuple(self._continuations),
            self._ends,
        )

    def leave(self) -> None:
        """Let go of everything but what can be gone on with later, on disk."""
        self._close()
        self._sink.leave()

    def discard(self) -> None:
        """Let go of everything, on disk too."""
        self._close()
        self._sink.discard()

    def _close(self) -> None:
        self._digester.close()
        self._decoded.close()


class _Sink:
    """Takes blocks into memory, and from a size on into a part on disk.

    `can_be_left` says that a part can be gone on with by a later process.
    """

    def __init__(self, series: WarcSeries, beginning: Beginning, *, can_be_left: bool) -> None:
        self._series, self._exchange = series, beginning.exchange
        self._beginning = beginning if can_be_left else None
        self._blocks: list[Block] = []
        self._further: list[Further] = []
        self._held = 0
        self._since = monotonic()
        self.part: Part | None = None

    def write(self, block: Block) -> None:
        if self.part is not None:
            self.part.write(block)
            return
        self._blocks.append(block)
        self._held += len(block)
        if self._held > _IN_MEMORY_BYTES or self._is_slow:
            self._start_part()

    @property
    def _is_slow(self) -> bool:
        """Whether what can be left came so slowly that it would be a loss."""
        return self._is_worth_leaving and monotonic() - self._since > _IN_MEMORY_S

    @property
    def _is_worth_leaving(self) -> bool:
        return self._beginning is not None and self._held >= _WORTH_LEAVING_BYTES

    def _start_part(self) -> None:
        self.part = self._series.start_part(self._exchange, self._beginning)
        for further in self._further:
            self.part.continued(further)
        for block in self._blocks:
            self.part.write(block)
        self._blocks = []

    def continued(self, further: Further) -> None:
        """Note that another answer continues what is here. Raises OSError."""
        self._further.append(further)
        if self.part is not None:
            self.part.continued(further)

    def finish(self, fixity: Fixity, elapsed_s: float) -> Exchange:
        if self.part is not None:
            self.part.finish(fixity)
        return replace(self._exchange, body=b"".join(self._blocks), elapsed_s=elapsed_s)

    def leave(self) -> None:
        """Leave what can be gone on with on the disk; where that has no room, nothing is left."""
        if self.part is None and self._is_worth_leaving:
            try:
                self._start_part()
            except (OSError, Damaged) as error:
                log.info("%s is not left: %s", self._exchange.url, error)
                self.discard()
        if self.part is not None:
            self.part.leave()

    def discard(self) -> None:
        if self.part is not None:
            self.part.discard()
