# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pages' way to the engine's dark archive, and to what it watches."""

from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from carrel.model.dark import IncidenceKind, LossKind
from carrel.model.dark_views import (
    ChangeRow,
    DarkCheck,
    FileDifference,
    GatheringOrder,
    Hit,
    Life,
    LossRow,
    RunReport,
    RunRow,
    SeriesRow,
    TellRun,
    WatchedRow,
)

T = TypeVar("T")


class DarkArchive(Protocol):
    """What the engine offers of the dark archive. Moments are tists."""

    async def run(self, order: GatheringOrder, tell: TellRun) -> RunReport: ...

    def cancel_run(self) -> None: ...

    def configuration(self) -> Path: ...

    async def directory(self) -> Path | None: ...

    async def set_directory(self, directory: Path) -> None: ...

    async def runs(self) -> Sequence[RunRow]: ...

    async def losses(
        self,
        *,
        since: int | None = None,
        archive: str | None = None,
        series: str | None = None,
        what: LossKind | None = None,
        pending: bool = True,
    ) -> Sequence[LossRow]: ...

    async def changes(
        self,
        *,
        since: int | None = None,
        archive: str | None = None,
        series: str | None = None,
        kind: IncidenceKind | None = None,
    ) -> Sequence[ChangeRow]: ...

    async def series(self) -> Sequence[SeriesRow]: ...

    async def life(self, ident: str) -> Life | None: ...

    async def search(self, text: str, most: int) -> Sequence[Hit]: ...

    async def text_of(self, ident: str, tist: int) -> str: ...

    async def verify(self, tell: TellRun) -> DarkCheck: ...

    async def open_content(self, ident: str, at: int | None, reason: str) -> Path: ...

    async def release(self, ident: str, at: int | None, reason: str, to: Path) -> Path: ...


class Watching(Protocol):
    """What the engine offers of watched datasets."""

    async def watched(self) -> Sequence[WatchedRow]: ...

    async def watch(self, base_urls: Sequence[str]) -> int: ...

    async def unwatch(self, base_urls: Sequence[str]) -> None: ...

    async def look(self, base_urls: Sequence[str], tell: TellRun) -> Sequence[WatchedRow]: ...

    async def differences(self, base_url: str) -> Sequence[FileDifference]: ...

    def stop(self) -> None: ...


class DarkEngine(Protocol):
    """An engine, as far as these pages know it."""

    @property
    def dark(self) -> DarkArchive: ...

    @property
    def watching(self) -> Watching: ...


class Call(Protocol):
    """Runs on the engine's loop what is asked of the engine."""

    async def __call__(self, ask: Callable[[DarkEngine], Coroutine[Any, Any, T]], /) -> T: ...


class Aside(Protocol):
    """Does work that blocks on a thread of its own."""

    async def __call__(self, work: Callable[..., T], /, *given: object) -> T: ...


class DarkDesk:
    """Every method is awaited on the window's loop, and raises what the engine's raises.

    What is told (`tell`) comes on a thread of the engine's.
    """

    def __init__(self, engine: Callable[[], DarkEngine], call: Call, aside: Aside) -> None:
        self._engine = engine
        self._call = call
        self.aside = aside

    def configuration(self) -> Path:
        """Return where the configuration of gathering is, or will be."""
        return self._engine().dark.configuration()

    async def directory(self) -> Path | None:
        """Return the ReDIF directory that is configured; None while there is none."""
        return await self._call(lambda engine: engine.dark.directory())

    async def set_directory(self, directory: Path) -> None:
        """Write a ReDIF directory into the configuration."""
        await self._call(lambda engine: engine.dark.set_directory(directory))

    async def run(self, order: GatheringOrder, tell: TellRun) -> RunReport:
        """Gather, and return how that ended."""
        return await self._call(lambda engine: engine.dark.run(order, tell))

    async def cancel_run(self) -> None:
        """Have a run end where it is; `run` returns what it came to."""

        async def cancel(engine: DarkEngine) -> None:
            engine.dark.cancel_run()  # which belongs onto the engine's loop

        await self._call(cancel)

    async def cancel_look(self) -> None:
        """Have a look at watched datasets end where it is."""

        async def cancel(engine: DarkEngine) -> None:
            engine.watching.stop()

        await self._call(cancel)

    async def runs(self) -> Sequence[RunRow]:
        return await self._call(lambda engine: engine.dark.runs())

    async def losses(
        self,
        *,
        since: int | None = None,
        archive: str | None = None,
        series: str | None = None,
        what: LossKind | None = None,
        pending: bool = True,
    ) -> Sequence[LossRow]:
        """Return what is lost, and with `pending` what is suspect too."""
        return await self._call(
            lambda engine: engine.dark.losses(
                since=since, archive=archive, series=series, what=what, pending=pending
            )
        )

    async def changes(
        self,
        *,
        since: int | None = None,
        archive: str | None = None,
        series: str | None = None,
        kind: IncidenceKind | None = None,
    ) -> Sequence[ChangeRow]:
        """Return the incidences of one kind, or of all."""
        return await self._call(
            lambda engine: engine.dark.changes(
                since=since, archive=archive, series=series, kind=kind
            )
        )

    async def series(self) -> Sequence[SeriesRow]:
        return await self._call(lambda engine: engine.dark.series())

    async def life(self, ident: str) -> Life | None:
        """Return all about a handle or a URL, in any spelling; None for what is not known."""
        return await self._call(lambda engine: engine.dark.life(ident))

    async def search(self, text: str, most: int) -> Sequence[Hit]:
        """Return at most so many objects whose handle or URL holds a text."""
        return await self._call(lambda engine: engine.dark.search(text, most))

    async def text_of(self, ident: str, tist: int) -> str:
        """Return the text of a template's version. Full texts are dark, and not to be had here."""
        return await self._call(lambda engine: engine.dark.text_of(ident, tist))

    async def verify(self, tell: TellRun) -> DarkCheck:
        """Read everything again: store, journal, and ledger."""
        return await self._call(lambda engine: engine.dark.verify(tell))

    async def open_content(self, ident: str, tist: int, reason: str) -> Path:
        """Return a private copy of a full text, for a reason that is logged."""
        return await self._call(lambda engine: engine.dark.open_content(ident, tist, reason))

    async def release(self, ident: str, tist: int, reason: str, to: Path) -> Path:
        """Write a copy of what is lost, or whose rights are noted in the reason."""
        return await self._call(lambda engine: engine.dark.release(ident, tist, reason, to))

    async def watched(self) -> Sequence[WatchedRow]:
        return await self._call(lambda engine: engine.watching.watched())

    async def watch(self, base_urls: Sequence[str]) -> int:
        """Have datasets watched; return how many of them were not before."""
        return await self._call(lambda engine: engine.watching.watch(base_urls))

    async def unwatch(self, base_urls: Sequence[str]) -> None:
        await self._call(lambda engine: engine.watching.unwatch(base_urls))

    async def look(self, base_urls: Sequence[str], tell: TellRun) -> Sequence[WatchedRow]:
        """Ask the platforms how datasets stand now: these, or with none given all."""
        return await self._call(lambda engine: engine.watching.look(base_urls, tell))

    async def differences(self, base_url: str) -> Sequence[FileDifference]:
        """Return the files of a watched dataset, as captured against as they are."""
        return await self._call(lambda engine: engine.watching.differences(base_url))
