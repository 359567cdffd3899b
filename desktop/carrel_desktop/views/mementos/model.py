# SPDX-License-Identifier: AGPL-3.0-or-later
"""The captures of a URL, one row each; they stream in, and are filtered here."""

from collections import Counter
from collections.abc import Sequence
from operator import attrgetter

from PySide6.QtCore import QObject, Signal

from carrel_desktop.views.mementos import columns
from carrel_desktop.views.mementos.filter import Filter
from carrel_desktop.views.mementos.rows import Row, seconds_of
from carrel_desktop.widgets.table.model import RowsModel

TYPE_OF = attrgetter("mimetype")


class MementosModel(RowsModel[Row]):
    """Newest first until sorted otherwise. `relisted` says that other rows are listed."""

    relisted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(columns.captures(), parent)
        self._filter = Filter()
        self.types: Counter[str] = Counter()

    @property
    def filter(self) -> Filter:
        return self._filter

    def replace(self, rows: Sequence[Row]) -> None:
        """Replace everything."""
        self.types = Counter(map(TYPE_OF, rows))
        self.show(self.kind, rows)
        self.relisted.emit()

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows where they belong; what is chosen stays chosen."""
        self.types.update(map(TYPE_OF, rows))
        if self._filter.only_distinct:
            self.show(self.kind, [*self.all, *rows])  # an earlier one may have come
            self.relisted.emit()
            return
        passed = self._filter.of(rows)
        self.take_in(rows, passed)
        if passed:
            self.relisted.emit()

    def set_filter(self, wanted: Filter) -> None:
        """List only what passes a filter."""
        if wanted != self._filter:
            self._filter = wanted
            self.relist()
            self.relisted.emit()

    def place_of_key(self, key: tuple[str, str, str]) -> int | None:
        """Return the place of the capture of this key, None if it is not listed."""
        return next((at for at in self._at(seconds_of(key[0])) if self.listed[at].key == key), None)

    def place_at(self, lane: int, seconds: int) -> int | None:
        """Return the place of the capture that a source has of a moment."""
        places = self._at(seconds)
        return next((place for place in places if lane in self.listed[place].lanes), None)

    def sifted(self, rows: Sequence[Row]) -> Sequence[Row]:
        return self._filter.of(rows)

    def _at(self, seconds: int) -> list[int]:
        """Return the places of what was captured at a moment."""
        return [place for place, row in enumerate(self.listed) if row.seconds == seconds]
