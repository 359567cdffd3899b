# SPDX-License-Identifier: AGPL-3.0-or-later
"""web-file and web-fileset: each file fetched by itself into the archive's own WARC collection."""

import asyncio
import logging
import threading
from collections.abc import Sequence
from dataclasses import replace

from carrel.capture.client import Cancelled
from carrel.capture.transfer import Dropped
from carrel.errors import IngestStop
from carrel.model import IngestStrategy, ManifestFile, PlatformItem, Status, StrategyResult
from carrel.model.sizes import in_words
from carrel.strategies.already_kept import AlreadyKept
from carrel.strategies.dropped import dropped
from carrel.strategies.kept import Kept
from carrel.strategies.one_a_second import OneASecond
from carrel.strategies.outcome import ENDS_ALL, shortfall, unwritten, worst
from carrel.strategies.remarks import entry_of, findings_on
from carrel.strategies.strategy import Work
from carrel.strategies.turns import in_turns
from carrel.strategies.web_file import NotTheFile, WebFetching
from carrel.translation import tr

log = logging.getLogger(__name__)


class WebArchiver:
    """Keeps each file of a dataset as a capture of its own address.

    The way of a file: `_keep` gives it an outcome whatever happens, `_in_record` looks for it in
    the records that are there (`AlreadyKept`), `_fetched` has it fetched (`WebFetching`), and
    `_noted` makes the file in its record an entry of the result (`remarks`).
    """

    def __init__(self, strategy: IngestStrategy, work: Work) -> None:
        self._strategy, self._work = strategy, work
        self._ended = threading.Event()
        self._found: dict[int, ManifestFile] = {}
        self._already: AlreadyKept | None = None

    async def check_existing(self, item: PlatformItem) -> StrategyResult | None:
        already = await self._already_kept(item)
        for index, entry in enumerate(item.manifest):
            kept = await asyncio.to_thread(already.earlier, entry)
            if kept is None:
                return None
            self._found[index] = self._noted(index, kept)
        for index, file in self._found.items():
            self._work.events.finished(index, file)
        return self._result(list(self._found.values()))

    async def process(self, item: PlatformItem) -> StrategyResult:
        already = await self._already_kept(item)
        seconds = OneASecond(entry.platform_url for entry in item.manifest)
        fetching = WebFetching(self._work, seconds, self._is_over)
        files = list(item.manifest)

        def keep(index: int) -> None:
            files[index] = self._keep(index, files[index], already, fetching)

        width = min(self._work.archive.settings.network.transfers, len(files))
        await in_turns(range(len(files)), width, keep, self._ended.set)
        return self._result(files)

    async def _already_kept(self, item: PlatformItem) -> AlreadyKept:
        """Ask the ledger once for all files, so that a new dataset is not asked for one by one."""
        if self._already is None:
            urls = [entry.platform_url for entry in item.manifest if entry.platform_url]
            captured = await asyncio.to_thread(
                self._work.archive.ledger.captures.known_addresses, urls
            )
            self._already = AlreadyKept(self._work, captured)
        return self._already

    def _keep(
        self, index: int, entry: ManifestFile, already: AlreadyKept, fetching: WebFetching
    ) -> ManifestFile:
        """Return the entry with its outcome. Runs in a worker thread."""
        try:
            if entry.status is None:
                entry = self._in_record(index, entry, already) or self._fetched(
                    index, entry, fetching
                )
        except Exception as error:
            log.error("a bug in Carrel with %s: %s", entry.platform_url, error)
            log.debug("It happened here:", exc_info=error)
            message = f"{type(error).__name__}: {error}"
            entry = replace(entry, status=Status.INTERNAL_ERROR, message=message)
        if entry.status in ENDS_ALL:
            self._ended.set()
        self._work.events.finished(index, entry)
        return entry

    def _in_record(
        self, index: int, entry: ManifestFile, already: AlreadyKept
    ) -> ManifestFile | None:
        """Return the entry as kept if a record holds it, None if none does."""
        if index in self._found:
            return self._found[index]
        kept = already.by_this_ingest(entry) or already.earlier(entry)
        return self._noted(index, kept) if kept else None

    def _fetched(self, index: int, entry: ManifestFile, fetching: WebFetching) -> ManifestFile:
        """Return the entry as kept, or with why it is not."""
        if self._is_over() or self._work.is_ending():
            return self._left_undone(entry)
        self._work.events.started(index)
        try:
            return self._noted(index, fetching.fetch(index, entry))
        except NotTheFile as found:
            return replace(entry, status=found.status, message=str(found), observed=found.observed)
        except IngestStop as stop:
            return self._waits(replace(entry, status=stop.status, message=str(stop)))
        except Dropped as stopped:
            return dropped(self._left_undone(entry), stopped.received)
        except Cancelled:
            return self._waits(self._left_undone(entry))
        except OSError as error:
            status, what = unwritten(error)
            return replace(entry, status=status, message=f"{what} while {entry.path} was written.")

    def _noted(self, index: int, kept: Kept) -> ManifestFile:
        self._work.capture_of[index] = kept.capture
        return entry_of(kept)

    def _is_over(self) -> bool:
        return self._ended.is_set() or self._work.is_cancelled()

    def _left_undone(self, entry: ManifestFile) -> ManifestFile:
        if self._work.is_cancelled() or self._work.is_ending():
            message = tr("The ingest was stopped before {path} was archived.", path=entry.path)
            return replace(entry, status=Status.CANCELLED, message=message)
        message = tr("The ingest ended before it reached {path}.", path=entry.path)
        return replace(entry, status=Status.NOT_PROCESSED, message=message)

    def _waits(self, entry: ManifestFile) -> ManifestFile:
        """Return an entry whose message says how much of the file the next attempt has already."""
        left = self._work.series.left_of(entry.platform_url) if entry.platform_url else 0
        if not left:
            return entry
        waits = tr("{size} of it are in staging for the next attempt.", size=in_words(left))
        return replace(entry, message=f"{entry.message} {waits}")

    def _result(self, files: Sequence[ManifestFile]) -> StrategyResult:
        bad = [file for file in files if not file.is_kept]
        findings = findings_on(files)
        if bad:
            return StrategyResult(
                self._strategy,
                worst(bad),
                tuple(files),
                error_message=shortfall(files, bad),
                findings=findings,
            )
        status, capture = Status.SUCCESS, None
        if files and all(file.status is Status.SUCCESS_EXISTING for file in files):
            status = Status.SUCCESS_EXISTING
        elif self._strategy is IngestStrategy.WEB_FILE:
            status, capture = Status.SUCCESS_FILE, self._work.capture_of.get(0)
        return StrategyResult(
            self._strategy, status, tuple(files), file_capture=capture, findings=findings
        )
