# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run learns of each host, and how it is treated: one request at a time, with a distance.

A host (with its port) that could not be reached three times in a row is left alone for the run.
How often it is asked, and until when it asks to be left alone, outlives the run.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from urllib.parse import urlsplit

import httpx

from carrel.hosts.inside import is_loopback
from carrel.hosts.limiter import RateLimiter, host_in
from carrel.hosts.pauses import held, wait
from carrel.hosts.rate_limit import RateLimit
from carrel.hosts.robots import Robots
from carrel.model.iso_time import full_minute

# A longer pause than this, in seconds, is not waited for: the host is left alone until it is over.
LONGEST_PAUSE_S = 60.0
_DOWN_AFTER = 3
_PURPOSE = "full-text"
_PORTS = {"http": 80, "https": 443}


class Host:
    """One host. Threads may share it. `address` is how the limiter knows it."""

    def __init__(
        self,
        name: str,
        address: str,
        interval_s: float,
        limiter: RateLimiter,
        sleep: Callable[[float], None],
    ) -> None:
        self.name, self._address = name, address
        self.robots: Robots | None = None
        """What its robots.txt asks for, None while that is not known."""
        self.asking_robots = threading.Lock()
        self._limiter, self._sleep = limiter, sleep
        self._turn = threading.Lock()
        self._interval_s = interval_s
        self._failures = 0
        self._has_answered = False

    @property
    def wait_s(self) -> float:
        """How long a request would have to wait, in seconds; a host left alone has none."""
        if self.is_left_alone:
            return 0.0
        return max(0.0, self._free_at() - self._limiter.seconds(), self.quiet_s)

    @property
    def is_down(self) -> bool:
        return self._failures >= _DOWN_AFTER

    @property
    def has_failed(self) -> bool:
        return self._failures > 0

    @property
    def has_answered(self) -> bool:
        """Whether it answered anything in this run."""
        return self._has_answered

    @property
    def is_left_alone(self) -> bool:
        return self.quiet_s > LONGEST_PAUSE_S

    @property
    def quiet_s(self) -> float:
        """How long it still wants to be left alone, in seconds; 0 if it does not.

        One behind a wall has not asked for anything: its requests end with what the wall says.
        """
        state = self._limiter.state(self._address)
        if state.refused_as is not None:
            return 0.0
        return max(0.0, state.rests_until - self._limiter.seconds())

    @property
    def quiet_until(self) -> datetime:
        """The full minute after which it no longer wants to be left alone."""
        return full_minute(self._limiter.seconds() + self.quiet_s)

    def failed(self) -> None:
        """Note that it could not be reached."""
        self._failures += 1

    def answered(self) -> None:
        """Note that it answered, whatever it said."""
        self._failures = 0
        self._has_answered = True

    @contextmanager
    def turn(self, is_cancelled: Callable[[], bool], *, keeps_distance: bool) -> Iterator[None]:
        """Wait until no one else asks and the distance is kept, and keep others out meanwhile.

        What does not keep its distance itself begins no new one. Raises Cancelled.
        """
        limiter = self._limiter
        with held(self._turn, is_cancelled):
            free_at = self._booked() if keeps_distance else self._free_at()
            try:
                wait(lambda: free_at - limiter.seconds(), is_cancelled, self._sleep)
                yield
            finally:
                if keeps_distance and self._distance_s:
                    limiter.keep_free(self._address, _PURPOSE, self._distance_s)

    def _free_at(self) -> float:
        return self._limiter.free_at(self._address, _PURPOSE) if self._distance_s else 0.0

    def _booked(self) -> float:
        if not self._distance_s:
            return 0.0
        return self._limiter.book(self._address, _PURPOSE, RateLimit(1, self._distance_s))

    @property
    def _distance_s(self) -> float:
        if is_loopback(host_in(self._address)):
            return 0.0
        return max(self._interval_s, self.robots.delay_s if self.robots else 0.0)


class Hosts:
    """All hosts of a run. `interval_s` is the least distance between two requests to one."""

    def __init__(
        self,
        interval_s: float,
        limiter: RateLimiter,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._interval_s, self._limiter, self._sleep = interval_s, limiter, sleep
        self._lock = threading.Lock()
        self._hosts: dict[str, Host] = {}

    def of(self, url: str) -> Host:
        """Return the host of an address, always the same one."""
        name = host_name(url)
        with self._lock:
            if name not in self._hosts:
                address = _address(url)
                self._hosts[name] = Host(
                    name, address, self._interval_s, self._limiter, self._sleep
                )
            return self._hosts[name]


def host_name(url: str) -> str:
    """Return the host of an address with its port, in lower case; "" if there is none."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return ""
    return f"{host}:{port or _PORTS.get(parts.scheme, 0)}" if host else ""


def _address(url: str) -> str:
    """Return a host as the client names it: with its port if that is not the usual one."""
    try:
        return httpx.URL(url).netloc.decode("ascii")
    except (httpx.InvalidURL, UnicodeError):
        return ""
