# SPDX-License-Identifier: AGPL-3.0-or-later
"""A strategy at work on a dataset, as an ingest has it, and what it told and left behind."""

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from carrel.archive import Archive
from carrel.capture.client import Client
from carrel.credentials import Credentials
from carrel.model import (
    Capture,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    IngestStrategy,
    ManifestFile,
    PlatformItem,
    Stage,
    StrategyResult,
)
from carrel.strategies.capture_store import CaptureStore
from carrel.strategies.limits import Budget
from carrel.strategies.registry import strategy_for
from carrel.strategies.strategy import Work
from support.records import files_in

LANDING_URL = "http://127.0.0.1/dataset"


@dataclass
class Told:
    """What a strategy told of its files; `on_finish` is set as soon as one has ended."""

    told: list[tuple[str, int]] = field(default_factory=list)
    files: dict[int, ManifestFile] = field(default_factory=dict)
    on_finish: threading.Event = field(default_factory=threading.Event)
    turns: list[str] = field(default_factory=list)

    def turned_to(self, what: str) -> None:
        self.turns.append(what)

    @property
    def finished_indexes(self) -> list[int]:
        """The files that were told of as finished, sorted, each as often as it was."""
        return sorted(index for what, index in self.told if what == "finished")

    def started(self, index: int) -> None:
        self.told.append(("started", index))

    def progress(
        self, index: int, received: int, total: int | None, phase: Stage, *, found: int = 0
    ) -> None:
        self.told.append((phase, index))

    def waiting(self, index: int, reason: str, *, is_passing: bool = False) -> None:
        self.told.append(("waiting", index))

    def finished(self, index: int, file: ManifestFile) -> None:
        self.told.append(("finished", index))
        self.files[index] = file
        self.on_finish.set()


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it all; `staged` is what stood in staging before the archive took it."""

    result: StrategyResult
    captures: list[Capture]
    capture_of: Mapping[int, Capture]
    events: Told
    staged: Sequence[str]

    @property
    def statuses(self) -> list[str]:
        return [str(file.status) for file in self.result.manifest]

    def finding(self, code: str) -> str:
        """Return what a finding says, "" if there is none of this code."""
        found = {finding.code: finding.message for finding in self.result.findings}
        return found.get(code, "")


def strategy_at_work(
    archive: Archive,
    item: PlatformItem,
    strategy: IngestStrategy | None = None,
    *,
    options: IngestOptions | None = None,
    budget: int = 10**9,
    events: Told | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
    ingest_id: str = "1",
    is_interrupted: bool = False,
    landing_url: str = LANDING_URL,
) -> Done:
    """Let a strategy do its work as an ingest does, and put what it kept into the archive.

    Without one, each file is fetched by itself. An attempt that is interrupted leaves all in
    staging, for the next one of the same id.
    """
    series = archive.new_series(ingest_id)
    capture_store, told = CaptureStore(archive, series), events or Told()
    capture_store.take_up()
    request = IngestRequest(LANDING_URL)
    archive.ledger.ingests.start(ingest_id, request, "2026-03-02T09:30:00Z")
    with Client(archive.settings.network) as client:
        work = Work(
            archive=archive,
            client=client,
            series=series,
            capture_store=capture_store,
            budget=Budget(budget),
            events=told,
            is_cancelled=is_cancelled,
            landing_url=landing_url,
            options=options or IngestOptions(),
            credentials=Credentials(),
        )
        result = asyncio.run(_run(item, strategy or _singly(item), work))
    staged = files_in(series.staging)
    if is_interrupted:
        series.close()
        return Done(result, capture_store.captures, work.capture_of, told, staged)
    archive.keep(series, capture_store.captures)
    ended = IngestFilesetResult(
        request,
        result.status,
        item=item,
        manifest=result.manifest,
        outcome=result,
        ingest_id=ingest_id,
        started="2026-03-02T09:30:00Z",
        finished="2026-03-02T09:31:00Z",
    )
    ids = {index: capture.record_id for index, capture in work.capture_of.items()}
    archive.ledger.ingests.finish(ended, capture_store.captures, ids)
    series.discard()
    return Done(result, capture_store.captures, work.capture_of, told, staged)


async def _run(item: PlatformItem, strategy: IngestStrategy, work: Work) -> StrategyResult:
    archiver = strategy_for(strategy, work)
    return await archiver.check_existing(item) or await archiver.process(item)


def _singly(item: PlatformItem) -> IngestStrategy:
    return IngestStrategy.WEB_FILE if len(item.manifest) == 1 else IngestStrategy.WEB_FILESET
