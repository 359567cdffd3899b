# SPDX-License-Identifier: AGPL-3.0-or-later
"""A tree view that asks for more rows of any branch as one scrolls to its end.

QTreeView lays out every row of an open branch at once, a quarter of a second for 100,000, and
fetches more by itself at the root only. Models hand out pages; this view asks for them.
"""

from PySide6.QtCore import QModelIndex, QPoint
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

PAGE = 300


class PagedTree(QTreeView):
    """Uniform rows, whole rows selected, branches fetched page by page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setUniformRowHeights(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().valueChanged.connect(self._fetch_below)

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
