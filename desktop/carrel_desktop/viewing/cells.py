# SPDX-License-Identifier: AGPL-3.0-or-later
"""A table out of a file: its columns with what their values have in common, and its rows."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt
from PySide6.QtWidgets import QTableView

from carrel.model.rendition import Table
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import space
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import replacement
from carrel_desktop.widgets.text_views import visible

Role = Qt.ItemDataRole
MEASURED_ROWS = 40  # that columns are made wide enough for
NOTHING = Table((), ())
WIDEST = 60


class Cells(QAbstractTableModel):
    """The rows of a table, its columns as headings."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = NOTHING

    def show_table(self, table: Table) -> None:
        with replacement(self):
            self._table = table

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._table.rows)

    def columnCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._table.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return quantities.number(section + 1) if role == Role.DisplayRole else None
        column = self._table.columns[section]
        name = visible(column.name).replace("\n", " ")
        if role == Role.DisplayRole:
            return f"{name}\n{column.kind}"
        if role in (Role.ToolTipRole, Role.AccessibleTextRole):
            return tr("{name}, {kind}", name=name, kind=column.kind)
        return self._alignment(section) if role == Role.TextAlignmentRole else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if index.isValid() and role == Role.TextAlignmentRole:
            return self._alignment(index.column())
        if not index.isValid() or role not in (Role.DisplayRole, Role.ToolTipRole):
            return None
        text = visible(self._cell(index.row(), index.column()))
        return text.replace("\n", " ⏎ ") if role == Role.DisplayRole else text

    def find(self, text: str, after: Index, *, backward: bool) -> QModelIndex:
        """Return the next cell with a text in it, in either case; an invalid index if none has."""
        sought, columns = text.casefold(), max(1, len(self._table.columns))
        count = len(self._table.rows) * columns
        start = after.row() * columns + after.column() if after.isValid() else -1
        for number in _around(start, count, backward=backward):
            row, column = divmod(number, columns)
            if sought in self._cell(row, column).casefold():
                return self.index(row, column)
        return QModelIndex()

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        """Return where a column's values stand: numbers below each other by their ends."""
        side = Qt.AlignmentFlag.AlignLeft
        if self._table.columns[column].is_number:
            side = Qt.AlignmentFlag.AlignRight
        return side | Qt.AlignmentFlag.AlignVCenter

    def _cell(self, row: int, column: int) -> str:
        cells = self._table.rows[row]
        return cells[column] if column < len(cells) else ""


def _around(start: int, count: int, *, backward: bool) -> Iterator[int]:
    """Yield all numbers below a count, from the one beside `start` on, which comes last."""
    step = -1 if backward else 1
    first = count if start < 0 and backward else start
    return ((first + step * each) % count for each in range(1, count + 1))


def table_view(cells: Cells) -> QTableView:
    """Return a view of the cells, which Tab leaves."""
    table = QTableView()
    table.setModel(cells)
    table.setObjectName("content_table")
    table.setAccessibleName(tr("Content as a table"))
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.setShowGrid(False)
    table.setMinimumHeight(space(10))
    table.setCornerButtonEnabled(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(space(6.5))
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setMaximumSectionSize(space(WIDEST))
    header.setResizeContentsPrecision(MEASURED_ROWS)
    header.setHighlightSections(False)
    return table
