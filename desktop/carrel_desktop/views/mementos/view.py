# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Mementos page: every copy of a URL that exists anywhere, and what can be done with it."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QHideEvent, QResizeEvent, QShowEvent

from carrel.model.user_information import bare_address
from carrel_desktop.page import Page
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.timers import delay
from carrel_desktop.views.mementos.actions import MementoActions
from carrel_desktop.views.mementos.chosen import Chosen, Selection
from carrel_desktop.views.mementos.columns import MementosModel
from carrel_desktop.views.mementos.layout import (
    ASKED,
    EMPTY,
    LISTED,
    NONE_FOUND,
    WAITING,
    MementosLayout,
)
from carrel_desktop.views.mementos.lookup import LookUp, nobody, silent_of, sum_of
from carrel_desktop.views.mementos.rows import Row, points_of
from carrel_desktop.views.mementos.side import Collections, Side

REDRAW_MS = 120  # what streams in is drawn once in so long, not with every portion


class MementosView(Page):
    """`wants_to_archive` carries a URL that no one has; `wants_archives` says that the person
    goes to add, test or order archives; `trouble_over` carries a sentence that the notice bar need
    not say any longer."""

    wants_to_archive = Signal(str)
    wants_archives = Signal()
    trouble_over = Signal(str)

    kind = PageKind.MEMENTOS

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._trouble = ""
        self.model = MementosModel(self)
        self.look_up_now = LookUp(session, self)
        self.page_actions: MementoActions = MementoActions(self)
        settled = self.look_up_now.settled
        self.ui = MementosLayout(theme, session, self.page_actions, self.model, settled)
        self._lay_out(self.ui)
        self.collections = Collections(session, self.ui)
        self.side = Side(self.ui, self.page_actions)
        self.chosen = Chosen(session, theme, self.ui.pane)
        self.selection = Selection(self.ui, self.model, self.chosen, self.look_up_now)
        self._redraw = delay(self, REDRAW_MS)
        targets = self.look_up_now, self.chosen, self.collections, self.ui.board.lanes
        self.page_actions.bind(self, *targets, self.ui)
        self._connect()
        self._follow()

    @property
    def told(self) -> str:
        return self.collections.trouble

    @property
    def edits(self) -> Mapping[str, QAction]:
        own = {"copy": self.page_actions.copy_url}
        if self.ui.search is not None:
            own["find"] = self.page_actions.find
        return own

    def take_focus(self) -> None:
        self.ui.take_focus()

    def refresh(self) -> None:
        """Read the collections again, and ask again for what is on show."""
        self.session.start(self.collections.load())
        if self.look_up_now.asked:
            self._look_up(self.look_up_now.asked)
        self.side.refresh()

    def show_url(self, url: str) -> None:
        """Look a URL up."""
        self.ui.show_address(url)
        self._look_up(url)

    def show_dataset(self, ingest_id: str, url: str) -> None:
        """Show which parts of a dataset are held where; its address, if it has no parts."""
        self.session.start(self._show_dataset(ingest_id, url))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.ui.fit_side()
        self.ui.fit_board()

    def showEvent(self, event: QShowEvent) -> None:
        """Ask once more for what was asked before more was archived."""
        super().showEvent(event)
        if self.look_up_now.is_outdated and not event.spontaneous():
            self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():  # another page is opened
            self._put_trouble_away()

    # What the person does

    def look_up(self) -> None:
        """Ask every archive of the collection for what stands in the field."""
        self._look_up(self.ui.field.text().strip())

    def toggle_browse(self) -> None:
        """Show or hide what is held here."""
        self._put_trouble_away()
        self.side.toggle_browse()

    def go_to_archives(self) -> None:
        self.wants_archives.emit()

    def archive_now(self) -> None:
        self.wants_to_archive.emit(self.look_up_now.url)

    def list_all(self) -> None:
        """Take every filter away."""
        self.ui.board.indicators.uncheck_all()
        self.ui.filters.clear()

    # What happens

    def _connect(self) -> None:
        ui, look_up = self.ui, self.look_up_now
        self.session.follow(self._on_opened)
        ui.field.returnPressed.connect(self.page_actions.look_up.trigger)
        ui.field.textChanged.connect(self._follow)
        ui.field.textEdited.connect(self._put_trouble_away)
        ui.browse.search.textEdited.connect(self._put_trouble_away)
        ui.collection.activated.connect(self._on_collection)
        self.side.chosen.connect(self.show_url)
        self.collections.read.connect(self._follow)
        self.collections.trouble_told.connect(self.trouble_over)
        look_up.started.connect(self._on_started)
        look_up.told.connect(self._redraw_soon)
        look_up.arrived.connect(self.model.add)
        look_up.ended.connect(self._on_ended)
        look_up.failed.connect(self._on_failed)
        self.model.relisted.connect(self._redraw_soon)
        ui.filters.changed.connect(self._on_filter)
        ui.board.indicators.chosen.connect(self._on_filter)
        ui.board.lanes.activated.connect(self.chosen.preview)
        ui.board.lanes.spanned.connect(self._follow_actions)
        ui.table.activated.connect(self.page_actions.preview.trigger)
        self.chosen.changed.connect(self._follow_actions)
        self._redraw.timeout.connect(self._draw)

    def _look_up(self, text: str) -> None:
        if (bare := bare_address(text)) != text:  # no one is to be asked for it, or to read it
            text = bare
            self.ui.show_address(bare)
        collection = self.collections.chosen
        if text and collection is not None:
            self.look_up_now.start(text, collection)
        elif text and not self.collections.trouble:
            self.session.start(self._look_up_later(text))  # the collections are still being read

    async def _look_up_later(self, text: str) -> None:
        await self.collections.load()
        if (collection := self.collections.chosen) is not None:
            self.look_up_now.start(text, collection)

    async def _show_dataset(self, ingest_id: str, url: str) -> None:
        await self.collections.load()
        if not await self.side.show_dataset(ingest_id):
            self.show_url(url)

    def _on_opened(self) -> None:
        self.session.start(self.collections.load())

    def _on_collection(self) -> None:
        if self.look_up_now.asked:
            self._look_up(self.look_up_now.asked)

    def _on_started(self) -> None:
        """Begin with nothing; a dataset stays only for its own parts."""
        self._put_trouble_away()
        self.side.keep_only_for(self.look_up_now.asked)
        self.ui.board.indicators.uncheck_all()
        self.model.set_filter(self.ui.filters.filter(frozenset()))
        self.model.replace(())
        self.selection.clear()
        self.ui.board.scale.show_whole()
        self._draw()

    def _on_ended(self, rows: Sequence[Row]) -> None:
        self.model.replace(rows)
        self.ui.dataset.take(self.look_up_now.asked, list(self.look_up_now.reports.values()))
        if rows and not self.ui.table.chosen():
            self.ui.table.choose(0)
        self._redraw_soon()
        self._follow()

    def _on_failed(self, sentence: str) -> None:
        self._trouble = sentence
        self.look_up_now.asked = self.look_up_now.url = ""
        self._follow()

    def _put_trouble_away(self) -> None:
        """Have the notice bar forget a look-up that failed: the person goes on."""
        if self._trouble:
            self.trouble_over.emit(self._trouble)
        self._trouble = ""

    def _on_filter(self) -> None:
        self.model.set_filter(self.ui.filters.filter(self.ui.board.indicators.checked))
        self._follow()

    def _redraw_soon(self) -> None:
        if not self._redraw.isActive():
            self._redraw.start()

    def _draw(self) -> None:
        """Bring indicators and timeline into line with what came."""
        self._redraw.stop()
        sources = self.look_up_now.sources
        listed, look_up = self.model.listed, self.look_up_now
        self.ui.board.show_sources(
            sources,
            look_up.reports,
            points_of(listed, len(sources)),
            captures=len(listed),
            has_ended=look_up.has_ended,
        )
        self.ui.fit_board()
        self.ui.filters.show_types(self.model.types)
        self._follow()

    def _follow(self) -> None:
        """Bring pages, sums and actions into line with what is there."""
        ui, look_up = self.ui, self.look_up_now
        is_possible = self.session.is_open and self.collections.chosen is not None
        self.page_actions.look_up.setEnabled(is_possible and bool(ui.field.text().strip()))
        self.page_actions.stop.setEnabled(look_up.is_running)
        self.page_actions.archive.setEnabled(bool(look_up.url))
        self.page_actions.all.setEnabled(not self.model.filter.lists_all)
        ui.page.setCurrentIndex(ASKED if look_up.asked else EMPTY)
        ui.filters.setVisible(self.model.total > 0)
        ui.board.show_sum(sum_of(self.model, look_up), is_lacking=bool(silent_of(look_up)))
        if self.model.rowCount():
            ui.results.setCurrentIndex(LISTED)
        elif self.model.total:
            ui.results.setCurrentIndex(NONE_FOUND)
        elif look_up.is_running:
            ui.results.setCurrentIndex(WAITING)
        else:
            ui.show_nobody(*nobody(look_up))
        self._follow_actions()

    def _follow_actions(self) -> None:
        chosen = self.chosen
        self.page_actions.follow(
            chosen.rows,
            is_peeked=chosen.is_peeked,
            is_busy=chosen.is_saving,
            has_diff=bool(chosen.diff),
        )
        self.page_actions.whole.setEnabled(self.ui.board.scale.is_zoomed)
