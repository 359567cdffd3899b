# SPDX-License-Identifier: AGPL-3.0-or-later
"""Rows that are read as they come into sight: a table of hundreds of thousands is as large as its
window."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from carrel_desktop.timers import delay
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import insertion, replacement
from carrel_desktop.widgets.table.column import Kind
from carrel_desktop.widgets.table.model import TableModel

R = TypeVar("R")
PAGE = 100
MOST_KNOWN = 50 * PAGE
FEW = 8  # numbers that are sought one by one


def same_numbers(some: Sequence[int], others: Sequence[int]) -> bool:
    """Say whether numbers are the same in the same order, be they millions."""
    return _compact(some) == _compact(others)


class PagedModel(TableModel[R]):
    """Lists numbers, in an order that others give, each of which stands for a row.

    `needed` carries the numbers of rows to read, which `know` then takes; `resorted` says that the
    person wants another `order`. `number` is what a row goes by.
    """

    needed = Signal(object)
    resorted = Signal()

    def __init__(
        self, kind: Kind[R], number: Callable[[R], int], parent: QObject | None = None
    ) -> None:
        super().__init__(kind, parent)
        self._number = number
        self._numbers: array[int] = array("q")
        self._known: dict[int, R] = {}
        self._pages_asked: set[int] = set()
        self._pages_wanted: set[int] = set()
        self._asking = delay(self, 0, self._ask)
        self.in_sight: Callable[[], range] = lambda: range(0)  # the places that a view shows

    @property
    def numbers(self) -> Sequence[int]:
        """What is listed, in the order of the table."""
        return self._numbers

    def show_numbers(self, numbers: Sequence[int]) -> None:
        """List other rows, or the same in another order."""
        with replacement(self):
            self._numbers = _compact(numbers)
            self._pages_asked.clear()

    def show_more(self, numbers: Sequence[int]) -> bool:
        """List what comes below what is listed, where that is how the numbers begin; else change
        nothing, and say so."""
        more, count = _compact(numbers), len(self._numbers)
        if more[:count] != self._numbers:
            return False
        if len(more) > count:
            self._pages_asked.discard(count // PAGE)  # it was short
            with insertion(self, TOP, count, len(more) - 1):
                self._numbers = more
        return True

    def read_anew(self) -> None:
        """Read again what is in sight; for so long it is shown as it was, and nothing else is."""
        places = self.in_sight()
        shown = {
            number: self._known.get(number) for number in self._numbers[places.start : places.stop]
        }
        self._known = {number: row for number, row in shown.items() if row is not None}
        self._pages_asked.clear()
        self._pages_wanted |= {place // PAGE for place in places}
        self._asking.start()
        self._tell_changed(0, len(self._numbers) - 1)

    def know(self, rows: Sequence[R]) -> None:
        """Take rows that were read."""
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
            self._pages_asked.clear()
        self._known |= {self._number(row): row for row in rows}
        self._tell_changed(0, len(self._numbers) - 1)

    def at(self, index: Index) -> R | None:
        at = index.row()
        if not 0 <= at < len(self._numbers):
            return None
        page = at // PAGE
        if page not in self._pages_asked:
            self._pages_wanted.add(page)
            self._asking.start()
        return self._known.get(self._numbers[at])

    def place_of(self, number: int) -> int | None:
        """Return the place of a row, None if it is not listed."""
        return next(iter(self.places_of([number])), None)

    def places_of(self, numbers: Iterable[int]) -> Sequence[int]:
        """Return the places of rows, in the order of the table; none of those not listed."""
        wanted = set(numbers)
        if len(wanted) <= FEW:
            found = (self._place_of(number) for number in wanted)
            return sorted(place for place in found if place is not None)
        return [place for place, number in enumerate(self._numbers) if number in wanted]

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._numbers)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Ask for the order of a column; for none (-1), the one that the kind has by itself."""
        is_descending = order is Qt.SortOrder.DescendingOrder
        own = (self.kind.sorted_by, self.kind.is_descending)
        wanted = (column, is_descending) if column >= 0 else own
        if wanted != (self._sorted_by, self._is_descending):
            self._sorted_by, self._is_descending = wanted
            self.resorted.emit()

    def _place_of(self, number: int) -> int | None:
        try:
            return self._numbers.index(number)
        except ValueError:
            return None

    def _ask(self) -> None:
        pages, self._pages_wanted = self._pages_wanted, set()
        self._pages_asked |= pages
        numbers = [n for page in sorted(pages) for n in self._numbers[page * PAGE :][:PAGE]]
        if numbers:
            self.needed.emit(numbers)

    def _tell_changed(self, first: int, last: int) -> None:
        if last >= first:
            self.dataChanged.emit(self.index(first), self.index(last, self.columnCount() - 1))


def _compact(numbers: Sequence[int]) -> "array[int]":
    """Return numbers as they take least room, and are compared at once."""
    return numbers if isinstance(numbers, array) else array("q", numbers)
