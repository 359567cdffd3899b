# SPDX-License-Identifier: AGPL-3.0-or-later
"""Rows of any kind under columns of any kind; sorted and filtered here, at 100,000 rows at once."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from carrel_desktop.foreign import in_place
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import insertion, rearrangement, replacement
from carrel_desktop.widgets.rows import ALIGN_RIGHT
from carrel_desktop.widgets.table.column import Column, Kind

R = TypeVar("R")
Role = Qt.ItemDataRole
COLUMN_ROLE = Role.UserRole
ROW_ROLE = Role.UserRole + 1


class TableModel(QAbstractTableModel, Generic[R]):
    """Rows under declared columns, and what they are sorted by."""

    def __init__(self, kind: Kind[R], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.kind = kind
        self._sorted_by, self._is_descending = kind.sorted_by, kind.is_descending

    @property
    def order(self) -> tuple[int, Qt.SortOrder]:
        """The column that the rows are sorted by, and which way."""
        order = Qt.SortOrder
        way = order.DescendingOrder if self._is_descending else order.AscendingOrder
        return self._sorted_by, way

    def at(self, index: Index) -> R | None:
        """Return what stands in a row, None where nothing does, or it is not known yet."""
        raise NotImplementedError

    def ident(self, index: Index) -> str:
        """Return what names a row, "" for none."""
        row = self.at(index)
        return self.kind.ident(row) if row is not None else ""

    def column(self, number: int) -> Column[R]:
        return self.kind.columns[number]

    def index(self, row: int, column: int = 0, parent: Index = TOP) -> QModelIndex:
        return super().index(row, column, parent)

    def columnCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self.kind.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is not Qt.Orientation.Horizontal or section >= len(self.kind.columns):
            return None
        column = self.kind.columns[section]
        if role == Role.TextAlignmentRole:
            return ALIGN_RIGHT if column.is_number else None
        return column.heading if role == Role.DisplayRole else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        row = self.at(index) if index.isValid() else None
        if row is None:
            is_there = index.isValid() and role == COLUMN_ROLE
            return self.kind.columns[index.column()] if is_there else None
        column = self.kind.columns[index.column()]
        match role:
            case Role.DisplayRole:
                return in_place(column.text(row))
            case Role.ToolTipRole:
                return in_place(column.tip(row) if column.tip else column.text(row))
            case Role.AccessibleTextRole if index.column() == 0:
                return self.kind.said(row)
            case Role.TextAlignmentRole if column.is_number:
                return ALIGN_RIGHT
            case int() if role == COLUMN_ROLE:
                return column
            case int() if role == ROW_ROLE:
                return row
        return None


class RowsModel(TableModel[R]):
    """What is listed of what there is. Sorting keeps the chosen rows; filtering starts anew."""

    def __init__(self, kind: Kind[R], parent: QObject | None = None) -> None:
        super().__init__(kind, parent)
        self._all: Sequence[R] = ()
        self._listed: list[R] = []
        self._sought: list[str] | None = None
        self._words: tuple[str, ...] = ()
        self._passes: Callable[[R], bool] | None = None

    @property
    def listed(self) -> Sequence[R]:
        """The rows that pass the filter, in the order of the table."""
        return self._listed

    @property
    def all(self) -> Sequence[R]:
        """All rows there are, listed or not."""
        return self._all

    @property
    def total(self) -> int:
        """How many there are, listed or not."""
        return len(self._all)

    def show(self, kind: Kind[R], rows: Sequence[R]) -> None:
        """Replace rows and columns."""
        if kind is not self.kind:
            self._sorted_by, self._is_descending = kind.sorted_by, kind.is_descending
        with replacement(self):
            self.kind, self._listed = kind, []  # rows of one kind have no place under another's
            self._all, self._sought = rows, None
            self._listed = self._filled()

    def know(self, sought: list[str]) -> None:
        """Take what a filter looks through, row by row of what was shown last."""
        if len(sought) == len(self._all):
            self._sought = sought

    def put(self, rows: Sequence[R], key: Callable[[R], object]) -> None:
        """Replace rows by their key, and add those that are new at the end."""
        if self._words or self._passes:
            self._all, self._sought = _put(rows, self._all, key), None
            self.relist()
            return
        count = len(self._listed)
        put = _put(rows, self._listed, key)
        self._listed = put[:count]
        if count:
            last = self.index(count - 1, len(self.kind.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
        if len(put) > count:
            with insertion(self, TOP, count, len(put) - 1):
                self._listed = put
        self._all, self._sought = list(put), None

    def take_in(self, rows: Sequence[R], passed: Sequence[R]) -> None:
        """Add rows; list those that passed the filter where they belong, and keep the choice."""
        self._all, self._sought = [*self._all, *rows], None
        if passed:
            last = len(self._listed) + len(passed) - 1
            with insertion(self, TOP, len(self._listed), last):
                self._listed += passed
            if self.kind.is_sortable:
                self.rearrange(self.ordered(self._listed))

    def changed(self, row: R) -> None:
        """Tell the views that a row says something else now."""
        for at, each in enumerate(self._listed):
            if each is row:
                self.dataChanged.emit(self.index(at, 0), self.index(at, self.columnCount() - 1))

    def seek(self, words: Sequence[str], passes: Callable[[R], bool] | None = None) -> None:
        """List only rows that have every word, in any case, and pass."""
        wanted = tuple(word.casefold() for word in words)
        if (wanted, passes) != (self._words, self._passes):
            self._words, self._passes = wanted, passes
            self.relist()

    def at(self, index: Index) -> R | None:
        return self._listed[index.row()] if 0 <= index.row() < len(self._listed) else None

    def place_of(self, ident: str) -> int | None:
        """Return the place of the first row of a name, None if it is not listed."""
        name = self.kind.ident
        return next((at for at, row in enumerate(self._listed) if name(row) == ident), None)

    def places_of(self, idents: Iterable[str]) -> list[int]:
        """Return the places of the rows of these names that are listed."""
        found = map(self.place_of, idents)
        return [place for place in found if place is not None]

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._listed)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; by none (-1), as rows of this kind are sorted by themselves."""
        if column >= len(self.kind.columns):
            return  # of columns that were there before
        is_descending = order is Qt.SortOrder.DescendingOrder
        own = (self.kind.sorted_by, self.kind.is_descending)
        self._sorted_by, self._is_descending = (column, is_descending) if column >= 0 else own
        self.rearrange(self.ordered(self._listed))

    def rearrange(self, ordered: list[R]) -> None:
        """List the same rows in another order; selections follow them."""
        with rearrangement(self):
            before = self.persistentIndexList()
            chosen = [self._listed[index.row()] for index in before]
            self._listed = ordered
            self.changePersistentIndexList(before, self._moved(before, chosen))

    def _moved(self, before: Sequence[QModelIndex], chosen: Sequence[R]) -> list[QModelIndex]:
        """Return where rows are now that were at these places."""
        if not before:
            return []
        wanted = set(map(id, chosen))  # few among very many
        places = {key: at for at, key in enumerate(map(id, self._listed)) if key in wanted}
        return [
            self.createIndex(places[id(row)], index.column())
            for row, index in zip(chosen, before, strict=True)
        ]

    def relist(self) -> None:
        """List anew what passes the filter."""
        self.list_only(self._filled())

    def list_only(self, rows: Sequence[R]) -> None:
        """List these rows, which are in their order and pass the filter."""
        with replacement(self):
            self._listed = list(rows)

    def _filled(self) -> list[R]:
        """Return what passes the filter, in its order."""
        return self.ordered(self.sifted(self._all))

    def sifted(self, rows: Sequence[R]) -> Sequence[R]:
        """Return which of all rows pass the filter."""
        if self._words:
            if self._sought is None:
                self._sought = [self.kind.sought(row) for row in rows]
            texts: Sequence[str] = self._sought
            for word in self._words:
                rows, texts = _having(word, rows, texts)
        if self._passes is not None:
            rows = [row for row in rows if self._passes(row)]
        return rows

    def ordered(self, rows: Sequence[R]) -> list[R]:
        """Return rows in the order of the table."""
        columns, first, by = self.kind.columns, self.kind.sorted_by, self._sorted_by
        if self.kind.keeps_order and by != first:
            rows = sorted(rows, key=columns[first].key, reverse=self.kind.is_descending)
        return sorted(rows, key=columns[by].key, reverse=self._is_descending)


def _put(rows: Sequence[R], among: Sequence[R], key: Callable[[R], object]) -> list[R]:
    """Return rows with others in place of those of the same key, or at the end."""
    put = {key(row): row for row in among}
    put |= {key(row): row for row in rows}
    return list(put.values())


def _having(
    word: str, rows: Sequence[R], texts: Sequence[str]
) -> tuple[Sequence[R], Sequence[str]]:
    found = [place for place, text in enumerate(texts) if word in text]
    return [rows[place] for place in found], [texts[place] for place in found]
