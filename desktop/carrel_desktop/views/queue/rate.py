# SPDX-License-Identifier: AGPL-3.0-or-later
"""How fast bytes arrive."""

from collections import deque

WINDOW_S = 10.0
SHORTEST_S = 1.0


class RateMeter:
    """Bytes a second over the last ten seconds."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def add(self, now: float, count: int) -> None:
        if count > 0:
            self._samples.append((now, count))

    def rate(self, now: float) -> float:
        """Return the rate at a moment of the same clock that `add` was given."""
        while self._samples and self._samples[0][0] < now - WINDOW_S:
            self._samples.popleft()
        if not self._samples:
            return 0.0
        moved = sum(count for _, count in self._samples)
        return moved / max(now - self._samples[0][0], SHORTEST_S)
