# SPDX-License-Identifier: AGPL-3.0-or-later
"""The list of sources, put in order by dragging or by Alt and the arrows."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListView

from carrel.translation import tr
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.archives.delegate import SourceDelegate
from carrel_desktop.views.archives.model import SourcesModel

SPIN_MS = 80
BY_KEY = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class SourceList(QListView):
    """`lifted` carries by how many places to move the current source, `opened` and `removed` are
    what Return and Delete ask for."""

    lifted = Signal(int)
    opened = Signal()
    removed = Signal()

    def __init__(self, theme: Theme, model: SourcesModel) -> None:
        super().__init__()
        self._sources = model
        self.setObjectName("sources")
        self.setAccessibleName(tr("Sources, in order of preference"))
        self.setModel(model)
        self.setItemDelegate(SourceDelegate(theme, self))
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setMinimumWidth(space(46))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDropIndicatorShown(True)
        self.setDragDropOverwriteMode(False)
        self._spin = QTimer(self)
        self._spin.setInterval(SPIN_MS)
        self._spin.timeout.connect(self.viewport().update)
        model.dataChanged.connect(self._follow)
        model.modelReset.connect(self._follow)
        self.doubleClicked.connect(self.opened)

    def choose(self, row: int) -> None:
        """Make a row the current one, and bring it into sight."""
        index = self._sources.index(row)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and key in BY_KEY:
            self.lifted.emit(BY_KEY[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def _follow(self) -> None:
        """Let the lamps of those that are being asked turn."""
        turns = any(self._sources.is_asking(source) for source in self._sources.rows)
        if turns != self._spin.isActive():
            (self._spin.start if turns else self._spin.stop)()
