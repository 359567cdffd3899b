# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is known of a second copy: where it is, when it is to be made, how it last ended."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

LONGEST_DAYS = 3650  # between two copies: what may be asked for, and what dates can be counted in
# A copy that is late by so many of its intervals needs someone.
_LATE = 2
# The time in the name of a WARC: ISO 28500:2017, Annex C.1.
_IN_NAME = re.compile(r"(?<!\d)(\d{14})(?!\d)")
_NEVER = datetime(9999, 12, 1, tzinfo=UTC)  # in each time zone


@dataclass(frozen=True, slots=True)
class SecondCopy:
    """A copy at a destination. It is brought up to date every so many days by itself, 0 for never.

    `tried` is when that was last tried, `complete` when the copy was last complete (UTC, ISO 8601,
    "" for never). `trouble` says why the last try did not make it so, "" if it did. `damaged` names
    what the last comparison found damaged in the copy, or changed with its list, and no run has
    mended since; `reached` is when it was last copied to or compared, complete or not, "" where
    nobody noted that. `lacking` names the WARCs that no repair can take from there: the last one
    found them not intact there either, or a comparison found them gone.
    """

    destination: str
    every_days: int = 0
    tried: str = ""
    complete: str = ""
    trouble: str = ""
    damaged: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    reached: str = ""

    @property
    def as_of(self) -> str:
        """When it last was as the archive, or as far as it came if it never was; "" for never."""
        return self.complete or self.reached

    def may_have(self, warc: str) -> bool:
        """Whether a WARC of this file name may be intact in it: one that was begun later than the
        copy was last reached cannot."""
        begun, reached = _begun(warc), _moment(max(self.complete, self.reached))
        if begun is not None and reached is not None and begun > reached:
            return False
        return all(name.rpartition("/")[2] != warc for name in self.lacking)

    def due_at(self, now: datetime) -> datetime | None:
        """Return when it is to be brought up to date next (aware), None for never by itself."""
        if not self.every_days:
            return None
        last = _moment(self.complete)
        return now if last is None or last > now else _later(last, self.every_days)

    def needs_attention(self, now: datetime) -> bool:
        """Whether the last try failed, or none was made for long, or something is damaged there."""
        due = self.due_at(now)
        grace = self.every_days * (_LATE - 1)
        is_late = due is not None and bool(self.complete) and _later(due, grace) < now
        return bool(self.trouble or self.damaged) or is_late


def to_repair_from(copies: Iterable[SecondCopy], warcs: Iterable[str] = ()) -> SecondCopy | None:
    """Return the copy that was complete last; else the one that was reached last, which has what
    came to be copied; None if there is neither. If WARCs are named, it is one of those that may
    have one of them intact."""
    names = tuple(warcs)
    there = [
        each
        for each in copies
        if _moment(each.as_of) and (not names or any(map(each.may_have, names)))
    ]
    return max(there, key=lambda each: (each.complete, each.reached), default=None)


def _begun(warc: str) -> datetime | None:
    """Return when a WARC was begun, as its name says; None if that says nothing."""
    found = _IN_NAME.search(warc)
    try:
        return datetime.strptime(found[1], "%Y%m%d%H%M%S").replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


def _later(moment: datetime, days: int) -> datetime:
    """Return the moment so many days later, of those that the calendar has."""
    return moment + timedelta(days=max(0, min(days, (_NEVER - moment).days)))


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None
