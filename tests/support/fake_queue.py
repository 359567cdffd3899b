# SPDX-License-Identifier: AGPL-3.0-or-later
"""A queue with the real one's methods, whose jobs do what a script says."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING

from carrel.engine.hours_gate import HoursGate
from carrel.engine.queue import Queue
from carrel.model import (
    Answer,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    Job,
    JobState,
    Status,
    total_size,
)
from carrel.model import events as ev
from carrel.model.caption import Caption

if TYPE_CHECKING:
    from support.fake_engine import FakeEngine

WIDTH = 5  # jobs that run at once
MANY = 50  # changes at once that are told as one


class FakeQueue(Queue):
    """The queue's methods; `known` are its jobs by their ids, `removed` those that are not in the
    list any more, as they ended."""

    def __init__(self, engine: "FakeEngine") -> None:
        self._engine = engine
        self.known = {job.job_id: job for job in engine.script.jobs}
        self.removed: dict[str, Job] = {}
        self._working: dict[str, asyncio.Task[None]] = {}
        self._aims: dict[str, JobState] = {}
        self._count = 0
        self.is_running = False
        self.gate = HoursGate("", lambda: None, lambda _event: None)
        self.is_paused = engine.script.is_queue_paused

    async def start_unless_paused(self) -> None:
        if not self.is_paused:
            self.start()

    async def set_paused(self, *, is_paused: bool) -> bool:
        was_paused, self.is_paused = self.is_paused, is_paused
        if is_paused:
            await self.stop()
        else:
            self.start()
        return was_paused

    async def add(
        self,
        requests: Sequence[IngestRequest],
        options: IngestOptions = IngestOptions(),
        batch: str | None = None,
        captions: Mapping[str, Caption] = MappingProxyType({}),
    ) -> list[Job]:
        open_ = {job.request.base_url for job in self.known.values() if job.state.is_open}
        new = [self._new_job(it, options, batch) for it in requests if it.base_url not in open_]
        said = [captions.get(job.request.base_url, Caption()) for job in new]
        new = [
            replace(
                job,
                title=caption.title or None,
                tags=caption.tags,
                platform_name=caption.platform_name,
                file_count=caption.file_count,
                total_size=caption.total_size,
            )
            for job, caption in zip(new, said, strict=True)
        ]
        self._store(new)
        return new

    async def pause(self, job_ids: Sequence[str]) -> None:
        self._log("pause", job_ids)
        self._interrupt(job_ids, JobState.PAUSED)
        self._alter(job_ids, (JobState.QUEUED,), state=JobState.PAUSED)

    async def resume(self, job_ids: Sequence[str]) -> None:
        self._log("resume", job_ids)
        fields = {"status": None, "message": None}
        self._alter(job_ids, (JobState.PAUSED,), state=JobState.QUEUED, **fields)

    async def retry(self, job_ids: Sequence[str]) -> None:
        self._log("retry", job_ids)
        states = (JobState.FAILED, JobState.CANCELLED, JobState.ASKING)
        fields = {"ingest_id": None, "finished": None, "question": None}
        fields |= {"status": None, "message": None}
        self._alter(job_ids, states, state=JobState.QUEUED, **fields)

    async def cancel(self, job_ids: Sequence[str]) -> None:
        self._log("cancel", job_ids)
        self._interrupt(job_ids, JobState.CANCELLED)
        states = (JobState.QUEUED, JobState.PAUSED, JobState.ASKING)
        self._alter(job_ids, states, state=JobState.CANCELLED, question=None)

    async def remove(self, job_ids: Sequence[str]) -> list[Job]:
        self._log("remove", job_ids)
        removed = [self.known.pop(job_id) for job_id in job_ids if job_id in self.known]
        for job in removed:
            state = JobState.CANCELLED if job.state.is_open else job.state
            self.removed[job.job_id] = replace(job, state=state)
        self._engine.emit(ev.QueueChanged("", is_running=self.is_running))
        return removed

    async def restore(self, jobs: Sequence[Job]) -> None:
        self._log("restore", [job.job_id for job in jobs])
        self.known |= {job.job_id: job for job in jobs}
        for job in jobs:
            self.removed.pop(job.job_id, None)
        self._engine.emit(ev.QueueChanged("", is_running=self.is_running))

    async def move(self, job_ids: Sequence[str], before: str | None) -> None:
        self._log(f"move before {before}", job_ids)
        waiting = [job for job in self._engine.jobs() if job.state.is_open]
        moved = [job for job in waiting if job.job_id in job_ids]
        rest = [job for job in waiting if job.job_id not in job_ids]
        at = next((n for n, job in enumerate(rest) if job.job_id == before), len(rest))
        places = sorted(job.position for job in waiting)
        for job, place in zip([*rest[:at], *moved, *rest[at:]], places, strict=True):
            self.known[job.job_id] = replace(job, position=place)
        self._engine.emit(ev.QueueChanged("", is_running=self.is_running))

    async def prioritise(self, job_ids: Sequence[str], priority: int) -> None:
        self._log(f"priority {priority}", job_ids)
        self._alter(job_ids, tuple(JobState), priority=priority)

    async def answer(self, job_id: str, answer: Answer) -> None:
        self._log(f"answer {answer}", [job_id])
        is_left = answer is Answer.LEAVE
        if is_left:
            self._alter([job_id], (JobState.ASKING,), state=JobState.CANCELLED, question=None)
            return
        options = replace(self.known[job_id].options, max_file_count=1_000_000)
        fields = {"question": None, "ingest_id": None, "options": options}
        self._alter([job_id], (JobState.ASKING,), state=JobState.QUEUED, **fields)

    def _log(self, what: str, job_ids: Sequence[str]) -> None:
        self._engine.calls.append(f"{what} {' '.join(job_ids)}")

    def _new_job(self, request: IngestRequest, options: IngestOptions, batch: str | None) -> Job:
        self._engine.calls.append(f"enqueue {request.base_url} {options.strategy}")
        self._count += 1
        position = len(self.known) + self._count
        job_id = f"job-{self._count}"
        return Job(job_id, request, options, JobState.QUEUED, position, now(), batch=batch)

    def _alter(self, job_ids: Sequence[str], states: Sequence[JobState], **fields: object) -> None:
        jobs = [self.known[job_id] for job_id in job_ids if job_id in self.known]
        self._store(
            [replace(job, **fields) for job in jobs if job.state in states]  # type: ignore[arg-type]
        )

    def _store(self, jobs: Sequence[Job]) -> None:
        self.known.update({job.job_id: job for job in jobs})
        if len(jobs) > MANY:
            self._engine.emit(ev.QueueChanged("", is_running=self.is_running))
        else:
            for job in jobs:
                self._engine.emit(ev.JobChanged(job.job_id, job))
        self._pump()

    def _interrupt(self, job_ids: Sequence[str], aim: JobState) -> None:
        for job_id in job_ids:
            if job_id in self._working:
                self._aims[job_id] = aim
                self._working[job_id].cancel()

    def _pump(self) -> None:
        while self.is_running and len(self._working) < WIDTH:
            waiting = self._engine.jobs(state=JobState.QUEUED)
            if not waiting:
                return
            job = waiting[0]
            if job.ingest_id is None:
                attempts = job.attempts + 1
                ingest_id = job.job_id if attempts == 1 else f"{job.job_id}.{attempts}"
                job = replace(job, attempts=attempts, ingest_id=ingest_id, started=now())
            job = replace(job, state=JobState.RUNNING, status=None, message=None)
            self.known[job.job_id] = job
            self._engine.emit(ev.JobChanged(job.job_id, job))
            self._working[job.job_id] = asyncio.create_task(self._run(job))

    async def _run(self, job: Job) -> None:
        ingest_id = job.ingest_id or job.job_id
        self._engine.emit(ev.IngestStarted(ingest_id, job.request))
        described = self._engine.described(job.request, job.options)
        try:
            result = await self._engine.archived(ingest_id, described)
        except asyncio.CancelledError:
            result = replace(described, status=Status.CANCELLED)
        result = replace(result, ingest_id=ingest_id, started=job.started, finished=now())
        aim = self._aims.pop(job.job_id, None)
        if aim in (None, JobState.CANCELLED):
            self._engine.holdings.kept.append(result)
        self._engine.emit(ev.IngestFinished(ingest_id, result))
        del self._working[job.job_id]
        self._store([self._ended(job, result, aim)])

    def _ended(self, job: Job, result: IngestFilesetResult, aim: JobState | None) -> Job:
        kept = [entry for entry in result.files if entry.is_kept]
        known = replace(
            job, status=result.status, message=result.advice if result.hit else result.error_message
        )
        if result.item is not None:
            known = replace(
                known,
                title=result.item.title,
                platform_name=result.item.platform_name,
                file_count=len(result.files),
                kept_count=len(kept),
                total_size=total_size(result.files),
                kept_size=total_size(kept),
            )
        if aim in (JobState.QUEUED, JobState.PAUSED):
            return replace(known, state=aim)
        is_too_many = result.status is Status.TOO_MANY_FILES
        question = self._engine.script.questions.get(job.request.base_url) if is_too_many else None
        state = JobState.DONE if result.hit else JobState.FAILED
        if result.status is Status.CANCELLED:
            state, question = JobState.CANCELLED, None
        if question is not None:
            state = JobState.ASKING
        return replace(known, state=state, question=question, finished=result.finished)

    def start(self) -> None:
        self.is_running = True
        self._engine.emit(ev.QueueChanged("", is_running=True))
        self._pump()

    async def stop(self) -> None:
        self.is_running = False
        for job_id, task in self._working.items():
            self._aims.setdefault(job_id, JobState.QUEUED)
            task.cancel()
        await asyncio.gather(*self._working.values(), return_exceptions=True)
        self._engine.emit(ev.QueueChanged("", is_running=False))


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
