# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run learns of each host, and how it is treated: one request at a time, with a distance.

A host (with its port) that could not be reached three times in a row is left alone for the run, and
so is one that asks for a longer pause than is worth waiting for, until it is over.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from carrel.capture.attentive import stop_if
from carrel.capture.inside import is_loopback
from carrel.dark_archive.asking.robots import Robots

_DOWN_AFTER = 3
_LOOK_UP_S = 0.2
_PORTS = {"http": 80, "https": 443}


class Host:
    """One host. Threads may share it; moments are those of the clock."""

    def __init__(
        self,
        name: str,
        interval_s: float,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        self.name = name
        self.robots: Robots | None = None
        """What its robots.txt asks for, None while that is not known."""
        self.asking_robots = threading.Lock()
        self._clock, self._sleep = clock, sleep
        self._turn = threading.Lock()
        self._interval_s = interval_s
        self._free_at = self._quiet_until = 0.0
        self._failures = 0

    @property
    def free_at(self) -> float:
        """From which moment on it may be asked again."""
        return self._free_at

    @property
    def is_down(self) -> bool:
        return self._failures >= _DOWN_AFTER

    @property
    def has_failed(self) -> bool:
        return self._failures > 0

    @property
    def quiet_s(self) -> float:
        """How long it still wants to be left alone, in seconds; 0 if it does not."""
        return max(0.0, self._quiet_until - self._clock())

    def failed(self) -> None:
        """Note that it could not be reached."""
        self._failures += 1

    def answered(self) -> None:
        """Note that it answered, whatever it said."""
        self._failures = 0

    def be_quiet(self, seconds: float) -> None:
        """Note that it wants to be left alone so long."""
        self._quiet_until = max(self._quiet_until, self._clock() + seconds)

    @contextmanager
    def turn(self, is_cancelled: Callable[[], bool], *, keeps_distance: bool) -> Iterator[None]:
        """Wait until nobody else asks and the distance is kept, and keep others out meanwhile.

        What does not keep its distance itself begins no new one. Raises Cancelled.
        """
        while not self._turn.acquire(timeout=_LOOK_UP_S):
            stop_if(is_cancelled)
        try:
            while (left_s := self._free_at - self._clock()) > 0:
                stop_if(is_cancelled)
                self._sleep(min(left_s, _LOOK_UP_S))
            yield
        finally:
            if keeps_distance:
                self._free_at = self._clock() + self._distance_s
            self._turn.release()

    @property
    def _distance_s(self) -> float:
        if is_loopback(self.name.rpartition(":")[0]):
            return 0.0
        return max(self._interval_s, self.robots.delay_s if self.robots else 0.0)


class Hosts:
    """All hosts of a run. `interval_s` is the least distance between two requests to one."""

    def __init__(
        self,
        interval_s: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._interval_s, self._clock, self._sleep = interval_s, clock, sleep
        self._lock = threading.Lock()
        self._hosts: dict[str, Host] = {}

    def of(self, url: str) -> Host:
        """Return the host of an address, always the same one."""
        name = host_name(url)
        with self._lock:
            if name not in self._hosts:
                self._hosts[name] = Host(name, self._interval_s, self._clock, self._sleep)
            return self._hosts[name]


def host_name(url: str) -> str:
    """Return the host of an address with its port, in lower case; "" if there is none."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return ""
    return f"{host}:{port or _PORTS.get(parts.scheme, 0)}" if host else ""
