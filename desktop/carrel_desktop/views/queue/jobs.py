# SPDX-License-Identifier: AGPL-3.0-or-later
"""All jobs that were heard of, and what a batch of events does to them. No Qt here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from carrel.model import IngestOptions
from carrel.model import events as ev
from carrel.model.events import Event
from carrel_desktop.views.queue.job import Job, JobState


@dataclass(frozen=True, slots=True)
class Totals:
    """The whole queue in one line.

    `seconds_left` is that of the slowest running job, None if one of them can not be told.
    """

    running: int = 0
    waiting: int = 0
    failed: int = 0
    done: int = 0
    rate: float = 0.0
    seconds_left: float | None = None

    @property
    def is_busy(self) -> bool:
        return bool(self.running or self.waiting)

    @property
    def all(self) -> int:
        return self.running + self.waiting + self.failed + self.done


@dataclass(slots=True)
class Change:
    """What a batch did: jobs that are new, changed at all, in another state, or at their end."""

    new: list[Job] = field(default_factory=list)
    touched: dict[int, Job] = field(default_factory=dict)
    moved: dict[int, Job] = field(default_factory=dict)
    ended: list[Job] = field(default_factory=list)


class Jobs:
    """Jobs in the order in which they were queued."""

    def __init__(self) -> None:
        self._by_id: dict[str, Job] = {}
        self._by_serial: dict[int, Job] = {}
        self._options: dict[str, IngestOptions] = {}
        self._counts = dict.fromkeys(JobState, 0)
        self._running: dict[str, Job] = {}

    def __iter__(self) -> Iterator[Job]:
        return iter(self._by_id.values())

    def __getitem__(self, serial: int) -> Job:
        return self._by_serial[serial]

    def find(self, ingest_id: str) -> Job | None:
        return self._by_id.get(ingest_id)

    @property
    def running(self) -> Sequence[Job]:
        return list(self._running.values())

    def remember(self, ingest_id: str, options: IngestOptions) -> None:
        """Keep how an ingest was asked for, so that it can be asked for again."""
        self._options[ingest_id] = options
        if ingest_id in self._by_id:
            self._by_id[ingest_id].options = options

    def take(self, events: Sequence[Event], now: float) -> Change:
        """Take a batch of events at a moment."""
        change = Change()
        for event in events:
            job = self._job_of(event, change)
            if job is None:
                continue
            before = job.state
            _take(job, event, now)
            change.touched[job.serial] = job
            if job.state is not before:
                self._count(job, before)
                change.moved[job.serial] = job
            if isinstance(event, ev.IngestFinished):
                change.ended.append(job)
        return change

    def totals(self, now: float) -> Totals:
        """Return the queue in one line."""
        running = self._running.values()
        rate = sum(job.rate(now) for job in running)
        left = [job.seconds_left(now) for job in running]
        known = [seconds for seconds in left if seconds is not None]
        is_known = bool(known) and len(known) == len(left)
        return Totals(
            self._counts[JobState.RUNNING],
            self._counts[JobState.WAITING],
            self._counts[JobState.FAILED],
            self._counts[JobState.DONE],
            rate,
            max(known) if is_known else None,
        )

    def _job_of(self, event: Event, change: Change) -> Job | None:
        job = self._by_id.get(event.ingest_id)
        if job is None and isinstance(event, ev.IngestQueued | ev.IngestStarted):
            options = self._options.get(event.ingest_id, IngestOptions())
            job = Job(event.ingest_id, event.request, len(self._by_id) + 1, options)
            self._by_id[event.ingest_id] = job
            self._by_serial[job.serial] = job
            self._counts[job.state] += 1
            change.new.append(job)
        return job

    def _count(self, job: Job, before: JobState) -> None:
        self._counts[before] -= 1
        self._counts[job.state] += 1
        if job.state is JobState.RUNNING:
            self._running[job.ingest_id] = job
        else:
            self._running.pop(job.ingest_id, None)


def _take(job: Job, event: Event, now: float) -> None:
    match event:
        case ev.IngestStarted():
            job.state = JobState.RUNNING
        case ev.StageEntered(stage=stage, detail=detail):
            job.stage, job.doing = stage, detail
        case ev.Described(item=item):
            job.describe(item)
        case ev.FileStarted(index=index):
            job.start_file(index, now)
        case ev.FileProgress(index=index, received=received, total=total, phase=phase):
            job.progress(index, received, total, phase, now)
        case ev.FileFinished(index=index, file=file):
            job.finish_file(index, file, now)
        case ev.IngestFinished(result=result):
            job.finish(result)
