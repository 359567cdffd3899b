# SPDX-License-Identifier: AGPL-3.0-or-later
"""The limit to how many bytes come in a second, over all transfers of a process: a token bucket.

Bytes are paid for after they came, since no one knows before how many will. So the bucket may be in
debt, and who reads waits until it is not; meanwhile the system's own buffers fill, and TCP has the
server slow down. The bucket holds little, so that no one may catch up for a pause.
"""

import threading
import time
from collections.abc import Callable

from carrel.hosts.pauses import LOOK_UP_S, stop_if

# How long a transfer may run ahead of its rate after a pause, in seconds.
_BURST_S = 0.1
# What is read at once is paid for in waits of about so long, so that progress is seen.
_PIECE_S = 0.25
_LEAST_BYTES = 1024
# A shorter wait is none that a clock can tell.
_LEAST_WAIT_S = 0.0005


class Bandwidth:
    """Shared by all threads that read. `rate` is in bytes per second, 0 for no limit."""

    def __init__(
        self,
        rate: int = 0,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._rate, self._now, self._sleep = rate, now, sleep
        self._lock = threading.Lock()
        self._tokens, self._filled_at = 0.0, now()

    @property
    def rate(self) -> int:
        return self._rate

    def limit(self, rate: int) -> None:
        """Have another rate hold from now on, also for those who wait. From any thread."""
        with self._lock:
            self._fill()
            self._rate, self._tokens = rate, 0.0

    @property
    def piece_bytes(self) -> int | None:
        """How many bytes are best read at once, None for as many as there are."""
        rate = self._rate
        return max(_LEAST_BYTES, int(rate * _PIECE_S)) if rate else None

    def spend(self, count: int, is_cancelled: Callable[[], bool]) -> None:
        """Pay for bytes that came: wait until as many might come. Raises Cancelled."""
        if not self._rate:
            return
        with self._lock:
            self._fill()
            self._tokens -= count
        while (wait_s := self._wait_s()) > _LEAST_WAIT_S:
            stop_if(is_cancelled)
            self._sleep(min(wait_s, LOOK_UP_S))

    def _wait_s(self) -> float:
        with self._lock:
            self._fill()
            return -self._tokens / self._rate if self._rate else 0.0

    def _fill(self) -> None:
        now = self._now()
        came = (now - self._filled_at) * self._rate
        self._tokens = min(self._tokens + came, self._rate * _BURST_S)
        self._filled_at = now
