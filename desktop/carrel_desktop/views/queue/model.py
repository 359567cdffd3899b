# SPDX-License-Identifier: AGPL-3.0-or-later
"""The queue as a tree of two levels: jobs, and their files.

A file's row has no object of its own: it is an index into its job. Both levels are handed to the
view page by page; which jobs are listed, and in which order, is decided in `listed`.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from PySide6.QtCore import QObject, Signal

from carrel.errors import CarrelError
from carrel.model import Job, JobState, ManifestFile
from carrel.model import events as ev
from carrel.model.done_jobs import DonePage, DoneQuery, JobsNow
from carrel.model.events import Event
from carrel.model.manifest import files_of
from carrel_desktop.session import Session
from carrel_desktop.views.queue.columns import Column
from carrel_desktop.views.queue.job_items import JobItems
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.rows import Counts, Totals
from carrel_desktop.views.queue.transfer import Transfer

SLICE = 500  # jobs of the list that are taken over at once, a few milliseconds' work
MOST_DONE = 2000  # of those that are done, which are read at once; where there are more, by pages
DONE_PAGE = 500
MOST_OF_BATCH = 20_000  # of those of a batch that is open


class QueueModel(JobItems):
    """The queue for a view."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.has_read = False

    # What happens

    def apply(self, events: Sequence[Event], now: float) -> None:
        """Take a batch of events: one change of the rows for all of them."""
        self._now = now
        self._drop_outdated(events)
        change = self._all.take(events, now)
        if change.is_running is not None:
            self.set_running(change.is_running)
        self._place({row.serial: row for row in [*change.new, *change.moved.values()]}.values())
        self.is_disordered = self.is_disordered or bool(change.moved)
        if change.disordered and self._sorting is None:
            self._reorder()
        self._hand_out_files(change.touched.values())
        self._let_go(change.touched.values())
        self._tell(change.touched.values())
        self.totalled.emit(self.totals())
        self.tell_held_up(self._all.first_held_up)
        self.tell_change(change)

    def begin_reading(self) -> None:
        """Expect the list of all jobs in slices."""
        self._all.begin_reading()

    def read(self, jobs: Sequence[Job]) -> None:
        """Take a slice of the list of all jobs; nothing is seen of it yet."""
        self._all.read(jobs)

    def expect(self, now: JobsNow) -> None:
        """Take how many jobs are done, before the first slice."""
        self._all.expect(now)
        self.is_paused_elsewhere = now.is_paused

    def end_reading(self, page: DonePage | None = None, query: DoneQuery | None = None) -> None:
        """Show the list that was read; of what is done it has this page of what the filter asked
        for when it was read."""
        with self._exchanging():
            count = self._all.end_reading()
            self._begin_done()
            if self.done.lacks_some and page is not None and query == self.filter.done:
                self.done.take(page)
        if self.done.lacks_some and query != self.filter.done:
            self.done.want_more()
        had_read, self.has_read = self.has_read, True
        self.totalled.emit(self.totals())
        if count and had_read:  # the first reading finds what was there before
            self.came.emit(count)
        self.tell_held_up(self._all.first_held_up)
        for end in self._all.take_ends():
            self.batch_ended.emit(end)

    def read_done(self, page: DonePage, query: DoneQuery) -> None:
        """Take the next page of what is done, unless something else is asked for by now."""
        self._all.read_done(page.jobs)
        if query == self.filter.done and self.done.is_reading:
            self.done.take(page)
            self._list_more()
        self.totalled.emit(self.totals())

    def read_batch(self, jobs: Sequence[Job]) -> None:
        """Take what is done of a batch."""
        self._all.read_done(jobs)
        self.totalled.emit(self.totals())

    def want_batch(self, name: str) -> None:
        """Have what is done of a batch read, if it was not."""
        if self._all.has_unread(name):
            self.batch_wanted.emit(name)

    @property
    def is_outdated(self) -> bool:
        """Whether the list that was read last is not how the jobs were at any one moment."""
        return self._all.is_outdated

    @property
    def is_stale(self) -> bool:
        """Whether jobs may be there that are not counted, until the list is read again."""
        return self._all.is_stale

    def set_running(self, is_running: bool) -> None:
        """Take whether the queue runs."""
        if is_running is not self.is_running:
            self.is_running = is_running
            self.turned.emit(is_running)

    def hold_back(self, reason: str) -> None:
        """Take why no job begins at this hour, "" if they do."""
        if reason != self.held_back:
            self.held_back = reason
            self.say_anew()

    def say_anew(self) -> None:
        """Have the jobs in the view say what they wait for, which has changed."""
        self._tell(self.seen, with_files=False)

    @property
    def movable(self) -> Sequence[Row]:
        """All jobs that have a turn, listed or not, as they run."""
        rows = [row for row in self._all if row.is_movable]
        return sorted(rows, key=attrgetter("order"))

    @property
    def unnamed(self) -> Sequence[Row]:
        """Closed jobs whose dataset may have a DOI that no one has told yet."""
        return [row for row in self._all if row.may_have_doi]

    def name_datasets(self, dois: Mapping[str, str]) -> None:
        """Take the DOIs of datasets, by the address that was requested."""
        rows = [row for row in self.unnamed if row.job.request.base_url in dois]
        for row in rows:
            row.set_doi(dois[row.job.request.base_url])
        self._place(rows)
        self._tell(rows)

    def note_archived_since(self, moments: Mapping[str, str]) -> None:
        """Take when the datasets of failed jobs were archived since, by their ids; "" for never."""
        found = ((self._all.find(job_id), since) for job_id, since in moments.items())
        rows = [(row, since) for row, since in found if row is not None]
        for row, since in rows:
            self._all.note_archived_since(row, since)
        self._place([row for row, _ in rows])
        self._tell([row for row, _ in rows])
        self.totalled.emit(self.totals())

    def show_files(self, ingest_id: str, files: Sequence[ManifestFile]) -> None:
        """Take the files of a closed job, as they were read from its result."""
        row = self._all.find_attempt(ingest_id)
        if row is not None and row.can_load:
            row.transfer = Transfer.of_manifest(files)
            self._hand_out_files([row])
            self._tell([row])

    def tick(self, now: float) -> None:
        """Let time pass: rates fall, silence grows."""
        self._now = now
        self._tell(self._all.running, first=Column.SPEED, with_files=False)
        self.totalled.emit(self.totals())

    # What is asked

    def totals(self) -> Totals:
        """Return the queue in one line."""
        awaiting_host = sum(bool(self._paused(row)) for row in self._all.running)
        totals = replace(self._all.totals(self._now), awaiting_host=awaiting_host)
        is_at_rest = not (self.is_running or totals.running)
        return replace(totals, rate=0.0) if is_at_rest else totals

    def counts(self, batch: str = "") -> Counts:
        """Return how many jobs of a batch, or of all, are in which state and ended how."""
        return self._all.counts(batch)

    def seconds_left(self, batch: str) -> float:
        """Return how long the slowest running job of a batch will take, as far as is known; 0 for
        none."""
        running = [row.transfer for row in self._all.running if row.job.batch == batch]
        return max((transfer.seconds_left(self._now) or 0.0 for transfer in running), default=0.0)

    @property
    def unmeasured(self) -> Sequence[Row]:
        """Running jobs that have no bar of known length."""
        return [row for row in self._all.running if row.transfer.fraction is None]

    def rows(self, state: JobState) -> list[Row]:
        """Return the jobs in a state, listed or not, in the order in which they run."""
        found = [row for row in self._all if row.job.state is state]
        return sorted(found, key=attrgetter("order"))

    def of_batch(self, name: str) -> Sequence[Row]:
        """Return the jobs of a batch, listed or not, in the order in which they run."""
        found = (row for row in self._all if row.job.batch == name)
        return sorted(found, key=attrgetter("order"))

    def passing(self, batch: str, states: Collection[JobState]) -> list[str]:
        """Return the jobs of a batch in these states that pass the other filters, whether they
        were listed by now or not."""
        wanted = replace(self.filter, batch=batch)
        found = (row for row in self.of_batch(batch) if row.job.state in states)
        return [row.job.job_id for row in found if wanted.accepts(row)]

    def find(self, job_id: str) -> Row | None:
        return self._all.find(job_id)

    def open_of(self, base_url: str) -> Row | None:
        """Return the job of this address that is still to come to its end, None if there is none.

        There is one at most: an address that waits is not added again.
        """
        asked = (row for row in self._all if row.job.request.base_url == base_url)
        return next((row for row in asked if row.job.state.is_open), None)

    def _drop_outdated(self, events: Sequence[Event]) -> None:
        """Take rows back that the view was given, where other files come in their place."""
        for event in events:
            if isinstance(event, ev.IngestStarted):
                # It has no files until it is described; of one that was paused there are some.
                self._drop_files(self._all.find_attempt(event.ingest_id), -1)
            elif isinstance(event, ev.Described):
                row = self._all.find_attempt(event.ingest_id)
                self._drop_files(row, len(event.item.manifest))
            elif isinstance(event, ev.IngestFinished) and event.result.manifest is not None:
                row = self._all.find_attempt(event.ingest_id)
                self._drop_files(row, len(event.result.manifest))
            elif isinstance(event, ev.JobChanged):
                row = self._all.find(event.job.job_id)
                if row is not None and row.job.ingest_id != event.job.ingest_id:
                    self._drop_files(row, -1)


class JobsReading(QObject):
    """Fills a model. `ended` is emitted when the list was read, `batch_read` when what is done of a
    batch was, `unread` with why it could not."""

    ended = Signal()
    batch_read = Signal()
    unread = Signal(str)

    def __init__(self, session: Session, model: QueueModel) -> None:
        super().__init__(model)
        self._session, self._model = session, model
        self._is_outdated = False
        self._dois: dict[str, str | None] = {}  # by the addresses that were asked about
        self._since: Mapping[str, str] = {}  # when datasets of failed jobs were archived
        self.is_busy = False

    async def load(self) -> None:
        """Read the list of jobs, and again if it changed meanwhile."""
        self._is_outdated = True
        if self.is_busy:
            return
        self.is_busy = True
        try:
            while self._is_outdated:
                self._is_outdated = False
                await self._read()
        finally:
            self.is_busy = False
        await self.read_archived_since()
        await self._name_datasets()

    async def read_archived_since(self) -> None:
        """Read of which failed jobs the datasets were archived since."""
        if not (self._since or self._model.totals().failed):
            return
        before = dict.fromkeys(self._since, "")
        self._since = await self._session.read(lambda engine: engine.done_jobs.archived_since())
        self._model.note_archived_since(before | {**self._since})

    async def load_files(self, ingest_id: str) -> None:
        """Read the files of a result, and show them."""
        files = await self._session.read_result(ingest_id, files_of)
        if files:
            self._model.show_files(ingest_id, files)

    async def load_done(self) -> None:
        """Read the next page of what is done, and show it."""
        query, after = self._model.filter.done, self._model.done.after
        if query is not None:
            try:
                page = await self._session.read(
                    lambda it: it.done_jobs.page(query, after, DONE_PAGE)
                )
            except (CarrelError, OSError):
                self._model.done.is_reading = False  # who scrolls on asks once more
                raise
            if after == self._model.done.after:
                self._model.read_done(page, query)
                await self._name_datasets()

    async def load_batch(self, name: str) -> None:
        """Read what is done of a batch."""
        query = DoneQuery(batch=name)
        page = await self._session.read(lambda it: it.done_jobs.page(query, None, MOST_OF_BATCH))
        for first in range(0, len(page.jobs), SLICE):
            self._model.read_batch(page.jobs[first : first + SLICE])
            await asyncio.sleep(0)
        self.batch_read.emit()

    async def _read(self) -> None:
        self._model.begin_reading()
        query = self._model.filter.done
        asked, most = query or DoneQuery(), max(MOST_DONE, len(self._model.listed))
        try:
            now = await self._session.read(lambda engine: engine.done_jobs.now(asked, most))
        except (CarrelError, OSError) as error:
            self.unread.emit(str(error))
            raise
        self._model.expect(now)
        jobs = [*now.undone, *now.page.jobs]
        for first in range(0, len(jobs), SLICE):
            self._model.read(jobs[first : first + SLICE])
            await asyncio.sleep(0)
        self._model.end_reading(now.page, query)
        self._is_outdated = self._is_outdated or self._model.is_outdated
        self.ended.emit()

    async def _name_datasets(self) -> None:
        """Read the DOIs of what was requested by other addresses, which the jobs do not know."""
        unnamed = {row.job.request.base_url for row in self._model.unnamed}
        if asked := unnamed - self._dois.keys():
            self._dois |= dict.fromkeys(asked)
            self._dois |= await self._session.read(lambda engine: engine.holdings.dois(asked))
        known = ((url, self._dois.get(url)) for url in unnamed)
        self._model.name_datasets({url: doi for url, doi in known if doi})
