# SPDX-License-Identifier: AGPL-3.0-or-later
"""The story of an ingest. It reads top to bottom, and no step goes back.

1. resolve the identifier to a landing page, keeping the hops
2. describe: the platform that matches says what is there
3. choose a strategy, with the reason; refuse what exceeds the limits
4. archive: look for what exists, fetch, verify, store, verify again in the store
5. report one result to the ledger, the window, the terminal
"""

import asyncio
import errno
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from secrets import token_hex

from carrel import __version__
from carrel.archive import Archive
from carrel.capture.client import Client
from carrel.capture.exchange import Exchange
from carrel.capture.stored import Damaged
from carrel.capture.warc_series import WarcSeries
from carrel.credentials import Credentials
from carrel.errors import ArchiveError, ArchiveFull, IngestStop
from carrel.model import (
    Finding,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    Landing,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
    StrategyChoice,
    StrategyResult,
    total_size,
)
from carrel.model.events import (
    Described,
    Emit,
    Event,
    FileFinished,
    FileProgress,
    FileStarted,
    IngestFinished,
    IngestStarted,
    StageEntered,
)
from carrel.platforms.api import HttpApi
from carrel.platforms.landing import land
from carrel.platforms.registry import describe
from carrel.settings import Settings
from carrel.strategies.choice import choose, in_words
from carrel.strategies.registry import strategy_for
from carrel.strategies.storing import Shelf
from carrel.strategies.strategy import Budget, Work

log = logging.getLogger(__name__)

# How long events are gathered before they are emitted: nobody sees more than twenty a second.
_BATCH_S = 0.05
# Left free on the disk beside what is to be fetched: indexes, ledger, WARC heads.
_DISK_RESERVE_BYTES = 64 * 1024 * 1024


def new_ingest_id() -> str:
    """Return an id that sorts by time and says when: `20261121T101500-3f9a1c2e`."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{token_hex(4)}"


def iso_now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Tools:
    """What an ingest works with. `archive` is None for a preview, which keeps nothing."""

    client: Client
    settings: Settings
    archive: Archive | None
    credentials: Credentials = field(default_factory=Credentials)


class Ingest:
    """One dataset on its way. `preview` goes as far as step 3, `run` to the end."""

    def __init__(
        self,
        tools: Tools,
        request: IngestRequest,
        options: IngestOptions,
        emit: Emit,
        ingest_id: str,
    ) -> None:
        self._tools, self._request, self._options = tools, request, options
        self._loop = asyncio.get_running_loop()
        self._emit = emit
        self._evidence: list[Exchange] = []
        self._landing_exchange: Exchange | None = None
        self._cancelled = threading.Event()
        self._told: list[Event] = []
        self._told_lock = threading.Lock()
        self._result = IngestFilesetResult(
            request=request,
            status=Status.NOT_PROCESSED,
            hops=(request.base_url,),
            ingest_id=ingest_id,
            started=iso_now(),
            carrel_version=__version__,
        )

    @property
    def ingest_id(self) -> str:
        return self._result.ingest_id or ""

    def cancel(self) -> None:
        """Ask the ingest to stop; what is verified by then stays kept. From any thread."""
        self._cancelled.set()

    async def preview(self) -> IngestFilesetResult:
        """Return what an ingest would find and end in, as far as can be known beforehand."""
        self._tell(IngestStarted(self.ingest_id, self._request))
        try:
            await self._describe_and_choose()
            self._note_foreseen()
        except IngestStop as stop:
            self._note_stop(stop)
        except Exception as error:
            self._note_fault(error)
        self._note(ingest_id=None, started=None)
        self._emit_told()
        return self._result

    async def run(self) -> IngestFilesetResult:
        """Archive the dataset and return how that ended. Never raises for the world's faults."""
        archive, started = self._archive, iso_now()
        self._note(started=started)
        self._tell(IngestStarted(self.ingest_id, self._request))
        try:
            await asyncio.to_thread(archive.ledger.start, self.ingest_id, self._request, started)
            series = archive.new_series(self.ingest_id)
        except (ArchiveError, OSError) as error:
            return self._not_begun(error)
        shelf = Shelf(archive, series)
        work: Work | None = None
        try:
            item, choice = await self._describe_and_choose()
            work = Work(
                archive=archive,
                client=self._tools.client,
                series=series,
                shelf=shelf,
                budget=Budget(self._max_total_size - total_size(item.manifest)),
                events=_FileEvents(self.ingest_id, self._tell),
                is_cancelled=self._cancelled.is_set,
                landing_url=self._result.hops[-1],
                options=self._options,
                credentials=self._tools.credentials,
                looks_for_existing=not self._request.force_recrawl,
            )
            self._note_outcome(await self._archive_files(item, choice, work))
        except IngestStop as stop:
            self._note_stop(stop)
        except asyncio.CancelledError:
            self.cancel()
            series.discard()
            raise
        except Exception as error:
            self._note_fault(error)
        try:
            await asyncio.to_thread(self._report, work, shelf, series)
        except Exception as error:
            self._note_fault(error)
        return self._finished()

    def _not_begun(self, error: Exception) -> IngestFilesetResult:
        """Return the result of an ingest for which the archive has no room, or no hearing."""
        is_full = isinstance(error, ArchiveFull) or getattr(error, "errno", 0) == errno.ENOSPC
        status = Status.DISK_FULL if is_full else Status.STORE_DAMAGED
        self._note(status=status, error_message=f"Nothing was begun: {error}", finished=iso_now())
        return self._finished()

    def _finished(self) -> IngestFilesetResult:
        self._tell(IngestFinished(self.ingest_id, self._result))
        self._emit_told()
        return self._result

    async def _describe_and_choose(self) -> tuple[PlatformItem, StrategyChoice]:
        landing = await self._resolve()
        item = await self._describe(landing)
        choice = self._choose(item)
        self._tell(Described(self.ingest_id, item, choice))
        return item, choice

    async def _resolve(self) -> Landing:
        self._enter(Stage.RESOLVE, self._request.base_url)
        landing = await land(
            self._tools.client,
            self._request.base_url,
            self._evidence.append,
            is_cancelled=self._cancelled.is_set,
        )
        self._note(hops=landing.hops, html_biblio=landing.html_biblio or None)
        if landing.outcome is None:
            self._landing_exchange = self._evidence[-1]
        elif landing.message is not None:
            self._add_findings(Finding(f"landing-{landing.outcome}", landing.message))
        return landing

    async def _describe(self, landing: Landing) -> PlatformItem:
        self._enter(Stage.DESCRIBE, landing.url)
        api = HttpApi(
            self._tools.client,
            self._evidence.append,
            is_cancelled=self._cancelled.is_set,
            landing_url=landing.url,
        )
        item, evidence = await describe(landing, api)
        log.info("%s: %s (%s)", self.ingest_id, item.platform_name, evidence)
        self._note(item=item)
        self._add_findings(*item.findings)
        if not item.platform_status.is_success:
            raise IngestStop(item.platform_status, item.platform_message or item.platform_id)
        if not item.manifest:
            raise IngestStop(Status.EMPTY_MANIFEST, f"{item.platform_id} lists no files.")
        return item

    def _choose(self, item: PlatformItem) -> StrategyChoice:
        self._enter(Stage.CHOOSE, item.title or item.platform_id)
        choice = choose(item.manifest, self._tools.settings.strategy, self._options.strategy)
        self._note(choice=choice)
        self._refuse_beyond_limits(item)
        return choice

    def _refuse_beyond_limits(self, item: PlatformItem) -> None:
        count, size = len(item.manifest), total_size(item.manifest)
        if count > self._max_file_count:
            message = f"{count} files are more than the limit of {self._max_file_count}."
            raise IngestStop(Status.TOO_MANY_FILES, message)
        if size > self._max_total_size:
            limit = in_words(self._max_total_size)
            message = f"{in_words(size)} in all are more than the limit of {limit}."
            raise IngestStop(Status.TOO_LARGE_SIZE, message)

    async def _archive_files(
        self, item: PlatformItem, choice: StrategyChoice, work: Work
    ) -> StrategyResult:
        archiver = strategy_for(choice.strategy, work)
        if work.looks_for_existing:
            self._enter(Stage.VERIFY, "what is kept already")
            existing = await archiver.check_existing(item)
            if existing is not None:
                return existing
        self._refuse_without_room(item)
        self._enter(Stage.FETCH, item.title or item.platform_id)
        return await archiver.process(item)

    def _refuse_without_room(self, item: PlatformItem) -> None:
        needed, free = total_size(item.manifest), self._archive.free_bytes()
        if needed + _DISK_RESERVE_BYTES > free:
            message = f"{in_words(needed)} are to be kept, but only {in_words(free)} are free."
            raise IngestStop(Status.DISK_FULL, message)

    def _note_foreseen(self) -> None:
        """Note what an ingest would end in if every transfer went well."""
        closed = [file for file in self._result.files if file.status is not None]
        if not closed:
            self._note(status=Status.SUCCESS)
            self._note_shortfall()
            return
        first = closed[0]
        message = (
            f"{len(closed)} of {len(self._result.files)} files cannot be downloaded. "
            f"{first.path}: {first.message or first.status}"
        )
        self._note(status=first.status, error_message=message)

    def _note_shortfall(self) -> None:
        """Take back a success if the platform has more than it listed."""
        item = self._result.item
        if item is not None and item.shortfall is not None and self._result.hit:
            self._note(
                status=Status.PLATFORM_ERROR, error_message=item.shortfall, file_capture=None
            )

    def _note_outcome(self, outcome: StrategyResult) -> None:
        self._note(
            status=outcome.status,
            manifest=outcome.manifest,
            file_capture=outcome.file_capture,
            outcome=outcome,
            error_message=outcome.error_message,
            stage=None if outcome.status.is_success else outcome.status.meaning.stage,
        )
        self._add_findings(*outcome.findings)
        self._note_shortfall()

    def _report(self, work: Work | None, shelf: Shelf, series: WarcSeries) -> None:
        """Seal the WARCs, index them, write the ledger: in this order, so that none claims more
        than the one before. Runs in a worker thread."""
        self._tell(StageEntered(self.ingest_id, Stage.REPORT, ""))
        archive = self._archive
        try:
            self._store_evidence(shelf)
            archive.keep(series, shelf.captures)
            captures, capture_of = shelf.captures, work.capture_of if work else {}
        except (OSError, Damaged) as error:
            self._note_nothing_kept(error)
            series.discard()
            captures, capture_of = [], {}
        record_ids = {index: capture.record_id for index, capture in capture_of.items()}
        try:
            archive.ledger.finish(self._result, captures, record_ids)
        except ArchiveError as error:
            self._note_not_listed(error)

    def _store_evidence(self, shelf: Shelf) -> None:
        """Store the landing page, the platform's answers and the result beside the payloads.

        Nothing is stored when nothing is new, nor the error page of an address that leads nowhere.
        """
        is_reached = self._landing_exchange is not None
        has_news = bool(shelf.captures) or (is_reached and not self._result.hit)
        if has_news:
            for exchange in self._evidence:
                capture = shelf.store_exchange(exchange)
                if exchange is self._landing_exchange:
                    self._note(landing=capture)
        self._note(finished=iso_now())
        if has_news:
            url = f"urn:x-carrel:ingest:{self.ingest_id}"
            shelf.store_document(url, self._result.to_json(), datetime.now(UTC))

    def _note_nothing_kept(self, error: OSError | Damaged) -> None:
        """Take back every claim: the WARCs did not reach their place."""
        is_full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
        status = Status.DISK_FULL if is_full else Status.STORE_DAMAGED
        message = f"The WARCs could not be completed: {getattr(error, 'strerror', None) or error}."
        lost = tuple(
            replace(file, status=status, message=message)
            if file.is_kept and file.status is not Status.SUCCESS_EXISTING
            else file
            for file in self._result.files
        )
        self._note(status=status, error_message=message, manifest=lost, file_capture=None)
        self._note(landing=None, finished=iso_now())

    def _note_not_listed(self, error: ArchiveError) -> None:
        """Say that the ledger does not know what the WARCs hold."""
        status = Status.DISK_FULL if isinstance(error, ArchiveFull) else Status.STORE_DAMAGED
        message = f"The WARCs are complete, but the ledger does not list them: {error}"
        self._note(status=status, error_message=message, file_capture=None)

    def _note_fault(self, error: Exception) -> None:
        log.error("%s: a fault of Carrel's own: %s", self._request.base_url, error)
        log.debug("It happened here:", exc_info=error)
        message = f"{type(error).__name__}: {error}"
        self._note(status=Status.INTERNAL_ERROR, error_message=message, file_capture=None)

    def _note_stop(self, stop: IngestStop) -> None:
        self._note(status=stop.status, error_message=str(stop))

    def _add_findings(self, *findings: Finding) -> None:
        self._note(findings=(*self._result.findings, *findings))

    def _note(self, **fields: object) -> None:
        self._result = replace(self._result, **fields)  # type: ignore[arg-type]  # checked by name

    def _enter(self, stage: Stage, detail: str) -> None:
        if self._cancelled.is_set():
            raise IngestStop(Status.CANCELLED, "The ingest was stopped.")
        self._note(stage=stage)
        self._tell(StageEntered(self.ingest_id, stage, detail))

    def _tell(self, event: Event) -> None:
        """Emit on the engine's loop, from whichever thread, in order and in batches.

        Waking the loop for each event of each file would cost more than fetching a small file.
        """
        with self._told_lock:
            self._told.append(event)
            is_first = len(self._told) == 1
        if is_first:
            self._loop.call_soon_threadsafe(self._loop.call_later, _BATCH_S, self._emit_told)

    def _emit_told(self) -> None:
        with self._told_lock:
            told, self._told = self._told, []
        for event in told:
            self._emit(event)

    @property
    def _archive(self) -> Archive:
        if self._tools.archive is None:
            raise ValueError("a preview has no archive")
        return self._tools.archive

    @property
    def _max_total_size(self) -> int:
        asked = self._options.max_total_size
        return self._tools.settings.limits.max_total_size if asked is None else asked

    @property
    def _max_file_count(self) -> int:
        asked = self._options.max_file_count
        return self._tools.settings.limits.max_file_count if asked is None else asked


class _FileEvents:
    """Turns what a strategy tells into events."""

    def __init__(self, ingest_id: str, tell: Callable[[Event], None]) -> None:
        self._id, self._tell = ingest_id, tell

    def started(self, index: int) -> None:
        self._tell(FileStarted(self._id, index))

    def progress(self, index: int, received: int, total: int | None, phase: Stage) -> None:
        self._tell(FileProgress(self._id, index, received, total, phase))

    def finished(self, index: int, file: ManifestFile) -> None:
        self._tell(FileFinished(self._id, index, file))
