# SPDX-License-Identifier: AGPL-3.0-or-later
"""The sources of a collection, in the order of the file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt, Signal

from carrel.model.memento_views import SourceEntry
from carrel.translation import tr
from carrel_desktop.views.archives.answers import Said, Trial, said
from carrel_desktop.views.archives.draft import Kind
from carrel_desktop.views.archives.kinds import kind_of_type, kind_words, summary
from carrel_desktop.views.archives.source_text import draft_of
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.table.column import Column, as_given
from carrel_desktop.widgets.table.column import Kind as RowKind
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.words import OWN_SOURCE

SOURCE_FORMAT = "application/x-carrel-source"


@dataclass(frozen=True, slots=True)
class Source:
    """A row. `kind` is None where no form knows it; a new one is not in the file yet, and has only
    a `title`.

    `text` is "" where the file cannot be changed from here.
    """

    name: str
    text: str
    kind: Kind | None
    where: str = ""
    trouble: str = ""
    is_new: bool = False
    title: str = ""

    @property
    def shown_name(self) -> str:
        """What it is called in lists: as beside its captures."""
        if self.kind is Kind.ARCHIVE and self.name == OWN_SOURCE:
            return kind_words(self.kind).name
        return self.name or self.title or tr("New source")


def source_of(entry: SourceEntry) -> Source:
    """Return the row of a source of the file."""
    draft = draft_of(entry.text)
    kind = draft.kind if draft else kind_of_type(entry.kind) if entry.kind else None
    where = summary(draft) if draft else " ".join(entry.text.split())
    return Source(entry.name, entry.text, kind, where, entry.trouble)


class SourcesModel(RowsModel[Source]):
    """`dropped` carries the name of a source that was dragged, and its new place."""

    dropped = Signal(str, int)

    def __init__(self, parent: QObject | None = None) -> None:
        column = Column("", attrgetter("shown_name"), as_given, tip=self._tip)
        kind = RowKind(column, ident=attrgetter("name"), is_sortable=False, spoken=self._spoken)
        super().__init__(kind, parent)
        self._changed: frozenset[str] = frozenset()
        self._trials: Mapping[str, Trial] = {}
        self.is_editable = False

    def show_sources(self, rows: Sequence[Source], *, is_editable: bool) -> None:
        """Replace everything."""
        self.is_editable = is_editable
        self.show(self.kind, rows)

    def show_new(self, source: Source) -> None:
        """Show how far the new source is, which stands last."""
        self._listed[-1] = source
        self._tell()

    def show_trials(self, trials: Mapping[str, Trial]) -> None:
        """Show what sources answered; trials are named by the text that was tried."""
        self._trials = trials
        self._tell()

    def show_changed(self, names: frozenset[str]) -> None:
        """Mark the sources that were changed and not saved."""
        if names != self._changed:
            self._changed = names
            self._tell()

    def said(self, source: Source) -> Said | None:
        """Return what a source answered last, None if it was not tested."""
        trial = self._trials.get(source.text)
        return said(trial) if trial else None

    def is_changed(self, source: Source) -> bool:
        return source.is_new or source.name in self._changed

    def is_asking(self, source: Source) -> bool:
        trial = self._trials.get(source.text)
        return trial is not None and trial.is_asking

    @property
    def saved_count(self) -> int:
        """How many of them stand in the file."""
        return sum(not source.is_new for source in self.listed)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        source = self.at(index)
        if not self.is_editable:
            return flags
        if source is None:
            return flags | Qt.ItemFlag.ItemIsDropEnabled
        return flags if source.is_new else flags | Qt.ItemFlag.ItemIsDragEnabled

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [SOURCE_FORMAT]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        names = [self.listed[index.row()].name for index in indexes]
        data.setData(SOURCE_FORMAT, "\n".join(names).encode())
        return data

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Tell where a source was dropped; the row moves when the file has changed."""
        name = bytes(data.data(SOURCE_FORMAT).data()).decode()
        old = self.place_of(name) if name else None
        if old is not None:
            place = min(row if row >= 0 else self.saved_count, self.saved_count)
            new = place - 1 if place > old else place
            if new != old:
                self.dropped.emit(name, new)
        return False  # the view shall not take the dragged row away itself

    def _spoken(self, source: Source) -> str:
        kind = kind_words(source.kind).name if source.kind else tr("Unknown kind")
        answer = self.said(source)
        state = tr("Not saved") if self.is_changed(source) else answer.word if answer else ""
        parts = (source.shown_name, kind, source.where, source.trouble, state)
        return ". ".join(filter(None, parts))

    def _tip(self, source: Source) -> str:
        answer = self.said(source)
        told = answer.heading if answer else ""
        return "\n".join(filter(None, (source.where, source.trouble or told)))

    def _tell(self) -> None:
        if self.listed:
            self.dataChanged.emit(self.index(0), self.index(len(self.listed) - 1))
