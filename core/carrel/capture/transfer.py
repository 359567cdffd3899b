# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fetching one payload in one pass: received, hashed and written while it arrives.

Runs in a worker thread. What arrives is an `Arrival`; here are the tries that bring it.

A transfer that ends early is gone on with where it can be known that the rest belongs to the same
bytes (`resume.py`); hashing and writing run on over what is joined, so a declared digest proves the
whole. Where none is declared, only a strong entity tag that is the same in each answer from the
same address is believed. In the WARC the response record then carries the head of the first answer
and the whole payload, and beside it stands what each further answer was and which bytes it brought
(`records.continuation_records`).

One that is stopped, or gives up, or whose process is killed, leaves its part in staging; by the
same rules a later process or ingest resumes it (`unfinished.py`, `leftovers.py`).
"""

from collections.abc import Iterator
from contextlib import contextmanager

from carrel.capture.arrival import Arrival, Fetched, Order
from carrel.capture.client import Cancelled, Client, Response
from carrel.capture.exchange import Exchange
from carrel.capture.hops import Hops
from carrel.capture.network_faults import broke_off, came
from carrel.capture.obstacles import is_challenge, is_login
from carrel.capture.stored import Damaged
from carrel.capture.unfinished import Beginning
from carrel.capture.warc_series import WarcSeries
from carrel.errors import IngestStop
from carrel.hosts.retry import RetryPolicy, may_pass, retry_after_s
from carrel.model import Fixity, Status
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

_HOP_BODY_BYTES = 256 * 1024
# A try that brings a payload on by so much is no failure: the tries are counted anew, so that a
# large file comes through a poor network.
_GAIN_BYTES = MEBIBYTE


def fetch(client: Client, series: WarcSeries, order: Order, policy: RetryPolicy) -> Fetched:
    """Return the payload at `order.url`, tried as often as `policy` allows.

    A payload that was joined from several answers and is not what was declared is fetched once more
    in one piece. Raises IngestStop with why it cannot be had, Cancelled, and OSError when the disk
    is full: what arrived stays in staging then, if it can be gone on with, and trying again may
    help. Where it cannot, Cancelled is Dropped.
    """
    fetched = _Transfer(client, series, order, may_resume=True).run(policy)
    is_joined = bool(fetched.continuations)
    if is_joined and order.is_proven is not None and not order.is_proven(fetched.fixity):
        if fetched.part is not None:
            fetched.part.discard()
        fetched = _Transfer(client, series, order, may_resume=False).run(policy)
    return fetched


class Dropped(Cancelled):
    """The transfer was stopped, and what came of it cannot be gone on with."""

    def __init__(self, received: int) -> None:
        super().__init__()
        self.received = received


class _Transfer:
    """The tries for one payload, and what of it arrived so far."""

    def __init__(
        self, client: Client, series: WarcSeries, order: Order, *, may_resume: bool
    ) -> None:
        self._client, self._series, self._order = client, series, order
        self._may_resume = may_resume
        self._begun: Arrival | None = None
        self._furthest = 0
        self._cut: Fixity | None = None

    def run(self, policy: RetryPolicy) -> Fetched:
        """Return the payload. Raises IngestStop, Cancelled or Dropped, and OSError."""
        attempts = policy.attempts()
        try:
            self._take_up()
            while True:
                attempt = next(attempts)
                try:
                    return self._once() or self._anew()
                except IngestStop as stop:
                    if self._came_on():
                        attempts = policy.attempts()
                        attempt = next(attempts)
                    if not attempt.may_repeat(stop):
                        raise self._in_all(stop) from stop
                    if self._begun is not None and not self._begun.may_go_on:
                        self._drop()
                    self._order.waits(tr("{why} It is tried again.", why=stop))
                    attempt.wait(stop, self._order.is_cancelled)
        except IngestStop as stop:
            if stop.may_repeat:
                self._leave()
            raise
        except Cancelled as stopped:
            if lost := self._leave():
                raise Dropped(lost) from stopped
            raise
        except OSError:
            self._leave()
            raise
        finally:
            self._drop()

    def _take_up(self) -> None:
        """Begin with what an interrupted process had of this payload, if that is of use."""
        unfinished = self._series.unfinished(self._order.url) if self._may_resume else None
        if unfinished is not None:
            self._begun = Arrival.take_up(self._series, self._order, unfinished)
        if self._begun is not None:
            self._furthest = self._begun.received

    def _in_all(self, stop: IngestStop) -> IngestStop:
        """Return why it was given up, with what came of the payload and not of the last answer."""
        begun = self._begun
        if stop.status is not Status.TRUNCATED or begun is None or not begun.may_go_on:
            return stop
        if begun.total is None:
            return stop
        message = broke_off(self._order.url, came(begun.received, begun.total))
        return IngestStop(stop.status, message, may_repeat=stop.may_repeat)

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
        """Return the payload, None if what has begun cannot be gone on with."""
        order = self._order
        if self._begun is not None and self._begun.is_whole:
            return self._finished(self._begun)
        hops = Hops(order.url)
        url: str | None = order.url
        headers = self._begun.headers() if self._begun else {}
        while url is not None:
            if order.is_cancelled():
                raise Cancelled
            with self._client.open(
                url, headers, is_cancelled=order.is_cancelled, waits=order.waits
            ) as response:
                if not response.exchange.is_redirect:
                    return self._taken(response, tuple(hops.exchanges))
                url = hops.next_after(response.read(_HOP_BODY_BYTES))
                if url is not None and is_login(url):
                    message = tr(
                        "{url} leads to a log-in page: {target}.", url=order.url, target=url
                    )
                    raise IngestStop(Status.BLOCKED_WALL, message)
        raise AssertionError("a redirect always leads somewhere")

    def _taken(self, response: Response, hops: tuple[Exchange, ...]) -> Fetched | None:
        begun, exchange = self._begun, response.exchange
        if begun is not None and exchange.status_code in (206, 416):
            if exchange.status_code == 416 or not begun.is_continued_by(exchange):
                return None
            with self._storing():
                begun.go_on(response)
            return self._finished(begun)
        _check_answer(response)
        if exchange.is_part and self._order.is_proven is None:
            message = tr(
                "{url} sent a part of the file, which was not requested.", url=exchange.url
            )
            raise IngestStop(Status.TRUNCATED, message)
        self._drop()
        beginning = Beginning(self._order.url, hops, exchange, response.length)
        begun = self._begun = Arrival(
            self._series, self._order, beginning, may_resume=self._may_resume, since=response.began
        )
        with self._storing():
            begun.receive(response)
        fetched = self._finished(begun)
        if (stop := response.doubt) and not self._is_believed(
            fetched, was_cut=response.cut is not None
        ):
            if fetched.part is not None:
                fetched.part.discard()
            raise stop
        return fetched

    def _is_believed(self, fetched: Fetched, *, was_cut: bool) -> bool:
        """Say whether what arrived is whole though there is a doubt: a declared digest says so, or
        what was cut came twice alike, from a server that ends no connection otherwise."""
        forms = [each for each in (fetched.fixity, fetched.decoded) if each is not None]
        if self._order.is_proven is not None:
            return any(map(self._order.is_proven, forms))
        came_before, self._cut = self._cut, fetched.fixity if was_cut else None
        return self._cut is not None and self._cut == came_before

    def _finished(self, begun: "Arrival") -> Fetched:
        if self._order.is_proven is None and (stop := begun.coding_fault):
            self._drop()
            raise stop
        with self._storing():
            fetched = begun.finish()
        self._begun = None
        return fetched

    @contextmanager
    def _storing(self) -> Iterator[None]:
        """Give its name to what cannot be stored, and let go of it."""
        try:
            yield
        except Damaged as error:
            self._drop()
            message = tr("{url} cannot be stored: {error}.", url=self._order.url, error=error)
            raise IngestStop(Status.STORE_DAMAGED, message) from error

    def _drop(self) -> None:
        begun, self._begun = self._begun, None
        if begun is not None:
            begun.discard()

    def _leave(self) -> int:
        """Leave what can be gone on with later; return how many bytes were of no use for that."""
        begun, self._begun = self._begun, None
        if begun is None:
            return 0
        begun.leave()
        return 0 if begun.may_go_on else begun.received


def _check_answer(response: Response) -> None:
    """Raise IngestStop unless this is an answer that carries the payload."""
    exchange = response.exchange
    if exchange.status_code == 200 and not is_challenge(exchange):
        return
    raise refusal(response.read(_HOP_BODY_BYTES))


def refusal(exchange: Exchange) -> IngestStop:
    """Return why an answer that is not a 200 carries no payload, for people."""
    code = exchange.status_code
    said = tr("{url} answered with HTTP {code}", url=exchange.url, code=code)
    wait_s = retry_after_s(exchange.headers.get("retry-after"))
    if is_challenge(exchange):
        message = tr("{said}: a bot check blocks the file.", said=said)
        return IngestStop(Status.BLOCKED_CHALLENGE, message, may_repeat=False)
    if code == 429:
        message = tr("{said}: too many requests.", said=said)
        return IngestStop(Status.RATE_LIMITED, message, retry_after_s=wait_s)
    if code in (401, 403):
        message = tr("{said}: access to the file is not allowed.", said=said)
        return IngestStop(Status.PLATFORM_RESTRICTED, message)
    if code == 400 and b"guestbook" in exchange.body.lower():
        return IngestStop(
            Status.TERMS_REQUIRED, tr("{said}: it requires a guestbook entry first.", said=said)
        )
    if exchange.is_part:
        message = tr("{url} sent a part of the file, which was not requested.", url=exchange.url)
        return IngestStop(Status.ERROR_PLATFORM_DOWNLOAD, message, may_repeat=False)
    if code < 400:
        said = tr("{said}, which delivers no file", said=said)
    if code in (404, 410):
        message = tr("{said}: it is listed, but missing.", said=said)
        return IngestStop(Status.ERROR_PLATFORM_DOWNLOAD, message, may_repeat=may_pass(code))
    return IngestStop(
        Status.ERROR_PLATFORM_DOWNLOAD, f"{said}.", may_repeat=may_pass(code), retry_after_s=wait_s
    )
