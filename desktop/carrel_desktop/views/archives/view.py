# SPDX-License-Identifier: AGPL-3.0-or-later
"""The page of archives: which sources are asked for mementos, in which order, and how they are.

The collections file is the truth: every change goes into it, and is read back from it.
"""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QWidget

from carrel.errors import CarrelError, ConfigError, UsageError
from carrel.model.memento_views import CollectionInfo
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.archives.actions import ArchivesActions, State
from carrel_desktop.views.archives.answers import said
from carrel_desktop.views.archives.changes import Changes, Removed
from carrel_desktop.views.archives.edit import Edit, edit_of, new_edit
from carrel_desktop.views.archives.kinds import kind_of_type, summary
from carrel_desktop.views.archives.layout import (
    BROKEN,
    FILLED,
    FIXED,
    NOTHING,
    SOURCE,
    ArchivesLayout,
)
from carrel_desktop.views.archives.model import Source, SourcesModel, source_of
from carrel_desktop.views.archives.trials import Trials

NEW = ""  # the name under which a source that is not saved yet is kept


class ArchivesView(QWidget):
    """What is written and not saved is kept for each source, whichever is shown."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._infos: Sequence[CollectionInfo] = ()
        self._collection = ""
        self._edits: dict[tuple[str, str], Edit] = {}
        self._is_written = False
        self._loads = 0
        self.model = SourcesModel(self)
        self.changes = Changes(session, self._load)
        self.trials = Trials(session, self)
        self.actions_ = ArchivesActions(self)
        self.ui = ArchivesLayout(self, theme, self.model, self.actions_, session.archive)
        self._connect()
        self._follow()

    @property
    def menu_groups(self) -> list[list[QAction]]:
        return self.actions_.groups

    @property
    def actions_in_menu(self) -> list[QAction]:
        return [action for group in self.menu_groups for action in group]

    @property
    def is_changed(self) -> bool:
        """Whether something was written and not saved."""
        return bool(self._edits)

    def take_focus(self) -> None:
        """Put the keyboard where the work is, and see what the file says by now."""
        at = self.ui.stack.currentIndex()
        (self.ui.broken.message if at == BROKEN else self.ui.list).setFocus()
        self.refresh()

    def refresh(self) -> None:
        """Read the file again; what is not saved stays."""
        self._session.start(self._load())

    # What the actions do

    def add(self) -> None:
        """Begin a new source, or go on with the one that was begun."""
        self._edits.setdefault((self._collection, NEW), new_edit())
        self._show(self._saved_rows(), NEW)
        self.ui.pane.take_focus(is_new=True)

    def edit(self) -> None:
        if self._source() is not None:
            self.ui.pane.take_focus()

    def remove(self) -> None:
        """Take the chosen source out; it can be put back."""
        source = self._source()
        if source is None or not self.model.is_editable:
            return
        if source.is_new:
            self._forget(NEW)
        else:
            self.changes.ask(self._remove(source))

    def put_back(self) -> None:
        removed = self.changes.removed
        if removed is not None:
            self._collection = removed.collection
            self.changes.ask(self._put_back(removed))

    def move_up(self) -> None:
        self._lift(-1)

    def move_down(self) -> None:
        self._lift(1)

    def test(self) -> None:
        """Ask the chosen source as it is written now, saved or not."""
        edit = self._edit()
        if edit is not None and edit.text_problem():
            self.ui.pane.insist_on_source()
        elif edit is not None:
            self.trials.start([edit.text], self.ui.url.text().strip())

    def test_all(self) -> None:
        """Ask all of them, one after the other; or stop it."""
        if self.trials.is_running:
            self.trials.stop()
        else:
            texts = [source.text for source in self._saved_rows()]
            self.trials.start(texts, self.ui.url.text().strip())

    def save(self) -> None:
        """Write what was changed; what can not be taken is said beside its field."""
        source, edit = self._source(), self._edit()
        if source is None or edit is None or not self._is_edited(source):
            return
        problem = edit.problem(self._others(source))
        if problem:
            self.ui.pane.insist()
            self.ui.pane.say("failed", self.tr("Not saved: look at what is marked."))
        else:
            self.changes.ask(self._save(source, edit))

    def undo(self) -> None:
        """Show the chosen source as the file has it."""
        source = self._source()
        if source is not None:
            self._forget(source.name)

    def open_file(self) -> None:
        path = self._path()
        if path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def reload(self) -> None:
        self.changes.ask(self._load())

    # Reading

    async def _load(self, chosen: str | None = None) -> None:
        """Read the file and show it; `chosen` is the source to choose, None for the same."""
        self._loads += 1
        newest = self._loads
        try:
            infos = await self._session.order(lambda engine: engine.mementos.collections())
        except ConfigError as error:
            self._show_broken(str(error))
            return
        info = next((it for it in infos if it.name == self._collection), next(iter(infos), None))
        rows, reason = await self._rows_of(info)
        self._is_written = await self._has_file()
        if newest == self._loads:  # else a later reading knows more
            self._show_collections(infos, info)
            self.ui.fixed.show_reason(reason)
            self.model.is_editable = not reason
            self._show(rows, chosen)

    async def _rows_of(self, info: CollectionInfo | None) -> tuple[list[Source], str]:
        """Return the sources of a collection, and why they can not be changed, "" if they can."""
        if info is None:
            return [], ""
        try:
            entries = await self._session.call(lambda engine: engine.mementos.sources(info.name))
            return [source_of(each) for each in entries], ""
        except (ConfigError, UsageError) as error:
            rows = [Source(name, "", kind_of_type(kind)) for name, kind in info.sources]
            return rows, str(error)

    def _show_broken(self, message: str) -> None:
        self.ui.broken.show_message(message)
        self.ui.stack.setCurrentIndex(BROKEN)
        self._is_written = True
        self._follow()

    def _show_collections(
        self, infos: Sequence[CollectionInfo], info: CollectionInfo | None
    ) -> None:
        self._collection = info.name if info else ""
        self.ui.stack.setCurrentIndex(FILLED)
        combo = self.ui.collections
        if infos != self._infos:
            combo.clear()
            for each in infos:
                combo.addItem(each.title or each.name, each.name)
        combo.setCurrentIndex(combo.findData(self._collection))
        self._infos = infos

    def _show(self, rows: Sequence[Source], chosen: str | None = None) -> None:
        """Show sources, and below them one that is new; choose one of them."""
        current = self._source()
        name = chosen if chosen is not None else current.name if current else None
        before = self.ui.list.currentIndex().row()
        new = self._edits.get((self._collection, NEW)) if self.model.is_editable else None
        extra = [_new_row(new)] if new else []
        shown = [*rows, *extra]
        if shown != list(self.model.rows):
            self.model.show_sources(shown, is_editable=self.model.is_editable)
        row = self.model.row_of(name) if name is not None else 0
        if row is None:
            row = min(max(0, before), len(shown) - 1)
        if shown:
            self.ui.list.choose(row)
        self._show_chosen()

    async def _save(self, source: Source, edit: Edit) -> None:
        collection = self._collection
        try:
            await self.changes.save(collection, source.name, edit)
        except CarrelError as error:
            self.ui.pane.say("failed", self.tr("Not saved. {reason}").format(reason=error))
            return
        self._edits.pop((collection, source.name), None)
        await self._load(edit.name)
        self.ui.pane.say("ok", self.tr("Saved in collections.yaml."))

    async def _remove(self, source: Source) -> None:
        collection, place = self._collection, self.model.row_of(source.name) or 0
        await self.changes.remove(Removed(collection, source.name, source.text, place))
        self._edits.pop((collection, source.name), None)
        self.ui.removed.setText(self.tr("“{name}” was removed.").format(name=source.name))
        await self._load()

    async def _put_back(self, removed: Removed) -> None:
        if not await self.changes.put_back(removed):
            text = self.tr(
                "Put back without its comments: the file has changed since it was removed."
            )
            self.ui.pane.say("warning", text)

    async def _move_by(self, collection: str, name: str, by: int) -> None:
        row = self.model.row_of(name)
        if row is not None and 0 <= row + by < self.model.saved_count:
            await self.changes.move(collection, name, row + by)

    def _lift(self, by: int) -> None:
        source = self._source()
        if source is not None and not source.is_new and self.model.is_editable:
            self.changes.ask(self._move_by(self._collection, source.name, by))

    def _forget(self, name: str) -> None:
        self._edits.pop((self._collection, name), None)
        self._show(self._saved_rows())

    # What is chosen

    def _source(self) -> Source | None:
        return self.model.at(self.ui.list.currentIndex())

    def _edit(self) -> Edit | None:
        """Return the chosen source as it is written now."""
        source = self._source()
        if source is None or not self.model.is_editable:
            return None
        written = self._edits.get((self._collection, source.name))
        return written or edit_of(source.name, source.text, source.trouble)

    def _is_edited(self, source: Source) -> bool:
        return (self._collection, source.name) in self._edits

    def _saved_rows(self) -> list[Source]:
        return [source for source in self.model.rows if not source.is_new]

    def _others(self, source: Source) -> set[str]:
        return {each.name for each in self._saved_rows()} - {source.name}

    def _path(self) -> Path | None:
        return self._session.engine.mementos.config_path if self._session.is_open else None

    async def _has_file(self) -> bool:
        path = self._path()
        return path is not None and await self._session.aside(path.exists)

    def _show_chosen(self) -> None:
        source, edit = self._source(), self._edit()
        if source is not None and edit is not None:
            self.ui.pane.show_edit(edit, self._others(source), is_new=source.is_new)
            self.ui.pane.say("secondary", "")
        self._follow()

    def _connect(self) -> None:
        self._session.opened.connect(self.refresh)
        self.ui.collections.activated.connect(self._on_collection)
        self.ui.list.selectionModel().currentChanged.connect(self._show_chosen)
        self.ui.list.lifted.connect(self._lift)
        self.ui.list.opened.connect(self.edit)
        self.ui.list.removed.connect(self.remove)
        self.ui.url.returnPressed.connect(self.test)
        self.ui.pane.edited.connect(self._on_edited)
        self.ui.pane.saved.connect(self.save)
        self.model.dropped.connect(self._on_dropped)
        self.trials.changed.connect(self._on_trials)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._on_application_state)

    def _on_collection(self, number: int) -> None:
        self._collection = str(self.ui.collections.itemData(number))
        self._session.start(self._load(""))

    def _on_edited(self, edit: Edit) -> None:
        source = self._source()
        if source is None:
            return
        key = (self._collection, source.name)
        is_same = (edit.name, edit.text) == (source.name, source.text) and not source.is_new
        if is_same:
            self._edits.pop(key, None)
        else:
            self._edits[key] = edit
        if source.is_new:
            self.model.show_new(_new_row(edit))
        self.ui.pane.say("secondary", "" if is_same else self.tr("Not saved yet."))
        self._follow()

    def _on_dropped(self, name: str, place: int) -> None:
        self.changes.ask(self.changes.move(self._collection, name, place))

    def _on_trials(self) -> None:
        self.model.show_trials(self.trials.made)
        trials, text = self.trials, self.tr("Asking {number} of {count}, one after the other")
        is_shown = trials.is_running and trials.count > 1
        self.ui.progress.setText(
            text.format(number=trials.number, count=trials.count) if is_shown else ""
        )
        self._follow()

    def _on_application_state(self, state: Qt.ApplicationState) -> None:
        """See what the person did to the file in the editor."""
        if state is Qt.ApplicationState.ApplicationActive and self.isVisible():
            self.refresh()

    def _follow(self) -> None:
        """Bring words and actions into line with what is shown."""
        source, edit = self._source(), self._edit()
        self.model.show_changed(
            frozenset(name for where, name in self._edits if where == self._collection)
        )
        if edit is not None:
            trial = self.trials.made.get(edit.text)
            self.ui.pane.show_said(said(trial) if trial else None)
        self._follow_panels(source)
        self._follow_actions(source, edit)

    def _follow_panels(self, source: Source | None) -> None:
        is_editable = self.model.is_editable
        at = NOTHING if source is None else SOURCE
        self.ui.right.setCurrentIndex(FIXED if self._collection and not is_editable else at)
        removed = self.changes.removed
        self.ui.removal.setVisible(removed is not None and removed.collection == self._collection)
        count = quantities.counted(self.model.saved_count, "1 source", "{count} sources")
        order = self.tr("{sources}. Of copies, the uppermost's is shown.")
        self.ui.count.setText(order.format(sources=count))
        for button in self.ui.foot_buttons:  # the panel of a broken file has its own
            button.setVisible(self.ui.stack.currentIndex() != BROKEN)
        path = self._path()
        text = str(path or "")
        if path is not None and not self._is_written:
            text = self.tr("{path} (written with the first change)").format(path=path)
        self.ui.place.setText(text)

    def _follow_actions(self, source: Source | None, edit: Edit | None) -> None:
        is_open = self._session.is_open and self.ui.stack.currentIndex() == FILLED
        can_edit = is_open and edit is not None and source is not None
        self.actions_.follow(
            State(
                is_open=self._session.is_open,
                is_list=is_open and self.model.is_editable,
                is_chosen=can_edit,
                is_changed=can_edit and source is not None and self._is_edited(source),
                is_asking=self.trials.is_running,
                has_file=self._is_written,
                has_removed=is_open and self.changes.removed is not None,
                row=self.ui.list.currentIndex().row(),
                count=self.model.saved_count,
            )
        )


def _new_row(edit: Edit) -> Source:
    kind, where = None, edit.text
    if edit.draft is not None:
        kind, where = edit.draft.kind, summary(edit.draft)
    return Source(NEW, edit.text, kind, where, is_new=True, title=edit.name)
