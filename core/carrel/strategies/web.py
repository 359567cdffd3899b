# SPDX-License-Identifier: AGPL-3.0-or-later
"""web-file and web-fileset: each file fetched by itself into the archive's own WARC collection."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from carrel.capture.arrival import Order
from carrel.capture.client import Cancelled
from carrel.capture.digests import algorithms_for
from carrel.capture.inside import leads_inside
from carrel.capture.retry import Patience
from carrel.capture.transfer import fetch
from carrel.errors import IngestStop
from carrel.model import (
    Capture,
    Fixity,
    IngestStrategy,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
    StrategyResult,
)
from carrel.model.capture import UNKNOWN_TYPE
from carrel.model.sizes import in_words
from carrel.strategies import content_coded, open_ended, served_names, unexpected_pages
from carrel.strategies.comparison import compare, difference, is_provable, published_form
from carrel.strategies.one_a_second import OneASecond
from carrel.strategies.outcome import ENDS_ALL, shortfall, unwritten, worst
from carrel.strategies.progress import Progress
from carrel.strategies.storing import stored_fixity
from carrel.strategies.strategy import Work
from carrel.strategies.turns import in_turns

log = logging.getLogger(__name__)


class WebArchiver:
    """Keeps each file of a dataset as a capture of its own address."""

    def __init__(self, strategy: IngestStrategy, work: Work) -> None:
        self._strategy, self._work = strategy, work
        self._ended = threading.Event()
        self._found: dict[int, ManifestFile] = {}
        self._captured: frozenset[str] | None = None
        self._seconds = OneASecond(())

    async def check_existing(self, item: PlatformItem) -> StrategyResult | None:
        await self._ask_what_is_captured(item)
        for index, entry in enumerate(item.manifest):
            existing = await asyncio.to_thread(self._existing, index, entry)
            if existing is None:
                return None
            self._found[index] = existing
        for index, file in self._found.items():
            self._work.events.finished(index, file)
        return self._result(list(self._found.values()))

    async def process(self, item: PlatformItem) -> StrategyResult:
        await self._ask_what_is_captured(item)
        self._seconds = OneASecond(entry.platform_url for entry in item.manifest)
        files = list(item.manifest)

        def keep(index: int) -> None:
            files[index] = self._keep(index, files[index])

        width = min(self._work.archive.settings.network.transfers, len(files))
        await in_turns(range(len(files)), width, keep, self._ended.set)
        return self._result(files)

    async def _ask_what_is_captured(self, item: PlatformItem) -> None:
        """Ask once for all files, so that a new dataset is not asked for one by one."""
        if self._captured is not None:
            return
        urls = [entry.platform_url for entry in item.manifest if entry.platform_url]
        self._captured = await asyncio.to_thread(self._work.archive.ledger.captured, urls)

    def _keep(self, index: int, entry: ManifestFile) -> ManifestFile:
        """Return the entry with its outcome. Runs in a worker thread."""
        try:
            if entry.status is None:
                entry = (
                    self._found.get(index)
                    or self._held(index, entry)
                    or self._existing(index, entry)
                    or self._fetched(index, entry)
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

    def _held(self, index: int, entry: ManifestFile) -> ManifestFile | None:
        """Return the entry as kept if this ingest, before it was interrupted, had fetched it."""
        held = entry.platform_url and self._work.shelf.held(entry.platform_url)
        if not held or not held.fixity.digests.keys() >= {*algorithms_for(entry.declared.digests)}:
            return None  # other digests are published by now than were computed then
        file = self._file_in(entry, held.capture, held.fixity)
        if file is None:
            return None
        self._work.capture_of[index] = held.capture
        return self._kept(entry, Status.SUCCESS, file, held.capture)

    def _existing(self, index: int, entry: ManifestFile) -> ManifestFile | None:
        """Return the entry as kept if an intact capture of its address has the declared bytes.

        What no digest can prove counts if an earlier attempt of the same job kept it.
        """
        work = self._work
        if entry.platform_url is None or entry.platform_url not in (self._captured or ()):
            return None
        if not is_provable(entry.declared) and entry.platform_url not in work.kept_earlier:
            return None
        if not work.looks_for_existing or work.is_cancelled():
            return None
        algorithms = algorithms_for(entry.declared.digests)
        for capture in work.archive.ledger.captures_at(entry.platform_url):
            held = stored_fixity(work.archive, capture, algorithms)
            file = held and self._file_in(entry, capture, held)
            if file:
                work.capture_of[index] = capture
                return self._kept(entry, Status.SUCCESS_EXISTING, file, capture)
        return None

    def _file_in(self, entry: ManifestFile, capture: Capture, stored: Fixity) -> Fixity | None:
        """Return what of stored bytes is the declared file, they or what their coding undone is.

        None if neither is.
        """
        if compare(entry.declared, stored) is None:
            return stored
        decoded = self._work.shelf.decoded(capture, algorithms_for(entry.declared.digests))
        return decoded if decoded and compare(entry.declared, decoded) is None else None

    def _fetched(self, index: int, entry: ManifestFile) -> ManifestFile:
        if self._ended.is_set() or self._work.is_cancelled():
            return self._left_undone(entry)
        self._work.events.started(index)
        try:
            return self._fetch(index, entry)
        except IngestStop as stop:
            return self._waits(replace(entry, status=stop.status, message=str(stop)))
        except Cancelled:
            return self._waits(self._left_undone(entry))
        except OSError as error:
            status, what = unwritten(error)
            return replace(entry, status=status, message=f"{what} while {entry.path} was written.")

    def _fetch(self, index: int, entry: ManifestFile) -> ManifestFile:
        work = self._work
        if entry.platform_url is None:
            message = f"The platform lists no address for {entry.path}."
            raise IngestStop(Status.ERROR_PLATFORM_DOWNLOAD, message)
        if leads_inside(work.landing_url, entry.platform_url):
            message = f"{entry.platform_url} is inside a private network; it was not fetched."
            raise IngestStop(Status.ERROR_PLATFORM_DOWNLOAD, message)
        progress = Progress(work, index, entry.declared.size)
        order = Order(
            url=entry.platform_url,
            algorithms=entry.declared.digests,
            progress=progress.received,
            reserve=progress.reserve,
            is_cancelled=lambda: self._ended.is_set() or work.is_cancelled(),
            is_proven=_proof(entry.declared),
        )
        network = work.archive.settings.network
        patience = Patience(tries=network.attempts, longest_pause_s=network.longest_pause_s)
        try:
            fetched = self._seconds.apart(
                entry.platform_url, lambda: fetch(work.client, work.series, order, patience)
            )
        except BaseException:
            progress.give_back()
            raise
        if found := difference(entry, fetched):
            if fetched.part is not None:
                fetched.part.discard()
            observed = fetched.fixity
            return replace(entry, status=found.status, message=found.message, observed=observed)
        progress.phase(Stage.STORE)
        capture = work.shelf.store(entry, work.landing_url, fetched)
        work.capture_of[index] = capture
        entry = open_ended.noted(entry, fetched.exchange)
        entry = unexpected_pages.noted(entry, fetched.exchange)
        return self._kept(entry, Status.SUCCESS, published_form(entry.declared, fetched), capture)

    def _kept(
        self, entry: ManifestFile, status: Status, observed: Fixity, capture: Capture
    ) -> ManifestFile:
        known = None if capture.mimetype == UNKNOWN_TYPE else capture.mimetype
        kept = replace(
            entry,
            status=status,
            observed=observed,
            mimetype=entry.mimetype or known,
            terminal_url=capture.url,
            terminal_dt=capture.timestamp,
        )
        kept = content_coded.noted(kept, observed, capture)
        if kept.is_named:
            return kept
        return served_names.noted(kept, self._work.shelf.file_name(capture))

    def _left_undone(self, entry: ManifestFile) -> ManifestFile:
        if self._work.is_cancelled():
            message = f"The ingest was stopped before {entry.path} was archived."
            return replace(entry, status=Status.CANCELLED, message=message)
        message = f"The ingest ended before it reached {entry.path}."
        return replace(entry, status=Status.NOT_PROCESSED, message=message)

    def _waits(self, entry: ManifestFile) -> ManifestFile:
        """Return an entry whose message says how much of the file the next attempt has already."""
        left = self._work.series.left_of(entry.platform_url) if entry.platform_url else 0
        if not left:
            return entry
        waits = f"{in_words(left)} of it are in staging for the next attempt."
        return replace(entry, message=f"{entry.message} {waits}")

    def _result(self, files: Sequence[ManifestFile]) -> StrategyResult:
        bad = [file for file in files if not file.is_kept]
        rooms = (served_names, content_coded, open_ended, unexpected_pages)
        findings = tuple(finding for room in rooms for finding in room.findings_on(files))
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


def _proof(declared: Fixity) -> Callable[[Fixity], bool] | None:
    """Return what tells the declared bytes from all others, None if nothing can."""
    if not is_provable(declared):
        return None
    return lambda observed: compare(declared, observed) is None
