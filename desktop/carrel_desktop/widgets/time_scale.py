# SPDX-License-Identifier: AGPL-3.0-or-later
"""The scale of the timeline: which span is shown, where a moment stands, and the ticks. No Qt."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from math import inf

from carrel_desktop.theme import space

MINUTE_S, HOUR_S, DAY_S = 60.0, 3600.0, 86400.0
MONTH_S, YEAR_S = 30.44 * DAY_S, 365.25 * DAY_S
LEAST_SPAN_S = 4 * MINUTE_S
LONE_SPAN_S = YEAR_S  # what is shown around captures that are of one moment
MARGIN = 0.02
LAST_YEAR = 9998
BEGINNING = datetime(1970, 1, 1)  # noqa: DTZ001  # seconds are counted in UTC throughout
LABEL_UNITS = 19  # grid steps that a tick's label wants


class Unit(Enum):
    """What the ticks count, with its length in seconds."""

    MINUTE = MINUTE_S
    HOUR = HOUR_S
    DAY = DAY_S
    MONTH = MONTH_S
    YEAR = YEAR_S


STEPS = (
    *((Unit.MINUTE, count) for count in (1, 5, 15, 30)),
    *((Unit.HOUR, count) for count in (1, 3, 6, 12)),
    *((Unit.DAY, count) for count in (1, 2, 7, 14)),
    *((Unit.MONTH, count) for count in (1, 3, 6)),
    *((Unit.YEAR, count) for count in (1, 2, 5, 10, 20, 50, 100, 500, 1000, 5000)),
)


@dataclass(frozen=True, slots=True)
class Tick:
    """A moment to mark, and what it is the beginning of."""

    seconds: float
    moment: datetime
    unit: Unit


class Scale:
    """The span shown, in seconds since 1970, within the whole span of the captures.

    `is_known` holds once there are captures. Time runs as words do: `is_mirrored` where that is
    from right to left.
    """

    def __init__(self) -> None:
        self._whole = (0.0, YEAR_S)
        self.start, self.end = self._whole
        self.is_zoomed = False
        self.is_known = False
        self.is_mirrored = False

    def cover(self, first: float, last: float, now: float = inf) -> None:
        """Have the whole span cover these moments; what is shown stays if one has zoomed in.

        Around a lone moment it does not go on beyond `now` by more than around others.
        """
        length = last - first
        margin = max(length * MARGIN, LEAST_SPAN_S / 2) if length else LONE_SPAN_S / 2
        most = max(last, now) + (margin if length else LONE_SPAN_S * MARGIN)
        self._whole = (first - margin, min(last + margin, most))
        if not self.is_zoomed:
            self.show_whole()

    def show_whole(self) -> None:
        self.start, self.end = self._whole
        self.is_zoomed = False

    def show(self, start: float, end: float) -> None:
        """Show a span, or what of it lies within the whole."""
        first, last = self._whole
        length = min(max(end - start, LEAST_SPAN_S), last - first)
        start = min(max((start + end - length) / 2, first), last - length)
        self.start, self.end = start, start + length
        self.is_zoomed = length < (last - first) * 0.999

    def zoom(self, factor: float, about: float) -> None:
        """Show so many times less, the moment `about` staying where it stands."""
        self.show(about - (about - self.start) / factor, about + (self.end - about) / factor)

    def move(self, share: float) -> None:
        """Go on by a share of what is shown."""
        by = (self.end - self.start) * share
        self.show(self.start + by, self.end + by)

    def reveal(self, seconds: float) -> None:
        """Have a moment in sight."""
        if not self.start <= seconds <= self.end:
            half = (self.end - self.start) / 2
            self.show(seconds - half, seconds + half)

    def x(self, seconds: float, width: int) -> float:
        """Return where a moment stands in a width of pixels."""
        x = (seconds - self.start) / (self.end - self.start) * width
        return width - x if self.is_mirrored else x

    def seconds(self, x: float, width: int) -> float:
        """Return the moment that stands at a place."""
        along = width - x if self.is_mirrored else x
        return self.start + (self.end - self.start) * along / max(1, width)

    def ticks(self, most: int) -> list[Tick]:
        """Return at most so many ticks, at round moments."""
        length = self.end - self.start
        unit, count = next(
            (step for step in STEPS if length / (step[0].value * step[1]) <= most), STEPS[-1]
        )
        ticks = []
        for moment in _moments(moment_of(self.start), unit, count):
            seconds = (moment - BEGINNING).total_seconds()
            if seconds > self.end or moment.year > LAST_YEAR:
                break
            if seconds >= self.start:
                ticks.append(Tick(seconds, moment, unit))
        return ticks


def _moments(start: datetime, unit: Unit, count: int) -> Iterator[datetime]:
    """Return round moments, ascending, from the last one before a moment."""
    if unit is Unit.YEAR:
        for year in range(max(1, start.year - start.year % count), LAST_YEAR + 2, count):
            yield datetime(year, 1, 1)  # noqa: DTZ001  # UTC throughout
    elif unit is Unit.MONTH:
        month = start.year * 12 + (start.month - 1) // count * count
        while month // 12 <= LAST_YEAR + 1:
            yield datetime(month // 12, month % 12 + 1, 1)  # noqa: DTZ001
            month += count
    else:
        step = timedelta(seconds=unit.value * count)
        moment = BEGINNING + (start - BEGINNING) // step * step
        while moment.year <= LAST_YEAR:
            yield moment
            moment += step


def tick_label(tick: Tick, after: Tick | None = None) -> str:
    """Return a tick in words: a year, a month, a day, or a time.

    A time has its year if that of the tick which is labelled before is another.
    """
    formats = {Unit.YEAR: "%Y", Unit.MONTH: "%Y-%m", Unit.DAY: "%Y-%m-%d"}
    if tick.unit in formats:
        return tick.moment.strftime(formats[tick.unit]).lstrip("0")
    if after is not None and after.moment.year == tick.moment.year:
        return tick.moment.strftime("%m-%d %H:%M")
    return tick.moment.strftime("%Y-%m-%d %H:%M").lstrip("0")


def most_ticks(width: int) -> int:
    return max(2, width // space(LABEL_UNITS))


def moment_of(seconds: float) -> datetime:
    """Return seconds since 1970 as a moment in UTC, naive; held to the years that there are."""
    least, most = -62_000_000_000, 253_000_000_000
    return BEGINNING + timedelta(seconds=max(least, min(most, seconds)))
