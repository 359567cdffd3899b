# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fetching one payload in one pass: received, hashed and written while it arrives.

Runs in a worker thread. A small payload ends up in memory, a large one in a `Part` on disk, so
memory does not grow with the file.

A transfer that breaks off is gone on with where it can be known that the rest belongs to the same
bytes (`resume.py`); hashing and writing run on over what is joined, so a declared digest proves the
whole. Where none is declared, only a strong entity tag that is the same in each answer from the
same address is believed. In the WARC the response record then carries the head of the first answer
and the whole payload, and beside it stands what each further answer was and which bytes it brought
(`records.continuation_records`).

One that is stopped, or whose process is killed, leaves its part in staging; by the same rules a
later process goes on with it (`unfinished.py`).
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic

from carrel.capture.block_worker import Block
from carrel.capture.client import Cancelled, Client, Response
from carrel.capture.digests import Digester, algorithms_for
from carrel.capture.exchange import CannotDecode, ContentDecoder, Exchange
from carrel.capture.gzip_member import MEBIBYTE
from carrel.capture.hops import Hops
from carrel.capture.obstacles import is_challenge, is_login
from carrel.capture.part import Part
from carrel.capture.resume import Continuation, Resumable
from carrel.capture.retry import Patience, may_pass, retry_after_s
from carrel.capture.stored import Damaged
from carrel.capture.unfinished import Beginning, Further, Unfinished
from carrel.capture.warc_series import WarcSeries
from carrel.errors import IngestStop
from carrel.model import Fixity, Status

log = logging.getLogger(__name__)

# Payloads up to this size are built as a record in memory.
_IN_MEMORY_BYTES = 4 * MEBIBYTE
_HOP_BODY_BYTES = 256 * 1024
# A try that brings a payload on by so much is no failure: the tries are counted anew, so that a
# large file comes through a poor network.
_GAIN_BYTES = MEBIBYTE

Progress = Callable[[int, int | None], None]
Reserve = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Order:
    """What to fetch and whom to tell.

    `algorithms` are those of the declared digests. `progress` is told bytes received and the
    announced length; `reserve` is told of each block's bytes beforehand, may raise IngestStop and
    may take its time. `is_proven` says whether a whole payload is what was declared, by a digest;
    None where no digest was.
    """

    url: str
    algorithms: Iterable[str] = ()
    progress: Progress = lambda received, total: None
    reserve: Reserve = lambda count: None
    is_cancelled: Callable[[], bool] = lambda: False
    is_proven: Callable[[Fixity], bool] | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A payload that arrived whole.

    `hops` are the redirects before it; `exchange` the answer, its body empty when `part` holds it.
    `fixity` is over the bytes as transferred; `decoded` over those with the content coding undone,
    None if there was none. `continuations` are the answers that brought later parts of the payload,
    none if it came in one piece.
    """

    hops: tuple[Exchange, ...]
    exchange: Exchange
    fixity: Fixity
    decoded: Fixity | None = None
    part: Part | None = None
    continuations: tuple[Continuation, ...] = ()


def fetch(client: Client, series: WarcSeries, order: Order, patience: Patience) -> Fetched:
    """Return the payload at `order.url`, tried as often as `patience` allows.

    A payload that was joined from several answers and is not what was declared is fetched once more
    in one piece. Raises IngestStop with why it can not be had, and leaves nothing on disk then.
    Raises Cancelled, and OSError when the disk is full: what arrived stays in staging then, if it
    can be gone on with.
    """
    fetched = _Transfer(client, series, order, may_resume=True).run(patience)
    is_joined = bool(fetched.continuations)
    if is_joined and order.is_proven is not None and not order.is_proven(fetched.fixity):
        if fetched.part is not None:
            fetched.part.discard()
        fetched = _Transfer(client, series, order, may_resume=False).run(patience)
    return fetched


class _Transfer:
    """The tries for one payload, and what of it arrived so far."""

    def __init__(
        self, client: Client, series: WarcSeries, order: Order, *, may_resume: bool
    ) -> None:
        self._client, self._series, self._order = client, series, order
        self._may_resume = may_resume
        self._begun: _Begun | None = None
        self._furthest = 0

    def run(self, patience: Patience) -> Fetched:
        """Return the payload. Raises IngestStop, Cancelled and OSError."""
        attempts = patience.attempts()
        try:
            self._take_up()
            while True:
                attempt = next(attempts)
                try:
                    return self._once() or self._anew()
                except IngestStop as stop:
                    if self._came_on():
                        attempts = patience.attempts()
                        attempt = next(attempts)
                    if not attempt.may_repeat(stop):
                        raise
                    if self._begun is not None and not self._begun.may_go_on:
                        self._drop()
                    attempt.wait(stop, self._order.is_cancelled)
        except (Cancelled, OSError):
            self._leave()
            raise
        finally:
            self._drop()

    def _take_up(self) -> None:
        """Begin with what an interrupted process had of this payload, if that is of use."""
        unfinished = self._series.unfinished(self._order.url) if self._may_resume else None
        if unfinished is not None:
            self._begun = _Begun.take_up(self._series, self._order, unfinished)
        if self._begun is not None:
            self._furthest = self._begun.received

    def _came_on(self) -> bool:
        """Say whether the try brought so much that can be kept that it is worth going on."""
        begun = self._begun
        if begun is None or not begun.may_go_on:
            return False
        gained = begun.received - self._furthest
        self._furthest = max(self._furthest, begun.received)
        return gained >= _GAIN_BYTES

    def _anew(self) -> Fetched:
        self._drop()
        fetched = self._once()
        if fetched is None:
            raise AssertionError("only what has begun can fail to go on")
        return fetched

    def _once(self) -> Fetched | None:
        """Return the payload, None if what has begun can not be gone on with."""
        order = self._order
        if self._begun is not None and self._begun.is_whole:
            return self._finished(self._begun)
        hops = Hops(order.url)
        url: str | None = order.url
        headers = self._begun.headers() if self._begun else {}
        while url is not None:
            if order.is_cancelled():
                raise Cancelled
            with self._client.open(url, headers, is_cancelled=order.is_cancelled) as response:
                if not response.exchange.is_redirect:
                    return self._taken(response, tuple(hops.exchanges))
                url = hops.next_after(response.read(_HOP_BODY_BYTES))
                if url is not None and is_login(url):
                    message = f"{order.url} leads to a log-in page: {url}."
                    raise IngestStop(Status.BLOCKED_WALL, message)
        raise AssertionError("a redirect always leads somewhere")

    def _taken(self, response: Response, hops: tuple[Exchange, ...]) -> Fetched | None:
        begun, exchange = self._begun, response.exchange
        if begun is not None and exchange.status_code in (206, 416):
            if exchange.status_code == 416 or not begun.is_continued_by(exchange):
                return None
            with self._storing():
                begun.go_on(response, self._client.stall_s)
            return self._finished(begun)
        _check_answer(response)
        self._drop()
        beginning = Beginning(self._order.url, hops, exchange, response.length)
        begun = self._begun = _Begun(
            self._series, self._order, beginning, may_resume=self._may_resume, since=response.began
        )
        with self._storing():
            begun.receive(response, self._client.stall_s)
        return self._finished(begun)

    def _finished(self, begun: "_Begun") -> Fetched:
        with self._storing():
            fetched = begun.finish()
        self._begun = None
        return fetched

    @contextmanager
    def _storing(self) -> Iterator[None]:
        """Give its name to what can not be stored, and let go of it."""
        try:
            yield
        except Damaged as error:
            self._drop()
            message = f"{self._order.url} can not be stored: {error}."
            raise IngestStop(Status.STORE_DAMAGED, message) from error

    def _drop(self) -> None:
        begun, self._begun = self._begun, None
        if begun is not None:
            begun.discard()

    def _leave(self) -> None:
        begun, self._begun = self._begun, None
        if begun is not None:
            begun.leave()


class _Begun:
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
        self._decoded = _Decoded.of(exchange, order.algorithms)
        self._sink = _Sink(series, beginning, can_be_left=self._resumable is not None)
        self._continuations: list[Continuation] = []
        self.received = 0

    @classmethod
    def take_up(cls, series: WarcSeries, order: Order, unfinished: Unfinished) -> "_Begun | None":
        """Return what an interrupted process had begun, None if it can not be gone on with.

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
        """Whether nothing is left to be asked for."""
        return self._resumable is not None and self.received == self._resumable.total

    @property
    def may_go_on(self) -> bool:
        return self._resumable is not None and self.received > 0

    def headers(self) -> Mapping[str, str]:
        """Return what asks for the rest."""
        return self._resumable.headers(self.received) if self._resumable else {}

    def is_continued_by(self, answer: Exchange) -> bool:
        return self._resumable is not None and self._resumable.is_continued_by(
            answer, self.received, is_provable=self._is_provable
        )

    def receive(self, response: Response, stall_s: float) -> None:
        """Take a body to its end, or as far as it comes.

        Raises IngestStop, Cancelled, Damaged and OSError.
        """
        order, total = self._order, self._beginning.total
        order.progress(self.received, total)
        for block in response.blocks(order.is_cancelled, stall_s):
            order.reserve(len(block))
            self._digester.feed(block)
            self._decoded.feed(block)
            self._sink.write(block)
            self.received += len(block)
            order.progress(self.received, total)

    def go_on(self, response: Response, stall_s: float) -> None:
        """Take a body that continues what is there. Raises what `receive` raises."""
        start = self.received
        self._sink.continued(Further(start, response.exchange))
        try:
            self.receive(response, stall_s)
        finally:
            if self.received > start:
                self._continuations.append(Continuation(response.exchange, start, self.received))
        if self.received != self._beginning.total:
            message = f"{response.exchange.url} sent only a part of what was asked for."
            raise IngestStop(Status.TRUNCATED, message)

    def _feed_again(self, block: Block) -> None:
        """Take what is on disk already. Raises Cancelled."""
        order = self._order
        if order.is_cancelled():
            raise Cancelled
        self._digester.feed(block)
        self.received += len(block)
        order.progress(self.received, self._beginning.total)

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
        Status.ERROR_PLATFORM_DOWNLOAD, f"{said}.", may_repeat=may_pass(code), retry_after_s=wait_s
    )


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
        self.part: Part | None = None

    def write(self, block: Block) -> None:
        if self.part is not None:
            self.part.write(block)
            return
        self._blocks.append(block)
        self._held += len(block)
        if self._held > _IN_MEMORY_BYTES:
            self._start_part()

    def _start_part(self) -> None:
        self.part = self._series.start_part(self._exchange, self._beginning)
        for further in self._further:
            self.part.continued(further)
        for block in self._blocks:
            self.part.write(block)
        self._blocks = []

    def continued(self, further: Further) -> None:
        """Note that another answer goes on with what is here. Raises OSError."""
        self._further.append(further)
        if self.part is not None:
            self.part.continued(further)

    def finish(self, fixity: Fixity, elapsed_s: float) -> Exchange:
        if self.part is not None:
            self.part.finish(fixity)
        return replace(self._exchange, body=b"".join(self._blocks), elapsed_s=elapsed_s)

    def leave(self) -> None:
        if self.part is not None:
            self.part.leave()

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
