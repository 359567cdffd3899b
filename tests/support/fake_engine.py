# SPDX-License-Identifier: AGPL-3.0-or-later
"""An engine with the real one's face and no network: it answers and tells what it was given."""

import asyncio
import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from carrel.engine import Engine
from carrel.engine.held import held_beside
from carrel.ledger.fixity import IngestFixity
from carrel.model import (
    Answer,
    FailedRecord,
    Fate,
    Fixity,
    Held,
    Identifier,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    IngestStrategy,
    Job,
    JobState,
    ManifestFile,
    Paste,
    PlatformItem,
    Question,
    RecordCheck,
    Scheme,
    Stage,
    Status,
    StrategyChoice,
    VerificationReport,
    total_size,
)
from carrel.model import events as ev
from carrel.model.accession import Accession
from carrel.model.events import Emit, ignore
from support.fake_dark import DarkScript, FakeDark
from support.fake_mementos import FakeMementos, MementoScript

STEPS = 4
WIDTH = 5  # jobs that run at once
MANY = 50  # changes at once that are told as one
OVERVIEW = (  # what the ledger's says of each
    *("request", "ingest_id", "status", "finished", "title", "creators", "doi"),
    *("platform_name", "platform_id", "platform_version"),
    *("file_count", "kept_count", "total_size", "unknown_sizes", "last_attempt", "fixity"),
)
PATTERN = re.compile(r"(10\.\d{4,}/\S+)|(https?://\S+)")


@dataclass(slots=True)
class Script:
    """What the engine shall know and do.

    `items` are datasets and `refusals` outcomes, both by request URL; `file_outcomes` are outcomes
    of single files by path. Ingests of `held` URLs stop halfway until they are released. Of the
    URLs in `questions` each first attempt ends in a question. `jobs` are in the queue from before.
    """

    items: Mapping[str, PlatformItem] = field(default_factory=dict)
    refusals: Mapping[str, Status] = field(default_factory=dict)
    file_outcomes: Mapping[str, Status] = field(default_factory=dict)
    held: frozenset[str] = frozenset()
    questions: Mapping[str, Question] = field(default_factory=dict)
    jobs: Sequence[Job] = ()
    kept: Sequence[IngestFilesetResult] = ()
    damaged: Sequence[RecordCheck] = ()
    opening_error: Exception | None = None
    place_error: Exception | None = None
    ledger_error: Exception | None = None
    mementos: MementoScript = field(default_factory=MementoScript)
    dark: DarkScript = field(default_factory=DarkScript)


class FakeEngine(Engine):
    """The engine's methods over a script."""

    def __init__(self, script: Script, emit: Emit = ignore) -> None:
        self.script = script
        self.calls: list[str] = []
        self._emit = emit
        self._results = list(script.kept)
        self.fixities: dict[str, dict[str, Any]] = {}
        self.failed: dict[str, Sequence[FailedRecord]] = {}
        self._jobs = {job.job_id: job for job in script.jobs}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._aims: dict[str, JobState] = {}
        self._released = asyncio.Event()
        self._count = 0
        self._is_queue_running = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._fake_mementos = FakeMementos(script.mementos, self.calls)
        self._fake_dark = FakeDark(script.dark, self.calls)

    async def __aenter__(self) -> "FakeEngine":
        if self.script.opening_error:
            raise self.script.opening_error
        self._loop = asyncio.get_running_loop()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop_queue()
        self.calls.append("closed")

    @property
    def mementos(self) -> FakeMementos:
        return self._fake_mementos

    @property
    def dark(self) -> FakeDark:  # type: ignore[override]  # it has the face that pages know
        return self._fake_dark

    @property
    def watching(self) -> FakeDark:  # type: ignore[override]  # as above
        return self._fake_dark

    def release(self) -> None:
        """Let held ingests go on; from any thread."""
        assert self._loop
        self._loop.call_soon_threadsafe(self._released.set)

    # The queue

    async def add(
        self,
        requests: Sequence[IngestRequest],
        options: IngestOptions = IngestOptions(),
        batch: str | None = None,
    ) -> list[Job]:
        open_ = {job.request.base_url for job in self._jobs.values() if job.state.is_open}
        new = [self._new_job(it, options, batch) for it in requests if it.base_url not in open_]
        self._store(new)
        return new

    async def enqueue(
        self, request: IngestRequest, options: IngestOptions = IngestOptions()
    ) -> str:
        jobs = await self.add([request], options)
        return jobs[0].job_id

    def jobs(self, *, state: JobState | None = None, batch: str | None = None) -> list[Job]:
        found = [job for job in self._jobs.values() if state in (None, job.state)]
        return sorted(found, key=lambda job: (not job.state.is_open, *turn(job)))

    @property
    def is_queue_running(self) -> bool:
        return self._is_queue_running

    def start_queue(self) -> None:
        self._is_queue_running = True
        self._emit(ev.QueueChanged("", is_running=True))
        self._pump()

    async def stop_queue(self) -> None:
        self._is_queue_running = False
        for job_id, task in self._tasks.items():
            self._aims.setdefault(job_id, JobState.QUEUED)
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._emit(ev.QueueChanged("", is_running=False))

    async def pause(self, job_ids: Sequence[str]) -> None:
        self._log("pause", job_ids)
        self._interrupt(job_ids, JobState.PAUSED)
        self._change(job_ids, (JobState.QUEUED,), state=JobState.PAUSED)

    async def resume(self, job_ids: Sequence[str]) -> None:
        self._log("resume", job_ids)
        fields = {"status": None, "message": None}
        self._change(job_ids, (JobState.PAUSED,), state=JobState.QUEUED, **fields)

    async def retry(self, job_ids: Sequence[str]) -> None:
        self._log("retry", job_ids)
        states = (JobState.FAILED, JobState.CANCELLED, JobState.ASKING)
        fields = {"ingest_id": None, "finished": None, "question": None}
        fields |= {"status": None, "message": None}
        self._change(job_ids, states, state=JobState.QUEUED, **fields)

    async def cancel(self, job_ids: Sequence[str]) -> None:
        self._log("cancel", job_ids)
        self._interrupt(job_ids, JobState.CANCELLED)
        states = (JobState.QUEUED, JobState.PAUSED, JobState.ASKING)
        self._change(job_ids, states, state=JobState.CANCELLED, question=None)

    async def remove(self, job_ids: Sequence[str]) -> None:
        self._log("remove", job_ids)
        for job_id in job_ids:
            self._jobs.pop(job_id, None)
        self._emit(ev.QueueChanged("", is_running=self._is_queue_running))

    async def move(self, job_ids: Sequence[str], before: str | None) -> None:
        self._log(f"move before {before}", job_ids)
        waiting = [job for job in self.jobs() if job.state.is_open]
        moved = [job for job in waiting if job.job_id in job_ids]
        rest = [job for job in waiting if job.job_id not in job_ids]
        at = next((n for n, job in enumerate(rest) if job.job_id == before), len(rest))
        places = sorted(job.position for job in waiting)
        for job, place in zip([*rest[:at], *moved, *rest[at:]], places, strict=True):
            self._jobs[job.job_id] = replace(job, position=place)
        self._emit(ev.QueueChanged("", is_running=self._is_queue_running))

    async def prioritise(self, job_ids: Sequence[str], priority: int) -> None:
        self._log(f"priority {priority}", job_ids)
        self._change(job_ids, tuple(JobState), priority=priority)

    async def answer(self, job_id: str, answer: Answer) -> None:
        self._log(f"answer {answer}", [job_id])
        is_left = answer is Answer.LEAVE
        if is_left:
            self._change([job_id], (JobState.ASKING,), state=JobState.FAILED, question=None)
            return
        options = replace(self._jobs[job_id].options, max_file_count=1_000_000)
        fields = {"question": None, "ingest_id": None, "options": options}
        self._change([job_id], (JobState.ASKING,), state=JobState.QUEUED, **fields)

    def _log(self, what: str, job_ids: Sequence[str]) -> None:
        self.calls.append(f"{what} {' '.join(job_ids)}")

    def _new_job(self, request: IngestRequest, options: IngestOptions, batch: str | None) -> Job:
        self.calls.append(f"enqueue {request.base_url} {options.strategy}")
        self._count += 1
        position = len(self._jobs) + self._count
        job_id = f"job-{self._count}"
        return Job(job_id, request, options, JobState.QUEUED, position, now(), batch=batch)

    def _change(self, job_ids: Sequence[str], states: Sequence[JobState], **fields: object) -> None:
        jobs = [self._jobs[job_id] for job_id in job_ids if job_id in self._jobs]
        self._store(
            [replace(job, **fields) for job in jobs if job.state in states]  # type: ignore[arg-type]
        )

    def _store(self, jobs: Sequence[Job]) -> None:
        self._jobs.update({job.job_id: job for job in jobs})
        if len(jobs) > MANY:
            self._emit(ev.QueueChanged("", is_running=self._is_queue_running))
        else:
            for job in jobs:
                self._emit(ev.JobChanged(job.job_id, job))
        self._pump()

    def _interrupt(self, job_ids: Sequence[str], aim: JobState) -> None:
        for job_id in job_ids:
            if job_id in self._tasks:
                self._aims[job_id] = aim
                self._tasks[job_id].cancel()

    def _pump(self) -> None:
        while self._is_queue_running and len(self._tasks) < WIDTH:
            waiting = self.jobs(state=JobState.QUEUED)
            if not waiting:
                return
            job = waiting[0]
            if job.ingest_id is None:
                attempts = job.attempts + 1
                ingest_id = job.job_id if attempts == 1 else f"{job.job_id}.{attempts}"
                job = replace(job, attempts=attempts, ingest_id=ingest_id, started=now())
            job = replace(job, state=JobState.RUNNING, status=None, message=None)
            self._jobs[job.job_id] = job
            self._emit(ev.JobChanged(job.job_id, job))
            self._tasks[job.job_id] = asyncio.create_task(self._run(job))

    @staticmethod
    def understand(text: str) -> Paste:
        found: dict[str, Identifier] = {}
        strange: list[tuple[int, str]] = []
        for line_number, line in enumerate(text.splitlines(), 1):
            matches = list(PATTERN.finditer(line))
            if line.strip() and not matches:
                strange.append((line_number, line))
            for match in matches:
                value = match.group()
                is_doi = match.group(1) is not None
                url = f"https://doi.org/{value}" if is_doi else value
                scheme = Scheme.DOI if is_doi else Scheme.URL
                found.setdefault(url, Identifier(scheme, value, url, line_number))
        return Paste(tuple(found.values()), tuple(strange))

    async def preview(
        self, request: IngestRequest, options: IngestOptions = IngestOptions(), emit: Emit = ignore
    ) -> IngestFilesetResult:
        self.calls.append(f"preview {request.base_url}")
        emit(ev.StageEntered("preview", Stage.DESCRIBE, "Querying the platform"))
        if request.base_url in self.script.held:
            await self._released.wait()
        return self._described(request, options)

    def held(self, previewed: IngestFilesetResult) -> Held | None:
        if self.script.ledger_error:
            raise self.script.ledger_error
        for row in self.results():
            url, name = row["request"]["base_url"], row.get("platform_id")
            is_named = previewed.item is not None and previewed.item.platform_id == name
            if row.get("kept_count") and (is_named or url == previewed.request.base_url):
                found = self.fixities.get(row["ingest_id"], {})
                known = {name: found[name] for name in ("failed", "missing") if name in found}
                return held_beside(row, IngestFixity(**known), previewed)
        return None

    def results(self, url: str | None = None) -> Sequence[dict[str, Any]]:
        """Return what is held as the ledger does: a success before a part, the newest of each."""
        by_url: dict[str, list[IngestFilesetResult]] = {}
        for result in self._results:
            by_url.setdefault(result.request.base_url, []).append(result)
        held = [_held(attempts) for attempts in reversed(by_url.values())]
        faults = {name: each for name, each in self.fixities.items() if each["failed"]}
        return [
            {**row, "fixity": faults[row["ingest_id"]]} if row["ingest_id"] in faults else row
            for row in held
        ]

    def overview(self, base_urls: Collection[str] | None = None) -> Iterator[dict[str, Any]]:
        for row in self.results():
            if base_urls is None or row["request"]["base_url"] in base_urls:
                yield {name: row[name] for name in OVERVIEW if name in row}

    def accession(self, ingest_id: str) -> Accession | None:
        return _accession(result) if (result := self._attempt(ingest_id)) else None

    def datasets_with(self, algorithm: str, digest: str) -> Set[str]:
        self.calls.append(f"datasets with {algorithm} {digest}")
        return {
            result.request.base_url
            for result in self._results
            for entry in result.files
            if entry.is_kept and entry.observed and entry.observed.digests.get(algorithm) == digest
        }

    def check_place(self) -> None:
        if self.script.place_error:
            raise self.script.place_error

    def fixity(self, ingest_id: str) -> dict[str, Any]:
        return self.fixities.get(ingest_id, {})

    def failures(self, ingest_id: str) -> Sequence[FailedRecord]:
        return self.failed.get(ingest_id, ())

    def file_fates(self, ingest_id: str) -> Mapping[str, Fate]:
        return {path: each.fate for each in self.failures(ingest_id) for path in each.files}

    def result(self, ingest_id: str) -> dict[str, Any] | None:
        found = self._attempt(ingest_id)
        return found.to_json() if found else None

    def _attempt(self, ingest_id: str) -> IngestFilesetResult | None:
        return next((each for each in self._results if each.ingest_id == ingest_id), None)

    async def verify(self, ingest_id: str | None = None, emit: Emit = ignore) -> VerificationReport:
        self.calls.append(f"verify {ingest_id}")
        files = self._kept_files(ingest_id)
        size = sum(entry.size or 0 for entry in files)
        done = 0
        for entry in files:
            done += entry.size or 0
            check = RecordCheck(entry.path, "CARREL-1.warc.gz", done, entry.size or 0, Fate.INTACT)
            emit(ev.RecordVerified("verify", check, done, size))
            await asyncio.sleep(0)
        if ingest_id is not None:
            self.fixities[ingest_id] = _fixity(self.script.damaged)
            self.failed[ingest_id] = [_failed(check, files) for check in self.script.damaged]
        return VerificationReport(len(files), size, tuple(self.script.damaged))

    def _kept_files(self, ingest_id: str | None) -> list[ManifestFile]:
        chosen = [it for it in self._results if ingest_id in (None, it.ingest_id)]
        return [entry for result in chosen for entry in result.files if entry.is_kept]

    def _described(self, request: IngestRequest, options: IngestOptions) -> IngestFilesetResult:
        item = self.script.items.get(request.base_url)
        refusal = self.script.refusals.get(request.base_url)
        if request.base_url in self.script.questions and options.max_file_count is None:
            refusal = Status.TOO_MANY_FILES
        if item is None and refusal is None:
            refusal = Status.NO_PLATFORM_MATCH
        return IngestFilesetResult(
            request=request,
            status=refusal or foreseen(item),
            hops=(request.base_url,),
            item=item,
            choice=chosen(item, options) if item else None,
            findings=item.findings if item else (),
        )

    async def _run(self, job: Job) -> None:
        ingest_id = job.ingest_id or job.job_id
        self._emit(ev.IngestStarted(ingest_id, job.request))
        described = self._described(job.request, job.options)
        try:
            result = await self._archived(ingest_id, described)
        except asyncio.CancelledError:
            result = replace(described, status=Status.CANCELLED)
        result = replace(result, ingest_id=ingest_id, started=job.started, finished=now())
        aim = self._aims.pop(job.job_id, None)
        if aim in (None, JobState.CANCELLED):
            self._results.append(result)
        self._emit(ev.IngestFinished(ingest_id, result))
        del self._tasks[job.job_id]
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
        question = self.script.questions.get(job.request.base_url) if is_too_many else None
        state = JobState.DONE if result.hit else JobState.FAILED
        if result.status is Status.CANCELLED:
            state, question = JobState.CANCELLED, None
        if question is not None:
            state = JobState.ASKING
        return replace(known, state=state, question=question, finished=result.finished)

    async def _archived(
        self, ingest_id: str, described: IngestFilesetResult
    ) -> IngestFilesetResult:
        self._emit(ev.StageEntered(ingest_id, Stage.RESOLVE, "Resolving the address"))
        await asyncio.sleep(0)
        if described.item is None or described.choice is None:
            return described
        if described.status is Status.TOO_MANY_FILES:
            return described
        self._emit(ev.Described(ingest_id, described.item, described.choice))
        self._emit(ev.StageEntered(ingest_id, Stage.FETCH, ""))
        manifest = []
        for index, entry in enumerate(described.item.manifest):
            manifest.append(await self._fetched(ingest_id, index, entry, described.request))
        failed = [entry.status for entry in manifest if not entry.is_kept and entry.status]
        status = failed[0] if failed else Status.SUCCESS
        return replace(described, status=status, manifest=tuple(manifest))

    async def _fetched(
        self, ingest_id: str, index: int, entry: ManifestFile, request: IngestRequest
    ) -> ManifestFile:
        size = entry.declared.size
        self._emit(ev.FileStarted(ingest_id, index))
        for step in range(STEPS):
            received = (size or 1000) * step // STEPS
            self._emit(ev.FileProgress(ingest_id, index, received, size))
            await asyncio.sleep(0)
        if request.base_url in self.script.held:
            await self._released.wait()
        finished = self._outcome(entry)
        self._emit(ev.FileFinished(ingest_id, index, finished))
        return finished

    def _outcome(self, entry: ManifestFile) -> ManifestFile:
        status = self.script.file_outcomes.get(entry.path, entry.status or Status.SUCCESS)
        digests = {"sha256": "0" * 64, "md5": "0" * 32, **entry.declared.digests}
        observed = Fixity(entry.declared.size or 1000, digests)
        return replace(entry, status=status, observed=observed)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def turn(job: Job) -> tuple[int, int]:
    """Return what jobs are ordered by."""
    return (-job.priority, job.position)


def foreseen(item: PlatformItem | None) -> Status:
    """Return what an ingest would end in if every transfer went well."""
    closed = [entry.status for entry in item.manifest if entry.status] if item else []
    return closed[0] if closed else Status.SUCCESS


def chosen(item: PlatformItem, options: IngestOptions) -> StrategyChoice:
    """Return the strategy asked for, else by the number of files."""
    if options.strategy:
        return StrategyChoice(options.strategy, "You chose it.", is_overruled=True)
    if len(item.manifest) == 1:
        return StrategyChoice(IngestStrategy.WEB_FILE, "The dataset is a single file under 64 GiB.")
    return StrategyChoice(
        IngestStrategy.WEB_FILESET,
        "Every file has an address of its own and none is over 128 MiB, so each is kept singly.",
    )


class FakeOpener:
    """Opens fake engines on one script and remembers the last."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.engine: FakeEngine | None = None

    def __call__(self, archive: Path, emit: Emit) -> FakeEngine:
        self.engine = FakeEngine(self.script, emit)
        return self.engine


def _fixity(damaged: Sequence[RecordCheck]) -> dict[str, Any]:
    when = "2026-03-01T10:00:00Z"
    if not damaged:
        return {"fate": "intact", "verified": when, "failed": 0, "found": None, "message": None}
    return {
        "fate": damaged[0].fate,
        "verified": when,
        "failed": len(damaged),
        "found": when,
        "message": damaged[0].message,
    }


def _failed(check: RecordCheck, files: Sequence[ManifestFile]) -> FailedRecord:
    """Return what the ledger would say of a record, on which the files of its address rest."""
    return FailedRecord(
        check.url,
        check.filename,
        check.offset,
        check.fate,
        check.message,
        check.record_id,
        tuple(file.path for file in files if file.platform_url == check.url),
    )


def _accession(result: IngestFilesetResult) -> Accession | None:
    """Return since when it is held, all at once."""
    kept = [entry.path for entry in result.files if entry.is_kept]
    if not kept or result.finished is None:
        return None
    return Accession(result.finished, files=dict.fromkeys(kept, result.finished))


def _held(attempts: Sequence[IngestFilesetResult]) -> dict[str, Any]:
    """Return the best of several attempts at a dataset, with the last one beside it."""
    kept = [sum(entry.is_kept for entry in each.files) for each in attempts]

    def rank(at: int) -> tuple[bool, int, bool, int]:
        has_brought = attempts[at].status is not Status.SUCCESS_EXISTING
        return attempts[at].hit, kept[at], has_brought, at

    best = max(range(len(attempts)), key=rank)
    held, last = attempts[best].to_json(), attempts[-1].to_json()
    if best == len(attempts) - 1:
        return held
    names = ("ingest_id", "started", "status", "error_message", "kept_count", "file_count")
    return {**held, "last_attempt": {name: last[name] for name in names if name in last}}
