# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which collection is asked, and the notice that the collections file makes no sense."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from carrel.errors import ConfigError
from carrel.model.memento_views import CollectionInfo
from carrel_desktop.session import Session
from carrel_desktop.views.mementos.layout import MementosLayout


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
        """Offer the collections; a file that makes no sense is shown with a way to mend it."""
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
            box.add(each.title or each.name, each.name)
        box.setCurrentIndex(max(0, box.findData(chosen)))
        box.setEnabled(bool(self._all))
        self.read.emit()

    def open_config(self) -> None:
        """Open the collections file with the program that the person has for such files."""
        path = self._session.engine.mementos.config_path
        if path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
