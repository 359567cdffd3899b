# SPDX-License-Identifier: AGPL-3.0-or-later
"""The tree of jobs and files, whose columns share the room there is."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView

from carrel_desktop.theme import Theme, space
from carrel_desktop.views.queue.delegate import QueueDelegate
from carrel_desktop.views.queue.model import Column, QueueModel
from carrel_desktop.widgets.paged_tree import PagedTree

# Least width in grid steps, and share of the whole where there is more.
WIDTHS = {Column.PROGRESS: (40, 0.2), Column.SPEED: (26, 0.11), Column.STATE: (46, 0.28)}


class QueueTree(PagedTree):
    """Right and Left open and close a job, as in every tree."""

    def __init__(self, theme: Theme, model: QueueModel) -> None:
        super().__init__()
        self.setObjectName("jobs")
        self.setAccessibleName(self.tr("Jobs and their files"))
        self.setModel(model)
        self.setItemDelegate(QueueDelegate(theme, self))
        self.setMouseTracking(True)
        self.setIndentation(space(5))
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(space(14))
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        header.setSectionResizeMode(Column.DATASET, QHeaderView.ResizeMode.Stretch)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = self.viewport().width()
        for column, (least, share) in WIDTHS.items():
            self.setColumnWidth(column, max(space(least), round(width * share)))
