# SPDX-License-Identifier: AGPL-3.0-or-later
"""A row of widgets that goes on in the next line where room is short."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QStyle, QWidget

# The idea is that of Qt's Flow Layout example (https://doc.qt.io/qt-6/qtwidgets-layouts-flowlayout-example.html).

Line = list[tuple[QLayoutItem, int]]  # each with its width in pixels


class WrappingRow(QLayout):
    """Its least width is that of its widest widget; its height follows from its width.

    One widget may fill what its line leaves free. What is added after a stretch stands at the
    right, in whichever line it comes to be; where one reads from right to left, at the left.
    """

    def __init__(self, gap: int) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self._filling: QLayoutItem | None = None
        self._least = 0
        self._at_right: list[QLayoutItem] = []
        self._has_end = False
        self._heights: dict[int, int] = {}  # by width, until something in the row changes
        self.setContentsMargins(0, 0, 0, 0)

    def add_filling(self, widget: QWidget, least: int) -> None:
        """Add the widget that fills its line, and has a line of its own below `least` pixels."""
        self.addWidget(widget)
        self._filling, self._least = self._items[-1], least

    def add_stretch(self) -> None:
        """Have what comes after this stand at the right."""
        self._has_end = True

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        if self._has_end:
            self._at_right.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        if not 0 <= index < len(self._items):
            return None
        taken = self._items.pop(index)
        if taken in self._at_right:
            self._at_right.remove(taken)
        return taken

    def expandingDirections(self) -> Qt.Orientation:
        is_greedy = self._has_end or self._filling is not None
        return Qt.Orientation.Horizontal if is_greedy else Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def invalidate(self) -> None:
        """Forget what was measured: something in the row is of another size."""
        self._heights.clear()
        super().invalidate()

    def heightForWidth(self, width: int) -> int:
        """Return the height, which a window that is laid out asks for again and again."""
        if (height := self._heights.get(width)) is None:
            height = self._heights[width] = self._height_in(width)
        return height

    def _height_in(self, width: int) -> int:
        margins = self.contentsMargins()
        lines = self._lines(width - margins.left() - margins.right())
        height = sum(map(_height, lines)) + self._gap * max(0, len(lines) - 1)
        return height + margins.top() + margins.bottom()

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        inner = rect.marginsRemoved(self.contentsMargins())
        top = inner.top() + max(0, rect.height() - self.heightForWidth(rect.width())) // 2
        for line in self._lines(inner.width()):
            height = _height(line)
            self._place(line, QRect(inner.left(), top, inner.width(), height))
            top += height + self._gap

    def sizeHint(self) -> QSize:
        widths = [self._wanted(item) for item in self._shown]
        width = sum(widths) + self._gap * max(0, len(widths) - 1)
        height = max((item.sizeHint().height() for item in self._shown), default=0)
        return QSize(width, height).grownBy(self.contentsMargins())

    def minimumSize(self) -> QSize:
        hints = [item.minimumSize() for item in self._shown]
        widest = max((hint.width() for hint in hints), default=0)
        highest = max((hint.height() for hint in hints), default=0)
        return QSize(widest, highest).grownBy(self.contentsMargins())

    @property
    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _wanted(self, item: QLayoutItem) -> int:
        return self._least if item is self._filling else item.sizeHint().width()

    def _lines(self, width: int) -> list[Line]:
        """Return what stands side by side in a row of this width in pixels, line by line."""
        lines: list[Line] = []
        free = 0
        for item in self._shown:
            wanted = min(self._wanted(item), width)
            if not lines or self._gap + wanted > free:
                lines.append([(item, wanted)])
                free = width - wanted
            else:
                lines[-1].append((item, wanted))
                free -= self._gap + wanted
        return [self._filled(line, width) for line in lines]

    def _filled(self, line: Line, width: int) -> Line:
        """Return a line whose filling widget, if it has one, takes what the others leave free."""
        free = width - sum(taken for _, taken in line) - self._gap * (len(line) - 1)
        return [
            (item, min(taken + free, item.maximumSize().width()))
            if item is self._filling
            else (item, taken)
            for item, taken in line
        ]

    def _place(self, line: Line, rect: QRect) -> None:
        left = rect.left()
        free = rect.width() - sum(width for _, width in line) - self._gap * (len(line) - 1)
        for item, width in line:
            if item in self._at_right:
                left, free = left + free, 0
            height = _height([(item, width)])
            top = rect.top() + (rect.height() - height) // 2
            item.setGeometry(self._mirrored(QRect(left, top, width, height), rect))
            left += width + self._gap

    def _mirrored(self, place: QRect, row: QRect) -> QRect:
        """Return a place in a row, from the right where one reads from there."""
        parent = self.parentWidget()
        direction = parent.layoutDirection() if parent else Qt.LayoutDirection.LeftToRight
        return QStyle.visualRect(direction, row, place)


def _height(line: Line) -> int:
    """Return the height of a line of items of these widths."""
    return max(
        (
            item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
            for item, width in line
        ),
        default=0,
    )
