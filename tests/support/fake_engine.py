# SPDX-License-Identifier: AGPL-3.0-or-later
"""An engine with the real one's face and no network: it answers and tells what it was given."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from carrel.engine import Engine
from carrel.model import (
    Fate,
    Fixity,
    Identifier,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    IngestStrategy,
    ManifestFile,
    Paste,
    PlatformItem,
    RecordCheck,
    Scheme,
    Stage,
    Status,
    StrategyChoice,
    VerificationReport,
)
from carrel.model import events as ev
from carrel.model.events import Emit, ignore

STEPS = 4
PATTERN = re.compile(r"(10\.\d{4,}/\S+)|(https?://\S+)")


@dataclass(slots=True)
class Script:
    """What the engine shall know and do.

    `items` are datasets and `refusals` outcomes, both by request URL; `file_outcomes` are outcomes
    of single files by path. Ingests of `held` URLs stop halfway until they are released.
    """

    items: Mapping[str, PlatformItem] = field(default_factory=dict)
    refusals: Mapping[str, Status] = field(default_factory=dict)
    file_outcomes: Mapping[str, Status] = field(default_factory=dict)
    held: frozenset[str] = frozenset()
    kept: Sequence[IngestFilesetResult] = ()
    damaged: Sequence[RecordCheck] = ()
    opening_error: Exception | None = None


class FakeEngine(Engine):
    """The engine's methods over a script."""

    def __init__(self, script: Script, emit: Emit = ignore) -> None:
        self.script = script
        self.calls: list[str] = []
        self._emit = emit
        self._results = list(script.kept)
        self._jobs: dict[str, asyncio.Task[None]] = {}
        self._released = asyncio.Event()
        self._count = 0
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __aenter__(self) -> "FakeEngine":
        if self.script.opening_error:
            raise self.script.opening_error
        self._loop = asyncio.get_running_loop()
        return self

    async def __aexit__(self, *exc: object) -> None:
        for task in self._jobs.values():
            task.cancel()
        await asyncio.gather(*self._jobs.values(), return_exceptions=True)
        self.calls.append("closed")

    def release(self) -> None:
        """Let held ingests go on; from any thread."""
        assert self._loop
        self._loop.call_soon_threadsafe(self._released.set)

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
        emit(ev.StageEntered("preview", Stage.DESCRIBE, "Asking the platform what is there"))
        if request.base_url in self.script.held:
            await self._released.wait()
        return self._described(request, options)

    async def enqueue(
        self, request: IngestRequest, options: IngestOptions = IngestOptions()
    ) -> str:
        self._count += 1
        ingest_id = f"ingest-{self._count}"
        self.calls.append(f"enqueue {request.base_url} {options.strategy}")
        self._emit(ev.IngestQueued(ingest_id, request))
        self._jobs[ingest_id] = asyncio.create_task(self._run(ingest_id, request, options))
        return ingest_id

    async def cancel(self, ingest_id: str) -> None:
        self.calls.append(f"cancel {ingest_id}")
        self._jobs[ingest_id].cancel()

    def results(self, url: str | None = None) -> Sequence[dict[str, Any]]:
        return [result.to_json() for result in reversed(self._results)]

    def result(self, ingest_id: str) -> dict[str, Any] | None:
        found = [result for result in self._results if result.ingest_id == ingest_id]
        return found[0].to_json() if found else None

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
        return VerificationReport(len(files), size, tuple(self.script.damaged))

    def _kept_files(self, ingest_id: str | None) -> list[ManifestFile]:
        chosen = [it for it in self._results if ingest_id in (None, it.ingest_id)]
        return [entry for result in chosen for entry in result.files if entry.is_kept]

    def _described(self, request: IngestRequest, options: IngestOptions) -> IngestFilesetResult:
        item = self.script.items.get(request.base_url)
        refusal = self.script.refusals.get(request.base_url)
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

    async def _run(self, ingest_id: str, request: IngestRequest, options: IngestOptions) -> None:
        self._emit(ev.IngestStarted(ingest_id, request))
        described = self._described(request, options)
        try:
            result = await self._archived(ingest_id, described)
        except asyncio.CancelledError:
            result = replace(described, status=Status.CANCELLED)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        result = replace(result, ingest_id=ingest_id, started=now, finished=now)
        self._results.append(result)
        self._emit(ev.IngestFinished(ingest_id, result))

    async def _archived(
        self, ingest_id: str, described: IngestFilesetResult
    ) -> IngestFilesetResult:
        self._emit(ev.StageEntered(ingest_id, Stage.RESOLVE, "Following the address"))
        await asyncio.sleep(0)
        if described.item is None or described.choice is None:
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
        observed = Fixity(entry.declared.size or 1000, {"sha256": "0" * 64, "md5": "0" * 32})
        return replace(entry, status=status, observed=observed)


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
