# SPDX-License-Identifier: AGPL-3.0-or-later
"""How long a batch takes at least, where platforms count the calls that one makes.

The limits are what the platforms published, as each declares it (`platforms/about.py`); they
change, and what a server says while it is asked counts for more (`capture/throttle.py`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from carrel.model.counts import counted
from carrel.platforms.about import KnownLimit
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class Forecast:
    """How many calls go to a host, and what it allows; `limit` is None where nothing is known."""

    host: str
    calls: int
    limit: KnownLimit | None
    has_token: bool

    @property
    def per_hour(self) -> int | None:
        """How many calls an hour are open to us, None where nothing is known."""
        if self.limit is None:
            return None
        with_token = self.limit.per_hour_with_token
        return with_token if self.has_token and with_token else self.limit.per_hour

    @property
    def hours(self) -> float:
        """How many hours that takes at least; 0 where nothing is known."""
        return self.calls / self.per_hour if self.per_hour else 0.0

    def __str__(self) -> str:
        calls = tr("{calls} to {host}", calls=counted(self.calls, "request"), host=self.host)
        if self.limit is None or self.per_hour is None or self.calls <= self.per_hour:
            return calls
        token = tr("with your token") if self.has_token else tr("without a token")
        sentence = tr(
            "{calls}; {per_hour:,} an hour {token}: {in_words} at least",
            calls=calls,
            per_hour=self.per_hour,
            token=token,
            in_words=_in_words(self.hours),
        )
        better = self.limit.per_hour_with_token
        if better and not self.has_token:
            sentence += tr(", with a token {in_words}", in_words=_in_words(self.calls / better))
        return f"{sentence} ({self.limit.source}, {self.limit.as_of})"


def forecast(
    calls: Sequence[tuple[str, int]], has_token: Callable[[str], bool] = lambda host: False
) -> list[Forecast]:
    """Return a forecast for each host and its number of calls, what takes longest first."""
    from carrel.platforms.catalogue import limit_of  # loads all platforms: with the first forecast

    forecasts = [Forecast(host, count, limit_of(host), has_token(host)) for host, count in calls]
    return sorted(forecasts, key=lambda each: -each.hours)


def _in_words(hours: float) -> str:
    return (
        tr("{hours:.1f} hours", hours=hours)
        if hours >= 1
        else counted(max(1, round(hours * 60)), "minute")
    )
