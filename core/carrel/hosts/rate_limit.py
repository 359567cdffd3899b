# SPDX-License-Identifier: AGPL-3.0-or-later
"""How often a host may be asked: the generic cell rate algorithm (ITU-T I.371, annex A)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RateLimit:
    """So many requests may follow each other at once, one every `interval_s` seconds after that."""

    burst: int
    interval_s: float

    @classmethod
    def of(cls, requests: int, seconds: float) -> "RateLimit":
        """Return a limit that lets no more than these requests through in any such span."""
        burst = max(1, requests // 4)
        return cls(burst, seconds / max(1, requests - burst + 1))

    def next_use(self, used_until: float, now: float, longest_s: float) -> tuple[float, float]:
        """Return when the next request may go, and until when the limit is used then.

        What no clock that runs forward can have left behind does not bind: no one who waits for no
        longer than `longest_s` has booked so far ahead.
        """
        most = now + longest_s + self.burst * self.interval_s + 1
        used_until = max(used_until, now) if used_until <= most else now
        moment = max(now, used_until - (self.burst - 1) * self.interval_s)
        return moment, used_until + self.interval_s
