# SPDX-License-Identifier: AGPL-3.0-or-later
"""Verification in a rolling way: all holdings in so many days, a part of them each day.

What is due follows from when each holding was last verified and from nothing else. So a run that
was killed has lost nothing, and a day on which nothing ran makes the portions of the following days
a little larger. A seventh of the days is kept in reserve, within which that is caught up.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from carrel.ledger.schedule import LastCheck

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Portion:
    """What is due today, in the order in which it is to be verified.

    `done_bytes` were verified today, `quota_bytes` are to be; the last one due may exceed them.
    """

    due: Sequence[LastCheck] = ()
    quota_bytes: int = 0
    done_bytes: int = 0

    @property
    def due_bytes(self) -> int:
        return sum(each.size_bytes for each in self.due)


def portion_of_today(
    checks: Sequence[LastCheck], days: int, day_begins: datetime, now: datetime
) -> Portion:
    """Return what of the holdings is due, so that each is verified once in so many days.

    `checks` come in the order in which they are due: never verified, then the oldest check.
    `day_begins` is when today began. 0 days stand for never.
    """
    if days <= 0:
        return Portion()
    reserve = days // 7
    pace = _Pace(days - reserve, max(1, reserve), day_begins)
    dated = [(each, _moment(each.verified, now)) for each in checks]
    waiting = [(each, verified) for each, verified in dated if verified < day_begins]
    done = sum(_weight(each) for each, verified in dated if verified >= day_begins)
    quota = pace.quota(waiting, done, now)
    due = tuple(_up_to((each for each, _ in waiting), quota - done))
    return Portion(due, int(quota), done)


@dataclass(frozen=True, slots=True)
class _Pace:
    """`interval` is how many days lie between two checks, `reserve` how many a delay may take."""

    interval: int
    reserve: int
    day_begins: datetime

    def quota(
        self, waiting: Iterable[tuple[LastCheck, datetime]], done: int, now: datetime
    ) -> float:
        """Return the least for today by which all come in time, if each day brings as much.

        All that comes before a holding, and itself, is to be done in the days that are left for it.
        What is overdue already is spread over the whole interval, else it would all come at once.
        """
        quota, so_far = 0.0, done
        for each, verified in waiting:
            so_far += _weight(each)
            # A holding was read back when it was stored.
            since = max(verified, _moment(each.archived, now))
            quota = max(quota, so_far / self._days_left(since))
        return quota

    def _days_left(self, since: datetime) -> float:
        left = (since - self.day_begins) / _DAY + self.interval
        return self.interval if left <= 0 else max(left, self.reserve)


def _up_to(waiting: Iterable[LastCheck], size_bytes: float) -> Iterable[LastCheck]:
    for each in waiting:
        if size_bytes <= 0:
            return
        yield each
        size_bytes -= _weight(each)


def _weight(each: LastCheck) -> int:
    """Return the bytes of a holding; an empty one takes its time, too."""
    return max(1, each.size_bytes)


def _moment(text: str | None, now: datetime) -> datetime:
    """Return a moment of the ledger; what is none, or not there, or to come, is long ago."""
    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware if aware <= now else datetime.min.replace(tzinfo=UTC)
