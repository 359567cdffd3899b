# SPDX-License-Identifier: AGPL-3.0-or-later
"""The table of captures."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView

from carrel.translation import tr
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.mementos.model import MementosModel
from carrel_desktop.views.mementos.rows import Row
from carrel_desktop.widgets.table.view import RowsTable

LEAST_WIDTH = 58


class MementosTable(RowsTable):
    """Two of its rows can be compared; Space previews."""

    def __init__(self, theme: Theme, model: MementosModel) -> None:
        super().__init__(theme, model, "mementos", tr("Captures"))
        self._mementos = model
        self.setMinimumWidth(space(LEAST_WIDTH))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def chosen(self) -> list[Row]:
        """Return what is chosen, the current one first."""
        rows = [self._mementos.at(index) for index in self.selectionModel().selectedRows()]
        current = self._mementos.at(self.currentIndex())
        return sorted((row for row in rows if row), key=lambda row: row is not current)

    def selectAll(self) -> None:
        """Choose no more than one looks at: nothing is done with all captures at once."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)
