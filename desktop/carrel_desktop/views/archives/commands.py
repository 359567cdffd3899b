# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the person does with the sources of a collection."""

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from carrel.errors import CarrelError
from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.views.archives.answers import Trials
from carrel_desktop.views.archives.changes import Changes, Removed, config_path
from carrel_desktop.views.archives.edit import Edit
from carrel_desktop.views.archives.editing import NEW, Editing
from carrel_desktop.views.archives.layout import ArchivesLayout
from carrel_desktop.views.archives.model import Source, SourcesModel

Load = Callable[..., Coroutine[Any, Any, None]]


class SourceCommands(QObject):
    """The methods behind the actions. `load` reads the file again, and chooses a source by name."""

    def __init__(
        self,
        session: Session,
        model: SourcesModel,
        editing: Editing,
        trials: Trials,
        ui: ArchivesLayout,
        load: Load,
    ) -> None:
        super().__init__(ui)
        self._session, self._model, self._editing = session, model, editing
        self._trials, self._ui, self._load = trials, ui, load
        self.changes = Changes(session, load)

    def add(self) -> None:
        self._editing.begin()
        self._ui.pane.take_focus(is_new=True)

    def edit(self) -> None:
        if self._editing.source is not None:
            self._ui.pane.take_focus()

    def remove(self) -> None:
        """Take the chosen source out; it can be put back."""
        source = self._editing.source
        if source is None or not self._model.is_editable:
            return
        if source.is_new:
            self._editing.forget(NEW)
        else:
            self.changes.ask(self._remove(source))

    def put_back(self) -> None:
        if removed := self.changes.removed:
            self._editing.collection = removed.collection
            self.changes.ask(self._put_back(removed))

    def move_up(self) -> None:
        self.lift(-1)

    def move_down(self) -> None:
        self.lift(1)

    def lift(self, by: int) -> None:
        """Move the chosen source by so many places."""
        source = self._editing.source
        if source is not None and not source.is_new and self._model.is_editable:
            self.changes.ask(self._move_by(self._editing.collection, source.name, by))

    def drop(self, name: str, place: int) -> None:
        """Give a source another place."""
        self.changes.ask(self.changes.move(self._editing.collection, name, place))

    def test(self) -> None:
        """Ask the chosen source as it is written now, saved or not."""
        edit = self._editing.edit
        if edit is not None and edit.text_problem():
            self._ui.pane.insist_on_source()
        elif edit is not None:
            self._trials.start([edit.text], self._ui.url.text().strip())

    def test_all(self) -> None:
        """Ask all of them, one after the other; or stop it."""
        if self._trials.is_running:
            self._trials.stop()
        else:
            texts = [source.text for source in self._editing.saved]
            self._trials.start(texts, self._ui.url.text().strip())

    def save(self) -> None:
        """Write what was changed; what cannot be taken is said beside its field."""
        source, edit = self._editing.source, self._editing.edit
        if source is None or edit is None or not self._editing.is_edited(source):
            return
        if edit.problem(self._editing.others(source)):
            self._ui.pane.insist()
            self._ui.pane.say("failed", tr("Not saved. Check the highlighted fields."))
        else:
            self.changes.ask(self._save(source, edit))

    def undo(self) -> None:
        """Show the chosen source as the file has it."""
        if source := self._editing.source:
            self._editing.forget(source.name)

    def open_file(self) -> None:
        if path := config_path(self._session):
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def reload(self) -> None:
        self.changes.ask(self._load())

    async def _save(self, source: Source, edit: Edit) -> None:
        collection = self._editing.collection
        try:
            await self.changes.save(collection, source.name, edit)
        except CarrelError as error:
            self._ui.pane.say("failed", tr("Not saved. {reason}", reason=error))
            return
        self._editing.drop(collection, source.name)
        await self._load(edit.name)
        doubt = await self.changes.doubt(edit)
        if doubt:
            self._ui.pane.say("warning", tr("Saved in collections.yaml, but {doubt}", doubt=doubt))
        else:
            self._ui.pane.say("ok", tr("Saved in collections.yaml."))

    async def _remove(self, source: Source) -> None:
        collection, place = self._editing.collection, self._model.place_of(source.name) or 0
        await self.changes.remove(Removed(collection, source.name, source.text, place))
        self._editing.drop(collection, source.name)
        self._ui.removed.setText(tr("“{name}” was removed.", name=source.name))
        await self._load()

    async def _put_back(self, removed: Removed) -> None:
        if not await self.changes.put_back(removed):
            text = tr("Restored without its comments: the file has changed since it was removed.")
            self._ui.pane.say("warning", text)

    async def _move_by(self, collection: str, name: str, by: int) -> None:
        row = self._model.place_of(name)
        if row is not None and 0 <= row + by < self._model.saved_count:
            await self.changes.move(collection, name, row + by)
