# SPDX-License-Identifier: AGPL-3.0-or-later
"""Hosts, folders and URLs of the local collections as a tree that is read branch by branch."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QObject, Qt

from carrel.model import Memento
from carrel.model.memento_views import Holding
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.icons import icon
from carrel_desktop.theme import Theme
from carrel_desktop.views.mementos.rows import time_text
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import insertion, replacement
from carrel_desktop.widgets.paged_tree import PAGE, ROOT, TreeModel
from carrel_desktop.widgets.rows import ALIGN_RIGHT

Role = Qt.ItemDataRole


class Column(IntEnum):
    NAME = 0
    COUNT = 1


@dataclass(slots=True, eq=False)
class Place:
    """A host, a folder below one, or a URL ("" where nothing is held of exactly this).

    `is_read` says that it was asked what is below it, `is_filled` that this is known, `are_more`
    that there may be more captures than are counted.
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
    number: int = ROOT
    parent: int = ROOT
    row: int = 0
    children: list[int] = field(default_factory=list)
    shown: int = 0
    is_read: bool = False
    is_filled: bool = False
    are_more: bool = False

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
        counted = held.count, held.first, held.last
        place = cls(held.name, host, path, held.url, *counted, held.has_more, icon_name)
        place.are_more = held.are_more
        return place

    @property
    def counted(self) -> str:
        """How many captures there are: "1,000+" where there may be more than are counted."""
        number = quantities.number(self.count)
        return tr("{number}+", number=number) if self.are_more else number

    def add(self, memento: Memento) -> None:
        """Count one capture more."""
        self.count += 1
        self.first = min(self.first, memento.timestamp)
        self.last = max(self.last, memento.timestamp)


class PlacesModel(TreeModel[Place]):
    """`show_places` fills the top, `fill` a branch that was opened."""

    columns = len(Column)

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(_root(), parent)
        self._theme = theme

    def show_places(self, places: Sequence[Place]) -> None:
        """Replace everything."""
        with replacement(self):
            self._nodes = [_root()]
            self._take(self._nodes[ROOT], places)
            self._nodes[ROOT].shown = min(PAGE, len(places))

    def fill(self, place: Place, places: Sequence[Place]) -> None:
        """Put what is below a place there."""
        if place not in self._nodes[place.number : place.number + 1]:  # replaced meanwhile
            return
        if not places:
            self._take(place, places)
            return
        count = min(PAGE, len(places))
        with insertion(self, self.index_of(place.number), 0, count - 1):
            self._take(place, places)
            place.shown = count

    def hasChildren(self, parent: Index = TOP) -> bool:
        place = self._node(parent)
        is_open = place.has_more and not place.is_filled
        return parent.column() <= 0 and (bool(place.children) or is_open)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        place = self.at(index)
        if place is None:
            return None
        is_name = index.column() == Column.NAME
        match role:
            case Role.DisplayRole:
                return place.name if is_name else place.counted
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
        if place.are_more:
            return tr("more than {count} captures", count=quantities.number(place.count - 1))
        return quantities.counted(place.count, "1 capture", "{count} captures")

    def _take(self, place: Place, places: Sequence[Place]) -> None:
        place.is_filled = True
        for row, child in enumerate(places):
            child.number, child.parent, child.row = len(self._nodes), place.number, row
            place.children.append(child.number)
            self._nodes.append(child)


def _root() -> Place:
    return Place("", "", "", "", 0, "", "", False, "")
