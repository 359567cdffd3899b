# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is due and when it comes next, read from the ledger; an archive open for reading is enough.

Blocks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from carrel.archive import Archive
from carrel.engine.queue_waits import why_queue_waits
from carrel.engine.schedule.rolling import Portion, portion_of_today
from carrel.ledger.watched import WatchedDataset
from carrel.model import JobState
from carrel.model.copies import SecondCopy
from carrel.model.hours import Hours
from carrel.model.schedule import Planned, ScheduledRun, ScheduleState, Task
from carrel.settings.copies import copies_of

# No one waits so long, and the calendar goes on a little, for all time zones.
_NEVER = datetime(9999, 12, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Plan:
    """The tasks of one archive at a moment. `hours` also know when the day begins."""

    archive: Archive
    hours: Hours
    now: datetime

    def state(self) -> ScheduleState:
        """Return how all tasks stand."""
        return ScheduleState(
            (self._watching(), self._verifying(), self._archiving(), self._copying())
        )

    def portion(self) -> Portion:
        """Return which holdings are to be verified today."""
        days = self.archive.settings.schedule.verify_days
        if not days:
            return Portion()
        checks = self.archive.ledger.schedules.by_last_check()
        return portion_of_today(checks, days, self.hours.day_begins(self.now), self.now)

    def to_look_at(self) -> Sequence[WatchedDataset]:
        """Return the watched datasets that are due, those that were never checked first."""
        due = [each for each in self._watched() if self._look_is_due_at(each) <= self.now]
        return sorted(due, key=self._look_is_due_at)

    def to_copy(self) -> Sequence[SecondCopy]:
        """Return the second copies that are to be brought up to date."""
        dated = [(each.due_at(self.now), each) for each in copies_of(self.archive.path)]
        return [each for moment, each in dated if moment is not None and moment <= self.now]

    def _verifying(self) -> Planned:
        days, portion = self.archive.settings.schedule.verify_days, self.portion()
        is_on = bool(days)
        upcoming = self.now if portion.due else self.hours.day_ends(self.now)
        return Planned(
            Task.VERIFY,
            is_on,
            due=len(portion.due),
            due_bytes=portion.due_bytes,
            next=upcoming if is_on and self._holds_anything() else None,
            last=self._last(Task.VERIFY),
        )

    def _watching(self) -> Planned:
        days = self.archive.settings.schedule.watch_days
        moments = [self._look_is_due_at(each) for each in self._watched()]
        return Planned(
            Task.WATCH,
            bool(days),
            due=sum(moment <= self.now for moment in moments),
            next=max(self.now, min(moments)) if moments else None,
            last=self._last(Task.WATCH),
        )

    def _archiving(self) -> Planned:
        """The queue is worked off by itself where it has hours to keep."""
        jobs, is_on = self.archive.ledger.jobs, not self.hours.are_all
        waiting = jobs.counts().get(JobState.QUEUED, 0) if is_on else 0
        waits = why_queue_waits(jobs, self.hours, self.now) if waiting else ""
        upcoming = self.now
        if waits:
            upcoming = self.hours.next_change(self.now) or self.now
        is_coming = waiting and not (waits and upcoming == self.now)
        return Planned(
            Task.ARCHIVE,
            is_on,
            due=waiting,
            next=upcoming if is_coming else None,
            waits=waits,
            last=self._last(Task.ARCHIVE),
        )

    def _copying(self) -> Planned:
        copies = [each for each in copies_of(self.archive.path) if each.every_days]
        moments = [each.due_at(self.now) or self.now for each in copies]
        return Planned(
            Task.COPY,
            bool(copies),
            due=len(self.to_copy()),
            next=max(self.now, min(moments)) if moments else None,
            last=self._last(Task.COPY),
        )

    def _watched(self) -> Sequence[WatchedDataset]:
        is_on = bool(self.archive.settings.schedule.watch_days)
        return self.archive.ledger.watched.all() if is_on else ()

    def _look_is_due_at(self, watched: WatchedDataset) -> datetime:
        if watched.looked is None:
            return datetime.min.replace(tzinfo=UTC)
        last = datetime.fromtimestamp(min(watched.looked, self.now.timestamp()), UTC)
        days = self.archive.settings.schedule.watch_days
        return last + timedelta(days=min(days, (_NEVER - last).days))

    def _holds_anything(self) -> bool:
        return self.archive.ledger.catalogue.total() > 0

    def _last(self, task: Task) -> ScheduledRun | None:
        return next(iter(self.archive.ledger.schedules.last_runs(task)), None)


def read_state(archive: Archive, now: datetime) -> ScheduleState:
    """Return how the schedule of an archive stands at an aware moment. Raises ArchiveError."""
    return Plan(archive, Hours(archive.settings.schedule.hours), now).state()
