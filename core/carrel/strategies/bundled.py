# SPDX-License-Identifier: AGPL-3.0-or-later
"""web-fileset-bundled: the platform's own "download all" archive, with every member accounted for.

The archive is stored as it came, as one capture. The bytes of a file stand in it, under the name
that its entry has in `extra` as `bundle_member`. A bundle proves nothing by itself: platforms leave
files out and say so nowhere, or in a text inside. What lacks is fetched individually, or named.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from carrel.errors import IngestStop
from carrel.model import (
    Capture,
    Finding,
    IngestStrategy,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
    StrategyResult,
    total_size,
)
from carrel.model.counts import count_of
from carrel.strategies.bundle import Bundles, Opened, named
from carrel.strategies.fitness import refuse_without_bundle
from carrel.strategies.outcome import shortfall, worst
from carrel.strategies.strategy import FileEvents, Work
from carrel.strategies.web import WebArchiver
from carrel.translation import tr

T = TypeVar("T")

# After one of these nothing more is fetched. A bundle that is too large is none of them: the files
# may well be within the limits.
_IS_OVER = frozenset({Status.DISK_FULL, Status.CANCELLED})


class BundledArchiver:
    """Keeps a dataset as the one archive that its platform makes of it."""

    def __init__(self, work: Work) -> None:
        self._work = replace(work, events=_Told(work.events))
        self._ended = threading.Event()
        self._bundles = Bundles(self._work, self._is_cancelled)
        self._earlier: Opened | None = None

    async def check_existing(self, item: PlatformItem) -> StrategyResult | None:
        """Return a result if every file is kept, in an earlier bundle or as its own capture.

        Raises IngestStop (no-strategy-helper) for an item without a bundle.
        """
        refuse_without_bundle(item)
        self._earlier = await self._in_thread(lambda: self._bundles.earlier(item))
        files = list(self._earlier.files if self._earlier else item.manifest)
        rest = [index for index, file in enumerate(files) if not file.is_kept]
        if rest:
            work = self._work_for(rest)
            archiver = WebArchiver(IngestStrategy.WEB_FILESET, work)
            singly = await archiver.check_existing(_part_of(item, rest))
            if singly is None:
                return None
            self._merge(files, rest, work, singly)
        for index in set(range(len(files))).difference(rest):
            self._work.events.finished(index, files[index])
        return self._result(files, self._earlier.capture if self._earlier else None)

    async def process(self, item: PlatformItem) -> StrategyResult:
        """Fetch the bundle, account for its members, and fetch singly what lacks, if asked to.

        An earlier bundle that holds some of the files is not fetched anew. Raises IngestStop
        (no-strategy-helper) for an item without a bundle.
        """
        refuse_without_bundle(item)
        opened = self._earlier if self._work.options.fetch_missing else None
        if opened is None:
            opened = await self._in_thread(lambda: self._bundles.take(item))
        files = list(opened.files)
        singly = self._to_be_fetched(item, files)
        for index in set(range(len(files))).difference(singly):
            self._work.events.finished(index, files[index])
        if singly:
            await self._fetch_singly(item, opened, files, singly)
        findings = (*opened.findings, *_singly_findings(files, singly))
        return self._result(files, opened.capture, findings)

    async def _in_thread(self, step: Callable[[], T]) -> T:
        """Run a blocking step beside the loop; when the ingest is given up, wait until it ended."""
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1, thread_name_prefix="bundle") as threads:
            try:
                return await loop.run_in_executor(threads, step)
            except BaseException:
                self._ended.set()
                raise

    def _is_cancelled(self) -> bool:
        return self._ended.is_set() or self._work.is_cancelled()

    def _to_be_fetched(self, item: PlatformItem, files: Sequence[ManifestFile]) -> list[int]:
        """Return the indexes of the files to fetch singly."""
        is_over = any(file.status in _IS_OVER for file in files)
        if is_over or not self._work.options.fetch_missing:
            return []
        return [
            index
            for index, file in enumerate(files)
            if not file.is_kept and item.manifest[index].status is None
        ]

    async def _fetch_singly(
        self, item: PlatformItem, opened: Opened, files: list[ManifestFile], singly: list[int]
    ) -> None:
        part = _part_of(item, singly)
        self._work.events.turned_to(_why_singly(opened))
        if opened.capture is not None and opened.is_new:
            try:
                # The bundle has used up what was set aside for the files.
                self._work.budget.take(total_size(part.manifest))
            except IngestStop as stop:
                for index in singly:
                    files[index] = replace(files[index], status=stop.status, message=str(stop))
                    self._work.events.finished(index, files[index])
                return
        work = self._work_for(singly)
        result = await WebArchiver(IngestStrategy.WEB_FILESET, work).process(part)
        self._merge(files, singly, work, result)

    def _work_for(self, indexes: Sequence[int]) -> Work:
        """Return the work on a part of the manifest, which tells of it by the whole's indexes."""
        return replace(self._work, events=_Renumbered(self._work.events, indexes), capture_of={})

    def _merge(
        self, files: list[ManifestFile], indexes: Sequence[int], work: Work, result: StrategyResult
    ) -> None:
        for at, file in enumerate(result.manifest):
            files[indexes[at]] = file
        for at, capture in work.capture_of.items():
            self._work.capture_of[indexes[at]] = capture

    def _result(
        self,
        files: Sequence[ManifestFile],
        capture: Capture | None,
        findings: tuple[Finding, ...] = (),
    ) -> StrategyResult:
        bad = [file for file in files if not file.is_kept]
        status, message = Status.SUCCESS, None
        if bad:
            # What the bundle lacks is named before what no one can have.
            bad.sort(key=lambda file: file.status is not Status.BUNDLE_INCOMPLETE)
            status, message = worst(bad), shortfall(files, bad)
        elif all(file.status is Status.SUCCESS_EXISTING for file in files):
            status = Status.SUCCESS_EXISTING
        return StrategyResult(
            IngestStrategy.WEB_FILESET_BUNDLED,
            status,
            tuple(files),
            error_message=message,
            bundle=capture,
            findings=findings,
        )


class _Told:
    """Passes on what is told of files; each is said to have started once, though it may twice."""

    def __init__(self, events: FileEvents) -> None:
        self._events = events
        self._started: set[int] = set()
        self.progress, self.waiting = events.progress, events.waiting
        self.finished, self.turned_to = events.finished, events.turned_to

    def started(self, index: int) -> None:
        if index not in self._started:
            self._started.add(index)
            self._events.started(index)


class _Renumbered:
    """Tells of a part of the manifest by the indexes that the files have in the whole."""

    def __init__(self, events: FileEvents, indexes: Sequence[int]) -> None:
        self._events, self._indexes = events, indexes
        self.turned_to = events.turned_to

    def started(self, index: int) -> None:
        self._events.started(self._indexes[index])

    def progress(
        self, index: int, received: int, total: int | None, phase: Stage, *, found: int = 0
    ) -> None:
        self._events.progress(self._indexes[index], received, total, phase, found=found)

    def waiting(self, index: int, reason: str, *, is_passing: bool = False) -> None:
        self._events.waiting(self._indexes[index], reason, is_passing=is_passing)

    def finished(self, index: int, file: ManifestFile) -> None:
        self._events.finished(self._indexes[index], file)


def _part_of(item: PlatformItem, indexes: Sequence[int]) -> PlatformItem:
    return replace(item, manifest=tuple(item.manifest[index] for index in indexes))


def _why_singly(opened: Opened) -> str:
    """Return what is fetched individually, and why, as it is said while that lasts."""
    if opened.is_usable:
        return tr("what the repository's bundle lacks")
    return tr("file by file, since the repository's bundle could not be used")


def _singly_findings(files: Sequence[ManifestFile], singly: Sequence[int]) -> tuple[Finding, ...]:
    kept = [files[index].path for index in singly if files[index].is_kept]
    if not kept:
        return ()
    message = tr(
        "{files} fetched individually: {named}", files=count_of(kept, "file"), named=named(kept)
    )
    return (Finding("fetched-singly", message),)
