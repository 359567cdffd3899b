# SPDX-License-Identifier: AGPL-3.0-or-later
"""A tree view that asks for more rows of any branch as one scrolls to its end.

QTreeView lays out every row of an open branch at once, a quarter of a second for 100,000, and
fetches more by itself at the root only. Models hand out pages; this view asks for them.
"""

from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPoint, QRect
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import insertion
from carrel_desktop.widgets.selection import ChoosesAlone

N = TypeVar("N", bound="Node")
PAGE = 300
ROOT = 0


class PagedTree(ChoosesAlone, QTreeView):
    """Uniform rows, whole rows selected, branches fetched page by page.

    `painted` is the part that is being painted, None at other times.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.painted: QRect | None = None
        self.setUniformRowHeights(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().valueChanged.connect(self._fetch_below)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint all that has to be in one go.

        Being called from here, Qt keeps the interpreter meanwhile: else another thread that works
        would take its turn at each cell, and a screen has some hundred.
        """
        self.painted = event.region().boundingRect()
        try:
            super().paintEvent(event)
        finally:
            self.painted = None

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Move what is painted, and paint only what comes into sight.

        QTreeView takes the pixels for rows here (until Qt 6.11), and paints everything anew from a
        distance on of as many pixels as rows are in sight: at each step, that is.
        """
        if dx or abs(dy) >= self.viewport().height():
            super().scrollContentsBy(dx, dy)
        else:
            self.scrollDirtyRegion(0, dy)
            self.viewport().scroll(0, dy)

    def _fetch_below(self) -> None:
        """Fetch the next page of the branch whose last row has come into view."""
        model = self.model()
        lowest = self.indexAt(QPoint(2, self.viewport().height() - 2))
        branch = lowest.parent() if lowest.isValid() else QModelIndex()
        while model is not None and branch.isValid():
            if model.canFetchMore(branch) and self._shows_end_of(branch):
                model.fetchMore(branch)
                return
            branch = branch.parent()

    def _shows_end_of(self, branch: QModelIndex) -> bool:
        last = self.model().index(self.model().rowCount(branch) - 1, 0, branch)
        return bool(self.visualRect(last).top() < self.viewport().height() * 2)


class Node(Protocol):
    """What stands in a tree: its place, what is below it, and how much of that the view has."""

    parent: int
    row: int
    children: list[int]
    shown: int


class TreeModel(QAbstractItemModel, Generic[N]):
    """Nodes by their numbers, the root first; each branch is handed out page by page."""

    columns: int

    def __init__(self, root: N, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._nodes: list[N] = [root]

    def at(self, index: Index) -> N | None:
        """Return what stands in a row, None for none."""
        return self._nodes[index.internalId()] if index.isValid() else None

    def index_of(self, number: int) -> QModelIndex:
        """Return where a node is, an invalid index for the root."""
        return self.createIndex(self._nodes[number].row, 0, number) if number else QModelIndex()

    def index(self, row: int, column: int, parent: Index = TOP) -> QModelIndex:
        node = self._node(parent)
        if parent.column() > 0 or not (0 <= row < node.shown and 0 <= column < self.columns):
            return QModelIndex()
        return self.createIndex(row, column, node.children[row])

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # two overloads
        return self.index_of(self._node(index).parent) if index.isValid() else QModelIndex()

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.column() > 0 else self._node(parent).shown

    def columnCount(self, parent: Index = TOP) -> int:
        return self.columns

    def hasChildren(self, parent: Index = TOP) -> bool:
        return parent.column() <= 0 and bool(self._node(parent).children)

    def canFetchMore(self, parent: Index) -> bool:
        node = self._node(parent)
        return parent.column() <= 0 and node.shown < len(node.children)

    def fetchMore(self, parent: Index) -> None:
        node = self._node(parent)
        last = min(node.shown + PAGE, len(node.children)) - 1
        if last >= node.shown:
            with insertion(self, parent, node.shown, last):
                node.shown = last + 1

    def _node(self, index: Index) -> N:
        return self._nodes[index.internalId() if index.isValid() else ROOT]
