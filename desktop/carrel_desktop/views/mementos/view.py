# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Mementos page: every copy of a URL that exists anywhere, and what can be done with it."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QTimer, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication, QHideEvent, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from carrel.errors import ConfigError
from carrel.model.memento_views import CollectionInfo
from carrel.model.user_information import bare_address
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.mementos.actions import MementoActions
from carrel_desktop.views.mementos.chosen import Chosen, file_name
from carrel_desktop.views.mementos.cite import citation
from carrel_desktop.views.mementos.layout import (
    ASKED,
    EMPTY,
    LISTED,
    NONE_FOUND,
    WAITING,
    MementosLayout,
)
from carrel_desktop.views.mementos.lookup import LookUp
from carrel_desktop.views.mementos.model import MementosModel
from carrel_desktop.views.mementos.parts import Part
from carrel_desktop.views.mementos.rows import Row, points_of
from carrel_desktop.views.mementos.timeline import Place

REDRAW_MS = 120  # what streams in is drawn once in so long, not with every portion


class MementosView(QWidget):
    """`wants_to_archive` carries a URL that nobody has; `wants_archives` says that the person
    goes to add, test or order archives; `trouble_over` carries a sentence that the notice bar need
    not say any longer."""

    wants_to_archive = Signal(str)
    wants_archives = Signal()
    trouble_over = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self._collections: Sequence[CollectionInfo] = ()
        self._keys: Sequence[tuple[str, str, str]] = ()
        self._has_dataset = False
        self._trouble = ""
        self.model = MementosModel(self)
        self.look_up_now = LookUp(session, self)
        self.page_actions = MementoActions(self)
        self.ui = MementosLayout(self, theme)
        self.chosen = Chosen(session, self.ui.pane)
        self._redraw = QTimer(self)
        self._redraw.setSingleShot(True)
        self._redraw.setInterval(REDRAW_MS)
        self._connect()
        self._follow()

    @property
    def menu_groups(self) -> list[list[QAction]]:
        return self.page_actions.groups

    @property
    def actions_in_menu(self) -> list[QAction]:
        return [action for group in self.menu_groups for action in group]

    def collection_name(self) -> str:
        """Return the name of the collection that is asked."""
        return self.ui.collection.currentData() or ""

    def take_focus(self) -> None:
        """Put the keyboard where the work is."""
        (self.ui.table if self.model.rowCount() else self.ui.field).setFocus()

    def refresh(self) -> None:
        """Read the collections again, and ask again for what is on show."""
        self.session.start(self._load_collections())
        if self.look_up_now.asked:
            self._look_up(self.look_up_now.asked)
        if self.page_actions.browse.isChecked():
            self.ui.browse.refresh()

    def show_url(self, url: str) -> None:
        """Look a URL up."""
        self.ui.field.setText(url)
        self._look_up(url)

    def show_dataset(self, ingest_id: str, url: str) -> None:
        """Show which parts of a dataset are held where; its address, if it has no parts."""
        self.session.start(self._show_dataset(ingest_id, url))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.ui.fit_side()
        self.ui.fit_board()

    @property
    def told(self) -> str:
        """The trouble that stands on the page itself, which the notice bar need not tell."""
        is_told = self.ui.config_card.isVisibleTo(self)
        return self.ui.config_trouble.text() if is_told else ""

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():  # another page is opened
            self._put_trouble_away()

    # What the person does

    def look_up(self) -> None:
        """Ask every archive of the collection for what stands in the field."""
        self._look_up(self.ui.field.text().strip())

    def stop(self) -> None:
        """Wait for no more archives."""
        self.look_up_now.stop()

    def toggle_browse(self) -> None:
        """Show or hide what is held here."""
        self._put_trouble_away()
        is_shown = self.page_actions.browse.isChecked()
        self._show_side()
        if is_shown:
            self.ui.browse.refresh()
            self.ui.browse.take_focus()

    def go_to_archives(self) -> None:
        self.wants_archives.emit()

    def preview(self) -> None:
        self.chosen.preview()

    def open_shown(self) -> None:
        self.chosen.open(raw=False)

    def open_raw(self) -> None:
        self.chosen.open(raw=True)

    def save_as(self) -> None:
        """Ask for a file to write the chosen capture to."""
        row = self.chosen.one
        if row is None:
            return
        dialog = QFileDialog(self, self.tr("Save the capture as"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(file_name(row))
        dialog.fileSelected.connect(self._on_file_selected)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def compare(self) -> None:
        self.chosen.compare()

    def archive_now(self) -> None:
        self.wants_to_archive.emit(self.look_up_now.url)

    def copy_url(self) -> None:
        if self.chosen.one is not None:
            QGuiApplication.clipboard().setText(self.chosen.one.memento.url)

    def copy_citation(self) -> None:
        cited = [citation(row.memento) for row in self.chosen.rows]
        QGuiApplication.clipboard().setText("\n\n".join(cited))

    def show_whole(self) -> None:
        """Show all years of the timeline."""
        self.ui.board.lanes.show_whole()

    def list_all(self) -> None:
        """Take every filter away."""
        self.ui.board.lamps.uncheck_all()
        self.ui.filters.clear()

    def open_config(self) -> None:
        """Open the collections file with the program that the person has for such files."""
        path = self.session.engine.mementos.config_path
        if path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    # What happens

    def _connect(self) -> None:
        ui, look_up = self.ui, self.look_up_now
        self.session.opened.connect(self._on_opened)
        ui.field.returnPressed.connect(self.page_actions.look_up.trigger)
        ui.field.textChanged.connect(self._follow)
        ui.field.textEdited.connect(self._put_trouble_away)
        ui.browse.search.textEdited.connect(self._put_trouble_away)
        ui.collection.activated.connect(self._on_collection)
        self.page_actions.browse.toggled.connect(ui.browse_button.setChecked)
        ui.browse.chosen.connect(self.show_url)
        ui.dataset.chosen.connect(self._on_part)
        ui.dataset.closed.connect(self._on_dataset_closed)
        look_up.started.connect(self._on_started)
        look_up.told.connect(self._redraw_soon)
        look_up.arrived.connect(self.model.add)
        look_up.ended.connect(self._on_ended)
        look_up.failed.connect(self._on_failed)
        self.model.relisted.connect(self._on_relisted)
        ui.filters.changed.connect(self._on_filter)
        ui.board.lamps.chosen.connect(self._on_filter)
        ui.board.lanes.picked.connect(self._on_picked)
        ui.board.lanes.activated.connect(self.preview)
        ui.board.lanes.spanned.connect(self._follow_actions)
        ui.table.selectionModel().selectionChanged.connect(self._on_chosen)
        ui.table.activated.connect(self.page_actions.preview.trigger)
        self.chosen.changed.connect(self._follow_actions)
        self._redraw.timeout.connect(self._draw)

    def _look_up(self, text: str) -> None:
        if (bare := bare_address(text)) != text:  # nobody is to be asked for it, or to read it
            text = bare
            self.ui.field.setText(bare)
        collection = self._collection()
        if text and collection is not None:
            self.look_up_now.start(text, collection)
        elif text and not self.ui.config_card.isVisibleTo(self):
            self.session.start(self._look_up_later(text))  # the collections are still being read

    async def _look_up_later(self, text: str) -> None:
        await self._load_collections()
        if (collection := self._collection()) is not None:
            self.look_up_now.start(text, collection)

    def _collection(self) -> CollectionInfo | None:
        name = self.collection_name()
        return next((each for each in self._collections if each.name == name), None)

    async def _load_collections(self) -> None:
        """Offer the collections; a file that makes no sense is shown with a way to mend it."""
        try:
            self._collections = await self.session.read(
                lambda engine: engine.mementos.collections()
            )
        except ConfigError as error:
            self._collections = ()
            self.ui.config_trouble.setText(str(error))
            self.ui.config_card.show()
            self.trouble_over.emit(str(error))
        else:
            self.ui.config_card.hide()
        chosen = self.collection_name()
        box = self.ui.collection
        box.clear()
        for each in self._collections:
            box.add(each.title or each.name, each.name)
        box.setCurrentIndex(max(0, box.findData(chosen)))
        box.setEnabled(bool(self._collections))
        self._follow()

    async def _show_dataset(self, ingest_id: str, url: str) -> None:
        await self._load_collections()
        self._has_dataset = True
        self.page_actions.browse.setChecked(False)
        await self.ui.dataset.load(ingest_id)
        has_parts = bool(self.ui.dataset.model.parts)
        self._has_dataset = has_parts
        self._show_side()
        if has_parts:
            self.ui.dataset.choose(0)
        else:
            self.show_url(url)

    def _show_side(self) -> None:
        is_browsing = self.page_actions.browse.isChecked()
        self.ui.browse.setVisible(is_browsing)
        self.ui.dataset.setVisible(self._has_dataset and not is_browsing)
        self.ui.fit_side()

    def _on_opened(self) -> None:
        self.session.start(self._load_collections())

    def _on_collection(self) -> None:
        if self.look_up_now.asked:
            self._look_up(self.look_up_now.asked)

    def _on_part(self, part: Part) -> None:
        self.show_url(part.part.url)

    def _on_dataset_closed(self) -> None:
        self._has_dataset = False
        self._show_side()

    def _on_started(self) -> None:
        """Begin with nothing; a dataset stays only for its own parts."""
        self._put_trouble_away()
        if self._has_dataset and not self.ui.dataset.has(self.look_up_now.asked):
            self.ui.dataset.close_pane()
        self._keys = ()
        self.ui.board.lamps.uncheck_all()
        self.model.set_filter(self.ui.filters.filter(frozenset()))
        self.model.replace(())
        self._show_chosen(())
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
        self.model.set_filter(self.ui.filters.filter(self.ui.board.lamps.checked))
        self._follow()

    def _on_relisted(self) -> None:
        """Keep chosen what is chosen, as far as it is still listed."""
        if self._keys and not self.ui.table.selectionModel().hasSelection():
            places = [self.model.place_of(key) for key in self._keys]
            found = [place for place in places if place is not None]
            for number, place in enumerate(reversed(found)):
                self.ui.table.choose(place, adds=number > 0)
            if not found:
                self._show_chosen(())
        self._redraw_soon()

    def _on_chosen(self) -> None:
        rows = self.ui.table.chosen()
        self._keys = [row.key for row in rows[:2]]
        self._show_chosen(rows)

    def _show_chosen(self, rows: Sequence[Row]) -> None:
        self.ui.pane.asked_url = self.look_up_now.url
        self.chosen.show(rows, self.look_up_now.collection)
        places = [Place(row.lanes[0], row.seconds) for row in rows[:2]]
        self.ui.board.lanes.show_chosen(places)

    def _on_picked(self, picked: Place) -> None:
        place = self.model.place_at(picked.lane, picked.seconds)
        if place is not None:
            self.ui.table.choose(place)

    def _on_file_selected(self, path: str) -> None:
        self.chosen.save(Path(path))

    def _redraw_soon(self) -> None:
        if not self._redraw.isActive():
            self._redraw.start()

    def _draw(self) -> None:
        """Bring lamps and timeline into line with what came."""
        self._redraw.stop()
        sources = self.look_up_now.sources
        points = points_of(self.model.listed, len(sources))
        self.ui.board.show_sources(sources, self.look_up_now.reports, points)
        self.ui.fit_board()
        self.ui.filters.show_types(self.model.types)
        self._follow()

    def _follow(self) -> None:
        """Bring pages, sums and actions into line with what is there."""
        ui, look_up = self.ui, self.look_up_now
        is_possible = self.session.is_open and self._collection() is not None
        self.page_actions.look_up.setEnabled(is_possible and bool(ui.field.text().strip()))
        self.page_actions.stop.setEnabled(look_up.is_running)
        self.page_actions.archive.setEnabled(bool(look_up.url))
        self.page_actions.all.setEnabled(not self.model.filter.lists_all)
        ui.page.setCurrentIndex(ASKED if look_up.asked else EMPTY)
        ui.filters.setVisible(self.model.total > 0)
        ui.board.sum.setText(self._sum())
        if self.model.rowCount():
            ui.results.setCurrentIndex(LISTED)
        elif self.model.total:
            ui.results.setCurrentIndex(NONE_FOUND)
        elif look_up.is_running:
            ui.results.setCurrentIndex(WAITING)
        else:
            ui.show_nobody(*self._nobody())
        self._follow_actions()

    def _follow_actions(self) -> None:
        chosen = self.chosen
        self.page_actions.follow(chosen.rows, is_peeked=chosen.is_peeked, is_busy=chosen.is_saving)
        self.page_actions.whole.setEnabled(self.ui.board.scale.is_zoomed)

    def _sum(self) -> str:
        shown, total = self.model.rowCount(), self.model.total
        captures = quantities.counted(total, "1 capture", "{count} captures")
        captures = captures if total else self.tr("No captures")
        if shown != total:
            text = self.tr("{shown} of {captures}")
            captures = text.format(shown=quantities.number(shown), captures=captures)
        waiting = self.look_up_now.unanswered
        if self.look_up_now.is_running and waiting:
            asked = self.tr("{count} still asked").format(count=quantities.number(waiting))
            return f"{captures} · {asked}" if total else asked
        return captures

    def _nobody(self) -> tuple[str, str]:
        look_up, tr = self.look_up_now, self.tr
        if not look_up.has_ended:
            return tr("Stopped"), tr("Not every archive was waited for. Look up asks again.")
        troubled = look_up.troubled
        if not troubled:
            text = tr("All archives of the collection were asked; none has a capture of {url}")
            return tr("Nobody has this"), text.format(url=look_up.url)
        text = tr("{count} could not be asked, so there may be captures of it all the same.")
        return tr("Nobody who answered has this"), text.format(count=quantities.number(troubled))
