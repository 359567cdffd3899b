# SPDX-License-Identifier: AGPL-3.0-or-later
"""The captures of a URL, one row each; they stream in, and are sorted and filtered here."""

from collections import Counter
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal

from carrel_desktop.views.mementos import columns
from carrel_desktop.views.mementos.columns import Column
from carrel_desktop.views.mementos.filter import Filter
from carrel_desktop.views.mementos.rows import Row, seconds_of
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import insertion, rearrangement, replacement

Role = Qt.ItemDataRole
TYPE_OF = attrgetter("mimetype")
ROW_ROLE = Role.UserRole
ALIGN_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
OWN_ORDER = (Column.TIME, True)  # column, and whether descending


class MementosModel(QAbstractTableModel):
    """Newest first until sorted otherwise. `relisted` says that other rows are listed."""

    relisted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[Row] = []
        self._listed: list[Row] = []
        self._filter = Filter()
        self._column, self._descending = OWN_ORDER
        self.types: Counter[str] = Counter()

    @property
    def listed(self) -> Sequence[Row]:
        """The rows that pass the filter, in the order of the table."""
        return self._listed

    @property
    def total(self) -> int:
        """How many there are, listed or not."""
        return len(self._all)

    @property
    def filter(self) -> Filter:
        return self._filter

    def replace(self, rows: Sequence[Row]) -> None:
        """Replace everything."""
        self._all = list(rows)
        self.types = Counter(map(TYPE_OF, rows))
        self._list()

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows where they belong; what is chosen stays chosen."""
        self._all += rows
        self.types.update(map(TYPE_OF, rows))
        if self._filter.only_distinct:
            self._list()  # an earlier one may have come
            return
        passed = self._filter.of(rows)
        if passed:
            last = len(self._listed) + len(passed) - 1
            with insertion(self, TOP, len(self._listed), last):
                self._listed += passed
            self._rearrange()
            self.relisted.emit()

    def set_filter(self, wanted: Filter) -> None:
        """List only what passes a filter."""
        if wanted != self._filter:
            self._filter = wanted
            self._list()

    def at(self, index: Index) -> Row | None:
        return self._listed[index.row()] if index.isValid() else None

    def place_of(self, key: tuple[str, str, str]) -> int | None:
        """Return the place of the capture of this key, None if it is not listed."""
        return next(
            (at for at in self._at(seconds_of(key[0])) if self._listed[at].key == key), None
        )

    def place_at(self, lane: int, seconds: int) -> int | None:
        """Return the place of the capture that a source has of a moment."""
        places = self._at(seconds)
        return next((place for place in places if lane in self._listed[place].lanes), None)

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._listed)

    def columnCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Role.TextAlignmentRole:
            return ALIGN_RIGHT if section == Column.LENGTH else None
        return columns.heading(Column(section)) if role == Role.DisplayRole else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._listed[index.row()], Column(index.column())
        match role:
            case Role.DisplayRole:
                return columns.text(row, column)
            case Role.AccessibleTextRole if column is Column.TIME:
                return columns.spoken(row)
            case Role.ToolTipRole:
                return columns.tip(row, column)
            case Role.TextAlignmentRole if column is Column.LENGTH:
                return ALIGN_RIGHT
            case Role.UserRole:
                return row
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; by none (-1), the newest first."""
        is_descending = order is Qt.SortOrder.DescendingOrder
        wanted = (Column(column), is_descending) if column >= 0 else OWN_ORDER
        self._column, self._descending = wanted
        self._rearrange()

    def _at(self, seconds: int) -> list[int]:
        """Return the places of what was captured at a moment."""
        return [place for place, row in enumerate(self._listed) if row.seconds == seconds]

    def _list(self) -> None:
        listed = self._sorted(self._filter.of(self._all))
        with replacement(self):
            self._listed = listed
        self.relisted.emit()

    def _rearrange(self) -> None:
        """Sort, and have selections follow their rows."""
        ordered = self._sorted(self._listed)
        with rearrangement(self):
            before = self.persistentIndexList()
            followed = {index.row(): self._listed[index.row()] for index in before}
            self._listed = ordered
            places = self._places(followed)
            self.changePersistentIndexList(before, [self._moved(index, places) for index in before])

    def _places(self, followed: dict[int, Row]) -> dict[int, int]:
        """Return where rows are now by where they were: few are chosen among very many."""
        if len(followed) < 20:
            return {old: self._listed.index(row) for old, row in followed.items()}
        places = {id(row): place for place, row in enumerate(self._listed)}
        return {old: places[id(row)] for old, row in followed.items()}

    def _moved(self, index: QModelIndex, places: dict[int, int]) -> QModelIndex:
        return self.index(places[index.row()], index.column())

    def _sorted(self, rows: Sequence[Row]) -> list[Row]:
        """Return rows by the column, and among equals by time."""
        by_time = columns.sort_key(Column.TIME)
        is_newest_first = self._descending or self._column is not Column.TIME
        ordered = sorted(rows, key=by_time, reverse=is_newest_first)
        if self._column is not Column.TIME:
            ordered.sort(key=columns.sort_key(self._column), reverse=self._descending)
        return ordered
