# SPDX-License-Identifier: AGPL-3.0-or-later
"""web-file and web-fileset to the Wayback Machine: found there, or brought there and read back.

What Save Page Now reports is not what counts, in either direction: a file is kept when its capture
was read back and has the published bytes.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from carrel.capture.client import Cancelled
from carrel.capture.wayback.index import WaybackIndex
from carrel.capture.wayback.pauses import Waiting
from carrel.capture.wayback.raw import RawCaptures
from carrel.capture.wayback.save_page_now import SavePageNow
from carrel.errors import IngestStop
from carrel.model import IngestStrategy, ManifestFile, PlatformItem, Status, StrategyResult
from carrel.model.counts import count_of
from carrel.strategies.comparison import is_provable
from carrel.strategies.limits import SUBMIT_FEWER
from carrel.strategies.outcome import shortfall, worst
from carrel.strategies.strategy import Work
from carrel.strategies.turns import in_turns
from carrel.strategies.wayback_addresses import address_to_capture, without_unreachable
from carrel.strategies.wayback_delivery import Delivery, Telling, kept, known
from carrel.strategies.wayback_proof import Prover, Search
from carrel.translation import tr

log = logging.getLogger(__name__)


class WaybackArchiver:
    """Has each file of a dataset captured at its own address by Save Page Now.

    `sleep` and `now` are the clock by which it waits.
    """

    def __init__(
        self,
        strategy: IngestStrategy,
        work: Work,
        *,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._strategy, self._work = strategy, work
        self._ended = threading.Event()
        settings = work.archive.settings
        self._settings, self._width = settings.wayback, settings.network.transfers
        self._waiting = Waiting(
            lambda: self._ended.is_set() or work.is_cancelled(),
            self._settings.poll_s,
            settings.network.attempts,
            sleep,
            now,
        )
        limit = work.options.max_total_size or settings.limits.max_total_size
        self._prover = Prover(
            WaybackIndex(work.client, self._settings.url, self._waiting),
            RawCaptures(work.client, self._settings.url, self._waiting, limit),
        )
        self._telling = Telling(work.events)
        self._has_looked = False
        self._files: dict[int, ManifestFile] = {}
        self._absent: set[int] = set()
        self._excess: IngestStop | None = None

    async def check_existing(self, item: PlatformItem) -> StrategyResult | None:
        await self._look(item)
        if self._pending(item) or not all(file.is_kept for file in self._files.values()):
            return None
        self._tell_finished(self._files)
        return self._result(item)

    async def process(self, item: PlatformItem) -> StrategyResult:
        """Submit what is not there yet, or nothing at all if that is too much.

        Raises IngestStop (credentials-required) if there are no keys and nothing is there either.
        """
        if self._work.looks_for_existing and not self._has_looked:
            await self._look(item)
        self._note_closed(item)
        self._tell_finished(self._files)
        pending = self._pending(item)
        if self._work.is_cancelled():
            self._leave(
                item,
                pending,
                Status.CANCELLED,
                tr("The ingest was stopped before it reached this file."),
            )
        elif len(pending) > self._settings.max_file_count:
            return self._too_many(item, pending)
        elif pending:
            return await self._submit(item, pending)
        return self._result(item)

    async def _look(self, item: PlatformItem) -> None:
        """Note which files are there already, and which cannot be looked for."""
        self._note_closed(item)

        def look(index: int) -> None:
            try:
                found = self._existing(index, item.manifest[index])
            except Cancelled:
                return
            if found is not None:
                self._files[index] = found

        await in_turns(self._pending(item), self._width, look, self._ended.set)
        self._has_looked = True

    def _existing(self, index: int, entry: ManifestFile) -> ManifestFile | None:
        """Return the entry as kept if there is a capture of its bytes, as failed if no one knows.

        What no digest can prove counts only if an earlier attempt of the same job brought it there.
        """
        described = known(self._work, index, entry)
        is_known = is_provable(described.declared) or entry.platform_url in self._work.kept_earlier
        if not is_known:
            return None
        try:
            url = address_to_capture(entry, self._work.landing_url, self._settings.url)
            proven = self._prover.find(Search(described, self._telling.watch(index)), url)
        except IngestStop as stop:
            if stop.status is Status.CDX_ERROR:
                return replace(entry, status=stop.status, message=str(stop))
            log.info("%s: no capture is known to hold it: %s", entry.path, stop)
            proven = None
        if proven is None:
            self._absent.add(index)
            return None
        return kept(entry, Status.SUCCESS_EXISTING, proven)

    def _note_closed(self, item: PlatformItem) -> None:
        """Note the files whose outcome is clear beforehand."""
        files = without_unreachable(item.manifest, self._work.landing_url, self._settings.url)
        self._files.update({at: file for at, file in enumerate(files) if file.status is not None})

    def _pending(self, item: PlatformItem) -> list[int]:
        return [index for index in range(len(item.manifest)) if index not in self._files]

    def _too_many(self, item: PlatformItem, pending: Sequence[int]) -> StrategyResult:
        advice = tr(
            "{pending:,} files would have to be submitted, but at most {max_file_count:,} per "
            "dataset are allowed; nothing was submitted. {whereabouts} {submit_fewer}",
            pending=len(pending),
            max_file_count=self._settings.max_file_count,
            whereabouts=self._whereabouts(item),
            submit_fewer=SUBMIT_FEWER,
        )
        return self._nothing_submitted(item, pending, Status.TOO_MUCH_SPN, advice)

    def _whereabouts(self, item: PlatformItem) -> str:
        """Return in a sentence what is known of where the files are: each counts once."""
        ended = self._files.values()
        pending = self._pending(item)
        absent = sum(index in self._absent for index in pending)
        silent = sum(file.status is Status.CDX_ERROR for file in ended)
        counts = (
            (sum(file.is_kept for file in ended), tr("already there")),
            (absent, tr("not found")),
            (silent, tr("not known, since its index did not respond")),
            (len(pending) - absent, tr("not searched")),
        )
        told = "; ".join(f"{count} {what}" for count, what in counts if count)
        return tr(
            "In the Wayback Machine, of {files}: {told}.",
            files=count_of(item.manifest, "file"),
            told=told,
        )

    async def _submit(self, item: PlatformItem, pending: Sequence[int]) -> StrategyResult:
        keys = await asyncio.to_thread(self._work.credentials.archiveorg)
        if keys is None:
            advice = tr(
                "Save Page Now requires your keys for archive.org, but none are stored; nothing "
                "was submitted. {whereabouts}",
                whereabouts=self._whereabouts(item),
            )
            if not any(file.is_kept for file in self._files.values()):
                raise IngestStop(Status.CREDENTIALS_REQUIRED, advice)
            return self._nothing_submitted(item, pending, Status.CREDENTIALS_REQUIRED, advice)
        settings = self._settings
        service = SavePageNow(
            self._work.client, settings.url, keys, self._waiting, settings.patience_s
        )
        delivery = Delivery(self._work, self._prover, service, self._waiting, self._telling)

        def bring(index: int) -> None:
            file = self._beyond_limit(item.manifest[index])
            if file is None:
                file = _brought(delivery, index, item.manifest[index])
                self._count(file)
            self._files[index] = file
            self._work.events.finished(index, file)

        await in_turns(pending, min(self._width, len(pending)), bring, self._ended.set)
        return self._result(item)

    def _count(self, file: ManifestFile) -> None:
        """Count what a file is beyond its declared size; with too much, no further one is sent."""
        if not file.is_kept or file.observed is None or file.observed.size is None:
            return
        try:
            self._work.budget.take(file.observed.size - (file.declared.size or 0))
        except IngestStop as stop:
            self._excess = stop

    def _beyond_limit(self, entry: ManifestFile) -> ManifestFile | None:
        """Return the entry as one that is not sent if the files before it exceeded the limit."""
        stop = self._excess
        return None if stop is None else replace(entry, status=stop.status, message=str(stop))

    def _nothing_submitted(
        self, item: PlatformItem, pending: Sequence[int], status: Status, advice: str
    ) -> StrategyResult:
        self._leave(item, pending, status, tr("It was not submitted."))
        result = self._result(item)
        message = f"{advice} {result.error_message}"
        return replace(result, status=status, error_message=message)

    def _leave(
        self, item: PlatformItem, pending: Sequence[int], status: Status, message: str
    ) -> None:
        left = {
            index: replace(item.manifest[index], status=status, message=message)
            for index in pending
        }
        self._files.update(left)
        self._tell_finished(left)

    def _tell_finished(self, files: Mapping[int, ManifestFile]) -> None:
        for index, file in sorted(files.items()):
            self._work.events.finished(index, file)

    def _result(self, item: PlatformItem) -> StrategyResult:
        files = tuple(self._files.get(index, entry) for index, entry in enumerate(item.manifest))
        bad = [file for file in files if not file.is_kept]
        if bad:
            message = shortfall(files, bad)
            return StrategyResult(self._strategy, worst(bad), files, error_message=message)
        if all(file.status is Status.SUCCESS_EXISTING for file in files):
            return StrategyResult(self._strategy, Status.SUCCESS_EXISTING, files)
        is_single = self._strategy is IngestStrategy.WEB_FILE
        status = Status.SUCCESS_FILE if is_single else Status.SUCCESS
        return StrategyResult(self._strategy, status, files)


def _brought(delivery: Delivery, index: int, entry: ManifestFile) -> ManifestFile:
    """Return the entry with its outcome, whatever happens to it. Runs in a worker thread."""
    try:
        return delivery.bring(index, entry)
    except IngestStop as stop:
        return replace(entry, status=stop.status, message=str(stop))
    except Cancelled:
        message = tr(
            "The ingest was stopped before the capture of {path} was verified.", path=entry.path
        )
        return replace(entry, status=Status.CANCELLED, message=message)
    except Exception as error:
        log.error("a bug in Carrel with %s: %s", entry.platform_url, error)
        log.debug("It happened here:", exc_info=error)
        message = f"{type(error).__name__}: {error}"
        return replace(entry, status=Status.INTERNAL_ERROR, message=message)
