# SPDX-License-Identifier: AGPL-3.0-or-later
"""The page of archives: which sources are queried, in which order, and how they are."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication

from carrel.errors import ConfigError
from carrel.model.memento_views import CollectionInfo
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.page import Page, Readings
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.archives.actions import SourceActions
from carrel_desktop.views.archives.answers import Trials, said
from carrel_desktop.views.archives.changes import Contents, config_path, read_contents
from carrel_desktop.views.archives.commands import SourceCommands
from carrel_desktop.views.archives.edit import Edit
from carrel_desktop.views.archives.editing import Editing
from carrel_desktop.views.archives.layout import (
    BROKEN,
    FILLED,
    FIXED,
    NOTHING,
    SOURCE,
    ArchivesLayout,
)
from carrel_desktop.views.archives.model import Source, SourcesModel


class ArchivesView(Page):
    """What is written and not saved is kept for each source, whichever is shown."""

    kind = PageKind.ARCHIVES

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._offered: Sequence[CollectionInfo] = ()
        self._is_written = False
        self._readings = Readings()
        self.model = SourcesModel(self)
        self.trials = Trials(session, self)
        self.page_actions: SourceActions = SourceActions(self)
        self.ui = ArchivesLayout(theme, self.model, self.page_actions, session.archive)
        self._lay_out(self.ui, below=4)
        self.editing = Editing(self.model, self.ui)
        self.commands = SourceCommands(
            session, self.model, self.editing, self.trials, self.ui, self._load
        )
        self.page_actions.bind(self.commands)
        self._connect()
        self._follow()

    @property
    def is_changed(self) -> bool:
        return self.editing.is_changed

    @property
    def edits(self) -> Mapping[str, QAction]:
        return {"undo": self.page_actions.put_back}

    def take_focus(self) -> None:
        """Put the keyboard where the work is, and see what the file says by now."""
        at = self.ui.stack.currentIndex()
        (self.ui.broken.message if at == BROKEN else self.ui.list).setFocus()
        self.refresh()

    def refresh(self) -> None:
        """Read the file again; what is not saved stays."""
        self.session.start(self._load())

    async def _load(self, chosen: str | None = None) -> None:
        """Read the file and show it; `chosen` is the source to choose, None for the same."""
        is_latest = self._readings.begin()
        try:
            contents = await read_contents(self.session, self.editing.collection)
        except ConfigError as error:
            self._show_broken(str(error))
            return
        self._is_written = contents.is_written
        if is_latest():
            self._show_collections(contents)
            self.ui.fixed.reason.setText(contents.fixed)
            self.model.is_editable = not contents.fixed
            self.editing.show(contents.sources, chosen)

    def _show_broken(self, message: str) -> None:
        self.ui.broken.show_message(message)
        self.ui.stack.setCurrentIndex(BROKEN)
        self._is_written = True
        self._follow()

    def _show_collections(self, contents: Contents) -> None:
        self.editing.collection = contents.shown.name if contents.shown else ""
        self.ui.stack.setCurrentIndex(FILLED)
        combo = self.ui.collections
        if contents.collections != self._offered:
            combo.clear()
            for each in contents.collections:
                combo.addItem(words.collection_title(each.title, each.name), each.name)
        combo.setCurrentIndex(combo.findData(self.editing.collection))
        self._offered = contents.collections

    def _connect(self) -> None:
        self.session.follow(self.refresh)
        self.ui.collections.activated.connect(self._on_collection)
        self.ui.list.lifted.connect(self.commands.lift)
        self.ui.list.opened.connect(self.commands.edit)
        self.ui.list.removed.connect(self.commands.remove)
        self.ui.url.returnPressed.connect(self.commands.test)
        self.ui.pane.saved.connect(self.commands.save)
        self.model.dropped.connect(self.commands.drop)
        self.editing.changed.connect(self._follow)
        self.trials.changed.connect(self._on_trials)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._on_application_state)

    def _on_collection(self, number: int) -> None:
        self.editing.collection = str(self.ui.collections.itemData(number))
        self.session.start(self._load(""))

    def _on_trials(self) -> None:
        self.model.show_trials(self.trials.made)
        number, count = self.trials.number, self.trials.count
        text = tr("Testing {number} of {count}", number=number, count=count)
        self.ui.progress.setText(text if self.trials.is_running and count > 1 else "")
        self._follow()

    def _on_application_state(self, state: Qt.ApplicationState) -> None:
        """See what the person did to the file in the editor."""
        if state is Qt.ApplicationState.ApplicationActive and self.isVisible():
            self.refresh()

    def _follow(self) -> None:
        """Bring words and actions into line with what is shown."""
        source, edit = self.editing.source, self.editing.edit
        self.model.show_changed(self.editing.changed_names)
        if edit is not None:
            trial = self.trials.made.get(edit.text)
            self.ui.pane.show_said(said(trial) if trial else None)
        self._follow_panels(source)
        self._follow_actions(source, edit)

    def _follow_panels(self, source: Source | None) -> None:
        is_editable = self.model.is_editable
        at = NOTHING if source is None else SOURCE
        self.ui.right.setCurrentIndex(FIXED if self.editing.collection and not is_editable else at)
        removed = self.commands.changes.removed
        is_of_this = removed is not None and removed.collection == self.editing.collection
        self.ui.removal.setVisible(is_of_this)
        count = quantities.counted(self.model.saved_count, "1 source", "{count} sources")
        self.ui.count.setText(tr("{sources}, in order of preference", sources=count))
        for button in self.ui.foot_buttons:  # the panel of a broken file has its own
            button.setVisible(self.ui.stack.currentIndex() != BROKEN)
        path = config_path(self.session)
        text = str(path or "")
        if path is not None and not self._is_written:
            text = tr("{path} (created with the first change)", path=path)
        self.ui.place.setText(text)

    def _follow_actions(self, source: Source | None, edit: Edit | None) -> None:
        is_open = self.session.is_open and self.ui.stack.currentIndex() == FILLED
        is_chosen = is_open and edit is not None
        actions = self.page_actions
        actions.follow(
            is_list=is_open and self.model.is_editable,
            is_chosen=is_chosen and source is not None,
            is_changed=is_chosen and source is not None and self.editing.is_edited(source),
            is_asking=self.trials.is_running,
            row=self.ui.list.currentIndex().row(),
            count=self.model.saved_count,
        )
        actions.put_back.setEnabled(is_open and self.commands.changes.removed is not None)
        actions.open_file.setEnabled(self.session.is_open and self._is_written)
        actions.reload.setEnabled(self.session.is_open)
