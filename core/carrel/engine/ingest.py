# SPDX-License-Identifier: AGPL-3.0-or-later
"""The story of an ingest. It reads top to bottom, and no step goes back.

1. resolve the identifier to a landing page, keeping the hops
2. describe: the platform that matches says what is there
3. choose a strategy, with the reason; refuse what exceeds the limits
4. archive: look for what exists, fetch, verify, store, verify again in the store
5. report one result to the ledger, the window, the terminal
"""

import asyncio
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial

from carrel.archive import Archive
from carrel.capture.asker import Asker
from carrel.capture.client import Client
from carrel.capture.exchange import Exchange
from carrel.capture.warc_series import WarcSeries
from carrel.credentials import Credentials
from carrel.engine.foreseen import Foresight
from carrel.engine.held import marks_of
from carrel.engine.landing_hints import landing_of
from carrel.engine.progress_reporter import FileProgressReporter, ProgressReporter
from carrel.engine.report import Report
from carrel.engine.result_builder import ResultBuilder
from carrel.engine.stopping import Stopping
from carrel.engine.stored_credentials import stored_credentials
from carrel.errors import ArchiveError, IngestStop
from carrel.model import (
    Destination,
    Finding,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    Landing,
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
    IngestFinished,
    IngestStarted,
    StageEntered,
)
from carrel.model.iso_time import iso_now
from carrel.model.result import ARCHIVEORG_ITEM
from carrel.model.unwritten import is_full
from carrel.platforms.api import HttpApi
from carrel.platforms.landing import land
from carrel.platforms.page_links import chosen_links
from carrel.platforms.registry import describe
from carrel.settings import Limits, Settings
from carrel.strategies.capture_store import CaptureStore
from carrel.strategies.choice import choose
from carrel.strategies.consent import publishes, refuse_undecided, unwanted
from carrel.strategies.fitness import idle_options
from carrel.strategies.item_metadata import planned_item
from carrel.strategies.limits import Budget, limits_for, refuse_beyond
from carrel.strategies.registry import strategy_for
from carrel.strategies.strategy import HeedEnds, Work
from carrel.translation import tr

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tools:
    """What an ingest works with. `archive` is None for a preview, which keeps nothing.

    `asks_through` is what pages and interfaces are asked through in place of the client.
    """

    client: Client
    settings: Settings
    archive: Archive | None
    credentials: Credentials = field(default_factory=stored_credentials)
    asks_through: Asker | None = None

    @property
    def asker(self) -> Asker:
        """What pages and interfaces are asked through."""
        return self.asks_through or self.client


class Ingest:
    """One dataset on its way. `preview` goes as far as step 3, `run` to the end.

    An ingest whose id the archive knows as interrupted goes on where it was. `earlier` is the id of
    an earlier attempt at the same dataset, whose files need not be fetched again. `is_wanted` says
    whether the person wants it published, where its strategy does that. `heed_ends` is given the
    two ends of each file that was fetched.
    """

    def __init__(
        self,
        tools: Tools,
        request: IngestRequest,
        options: IngestOptions,
        emit: Emit,
        ingest_id: str,
        *,
        earlier: str | None = None,
        is_wanted: Callable[[], bool] = lambda: True,
        heed_ends: HeedEnds | None = None,
    ) -> None:
        self._tools, self._request, self._options = tools, request, options
        self._is_wanted, self._heed_ends = is_wanted, heed_ends
        self._earlier = earlier
        self._teller = ProgressReporter(emit)
        self._tell = self._teller.tell
        self._evidence: list[Exchange] = []
        self._landing_exchange: Exchange | None = None
        self._stopping = Stopping()
        self._builder = ResultBuilder(request, ingest_id)

    @property
    def ingest_id(self) -> str:
        return self._result.ingest_id or ""

    def cancel(self) -> None:
        """Ask the ingest to end; what is verified by then stays kept. From any thread."""
        self._stopping.cancel()

    def suspend(self) -> None:
        """Ask the ingest to stop here and be taken up later, unless it is to end anyway."""
        self._stopping.suspend()

    def wind_down(self) -> None:
        """Ask the ingest to end the files that it has begun and be taken up later; from any thread.

        An item at archive.org is one, and so is what is brought to the Wayback Machine.
        """
        self._stopping.wind_down()

    @property
    def is_winding_down(self) -> bool:
        """Whether it is to be taken up later, though nothing is wrong with it."""
        return self._stopping.is_winding_down()

    @property
    def is_suspended(self) -> bool:
        """Whether it ended before its end, and waits in staging to be taken up."""
        return self._stopping.is_suspended

    async def preview(self) -> IngestFilesetResult:
        """Return what an ingest would find and end in, as far as can be known beforehand."""
        self._tell(IngestStarted(self.ingest_id, self._request))
        try:
            item, choice = await self._describe_and_choose()
            foresight = self._foresight(choice)
            files = foresight.closed(item.manifest)
            self._builder.note_foreseen(files, foresight.hindrance(files))
        except IngestStop as stop:
            self._builder.note_stop(stop)
        except asyncio.CancelledError:
            self.cancel()  # so that no thread goes on waiting for a server
            raise
        except Exception as error:
            self._builder.note_fault(error)
        self._builder.note(ingest_id=None, started=None)
        self._teller.flush()
        return self._result

    async def run(self) -> IngestFilesetResult:
        """Archive the dataset and return how that ended. Never raises for the world's faults."""
        archive, started = self._archive, iso_now()
        self._builder.note(started=started)
        self._tell(IngestStarted(self.ingest_id, self._request))
        try:
            await asyncio.to_thread(
                archive.ledger.ingests.start, self.ingest_id, self._request, started
            )
            series = await asyncio.to_thread(archive.new_series, self.ingest_id)
        except (ArchiveError, OSError) as error:
            return self._not_begun(error)
        capture_store = CaptureStore(archive, series)
        work: Work | None = None
        try:
            await self._take_up(capture_store, series)
            item, choice = await self._describe_and_choose()
            work = self._work(item, capture_store, series)
            self._builder.note_outcome(await self._archive_files(item, choice, work))
        except IngestStop as stop:
            self._builder.note_stop(self._stopping.reason(stop) if work is None else stop)
        except ArchiveError as error:
            self._builder.note_stop(IngestStop(error.status, str(error)))
        except asyncio.CancelledError:
            self.cancel()
            series.close()
            raise
        except Exception as error:
            self._builder.note_fault(error)
        finally:
            archive.room.release(self.ingest_id)
        return await self._ended(work, capture_store, series)

    async def _take_up(self, capture_store: CaptureStore, series: WarcSeries) -> None:
        """Look at what an earlier process had fetched of this ingest, if there is anything.

        Also of one that is stopped at once: what was verified is to be kept.
        """
        if series.notes:
            self._stopping.lists_files = True
            detail = tr("what was fetched before the interruption")
            self._tell(StageEntered(self.ingest_id, Stage.VERIFY, detail))
            await asyncio.to_thread(capture_store.take_up)

    def _work(self, item: PlatformItem, capture_store: CaptureStore, series: WarcSeries) -> Work:
        archive = self._archive
        earlier = archive.ledger.kept_addresses(self._earlier) if self._earlier else frozenset()
        return Work(
            archive=archive,
            client=self._tools.client,
            series=series,
            capture_store=capture_store,
            budget=Budget(self._limits.max_total_size - total_size(item.manifest)),
            events=FileProgressReporter(self.ingest_id, self._teller),
            is_cancelled=self._stopping.is_cancelled,
            landing_url=self._result.hops[-1],
            options=self._options,
            credentials=self._tools.credentials,
            looks_for_existing=not self._request.force_recrawl,
            kept_earlier=earlier,
            found_damaged=self._found_damaged(),
            ingest_id=self.ingest_id,
            is_ending=self._stopping.is_winding_down,
            heed_ends=self._heed_ends,
        )

    def _found_damaged(self) -> Collection[str]:
        """Return the paths of what is held of the dataset and was found damaged or missing."""
        ledger = self._archive.ledger
        held = ledger.holding_of(marks_of(self._result))
        return ledger.fixity.file_fates(held, with_twins=True) if held else ()

    async def _ended(
        self, work: Work | None, capture_store: CaptureStore, series: WarcSeries
    ) -> IngestFilesetResult:
        """Report, or leave everything to be taken up when there is room again, or a wish to."""
        if self._is_to_be_taken_up(work, series):
            self._stopping.is_suspended = True
            await asyncio.to_thread(series.close)
            if self._result.status is Status.DISK_FULL:
                self._builder.note_waiting()
            return self._finished()
        self._tell(StageEntered(self.ingest_id, Stage.REPORT, ""))
        report = Report(self._archive, self._result, self._evidence, self._landing_exchange)
        capture_of = work.capture_of if work else {}
        try:
            written = await asyncio.to_thread(report.write, capture_store, series, capture_of)
            self._builder.result = written
        except Exception as error:
            self._builder.note_fault(error)
        self._stopping.is_suspended = not report.is_written
        return self._finished()

    @property
    def is_over(self) -> bool:
        """Whether it was asked to end."""
        return self._stopping.is_cancelled()

    @property
    def has_archived(self) -> bool:
        """Whether it came to its end, with files that are archived now."""
        return not self._stopping.is_suspended and any(file.is_kept for file in self._result.files)

    def _is_to_be_taken_up(self, work: Work | None, series: WarcSeries) -> bool:
        """Say whether the attempt goes on later: it was asked to wait, or the disk is full, or it
        did not get as far this time as the one that was interrupted."""
        status = self._result.status
        if status is Status.CANCELLED:
            return self._stopping.is_suspended or (
                self.is_winding_down and not self._stopping.is_cancelled()
            )
        did_not_get_there = work is None and bool(series.notes or series.taken_up_bytes)
        return status is Status.DISK_FULL or did_not_get_there

    def _not_begun(self, error: Exception) -> IngestFilesetResult:
        """Return the result of an ingest for which the archive has no room, or no hearing."""
        status = Status.DISK_FULL if is_full(error) else Status.STORE_DAMAGED
        if isinstance(error, ArchiveError):
            status = error.status
        self._builder.note(
            status=status,
            error_message=tr("Nothing was started: {error}", error=error),
            finished=iso_now(),
        )
        self._stopping.is_suspended = True
        return self._finished()

    def _finished(self) -> IngestFilesetResult:
        self._tell(IngestFinished(self.ingest_id, self._result))
        self._teller.flush()
        return self._result

    async def _describe_and_choose(self) -> tuple[PlatformItem, StrategyChoice]:
        landing = await self._resolve()
        item = await self._describe(landing)
        choice = self._choose(item)
        self._tell(Described(self.ingest_id, item, choice))
        return item, choice

    async def _resolve(self) -> Landing:
        self._enter(Stage.RESOLVE, self._request.base_url)
        land_at = partial(
            land,
            self._tools.asker,
            keep=self._evidence.append,
            is_cancelled=self._stopping.is_before_files,
        )
        landing, finding = await landing_of(self._request, land_at, self._evidence.clear)
        self._builder.add_findings(*finding)
        self._builder.note(hops=landing.hops, html_biblio=landing.html_biblio or None)
        if landing.outcome is None:
            self._landing_exchange = self._evidence[-1]
        elif landing.message is not None and landing.outcome is not Status.WRONG_MIMETYPE:
            self._builder.add_findings(Finding(f"landing-{landing.outcome}", landing.message))
        return landing

    async def _describe(self, landing: Landing) -> PlatformItem:
        self._enter(Stage.DESCRIBE, landing.url)
        api = HttpApi(
            self._tools.asker,
            self._evidence.append,
            is_cancelled=self._stopping.is_before_files,
            landing_url=landing.url,
            most_files=self._limits.max_file_count,
        )
        if links := self._options.page_links:
            needs_all = self._options.needs_all_links
            item = await chosen_links(landing, links, api, needs_all=needs_all)
            evidence = "links chosen by hand"
        else:
            item, evidence = await describe(landing, api)
        log.info("%s: %s (%s)", self.ingest_id, item.platform_name, evidence)
        self._builder.note(item=item)
        self._stopping.is_described = True
        self._builder.add_findings(*item.findings)
        if not item.platform_status.is_success:
            raise IngestStop(item.platform_status, item.platform_message or item.platform_id)
        if not item.manifest:
            raise IngestStop(
                Status.EMPTY_MANIFEST,
                tr("{platform_id} lists no files.", platform_id=item.platform_id),
            )
        return item

    def _choose(self, item: PlatformItem) -> StrategyChoice:
        self._enter(Stage.CHOOSE, item.title or item.platform_id)
        choice = choose(
            item,
            self._tools.settings,
            self._options,
            has_keys=self._tools.credentials.archiveorg() is not None,
        )
        self._tell_planned_item(item, choice)
        self._builder.note(choice=choice)
        refuse_undecided(self._tools.settings, choice.strategy, self._options.to)
        if publishes(choice.strategy, self._options.to) and not self._is_wanted():
            raise unwanted(choice.strategy, self._options.to)
        self._builder.add_findings(*idle_options(choice.strategy, self._options))
        refuse_beyond(self._limits, item.manifest)
        return choice

    def _tell_planned_item(self, item: PlatformItem, choice: StrategyChoice) -> None:
        """Say which archive.org item would be written, before anything is sent."""
        if not choice.strategy.makes_item:
            return
        planned = planned_item(
            item,
            self._tools.settings.archiveorg,
            self._options,
            landing_url=self._result.hops[-1],
        ).to_json()
        collection = planned["metadata"].get("collection")
        message = tr(
            "It becomes {url} in the collection {collection}.",
            url=planned["url"],
            collection=collection,
        )
        self._builder.note(planned_item=planned)
        self._builder.add_findings(Finding(ARCHIVEORG_ITEM, message))

    async def _archive_files(
        self, item: PlatformItem, choice: StrategyChoice, work: Work
    ) -> StrategyResult:
        archiver = strategy_for(choice.strategy, work)
        if work.looks_for_existing:
            self._enter(Stage.VERIFY, tr("what is already archived"))
            existing = await archiver.check_existing(item)
            if existing is not None:
                return existing
        urls = {entry.platform_url for entry in item.manifest if entry.platform_url}
        there = work.series.taken_up_bytes + self._archive.leftovers.bytes_of(urls)
        needed = self._room_needed(item, choice) - there
        self._archive.room.claim(self.ingest_id, max(0, needed))
        self._enter(Stage.FETCH, item.title or item.platform_id)
        return await archiver.process(item)

    def _room_needed(self, item: PlatformItem, choice: StrategyChoice) -> int:
        """Return how many bytes an ingest writes to the disk; a bundle is unpacked from a copy."""
        if choice.strategy.makes_captures and Destination.ARCHIVE not in self._options.to:
            return 0
        copies = 2 if choice.strategy.is_bundled else 1
        return total_size(item.manifest) * copies

    def _foresight(self, choice: StrategyChoice) -> Foresight:
        planned = self._result.planned_item
        return Foresight(
            choice,
            self._options,
            self._tools.settings,
            self._tools.credentials,
            landing_url=self._result.hops[-1],
            item_name=planned["name"] if planned else None,
        )

    @property
    def _result(self) -> IngestFilesetResult:
        return self._builder.result

    def _enter(self, stage: Stage, detail: str) -> None:
        if self._stopping.is_before_files():
            raise IngestStop(Status.CANCELLED, tr("The ingest was stopped."))
        self._builder.note(stage=stage)
        self._tell(StageEntered(self.ingest_id, stage, detail))

    @property
    def _archive(self) -> Archive:
        if self._tools.archive is None:
            raise ValueError("a preview has no archive")
        return self._tools.archive

    @property
    def _limits(self) -> Limits:
        return limits_for(self._options, self._tools.settings.limits)
