# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Watch page: datasets that are watched, and how they stand against what was captured."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractItemView, QStackedWidget

from carrel.errors import CarrelError
from carrel.model.dark_views import WatchedRow
from carrel.model.holdings import HoldingsQuery
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.page import Page, Readings
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.undoing import Done
from carrel_desktop.views.watch import columns
from carrel_desktop.views.watch.adding import AddressDialog, HoldingsDialog
from carrel_desktop.views.watch.detail import WatchPane
from carrel_desktop.views.watch.following import Following
from carrel_desktop.views.watch.looking import Looking
from carrel_desktop.views.watch.several import SeveralPane
from carrel_desktop.views.watch.strip import Strip, watch_actions
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.empty_panel import EmptyPanel, ReadingPanel
from carrel_desktop.widgets.layouts import Split, stacked
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.table.view import RowsTable

LEAST_WIDTH = 46
EMPTY, FILLED, READING = range(3)


class WatchView(Page):
    """`ingest_wanted` carries the addresses of datasets to be archived again, one a line,
    `wants_mementos` of one whose captures the person wants to see."""

    ingest_wanted = Signal(str)
    wants_mementos = Signal(str)
    wants_schedule = Signal()

    kind = PageKind.WATCH
    tells_unopened = True

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._readings = Readings()
        self._has_read = False
        self._wanted: Sequence[str] = ()  # the addresses to choose once they are listed
        self.model = RowsModel(columns.datasets(), self)
        self.page_actions = Actions(self, watch_actions())
        self.strip = Strip(theme, self.page_actions)
        self.table = RowsTable(theme, self.model, "watched", tr("Watched datasets"))
        self.table.setMinimumWidth(space(LEAST_WIDTH))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.detail = WatchPane(theme, self.page_actions)
        self.several = SeveralPane(theme, self.page_actions)
        self.beside = stacked(self.detail, self.several)
        actions = self.page_actions
        menu = actions.look, actions.ingest, actions.page, actions.mementos, actions.remove
        self.table.addActions(menu)
        self.detail.table.addActions([self.page_actions.same])
        self.reading = ReadingPanel(session, theme, "watch")
        self.stack = self._make_stack()
        self._lay_out(self.strip, self.stack, spacing=4)
        self.looking = Looking(session, self)
        self.following = Following(session, self, self.model)
        self.page_actions.bind(self, self.looking)
        self._connect()
        self._follow()

    def take_focus(self) -> None:
        """Put the keyboard where the work is, once it is known what there is; read again if
        something was archived meanwhile, by another address of a dataset maybe."""
        self.following.catch_up()
        if self.stack.currentIndex() == FILLED:
            self.table.setFocus()
        elif self._has_read:
            self.first_step.setFocus()

    def refresh(self) -> None:
        """Read how the datasets stood at their last look."""
        self.following.note_read()
        self.session.start(self._load())

    # What the person does

    def watch(self, asked: Sequence[str]) -> None:
        """Put datasets onto the list, by address or identifier, and choose them."""
        self.session.start(self._watch(asked), is_asked=True)

    def add_by_address(self) -> None:
        dialog = AddressDialog(self)
        dialog.chosen.connect(self.watch)
        dialog.open()

    def add_from_holdings(self) -> None:
        self.session.start(self._offer_holdings())

    def look_at_all(self) -> None:
        self.looking.start(())

    def look(self) -> None:
        """Look at the chosen datasets."""
        self.looking.start([row.base_url for row in self._chosen()])

    def ingest(self) -> None:
        """Go to archive the chosen datasets."""
        if urls := [row.base_url for row in self._chosen()]:
            self.ingest_wanted.emit("\n".join(urls))

    def show_schedule(self) -> None:
        """Go to where it is set how often checks run by themselves."""
        self.wants_schedule.emit()

    def open_page(self) -> None:
        if row := self._current():
            QDesktopServices.openUrl(QUrl(row.base_url))

    def show_mementos(self) -> None:
        """Go to the captures of the page of the dataset on show."""
        if row := self._current():
            self.wants_mementos.emit(row.base_url)

    def remove(self) -> None:
        """Take the chosen datasets off the list."""
        if urls := [row.base_url for row in self._chosen()]:
            self.session.start(self._unwatch(urls), is_asked=True)

    def follow_same(self) -> None:
        """List the files that are as they were, or leave them out."""
        self.detail.list_same(self.page_actions.same.isChecked())

    # How it comes about

    async def _load(self) -> None:
        is_latest = self._readings.begin()
        try:
            rows = await self.session.call(lambda engine: engine.watching.watched())
        except (CarrelError, OSError) as error:
            self.reading.show_unread(str(error))
            raise
        self._has_read = True
        if is_latest():
            self._show(rows)

    async def _watch(self, asked: Sequence[str]) -> None:
        await self.session.call(lambda engine: engine.watching.watch(asked))
        self._wanted = asked
        await self._load()

    async def _unwatch(self, urls: Sequence[str]) -> None:
        await self.session.call(lambda engine: engine.watching.unwatch(urls))
        text = forms("Stopped watching 1 dataset.", "Stopped watching {count} datasets.")
        sentence = quantities.counted(len(urls), *text)
        self.done.emit(Done(sentence, partial(self.watch, urls)))
        await self._load()

    async def _offer_holdings(self) -> None:
        watched = {row.base_url for row in self.model.listed}
        holdings = await self.session.read(
            lambda engine: engine.holdings.rows(engine.holdings.find(HoldingsQuery()))
        )
        offered = [each for each in holdings if each.base_url not in watched]
        if not offered:
            none, all_of_them = tr("Nothing is in Holdings yet."), tr("All holdings are watched.")
            self.session.noted.emit(all_of_them if holdings else none)
            return
        dialog = HoldingsDialog(self, self._theme, offered)
        dialog.chosen.connect(self.watch)
        dialog.open()

    async def _open(self, row: WatchedRow) -> None:
        try:
            files = await self.session.call(
                lambda engine: engine.watching.differences(row.base_url)
            )
        except (CarrelError, OSError) as error:
            if self._current() == row:
                self.detail.show_files_unread(str(error))
            raise
        if self._current() == row:
            self.detail.show_files(files)

    # What follows from it

    def _connect(self) -> None:
        self.session.follow(self.refresh)
        self.following.outdated.connect(self.refresh)
        self.looking.began.connect(self._on_began)
        self.looking.stopping.connect(self._on_stopping)
        self.looking.moved.connect(self.strip.show_progress)
        self.looking.ended.connect(self._on_ended)
        self.table.selectionModel().selectionChanged.connect(self._on_chosen)

    def _show(self, rows: Sequence[WatchedRow]) -> None:
        """Show how the datasets stand; those that are chosen stay chosen.

        Where they are gone the next is, where none was none is.
        """
        chosen = [row.base_url for row in self._chosen()]
        had_rows, place = self.model.rowCount() > 0, self.table.place or 0
        self.model.show(self.model.kind, rows)
        if not self.looking.is_running:
            self.strip.show_rows(rows)
        places = self.model.places_of(self._wanted) or self.model.places_of(chosen)
        self._wanted = ()
        if not places and rows and (chosen or not had_rows):
            places = [min(place, len(rows) - 1)]
        if places:
            self.table.choose_all(places)
        self._follow()
        self.hand_on_keyboard()

    def _on_chosen(self) -> None:
        chosen = self._chosen()
        self.beside.setCurrentWidget(self.several if len(chosen) > 1 else self.detail)
        if row := self._current():
            self.detail.show_row(row)
            self.session.start(self._open(row))
        elif chosen:
            self.several.show_rows(chosen)
        else:
            self.detail.show_none()
        self._follow()

    def _on_began(self) -> None:
        self.strip.show_begun()
        self._follow()

    def _on_stopping(self) -> None:
        self.strip.show_stopping()
        self._follow()

    def _on_ended(self) -> None:
        self.strip.show_rows(self.model.listed)
        self._follow()
        self.refresh()
        self.session.looked.emit()

    def _current(self) -> WatchedRow | None:
        """Return the one dataset on show; None where none is chosen, or several are."""
        chosen = self._chosen()
        return chosen[0] if len(chosen) == 1 else None

    def _chosen(self) -> list[WatchedRow]:
        indexes = self.table.selectionModel().selectedRows()
        return [row for row in map(self.model.at, indexes) if row is not None]

    def _follow(self) -> None:
        has_rows = self.model.rowCount() > 0
        nothing = EMPTY if self._has_read else READING
        self.stack.setCurrentIndex(FILLED if has_rows else nothing)
        self.strip.setVisible(has_rows)
        actions, is_chosen = self.page_actions, has_rows and bool(self._chosen())
        actions.look_all.setEnabled(has_rows and not self.looking.is_running)
        actions.look.setEnabled(is_chosen and not self.looking.is_running)
        actions.stop.setEnabled(self.looking.is_running and not self.looking.is_stopping)
        actions.ingest.setEnabled(is_chosen)
        for action in (actions.page, actions.mementos, actions.same):
            action.setEnabled(has_rows and self._current() is not None)
        actions.remove.setEnabled(is_chosen and not self.looking.is_running)
        current = self._current()
        is_held = current is None or current.captured is not None
        actions.ingest.setText(tr("Arch&ive again") if is_held else tr("Arch&ive"))

    def _make_stack(self) -> QStackedWidget:
        theme, actions = self._theme, self.page_actions
        text = tr(
            "Watch datasets for changes since you captured them: changed or removed files, "
            "new versions, and removed datasets."
        )
        self.first_step = ActionButton(actions.add_holdings, theme, "holdings", role="primary")
        empty = EmptyPanel(
            theme,
            "watch",
            tr("Nothing is watched yet"),
            text,
            self.first_step,
            ActionButton(actions.add_address, theme, "add", role="quiet"),
        )
        listed = Split(self.table, self.beside, shares=(4, 3), steps=(128, 100), most=(0, 140))
        return stacked(empty, listed, self.reading)
