# SPDX-License-Identifier: AGPL-3.0-or-later
"""Hosts, folders and URLs of the local collections as a tree that is read branch by branch."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt

from carrel.model import Memento
from carrel.model.memento_views import Holding
from carrel_desktop import quantities
from carrel_desktop.icons import icon
from carrel_desktop.theme import Theme
from carrel_desktop.views.mementos.rows import time_text
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import insertion, replacement
from carrel_desktop.widgets.paged_tree import PAGE

Role = Qt.ItemDataRole
ALIGN_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Column(IntEnum):
    NAME = 0
    COUNT = 1


@dataclass(slots=True, eq=False)
class Place:
    """A host, a folder below one, or a URL ("" where nothing is held of exactly this).

    `children` are None until they were read, `shown` of them have been handed to the view.
    """

    name: str
    host: str
    path: str
    url: str
    count: int
    first: str
    last: str
    has_more: bool
    icon: str
    parent: "Place | None" = None
    row: int = 0
    children: "list[Place] | None" = None
    shown: int = 0
    is_read: bool = False

    @classmethod
    def of_host(cls, held: Holding) -> "Place":
        place = cls._of(held, held.name, "/", "browse")
        place.has_more = True
        return place

    @classmethod
    def below(cls, held: Holding, parent: "Place") -> "Place":
        """Return a place below another; its name is the whole path from the host, or a part."""
        is_whole = held.name.startswith(parent.path) and held.name != parent.path
        path = held.name if is_whole else parent.path.rstrip("/") + "/" + held.name.lstrip("/")
        if held.has_more and not path.endswith("/"):
            path += "/"
        return cls._of(held, parent.host, path, "folder" if held.has_more else "file")

    @classmethod
    def of_url(cls, memento: Memento) -> "Place":
        moment = memento.timestamp
        return cls(memento.url, "", "", memento.url, 0, moment, moment, False, "file")

    @classmethod
    def _of(cls, held: Holding, host: str, path: str, icon_name: str) -> "Place":
        return cls(
            held.name,
            host,
            path,
            held.url,
            held.count,
            held.first,
            held.last,
            held.has_more,
            icon_name,
        )

    def add(self, memento: Memento) -> None:
        """Count one capture more."""
        self.count += 1
        self.first = min(self.first, memento.timestamp)
        self.last = max(self.last, memento.timestamp)


class PlacesModel(QAbstractItemModel):
    """`show_places` fills the top, `fill` a branch that was opened."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._root = _root()
        self._kept: set[Place] = {self._root}  # indexes point to places without holding them

    def show_places(self, places: Sequence[Place]) -> None:
        """Replace everything."""
        with replacement(self):
            self._root = _root()
            self._kept = {self._root}
            self._take(self._root, places)
            self._root.shown = min(PAGE, len(places))

    def fill(self, place: Place, places: Sequence[Place]) -> None:
        """Put what is below a place there."""
        if place not in self._kept:  # replaced meanwhile
            return
        if not places:
            self._take(place, places)
            return
        count = min(PAGE, len(places))
        with insertion(self, self.index_of(place), 0, count - 1):
            self._take(place, places)
            place.shown = count

    def at(self, index: Index) -> Place | None:
        return self._place(index) if index.isValid() else None

    def index_of(self, place: Place) -> QModelIndex:
        if place is self._root:
            return QModelIndex()
        return self.createIndex(place.row, 0, place)

    def index(self, row: int, column: int, parent: Index = TOP) -> QModelIndex:
        place = self._place(parent)
        if not (0 <= row < place.shown and 0 <= column < len(Column)):
            return QModelIndex()
        return self.createIndex(row, column, (place.children or [])[row])

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # two overloads
        if not index.isValid():
            return QModelIndex()
        above = self._place(index).parent
        return self.index_of(above) if above else QModelIndex()

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.column() > 0 else self._place(parent).shown

    def columnCount(self, parent: Index = TOP) -> int:
        return len(Column)

    def hasChildren(self, parent: Index = TOP) -> bool:
        if parent.column() > 0:
            return False
        place = self._place(parent)
        return bool(place.children) or (place.children is None and place.has_more)

    def canFetchMore(self, parent: Index) -> bool:
        place = self._place(parent)
        return place.children is not None and place.shown < len(place.children)

    def fetchMore(self, parent: Index) -> None:
        place = self._place(parent)
        last = min(place.shown + PAGE, len(place.children or ())) - 1
        if last >= place.shown:
            with insertion(self, self.index_of(place), place.shown, last):
                place.shown = last + 1

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        place = self.at(index)
        if place is None:
            return None
        is_name = index.column() == Column.NAME
        match role:
            case Role.DisplayRole:
                return place.name if is_name else quantities.number(place.count)
            case Role.DecorationRole if is_name:
                return icon(self._theme, place.icon, "accent" if place.url else "secondary")
            case Role.ForegroundRole if not is_name:
                return self._theme.color("secondary")
            case Role.TextAlignmentRole if not is_name:
                return ALIGN_RIGHT
            case Role.ToolTipRole:
                return self._tip(place)
            case Role.AccessibleTextRole if is_name:
                return f"{place.name}, {self._captures(place)}"
        return None

    def _tip(self, place: Place) -> str:
        first, last = time_text(place.first)[:10], time_text(place.last)[:10]
        span = first if first == last else f"{first} – {last}"
        address = place.url or f"{place.host}{place.path}"
        return "\n".join((address, f"{self._captures(place)}, {span}"))

    @staticmethod
    def _captures(place: Place) -> str:
        return quantities.counted(place.count, "1 capture", "{count} captures")

    def _take(self, place: Place, places: Sequence[Place]) -> None:
        place.children = list(places)
        for row, child in enumerate(places):
            child.parent, child.row = place, row
        self._kept.update(places)

    def _place(self, index: Index) -> Place:
        if not index.isValid():
            return self._root
        place = index.internalPointer()
        return place if isinstance(place, Place) else self._root


def _root() -> Place:
    return Place("", "", "", "", 0, "", "", False, "")
