# SPDX-License-Identifier: AGPL-3.0-or-later
"""The table of datasets and that of files, whose columns give way where room is short."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QAbstractTableModel, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from carrel_desktop.theme import Theme, space
from carrel_desktop.views.watch.delegates import FilesDelegate, WatchDelegate
from carrel_desktop.views.watch.files_model import FileColumn, FilesModel
from carrel_desktop.views.watch.model import Column, WatchModel
from carrel_desktop.widgets.rows import row_height

WIDTHS: Mapping[int, int] = {
    Column.STATE: 41,
    Column.VERSION: 22,
    Column.CHANGED: 21,
    Column.GONE: 15,
    Column.ADDED: 14,
    Column.LOOKED: 33,
}
# Which columns give way first where the table is narrow. Without its column the state stands as an
# icon before the title.
YIELDING = (Column.LOOKED, Column.VERSION, Column.ADDED, Column.CHANGED, Column.GONE, Column.STATE)
FILE_WIDTHS: Mapping[int, int] = {FileColumn.WHAT: 33, FileColumn.SIZE: 48}
LEAST_TITLE, LEAST_PATH = 60, 48
LEAST_BESIDE_STATE = 34  # of title or path, where only the state is beside it
LEAST_WIDTH = 46


class _Table(QTableView):
    """Whole rows; Tab leaves the table instead of walking through its cells."""

    def __init__(
        self, model: QAbstractTableModel, widths: Mapping[int, int], yielding: Sequence[int]
    ) -> None:
        super().__init__()
        self._widths, self._yielding = widths, yielding
        self.least = LEAST_TITLE
        self.setModel(model)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(row_height())
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(space(12))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, units in widths.items():
            self.setColumnWidth(column, space(units))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        hidden = self._hidden(self.viewport().width())
        for column in self._yielding:
            self.setColumnHidden(column, column in hidden)

    def _hidden(self, width: int) -> set[int]:
        """Return the columns that have no room in a table of this width in pixels."""
        hidden: set[int] = set()
        for column in self._yielding:
            used = sum(space(units) for at, units in self._widths.items() if at not in hidden)
            least = LEAST_BESIDE_STATE if column == self._yielding[-1] else self.least
            if used + space(least) <= width:
                break
            hidden.add(column)
        return hidden


class WatchTable(_Table):
    """The watched datasets; several can be chosen."""

    def __init__(self, theme: Theme, model: WatchModel) -> None:
        super().__init__(model, WIDTHS, YIELDING)
        self.setObjectName("watched")
        self.setAccessibleName(self.tr("Watched datasets"))
        self.setItemDelegate(WatchDelegate(theme, self))
        self.setMinimumWidth(space(LEAST_WIDTH))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSortingEnabled(True)
        self.sortByColumn(Column.STATE, Qt.SortOrder.AscendingOrder)


class FilesTable(_Table):
    """The files of one dataset."""

    def __init__(self, theme: Theme, model: FilesModel) -> None:
        super().__init__(model, FILE_WIDTHS, (FileColumn.SIZE, FileColumn.WHAT))
        self.least = LEAST_PATH
        self.setObjectName("differences")
        self.setAccessibleName(self.tr("Files, then and now"))
        self.setItemDelegate(FilesDelegate(theme, self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
