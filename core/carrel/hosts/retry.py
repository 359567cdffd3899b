# SPDX-License-Identifier: AGPL-3.0-or-later
"""Trying again: only what may help, with growing pauses and some chance, and when the server says.

Pauses double from `first_pause_s`, plus up to a quarter by chance, so that many clients do not come
back at once. A `Retry-After` (RFC 9110, 10.2.3) is obeyed as long as it is bearable.
"""

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from carrel.errors import IngestStop
from carrel.hosts.pauses import LOOK_UP_S
from carrel.model.http_date import moment_of

# No one means to send a client away for longer: who says so has made a mistake.
LONGEST_ASKED_S = 7 * 24 * 3600.0
# Where doubling ends.
LONGEST_PAUSE_S = 120.0

TOO_MANY_REQUESTS = (420, 429)
"""As RFC 6585, 4, has it, and "Enhance Your Calm", in use before it (GBIF)."""
# Timeout and too early (RFC 9110, 15.5.9; RFC 8470, 5.2), too many requests.
_PASSING_4XX = frozenset({408, 425, *TOO_MANY_REQUESTS})
# Not implemented, wrong version of HTTP, log in to the network first: the same tomorrow.
_LASTING_5XX = frozenset({501, 505, 511})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often to try, and how long to wait before the second time, in seconds.

    A server that asks for a pause longer than `longest_pause_s` is left alone.
    """

    tries: int = 4
    first_pause_s: float = 0.5
    sleep: Callable[[float], None] = time.sleep
    longest_pause_s: float = 3600.0

    def attempts(self) -> Iterator["Attempt"]:
        for number in range(self.tries):
            yield Attempt(self, number)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try; `number` counts from 0."""

    policy: RetryPolicy
    number: int

    def may_repeat(self, stop: IngestStop) -> bool:
        """Say whether a retry is left, may help, and need not wait longer than is bearable."""
        is_last = self.number + 1 >= self.policy.tries
        if is_last or not stop.may_repeat:
            return False
        return (stop.retry_after_s or 0.0) <= self.policy.longest_pause_s

    def pause_s(self, stop: IngestStop) -> float:
        if stop.retry_after_s is not None:
            return stop.retry_after_s
        pause = doubled(self.policy.first_pause_s, self.number, LONGEST_PAUSE_S)
        return min(pause * random.uniform(1, 1.25), LONGEST_PAUSE_S)  # noqa: S311 - no secret

    async def pause(self, stop: IngestStop, is_cancelled: Callable[[], bool]) -> None:
        """Wait as `wait` does, and let others work meanwhile."""
        await asyncio.to_thread(self.wait, stop, is_cancelled)

    def wait(self, stop: IngestStop, is_cancelled: Callable[[], bool]) -> None:
        """Wait before the next try; a wish to stop ends the waiting."""
        left = self.pause_s(stop)
        while left > 0 and not is_cancelled():
            self.policy.sleep(min(left, LOOK_UP_S))
            left -= LOOK_UP_S


def doubled(first_s: float, times: int, longest_s: float) -> float:
    """Return a pause that was doubled so many times, up to the longest, in seconds."""
    return min(first_s * float(1 << min(times, 60)), longest_s)


def may_pass(status_code: int) -> bool:
    """Say whether a retry may find a status of 400 or more gone."""
    return status_code in _PASSING_4XX or (status_code >= 500 and status_code not in _LASTING_5XX)


def retry_after_s(value: str | None, now: datetime | None = None) -> float | None:
    """Return a Retry-After header in seconds from now, None if there is none to understand.

    More than a week is not valid either.
    """
    wait_s = _said(value.strip(), now or datetime.now(UTC)) if value is not None else None
    return None if wait_s is None or wait_s > LONGEST_ASKED_S else wait_s


def _said(text: str, now: datetime) -> float | None:
    if text.isascii() and text.isdigit():
        return float(text)
    moment = moment_of(text)
    return None if moment is None else max(0.0, (moment - now).total_seconds())
