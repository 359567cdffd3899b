# SPDX-License-Identifier: AGPL-3.0-or-later
"""A dark archive with the real one's face and nothing in it but a script."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from carrel.engine.dark import GatheringConfig
from carrel.errors import UsageError
from carrel.model.dark import IncidenceKind, LossKind
from carrel.model.dark_views import (
    ChangeRow,
    DarkCheck,
    DarkFigures,
    ExportOrder,
    FileDifference,
    GatheringOrder,
    Hit,
    Life,
    LifeEvent,
    LossRow,
    NotedCheck,
    ObiState,
    RunProgress,
    RunReport,
    RunRow,
    SeriesRow,
    TellRun,
    WatchedRow,
)
from carrel.model.exports import Exported, ExportOptions, ExportReport, NotExported
from carrel.model.remarks import RunRemarks

CONFIGURATION = Path("/srv/archives/research-data/dark_archive/gathering.conf")
START = 1_400_000_000  # when plain lives begin


@dataclass(slots=True)
class DarkScript:
    """What is known. A run tells `progress` and, if `holds`, waits to be released or cancelled.

    After it, `runs_after` are the runs. `error` is raised by runs and checks; `texts` are those of
    versions by handle and tist. Lives of `slow` objects come once they are released.
    """

    runs: Sequence[RunRow] = ()
    runs_after: Sequence[RunRow] | None = None
    directory: Path | None = None
    confirm_after_days: float = 7
    losses: Sequence[LossRow] = ()
    changes: Sequence[ChangeRow] = ()
    series: Sequence[SeriesRow] = ()
    lives: Mapping[str, Life] = field(default_factory=dict)
    slow: frozenset[str] = frozenset()
    hits: Sequence[Hit] = ()
    uncaptured: Sequence[Hit] = ()
    texts: Mapping[tuple[str, int], str] = field(default_factory=dict)
    progress: Sequence[RunProgress] = ()
    holds: bool = False
    report: RunReport | None = None
    remarks: Mapping[int, RunRemarks] = field(default_factory=dict)
    last_check: NotedCheck | None = None
    check: DarkCheck = field(default_factory=lambda: DarkCheck(0, 0, 0))
    error: Exception | None = None
    watched: Sequence[WatchedRow] = ()
    differences: Mapping[str, Sequence[FileDifference]] = field(default_factory=dict)


class FakeDark:
    """The engine's methods over a script; `calls` tells what was asked."""

    def __init__(self, script: DarkScript, calls: list[str] | None = None) -> None:
        self.script = script
        self.calls: list[str] = [] if calls is None else calls
        self._released = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_cancelled = False

    def release_held(self) -> None:
        """Let what is held go on; from any thread."""
        assert self._loop
        self._loop.call_soon_threadsafe(self._released.set)

    async def run(self, order: GatheringOrder, tell: TellRun) -> RunReport:
        self.calls.append(f"run {said(order)}")
        if self.script.error:
            raise self.script.error
        for progress in self.script.progress:
            tell(progress)
        if self.script.holds:
            await self._wait()
        if self.script.runs_after is not None:
            self.script.runs = self.script.runs_after
        is_whole = not self._is_cancelled
        return self.script.report or RunReport(0, "RePEc", is_whole, {})

    def stop(self) -> None:
        self.cancel_run()

    def cancel_run(self) -> None:
        self.calls.append("cancel")
        self._is_cancelled = True
        self._released.set()

    def configuration(self) -> Path:
        return CONFIGURATION

    async def config(self) -> GatheringConfig:
        return GatheringConfig(
            self.script.directory, confirm_after_days=self.script.confirm_after_days
        )

    async def configure(self, config: GatheringConfig) -> None:
        self.calls.append(f"configure {config.private_networks} {config.confirm_after_days:g}")
        self.script.confirm_after_days = config.confirm_after_days

    async def set_directory(self, directory: Path) -> None:
        self.calls.append(f"set_directory {directory}")
        self.script.directory = directory

    async def runs(self) -> Sequence[RunRow]:
        return self.script.runs

    async def remarks(self, run: RunRow) -> RunRemarks:
        return self.script.remarks.get(run.tist, RunRemarks())

    async def losses(
        self,
        *,
        since: int | None = None,
        archive: str | None = None,
        series: str | None = None,
        what: LossKind | None = None,
        pending: bool = True,
    ) -> Sequence[LossRow]:
        return self.script.losses

    async def changes(
        self,
        *,
        since: int | None = None,
        archive: str | None = None,
        series: str | None = None,
        kind: IncidenceKind | None = None,
    ) -> Sequence[ChangeRow]:
        self.calls.append(f"changes {since} {kind}")
        return [
            row
            for row in self.script.changes
            if kind in (None, row.incidence) and row.tist >= (since or 0)
        ]

    async def figures(self) -> DarkFigures:
        events = Counter(row.incidence for row in self.script.changes)
        return DarkFigures(events, len(self.script.uncaptured), self.script.last_check)

    async def series(self) -> Sequence[SeriesRow]:
        return self.script.series

    async def life(self, ident: str) -> Life | None:
        self.calls.append(f"life {ident}")
        if ident in self.script.slow:
            await self._wait()
        return self.script.lives.get(ident) or self._plain(ident)

    async def search(self, text: str, most: int) -> Sequence[Hit]:
        self.calls.append(f"search {text}")
        return [hit for hit in self.script.hits if text.casefold() in hit.ident.casefold()][:most]

    async def never_captured(self, most: int) -> Sequence[Hit]:
        return self.script.uncaptured[:most]

    async def text_of(self, ident: str, tist: int) -> str:
        self.calls.append(f"text {ident} {tist}")
        if (ident, tist) not in self.script.texts:
            raise UsageError(f"There is no template {ident} of that time.")
        return self.script.texts[ident, tist]

    async def verify(self, tell: TellRun) -> DarkCheck:
        self.calls.append("verify")
        if self.script.error:
            raise self.script.error
        tell(RunProgress("store", "", "", 1, 2, "Reading the store"))
        if self.script.holds:
            await self._wait()
        return self.script.check

    async def rebuild(self, tell: TellRun) -> DarkCheck:
        self.calls.append("rebuild")
        if self.script.error:
            raise self.script.error
        tell(RunProgress("store", "", "", 1, None, "Mended a file"))
        return DarkCheck(
            self.script.check.contents,
            self.script.check.size,
            self.script.check.entries,
            [each for each in self.script.check.faults if not each.can_be_mended],
            [each.name for each in self.script.check.faults if each.can_be_mended],
        )

    async def export_in_form(
        self, order: ExportOrder, options: ExportOptions, tell: TellRun
    ) -> ExportReport:
        self.calls.append(f"export {options.form} {order.archive} {order.lost} {order.reason}")
        tell(RunProgress("export", "", "", 1, 2, "Exporting RePEc:dmo:wpaper:1"))
        lacking = (NotExported("paper.pdf", "It is not lost."),)
        return ExportReport(
            order.folder,
            [
                Exported("dmo:1", "Tides", order.folder / "dmo-1", files=2, size=2048),
                Exported("dmo:2", "Floods", refusal="Nothing of it may be given out."),
                Exported("dmo:3", "Ebbs", order.folder / "dmo-3", files=1, lacking=lacking),
                Exported("dmo:4", "Surges", order.folder / "dmo-4", was_there=True),
            ],
            options.form,
        )

    async def open_content(self, ident: str, at: int | None, reason: str) -> Path:
        self.calls.append(f"open {ident} {at} {reason}")
        return Path("/tmp/carrel-dark/paper.pdf")  # noqa: S108  # a name, nothing is written

    async def release(self, ident: str, at: int | None, reason: str, to: Path) -> Path:
        self.calls.append(f"release {ident} {at} {reason} {to.name}")
        return to

    async def watched(self) -> Sequence[WatchedRow]:
        return self.script.watched

    async def watch(self, base_urls: Sequence[str]) -> int:
        self.calls.append(f"watch {' '.join(base_urls)}")
        known = {row.base_url for row in self.script.watched}
        return len([url for url in base_urls if url not in known])

    async def unwatch(self, base_urls: Sequence[str]) -> None:
        self.calls.append(f"unwatch {' '.join(base_urls)}")
        self.script.watched = [row for row in self.script.watched if row.base_url not in base_urls]

    async def look(self, base_urls: Sequence[str], tell: TellRun) -> Sequence[WatchedRow]:
        self.calls.append(f"look {' '.join(base_urls)}")
        return [row for row in self.script.watched if not base_urls or row.base_url in base_urls]

    async def differences(self, base_url: str) -> Sequence[FileDifference]:
        return self.script.differences.get(base_url, ())

    def _plain(self, ident: str) -> Life | None:
        """Return the life of an object of which only is known how it stands."""
        rows: tuple[LossRow | ChangeRow | Hit, ...] = (
            *self.script.losses,
            *self.script.changes,
            *self.script.hits,
        )
        found = next((row for row in rows if row.ident == ident), None)
        if found is None:
            return None
        state = found.state if isinstance(found, Hit) else ObiState.PRESENT
        if isinstance(found, LossRow):
            state = ObiState.LOST if found.confirmed else ObiState.SUSPECT
        lost = [LifeEvent(found.since, "lost", found.cause)] if isinstance(found, LossRow) else []
        events = [LifeEvent(START, "noted"), *lost]
        if isinstance(found, LossRow) and found.state is not None:
            state = found.state
        return Life(found.kind, ident, state, START, found.archive, found.series, events=events)

    async def _wait(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._released.wait()


def said(order: GatheringOrder) -> str:
    """Return an order in short."""
    paths = (order.config, order.tarball, order.url_list)
    named = [path.name for path in paths if path is not None]
    return " ".join([*named, order.backfill or "", str(order.full_texts)]).replace("  ", " ")
