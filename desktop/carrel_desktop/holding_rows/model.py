# SPDX-License-Identifier: AGPL-3.0-or-later
"""One row a dataset: what is held of it, and a later attempt. Sought here, by place and words."""

from collections.abc import Sequence, Set
from enum import Enum

from PySide6.QtCore import QObject, Qt

from carrel_desktop.holding_rows import columns
from carrel_desktop.holding_rows.holding import Holding
from carrel_desktop.widgets.table.model import RowsModel


class Place(Enum):
    """Which datasets are listed."""

    ALL = 0
    HELD = 1
    NOTHING_HELD = 2


class HoldingsModel(RowsModel[Holding]):
    """Holdings, newest first until sorted otherwise.

    Each order that was requested is kept until the holdings change: of a hundred thousand, sorting
    takes a tenth of a second, and what is listed is a part of an order.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(columns.holdings(lambda: self.outcome_words), parent)
        self._words_sought: tuple[str, ...] = ()
        self._among: Set[str] | None = None
        self._place = Place.ALL
        self._held_count = 0
        self.outcome_words: Sequence[str] = ()
        self._orders: dict[tuple[int, Qt.SortOrder], list[Holding]] = {}

    def show_holdings(self, holdings: Sequence[Holding]) -> None:
        """Replace everything. Those of the same rank will stand in the order in which they came."""
        self._held_count = sum(row.is_held for row in holdings)
        self.outcome_words = _words_of_outcomes(holdings)
        self._orders = {}
        self.show(self.kind, list(holdings))

    def add(self, holdings: Sequence[Holding]) -> None:
        """Add holdings, each in place of the one of the same address."""
        newest = {holding.asked: holding for holding in holdings}
        rest = [row for row in self.all if row.asked not in newest]
        self.show_holdings([*newest.values(), *rest])

    def find(self, text: str) -> None:
        """List the holdings in which every word of a text occurs."""
        before, self._words_sought = self._words_sought, tuple(text.casefold().split())
        was_among, self._among = self._among is not None, None
        if was_among:
            self.relist()
        if was_among or self._words_sought == before:
            return
        is_narrower = all(any(word in longer for longer in self._words_sought) for word in before)
        if is_narrower:
            self.list_only(self._sifted(self.listed))
        else:
            self.relist()

    def find_among(self, asked: Set[str]) -> None:
        """List the holdings of these addresses, until something else is sought."""
        self._words_sought, self._among = (), asked
        self.relist()

    def show_place(self, place: Place) -> None:
        """List the holdings of a place."""
        self._place = place
        self.relist()

    def count(self, place: Place) -> int:
        """Return how many there are in a place, sought or not."""
        counts = {Place.ALL: self.total, Place.HELD: self._held_count}
        return counts.get(place, self.total - self._held_count)

    @property
    def found_elsewhere(self) -> int:
        """How many there are of what is sought that the place leaves out."""
        if self._place is Place.ALL or not (self._words_sought or self._among is not None):
            return 0
        return len(self._found(self.all)) - len(self.listed)

    @property
    def has_faults(self) -> bool:
        """Whether anything is known to be damaged or missing."""
        return any(row.failed for row in self.all)

    def ordered(self, rows: Sequence[Holding]) -> list[Holding]:
        """Return what is sought, as a part of an order of all."""
        if self.order not in self._orders:
            self._orders[self.order] = super().ordered(self.all)
        return list(self._sifted(self._orders[self.order]))

    def _sifted(self, rows: Sequence[Holding]) -> Sequence[Holding]:
        """Return what is sought of these rows in the place."""
        if self._place is not Place.ALL:
            is_held = self._place is Place.HELD
            rows = [row for row in rows if row.is_held is is_held]
        return self._found(rows)

    def _found(self, rows: Sequence[Holding]) -> Sequence[Holding]:
        """Return what is sought of these rows, whatever their place."""
        if self._among is not None:
            rows = [row for row in rows if row.asked in self._among]
        for word in self._words_sought:
            rows = [row for row in rows if word in row.sought]
        return rows


def _words_of_outcomes(holdings: Sequence[Holding]) -> Sequence[str]:
    """Return what is said in the column of outcomes, each once: there are few kinds of rows."""
    kinds = {
        (row.status, row.failed, row.fate, row.last and row.last.status): row for row in holdings
    }
    return sorted({text for row in kinds.values() for text in columns.outcomes(row)})
