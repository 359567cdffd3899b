# SPDX-License-Identifier: AGPL-3.0-or-later
"""How fast bytes arrive, and did."""

from collections import deque
from collections.abc import Sequence

WINDOW_S = 10.0
SHORTEST_S = 1.0
TELLING_S = 3.0  # less than that tells little of what will be
HISTORY_S = 120


class RateMeter:
    """Bytes a second over the last ten seconds."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def add(self, now: float, count: int) -> None:
        if count > 0:
            self._samples.append((now, count))

    def tells(self, now: float) -> bool:
        """Say whether bytes have come for so long that the rate says something of what will be."""
        self._forget(now)
        return bool(self._samples) and now - self._samples[0][0] >= TELLING_S

    def rate(self, now: float) -> float:
        """Return the rate at a moment of the same clock that `add` was given."""
        self._forget(now)
        if not self._samples:
            return 0.0
        moved = sum(count for _, count in self._samples)
        return moved / max(now - self._samples[0][0], SHORTEST_S)

    def _forget(self, now: float) -> None:
        while self._samples and self._samples[0][0] < now - WINDOW_S:
            self._samples.popleft()


class RateHistory:
    """The rate of each of the last 120 seconds, oldest first; seconds nobody told of were still."""

    def __init__(self) -> None:
        self._seconds: deque[float] = deque([0.0] * HISTORY_S, HISTORY_S)
        self._last: int | None = None

    def add(self, now: float, rate: float) -> None:
        """Take the rate at a moment; of several in one second the last counts."""
        second = int(now)
        missed = 1 if self._last is None else second - self._last
        if missed > 1:
            self._seconds.extend([0.0] * min(missed - 1, HISTORY_S))
        if missed > 0:
            self._seconds.append(rate)
        else:
            self._seconds[-1] = rate
        self._last = second

    @property
    def seconds(self) -> Sequence[float]:
        return self._seconds

    @property
    def highest(self) -> float:
        return max(self._seconds)
