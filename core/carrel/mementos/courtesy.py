# SPDX-License-Identifier: AGPL-3.0-or-later
"""How archives are treated: what each can bear, when one is left alone, and for how long.

Three rules:
- each host has a budget per purpose, of which a quarter may be used at once;
- look-ups at one host follow each other;
- an endpoint that failed three times in a row rests, for longer each time, and one that asks to be
  left alone is.

What is learnt outlives the process. This machine's own servers have no budgets and answer as many
look-ups at once as they like; what is learnt of them is forgotten with the process.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from weakref import WeakSet

from carrel.capture.inside import is_loopback
from carrel.errors import SourceTrouble
from carrel.ledger.remote_archives import Endpoint, RemoteArchives
from carrel.model import SourceState

# So many failures in a row, and an endpoint rests: at first so long, then longer up to the longest.
_RESTS_AFTER = 3
_FIRST_REST_S = 30.0
_LONGEST_REST_S = 3600.0
# However long a server asks to be left alone, it is asked again the next day.
_LONGEST_ASKED_S = 86_400.0
_COUNT_AS_FAILURES = (SourceState.TIMED_OUT, SourceState.UNREACHABLE)
# A caller has a deadline of its own, which is shorter as a rule.
_LONGEST_WAIT_S = 10.0

LOOKUP, MEMENTO, LIVE = "lookup", "memento", "live"
Budgets = Mapping[str, Mapping[str, tuple[int, float]]]


@dataclass(frozen=True, slots=True)
class Budget:
    """So many requests may follow each other at once, one every `interval_s` seconds after that."""

    burst: int
    interval_s: float

    @classmethod
    def of(cls, requests: int, seconds: float) -> "Budget":
        """Return a budget that lets no more than these requests through in any such span."""
        burst = max(1, requests // 4)
        return cls(burst, seconds / max(1, requests - burst + 1))

    def next_use(self, used_until: float, now: float, longest_s: float) -> tuple[float, float]:
        """Return when the next request may go, and until when the budget is used then.

        This is the generic cell rate algorithm (ITU-T I.371, annex A). What no clock that runs
        forward can have left behind does not bind.
        """
        most = now + longest_s + self.burst * self.interval_s + 1
        used_until = max(used_until, now) if used_until <= most else now
        moment = max(now, used_until - (self.burst - 1) * self.interval_s)
        return moment, used_until + self.interval_s


# Hosts of which nothing is known.
_UNKNOWN = Budget(10, 1.0)
_DEFAULTS = {LOOKUP: _UNKNOWN, MEMENTO: Budget(20, 0.5)}


class _Nobody: ...


_NOBODY = _Nobody()


class Courtesy:
    """Shared by all look-ups of a loop; `address` is the template of an endpoint.

    `budgets` are requests and seconds by host and purpose. Without a store nothing outlives the
    process. `now` is the wall's clock.
    """

    def __init__(
        self,
        store: RemoteArchives | None = None,
        budgets: Budgets | None = None,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        longest_wait_s: float = _LONGEST_WAIT_S,
    ) -> None:
        self._memory = RemoteArchives()
        self.store = store or self._memory
        self._budgets = {
            (host.lower(), purpose): Budget.of(*budget)
            for host, purposes in (budgets or {}).items()
            for purpose, budget in purposes.items()
        }
        self._now, self._sleep, self._longest_wait_s = now, sleep, longest_wait_s
        self._doors: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        # Who gave up waiting for a turn stays here: the archive was never asked, and is not late.
        self._waiting: WeakSet[object] = WeakSet()

    @asynccontextmanager
    async def turn(self, url: str, purpose: str) -> AsyncIterator[None]:
        """Wait until the budget of a URL's host allows one more request, and keep its turn.

        Raises SourceTrouble (resting) where that takes longer than anybody waits.
        """
        host = _host(url)
        if purpose == LIVE or is_loopback(host):
            yield
            return
        task = _current_task()
        self._waiting.add(task)
        async with self._doors[host] if purpose == LOOKUP else nullcontext():
            await self._await_budget(host, purpose)
            self._waiting.discard(task)
            yield

    def check(self, address: str, patience_s: float | None = None) -> None:
        """Raise SourceTrouble (resting) for an endpoint that is left alone for now.

        `patience_s` is how long the question can wait. One that was too slow for those in a hurry
        may still be asked by who has more time.
        """
        known = self._resting(address)
        if known is None:
            return
        is_more_patient = patience_s is not None and known.patience_s is not None
        if is_more_patient and (patience_s or 0.0) > (known.patience_s or 0.0):
            return
        until = datetime.fromtimestamp(known.rests_until, UTC)
        message = f"{_host(address)} was skipped; no requests until {_clock(until)}: {known.reason}"
        raise SourceTrouble(SourceState.RESTING, message, until)

    def failed(self, address: str, trouble: SourceTrouble, patience_s: float | None = None) -> None:
        """Learn that an endpoint timed out, was unreachable or refused, and until when it asks.

        `patience_s` is how long the question could wait.
        """
        is_ours = trouble.state is SourceState.TIMED_OUT and _current_task() in self._waiting
        if not address or is_ours:
            return
        if trouble.until is not None:
            self._store_for(address).note(address, lambda known: self._as_asked(known, trouble))
        elif trouble.state in _COUNT_AS_FAILURES:
            late_s = patience_s if trouble.state is SourceState.TIMED_OUT else None
            self._store_for(address).note(address, lambda known: self._once_more(known, late_s))

    def answered(self, address: str) -> None:
        """Learn that an endpoint answers."""
        if address and self._store_for(address).endpoint(address) is not None:
            self._store_for(address).forget(address)

    def resting_until(self, address: str) -> datetime | None:
        """Return how long an endpoint is left alone, None if it may be asked."""
        known = self._resting(address)
        return datetime.fromtimestamp(known.rests_until, UTC) if known else None

    def now(self) -> datetime:
        return self._now()

    def _resting(self, address: str) -> Endpoint | None:
        """Return what is known of an endpoint that rests. No rest is longer than a day."""
        known = self._store_for(address).endpoint(address) if address else None
        left_s = known.rests_until - self._seconds() if known else 0.0
        return known if 0 < left_s <= _LONGEST_ASKED_S else None

    async def _await_budget(self, host: str, purpose: str) -> None:
        budget = self._budgets.get((host, purpose)) or _DEFAULTS.get(purpose, _UNKNOWN)
        moment = self._book(host, purpose, budget)
        wait_s = moment - self._seconds()
        if wait_s > self._longest_wait_s:
            until = datetime.fromtimestamp(moment, UTC)
            words = f"{host} was skipped: its request limit is reached."
            message = f"{words} It can be queried again at {_clock(until)}."
            raise SourceTrouble(SourceState.RESTING, message, until)
        if wait_s > 0:
            await self._sleep_or_give_back(wait_s, host, purpose, budget)

    def _book(self, host: str, purpose: str, budget: Budget) -> float:
        def next_use(used_until: float) -> tuple[float, float | None]:
            now = self._seconds()
            moment, then = budget.next_use(used_until, now, self._longest_wait_s)
            return moment, then if moment - now <= self._longest_wait_s else None

        return self.store.book(host, purpose, next_use)

    async def _sleep_or_give_back(
        self, wait_s: float, host: str, purpose: str, budget: Budget
    ) -> None:
        try:
            await self._sleep(wait_s)
        except asyncio.CancelledError:
            # Who gave up waiting has asked nothing.
            interval_s = budget.interval_s
            self.store.book(host, purpose, lambda used_until: (0.0, used_until - interval_s))
            raise

    def _as_asked(self, known: Endpoint | None, trouble: SourceTrouble) -> Endpoint:
        asked_until = (trouble.until or self._now()).timestamp()
        rests_until = min(asked_until, self._seconds() + _LONGEST_ASKED_S)
        return Endpoint(known.failures if known else 0, rests_until, str(trouble))

    def _once_more(self, known: Endpoint | None, late_s: float | None) -> Endpoint:
        """Return what is known after one more failure; `late_s` is how long it was waited for."""
        failures = known.failures + 1 if known else 1
        return Endpoint(
            failures,
            max(known.rests_until if known else 0.0, self._seconds() + _rest_s(failures)),
            f"it failed {failures} times in a row.",
            _longer(known.patience_s, late_s) if known else late_s,
        )

    def _store_for(self, address: str) -> RemoteArchives:
        return self._memory if is_loopback(_host(address)) else self.store

    def _seconds(self) -> float:
        return self._now().timestamp()


def _current_task() -> object:
    """Return who is running, nobody outside of a loop."""
    try:
        return asyncio.current_task() or _NOBODY
    except RuntimeError:
        return _NOBODY


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return url


def _rest_s(failures: int) -> float:
    if failures < _RESTS_AFTER:
        return 0.0
    doublings = min(failures - _RESTS_AFTER, 20)
    return min(_FIRST_REST_S * float(1 << doublings), _LONGEST_REST_S)


def _longer(one: float | None, other: float | None) -> float | None:
    """Return the longer patience; None, if time was not the only matter."""
    return None if one is None or other is None else max(one, other)


def _clock(moment: datetime) -> str:
    """Return a moment for people, to the minute, and not before it."""
    return f"{moment + timedelta(seconds=59):%H:%M} UTC"
