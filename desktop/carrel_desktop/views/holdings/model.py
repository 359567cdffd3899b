# SPDX-License-Identifier: AGPL-3.0-or-later
"""What has been archived, one row a dataset: its latest result. Sorted and filtered here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from carrel.model import Status
from carrel_desktop import quantities, words
from carrel_desktop.widgets.indexes import TOP, Index

Role = Qt.ItemDataRole
ROW_ROLE = Role.UserRole
ALIGN_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Column(IntEnum):
    DATASET = 0
    PLATFORM = 1
    VERSION = 2
    FILES = 3
    SIZE = 4
    OUTCOME = 5
    ARCHIVED = 6


@dataclass(frozen=True, slots=True)
class Holding:
    """A result without its manifest. `asked` is the request's address and names the row."""

    asked: str
    ingest_id: str
    title: str
    platform: str
    platform_id: str
    version: str
    file_count: int
    total_size: int
    unknown_sizes: int
    status: Status
    finished: str
    sought: str = ""


def holding_of(fields: Mapping[str, Any]) -> Holding:
    """Return the row of a result object."""
    asked = str(fields["request"]["base_url"])
    identifier = fields.get("doi") or fields.get("platform_id") or asked
    title = fields.get("title") or identifier
    platform = words.platform(fields.get("platform_name"))
    sought = [title, asked, identifier, platform, *(fields.get("creators") or ())]
    return Holding(
        asked=asked,
        ingest_id=fields.get("ingest_id") or "",
        title=title,
        platform=platform,
        platform_id=identifier,
        version=fields.get("platform_version") or "",
        file_count=fields.get("file_count") or 0,
        total_size=fields.get("total_size") or 0,
        unknown_sizes=fields.get("unknown_sizes") or 0,
        status=Status(fields["status"]),
        finished=fields.get("finished") or "",
        sought=" ".join([*sought, fields["status"]]).casefold(),
    )


class HoldingsModel(QAbstractTableModel):
    """Holdings, newest first until sorted otherwise."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[Holding] = []
        self._listed: list[Holding] = []
        self._sought: tuple[str, ...] = ()
        self._column = Column.ARCHIVED
        self._descending = True

    def show_holdings(self, holdings: Sequence[Holding]) -> None:
        """Replace everything."""
        self._all = list(holdings)
        self._list()

    def put(self, holdings: Sequence[Holding]) -> None:
        """Add holdings, each in place of the one of the same address."""
        newest = {holding.asked: holding for holding in holdings}
        self._all = [*newest.values(), *(row for row in self._all if row.asked not in newest)]
        self._list()

    def seek(self, text: str) -> None:
        """List the holdings in which every word of a text occurs."""
        self._sought = tuple(text.casefold().split())
        self._list()

    @property
    def total(self) -> int:
        """How many there are, listed or not."""
        return len(self._all)

    def at(self, index: Index) -> Holding | None:
        return self._listed[index.row()] if index.isValid() else None

    def row_of(self, asked: str) -> int | None:
        """Return the row of the dataset with this address, None if it is not listed."""
        rows = (row for row, holding in enumerate(self._listed) if holding.asked == asked)
        return next(rows, None)

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._listed)

    def columnCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Role.TextAlignmentRole:
            return ALIGN_RIGHT if section in (Column.FILES, Column.SIZE) else None
        if role != Role.DisplayRole:
            return None
        return {
            Column.DATASET: self.tr("Dataset"),
            Column.PLATFORM: self.tr("Platform"),
            Column.VERSION: self.tr("Version"),
            Column.FILES: self.tr("Files"),
            Column.SIZE: self.tr("Size"),
            Column.OUTCOME: self.tr("Outcome"),
            Column.ARCHIVED: self.tr("When"),
        }[Column(section)]

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._listed[index.row()], Column(index.column())
        match role:
            case Role.DisplayRole:
                return _text(row, column)
            case Role.AccessibleTextRole if column is Column.DATASET:
                return f"{row.title}. {row.platform_id}. {words.outcome(row.status)}"
            case Role.ToolTipRole:
                is_outcome = column is Column.OUTCOME
                return words.advice(row.status) if is_outcome else f"{row.title}\n{row.platform_id}"
            case Role.TextAlignmentRole if column in (Column.FILES, Column.SIZE):
                return ALIGN_RIGHT
            case Role.UserRole:
                return row
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if column < 0:
            return
        self._column, self._descending = Column(column), order is Qt.SortOrder.DescendingOrder
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        chosen = [self._listed[index.row()] for index in before]
        self._sort()
        places = {holding.asked: row for row, holding in enumerate(self._listed)}
        after = [
            self.index(places[holding.asked], index.column())
            for holding, index in zip(chosen, before, strict=True)
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def _list(self) -> None:
        self.beginResetModel()
        self._listed = [
            row for row in self._all if all(word in row.sought for word in self._sought)
        ]
        self._sort()
        self.endResetModel()

    def _sort(self) -> None:
        self._listed.sort(
            key=lambda row: (_sort_key(row, self._column), row.asked), reverse=self._descending
        )


def _text(row: Holding, column: Column) -> str:
    match column:
        case Column.DATASET:
            return row.title
        case Column.PLATFORM:
            return row.platform
        case Column.VERSION:
            return row.version
        case Column.FILES:
            return quantities.number(row.file_count) if row.file_count else "–"
        case Column.SIZE:
            known = row.file_count > 0
            return quantities.total(row.total_size, row.unknown_sizes) if known else "–"
        case Column.OUTCOME:
            return words.outcome(row.status)
    return quantities.moment(row.finished)


def _sort_key(row: Holding, column: Column) -> Any:
    match column:
        case Column.FILES:
            return row.file_count
        case Column.SIZE:
            return row.total_size
        case Column.OUTCOME:
            return (not row.status.is_success, words.outcome(row.status))
        case Column.ARCHIVED:
            return row.finished
    return _text(row, column).casefold()
