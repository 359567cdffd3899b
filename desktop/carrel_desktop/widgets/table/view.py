# SPDX-License-Identifier: AGPL-3.0-or-later
"""The view of a table, whose columns give way where room is short."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QListView, QTableView

from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.rows import row_height
from carrel_desktop.widgets.table.column import Kind
from carrel_desktop.widgets.table.delegate import CellDelegate, line_height
from carrel_desktop.widgets.table.model import RowsModel


class RowsList(QListView):
    """Paints the first column of a model; a list with a look of its own has its own delegate."""

    def __init__(
        self,
        theme: Theme,
        model: QAbstractItemModel,
        name: str,
        said: str,
        *,
        is_compact: bool = False,
    ) -> None:
        super().__init__(uniformItemSizes=True)
        named(self, name, said)
        self.setModel(model)
        self.setItemDelegate(CellDelegate(theme, row_height(is_compact=is_compact), self))
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def choose(self, place: int) -> None:
        """Make a row the current one, and bring it into sight."""
        index = self.model().index(place, 0)
        self.setCurrentIndex(index)
        self.scrollTo(index)


def hidden_columns(kind: Kind[Any], width: int) -> set[int]:
    """Return the numbers of the columns that have no room in a table of this width in pixels."""
    hidden: set[int] = set()
    columns = kind.columns
    for number in sorted(range(len(columns)), key=lambda at: -columns[at].yields):
        left = [each for at, each in enumerate(columns) if at not in hidden]
        used = sum(each.width(is_narrow=bool(hidden)) for each in left)
        least = columns[number].beside or kind.least
        if not columns[number].yields or used + space(least) <= width:
            break
        hidden.add(number)
    return hidden


class RowsTable(QTableView):
    """Whole rows; Tab leaves the table. `chose` says that another row, or none, is the chosen one.

    `wanted` carries the place of a row that was activated, by Enter, Space or a double click.
    """

    chose = Signal()
    wanted = Signal(int)

    def __init__(self, theme: Theme, model: RowsModel[Any], name: str, said: str) -> None:
        super().__init__()
        self.rows = model
        self._fitted: Kind[Any] | None = None
        self._given: dict[int, int] = {}
        self.setObjectName(name)
        self.setAccessibleName(said)
        self.setModel(model)
        self._height = row_height() if model.kind.is_tall else line_height()
        self.setItemDelegate(CellDelegate(theme, self._height, self))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._set_up_header()
        model.modelReset.connect(self._on_reset)
        self.selectionModel().selectionChanged.connect(lambda *_: self.chose.emit())
        self.activated.connect(lambda index: self.wanted.emit(index.row()))
        self._on_reset()

    @property
    def place(self) -> int | None:
        """The place of the chosen row, None if none is."""
        chosen = self.selectionModel().selectedRows()
        return chosen[0].row() if chosen else None

    def list_rows(self, rows: Sequence[Any]) -> None:
        """Replace the rows; the columns stay."""
        self.rows.show(self.rows.kind, list(rows))

    def choose(self, place: int, *, adds: bool = False) -> None:
        """Choose a row, beside what is chosen or alone, and bring it into sight.

        Qt's own `selectRow` chooses none from right to left where the last column is hidden.
        """
        flag = QItemSelectionModel.SelectionFlag
        index = self.rows.index(place, 0)
        how = (flag.Select if adds else flag.ClearAndSelect) | flag.Rows
        self.selectionModel().setCurrentIndex(index, how)
        self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_single = self.selectionMode() is QAbstractItemView.SelectionMode.SingleSelection
        if event.key() == Qt.Key.Key_Space and is_single and self.place is not None:
            self.wanted.emit(self.place)
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _set_up_header(self) -> None:
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(self._height)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(space(12))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def _on_reset(self) -> None:
        """Fit the columns, which may be others, and show what they are sorted by."""
        if self.rows.kind.is_sortable:
            self._show_order()
        self._fit_columns()
        self.chose.emit()

    def _show_order(self) -> None:
        """Show what the rows are sorted by; sorting them once more would take its time."""
        header = self.horizontalHeader()
        shown = (header.sortIndicatorSection(), header.sortIndicatorOrder())
        if not self.isSortingEnabled() or shown != self.rows.order:
            self.setSortingEnabled(False)
            header.setSortIndicator(*self.rows.order)
            self.setSortingEnabled(True)

    def _fit_columns(self) -> None:
        columns = self.rows.kind.columns
        header = self.horizontalHeader()
        hidden = hidden_columns(self.rows.kind, self.viewport().width())
        mode = QHeaderView.ResizeMode
        if self._fitted is not self.rows.kind:
            self._fitted, self._given = self.rows.kind, {}
        for number, column in enumerate(columns):
            self.setColumnHidden(number, number in hidden)
            is_rest = column.takes_rest
            header.setSectionResizeMode(number, mode.Stretch if is_rest else mode.Interactive)
            width = column.width(is_narrow=bool(hidden))
            if not is_rest and self._given.get(number) != width:  # else it is the person's
                self.setColumnWidth(number, width)
                self._given[number] = width
