# SPDX-License-Identifier: AGPL-3.0-or-later
"""When each host may be asked, and until when it is left alone: one book for all who ask hosts.

It waits for nothing and asks no one. What it knows outlives the process if its store does; what is
known of this machine's own servers is forgotten with the process.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from time import monotonic
from urllib.parse import urlsplit

from carrel.hosts.inside import is_loopback
from carrel.hosts.rate_limit import RateLimit
from carrel.hosts.retry import LONGEST_ASKED_S
from carrel.ledger.hosts import HostState, HostStore

# No one books further ahead, in seconds.
_LONGEST_QUEUE_S = 600.0
# So long what other processes learn may go unnoticed, in seconds.
_FRESH_S = 0.5


@dataclass(frozen=True, slots=True)
class _Read:
    """A state as it was read, and when by the process's clock."""

    state: HostState
    at: float


class RateLimiter:
    """Threads may share it, and processes its store, which is opened when it is first needed.

    An address is that of a host, with its port if that is not the usual one, or a URL. `now` is the
    wall's clock, aware: what is kept is read by other processes.
    """

    def __init__(
        self,
        open_store: Callable[[], HostStore] = HostStore,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._open_store, self._now = open_store, now
        self._opening = threading.Lock()
        self._read: dict[str, _Read] = {}

    @property
    def store(self) -> HostStore:
        """What is known of all hosts but this machine."""
        with self._opening:
            return self._opened

    @cached_property
    def _opened(self) -> HostStore:
        store = self._open_store()
        store.forget_before(self.seconds() - LONGEST_ASKED_S)
        return store

    @cached_property
    def _memory(self) -> HostStore:
        return HostStore()

    def now(self) -> datetime:
        return self._now()

    def seconds(self) -> float:
        """Return the moment that it is now, in seconds since 1970."""
        return self._now().timestamp()

    def book(
        self, host: str, purpose: str, limit: RateLimit, longest_s: float = _LONGEST_QUEUE_S
    ) -> float:
        """Return when the next request for a purpose may go, in seconds since 1970.

        Its place is taken, unless that is more than `longest_s` ahead.
        """

        def next_use(used_until: float) -> tuple[float, float | None]:
            now = self.seconds()
            moment, then = limit.next_use(used_until, now, longest_s)
            return moment, then if moment - now <= longest_s else None

        return self._store_for(host).book(host, purpose, next_use)

    def give_back(self, host: str, purpose: str, limit: RateLimit) -> None:
        """Free a place that was booked, by who has asked nothing in it."""

        def earlier(used_until: float) -> tuple[float, float | None]:
            return 0.0, used_until - limit.interval_s

        self._store_for(host).book(host, purpose, earlier)

    def keep_free(self, host: str, purpose: str, interval_s: float) -> None:
        """Let no request for a purpose go before so many seconds from now."""

        def later(used_until: float) -> tuple[float, float | None]:
            return 0.0, self.seconds() + interval_s

        self._store_for(host).book(host, purpose, later)

    def free_at(self, host: str, purpose: str) -> float:
        """Return from when on a host is free for a purpose, in seconds since 1970."""

        def look(used_until: float) -> tuple[float, float | None]:
            is_possible = used_until <= self.seconds() + _LONGEST_QUEUE_S
            return used_until if is_possible else 0.0, None

        return self._store_for(host).book(host, purpose, look)

    def state(self, address: str) -> HostState:
        """Return how a host or an endpoint has fared. No rest is longer than anyone asks for."""
        known = self._known(address)
        if known.rests_until and known.rests_until - self.seconds() > LONGEST_ASKED_S:
            return replace(known, rests_until=0.0)
        return known

    def change(self, address: str, change: Callable[[HostState], HostState]) -> None:
        """Learn how a host or an endpoint has fared."""
        new = self._store_for(address).change(address, change)
        self._read[address] = _Read(new, monotonic())

    def forget(self, address: str) -> None:
        """Know nothing against a host or an endpoint any more."""
        if self._known(address) != HostState():
            self._store_for(address).forget(address)
            self._read.pop(address, None)

    def _known(self, address: str) -> HostState:
        """Return what the store knows, or knew a moment ago: each request asks for it."""
        read = self._read.get(address)
        if read is None or monotonic() - read.at > _FRESH_S:
            state = self._store_for(address).state(address) or HostState()
            read = self._read[address] = _Read(state, monotonic())
        return read.state

    def _store_for(self, address: str) -> HostStore:
        if not _is_here(address):
            return self.store
        with self._opening:
            return self._memory


@lru_cache(maxsize=1024)
def _is_here(address: str) -> bool:
    return is_loopback(host_in(address))


def host_in(address: str) -> str:
    """Return the bare host of a URL, or of a host with its port."""
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        return (parts.hostname or "").rstrip(".")
    except ValueError:
        return address
