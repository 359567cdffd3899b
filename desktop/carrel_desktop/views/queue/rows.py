# SPDX-License-Identifier: AGPL-3.0-or-later
"""All jobs of the queue, and what a batch of events does to them. No Qt here."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from carrel.model import Job, JobState, Status
from carrel.model import events as ev
from carrel.model.done_jobs import JobsNow
from carrel.model.events import Event
from carrel_desktop.views.queue.graph import RateMeter
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.transfer import Transfer

# The places of the queue, in their order.
STATES = (
    JobState.ASKING,
    JobState.RUNNING,
    JobState.QUEUED,
    JobState.PAUSED,
    JobState.FAILED,
    JobState.CANCELLED,
    JobState.DONE,
)


@dataclass(frozen=True, slots=True)
class Totals:
    """The whole queue in one line.

    Of the `running` jobs `awaiting_host` are not at work: their hosts asked for a pause. `held_up`
    of those that wait or are paused cannot go on; the rest of the `paused` was told to wait. Of the
    failed `failed_for_good` would fail again. `seconds_left` is that of the slowest running job,
    None if one of them cannot be told.
    """

    asking: int = 0
    running: int = 0
    awaiting_host: int = 0
    waiting: int = 0
    paused: int = 0
    failed: int = 0
    failed_for_good: int = 0
    stopped: int = 0
    done: int = 0
    held_up: int = 0
    told_to_pause: int = 0
    rate: float = 0.0
    seconds_left: float | None = None

    @property
    def open(self) -> int:
        """How many are still to come to their end."""
        return self.asking + self.running + self.waiting + self.paused

    @property
    def at_work(self) -> int:
        """How many run, and are not held up by their hosts."""
        return self.running - self.awaiting_host

    @property
    def all(self) -> int:
        return self.open + self.failed + self.stopped + self.done


@dataclass(frozen=True, slots=True)
class BatchEnd:
    """A batch, or what came singly (`name` is None), of which nothing is open any more."""

    name: str | None
    done: int
    failed: int
    cancelled: int = 0


@dataclass(slots=True)
class Change:
    """What a batch of events did to rows; `is_stale` says that the jobs have to be read again.

    `disordered` rows have another turn than before. `why_stopped` is for people, where the queue
    stopped by itself, else "".
    """

    new: list[Row] = field(default_factory=list)
    touched: dict[int, Row] = field(default_factory=dict)
    moved: dict[int, Row] = field(default_factory=dict)
    disordered: list[Row] = field(default_factory=list)
    ended: list[Row] = field(default_factory=list)
    asking: list[Row] = field(default_factory=list)
    batches: list[BatchEnd] = field(default_factory=list)
    is_stale: bool = False
    is_running: bool | None = None
    why_stopped: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many jobs are in which state, and ended with which outcome; and how many of those in a
    state are overcome."""

    states: Counter[JobState] = field(default_factory=Counter)
    causes: Counter[Status] = field(default_factory=Counter)
    overcome: Counter[JobState] = field(default_factory=Counter)

    def of(self, state: JobState | None) -> int:
        """Return how many are in a state, or all."""
        return self.states.total() if state is None else self.states[state]

    @property
    def outstanding(self) -> int:
        """How many failed, and their datasets were not archived since."""
        return self.states[JobState.FAILED] - self.overcome[JobState.FAILED]

    def count(self, row: Row, by: int) -> None:
        self.states[row.job.state] += by
        if row.cause:
            self.causes[row.cause] += by
        if row.is_overcome:
            self.overcome[row.job.state] += by


class Tally:
    """Counts of rows, kept up as rows come, change and go."""

    def __init__(self) -> None:
        self.whole = Counts()
        self.failed_for_good = 0
        self.batches: defaultdict[str | None, Counts] = defaultdict(Counts)
        self.running: dict[int, Row] = {}
        self.held_up: dict[int, Row] = {}
        self.held_up_states: Counter[JobState] = Counter()

    def add(self, row: Row) -> None:
        self._count(row, 1)
        if row.job.state is JobState.RUNNING:
            self.running[row.serial] = row
        if row.job.is_on_hold:
            self.held_up[row.serial] = row

    def remove(self, row: Row) -> None:
        """Take a row out as it is; its job must not have changed since it was added."""
        self._count(row, -1)
        self.running.pop(row.serial, None)
        self.held_up.pop(row.serial, None)

    def count_done(self, batch: str | None, status: Status | None, by: int) -> None:
        """Count jobs that are done and have no row."""
        for counts in (self.whole, self.batches[batch]):
            counts.states[JobState.DONE] += by
            if status is not None and not status.is_success:
                counts.causes[status] += by

    def _count(self, row: Row, by: int) -> None:
        job = row.job
        self.whole.count(row, by)
        self.batches[job.batch].count(row, by)
        if row.is_for_good and job.state is JobState.FAILED:
            self.failed_for_good += by
        if job.is_on_hold:
            self.held_up_states[job.state] += by


class Listing:
    """Rows by their ids and numbers, with their counts.

    Of what is done only a part has rows; `unread` are the others, by batch, which are counted all
    the same. What `finished` later than the last of them was not counted yet.
    """

    def __init__(self, now: JobsNow | None = None) -> None:
        now = now or JobsNow()
        self.by_id: dict[str, Row] = {}
        self.by_serial: dict[int, Row] = {}
        self.tally = Tally()
        self.unread: Counter[str | None] = Counter()
        self.finished, self._removed = now.finished, now.removed
        for (batch, status), count in now.done.items():
            self.unread[batch] += count
            self.tally.count_done(batch, status, count)

    def expect(self, job: Job) -> None:
        """Count a job no longer that was counted as done, since it gets a row now."""
        if job.state is JobState.DONE and self.unread[job.batch] > 0:
            self.unread[job.batch] -= 1
            self.tally.count_done(job.batch, job.status, -1)

    def states_of(self, batch: str | None) -> Counter[JobState]:
        """Return how many jobs of a batch are in which state, with those that were removed."""
        states = Counter(self.tally.batches[batch].states)
        for (name, state), count in self._removed.items():
            states[state] += count if name == batch else 0
        return states

    @property
    def has_unread(self) -> bool:
        return any(self.unread.values())

    def add(self, row: Row) -> None:
        self.by_id[row.job.job_id] = row
        self.by_serial[row.serial] = row
        self.tally.add(row)


class Rows:
    """Every job by its id, and the transfers of the attempts that run.

    While the whole list is read, slice by slice, there are two listings: the one that holds, and
    the one that will.
    """

    def __init__(self) -> None:
        self._now = Listing()
        self._read: Listing | None = None
        self._changed: set[str] = set()
        self._by_ingest: dict[str, Row] = {}
        self._transfers: dict[str, Transfer] = {}
        self._meter = RateMeter()  # outlives the transfers, which may take less than a second
        self._last_serial = 0
        self.is_outdated = False
        self.is_stale = False  # jobs may be there that have no row, nor are counted
        self._reads_all = False  # whether the reading began after the last that made it stale
        self._may_have_ended: set[str | None] = set()  # batches, as far as there are rows

    def __iter__(self) -> Iterator[Row]:
        return iter(self._now.by_id.values())

    def __getitem__(self, serial: int) -> Row:
        return self._now.by_serial[serial]

    def find(self, job_id: str) -> Row | None:
        return self._now.by_id.get(job_id)

    def find_attempt(self, ingest_id: str) -> Row | None:
        """Return the row whose newest attempt has this id."""
        return self._by_ingest.get(ingest_id)

    @property
    def running(self) -> Sequence[Row]:
        return list(self._now.tally.running.values())

    @property
    def first_held_up(self) -> Row | None:
        """A job that cannot go on, the one that was stopped first; None if all can."""
        return next(iter(self._now.tally.held_up.values()), None)

    def counts(self, batch: str = "") -> Counts:
        """Return how many jobs of a batch are in which state, and ended with, or ask because of,
        which outcome; of all with no name.
        """
        tally = self._now.tally
        found = tally.batches.get(batch, Counts()) if batch else tally.whole
        return Counts(+found.states, +found.causes, +found.overcome)

    # The whole list, slice by slice

    def has_unread(self, batch: str = "") -> bool:
        """Say whether jobs of a batch, or any, are done that have no row."""
        return self._now.unread[batch] > 0 if batch else self._now.has_unread

    def begin_reading(self) -> None:
        """Expect the list of all jobs; what changes by events meanwhile is newer than it."""
        self._reads_all = True
        self._read = Listing()
        self._changed = set()

    def expect(self, now: JobsNow) -> None:
        """Take how many are done, of which the list has a part only; before any slice of it."""
        self._read = Listing(now)

    def read_done(self, jobs: Sequence[Job]) -> list[Row]:
        """Take more of those that are done, and return the new rows."""
        new = []
        for job in jobs:
            # Of what finished since they were counted an event tells.
            if job.job_id not in self._now.by_id and (job.finished or "") <= self._now.finished:
                self._now.expect(job)
                new.append(self._come(job))
        return new

    def read(self, jobs: Sequence[Job]) -> None:
        """Take a slice of the list."""
        if self._read is None:
            raise RuntimeError("no reading was started")
        for job in jobs:
            row = self._now.by_id.get(job.job_id)
            if row is None:
                row = self._make(job)
            elif job.job_id not in self._changed:
                self._change(row, job)
            self._follow_attempt(row)
            self._read.expect(job)
            self._read.add(row)

    def end_reading(self) -> int:
        """Have the rows be those of the list, and those that came while it was read.

        Returns how many no one had heard of. What came to its end just then may be counted among
        those that are done or not: `is_outdated` says that the list has to be read once more.
        """
        read, self._read = self._read or Listing(), None
        self.is_outdated = False
        for job_id in self._changed:
            if job_id not in read.by_id:
                row = self._now.by_id[job_id]
                if row.job.state is JobState.DONE and read.has_unread:
                    self.is_outdated = True
                else:
                    read.add(row)
        count = len(read.by_id.keys() - self._now.by_id.keys())
        self._now = read
        self.is_stale = self.is_outdated or not self._reads_all
        return count

    def take_ends(self) -> Sequence[BatchEnd]:
        """Return the ends that were seen while the rows were stale, and were such; each once."""
        if self.is_stale:
            return ()
        names, self._may_have_ended = self._may_have_ended, set()
        return [end for name in names if (end := self._end_of(name))]

    # What happens

    def take(self, events: Sequence[Event], now: float) -> Change:
        """Take a batch of events at a moment."""
        change = Change()
        for event in events:
            if isinstance(event, ev.JobChanged):
                self._take_job(event.job, change)
            elif isinstance(event, ev.QueueChanged):
                if event.jobs_changed:
                    self._outdate(change)
                change.is_running = event.is_running
                change.why_stopped = event.reason
            else:
                self._take_progress(event, change, now)
        return change

    def totals(self, now: float) -> Totals:
        """Return the queue in one line."""
        tally = self._now.tally
        running, states = [row.transfer for row in tally.running.values()], tally.whole.states
        left = [transfer.seconds_left(now) for transfer in running]
        known = [seconds for seconds in left if seconds is not None]
        return Totals(
            asking=states[JobState.ASKING],
            running=states[JobState.RUNNING],
            waiting=states[JobState.QUEUED],
            paused=states[JobState.PAUSED],
            failed=states[JobState.FAILED],
            failed_for_good=tally.failed_for_good,
            stopped=states[JobState.CANCELLED],
            done=states[JobState.DONE],
            held_up=len(tally.held_up),
            told_to_pause=states[JobState.PAUSED] - tally.held_up_states[JobState.PAUSED],
            rate=self._meter.rate(now) if running or states[JobState.QUEUED] else 0.0,
            seconds_left=max(known) if known and len(known) == len(left) else None,
        )

    def _take_job(self, job: Job, change: Change) -> None:
        row = self._now.by_id.get(job.job_id)
        if row is None and self._now.has_unread and (job.attempts or not job.state.is_open):
            self._outdate(change)  # it may be one of those that are counted and have no row
            return
        if self._read is not None:
            self._changed.add(job.job_id)
        if row is None:
            row = self._come(job)
            change.new.append(row)
        else:
            self._update(row, job, change)
        change.touched[row.serial] = row
        if job.state is JobState.ASKING:
            change.asking.append(row)

    def _come(self, job: Job) -> Row:
        """Take a job that was not heard of, or was read just now and is not shown yet."""
        row = self._read.by_id.get(job.job_id) if self._read else None
        if row is None:
            row = self._make(job)
        else:
            self._change(row, job)
        self._now.add(row)
        self._follow_attempt(row)
        return row

    def _update(self, row: Row, job: Job, change: Change) -> None:
        before = row.job
        if job.ingest_id != before.ingest_id:
            self._forget_attempt(before)
        self._change(row, job)
        self._follow_attempt(row)
        if (job.priority, job.position) != (before.priority, before.position):
            change.disordered.append(row)
        if job.state is not before.state or job.status is not before.status:
            change.moved[row.serial] = row
        if before.state.is_open and not job.state.is_open:
            change.ended.append(row)
            if job.state is not JobState.CANCELLED:  # else the person ended it, or removes it
                self._end_batch(job.batch, change)

    def note_archived_since(self, row: Row, since: str) -> None:
        """Take when the dataset of a failed job was archived since; "" for never."""
        with self._counting_anew(row):
            row.archived_since = since

    def _change(self, row: Row, job: Job) -> None:
        """Give a row its job of now."""
        with self._counting_anew(row):
            row.set_job(job)

    @contextmanager
    def _counting_anew(self, row: Row) -> Iterator[None]:
        """Change a row within, and keep the counts true wherever it is counted."""
        listings = [each for each in (self._now, self._read) if each]
        tallies = [each.tally for each in listings if row.serial in each.by_serial]
        for tally in tallies:
            tally.remove(row)
        yield
        for tally in tallies:
            tally.add(row)

    def _take_progress(self, event: Event, change: Change, now: float) -> None:
        transfer = self._transfers.get(event.ingest_id)
        if transfer is None:
            if not isinstance(event, ev.IngestStarted):
                return
            transfer = self._transfers[event.ingest_id] = Transfer()
        moved = transfer.moved
        transfer.take(event, now)
        self._meter.add(now, transfer.moved - moved)
        if row := self._by_ingest.get(event.ingest_id):
            if isinstance(event, ev.Described | ev.IngestFinished):
                change.moved[row.serial] = row  # it has other words that a filter may look for
                row.take_transfer(transfer)
            row.transfer = transfer
            change.touched[row.serial] = row
        if isinstance(event, ev.IngestFinished):
            del self._transfers[event.ingest_id]

    def _make(self, job: Job) -> Row:
        self._last_serial += 1
        return Row(self._last_serial, job)

    def _follow_attempt(self, row: Row) -> None:
        """Join a row with the transfer of its newest attempt, whichever was heard of first."""
        ingest_id = row.job.ingest_id
        if ingest_id is None:
            return
        self._by_ingest[ingest_id] = row
        if transfer := self._transfers.get(ingest_id):
            row.take_transfer(transfer)

    def _forget_attempt(self, job: Job) -> None:
        if job.ingest_id is not None:
            self._by_ingest.pop(job.ingest_id, None)
            self._transfers.pop(job.ingest_id, None)

    def _outdate(self, change: Change) -> None:
        change.is_stale = self.is_stale = True
        self._reads_all = False

    def _end_batch(self, name: str | None, change: Change) -> None:
        """Tell the end of a batch; while its other jobs may be unread, that has to wait."""
        if self.is_stale:
            self._may_have_ended.add(name)
        elif end := self._end_of(name):
            change.batches.append(end)

    def _end_of(self, name: str | None) -> BatchEnd | None:
        states = self._now.states_of(name)
        if any(states[state] for state in JobState if state.is_open):
            return None
        ended = JobState.DONE, JobState.FAILED, JobState.CANCELLED
        return BatchEnd(name, *(states[state] for state in ended))
