# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the person does on the Dark archive page, and a run or check under way, one at a time."""

import csv
import io
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from carrel.engine import Engine
from carrel.engine.dark import GatheringConfig
from carrel.errors import OlderData, UsageError
from carrel.model.dark_views import DarkCheck, ExportOrder, GatheringOrder, TellRun
from carrel.model.exports import ExportOptions
from carrel.model.table_cells import harmless
from carrel.translation import tr
from carrel_desktop.run_stream import streaming
from carrel_desktop.session import Session
from carrel_desktop.views.dark.chosen import ChosenObject
from carrel_desktop.views.dark.harvest_settings import HarvestSettings
from carrel_desktop.views.dark.layout import DarkLayout
from carrel_desktop.views.dark.listing import Listing
from carrel_desktop.widgets.actions import LINE, Actions, Entry
from carrel_desktop.widgets.choosing import choose_file, choose_folder, choose_new_file
from carrel_desktop.widgets.table.column import Column, Kind

R = TypeVar("R")
NOTHING = "–"
TARBALL_ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")


class Runner(QObject):
    """`began` and `ended` stand around each run, check, repair and export, however it ends; `ended`
    carries whether it was a run. `moved` carries where it is (RunProgress), `gathered` a RunReport,
    `checked` a DarkCheck, `exported` an ExportReport. `deed` says what has begun."""

    began = Signal()
    moved = Signal(object)
    gathered = Signal(object)
    checked = Signal(object)
    exported = Signal(object)
    ended = Signal(bool)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self.deed = ""
        self._session = session
        self._is_cancelled = False
        self.is_running = False
        self.is_checking = False

    @property
    def is_busy(self) -> bool:
        return self.is_running or self.is_checking

    @property
    def is_stopping(self) -> bool:
        return self.is_running and self._is_cancelled

    def gather(self, order: GatheringOrder) -> None:
        """Begin a run, unless something is under way."""
        if not self.is_busy:
            self._is_cancelled = False
            self._session.start(self._gather(order), is_asked=True)

    def stop(self) -> None:
        """Have the run end where it is."""
        if self.is_running:
            self._is_cancelled = True
            self._session.start(self._session.order(lambda engine: engine.dark.cancel_run()))

    def check(self) -> None:
        """Begin to read everything again, unless something is under way."""
        if not self.is_busy:
            work = self._check(tr("Verifying…"), lambda engine, tell: engine.dark.verify(tell))
            self._session.start(work, is_asked=True)

    def rebuild(self) -> None:
        """Begin to repair what can be, unless something is under way; all is verified after it."""
        if not self.is_busy:
            work = self._check(tr("Repairing…"), lambda engine, tell: engine.dark.rebuild(tell))
            self._session.start(work, is_asked=True)

    def export(self, order: ExportOrder, options: ExportOptions) -> None:
        """Begin to export full texts, unless something is under way."""
        if not self.is_busy:
            self._session.start(self._export(order, options), is_asked=True)

    async def _gather(self, order: GatheringOrder) -> None:
        self.is_running, self.deed = True, tr("Starting the run…")
        self.began.emit()
        async with streaming(self, self.moved.emit, self._on_ended) as tell:
            try:
                report = await self._session.call(lambda engine: engine.dark.run(order, tell))
            except OlderData as error:
                advice = tr(
                    "To add this one anyway, without reporting losses: Dark archive > Backfill…"
                )
                raise UsageError(f"{error.why} {advice}") from error
        self.gathered.emit(report)

    async def _check(
        self, deed: str, order: Callable[[Engine, TellRun], Coroutine[Any, Any, DarkCheck]]
    ) -> None:
        self.is_checking, self.deed = True, deed
        self.began.emit()
        async with streaming(self, self.moved.emit, self._on_ended) as tell:
            check = await self._session.call(lambda engine: order(engine, tell))
        self.checked.emit(check)

    async def _export(self, order: ExportOrder, options: ExportOptions) -> None:
        self.is_checking, self.deed = True, tr("Exporting full texts…")
        self.began.emit()
        async with streaming(self, self.moved.emit, self._on_ended) as tell:
            report = await self._session.call(
                lambda engine: engine.dark.export_in_form(order, options, tell)
            )
        self.exported.emit(report)

    def _on_ended(self) -> None:
        was_run = self.is_running
        self.is_running = self.is_checking = False
        self.ended.emit(was_run)


def dark_actions() -> Sequence[Entry | None]:
    """Return the actions of the page, as its menu groups them."""
    only = tr("Do not fetch full texts in future runs")
    folder = tr("Choose the ReDIF directory to read")
    tarball = tr("Read a tarball instead of the directory")
    older = tr("Read an older tarball as a backfill; it will not determine losses")
    url_list = tr("Check each URL of a plain list")
    check = tr("Read every byte of store, journal and ledger again")
    settings = tr("What harvests of this archive request, and when something counts as lost")
    repair = tr("Rebuild the ledger and repair what can be, from what else is stored")
    open_ = tr("Open a full text; requires a reason")
    release = tr("Save a copy for another user; requires a reason")
    stop = tr("Stop the run; what it did not get to is not taken for lost")
    whole = tr("Show the whole time again")
    texts = tr("Write folders, bags or RO-Crates of lost full texts; requires a reason")
    return (
        Entry(
            "gather",
            tr("Harvest &now"),
            "F8",
            tr("Read the directory and record changes"),
            writes=True,
        ),
        Entry("stop", tr("&Stop"), "Shift+F8", stop),
        Entry("templates_only", tr("&Templates only"), "", only, "follow", is_checkable=True),
        LINE,
        Entry("folder", tr("Choose fo&lder…"), "", folder, slot="choose_folder", writes=True),
        Entry("tarball", tr("Read t&arball…"), "", tarball, slot="choose_tarball", writes=True),
        Entry("older", tr("Bac&kfill…"), "", older, slot="choose_older", writes=True),
        Entry("url_list", tr("Read &URL list…"), "", url_list, slot="choose_list", writes=True),
        Entry("harvest", tr("&Harvest settings…"), "", settings, slot="set_up", writes=True),
        LINE,
        Entry("check", tr("Ve&rify all"), "F7", check),
        Entry("rebuild", tr("Re&pair faults"), "", repair, writes=True),
        LINE,
        Entry("find", tr("&Find an object"), slot="go_to_search"),
        Entry("all", tr("Clear f&ilters"), "", tr("Show all rows"), slot="list_all"),
        Entry("export", tr("E&xport CSV…"), "Ctrl+E", tr("Save the listed rows to a file")),
        Entry("export_texts", tr("&Export full texts…"), "", texts, writes=True),
        LINE,
        Entry("open", tr("&Open…"), "", open_, slot="open_content", writes=True),
        Entry("release", tr("Release a cop&y…"), "", release, writes=True),
        Entry("copy", tr("&Copy handle or URL"), slot="copy_ident"),
        Entry("back", tr("&Back"), "Alt+Left", tr("Show the previous object"), slot="go_back"),
        Entry("whole", tr("&Zoom out"), "Ctrl+0", whole, slot="show_whole"),
    )


def tarballs() -> Sequence[str]:
    """Return which files are offered as tarballs."""
    endings = " ".join(f"*{each}" for each in TARBALL_ENDINGS)
    return tr("Tarballs ({endings})", endings=endings), tr("All files (*)")


def as_csv(kind: Kind[R], rows: Sequence[R]) -> str:
    """Return headings and rows: numbers without groups, texts whole."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.heading for column in kind.columns])
    writer.writerows([_cell(column, row) for column in kind.columns] for row in rows)
    return text.getvalue()


def _cell(column: Column[R], row: R) -> str:
    if column.is_number:
        return str(column.key(row))
    return _safe(column.whole(row) if column.whole else column.text(row))


def _safe(text: str) -> str:
    """Return a cell that stays a text in a spreadsheet: handles and URLs come from outside."""
    if text == NOTHING:
        return ""
    return harmless(text)


class DarkCommands(QObject):
    """The methods behind the actions. `sourced` says that another directory is read from now on."""

    sourced = Signal()

    def __init__(
        self,
        session: Session,
        actions: Actions,
        runner: Runner,
        listing: Listing,
        chosen: ChosenObject,
        ui: DarkLayout,
    ) -> None:
        super().__init__(ui)
        self._session, self._actions, self._runner, self._ui = session, actions, runner, ui
        self._listing, self._chosen = listing, chosen

    def gather(self) -> None:
        """Read the configured directory."""
        self._gather(GatheringOrder(config=self._session.engine.dark.configuration()))

    def choose_folder(self) -> None:
        choose_folder(self._ui, tr("Choose the directory with the ReDIF files"), self._on_folder)

    def choose_tarball(self) -> None:
        heading = tr("Choose a tarball of ReDIF files")
        choose_file(
            self._ui,
            heading,
            lambda path: self._gather(GatheringOrder(tarball=path)),
            kinds=tarballs(),
        )

    def choose_older(self) -> None:
        choose_file(
            self._ui,
            tr("Choose a tarball to backfill"),
            lambda path: self._gather(GatheringOrder(tarball=path, backfill=path.name)),
            kinds=tarballs(),
        )

    def choose_list(self) -> None:
        heading = tr("Choose a list of URLs")
        choose_file(
            self._ui,
            heading,
            lambda path: self._gather(GatheringOrder(url_list=path)),
            kinds=(tr("Text files (*.txt *.list *.csv)"), tr("All files (*)")),
        )

    def set_up(self) -> None:
        """Show how harvests are configured, and have them configured otherwise."""
        self._session.start(self._set_up(), is_asked=True)

    async def _set_up(self) -> None:
        config = await self._session.call(lambda engine: engine.dark.config())
        place = self._session.engine.dark.configuration()
        dialog = HarvestSettings(self._ui.window(), config, place)
        dialog.given.connect(self._on_config)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_config(self, config: GatheringConfig) -> None:
        self._session.start(self._configure(config), is_asked=True)

    async def _configure(self, config: GatheringConfig) -> None:
        await self._session.call(lambda engine: engine.dark.configure(config))
        self.sourced.emit()

    def go_to_search(self) -> None:
        self._ui.side.search.go_to_search()

    def list_all(self) -> None:
        """Take every filter away."""
        self._ui.filters.clear()

    def export(self) -> None:
        """Ask for a file, and write what is listed to it as CSV."""
        name = f"{self._listing.asked.question.value.replace(' ', '-')}.csv"
        choose_new_file(self._ui, tr("Export the listed rows as CSV"), self._on_export, name=name)

    def copy_ident(self) -> None:
        """Copy the handle or URL of the object on show."""
        if self._chosen.life is not None:
            QGuiApplication.clipboard().setText(self._chosen.life.ident)

    def _gather(self, order: GatheringOrder) -> None:
        if self._actions.templates_only.isChecked():
            order = replace(order, full_texts=False)
        self._runner.gather(order)

    def _on_folder(self, folder: Path) -> None:
        self._session.start(self._set_directory(folder), is_asked=True)

    async def _set_directory(self, folder: Path) -> None:
        await self._session.call(lambda engine: engine.dark.set_directory(folder))
        self.sourced.emit()

    def _on_export(self, path: Path) -> None:
        text = as_csv(self._ui.model.kind, self._ui.model.listed)
        self._session.start(self._session.write_file(path, text), is_asked=True)
