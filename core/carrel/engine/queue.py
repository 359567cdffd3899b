# SPDX-License-Identifier: AGPL-3.0-or-later
"""The queue: jobs wait in the ledger for their turn, a bounded number runs at once.

What the ledger says is what holds: a job is running there before it runs, and has ended there after
it did. A process that is killed leaves jobs that claim to run; the next one queues them again, and
each goes on where it was.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from carrel.archive import Archive
from carrel.capture.throttle import Pause
from carrel.engine.acceptance import Acceptance
from carrel.engine.folder_watch import FolderWatch
from carrel.engine.host_waits import HostWaits
from carrel.engine.hours_gate import HoursGate
from carrel.engine.ingest_formats import IngestFormats
from carrel.engine.job_states import after, as_restored, begun, paused, resumed, retried
from carrel.engine.questions import answered
from carrel.engine.seals import Seals
from carrel.engine.untold import Untold
from carrel.errors import ArchiveAway, ArchiveError, UsageError
from carrel.ledger.jobs import Jobs
from carrel.model import (
    Answer,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    Job,
    JobState,
    Status,
)
from carrel.model.caption import Caption
from carrel.model.events import Emit, JobChanged, QueueChanged
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.engine.ingest import Ingest, Tools

log = logging.getLogger(__name__)

# Above so many, one event says that many jobs changed.
_MANY = 50
_WAITING = (JobState.QUEUED, JobState.PAUSED, JobState.ASKING)
_ENDED_BADLY = (JobState.FAILED, JobState.CANCELLED, JobState.ASKING)
# What held a job up, or how it ended, is no longer so once it waits for its turn again.
_GOES_ON: Mapping[str, Any] = {"state": JobState.QUEUED, "status": None, "message": None}


class Queue:
    """Runs the jobs of requests in order, `width` at a time. Belongs to one loop."""

    def __init__(
        self, archive: Archive, tools: "Callable[[], Tools]", width: int, emit: Emit
    ) -> None:
        self._jobs, self._tools = archive.ledger.jobs, tools
        self._is_writable, self._check_place = archive.is_writable, archive.check_place
        self._tag = archive.ledger.curation.tag_attempt
        self._width, self._emit = width, emit
        self._formats = IngestFormats(archive)
        self._seals = Seals()
        self._acceptance = Acceptance(self._jobs, self._seals)
        self._active: dict[str, Ingest] = {}
        self._tasks: set[asyncio.Task[IngestFilesetResult]] = set()
        self._aims: dict[str, JobState] = {}
        self.untold = Untold(self._jobs)
        self._turns: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self.gate = HoursGate(archive.settings.schedule.hours, self._changed.set, emit)
        self.host_waits = HostWaits(self._jobs, self._changed)
        self.folder = FolderWatch(archive.check_place, self.start_unless_paused)
        # A job is read, changed and written in three steps, which no one may come between.
        self._changing = asyncio.Lock()
        self._idle = asyncio.Event()
        self._idle.set()
        self.is_running = False
        self.running_since: datetime | None = None

    def start(self) -> None:
        """Have jobs take their turns from now on."""
        if not self.is_running:
            self.running_since = datetime.now(UTC)
        self.is_running = True
        self.folder.end()
        self.gate.begin()
        self._emit(QueueChanged("", is_running=True, jobs_changed=False))
        self._wake()

    async def stop(self) -> None:
        """Let no job begin, have those that run go back to the queue, and wait until they have."""
        self.is_running, self.running_since = False, None
        self.folder.end()
        self.gate.end()
        async with self._changing:  # so that a job which begins just now is among those that run
            turns, self._turns = self._turns, None
            if turns is not None:
                turns.cancel()
        for job_id in list(self._active):
            self._aims.setdefault(job_id, JobState.QUEUED)
            self._active[job_id].suspend()
        await asyncio.gather(*self._tasks, *([turns] if turns else []), return_exceptions=True)
        await self._formats.rest()
        self._idle.set()
        self._emit(QueueChanged("", is_running=False, jobs_changed=False))

    async def start_unless_paused(self) -> None:
        """Have jobs take their turns, if the archivist did not pause the queue, now or earlier.

        In an archive that is only read they never do, and nothing is told of it: no one paused it.
        """
        if not self._is_writable:
            return
        if await asyncio.to_thread(self._jobs.paused_since) is None:
            self.start()
        else:
            self._emit(QueueChanged("", is_running=False, jobs_changed=False))

    async def set_paused(self, *, is_paused: bool) -> bool:
        """Stop, and stay so in later processes too; or start again. Return whether the archivist
        had it paused before."""
        since = datetime.now(UTC).isoformat(timespec="seconds") if is_paused else None
        try:
            was_paused = await asyncio.to_thread(self._jobs.paused_since) is not None
            if is_paused or was_paused:
                await asyncio.to_thread(self._jobs.set_paused_since, since)
        finally:
            if is_paused:
                await self.stop()
        if not is_paused:
            self.start()
        return was_paused

    async def add(
        self,
        requests: Sequence[IngestRequest],
        options: IngestOptions = IngestOptions(),
        batch: str | None = None,
        captions: Mapping[str, Caption] = MappingProxyType({}),
    ) -> list[Job]:
        """Put datasets at the end and return the new jobs.

        What is open already with the same request is not added twice. `captions` has, by their
        addresses, what a list says of datasets; what is open already gets tags by it, too.
        """
        if not self._is_writable:
            raise ArchiveError(
                tr("The archive is open read-only: nothing can be added to its queue.")
            )
        async with self._changing:
            jobs = await asyncio.to_thread(
                self._acceptance.fresh, requests, options, batch, captions
            )
            await asyncio.to_thread(self._jobs.add, jobs)
            more = await asyncio.to_thread(self._acceptance.told_more, requests, jobs, captions)
            if more:
                await asyncio.to_thread(self._jobs.update, *more)
        self._tell([*jobs, *more])
        self._wake()
        return jobs

    async def run_now(
        self, request: IngestRequest, options: IngestOptions, emit: Emit
    ) -> IngestFilesetResult:
        """Run the job of a request past the queue, and return how it ended; `emit` gets its events.

        It is in the ledger before it runs, and can be stopped as those in the queue.
        """
        async with self._changing:
            job = await asyncio.to_thread(self._begin_at_once, request, options)
            task = self._follow(job, self._ingest_of(job, emit))
        return await task

    async def pause(self, job_ids: Sequence[str]) -> None:
        """Have jobs wait until they are resumed; what runs stops, and goes on from there later.

        What was on hold, and would go on by itself, waits for that too.
        """

        def stop(job_id: str) -> None:
            self._aims[job_id] = JobState.PAUSED
            self._active[job_id].suspend()

        await self._change(job_ids, (JobState.QUEUED, JobState.PAUSED), paused, stop=stop)

    async def resume(self, job_ids: Sequence[str]) -> None:
        """Put paused jobs back into the queue, in their old places."""
        await self._change(job_ids, (JobState.PAUSED,), resumed)

    async def retry(self, job_ids: Sequence[str]) -> None:
        """Queue jobs that ended badly once more; only what is missing will be fetched."""
        unfinished = await asyncio.to_thread(self._jobs.unfinished, job_ids)
        anew: Mapping[str, Any] = {**_GOES_ON, "finished": None, "question": None}
        goes_on = [job_id for job_id in job_ids if job_id in unfinished]
        await self._change(goes_on, _ENDED_BADLY, _with(**anew))
        others = [job_id for job_id in job_ids if job_id not in unfinished]
        await self._change(others, _ENDED_BADLY, retried)

    async def cancel(self, job_ids: Sequence[str]) -> None:
        """End jobs; what was verified stays kept."""
        async with self._changing:  # none begins, and none ends, meanwhile
            for job_id in self._running(job_ids):
                self._active[job_id].cancel()
            waiting = [job_id for job_id in job_ids if job_id not in self._active]
            unfinished = await asyncio.to_thread(self._jobs.unfinished, waiting)
            interrupted = await asyncio.to_thread(self._jobs.get_all, list(unfinished))
            running = [begun(job) for job in interrupted]
            await asyncio.to_thread(self._jobs.update, *running)
            for job in running:
                # What its interrupted attempt had fetched is brought into the collection.
                ingest = self._ingest_of(job, self._emit)
                ingest.cancel()
                self._follow(job, ingest)
            others = [job_id for job_id in waiting if job_id not in unfinished]
            cancelled = _with(state=JobState.CANCELLED, status=Status.CANCELLED, question=None)
            changed = await _changed(self._jobs, others, _WAITING, cancelled)
        self._tell(changed)
        self._wake()

    async def remove(self, job_ids: Sequence[str]) -> list[Job]:
        """Take jobs off the list, stopping those that run; what they kept stays kept.

        Return them as they were before, which `restore` takes.
        """
        removed = await asyncio.to_thread(self._jobs.get_all, job_ids)
        await self.cancel(job_ids)
        ending = {task for task in self._tasks if task.get_name() in job_ids}
        if ending:
            await asyncio.wait(ending)
        async with self._changing:
            await asyncio.to_thread(self._jobs.remove, job_ids)
        self._emit(QueueChanged("", is_running=self.is_running))
        return removed

    async def restore(self, jobs: Sequence[Job]) -> None:
        """Put removed jobs back in their old places; those that were open take their turns again.

        What was paused is paused, and what ran or asked something begins anew.
        """
        restored = [as_restored(job) for job in jobs]
        async with self._changing:
            await asyncio.to_thread(self._jobs.restore, restored)
        took_turns = [job for job in jobs if job.state.is_open and job.state is not JobState.PAUSED]
        await self.retry([job.job_id for job in took_turns])
        self._emit(QueueChanged("", is_running=self.is_running))

    async def prioritise(self, job_ids: Sequence[str], priority: int) -> None:
        """Have jobs run before those of lower priority; 0 is usual."""
        await self._change(job_ids, tuple(JobState), _with(priority=priority))

    async def move(self, job_ids: Sequence[str], before: str | None) -> None:
        """Have jobs run just before another, or after all others; they take its priority."""
        async with self._changing:
            await asyncio.to_thread(_move, self._jobs, job_ids, before)
        self._emit(QueueChanged("", is_running=self.is_running))

    async def answer(self, job_id: str, answer: Answer) -> None:
        """Answer the question of a job. Raises UsageError if it did not ask that."""
        async with self._changing:
            job = await asyncio.to_thread(self._jobs.get, job_id)
            if job is None or job.question is None or answer not in job.question.answers:
                raise UsageError(
                    tr(
                        "The job {job_id} does not wait for the answer “{answer}”.",
                        job_id=job_id,
                        answer=answer,
                    )
                )
            told = answered(job, answer)
            if answer is Answer.PUBLISH:
                told = await asyncio.to_thread(self._seals.sealed, told)
            await asyncio.to_thread(self._jobs.update, told)
        self._tell([told])
        self._wake()

    async def wait_until_idle(self) -> None:
        """Return when nothing runs and no one waits for a turn."""
        while not self._idle.is_set():
            await self._idle.wait()

    def cancel_all(self) -> None:
        """Ask every job that runs to end; what was verified stays kept."""
        for ingest in self._active.values():
            ingest.cancel()

    def _running(self, job_ids: Sequence[str]) -> list[str]:
        return [job_id for job_id in job_ids if job_id in self._active]

    async def _change(
        self,
        job_ids: Sequence[str],
        states: Collection[JobState],
        change: Callable[[Job], Job],
        *,
        stop: Callable[[str], None] | None = None,
    ) -> None:
        """Change those of these jobs that are in one of the states, and `stop` those that run: none
        begins, and none ends, between the two."""
        async with self._changing:
            if stop is not None:
                for job_id in self._running(job_ids):
                    stop(job_id)
            changed = await _changed(self._jobs, job_ids, states, change)
        self._tell(changed)
        self._wake()

    def _wake(self) -> None:
        """Look whether someone's turn has come."""
        self._changed.set()
        if self.is_running and self._turns is None:
            self._turns = asyncio.get_running_loop().create_task(self._take_turns())
        if self.is_running:
            self._idle.clear()

    async def _take_turns(self) -> None:
        """Begin jobs as there is room. A ledger that cannot be written ends it, and is told."""
        try:
            async with self._changing:
                caught_up = await asyncio.to_thread(self._catch_up)
            self._tell(caught_up)
            while True:
                self._changed.clear()
                while self.is_running and len(self._active) < self._width and self.gate.is_open:
                    async with self._changing:
                        job = await asyncio.to_thread(self._begin_next)
                        if job is None:
                            break
                        ingest = self._ingest_of(job, self._emit, self.host_waits.noting(job))
                        self.gate.attend(ingest)
                        self._follow(job, ingest)
                if self.is_running and len(self._active) >= self._width and self.gate.is_open:
                    await self.host_waits.make_room(self._active, self._aims)
                waits = self._jobs.next_queued if not self.gate.is_open else None
                is_held = bool(waits and await asyncio.to_thread(waits))
                self.gate.note(is_held=is_held, is_quiet=not self._active)
                if not self._active:
                    await self._formats.rest()
                if not self._active and not is_held:
                    self._idle.set()
                await self._changed.wait()
        except ArchiveError as error:
            log.info("The queue stops: %s", error)
            self.is_running, self._turns = False, None
            if not self._active:
                self._idle.set()
            told = QueueChanged("", is_running=False, reason=str(error), jobs_changed=False)
            self._emit(told)
            if isinstance(error, ArchiveAway):
                self.folder.begin()

    def _catch_up(self) -> Sequence[Job]:
        """Tell the ledger what it could not be told before, and queue the jobs again that wait for
        the archive. Return those."""
        self.untold.tell()
        put_aside = self._jobs.in_turn(state=JobState.PAUSED)
        waiting = [replace(job, **_GOES_ON) for job in put_aside if job.is_on_hold]
        self._jobs.update(*waiting)
        return waiting

    def _begin_next(self) -> Job | None:
        """Return the job whose turn it is, None if none waits. Raises ArchiveError, and does so
        before the first is put aside for a folder that is away."""
        self._check_place()
        job = self.host_waits.next_job()
        return self._begin(job) if job else None

    def _begin_at_once(self, request: IngestRequest, options: IngestOptions) -> Job:
        """Return the job of a request. Raises ArchiveError."""
        return self._begin(self._acceptance.of(request, options))

    def _begin(self, job: Job) -> Job:
        """Return a job as it begins, running by the ledger. Raises ArchiveError."""
        running = begun(job)
        self._jobs.update(running)
        return running

    def _ingest_of(
        self, job: Job, emit: Emit, note: Callable[[Pause], None] | None = None
    ) -> "Ingest":
        """Return the ingest of a job that begins or goes on; `note` is told of pauses that it
        waits for."""
        heed_ends = self._formats.heed  # which gets ready while all else is loaded
        from carrel.engine.ingest import Ingest  # half of the start, for the first job

        tools = self._tools()
        return Ingest(
            replace(tools, client=tools.client.noting(note)) if note else tools,
            job.request,
            job.options,
            emit,
            job.ingest_id or job.job_id,
            earlier=job.job_id if job.attempts > 1 else None,
            heed_ends=heed_ends,
            is_wanted=lambda: self._seals.holds(job),
        )

    def _follow(self, job: Job, ingest: "Ingest") -> "asyncio.Task[IngestFilesetResult]":
        """Run an ingest and note how its job ended."""
        self._active[job.job_id] = ingest
        self._idle.clear()
        self._tell([job])
        running = self._run_to_its_end(job, ingest)
        task = asyncio.get_running_loop().create_task(running, name=job.job_id)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run_to_its_end(self, job: Job, ingest: "Ingest") -> IngestFilesetResult:
        try:
            result = await ingest.run()
            usual = JobState.QUEUED if ingest.is_winding_down else JobState.PAUSED
            async with self._changing:
                aim = self._aims.pop(job.job_id, usual)
                as_ended = partial(after, result=result, is_suspended=ingest.is_suspended, aim=aim)
                try:
                    # Its place in the queue may be another than when it began.
                    now = await asyncio.to_thread(self._jobs.get, job.job_id) or job
                    changed = self.host_waits.explained(as_ended(now))
                    await asyncio.to_thread(self._jobs.update, changed)
                    if changed.tags and changed.kept_count:
                        await asyncio.to_thread(self._tag, changed.ingest_id or "", changed.tags)
                except ArchiveError as error:
                    changed = replace(as_ended(job), message=str(error))
                    self.untold.note(as_ended, changed)
            self._tell([changed])
            await self._formats.identify(ingest)
            return result
        finally:
            del self._active[job.job_id]
            self._aims.pop(job.job_id, None)  # told too late
            if not self.is_running and not self._active:
                self._idle.set()
            self._changed.set()
            if not self._active and self._turns is None:  # else the next may begin at once
                await self._formats.rest()

    def _tell(self, jobs: Sequence[Job]) -> None:
        if len(jobs) > _MANY:
            self._emit(QueueChanged("", is_running=self.is_running))
            return
        for job in jobs:
            self._emit(JobChanged(job.job_id, job))


def _with(**fields: Any) -> Callable[[Job], Job]:
    """Return what gives a job these fields."""
    return lambda job: replace(job, **fields)


async def _changed(
    ledger: Jobs,
    job_ids: Sequence[str],
    states: Collection[JobState],
    change: Callable[[Job], Job],
) -> list[Job]:
    """Return those of these jobs that were in one of the states, changed, by the ledger too."""
    jobs = await asyncio.to_thread(ledger.get_all, list(job_ids))
    changed = [change(job) for job in jobs if job.state in states]
    await asyncio.to_thread(ledger.update, *changed)
    return changed


def _move(ledger: Jobs, job_ids: Sequence[str], before: str | None) -> None:
    waiting = [job for job in ledger.in_turn() if job.state.is_open]
    moved = [job for job in waiting if job.job_id in set(job_ids)]
    rest = [job for job in waiting if job not in moved]
    at = next((i for i, job in enumerate(rest) if job.job_id == before), len(rest))
    neighbour = rest[min(at, len(rest) - 1)] if rest else None
    if neighbour is not None:
        ledger.update(*(replace(job, priority=neighbour.priority) for job in moved))
    ledger.reorder([job.job_id for job in [*rest[:at], *moved, *rest[at:]]])
