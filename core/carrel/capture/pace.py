# SPDX-License-Identifier: AGPL-3.0-or-later
"""How fast each host is asked: one pace for all threads of a client.

Four rules, each per host and port:
- so many payloads at once, and so many questions to its interface beside them: a long download
  keeps nobody from looking at another dataset;
- questions keep a distance on average, though a few may follow each other at once;
- a pause that the server asks for (`Retry-After`, the RateLimit fields) is kept by all;
- after several refusals in a row that look like a wall, the host is left alone for a while.

No lock is held while anybody waits or reads.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from carrel.capture.attentive import stop_if
from carrel.capture.exchange import Exchange
from carrel.capture.inside import is_loopback
from carrel.capture.obstacles import is_challenge
from carrel.capture.rate_limits import pause_s
from carrel.errors import IngestStop
from carrel.model import Status
from carrel.settings import Network

_LOOK_UP_S = 0.2
# So many questions may follow each other at once, so that one preview need not wait.
_BURST = 4
# So many refusals in a row are a wall, and so long nobody knocks again.
_WALL_AFTER = 5
_WALL_S = 600.0
# A shorter pause is nothing to tell anybody.
_WORTH_TELLING_S = 2.0
# Of a 403, what a wall says; an interface that refuses one resource speaks JSON or XML.
_WALL_TYPES = ("", "text/html", "text/plain", "application/xhtml+xml")


@dataclass(frozen=True, slots=True)
class Pause:
    """A host is left alone until `until` (aware UTC); `reason` is a sentence for people."""

    host: str
    until: datetime
    reason: str


class Pace:
    """Gives each request its turn. Threads may share it.

    `tell` learns of a pause when the first one has to wait for it, from any thread. `clock` counts
    seconds from anywhere, `now` is the wall's.
    """

    def __init__(
        self,
        network: Network,
        tell: Callable[[Pause], None] = lambda pause: None,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._network, self._tell = network, tell
        self._clock, self._now, self._sleep = clock, now, sleep
        self._lock = threading.Lock()
        self._hosts: dict[str, _Host] = {}

    @contextmanager
    def turn(
        self, host: str, *, is_question: bool, is_cancelled: Callable[[], bool]
    ) -> Iterator["Turn"]:
        """Wait until `host` (with its port, if any) may be asked; its place is taken meanwhile.

        Raises IngestStop (rate-limited, blocked-challenge, forbidden) when it is not to be asked,
        and Cancelled.
        """
        state = self._host(host)
        places = state.questions if is_question else state.payloads
        while not places.acquire(timeout=_LOOK_UP_S):
            stop_if(is_cancelled)
        try:
            self._await(state, state.booked(is_question, self._clock()), is_cancelled)
            yield Turn(self, state)
        finally:
            places.release()

    def _host(self, name: str) -> "_Host":
        with self._lock:
            if name not in self._hosts:
                interval_s = 0.0 if is_loopback(_bare_host(name)) else self._network.api_interval_s
                self._hosts[name] = _Host(name, self._network.per_host, interval_s)
            return self._hosts[name]

    def _await(self, state: "_Host", booked: float, is_cancelled: Callable[[], bool]) -> None:
        while True:
            now = self._clock()
            if now >= booked and now >= state.quiet_until and now >= state.wall_until:
                return
            stop_if(is_cancelled)
            self._refuse(state, now)
            self._tell_pause(state, now)
            wait_s = max(booked, state.quiet_until) - now
            self._sleep(min(max(wait_s, 0.0), _LOOK_UP_S))

    def _refuse(self, state: "_Host", now: float) -> None:
        """Raise IngestStop if waiting would not help, or take too long."""
        if now < state.wall_until:
            raise IngestStop(state.wall_status, state.wall_words, may_repeat=False)
        left_s = state.quiet_until - now
        if left_s > self._network.longest_pause_s:
            message = f"{state.name} asks for no requests {_in_words(left_s)}."
            raise IngestStop(Status.RATE_LIMITED, message, may_repeat=False, retry_after_s=left_s)

    def _tell_pause(self, state: "_Host", now: float) -> None:
        left_s = state.quiet_until - now
        with state.lock:
            is_news = left_s >= _WORTH_TELLING_S and state.told_until < state.quiet_until
            state.told_until = max(state.told_until, state.quiet_until)
        if is_news:
            until = datetime.fromtimestamp(self._now().timestamp() + left_s, UTC)
            reason = f"{state.name} gets no requests {_in_words(left_s)}, as it asked."
            self._tell(Pause(state.name, until, reason))

    def _head_came(self, state: "_Host", exchange: Exchange) -> None:
        wait_s = pause_s(exchange.status_code, exchange.headers, self._now())
        if wait_s is None:
            return
        if exchange.status_code < 400:
            # Only foreseen: after the longest pause it is worth asking again.
            wait_s = min(wait_s, self._network.longest_pause_s)
        with state.lock:
            state.quiet_until = max(state.quiet_until, self._clock() + wait_s)

    def _answer_came(self, state: "_Host", exchange: Exchange) -> None:
        code = exchange.status_code
        if is_challenge(exchange):
            self._count_refusal(state, Status.BLOCKED_CHALLENGE, "answered with a bot check")
        elif code == 403 and exchange.mimetype in _WALL_TYPES:
            self._count_refusal(state, Status.FORBIDDEN, "refused access (HTTP 403)")
        elif code < 500 and code != 429 and not exchange.is_redirect and state.refusals:
            with state.lock:
                state.refusals = 0

    def _count_refusal(self, state: "_Host", status: Status, deed: str) -> None:
        with state.lock:
            state.refusals += 1
            if state.refusals < _WALL_AFTER:
                return
            # One more refusal after the wait is enough to wait again.
            state.refusals = _WALL_AFTER - 1
            state.wall_until = self._clock() + _WALL_S
            state.wall_status = status
            state.wall_words = (
                f"{state.name} {deed} {_WALL_AFTER} times in a row; no more requests are sent "
                f"{_in_words(_WALL_S)}."
            )


class Turn:
    """A request's turn at a host, which learns here from the answers."""

    def __init__(self, pace: Pace, state: "_Host") -> None:
        self._pace, self._state = pace, state

    def head_came(self, exchange: Exchange) -> None:
        """Learn what the headers of an answer ask for."""
        self._pace._head_came(self._state, exchange)

    def answer_came(self, exchange: Exchange) -> None:
        """Learn whether the host answered or put up a wall; a payload's body may be left out."""
        self._pace._answer_came(self._state, exchange)


class _Host:
    """What is known of a host. Moments are those of the pace's clock."""

    def __init__(self, name: str, width: int, interval_s: float) -> None:
        self.name = name
        self.lock = threading.Lock()
        self.payloads = threading.Semaphore(width)
        self.questions = threading.Semaphore(width)
        self.quiet_until = self.told_until = 0.0
        self.refusals = 0
        self.wall_until = 0.0
        self.wall_status, self.wall_words = Status.BLOCKED_CHALLENGE, ""
        self._interval_s = interval_s
        self._next = 0.0

    def booked(self, is_question: bool, now: float) -> float:
        """Take the next moment for a question and return it; a payload may go at once.

        This is the generic cell rate algorithm (ITU-T I.371, annex A) with its burst.
        """
        if not is_question or not self._interval_s:
            return 0.0
        with self.lock:
            self._next = max(self._next, now - (_BURST - 1) * self._interval_s)
            moment, self._next = self._next, self._next + self._interval_s
        return moment


def _bare_host(name: str) -> str:
    host, _, port = name.rpartition(":")
    return host if port.isdigit() else name


def _in_words(seconds: float) -> str:
    if seconds < 120:
        return f"for {seconds:.0f} seconds"
    if seconds < 2 * 86_400:
        return f"for {seconds / 60:.0f} minutes"
    return f"for {seconds / 86_400:.0f} days" if seconds < math.inf else "forever"
