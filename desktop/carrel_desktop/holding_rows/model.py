# SPDX-License-Identifier: AGPL-3.0-or-later
"""One row a dataset: what is held of it, and a later attempt. Sorted and filtered here."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum, IntEnum
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QObject, Qt

from carrel.model import Fate, Status
from carrel_desktop import quantities, words
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import rearrangement, replacement

Role = Qt.ItemDataRole
ROW_ROLE = Role.UserRole
ALIGN_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Column(IntEnum):
    DATASET = 0
    PLATFORM = 1
    SIZE = 2
    OUTCOME = 3
    ARCHIVED = 4


OWN_ORDER = (Column.ARCHIVED, True)  # column, and whether descending


class Place(Enum):
    """Which datasets are listed."""

    ALL = 0
    HELD = 1
    NOTHING_HELD = 2


@dataclass(frozen=True, slots=True)
class LastAttempt:
    """A later attempt at what is held, which kept less or found everything here already.

    `kept_count` is of `file_count` files.
    """

    status: Status
    started: str
    message: str = ""
    kept_count: int = 0
    file_count: int = 0


@dataclass(frozen=True, slots=True)
class Holding:
    """A result without its manifest. `asked` is the request's address and names the row.

    `status` is how what is held stands, `archived` since when it is here, empty where nothing is
    known to be; `finished` is when the attempt ended. `last` is None if the result is that of the
    last attempt. Of what it rests on, `failed` records were found damaged or missing when they were
    last read; `fate` is then the worst of them.
    """

    asked: str
    ingest_id: str
    title: str
    platform: str
    identifier: str
    version: str
    file_count: int
    kept_count: int
    total_size: int
    unknown_sizes: int
    status: Status
    finished: str
    last: LastAttempt | None = None
    failed: int = 0
    fate: Fate = Fate.INTACT
    sought: str = ""
    archived: str = ""

    @property
    def since(self) -> str:
        """Since when it is held or, where nothing is, when the last attempt ended."""
        return self.archived or self.finished

    @property
    def is_held(self) -> bool:
        return self.kept_count > 0 or self.status.is_success


def holding_of(fields: Mapping[str, Any]) -> Holding:
    """Return the row of a result object."""
    asked = str(fields["request"]["base_url"])
    identifier = fields.get("doi") or fields.get("platform_id") or asked
    title = fields.get("title") or identifier
    platform = words.platform(fields.get("platform_name"))
    last = _last_attempt(fields.get("last_attempt"))
    fixity = fields.get("fixity") or {}
    failed, fate = fixity.get("failed", 0), Fate(fixity.get("fate") or Fate.INTACT)
    sought = [title, asked, identifier, platform, *(fields.get("creators") or ())]
    return Holding(
        asked=asked,
        ingest_id=fields.get("ingest_id") or "",
        title=title,
        platform=platform,
        identifier=identifier,
        version=fields.get("platform_version") or "",
        file_count=fields.get("file_count") or 0,
        kept_count=fields.get("kept_count") or 0,
        total_size=fields.get("total_size") or 0,
        unknown_sizes=fields.get("unknown_sizes") or 0,
        status=held_status(Status(fields["status"])),
        finished=fields.get("finished") or "",
        archived=fields.get("archived") or "",
        last=last,
        failed=failed,
        fate=fate,
        sought=" ".join(
            [
                *sought,
                fields["status"],
                last.status if last else "",
                f"damaged {fate}" if failed else "",
            ]
        ).casefold(),
    )


def held_status(status: Status) -> Status:
    """Return how what is held stands: of an attempt that found everything here, everything is."""
    return Status.SUCCESS if status is Status.SUCCESS_EXISTING else status


def _last_attempt(fields: Mapping[str, Any] | None) -> LastAttempt | None:
    if not fields:
        return None
    return LastAttempt(
        status=Status(fields["status"]),
        started=fields["started"],
        message=fields.get("error_message") or "",
        kept_count=fields.get("kept_count") or 0,
        file_count=fields.get("file_count") or 0,
    )


class HoldingsModel(QAbstractTableModel):
    """Holdings, newest first until sorted otherwise.

    Each order that was asked for is kept until the holdings change: of a hundred thousand, sorting
    takes a tenth of a second, and what is listed is a part of an order.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[Holding] = []
        self._listed: list[Holding] = []
        self._sought: tuple[str, ...] = ()
        self._among: Set[str] | None = None
        self._place = Place.ALL
        self._held_count = 0
        self.outcome_words: Sequence[str] = ()
        self._order = OWN_ORDER
        self._orders: dict[tuple[Column, bool], list[Holding]] = {}

    def show_holdings(self, holdings: Sequence[Holding]) -> None:
        """Replace everything. Those of the same rank will stand in the order in which they came."""
        self._all = list(holdings)
        self._held_count = sum(row.is_held for row in self._all)
        self.outcome_words = self._words_of_outcomes()
        self._orders = {}
        self._list(self._in_order())

    def put(self, holdings: Sequence[Holding]) -> None:
        """Add holdings, each in place of the one of the same address."""
        newest = {holding.asked: holding for holding in holdings}
        rest = [row for row in self._all if row.asked not in newest]
        self.show_holdings([*newest.values(), *rest])

    def seek(self, text: str) -> None:
        """List the holdings in which every word of a text occurs."""
        before, self._sought = self._sought, tuple(text.casefold().split())
        was_among, self._among = self._among is not None, None
        if was_among:
            self._list(self._in_order())
        if was_among or self._sought == before:
            return
        is_narrower = all(any(word in longer for longer in self._sought) for word in before)
        self._list(self._listed if is_narrower else self._in_order())

    def seek_among(self, asked: Set[str]) -> None:
        """List the holdings of these addresses, until something else is sought."""
        self._sought, self._among = (), asked
        self._list(self._in_order())

    def show_place(self, place: Place) -> None:
        """List the holdings of a place."""
        self._place = place
        self._list(self._in_order())

    def count(self, place: Place) -> int:
        """Return how many there are in a place, sought or not."""
        counts = {Place.ALL: self.total, Place.HELD: self._held_count}
        return counts.get(place, self.total - self._held_count)

    @property
    def found_elsewhere(self) -> int:
        """How many there are of what is sought that the place leaves out."""
        if self._place is Place.ALL or not (self._sought or self._among is not None):
            return 0
        return len(self._found(self._all)) - len(self._listed)

    @property
    def total(self) -> int:
        """How many there are, listed or not."""
        return len(self._all)

    @property
    def has_faults(self) -> bool:
        """Whether anything is known to be damaged or missing."""
        return any(row.failed for row in self._all)

    def at(self, index: Index) -> Holding | None:
        return self._listed[index.row()] if index.isValid() else None

    def row_of(self, asked: str) -> int | None:
        """Return the row of the dataset with this address, None if it is not listed."""
        return self._places_of({asked}).get(asked)

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._listed)

    def columnCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Role.TextAlignmentRole:
            return ALIGN_RIGHT if section == Column.SIZE else None
        if role != Role.DisplayRole:
            return None
        return {
            Column.DATASET: self.tr("Dataset"),
            Column.PLATFORM: self.tr("Platform"),
            Column.SIZE: self.tr("Size"),
            Column.OUTCOME: outcome_heading(),
            Column.ARCHIVED: self.tr("When"),
        }[Column(section)]

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._listed[index.row()], Column(index.column())
        match role:
            case Role.DisplayRole if column is Column.OUTCOME:
                return self.outcome(row)
            case Role.DisplayRole:
                return _text(row, column)
            case Role.AccessibleTextRole if column is Column.DATASET:
                return ". ".join([row.title, self.second_line(row), *self._outcomes(row)])
            case Role.ToolTipRole if column is Column.OUTCOME:
                return "\n".join([*self._outcomes(row), self._advice(row)])
            case Role.ToolTipRole if column is Column.ARCHIVED:
                return self._when(row)
            case Role.ToolTipRole:
                return f"{row.title}\n{self.second_line(row)}"
            case Role.TextAlignmentRole if column is Column.SIZE:
                return ALIGN_RIGHT
            case Role.UserRole:
                return row
        return None

    def second_line(self, row: Holding) -> str:
        """Return what tells a dataset from others of its title, and how much of it is kept."""
        name = row.asked if row.identifier == row.title else row.identifier
        parts = [name if name != row.title else "", words.version(row.version), self._kept(row)]
        return " · ".join(part for part in parts if part)

    def outcome(self, row: Holding) -> str:
        """Return in few words how what is held stands."""
        return words.fate(row.fate) if row.failed else words.outcome(row.status)

    def beside(self, row: Holding) -> str:
        """Return in few words what else is to be known: how much is damaged, or how a later attempt
        ended; empty if nothing is.
        """
        if row.failed:
            return quantities.records(row.failed)
        if row.last is not None and not row.last.status.is_success:
            return self.tr("Later: {outcome}").format(outcome=words.outcome(row.last.status))
        return ""

    def _when(self, row: Holding) -> str:
        """Return what the moment of a row is."""
        text = self.tr("Archived {moment}") if row.is_held else self.tr("Last tried {moment}")
        return text.format(moment=quantities.moment(row.since))

    def _words_of_outcomes(self) -> Sequence[str]:
        """Return what is said in the column of outcomes, each once: there are few kinds of rows."""
        kinds = {
            (row.status, row.failed, row.fate, row.last and row.last.status): row
            for row in self._all
        }
        return sorted({text for row in kinds.values() for text in self._outcomes(row)})

    def _outcomes(self, row: Holding) -> list[str]:
        return [text for text in (self.outcome(row), self.beside(row)) if text]

    def _advice(self, row: Holding) -> str:
        if row.failed:
            return words.check_the_disk()
        return words.advice(row.status)

    def _kept(self, row: Holding) -> str:
        if not row.is_held:
            return self.tr("Nothing kept")
        files = quantities.files(row.file_count)
        if row.kept_count == row.file_count:
            return files
        return self.tr("{kept} of {files}").format(
            kept=quantities.number(row.kept_count), files=files
        )

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; by none (-1), the newest first."""
        is_descending = order is Qt.SortOrder.DescendingOrder
        self._order = (Column(column), is_descending) if column >= 0 else OWN_ORDER
        ordered = self._sifted(self._in_order())
        with rearrangement(self):
            before = self.persistentIndexList()
            chosen = [self._listed[index.row()].asked for index in before]
            self._listed = ordered
            places = self._places_of(set(chosen))
            after = [
                self.index(places[asked], index.column())
                for asked, index in zip(chosen, before, strict=True)
            ]
            self.changePersistentIndexList(before, after)

    def _list(self, rows: list[Holding]) -> None:
        """List what is sought of these rows, which are in their order."""
        listed = self._sifted(rows)
        with replacement(self):
            self._listed = listed

    def _sifted(self, rows: list[Holding]) -> list[Holding]:
        if self._place is not Place.ALL:
            is_held = self._place is Place.HELD
            rows = [row for row in rows if row.is_held is is_held]
        return self._found(rows)

    def _found(self, rows: list[Holding]) -> list[Holding]:
        """Return what is sought of these rows, whatever their place."""
        if self._among is not None:
            rows = [row for row in rows if row.asked in self._among]
        for word in self._sought:
            rows = [row for row in rows if word in row.sought]
        return rows

    def _places_of(self, asked: Set[str]) -> dict[str, int]:
        return {row.asked: at for at, row in enumerate(self._listed) if row.asked in asked}

    def _in_order(self) -> list[Holding]:
        """Return all holdings as they are sorted now, the newest first among equals."""
        if self._order not in self._orders:
            column, descending = self._order
            self._orders[self._order] = sorted(self._all, key=_sort_key(column), reverse=descending)
        return self._orders[self._order]


def outcome_heading() -> str:
    """Return what stands above the outcomes."""
    return QCoreApplication.translate("HoldingsModel", "Outcome")


def _text(row: Holding, column: Column) -> str:
    match column:
        case Column.DATASET:
            return row.title
        case Column.PLATFORM:
            return row.platform
        case Column.SIZE:
            known = row.file_count > 0
            return quantities.total(row.total_size, row.unknown_sizes) if known else "–"
    return quantities.moment(row.since)


def _sort_key(column: Column) -> Callable[[Holding], Any]:
    """Return what gives the key of a row. One value a row: tuples take five times as long."""
    match column:
        case Column.DATASET:
            return lambda row: row.title.casefold()
        case Column.PLATFORM:
            return lambda row: row.platform.casefold()
        case Column.SIZE:
            return attrgetter("total_size")
        case Column.OUTCOME:
            return _OutcomeKeys()
    return attrgetter("since")


class _OutcomeKeys:
    """Keys of outcomes: what is well first, then by the word. There are few, made once each."""

    def __init__(self) -> None:
        self._keys: dict[tuple[Status, bool, bool, bool], str] = {}

    def __call__(self, row: Holding) -> str:
        has_failed_since = row.last is not None and not row.last.status.is_success
        kind = (row.status, row.failed > 0, row.kept_count > 0, has_failed_since)
        key = self._keys.get(kind)
        if key is None:
            is_worse = (row.failed, not row.is_held, not row.status.is_success, has_failed_since)
            badness = "".join(str(int(bool(each))) for each in is_worse)
            key = self._keys[kind] = f"{badness} {words.outcome(row.status)}"
        return key
