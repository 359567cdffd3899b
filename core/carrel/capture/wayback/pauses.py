# SPDX-License-Identifier: AGPL-3.0-or-later
"""Waiting for a service that is far away and busy, always ready to stop."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from carrel.capture.client import Cancelled
from carrel.errors import IngestStop
from carrel.hosts.retry import RetryPolicy

T = TypeVar("T")

_LOOK_UP_S = 0.2
_LONGEST_PAUSE_S = 60.0


@dataclass(frozen=True, slots=True)
class Waiting:
    """How pauses are made. `poll_s` is the usual one, in seconds, and `tries` how often a question
    is put when the answer is a failure that may pass."""

    is_cancelled: Callable[[], bool]
    poll_s: float
    tries: int
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.monotonic

    def pause(self, seconds: float) -> None:
        """Wait. Raises Cancelled as soon as the person wishes to stop."""
        left = seconds
        while left > 0:
            self.stop_if_cancelled()
            self.sleep(min(left, _LOOK_UP_S))
            left -= _LOOK_UP_S
        self.stop_if_cancelled()

    def stop_if_cancelled(self) -> None:
        if self.is_cancelled():
            raise Cancelled

    def growing(self) -> Iterator[float]:
        """Yield pauses in seconds forever, each twice the one before, up to a minute."""
        pause_s = self.poll_s
        while True:
            yield min(pause_s, _LONGEST_PAUSE_S)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)

    def persist(self, ask: Callable[[], T]) -> T:
        """Return the answer to a question, put again where that may help.

        Raises what `ask` raised last, and Cancelled.
        """
        policy = RetryPolicy(self.tries, self.poll_s, self.sleep)
        for attempt in policy.attempts():
            self.stop_if_cancelled()
            try:
                return ask()
            except IngestStop as stop:
                if not attempt.may_repeat(stop):
                    raise
                attempt.wait(stop, self.is_cancelled)
        raise AssertionError("the last attempt may not repeat")
