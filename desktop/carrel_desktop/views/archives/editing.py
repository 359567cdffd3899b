# SPDX-License-Identifier: AGPL-3.0-or-later
"""The sources as they are written on the page: as the file has them, or changed and not saved."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from carrel.translation import tr
from carrel_desktop.views.archives.edit import Edit, edit_of, new_edit
from carrel_desktop.views.archives.kinds import summary
from carrel_desktop.views.archives.layout import ArchivesLayout
from carrel_desktop.views.archives.model import Source, SourcesModel

NEW = ""  # the name under which a source that is not saved yet is kept


class Editing(QObject):
    """What is written and not saved is kept for each source, whichever is shown.

    `collection` is the one on show. `changed` says that words or actions may be others now.
    """

    changed = Signal()

    def __init__(self, model: SourcesModel, ui: ArchivesLayout) -> None:
        super().__init__(ui)
        self._model, self._ui = model, ui
        self._edits: dict[tuple[str, str], Edit] = {}
        self.collection = ""
        ui.pane.edited.connect(self._on_edited)
        ui.list.selectionModel().currentChanged.connect(self.show_chosen)

    @property
    def is_changed(self) -> bool:
        """Whether something was written and not saved."""
        return bool(self._edits)

    @property
    def changed_names(self) -> frozenset[str]:
        """The names of the sources of this collection that are changed."""
        return frozenset(name for where, name in self._edits if where == self.collection)

    @property
    def source(self) -> Source | None:
        """The chosen source."""
        return self._model.at(self._ui.list.currentIndex())

    @property
    def edit(self) -> Edit | None:
        """The chosen source as it is written now, None where nothing can be changed."""
        source = self.source
        if source is None or not self._model.is_editable:
            return None
        written = self._edits.get((self.collection, source.name))
        return written or edit_of(source.name, source.text, source.trouble)

    @property
    def saved(self) -> list[Source]:
        """The sources of the file."""
        return [source for source in self._model.listed if not source.is_new]

    def is_edited(self, source: Source) -> bool:
        return (self.collection, source.name) in self._edits

    def others(self, source: Source) -> set[str]:
        """Return the names that the other sources have."""
        return {each.name for each in self.saved} - {source.name}

    def begin(self) -> None:
        """Begin a new source, or resume the one that was begun."""
        self._edits.setdefault((self.collection, NEW), new_edit())
        self.show(self.saved, NEW)

    def forget(self, name: str) -> None:
        """Show a source as the file has it; a new one no more."""
        self.drop(self.collection, name)
        self.show(self.saved)

    def drop(self, collection: str, name: str) -> None:
        """Let go of what was written of a source, which is saved, or gone."""
        self._edits.pop((collection, name), None)

    def show(self, rows: Sequence[Source], chosen: str | None = None) -> None:
        """Show sources, and below them one that is new; choose one of them, None for the same."""
        current = self.source
        name = chosen if chosen is not None else current.name if current else None
        before = self._ui.list.currentIndex().row()
        new = self._edits.get((self.collection, NEW)) if self._model.is_editable else None
        shown = [*rows, *([_new_row(new)] if new else [])]
        if shown != list(self._model.listed):
            self._model.show_sources(shown, is_editable=self._model.is_editable)
        row = self._model.place_of(name) if name is not None else 0
        if row is None:
            row = min(max(0, before), len(shown) - 1)
        if shown:
            self._ui.list.choose(row)
        self.show_chosen()

    def show_chosen(self) -> None:
        source, edit = self.source, self.edit
        if source is not None and edit is not None:
            self._ui.pane.show_edit(edit, self.others(source), is_new=source.is_new)
            self._ui.pane.say("secondary", "")
        self.changed.emit()

    def _on_edited(self, edit: Edit) -> None:
        source = self.source
        if source is None:
            return
        key = (self.collection, source.name)
        is_same = (edit.name, edit.text) == (source.name, source.text) and not source.is_new
        if is_same:
            self._edits.pop(key, None)
        else:
            self._edits[key] = edit
        if source.is_new:
            self._model.show_new(_new_row(edit))
        self._ui.pane.say("secondary", "" if is_same else tr("Not saved yet."))
        self.changed.emit()


def _new_row(edit: Edit) -> Source:
    kind, where = None, edit.text
    if edit.draft is not None:
        kind, where = edit.draft.kind, summary(edit.draft)
    return Source(NEW, edit.text, kind, where, is_new=True, title=edit.name)
