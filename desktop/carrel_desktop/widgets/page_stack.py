# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pages of the window, of which one is shown: what scrolls where the window is too small."""

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget


class PageStack(QWidget):
    """As small as the page that is shown can be: the others do not ask for room.

    It has no layout, whose wish for height at a width would make pages scroll that can shrink.
    """

    def __init__(self) -> None:
        super().__init__()
        self._stack = QStackedWidget(self)
        self._shown: QWidget = self._stack
        self._stack.installEventFilter(self)

    def add(self, page: QWidget) -> None:
        """Take a page, which is shown once it is opened."""
        self._stack.addWidget(page)

    def open(self, page: QWidget) -> None:
        """Show a page that was added."""
        self._shown = page
        self._stack.setCurrentWidget(page)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Return the least room: rows that wrap need more height where the window is narrow."""
        least, layout = self._shown.minimumSizeHint(), self._shown.layout()
        if layout is not None and layout.hasHeightForWidth():
            width = max(self.width(), least.width())
            least.setHeight(max(least.height(), layout.minimumHeightForWidth(width)))
        return least

    def sizeHint(self) -> QSize:
        return self._shown.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        # Not to the event's size: what scrolls may have resized this again before it was told.
        self._stack.resize(self.size())
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell what scrolls that the page needs more room, or less."""
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return False
