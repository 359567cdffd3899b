# SPDX-License-Identifier: AGPL-3.0-or-later
"""Telling a transfer that is slow from one that stands still.

Only the time that is spent waiting for the network counts: a reader that was held up itself, by a
full disk for one, does not take its own pause for the server's.
"""

from carrel.errors import CarrelError
from carrel.translation import tr


class TooSlow(CarrelError):
    """So few bytes came in so long that it comes to nothing; says so for people."""


class Throughput:
    """Watches one transfer. `min_rate` is in bytes per second, 0 for none; `window_s` in seconds.

    A transfer above the rate may go on for days.
    """

    def __init__(self, min_rate: float, window_s: float) -> None:
        self._min_rate, self._window_s = min_rate, window_s
        self._received, self._waited_s = 0, 0.0
        self.silent_s = 0.0
        """How long nothing has come, waiting all the time."""

    def took(self, count: int, seconds: float) -> None:
        """Note that waiting so long brought so many bytes. Raises TooSlow."""
        self.silent_s = 0.0 if count else self.silent_s + seconds
        self._received += count
        self._waited_s += seconds
        if self._waited_s < self._window_s:
            return
        received, waited_s = self._received, self._waited_s
        self._received, self._waited_s = 0, 0.0
        if received < self._min_rate * waited_s:
            raise TooSlow(
                tr(
                    "sent only {received:,} bytes in {waited_s:.0f} seconds",
                    received=received,
                    waited_s=waited_s,
                )
            )
