# SPDX-License-Identifier: AGPL-3.0-or-later
"""The landing page and files of a dataset, and who has each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QObject, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from carrel.model import SourceReport, SourceState, Status
from carrel.model.memento_views import DatasetPart
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import replacement
from carrel_desktop.widgets.rows import TwoLines, paint_background, paint_two_lines, row_height

Role = Qt.ItemDataRole
ROW_ROLE = Role.UserRole
ARCHIVES = "{count} archives"


@dataclass(slots=True, eq=False)
class Part:
    """A part and what is known of it. `holders` are the others that have it, None while nobody
    was asked; `silent` counts those of which nothing is known."""

    part: DatasetPart
    is_here: bool
    holders: tuple[str, ...] | None = None
    silent: int = 0
    is_asked: bool = False


@dataclass(frozen=True, slots=True)
class Dataset:
    """What a result says of its dataset: its title, and the paths of what is kept ("" for the
    landing page)."""

    title: str
    kept: frozenset[str]


def dataset_of(fields: Mapping[str, Any]) -> Dataset:
    """Return the dataset of a result object."""
    kept = {
        str(entry.get("path"))
        for entry in fields.get("manifest") or ()
        if entry.get("status") and Status(entry["status"]).is_success
    }
    if fields.get("cdx") or fields.get("revisit_cdx"):
        kept.add("")
    title = fields.get("title") or fields.get("platform_id") or fields["request"]["base_url"]
    return Dataset(str(title), frozenset(kept))


class PartsModel(QAbstractListModel):
    """The landing page first, then the files."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._parts: list[Part] = []

    @property
    def parts(self) -> Sequence[Part]:
        return self._parts

    def show_parts(self, parts: Sequence[DatasetPart], kept: frozenset[str]) -> None:
        listed = [Part(part, part.path in kept) for part in parts]
        with replacement(self):
            self._parts = listed

    def at(self, index: Index) -> Part | None:
        return self._parts[index.row()] if index.isValid() else None

    def set_asked(self, part: Part, is_asked: bool) -> None:
        part.is_asked = is_asked
        self._changed(part)

    def take(self, part: Part, reports: Iterable[SourceReport]) -> None:
        """Take who answered that they have a part."""
        told = list(reports)
        having = [report for report in told if report.state is SourceState.ANSWERED]
        part.is_asked = False
        part.holders = tuple(it.source for it in having if not it.source_type.is_local)
        part.is_here = part.is_here or any(it.source_type.is_local for it in having)
        part.silent = sum(report.state.is_trouble for report in told)
        self._changed(part)

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._parts)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        part = self.at(index)
        if part is None:
            return None
        match role:
            case Role.DisplayRole:
                return self.name(part)
            case Role.AccessibleTextRole:
                return f"{self.name(part)}. {self.where(part)}"
            case Role.ToolTipRole:
                return "\n".join((part.part.url, self.where(part), *(part.holders or ())))
            case Role.UserRole:
                return part
        return None

    def name(self, part: Part) -> str:
        return part.part.path or tr("Landing page")

    def where(self, part: Part) -> str:
        """Return who has a part, in words."""
        if part.is_asked:
            return tr("Querying archives…")
        if part.holders is None:
            return tr("This archive · others not queried") if part.is_here else tr("Not queried")
        found = self._found(part, quantities.counted(len(part.holders), "1 archive", ARCHIVES))
        if not part.silent:
            return found
        text = tr("{found} · {count} not queried")
        return text.format(found=found, count=quantities.number(part.silent))

    def _found(self, part: Part, archives: str) -> str:
        """Return who is known to have a part; that nobody else has it only where all answered."""
        if part.holders and part.is_here:
            return tr("This archive + {archives}", archives=archives)
        if part.holders:
            return archives
        if part.is_here:
            return tr("This archive") if part.silent else tr("Local only")
        return tr("Not found") if part.silent else tr("In no archive")

    def _changed(self, part: Part) -> None:
        for row, each in enumerate(self._parts):
            if each is part:
                self.dataChanged.emit(self.index(row), self.index(row))


class PartsDelegate(QStyledItemDelegate):
    """Name and where it is, with a mark for what is here."""

    def __init__(self, theme: Theme, model: PartsModel, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(space(30), row_height(is_compact=True))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        part = index.data(ROW_ROLE)
        if not isinstance(part, Part):
            return
        painter.save()
        paint_background(painter, option, self._theme)
        icon, tone = look(part)
        words = self._model.name(part), self._model.where(part)
        line = TwoLines(*words, icon, tone, elides=Qt.TextElideMode.ElideMiddle)
        paint_two_lines(painter, option.rect, line, self._theme)
        painter.restore()


def look(part: Part) -> tuple[str, str]:
    """Return icon and colour of where a part is."""
    if part.is_asked:
        return "running", "accent"
    if part.is_here:
        return "here", "accent"
    if part.holders:
        return "lamp-answered", "ok"
    if part.holders is None or part.silent:
        return "lamp-none", "secondary"
    return "warning", "warning"
