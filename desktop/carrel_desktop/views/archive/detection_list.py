# SPDX-License-Identifier: AGPL-3.0-or-later
"""The list of what was detected."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QListView

from carrel.translation import tr
from carrel_desktop.theme import Theme
from carrel_desktop.views.archive.delegate import DetectionDelegate
from carrel_desktop.views.archive.model import DetectionModel

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


class DetectionList(QListView):
    """`opened` is emitted on a double click, and on Enter.

    Qt's own `activated` comes with the first click where the desktop is set up so, which is one
    click too early for what starts an ingest.
    """

    opened = Signal()

    def __init__(self, theme: Theme, model: DetectionModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(DetectionDelegate(theme, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setObjectName("detections")
        self.setAccessibleName(tr("Detected datasets"))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        is_left = event.button() is Qt.MouseButton.LeftButton
        if is_left and self.indexAt(event.position().toPoint()).isValid():
            self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in ENTER and event.modifiers() in PLAIN and not event.isAutoRepeat():
            self.opened.emit()
