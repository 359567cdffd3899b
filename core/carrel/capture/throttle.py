# SPDX-License-Identifier: AGPL-3.0-or-later
"""How fast each host is asked: one throttle for all threads of a client.

Four rules, each per host and port:
- so many payloads at once, and so many questions to its interface beside them: a long download
  keeps no one from looking at another dataset;
- questions keep a distance on average, though a few may follow each other at once;
- a pause that the server asks for (`Retry-After`, the RateLimit fields) is kept by all;
- after several refusals in a row that look like a wall, the host is left alone for a while.

No lock is held while anyone waits or reads.
"""

import copy
import math
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from carrel.capture.exchange import Exchange
from carrel.capture.obstacles import is_challenge
from carrel.errors import IngestStop
from carrel.hosts import backoff
from carrel.hosts.backoff import BackOff
from carrel.hosts.inside import is_loopback
from carrel.hosts.limiter import RateLimiter, host_in
from carrel.hosts.pauses import LOOK_UP_S, Waits, held, stop_if
from carrel.hosts.rate_limit import RateLimit
from carrel.hosts.rate_limit_fields import pause_s
from carrel.hosts.retry import TOO_MANY_REQUESTS
from carrel.ledger.hosts import HostState, HostStore
from carrel.model import Status
from carrel.model.iso_time import full_minute
from carrel.settings import Network
from carrel.translation import tr

_QUESTION, _PAYLOAD = "question", "payload"
# So many questions may follow each other at once, so that one preview need not wait.
_BURST = 4
# Hosts that every machine of a fleet asks; the others it divides among its machines by host.
SHARED_HOSTS = frozenset({"doi.org", "dx.doi.org", "api.datacite.org", "hdl.handle.net"}) | {
    "web.archive.org",
    "archive.org",
    "s3.us.archive.org",
}
# So many refusals in a row are a wall, and so long no one knocks again. One more refusal after that
# is enough to wait again.
_WALL = BackOff(5, 600.0, 600.0)
# A shorter pause is nothing to tell anyone.
_WORTH_TELLING_S = 2.0
# Of a 403, what a wall says; an interface that refuses one resource speaks JSON or XML.
_WALL_TYPES = ("", "text/html", "text/plain", "application/xhtml+xml")


@dataclass(frozen=True, slots=True)
class Pause:
    """A host is left alone until `until` (aware UTC); `reason` is a sentence for people."""

    host: str
    until: datetime
    reason: str


class Throttle:
    """Gives each request its turn. Threads may share it.

    `tell` learns of a pause when the first one has to wait for it, from any thread. What hosts ask
    for outlives the process if the store of `open_store` does. `now` is the wall's clock.
    """

    def __init__(
        self,
        network: Network,
        tell: Callable[[Pause], None] = lambda pause: None,
        open_store: Callable[[], HostStore] = HostStore,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.limiter = RateLimiter(open_store, now=now)
        self._network, self._tell, self._sleep = network, tell, sleep
        self._note: Callable[[Pause], None] = lambda pause: None
        self._limit = RateLimit(_BURST, network.api_interval_s)
        self._lock = threading.Lock()
        self._places: dict[tuple[str, str], threading.Semaphore] = {}
        self._told_until: dict[str, float] = defaultdict(float)
        self._machines = 1

    def noting(self, note: Callable[[Pause], None]) -> "Throttle":
        """Return this throttle for one who is told by `note`, from any thread, of each pause that
        one of its own requests waits for, also of those that are told already."""
        own, noted = copy.copy(self), dict[str, datetime]()

        def note_once(pause: Pause) -> None:
            if noted.get(pause.host) != pause.until:
                noted[pause.host] = pause.until
                note(pause)

        own._note = note_once
        return own

    def take_share(self, of: int) -> None:
        """Ask the hosts that so many machines share at their common pace, not each at its own."""
        self._machines = of

    @contextmanager
    def turn(
        self,
        host: str,
        *,
        is_question: bool,
        is_cancelled: Callable[[], bool],
        waits: Waits = lambda reason: None,
    ) -> Iterator["Turn"]:
        """Wait until `host` (with its port, if any) may be asked; its place is taken meanwhile.

        `waits` is told what for, maybe again and again, and "" as soon as it may be asked. Raises
        IngestStop (rate-limited, blocked-challenge, forbidden) when it is not to be asked, and
        Cancelled.
        """
        place = self._place(host, _QUESTION if is_question else _PAYLOAD)
        with held(place, is_cancelled, lambda: self._stand_in_line(host, waits)):
            self._await(host, self._booked(host) if is_question else 0.0, is_cancelled, waits)
            waits("")
            yield Turn(self.limiter, host, self._network.longest_pause_s, self._note)

    def _place(self, host: str, purpose: str) -> threading.Semaphore:
        with self._lock:
            places = self._places.get((host, purpose))
            if places is None:
                places = threading.Semaphore(self._network.per_host)
                self._places[host, purpose] = places
            return places

    def _booked(self, host: str) -> float:
        name = host_in(host)
        if not self._limit.interval_s or is_loopback(name):
            return 0.0
        is_shared = self._machines > 1 and name in SHARED_HOSTS
        return self.limiter.book(host, _QUESTION, self._shared if is_shared else self._limit)

    @property
    def _shared(self) -> RateLimit:
        """The limit of each machine: together they ask no more often than one would."""
        return RateLimit(1, self._limit.interval_s * self._machines)

    def _stand_in_line(self, host: str, waits: Waits) -> None:
        waits(_in_line(host))
        state, now = self.limiter.state(host), self.limiter.seconds()
        if now < state.rests_until:
            self._note(_pause(host, state, now))

    def _await(
        self, host: str, booked: float, is_cancelled: Callable[[], bool], waits: Waits
    ) -> None:
        while True:
            state, now = self.limiter.state(host), self.limiter.seconds()
            free_at = max(booked, state.rests_until)
            if now >= free_at:
                return
            stop_if(is_cancelled)
            if now < state.rests_until:
                self._refuse(host, state, now)
                self._tell_pause(host, state, now)
                self._note(_pause(host, state, now))
            waits(_in_line(host))
            self._sleep(min(free_at - now, LOOK_UP_S))

    def _refuse(self, host: str, state: HostState, now: float) -> None:
        """Raise IngestStop if waiting would not help, or take too long."""
        if state.refused_as is not None:
            message = tr(
                "{reason} No more requests are sent until {until:%Y-%m-%d %H:%M} UTC.",
                reason=state.reason,
                until=full_minute(state.rests_until),
            )
            raise IngestStop(Status(state.refused_as), message, may_repeat=False)
        left_s = state.rests_until - now
        if left_s > self._network.longest_pause_s:
            message = tr(
                "{host} asks for no requests until {until:%Y-%m-%d %H:%M} UTC.",
                host=host,
                until=full_minute(state.rests_until),
            )
            raise IngestStop(Status.RATE_LIMITED, message, may_repeat=False, retry_after_s=left_s)

    def _tell_pause(self, host: str, state: HostState, now: float) -> None:
        left_s = state.rests_until - now
        with self._lock:
            is_news = left_s >= _WORTH_TELLING_S and self._told_until[host] < state.rests_until
            self._told_until[host] = max(self._told_until[host], state.rests_until)
        if is_news:
            self._tell(_pause(host, state, now))


@dataclass(frozen=True, slots=True)
class Turn:
    """A request's turn at a host, which is known better by its answers. `note` is told of a pause
    that an answer asks for: before another try it is waited for."""

    limiter: RateLimiter
    host: str
    longest_pause_s: float
    note: Callable[[Pause], None]

    def head_came(self, exchange: Exchange) -> None:
        """Learn what the headers of an answer ask for."""
        wait_s = pause_s(exchange.status_code, exchange.headers, self.limiter.now())
        if wait_s is None:
            return
        if exchange.status_code < 400:
            # Only foreseen: after the longest pause it is worth asking again.
            wait_s = min(wait_s, self.longest_pause_s)
        until, reason = (
            self.limiter.seconds() + wait_s,
            tr("{host} asks for no requests.", host=self.host),
        )
        self.limiter.change(self.host, lambda known: backoff.asked(known, until, reason))
        if exchange.status_code >= 400 and wait_s <= self.longest_pause_s:
            self.note(Pause(self.host, datetime.fromtimestamp(until, UTC), reason))

    def answer_came(self, exchange: Exchange) -> None:
        """Learn whether the host answered or put up a wall; a payload's body may be left out."""
        code = exchange.status_code
        if is_challenge(exchange):
            self._refused(Status.BLOCKED_CHALLENGE, tr("answered with a bot check"))
        elif code == 403 and exchange.mimetype in _WALL_TYPES:
            self._refused(Status.FORBIDDEN, tr("refused access (HTTP 403)"))
        elif code < 500 and code not in TOO_MANY_REQUESTS and not exchange.is_redirect:
            self._answered()

    def _answered(self) -> None:
        if self.limiter.state(self.host).failures:
            self.limiter.change(self.host, lambda known: replace(known, failures=0))

    def _refused(self, status: Status, deed: str) -> None:
        words = tr(
            "{host} {deed} {after} times in a row.",
            host=self.host,
            deed=deed,
            after=_WALL.after,
        )
        now = self.limiter.seconds()
        self.limiter.change(
            self.host, lambda known: backoff.refused(known, now, _WALL, status, words)
        )


def _pause(host: str, state: HostState, now: float) -> Pause:
    reason = tr(
        "{host} gets no requests {in_words}, as it asked.",
        host=host,
        in_words=_in_words(state.rests_until - now),
    )
    return Pause(host, datetime.fromtimestamp(state.rests_until, UTC), reason)


def _in_line(host: str) -> str:
    return tr("Waiting for its turn at {host}", host=host)


def _in_words(seconds: float) -> str:
    if seconds < 120:
        return tr("for {seconds:.0f} seconds", seconds=seconds)
    if seconds < 2 * 86_400:
        return tr("for {seconds:.0f} minutes", seconds=seconds / 60)
    return (
        tr("for {seconds:.0f} days", seconds=seconds / 86_400) if seconds < math.inf else "forever"
    )
