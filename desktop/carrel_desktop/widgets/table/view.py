# SPDX-License-Identifier: AGPL-3.0-or-later
"""The view of a table, whose columns give way where room is short."""

from collections.abc import Iterator, Sequence, Set
from itertools import chain
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QListView, QTableView

from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.rows import row_height
from carrel_desktop.widgets.selection import ChoosesAlone
from carrel_desktop.widgets.table.column import Kind
from carrel_desktop.widgets.table.delegate import CellDelegate, line_height
from carrel_desktop.widgets.table.model import RowsModel, TableModel


class RowsList(ChoosesAlone, QListView):
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


def hidden_columns(kind: Kind[Any], width: int, unwanted: Set[int] = frozenset()) -> set[int]:
    """Return the numbers of the columns that have no room in a table of this width in pixels, and
    of those that are unwanted anyway."""
    hidden = set(unwanted)
    columns = kind.columns
    giving_way = [number for number in range(len(columns)) if number not in unwanted]
    for number in sorted(giving_way, key=lambda at: -columns[at].yields):
        left = [each for at, each in enumerate(columns) if at not in hidden]
        used = sum(each.width(is_narrow=hidden > set(unwanted)) for each in left)
        least = columns[number].beside or kind.least
        if not columns[number].yields or used + space(least) <= width:
            break
        hidden.add(number)
    return hidden


def least_width(kind: Kind[Any], hidden: Set[int]) -> int:
    """Return how many pixels the columns of a table need that are not hidden."""
    shown = [each for number, each in enumerate(kind.columns) if number not in hidden]
    return sum(each.width(is_narrow=False) or space(kind.least) for each in shown)


class Table(ChoosesAlone, QTableView):
    """Whole rows; Tab leaves the table. `chose` says that another row, or none, is the chosen one.

    `wanted` carries the place of a row that was activated, by Enter, Space or a double click.
    `gave_way` says that other columns have no room than before.
    """

    chose = Signal()
    wanted = Signal(int)
    gave_way = Signal()

    def __init__(self, theme: Theme, model: TableModel[Any], name: str, said: str) -> None:
        super().__init__()
        self.rows = model
        self._unwanted: Set[int] = frozenset()
        self.has_chosen_columns = False
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

    def selectRow(self, row: int) -> None:
        """Choose this row and no other, whatever keys are held."""
        with self.choosing_alone():
            super().selectRow(row)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Go as asked; Home and End lead to the first and the last row, since rows are whole."""
        actions = QAbstractItemView.CursorAction
        if action not in (actions.MoveHome, actions.MoveEnd) or not self.rows.rowCount():
            return super().moveCursor(action, modifiers)
        row = 0 if action is actions.MoveHome else self.rows.rowCount() - 1
        return self.rows.index(row, max(self.currentIndex().column(), 0))

    @property
    def place(self) -> int | None:
        """The place of the chosen row, None if none is."""
        chosen = self.selectionModel().selectedRows()
        return chosen[0].row() if chosen else None

    @property
    def chosen_places(self) -> Iterator[range]:
        """The places of the chosen rows, in as few ranges as they make."""
        parts: Any = self.selectionModel().selection()  # a list, of which the stubs know nothing
        for part in parts:
            yield range(part.top(), part.bottom() + 1)

    def places_in_sight(self) -> range:
        """Return the places of the rows that are in the window, be it shown or not."""
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        count = self.rows.rowCount()
        return range(max(first, 0), (last + 1) if last >= 0 else count)

    @property
    def unwanted_columns(self) -> Set[int]:
        """The numbers of the columns that the person does not want to see."""
        return self._unwanted

    def hide_columns(self, numbers: Set[int]) -> None:
        """Do not show these columns; of the others, those give way that have no room. The first
        column always stays."""
        self._take_columns(numbers, is_choice=False)

    def choose_columns(self, unwanted: Set[int]) -> None:
        """Show all but these columns, which the person chose: where room is short, none gives way,
        and the table scrolls sideways."""
        self._take_columns(unwanted, is_choice=True)

    def choose(self, place: int, *, adds: bool = False) -> None:
        """Choose a row, beside what is chosen or alone, and bring it into sight."""
        chosen = chain.from_iterable(self.chosen_places) if adds else ()
        self.choose_all([place, *chosen])

    def choose_all(self, places: Sequence[int]) -> None:
        """Choose some rows, and bring the first that is given into sight.

        Qt's own `selectRow` chooses none from right to left where the last column is hidden.
        """
        flag = QItemSelectionModel.SelectionFlag
        chosen = QItemSelection()
        for first, last in _runs(sorted(places)):
            chosen.append(QItemSelectionRange(self.rows.index(first), self.rows.index(last)))
        index = self.rows.index(places[0], self._current_column())
        self.selectionModel().setCurrentIndex(index, flag.NoUpdate)
        self.selectionModel().select(chosen, flag.ClearAndSelect | flag.Rows)
        self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_single = self.selectionMode() is QAbstractItemView.SelectionMode.SingleSelection
        if event.key() == Qt.Key.Key_Space and is_single and self.place is not None:
            self.wanted.emit(self.place)
            return
        super().keyPressEvent(event)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Paint whole rows anew, which are framed: Qt does so with the one cell of each."""
        super().currentChanged(current, previous)
        for index in (current, previous):
            if index.isValid():
                top, height = self.rowViewportPosition(index.row()), self.rowHeight(index.row())
                self.viewport().update(0, top, self.viewport().width(), height)

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
        # Of its own: it asks each row whether a column is selected whole, each time it is painted.
        header.setSelectionModel(QItemSelectionModel(self.rows, header))
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

    def _current_column(self) -> int:
        """Return the column that is in sight with the current row: none scrolls away from it."""
        column = self.currentIndex().column()
        return 0 if column < 0 or self.isColumnHidden(column) else column

    def _take_columns(self, unwanted: Set[int], *, is_choice: bool) -> None:
        self._unwanted, self.has_chosen_columns = frozenset(unwanted) - {0}, is_choice
        self._fit_columns()

    @property
    def without_room(self) -> Sequence[str]:
        """The headings of the columns that are hidden though they are wanted."""
        columns = enumerate(self.rows.kind.columns)
        return [
            each.heading
            for at, each in columns
            if self.isColumnHidden(at) and at not in self._unwanted
        ]

    def _fit_columns(self) -> None:
        before = self.without_room
        self._give_widths()
        if self.without_room != before:
            self.gave_way.emit()

    def _give_widths(self) -> None:
        columns = self.rows.kind.columns
        header = self.horizontalHeader()
        kind, room = self.rows.kind, self.viewport().width()
        hidden, is_wider = set(self._unwanted), False
        scrolls = self.has_chosen_columns or kind.scrolls
        policy = Qt.ScrollBarPolicy
        self.setHorizontalScrollBarPolicy(
            policy.ScrollBarAsNeeded if scrolls else policy.ScrollBarAlwaysOff
        )
        if scrolls:
            is_wider = least_width(kind, hidden) > room
        else:
            hidden = hidden_columns(kind, room, self._unwanted)
        mode = QHeaderView.ResizeMode
        if self._fitted is not self.rows.kind:
            self._fitted, self._given = self.rows.kind, {}
        for number, column in enumerate(columns):
            self.setColumnHidden(number, number in hidden)
            is_rest = column.takes_rest and not is_wider
            header.setSectionResizeMode(number, mode.Stretch if is_rest else mode.Interactive)
            width = column.width(is_narrow=hidden > self._unwanted) or space(kind.least)
            if is_rest:
                self._given.pop(number, None)
            elif self._given.get(number) != width:  # else it is the person's
                self.setColumnWidth(number, width)
                self._given[number] = width


def _runs(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of each run of places that follow each other."""
    first = last = places[0]
    for place in places[1:]:
        if place > last + 1:
            yield first, last
            first = place
        last = place
    yield first, last


class RowsTable(Table):
    """A table of rows that are all there."""

    rows: RowsModel[Any]

    def list_rows(self, rows: Sequence[Any]) -> None:
        """Replace the rows; the columns stay."""
        self.rows.show(self.rows.kind, list(rows))
