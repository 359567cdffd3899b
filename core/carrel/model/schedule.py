# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is done by itself: what is due, how it last ended, when it comes next."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class Task(StrEnum):
    """What can be scheduled, in the order in which it is done."""

    WATCH = "watch"
    VERIFY = "verify"
    ARCHIVE = "archive"
    COPY = "copy"


class Ending(StrEnum):
    """How a scheduled run ended.

    FOUND says that all was done, and something is wrong with what was looked at; STOPPED and
    INTERRUPTED leave the rest for the next run. An INTERRUPTED one has no end of its own: the
    program was killed, or the power was cut.
    """

    DONE = "done"
    FOUND = "found"
    FAILED = "failed"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class ScheduledRun:
    """One run of a task over `total` datasets, or copies, of which it came to `done`; times in UTC,
    ISO 8601.

    `found` counts those with something wrong; `message` names the first of them, or says why the
    run failed. A run that goes on has neither `finished` nor `ending`.
    """

    task: Task
    started: str
    finished: str | None = None
    ending: Ending | None = None
    total: int = 0
    done: int = 0
    found: int = 0
    message: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Planned:
    """How one task stands. It `is_on` if the settings want it.

    `due` datasets, or copies, are due now, `due_bytes` of them where that is known; `next` is when
    more will be (aware UTC), None if that cannot be known. `waits` is a sentence that says why what
    is due is not done now, "" if nothing keeps it.
    """

    task: Task
    is_on: bool = False
    due: int = 0
    due_bytes: int = 0
    next: datetime | None = None
    waits: str = ""
    last: ScheduledRun | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "task": self.task,
            "is_on": self.is_on,
            "due": self.due,
            "due_bytes": self.due_bytes,
            "next": self.next.isoformat(timespec="seconds") if self.next else None,
            "waits": self.waits,
            "last": self.last.to_json() if self.last else None,
        }


@dataclass(frozen=True, slots=True)
class ScheduleState:
    """How all tasks stand, in their order; `running` is the run that goes on, if any."""

    tasks: Sequence[Planned] = ()
    running: ScheduledRun | None = None

    def of(self, task: Task) -> Planned:
        """Return how a task stands."""
        return next((each for each in self.tasks if each.task is task), Planned(task))

    @property
    def is_due(self) -> bool:
        """Whether anything is to be done now."""
        return any(each.due and not each.waits for each in self.tasks)

    @property
    def next(self) -> datetime | None:
        """When something is due next (aware UTC), None if nothing is known to be."""
        return min((each.next for each in self.tasks if each.is_on and each.next), default=None)
