# SPDX-License-Identifier: AGPL-3.0-or-later
"""Tags and notes are added to holdings, changed and taken away; Undo takes each back."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from carrel.engine import Engine
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.undoing import done_with
from carrel_desktop.views.holdings.curating import NoteDialog, TagDialog
from carrel_desktop.views.holdings.record import Record


@dataclass(frozen=True, slots=True)
class _Tagging:
    """That a tag was given to these datasets, or else taken from them."""

    tag: str
    datasets: Sequence[int]
    is_added: bool

    def done(self, engine: Engine) -> "_Tagging":
        """Do it, and return what it came to: the datasets that it changed."""
        curation = engine.holdings.curation
        change = curation.add_tag if self.is_added else curation.remove_tag
        return _Tagging(self.tag, change(self.datasets, self.tag), self.is_added)

    @property
    def reverse(self) -> "_Tagging":
        return _Tagging(self.tag, self.datasets, not self.is_added)


class Annotating(QObject):
    """`changed` says that tags or notes are others now, `done` carries a Done, and `wants_dialog` a
    dialog to open."""

    wants_dialog = Signal(object)
    changed = Signal()
    done = Signal(object)

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._parent = session, parent

    async def offer_tags(self, datasets: Sequence[int]) -> None:
        """Ask for tags to add to datasets, and which ones to take away."""
        read = self._session.read
        known = await read(lambda engine: list(engine.holdings.curation.tags()))
        present = await read(lambda engine: engine.holdings.curation.tags_of(datasets))
        dialog = TagDialog(self._parent, len(datasets), known, present)
        dialog.chosen.connect(partial(self._on_tags, datasets))
        self.wants_dialog.emit(dialog)

    def ask_note(self, record: Record) -> None:
        """Ask for the note on a dataset."""
        dialog = NoteDialog(self._parent, record.title.title, record.note)
        dialog.chosen.connect(partial(self._on_note, record.dataset_id))
        self.wants_dialog.emit(dialog)

    def _on_tags(
        self, datasets: Sequence[int], added: Sequence[str], removed: Sequence[str]
    ) -> None:
        asked = [_Tagging(tag, datasets, is_added=True) for tag in added]
        asked += [_Tagging(tag, datasets, is_added=False) for tag in removed]
        self._session.start(self._tag(asked), is_asked=True)

    def _on_note(self, dataset_id: int, note: str) -> None:
        self._session.start(self._note(dataset_id, note), is_asked=True)

    async def _tag(self, asked: Sequence[_Tagging]) -> None:
        if made := await self._change_tags(asked):
            back = partial(self._change_tags, [each.reverse for each in reversed(made)])
            self.done.emit(done_with(self._session, _sentence(made), back))

    async def _change_tags(self, asked: Sequence[_Tagging]) -> Sequence[_Tagging]:
        """Change tags, and return what was changed indeed."""
        made = [await self._session.read(each.done) for each in asked]
        self.changed.emit()
        return [each for each in made if each.datasets]

    async def _note(self, dataset_id: int, note: str) -> None:
        if (before := await self._change_note(dataset_id, note)) is not None:
            words = tr("The note was saved.") if note.strip() else tr("The note was removed.")
            back = partial(self._put_note_back, dataset_id, before)
            self.done.emit(done_with(self._session, words, back))

    async def _put_note_back(self, dataset_id: int, note: str) -> bool:
        return await self._change_note(dataset_id, note) is not None

    async def _change_note(self, dataset_id: int, note: str) -> str | None:
        """Write a note, and return the one before it, None if it is the same."""

        def write(engine: Engine) -> tuple[str, str]:
            curation = engine.holdings.curation
            before = curation.note_on(dataset_id)
            curation.write_note(dataset_id, note)
            return before, curation.note_on(dataset_id)

        before, after = await self._session.read(write)
        self.changed.emit()
        return before if after != before else None


def _sentence(made: Sequence[_Tagging]) -> str:
    """Return how many tags were added and removed."""
    added = sum(each.is_added for each in made)
    removed = len(made) - added
    parts = []
    if added:
        parts.append(quantities.counted(added, "1 tag was added", "{count} tags were added"))
    if removed:
        parts.append(quantities.counted(removed, "1 tag was removed", "{count} tags were removed"))
    return f"{'; '.join(parts)}."
