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
from datetime import UTC, datetime
from weakref import WeakSet

from carrel.errors import SourceTrouble
from carrel.hosts import backoff
from carrel.hosts.backoff import BackOff
from carrel.hosts.inside import is_loopback
from carrel.hosts.limiter import RateLimiter, host_in
from carrel.hosts.rate_limit import RateLimit
from carrel.ledger.hosts import HostState, HostStore
from carrel.model import SourceState
from carrel.model.iso_time import full_minute
from carrel.translation import tr

# So many failures in a row, and an endpoint rests: at first so long, then longer up to the longest.
_BACK_OFF = BackOff(after=3, first_s=30.0, longest_s=3600.0)
# However long a server asks to be left alone, it is asked again the next day.
_LONGEST_ASKED_S = 86_400.0
_COUNT_AS_FAILURES = (
    SourceState.TIMED_OUT,
    SourceState.UNREACHABLE,
    SourceState.FAILED,
    SourceState.INTERRUPTED,
)
# A caller has a deadline of its own, which is shorter as a rule.
_LONGEST_WAIT_S = 10.0

LOOKUP, MEMENTO, LIVE = "lookup", "memento", "live"
Budgets = Mapping[str, Mapping[str, tuple[int, float]]]


# Hosts of which nothing is known.
_UNKNOWN = RateLimit(10, 1.0)
_DEFAULTS = {LOOKUP: _UNKNOWN, MEMENTO: RateLimit(20, 0.5)}


class _Nobody: ...


_NOBODY = _Nobody()


class ArchiveThrottle:
    """Shared by all look-ups of a loop; `address` is the template of an endpoint.

    `budgets` are requests and seconds by host and purpose. Without a store nothing outlives the
    process. `now` is the wall's clock.
    """

    def __init__(
        self,
        store: HostStore | None = None,
        budgets: Budgets | None = None,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        longest_wait_s: float = _LONGEST_WAIT_S,
    ) -> None:
        self.limiter = RateLimiter(lambda: store or HostStore(), now=now)
        self._budgets = {
            (host.lower(), purpose): RateLimit.of(*budget)
            for host, purposes in (budgets or {}).items()
            for purpose, budget in purposes.items()
        }
        self._sleep, self._longest_wait_s = sleep, longest_wait_s
        self._doors: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        # Who gave up waiting for a turn stays here: the archive was never asked, and is not late.
        self._waiting: WeakSet[object] = WeakSet()

    @asynccontextmanager
    async def turn(self, url: str, purpose: str) -> AsyncIterator[None]:
        """Wait until the budget of a URL's host allows one more request, and keep its turn.

        Raises SourceTrouble (resting) where that takes longer than anyone waits.
        """
        host = host_in(url)
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
        message = tr(
            "{host_in} was skipped; no requests until {clock}: {reason}",
            host_in=host_in(address),
            clock=_clock(until),
            reason=known.reason,
        )
        raise SourceTrouble(SourceState.RESTING, message, until)

    def failed(self, address: str, trouble: SourceTrouble, patience_s: float | None = None) -> None:
        """Learn that an endpoint timed out, was unreachable or refused, and until when it asks.

        `patience_s` is how long the question could wait.
        """
        is_ours = trouble.state is SourceState.TIMED_OUT and _current_task() in self._waiting
        if not address or is_ours:
            return
        now = self.limiter.seconds()
        if trouble.until is not None:
            until = min(trouble.until.timestamp(), now + _LONGEST_ASKED_S)
            self.limiter.change(address, lambda known: backoff.asked(known, until, str(trouble)))
        elif trouble.state in _COUNT_AS_FAILURES:
            late_s = patience_s if trouble.state is SourceState.TIMED_OUT else None
            self.limiter.change(
                address, lambda known: backoff.failed(known, now, _BACK_OFF, late_s)
            )

    def answered(self, address: str) -> None:
        """Learn that an endpoint answers."""
        if address:
            self.limiter.forget(address)

    def resting_until(self, address: str) -> datetime | None:
        """Return how long an endpoint is left alone, None if it may be asked."""
        known = self._resting(address)
        return datetime.fromtimestamp(known.rests_until, UTC) if known else None

    def now(self) -> datetime:
        return self.limiter.now()

    @property
    def store(self) -> HostStore:
        return self.limiter.store

    def _resting(self, address: str) -> HostState | None:
        """Return what is known of an endpoint that rests. No rest is longer than a day."""
        if not address:
            return None
        known = self.limiter.state(address)
        return known if 0 < known.rests_until - self.limiter.seconds() <= _LONGEST_ASKED_S else None

    async def _await_budget(self, host: str, purpose: str) -> None:
        budget = self._budgets.get((host, purpose)) or _DEFAULTS.get(purpose, _UNKNOWN)
        moment = self.limiter.book(host, purpose, budget, self._longest_wait_s)
        wait_s = moment - self.limiter.seconds()
        if wait_s > self._longest_wait_s:
            until = datetime.fromtimestamp(moment, UTC)
            words = tr("{host} was skipped: its request limit is reached.", host=host)
            message = tr(
                "{words} It can be queried again at {clock}.", words=words, clock=_clock(until)
            )
            raise SourceTrouble(SourceState.RESTING, message, until)
        if wait_s > 0:
            await self._sleep_or_give_back(wait_s, host, purpose, budget)

    async def _sleep_or_give_back(
        self, wait_s: float, host: str, purpose: str, budget: RateLimit
    ) -> None:
        try:
            await self._sleep(wait_s)
        except asyncio.CancelledError:
            # Who gave up waiting has asked nothing.
            self.limiter.give_back(host, purpose, budget)
            raise


def _current_task() -> object:
    """Return who is running, no one outside of a loop."""
    try:
        return asyncio.current_task() or _NOBODY
    except RuntimeError:
        return _NOBODY


def _clock(moment: datetime) -> str:
    """Return a moment for people, to the minute, and not before it."""
    return tr("{moment:%H:%M} UTC", moment=full_minute(moment.timestamp()))
