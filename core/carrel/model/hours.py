# SPDX-License-Identifier: AGPL-3.0-or-later
"""Hours of the week: "22:00-06:00", "Mon-Fri 22:00-06:00, Sat-Sun 00:00-24:00".

They are those of the clock on the wall. A day is the one on which its hours begin; hours that end
before they begin end on the next day. None end when they begin: a whole day is "00:00-24:00".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_DAY = f"(?:{'|'.join(_NAMES)})"
_TIME = r"(?:[01]?[0-9]|2[0-3]):[0-5][0-9]"


def _span_like(name: str) -> str:
    """Return what a span matches. "08:00-08:00" is none: a whole day, or nothing, may be meant."""
    same = rf"0?(?P<{name}>\d?\d:\d\d)-0?(?P={name})"
    return rf"(?:{_DAY}(?:-{_DAY})? )?(?!{same}){_TIME}-(?:{_TIME}|24:00)"


PATTERN = rf"(?:{_span_like('first')}(?:, ?{_span_like('further')})*)?"
"""What a text of hours matches; the empty one stands for all hours."""
_PARTS = re.compile(rf"(?:({_DAY})(?:-({_DAY}))? )?(\d+):(\d+)-(\d+):(\d+)")
_DAY_LONG = timedelta(days=1)
# All that can be asked about a week is seen in this many days from yesterday on.
_SEEN_DAYS = 10


@dataclass(frozen=True, slots=True)
class _Span:
    """Hours that begin on some days, in minutes since midnight; `end` may be on the next day."""

    days: frozenset[int]
    begin: int
    end: int


class Hours:
    """Hours of the week, in a time zone; None stands for that of this machine.

    A time that a clock passes twice, when summer ends, is the first of the two; one that it leaves
    out, when summer begins, comes so much later (as java.time and RFC 5545, 3.3.5 have it).
    """

    def __init__(self, text: str, zone: tzinfo | None = None) -> None:
        """Raises ValueError for a text that does not match `PATTERN`."""
        if not re.fullmatch(PATTERN, text):
            raise ValueError(f"{text!r} are no hours")
        self.text, self.zone = text, zone
        self._spans = [_span(*found.groups()) for found in _PARTS.finditer(text)]

    @property
    def are_all(self) -> bool:
        """Whether no hours are named, so that all are meant."""
        return not self._spans

    def include(self, moment: datetime) -> bool:
        """Say whether an aware moment is within the hours."""
        return self.are_all or any(begin <= moment < end for begin, end in self._around(moment))

    def next_change(self, moment: datetime) -> datetime | None:
        """Return when the hours next begin, or end where this moment is within them (aware UTC).

        None if they never do.
        """
        for begin, end in self._around(moment):
            if moment < begin:
                return begin
            if moment < end:
                return end if end - moment < (_SEEN_DAYS - 3) * _DAY_LONG else None
        return None

    def day_begins(self, moment: datetime) -> datetime:
        """Return when the day of a moment began (aware UTC)."""
        return self._moment(moment.astimezone(self.zone).date(), 0)

    def day_ends(self, moment: datetime) -> datetime:
        """Return when the day after that of a moment begins (aware UTC)."""
        return self._moment(moment.astimezone(self.zone).date() + _DAY_LONG, 0)

    def _around(self, moment: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield the hours from yesterday on, in their order, joined where they touch."""
        first = moment.astimezone(self.zone).date() - _DAY_LONG
        days = [first + number * _DAY_LONG for number in range(_SEEN_DAYS)]
        found = sorted(
            (self._moment(day, span.begin), self._moment(day, span.end))
            for day in days
            for span in self._spans
            if day.weekday() in span.days
        )
        joined: tuple[datetime, datetime] | None = None
        for begin, end in found:
            if joined is None or begin > joined[1]:
                if joined is not None:
                    yield joined
                joined = begin, end
            else:
                joined = joined[0], max(joined[1], end)
        if joined is not None:
            yield joined

    def _moment(self, day: date, minutes: int) -> datetime:
        on, minute = divmod(minutes, 24 * 60)
        wall = datetime.combine(day + on * _DAY_LONG, time(*divmod(minute, 60)))
        there = wall.astimezone() if self.zone is None else wall.replace(tzinfo=self.zone)
        return there.astimezone(UTC)


def _span(first: str | None, last: str | None, *times: str) -> _Span:
    begin, end = (int(times[at]) * 60 + int(times[at + 1]) for at in (0, 2))
    days = frozenset(range(7))
    if first is not None:
        from_day, to_day = _NAMES.index(first), _NAMES.index(last or first)
        days = frozenset((from_day + on) % 7 for on in range((to_day - from_day) % 7 + 1))
    return _Span(days, begin, end if end > begin else end + 24 * 60)
