# SPDX-License-Identifier: AGPL-3.0-or-later
"""web-file and web-fileset to both destinations: our own WARCs first, then the Wayback Machine.

A file is kept when our own WARCs have it. What the Wayback Machine lacks then is no loss, but it is
no success either: the result says what is not there.
"""

import sys
from dataclasses import replace

from carrel.errors import IngestStop
from carrel.model import (
    Finding,
    FindingLevel,
    IngestStrategy,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
    StrategyResult,
)
from carrel.strategies.limits import Budget
from carrel.strategies.outcome import shortfall, worst
from carrel.strategies.strategy import FileEvents, Work
from carrel.strategies.wayback import WaybackArchiver
from carrel.strategies.web import WebArchiver
from carrel.translation import tr


class BothArchiver:
    """Keeps each file as a capture of its own address, here and there."""

    def __init__(self, strategy: IngestStrategy, work: Work) -> None:
        self._here = WebArchiver(strategy, work)
        # What arrived here was counted; to bring the same files there adds nothing.
        counted = replace(work, events=_Quiet(work.events), budget=Budget(sys.maxsize))
        self._there = WaybackArchiver(strategy, counted)

    async def check_existing(self, item: PlatformItem) -> StrategyResult | None:
        here = await self._here.check_existing(item)
        there = await self._there.check_existing(item)
        if here is None or there is None:
            return None
        return _joined(here, there)

    async def process(self, item: PlatformItem) -> StrategyResult:
        here = await self._here.process(item)
        if here.status is Status.CANCELLED:
            return here
        try:
            return _joined(here, await self._there.process(item))
        except IngestStop as stop:
            return _without(here, stop)


class _Quiet:
    """Tells what is waited for, but not a second time how each file began and ended."""

    def __init__(self, events: FileEvents) -> None:
        self.waiting, self.turned_to = events.waiting, events.turned_to

    def started(self, index: int) -> None: ...

    def progress(
        self, index: int, received: int, total: int | None, phase: Stage, *, found: int = 0
    ) -> None: ...

    def finished(self, index: int, file: ManifestFile) -> None: ...


def _without(here: StrategyResult, stop: IngestStop) -> StrategyResult:
    """Return the result of our own WARCs when nothing could be brought to the other destination."""
    finding = Finding("wayback-incomplete", str(stop), FindingLevel.WARNING)
    joined = replace(here, findings=(*here.findings, finding))
    if not here.status.is_success:
        return joined
    return replace(joined, status=stop.status, error_message=str(stop), file_capture=None)


def _joined(here: StrategyResult, there: StrategyResult) -> StrategyResult:
    """Return the result of our own WARCs with what the other destination adds, or lacks."""
    files = tuple(
        replace(file, extra={**file.extra, **other.extra}) if other.is_kept else file
        for file, other in zip(here.manifest, there.manifest, strict=True)
    )
    joined = replace(here, manifest=files, findings=(*here.findings, *there.findings))
    lacking = [file for file in there.manifest if not file.is_kept]
    if not lacking:
        return joined
    message = tr(
        "The Wayback Machine lacks some. {shortfall}", shortfall=shortfall(there.manifest, lacking)
    )
    finding = Finding("wayback-incomplete", message, FindingLevel.WARNING)
    joined = replace(joined, findings=(*joined.findings, finding))
    if not here.status.is_success:
        return joined
    return replace(joined, status=worst(lacking), error_message=message, file_capture=None)
