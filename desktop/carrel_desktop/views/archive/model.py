# SPDX-License-Identifier: AGPL-3.0-or-later
"""The review list: what was detected, line by line, as previews arrive; sorted and filtered."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal

from carrel.model import Identifier, total_size
from carrel_desktop import words
from carrel_desktop.views.archive.detection import (
    Detection,
    State,
    lines,
    sought,
    spoken,
    summary,
    tip,
    title,
)
from carrel_desktop.widgets.indexes import TOP, Index, runs
from carrel_desktop.widgets.model_changes import removal
from carrel_desktop.widgets.table.column import Column, Kind
from carrel_desktop.widgets.table.model import RowsModel

Role = Qt.ItemDataRole
MOST_REMOVALS = 50  # more gaps than these at once are a new list
BY_LINE, BY_TITLE, BY_STATE, BY_SIZE, BY_PLATFORM = range(5)


class DetectionModel(RowsModel[Detection]):
    """Detections in the order in which they were pasted, unless they are sorted otherwise.

    `rewritten` carries a row and the text that the person put in place of its own. `unsettled` says
    that a row changed while a filter is set, which it may not pass any more.
    """

    rewritten = Signal(object, str)
    unsettled = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        self._entered: dict[str, int] = {}
        kind = Kind(
            Column("", title, self._place_entered, tip=tip, lines=lines),
            Column("", title, lambda row: title(row).casefold()),
            Column("", summary, lambda row: row.state.value),
            Column("", summary, lambda row: -_size(row)),
            Column("", summary, _platform),
            ident=attrgetter("key"),
            spoken=spoken,
        )
        super().__init__(kind, parent)
        self._by_key: dict[str, Detection] = {}
        self._by_url: dict[str, Detection] = {}
        self._counts: Counter[State] = Counter()
        self._shows: Callable[[Detection], bool] | None = None
        self._places: dict[str, int] | None = None
        for moved in (self.modelReset, self.rowsInserted, self.rowsRemoved, self.layoutChanged):
            moved.connect(self._forget_places)

    def __iter__(self) -> Iterator[Detection]:
        return iter(self.all)

    def __len__(self) -> int:
        return self.total

    @property
    def is_filtered(self) -> bool:
        """Whether some rows may be left out."""
        return self._shows is not None

    def append(self, detections: Sequence[Detection]) -> None:
        """Add rows at the end."""
        first = len(self._entered)
        self._entered |= {row.key: first + n for n, row in enumerate(detections)}
        self._take_up(detections)

    def restore(self, detections: Sequence[Detection]) -> None:
        """Put rows back that were removed, where they were."""
        self._take_up([row for row in detections if row.key not in self._by_key])

    def remove(self, detections: Sequence[Detection]) -> None:
        """Take rows out."""
        gone = {row.key for row in detections if row.key in self._by_key}
        for row in detections:
            if self._by_key.pop(row.key, None):
                self._counts[row.state] -= 1
                if row.identifier and self._by_url.get(row.identifier.url) is row:
                    del self._by_url[row.identifier.url]
        self._all, self._sought = [row for row in self._all if row.key not in gone], None
        places = [at for at, row in enumerate(self._listed) if row.key in gone]
        gaps = runs(places)
        if len(gaps) > MOST_REMOVALS:
            self.list_only([row for row in self._listed if row.key not in gone])
            return
        for first, last in reversed(gaps):
            with removal(self, TOP, first, last):
                del self._listed[first : last + 1]

    def filter(self, words: Sequence[str], states: frozenset[State]) -> None:
        """List only rows that have every word and are in one of these states; none: in any."""
        wanted = tuple(word.casefold() for word in words)

        def passes(row: Detection) -> bool:
            if states and row.state not in states:
                return False
            text = sought(row) if wanted else ""
            return all(word in text for word in wanted)

        self._shows = passes if wanted or states else None
        self.seek((), self._shows)

    def find(self, key: str) -> Detection | None:
        return self._by_key.get(key)

    def holds(self, url: str) -> bool:
        """Whether this address is in the list already."""
        return url in self._by_url

    def find_url(self, url: str) -> Detection | None:
        return self._by_url.get(url)

    def is_before(self, row: Detection, other: Detection) -> bool:
        """Whether a row was listed before another."""
        return self._place_entered(row) < self._place_entered(other)

    def index_of(self, detection: Detection) -> QModelIndex:
        """Return where a row stands, an invalid index if it is not listed."""
        if self._places is None:
            self._places = {row.key: at for at, row in enumerate(self._listed)}
        place = self._places.get(detection.key)
        return QModelIndex() if place is None else self.index(place, 0)

    def identify(self, detection: Detection, identifier: Identifier) -> None:
        """Have a row be another dataset than it was, or one at all; it is to be looked at."""
        if detection.identifier and self._by_url.get(detection.identifier.url) is detection:
            del self._by_url[detection.identifier.url]
        detection.identifier, detection.text = identifier, identifier.value
        detection.reason, detection.given, detection.page_links = "", None, ()
        self._by_url[identifier.url] = detection
        self.look_again(detection)

    def look_again(self, detection: Detection) -> None:
        """Forget what an earlier look, and an earlier job, found out."""
        detection.doing = detection.waits = detection.trouble = detection.held_trouble = ""
        detection.result = detection.job = detection.strategy = detection.held = None
        detection.kept = detection.same_as = None
        self.set_state(detection, State.LOOKING)

    def set_state(self, detection: Detection, state: State) -> None:
        """Move a row on and tell the views."""
        if detection.key in self._by_key:
            self._counts[detection.state] -= 1
            self._counts[state] += 1
        detection.state = state
        self.changed(detection)
        if self.is_filtered:
            self.unsettled.emit()

    def changed(self, detection: Detection) -> None:
        index = self.index_of(detection)
        if index.isValid():
            self.dataChanged.emit(index, index, [Role.DisplayRole, Role.AccessibleTextRole])

    def count(self, state: State) -> int:
        return self._counts[state]

    @property
    def pending(self) -> int:
        """How many datasets are listed that could be archived, and are not in the queue."""
        return self.count(State.LOOKING) + self.count(State.READY)

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.at(index)
        can_be_edited = row is not None and row.can_be_edited
        return super().flags(index) | (
            Qt.ItemFlag.ItemIsEditable if can_be_edited else Qt.ItemFlag.NoItemFlags
        )

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if role == Role.EditRole:
            row = self.at(index)
            return row.text if row else None
        return super().data(index, role)

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        row = self.at(index)
        text = str(value).strip()
        if row is None or role != Role.EditRole or not text or text == row.text:
            return False
        self.rewritten.emit(row, text)
        return True

    def _take_up(self, rows: Sequence[Detection]) -> None:
        self._by_key |= {row.key: row for row in rows}
        for row in rows:
            if row.identifier:
                self._by_url.setdefault(row.identifier.url, row)
        self._counts.update(row.state for row in rows)
        shows = self._shows
        self.take_in(rows, [row for row in rows if shows is None or shows(row)])

    def _place_entered(self, row: Detection) -> int:
        return self._entered.get(row.key, 0)

    def _forget_places(self) -> None:
        self._places = None


def _size(row: Detection) -> int:
    return total_size(row.files) if row.result else -1


def _platform(row: Detection) -> str:
    item = row.result.item if row.result else None
    return words.platform(item.platform_name).casefold() if item else "\uffff"
