# SPDX-License-Identifier: AGPL-3.0-or-later
"""An engine with the real one's face and no network: it answers and tells what it was given."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from carrel.engine import Engine
from carrel.engine.copying import Copies
from carrel.engine.done_jobs import DoneJobs
from carrel.engine.journal import OpenJournal
from carrel.model import (
    FailedRecord,
    Fate,
    Fixity,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    IngestStrategy,
    Job,
    JobState,
    ManifestFile,
    Paste,
    PlatformItem,
    RecordCheck,
    Stage,
    Status,
    StrategyChoice,
    VerificationReport,
)
from carrel.model import events as ev
from carrel.model.copies import SecondCopy
from carrel.model.done_jobs import DonePage, DoneQuery, JobsNow, Place
from carrel.model.events import Emit, ignore
from carrel.model.standing import Standing
from carrel.platforms.identifiers import find
from support.fake_access import FakeAccess
from support.fake_batches import FakeBatches
from support.fake_dark import FakeDark
from support.fake_holdings import FakeHoldings
from support.fake_mementos import FakeMementos
from support.fake_queue import FakeQueue
from support.fake_script import Script

STEPS = 4


class FakeSchedule:
    """Notes that it was begun."""

    def __init__(self, calls: list[str]) -> None:
        self._calls = calls

    def begin(self) -> None:
        self._calls.append("schedule")


class FakeDoneJobs(DoneJobs):
    """Tells all that is done at once."""

    def __init__(self, engine: "FakeEngine") -> None:
        self._engine = engine
        self.since: dict[str, str] = {}

    def archived_since(self) -> Mapping[str, str]:
        return self.since

    def now(self, query: DoneQuery, most: int) -> JobsNow:
        done = self._done()
        counts = Counter((job.batch, job.status) for job in done)
        undone = [job for job in self._engine.jobs() if job.state is not JobState.DONE]
        newest = max((job.finished or "" for job in done), default="")
        removed = Counter((job.batch, job.state) for job in self._engine.queue.removed.values())
        of_batches = {(name, state): n for (name, state), n in removed.items() if name}
        return JobsNow(undone, counts, DonePage(done), newest, of_batches)

    def page(self, query: DoneQuery, after: Place | None, most: int) -> DonePage:
        return DonePage(self._done())

    def ids(self) -> list[str]:
        return [job.job_id for job in self._done()]

    def _done(self) -> list[Job]:
        return self._engine.jobs(state=JobState.DONE)


class FakeCopies(Copies):
    """Knows the second copies of the script."""

    def __init__(self, script: Script) -> None:
        self._script = script

    def known(self) -> Sequence[SecondCopy]:
        return self._script.standing.copies


class FakeJournal(OpenJournal):
    """Notes what it was asked for; nothing is wrong with it."""

    def __init__(self, calls: list[str]) -> None:
        self._calls = calls

    def check(self) -> Sequence[str]:
        self._calls.append("check journal")
        return ()


class FakeEngine(Engine):
    """The engine's methods over a script."""

    def __init__(self, script: Script, emit: Emit = ignore) -> None:
        self.read_only_because = script.read_only_because
        self.script = script
        self.calls: list[str] = []
        self.standing_readings = 0
        self.emit = emit
        self.queue: FakeQueue = FakeQueue(self)
        self.batches: FakeBatches = FakeBatches(self.queue)
        self.done_jobs: FakeDoneJobs = FakeDoneJobs(self)
        self.holdings: FakeHoldings = FakeHoldings(script)
        self.journal: FakeJournal = FakeJournal(self.calls)
        self._released = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._fake_mementos = FakeMementos(script.mementos, self.calls)
        self._fake_access = FakeAccess(self.holdings, self.calls)
        self._fake_dark = FakeDark(script.dark, self.calls)

    async def __aenter__(self) -> "FakeEngine":
        if self.script.opening_error:
            raise self.script.opening_error
        self._loop = asyncio.get_running_loop()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.queue.stop()
        self.holdings.close()
        self._fake_access.close()
        self.calls.append("closed")

    @property
    def schedule(self) -> "FakeSchedule":  # type: ignore[override]  # it has the face that is known
        return FakeSchedule(self.calls)

    def limit_rate(self, bytes_per_s: int) -> None:
        self.calls.append(f"limit {bytes_per_s}")

    @property
    def access(self) -> FakeAccess:
        return self._fake_access

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

    async def enqueue(
        self, request: IngestRequest, options: IngestOptions = IngestOptions()
    ) -> str:
        jobs = await self.queue.add([request], options)
        return jobs[0].job_id

    def jobs(self, *, state: JobState | None = None, batch: str | None = None) -> list[Job]:
        found = [job for job in self.queue.known.values() if state in (None, job.state)]
        return sorted(found, key=lambda job: (not job.state.is_open, *turn(job)))

    @staticmethod
    def understand(text: str) -> Paste:
        return find(text)

    async def preview(
        self, request: IngestRequest, options: IngestOptions = IngestOptions(), emit: Emit = ignore
    ) -> IngestFilesetResult:
        self.calls.append(f"preview {request.base_url}")
        emit(ev.StageEntered("preview", Stage.DESCRIBE, "Querying the platform"))
        if request.base_url in self.script.held:
            await self._released.wait()
        return self.described(request, options)

    def standing(self) -> Standing:
        self.standing_readings += 1
        if self.script.ledger_error:
            raise self.script.ledger_error
        return self.script.standing

    @property
    def copies(self) -> FakeCopies:
        return FakeCopies(self.script)

    def check_place(self) -> bool:
        if self.script.place_error:
            raise self.script.place_error
        return False

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
            self.holdings.fixities[ingest_id] = _fixity(self.script.damaged)
            self.holdings.failed[ingest_id] = [
                _failed(check, files) for check in self.script.damaged
            ]
        damaged, unnoted = tuple(self.script.damaged), self.script.read_only_because
        return VerificationReport(len(files), size, damaged, not_noted=unnoted)

    def _kept_files(self, ingest_id: str | None) -> list[ManifestFile]:
        chosen = [it for it in self.holdings.kept if ingest_id in (None, it.ingest_id)]
        return [entry for result in chosen for entry in result.files if entry.is_kept]

    def described(self, request: IngestRequest, options: IngestOptions) -> IngestFilesetResult:
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

    async def archived(self, ingest_id: str, described: IngestFilesetResult) -> IngestFilesetResult:
        self.emit(ev.StageEntered(ingest_id, Stage.RESOLVE, "Resolving the address"))
        await asyncio.sleep(0)
        if described.item is None or described.choice is None:
            return described
        if described.status is Status.TOO_MANY_FILES:
            return described
        self.emit(ev.Described(ingest_id, described.item, described.choice))
        self.emit(ev.StageEntered(ingest_id, Stage.FETCH, ""))
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
        self.emit(ev.FileStarted(ingest_id, index))
        for step in range(STEPS):
            received = (size or 1000) * step // STEPS
            self.emit(ev.FileProgress(ingest_id, index, received, size))
            await asyncio.sleep(0)
        if request.base_url in self.script.held:
            await self._released.wait()
        finished = self._outcome(entry)
        self.emit(ev.FileFinished(ingest_id, index, finished))
        return finished

    def _outcome(self, entry: ManifestFile) -> ManifestFile:
        status = self.script.file_outcomes.get(entry.path, entry.status or Status.SUCCESS)
        digests = {"sha256": "0" * 64, "md5": "0" * 32, **entry.declared.digests}
        observed = Fixity(entry.declared.size or 1000, digests)
        return replace(entry, status=status, observed=observed)


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
        return StrategyChoice(options.strategy, "You chose this strategy.", is_overruled=True)
    if len(item.manifest) == 1:
        return StrategyChoice(IngestStrategy.WEB_FILE, "The dataset is a single file under 64 GiB.")
    return StrategyChoice(
        IngestStrategy.WEB_FILESET,
        f"{len(item.manifest):,} files: few and small enough for single captures.",
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
