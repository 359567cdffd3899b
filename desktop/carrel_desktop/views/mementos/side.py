# SPDX-License-Identifier: AGPL-3.0-or-later
"""What stands beside a look-up: the collection that is asked, and the pane at the left."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication

from carrel.errors import ConfigError
from carrel.model.memento_views import CollectionInfo
from carrel_desktop import words
from carrel_desktop.session import Session
from carrel_desktop.views.mementos.actions import MementoActions
from carrel_desktop.views.mementos.layout import MementosLayout
from carrel_desktop.views.mementos.parts import Part


class Collections(QObject):
    """The collections of the file. `read` is emitted when they were read; `trouble_told` carries
    why they could not be, once the page itself says it."""

    read = Signal()
    trouble_told = Signal(str)

    def __init__(self, session: Session, ui: MementosLayout) -> None:
        super().__init__(ui)
        self._session, self._ui = session, ui
        self._all: Sequence[CollectionInfo] = ()

    @property
    def chosen(self) -> CollectionInfo | None:
        """The collection that is asked, None while none can be."""
        name = self._ui.collection_name()
        return next((each for each in self._all if each.name == name), None)

    @property
    def trouble(self) -> str:
        """What is wrong with the file, as the page says it; "" if nothing is."""
        is_told = self._ui.config_card.isVisibleTo(self._ui)
        return self._ui.config_trouble.text() if is_told else ""

    async def load(self) -> None:
        """Offer the collections; a file that is not valid is shown with a way to mend it."""
        try:
            self._all = await self._session.read(lambda engine: engine.mementos.collections())
        except ConfigError as error:
            self._all = ()
            self._ui.config_trouble.setText(str(error))
            self._ui.config_card.show()
            self.trouble_told.emit(str(error))
        else:
            self._ui.config_card.hide()
        chosen = self._ui.collection_name()
        box = self._ui.collection
        box.clear()
        for each in self._all:
            box.add(words.collection_title(each.title, each.name), each.name)
        box.setCurrentIndex(max(0, box.findData(chosen)))
        box.setEnabled(bool(self._all))
        self.read.emit()

    def open_config(self) -> None:
        """Open the collections file with the program that the person has for such files."""
        if path := self._session.engine.mementos.config_path:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


class Side(QObject):
    """Shows one of them at a time. `chosen` carries the URL that the person chose there."""

    chosen = Signal(str)

    def __init__(self, ui: MementosLayout, actions: MementoActions) -> None:
        super().__init__(ui)
        self._ui, self._browse = ui, actions.browse
        self._has_dataset = False
        actions.browse.toggled.connect(ui.browse_button.setChecked)
        ui.browse.chosen.connect(self.chosen)
        ui.dataset.chosen.connect(self._on_part)
        ui.dataset.closed.connect(self._on_closed)

    def toggle_browse(self) -> None:
        """Show or hide what is held here."""
        self._show()
        if self._browse.isChecked():
            self._ui.browse.refresh()
            self._ui.browse.search.setFocus()

    def refresh(self) -> None:
        if self._browse.isChecked():
            self._ui.browse.refresh()

    async def show_dataset(self, ingest_id: str) -> bool:
        """Show the parts of a dataset, and choose the first; say whether it has any."""
        self._has_dataset = True
        self._browse.setChecked(False)
        await self._ui.dataset.load(ingest_id)
        self._has_dataset = bool(self._ui.dataset.model.listed)
        self._show()
        if self._has_dataset:
            self._ui.dataset.choose(0)
        return self._has_dataset

    def keep_only_for(self, url: str) -> None:
        """Close a dataset unless a URL is a part of it."""
        if self._has_dataset and not self._ui.dataset.has(url):
            self._ui.dataset.close_pane()

    def _show(self) -> None:
        is_browsing = self._browse.isChecked()
        self._ui.browse.setVisible(is_browsing)
        self._ui.dataset.setVisible(self._has_dataset and not is_browsing)
        self._ui.fit_side()

    def _on_part(self, part: Part) -> None:
        self.chosen.emit(part.part.url)

    def _on_closed(self) -> None:
        self._has_dataset = False
        focused = QApplication.focusWidget()
        has_focus = focused is not None and self._ui.dataset.isAncestorOf(focused)
        self._show()
        if has_focus:
            self._ui.take_focus()
