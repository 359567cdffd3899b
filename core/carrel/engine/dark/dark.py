# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that a face can ask of the dark archive of one archive folder."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from carrel.archive import Archive
from carrel.capture.bandwidth import Bandwidth
from carrel.dark_archive.config import GatheringConfig, read_config, write_config
from carrel.dark_archive.place import begin_folder, configuration
from carrel.engine.dark.access import Opening
from carrel.engine.dark.export import export
from carrel.engine.dark.ledger_file import FoundLedger
from carrel.engine.dark.questions import identified, text_of_version
from carrel.engine.dark.runs import gather, gather_watched
from carrel.engine.dark.verification import check, rebuild_in_use
from carrel.errors import UsageError
from carrel.model.dark import IncidenceKind, LossKind
from carrel.model.dark_views import (
    ChangeRow,
    DarkCheck,
    DarkFigures,
    ExportOrder,
    ExportReport,
    GatheringOrder,
    Hit,
    Life,
    LossRow,
    PurgeReport,
    RunReport,
    RunRow,
    SeriesRow,
    TellRun,
)
from carrel.model.events import Emit, ignore
from carrel.model.remarks import RunRemarks
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.dark_archive.sources import Source
    from carrel.model.exports import ExportOptions
    from carrel.model.exports import ExportReport as HoldingsReport

T = TypeVar("T")


class Dark:
    """Coroutines of the engine's loop; what blocks is done aside. One run or check at a time."""

    def __init__(self, archive: Archive, bandwidth: Bandwidth | None = None) -> None:
        self._archive, self._bandwidth = archive, bandwidth
        self._questions = archive.ledger.dark.questions
        self._turn = asyncio.Lock()
        self._stop = threading.Event()
        self._is_closing = False

    async def run(self, order: GatheringOrder, tell: TellRun) -> RunReport:
        """Gather what an order names. `tell` is called on another thread.

        Raises UsageError, ConfigError and ArchiveError; nothing is concluded then.
        """
        return await self._alone(
            lambda: gather(self._archive, order, tell, self._stop.is_set, self._bandwidth)
        )

    async def run_watched(self, source: "Source", tell: TellRun) -> RunReport:
        """Gather the manifests of watched datasets."""
        return await self._alone(
            lambda: gather_watched(self._archive, source, tell, self._stop.is_set)
        )

    def cancel_run(self) -> None:
        """Have what runs come to an end: it keeps what it has and concludes nothing."""
        self._stop.set()

    async def close(self) -> None:
        """Stop what runs and wait for its end."""
        self._is_closing = True
        self._stop.set()
        async with self._turn:
            pass

    async def verify(self, tell: TellRun) -> DarkCheck:
        """Read everything again; the outcome is journalled."""
        return await self._alone(
            lambda: check(
                self._archive.path,
                FoundLedger(self._archive.ledger.dark, is_writing=True),
                tell,
                self._stop.is_set,
            )
        )

    async def rebuild(self, tell: TellRun) -> DarkCheck:
        """Make the ledger again from journal and store, repair what else can be, and check it all.

        Raises UsageError where the ledger's file itself is damaged: it is in use here.
        """
        return await self._alone(lambda: rebuild_in_use(self._archive, tell))

    def configuration(self) -> Path:
        """Return where the configuration of this archive's runs is, or would be."""
        return configuration(self._archive.path)

    async def config(self) -> GatheringConfig:
        """Return how this archive's runs are configured. Raises ConfigError."""
        return await asyncio.to_thread(self._config)

    async def configure(self, config: GatheringConfig) -> None:
        """Have runs configured so. Raises ConfigError, ArchiveError, OSError."""
        await asyncio.to_thread(self._configure, config)

    async def set_directory(self, directory: Path) -> None:
        """Configure which directory runs read. Raises ConfigError, ArchiveError, OSError."""
        await self.configure(replace(await self.config(), redif_directory=directory))

    async def runs(self) -> Sequence[RunRow]:
        return await asyncio.to_thread(self._questions.runs)

    async def remarks(self, run: RunRow) -> RunRemarks:
        """Return what a run remarked."""
        return await asyncio.to_thread(self._questions.remarks, run.tist)

    async def losses(
        self,
        *,
        since: int | None = None,
        archive: str | None = None,
        series: str | None = None,
        what: LossKind | None = None,
        pending: bool = True,
    ) -> Sequence[LossRow]:
        return await asyncio.to_thread(
            self._questions.losses,
            since=since,
            archive=archive,
            series=series,
            what=what,
            pending=pending,
        )

    async def changes(
        self,
        *,
        since: int | None = None,
        archive: str | None = None,
        series: str | None = None,
        kind: IncidenceKind | None = None,
    ) -> Sequence[ChangeRow]:
        return await asyncio.to_thread(
            self._questions.changes, since=since, archive=archive, series=series, kind=kind
        )

    async def figures(self) -> DarkFigures:
        """Return what there is in numbers, and the last verification."""
        return await asyncio.to_thread(self._questions.figures)

    async def series(self) -> Sequence[SeriesRow]:
        return await asyncio.to_thread(self._questions.series)

    async def life(self, ident: str) -> Life | None:
        """Return what is known of a handle, however it is spelled, or of an address."""
        kind, ident_n = identified(ident)
        return await asyncio.to_thread(self._questions.life, kind, ident_n)

    async def search(self, text: str, most: int) -> Sequence[Hit]:
        return await asyncio.to_thread(self._questions.search, text, most)

    async def never_captured(self, most: int) -> Sequence[Hit]:
        """Return up to `most` of the full texts that were named, and of which nothing ever came."""
        found = self._questions.never_captured()
        return await asyncio.to_thread(lambda: list(islice(found, most)))

    async def text_of(self, ident: str, tist: int) -> str:
        """Return the text of a template's version. Raises UsageError, ArchiveError."""
        return await asyncio.to_thread(text_of_version, self._archive, ident, tist)

    async def open_content(self, ident: str, at: int | None, reason: str) -> Path:
        """Return a copy of what is kept, in a folder that only its owner can look into.

        Of several versions the one that was current at the tist `at`, else the last.

        That it was opened, and why, is journalled first. Raises UsageError, ArchiveError.
        """
        return await self._alone(
            lambda: Opening(self._archive).open(*identified(ident), at, reason)
        )

    async def release(self, ident: str, at: int | None, reason: str, to: Path) -> Path:
        """Write a copy of a full text for someone, and return where it is.

        Raises UsageError where it is not lost and no rights are noted, and ArchiveError.
        """
        return await self._alone(
            lambda: Opening(self._archive).release(*identified(ident), at, reason, to)
        )

    async def export(self, order: ExportOrder, tell: TellRun) -> ExportReport:
        """Write full texts as WARC with their index; `tell` is called on another thread.

        Each copy is journalled first, with the reason. What is damaged, or was taken down, is left
        out and named in the report. Raises UsageError, ArchiveError.
        """
        return await self._alone(lambda: export(self._archive, order, tell, self._stop.is_set))

    async def export_in_form(
        self, order: ExportOrder, options: "ExportOptions", tell: TellRun, emit: Emit = ignore
    ) -> "HoldingsReport":
        """Write what may be given out in a form of holdings: one export for each handle.

        What is not lost, or was taken down, lacks and is named there, unless the reason states the
        rights. As `export` besides; what is there already is left as it is. `emit` gets, on another
        thread, what there is of each handle, and what came of it. Raises OSError as well.
        """
        from carrel.engine.dark.forms import export_in_form  # only who exports waits for it

        return await self._alone(
            lambda: export_in_form(self._archive, order, options, tell, emit, self._stop.is_set)
        )

    async def purge(
        self, ident: str, at: int | None, reason: str, *, everywhere: bool = False
    ) -> PurgeReport:
        """Take the bytes of a version out for good; return what became of copies of them.

        Raises UsageError too where others have the same bytes, unless it is meant `everywhere`.
        """
        return await self._alone(
            lambda: Opening(self._archive).purge(
                *identified(ident), at, reason, everywhere=everywhere
            )
        )

    def _config(self) -> GatheringConfig:
        path = self.configuration()
        return read_config(path) if path.exists() else GatheringConfig()

    def _configure(self, config: GatheringConfig) -> None:
        self._archive.check_place()
        begin_folder(self._archive.path)
        write_config(self.configuration(), config)

    @asynccontextmanager
    async def at_rest(self) -> AsyncIterator[None]:
        """Have nothing else done to it meanwhile.

        Raises UsageError while the archive closes, and ArchiveError if it is not where it was
        opened.
        """
        async with self._turn:
            if self._is_closing:
                raise UsageError(tr("The archive is being closed."))
            await asyncio.to_thread(self._archive.check_place)
            yield

    async def _alone(self, work: Callable[[], T]) -> T:
        async with self.at_rest():
            self._stop.clear()
            return await asyncio.to_thread(work)
