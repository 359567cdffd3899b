# SPDX-License-Identifier: AGPL-3.0-or-later
"""Doing what is due: at once and to its end, or in the background while a window is open."""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from carrel.archive import Archive
from carrel.engine.journal import note_journal
from carrel.engine.queue import Queue
from carrel.engine.schedule.plan import Plan
from carrel.engine.schedule.running import Recorded
from carrel.engine.schedule.watch_words import told_of_check
from carrel.errors import ArchiveError, CarrelError
from carrel.ledger.schedule import LastCheck
from carrel.model import JobState, VerificationReport
from carrel.model.copies import SecondCopy
from carrel.model.counts import counted
from carrel.model.dark_views import RunProgress, WatchedRow
from carrel.model.events import Emit, Event, JobChanged
from carrel.model.iso_time import iso_time
from carrel.model.schedule import Ending, ScheduledRun, ScheduleState, Task
from carrel.model.watch_states import DIFFERING
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.engine.watch import Watching

log = logging.getLogger(__name__)

# Computers sleep and clocks are set: what is due is looked for so often at the least.
_LOOK_EVERY_S = 300.0
# What failed is tried again after this time, not at once.
_REST = timedelta(hours=1)
# The queue is left to whoever runs it.
_IN_BACKGROUND = (Task.WATCH, Task.VERIFY, Task.COPY)


class Schedule:
    """What is at `engine.schedule`. Its coroutines belong to the engine's loop.

    One task runs at a time. In the background nothing is verified or checked while datasets are
    archived, unless the settings want it.
    """

    def __init__(
        self, archive: Archive, queue: Queue, watching: Callable[[], "Watching"], emit: Emit
    ) -> None:
        self._archive, self._queue, self._watching = archive, queue, watching
        self._emit, self._clock = emit, queue.gate.clock
        self._turn = asyncio.Lock()
        self._recorded: Recorded | None = None
        self._looking: Watching | None = None
        self._is_stopping = False
        self._woken = asyncio.Event()
        self._background: asyncio.Task[None] | None = None
        # While datasets are archived both are cleared: for tasks of the loop, and for the thread
        # that reads records. They hold for what runs in the background only.
        self._free, self._may_go_on = asyncio.Event(), threading.Event()
        self._minding: asyncio.Task[None] | None = None
        self._gives_way = False
        self._not_before: dict[Task, datetime] = {}
        self._tried: dict[str, datetime] = {}

    async def state(self) -> ScheduleState:
        """Return what is due, how it last ended, and when it comes next. Raises ArchiveError."""
        found = await asyncio.to_thread(self._plan.state)
        return replace(found, running=self._recorded.run if self._recorded else None)

    async def runs(self, task: Task, most: int = 50) -> Sequence[ScheduledRun]:
        """Return the last runs of a task, the newest first. Raises ArchiveError."""
        return await asyncio.to_thread(self._archive.ledger.schedules.last_runs, task, most)

    async def run(self, *tasks: Task) -> Sequence[ScheduledRun]:
        """Do what is due now of these tasks, or of all, and return how each ended that was due.

        What is paused stays so. The queue is worked off within its hours only, and not at all
        where it has none. Raises ArchiveError where the ledger cannot be written to.
        """
        self._is_stopping = False
        async with self._turn:
            self._gives_way = False
            ran = [await self._run(task) for task in Task if task in (tasks or tuple(Task))]
        return [each for each in ran if each is not None]

    def stop(self) -> None:
        """Have what runs end soon; the rest is due still. On the engine's loop."""
        self._is_stopping = True
        if self._looking is not None:
            self._looking.stop()
        self._woken.set()

    def begin(self) -> None:
        """Do in the background, from now on, what is due. The queue is left to whoever runs it."""
        if self._background is None:
            self._background = asyncio.get_running_loop().create_task(self._live())
            self._give_way()

    def wake(self) -> None:
        """Have what is due in the background be looked for now. On the engine's loop."""
        self._woken.set()

    def note(self, event: Event) -> None:
        """Follow the queue: the background gives way to each job that begins."""
        is_begun = isinstance(event, JobChanged) and event.job.state is JobState.RUNNING
        if is_begun and self._background is not None:
            self._give_way()

    async def close(self) -> None:
        """End what runs, in the background or not, and note how far it came."""
        self.stop()
        tasks = [each for each in (self._minding, self._background) if each is not None]
        self._minding = self._background = None
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def _plan(self) -> Plan:
        return Plan(self._archive, self._queue.gate.hours, self._clock())

    # In the background

    def _give_way(self) -> None:
        """Leave the disk and the network to the queue until it has nothing to do."""
        if self._archive.settings.schedule.while_archiving:
            if not self._free.is_set():
                self._go_on()
        elif self._minding is None:
            self._free.clear()
            self._may_go_on.clear()
            self._minding = asyncio.get_running_loop().create_task(self._mind())

    async def _mind(self) -> None:
        await _first_of(self._queue.wait_until_idle(), self._queue.gate.quiet.wait())
        self._minding = None
        self._go_on()

    def _go_on(self) -> None:
        self._free.set()
        self._may_go_on.set()
        self._woken.set()

    async def _live(self) -> None:
        while True:
            await self._free.wait()
            self._woken.clear()
            try:
                wait_s = await self._do_what_is_due()
            except (CarrelError, OSError) as error:
                log.warning("What is scheduled cannot be done: %s", error)
                wait_s = _LOOK_EVERY_S
            with suppress(TimeoutError):
                # `wait_for` of Python 3.11 may lose a cancellation.
                async with asyncio.timeout(wait_s):
                    await self._woken.wait()

    async def _do_what_is_due(self) -> float:
        """Return after how many seconds something may be due again."""
        for task in _IN_BACKGROUND:
            now = self._clock()
            if self._not_before.get(task, now) > now:
                continue
            async with self._turn:
                self._gives_way = True
                ran = await self._run(task)
            if ran is not None and ran.ending is Ending.FAILED:
                self._not_before[task] = self._clock() + _REST
        now, found = self._clock(), await asyncio.to_thread(self._plan.state)
        moments = [found.of(task).next for task in _IN_BACKGROUND]
        # What is due still could not be done, and could not be any sooner.
        left = [(each - now).total_seconds() for each in moments if each and each > now]
        return min([*left, _LOOK_EVERY_S])

    # One task

    async def _run(self, task: Task) -> ScheduledRun | None:
        """Run a task if anything of it is due, and return how that ended."""
        work = {
            Task.WATCH: self._watch,
            Task.VERIFY: self._verify,
            Task.ARCHIVE: self._work_off,
            Task.COPY: self._copy,
        }
        try:
            await work[task]()
            return self._recorded.run if self._recorded else None
        finally:
            self._recorded = None

    def _begun(self, task: Task, total: int) -> Recorded:
        run = ScheduledRun(task, iso_time(self._clock()), total=total)
        self._recorded = Recorded(run, self._archive.ledger.schedules, self._emit, self._clock)
        return self._recorded

    async def _verify(self) -> None:
        portion = await asyncio.to_thread(self._plan.portion)
        today = self._queue.gate.hours.day_begins(self._clock())
        due = [each for each in portion.due if self._tried.get(each.ingest_id) != today]
        if not due:
            return
        with self._begun(Task.VERIFY, len(due)) as recorded:
            await asyncio.to_thread(note_journal, self._archive)
            for each in due:
                if self._gives_way:
                    await self._free.wait()
                if self._is_stopping:
                    recorded.end(Ending.STOPPED)
                    return
                self._tried[each.ingest_id] = today
                await self._verify_one(each, recorded)
            recorded.end()

    async def _verify_one(self, each: LastCheck, recorded: Recorded) -> None:
        from carrel.engine.verification import verify  # only those who ask for it wait for it

        recorded.tell(tr("Verifying {title}", title=each.title))
        # Where the disk was taken away all would seem to be missing.
        await asyncio.to_thread(self._archive.check_place)
        may_go_on = self._may_go_on if self._gives_way else None
        report = await verify(self._archive, each.ingest_id, may_go_on=may_go_on)
        if report.not_noted:
            raise ArchiveError(report.not_noted)
        recorded.advance("" if report.is_intact else _damage(each, report))

    async def _watch(self) -> None:
        due = await asyncio.to_thread(self._plan.to_look_at)
        if not due:
            return
        with self._begun(Task.WATCH, len(due)) as recorded:
            loop = asyncio.get_running_loop()

            from carrel.engine.watch.checks import LOOKING  # only looks need it

            def tell(progress: RunProgress) -> None:
                if progress.phase == LOOKING:  # what follows is the dark archive's, of no dataset
                    loop.call_soon_threadsafe(recorded.tell, progress.words, progress.done)

            self._looking = looking = self._watching()
            try:
                rows = await looking.look([each.base_url for each in due], tell, is_shown=False)
            finally:
                self._looking = None
            untold = await looking.untold()
            changed = [row for row in await looking.watched() if _is_news(row, untold)]
            unchecked = [row for row in rows if row.is_unanswered]
            found = len({row.base_url for row in (*changed, *unchecked)})
            message = told_of_check(changed, unchecked, len(rows))
            recorded.come_to(len(rows), found, message)
            ran = recorded.end(None if len(rows) == len(due) else Ending.STOPPED)
            if ran.ending is not Ending.STOPPED:  # of which no one is told
                await looking.note_told({row.base_url: untold[row.base_url] for row in changed})

    async def _work_off(self) -> None:
        """Run the queue until it is empty or its hours end."""
        found = (await asyncio.to_thread(self._plan.state)).of(Task.ARCHIVE)
        if not (found.is_on and found.due) or found.waits or self._queue.is_running:
            return
        with self._begun(Task.ARCHIVE, found.due) as recorded:
            recorded.tell(tr("Archiving {count}", count=counted(found.due, "dataset")))
            queue = self._queue
            await queue.start_unless_paused()
            try:
                await _first_of(queue.wait_until_idle(), queue.gate.quiet.wait(), self._asked())
            finally:
                await queue.stop()
            counts = await asyncio.to_thread(self._archive.ledger.jobs.counts)
            left = counts.get(JobState.QUEUED, 0)
            recorded.come_to(max(0, found.due - left))
            recorded.end(Ending.STOPPED if left and self._is_stopping else None)

    async def _copy(self) -> None:
        due = await asyncio.to_thread(self._plan.to_copy)
        if not due:
            return
        with self._begun(Task.COPY, len(due)) as recorded:
            for each in due:
                trouble = None if self._is_stopping else await self._copy_one(each, recorded)
                if trouble is None:
                    recorded.end(Ending.STOPPED)
                    return
                recorded.advance(trouble)
            recorded.end(Ending.FAILED if recorded.run.found else None)

    async def _copy_one(self, each: SecondCopy, recorded: Recorded) -> str | None:
        """Bring a copy up to date; return why it is not complete, "" if it is, None if stopped."""
        from carrel.engine.schedule.copying import copy_by_itself  # only those who have one wait

        may_go_on = self._may_go_on if self._gives_way else None
        return await copy_by_itself(
            self._archive, each.destination, recorded.tell, lambda: self._is_stopping, may_go_on
        )

    async def _asked(self) -> None:
        """Wait until everything is to stop."""
        while not self._is_stopping:
            self._woken.clear()
            await self._woken.wait()


async def _first_of(*waits: Coroutine[Any, Any, object]) -> None:
    """Return when the first of these does."""
    pending = [asyncio.ensure_future(each) for each in waits]
    try:
        await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in pending:
            each.cancel()


def _damage(each: LastCheck, report: VerificationReport) -> str:
    records = report.failed_records
    if not records and report.unreadable:
        first = report.unreadable[0]
        return tr("“{title}”: {path}: {why}", title=each.title, path=first.path, why=first.message)
    return tr(
        "“{title}”: {records} damaged or missing",
        title=each.title,
        records=counted(records, "record"),
    )


def _is_news(row: WatchedRow, untold: Mapping[str, str]) -> bool:
    """Say whether a dataset differs in what no one was told yet; one that was archived since is
    compared with that by its next check."""
    return row.base_url in untold and row.state in DIFFERING
