# SPDX-License-Identifier: AGPL-3.0-or-later
"""The stream of small typed events that window, terminal, log and tests all read.

Within one ingest they come in order: IngestStarted, StageEntered (one or more), Described, per file
FileStarted, FileProgress and FileWaiting (any number) and FileFinished, and at last IngestFinished.
Files overlap.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from carrel.model.item import PlatformItem
from carrel.model.job import Job
from carrel.model.manifest import ManifestFile
from carrel.model.request import IngestRequest
from carrel.model.result import IngestFilesetResult
from carrel.model.status import Stage, Status
from carrel.model.strategy import StrategyChoice

if TYPE_CHECKING:  # who tells of these has them
    from carrel.model.access import SavedFile
    from carrel.model.exports import Exported, Outlook
    from carrel.model.schedule import ScheduledRun, Task
    from carrel.model.verification import RecordCheck


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to the ingest with this id."""

    ingest_id: str


@dataclass(frozen=True, slots=True)
class IngestStarted(Event):
    request: IngestRequest


@dataclass(frozen=True, slots=True)
class StageEntered(Event):
    """`detail` says what is being done, to what, for people."""

    stage: Stage
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Described(Event):
    """The manifest is known; from here on files are named by their index in it."""

    item: PlatformItem
    choice: StrategyChoice


@dataclass(frozen=True, slots=True)
class FileStarted(Event):
    index: int


@dataclass(frozen=True, slots=True)
class FileProgress(Event):
    """`received` counts bytes of this file so far.

    A retry starts again from 0, unless it goes on where the transfer was interrupted. `found` of
    them an earlier ingest left: they took no time in this one.

    `phase` is fetch, then store; `total` is the length if the server or the manifest names one.
    """

    index: int
    received: int
    total: int | None = None
    phase: Stage = Stage.FETCH
    found: int = 0


@dataclass(frozen=True, slots=True)
class FileWaiting(Event):
    """Nothing moves for now; `reason` says in words what is waited for.

    `is_passing` says that it takes nothing but a little time: a turn at a host, or the next try.
    """

    index: int
    reason: str
    is_passing: bool = False


@dataclass(frozen=True, slots=True)
class FileFinished(Event):
    index: int
    file: ManifestFile


@dataclass(frozen=True, slots=True)
class IngestFinished(Event):
    result: IngestFilesetResult

    @property
    def has_archived(self) -> bool:
        """Whether more is held than before."""
        return self.result.hit and self.result.status is not Status.SUCCESS_EXISTING


@dataclass(frozen=True, slots=True)
class HostPaused(Event):
    """A host is left alone until a moment (aware UTC); `ingest_id` is empty: it concerns all."""

    host: str
    until: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class JobChanged(Event):
    """A job of the queue is another than before; `ingest_id` is the job's id here."""

    job: Job


@dataclass(frozen=True, slots=True)
class QueueChanged(Event):
    """Many jobs changed at once: ask for them anew. `ingest_id` is empty.

    Where no `jobs_changed`, it only tells whether the queue runs by now. `reason` tells people why
    a queue stopped by itself, and what to do; "" if it did not.
    """

    is_running: bool
    reason: str = ""
    jobs_changed: bool = True


@dataclass(frozen=True, slots=True)
class LedgerUnreadable(Event):
    """The ledger was damaged while it was open; `reason` is a sentence. `ingest_id` is empty."""

    reason: str


@dataclass(frozen=True, slots=True)
class QueueHeldBack(Event):
    """No job begins for now, since it is outside of the hours in which datasets are archived.

    Jobs wait until a moment (aware UTC; None if the hours never begin), or wait no more, where
    `reason` is "". `ingest_id` is empty.
    """

    until: datetime | None
    reason: str


@dataclass(frozen=True, slots=True)
class ScheduleChanged(Event):
    """What is done by itself came further, or ended; `ingest_id` is empty.

    `run` is how it stands, `words` says for people what is being done, "" when nothing is.
    """

    run: "ScheduledRun"
    words: str = ""

    @property
    def ended(self) -> "Task | None":
        """The task of which a run came to its end, None while it goes on."""
        return self.run.task if self.run.ending is not None else None


@dataclass(frozen=True, slots=True)
class RecordVerified(Event):
    """One record of a fixity run was read again; `ingest_id` is the run's id here.

    `done` of `total` bytes are behind us: of payloads when the records of an ingest are read, else
    of the files.
    """

    check: "RecordCheck"
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class VerificationProgress(Event):
    """A fixity run goes on within a record, or in between. `done` and `total` are as above."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class FileSaved(Event):
    """A file of a dataset was written beside the archive, or could not be.

    `done` of `total` bytes are behind us, of all files that are saved.
    """

    saved: "SavedFile"
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class SavingProgress(Event):
    """Saving goes on within a file. `done` and `total` are as above."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class ExportStarted(Event):
    """A holding is being exported, the `number`th of `count`; SavingProgress tells how far."""

    outlook: "Outlook"
    number: int
    count: int


@dataclass(frozen=True, slots=True)
class HoldingExported(Event):
    """A holding is there, or cannot be exported."""

    exported: "Exported"


Emit = Callable[[Event], None]


def both(first: Emit, second: Emit) -> Emit:
    """Return what gives each event to the one, then to the other."""

    def emit(event: Event) -> None:
        first(event)
        second(event)

    return emit


def ignore(event: Event) -> None:
    """Take an event and do nothing: for callers that need no progress."""
