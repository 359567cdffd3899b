# SPDX-License-Identifier: AGPL-3.0-or-later
"""Moments of the dark archive: a person writes dates, the archive counts seconds (tists)."""

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from carrel.model.iso_time import iso_time
from carrel.translation import tr

# The calendar's order, from the year on, as ISO 8601 has it; the basic form only for whole days.
_PARTIAL = re.compile(r"(\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?", re.ASCII)
_MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?", re.ASCII
)
_TIST = re.compile(r"\d{1,11}", re.ASCII)
_EPOCH_YEAR = 1970


class Date(click.ParamType[int]):
    """A date or moment in UTC, or a bare tist; gives a tist.

    Of a year, month or day it is the first second; the last one, if `is_end`.
    """

    name = "date"

    def __init__(self, *, is_end: bool = False) -> None:
        self._is_end = is_end

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        text = value.strip()
        try:
            found = self._tist(text)
        except (ValueError, OverflowError):
            found = None
        if found is None:
            self.fail(
                tr(
                    "“{text}” is not a valid date; write 2024, 2024-05, 2024-05-01 or "
                    "2024-05-01T10:30 (UTC), or a Unix time.",
                    text=text[:60],
                ),
                param,
                ctx,
            )
        return found

    def _tist(self, text: str) -> int | None:
        """Return the seconds; None or ValueError for what is not a valid time."""
        if _MOMENT.fullmatch(text):
            moment = datetime.fromisoformat(text)
            return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
        partial = _PARTIAL.fullmatch(text)
        if partial is not None:
            year, month, day = (int(part) if part else None for part in partial.groups())
            if year is not None and year >= _EPOCH_YEAR:
                return self._of_calendar(year, month, day)
        return int(text) if _TIST.fullmatch(text) else None

    def _of_calendar(self, year: int, month: int | None, day: int | None) -> int:
        first = datetime(year, month or 1, day or 1, tzinfo=UTC)
        if not self._is_end:
            return int(first.timestamp())
        last_month = month or 12
        last_day = day or monthrange(year, last_month)[1]
        last = datetime(year, last_month, last_day, tzinfo=UTC) + timedelta(days=1, seconds=-1)
        return int(last.timestamp())


DATE = Date()
# For “as it was at”: that of a day is what was so when it ended.
MOMENT = Date(is_end=True)


def when(tist: int | None) -> str | None:
    """Return a tist as ISO 8601 in UTC, None for None."""
    if tist is None:
        return None
    try:
        return iso_time(datetime.fromtimestamp(tist, UTC))
    except (ValueError, OverflowError, OSError):  # the data's own dates may be anything
        return str(tist)


def day(tist: int | None) -> str:
    """Return the date of a tist in UTC, for people."""
    return (when(tist) or "unknown").partition("T")[0]
