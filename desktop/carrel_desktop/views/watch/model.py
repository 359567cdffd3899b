# SPDX-License-Identifier: AGPL-3.0-or-later
"""Watched datasets, one row each; those that need a person first until sorted otherwise."""

from collections.abc import Sequence
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from carrel.model.dark_views import WatchedRow
from carrel_desktop import quantities
from carrel_desktop.views.watch import states
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import rearrangement, replacement
from carrel_desktop.widgets.rows import ALIGN_RIGHT

Role = Qt.ItemDataRole
ROW_ROLE = Role.UserRole


class Column(IntEnum):
    DATASET = 0
    STATE = 1
    VERSION = 2
    CHANGED = 3
    GONE = 4
    ADDED = 5
    LOOKED = 6


COUNTS = (Column.CHANGED, Column.GONE, Column.ADDED)
OWN_ORDER = (Column.STATE, False)  # column, and whether descending: those that need a person first


class WatchModel(QAbstractTableModel):
    """`Role.UserRole` gives the WatchedRow."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[WatchedRow] = []
        self._column, self._descending = OWN_ORDER

    def show_rows(self, rows: Sequence[WatchedRow]) -> None:
        """Replace everything."""
        ordered = self._sorted(rows)
        with replacement(self):
            self._rows = ordered

    def rows(self) -> Sequence[WatchedRow]:
        """Return what is listed, in its order."""
        return self._rows

    def at(self, index: Index) -> WatchedRow | None:
        return self._rows[index.row()] if index.isValid() else None

    def row_of(self, base_url: str) -> int | None:
        """Return the row of a dataset, None if it is not listed."""
        found = (row for row, each in enumerate(self._rows) if each.base_url == base_url)
        return next(found, None)

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Role.TextAlignmentRole:
            return ALIGN_RIGHT if section in COUNTS else None
        if role != Role.DisplayRole:
            return None
        return {
            Column.DATASET: self.tr("Dataset"),
            Column.STATE: self.tr("State"),
            Column.VERSION: self.tr("Version"),
            Column.CHANGED: self.tr("Changed"),
            Column.GONE: self.tr("Gone"),
            Column.ADDED: self.tr("New"),
            Column.LOOKED: self.tr("Last look"),
        }[Column(section)]

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], Column(index.column())
        match role:
            case Role.DisplayRole:
                return self._text(row, column)
            case Role.AccessibleTextRole if column is Column.DATASET:
                return f"{row.title}. {row.base_url}. {states.state(row.state).word}"
            case Role.ToolTipRole:
                return f"{row.title}\n{row.base_url}" if column is Column.DATASET else row.message
            case Role.TextAlignmentRole if column in COUNTS:
                return ALIGN_RIGHT
            case Role.UserRole:
                return row
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; by none (-1), those that need a person first."""
        is_descending = order is Qt.SortOrder.DescendingOrder
        wanted = (Column(column), is_descending) if column >= 0 else OWN_ORDER
        self._column, self._descending = wanted
        ordered = self._sorted(self._rows)
        places = {row.base_url: place for place, row in enumerate(ordered)}
        with rearrangement(self):
            before = self.persistentIndexList()
            after = [
                self.index(places[self._rows[index.row()].base_url], index.column())
                for index in before
            ]
            self._rows = ordered
            self.changePersistentIndexList(before, after)

    def _sorted(self, rows: Sequence[WatchedRow]) -> list[WatchedRow]:
        return sorted(
            rows,
            key=lambda row: (_sort_key(row, self._column), row.title.casefold(), row.base_url),
            reverse=self._descending,
        )

    def _text(self, row: WatchedRow, column: Column) -> str:
        match column:
            case Column.DATASET:
                return row.title
            case Column.STATE:
                return states.state(row.state).word
            case Column.VERSION:
                return versions(row)
            case Column.LOOKED:
                return looked(row) or self.tr("never")
        count = _count(row, column)
        return quantities.number(count) if count else "–"


def versions(row: WatchedRow) -> str:
    """Return "1 → 2" for a version that changed, the version else, nothing for none."""
    then, now = row.version_then or "", row.version_now or ""
    return f"{then} → {now}" if then and now and then != now else now or then


def looked(row: WatchedRow) -> str:
    """Return when the last look was, empty if there was none."""
    if row.looked is None:
        return ""
    return quantities.moment(datetime.fromtimestamp(row.looked, UTC).isoformat())


def _count(row: WatchedRow, column: Column) -> int:
    return {Column.CHANGED: row.changed, Column.GONE: row.gone, Column.ADDED: row.added}[column]


def _sort_key(row: WatchedRow, column: Column) -> Any:
    match column:
        case Column.STATE:
            return states.state(row.state).rank
        case Column.CHANGED | Column.GONE | Column.ADDED:
            return _count(row, column)
        case Column.LOOKED:
            return row.looked or 0
        case Column.VERSION:
            return versions(row)
    return row.title.casefold()
