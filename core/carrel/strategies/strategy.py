# SPDX-License-Identifier: AGPL-3.0-or-later
"""The protocol of strategies, and what each is given to work with."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Protocol

from carrel.archive import Archive
from carrel.capture.client import Client
from carrel.capture.ends import HeldEnds
from carrel.capture.warc_series import WarcSeries
from carrel.credentials import Credentials
from carrel.model import (
    Capture,
    IngestOptions,
    ManifestFile,
    PlatformItem,
    Stage,
    StrategyResult,
)
from carrel.model.formats import FormatKey
from carrel.strategies.capture_store import CaptureStore
from carrel.strategies.limits import Budget


class FileEvents(Protocol):
    """Where a strategy tells how its files fare. Called from worker threads.

    `turned_to` takes in words what it fetches from then on, where that is not what it was to fetch.
    """

    def turned_to(self, what: str) -> None: ...

    def started(self, index: int) -> None: ...

    def progress(
        self, index: int, received: int, total: int | None, phase: Stage, *, found: int = 0
    ) -> None: ...

    def waiting(self, index: int, reason: str, *, is_passing: bool = False) -> None: ...

    def finished(self, index: int, file: ManifestFile) -> None: ...


HeedEnds = Callable[[FormatKey, HeldEnds], None]
"""Called with the ends of a file that was stored. From worker threads."""


@dataclass(frozen=True, slots=True)
class Work:
    """One ingest in hand: where from, where to, within what bounds, and whom to tell.

    `looks_for_existing` is False when the person insists that everything is fetched again.
    `kept_earlier` are the addresses of files that an earlier attempt of the same job kept.
    `found_damaged` are the paths of files whose records were found damaged or missing: these are
    fetched anew, so that the attempt has records of its own in their place, though the bytes may
    be here in another. `is_ending` says that what was begun is brought to its end and nothing else
    begins. `capture_of` collects the capture on which the file at an index of the manifest rests,
    which may be an older one. `heed_ends` is what the ends of each file are for, None for nothing.
    """

    archive: Archive
    client: Client
    series: WarcSeries
    capture_store: CaptureStore
    budget: Budget
    events: FileEvents
    is_cancelled: Callable[[], bool]
    landing_url: str
    options: IngestOptions
    credentials: Credentials
    looks_for_existing: bool = True
    kept_earlier: Collection[str] = frozenset()
    found_damaged: Collection[str] = frozenset()
    ingest_id: str = ""
    is_ending: Callable[[], bool] = lambda: False
    capture_of: dict[int, Capture] = field(default_factory=dict)
    heed_ends: HeedEnds | None = None


class StrategyArchiver(Protocol):
    """A strategy."""

    async def check_existing(self, item: PlatformItem) -> StrategyResult | None:
        """Return a result if everything is kept and intact already, None if anything is not."""

    async def process(self, item: PlatformItem) -> StrategyResult:
        """Keep what is not kept yet. One bad file never loses the others."""
