# SPDX-License-Identifier: AGPL-3.0-or-later
"""A row of widgets that goes on in the next line where room is short."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem

# The idea is that of Qt's Flow Layout example (https://doc.qt.io/qt-6/qtwidgets-layouts-flowlayout-example.html).


class WrappingRow(QLayout):
    """Its least width is that of its widest widget; its height follows from its width."""

    def __init__(self, gap: int) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), moves=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        spare = max(0, rect.height() - self.heightForWidth(rect.width()))
        self._arrange(rect.adjusted(0, spare // 2, 0, 0), moves=True)

    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self._shown]
        width = sum(hint.width() for hint in hints) + self._gap * max(0, len(hints) - 1)
        return QSize(width, max((hint.height() for hint in hints), default=0))

    def minimumSize(self) -> QSize:
        hints = [item.minimumSize() for item in self._shown]
        return QSize(
            max((hint.width() for hint in hints), default=0),
            max((hint.height() for hint in hints), default=0),
        )

    @property
    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _arrange(self, rect: QRect, *, moves: bool) -> int:
        """Return the height of the lines, and put the widgets there if that is wanted."""
        left, top, height = rect.left(), rect.top(), 0
        for item in self._shown:
            hint = item.sizeHint()
            if height and left + hint.width() > rect.left() + rect.width():
                left, top, height = rect.left(), top + height + self._gap, 0
            if moves:
                item.setGeometry(QRect(left, top, hint.width(), hint.height()))
            left += hint.width() + self._gap
            height = max(height, hint.height())
        return top + height - rect.top()
