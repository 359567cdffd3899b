# SPDX-License-Identifier: AGPL-3.0-or-later
"""The chosen dataset: how it stands, what to do, and what became of each of its files."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtWidgets import QScrollArea

from carrel.model.dark_views import FileDifference, WatchedRow
from carrel.model.watch_states import FIRST_SEEN, GONE, UNSEEN
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.views.watch import columns, states
from carrel_desktop.views.watch.columns import attempted, earlier, looked, lost, versions
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.chips import chip
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import boxed, rest, scrolled, stacked, vertical, wrapping
from carrel_desktop.widgets.outcome_card import OutcomeCard
from carrel_desktop.widgets.pane import Pane, PaneFooter, pane_footer
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.table.view import RowsTable
from carrel_desktop.widgets.title_block import Title, TitleBlock

FILES, NONE_LISTED = 0, 1
LEAST_COUNTED = 60  # grid steps; below, the counts have a line of their own


class WatchPane(Pane):
    """Shows one watched dataset."""

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.mementos = ActionButton(
            actions.mementos, theme, "mementos", role="quiet", has_letter=False
        )
        self.page = ActionButton(actions.page, theme, "link", role="quiet")
        self.title = TitleBlock(self.page, self.mementos)
        self.state = OutcomeCard(theme)
        self.count = named(wrapped(font=strong_font()), "differences_counted")
        self.files = RowsModel(columns.files(), self)
        self.files.seek((), states.differs)
        self._if_none, self._of_last_check, self._is_unseen = "", False, False
        self.table = RowsTable(theme, self.files, "differences", tr("Files, then and now"))
        self.none = named(wrapped("", "secondary"), "no_differences")
        self.stack = stacked(self.table, boxed(vertical(self.none, rest())))
        self.fill(self._make_content(actions), self._make_footer(theme, actions))

    def show_row(self, row: WatchedRow) -> None:
        """Show how a dataset stands; its files are being read."""
        with self.showing():
            when, tried = looked(row), attempted(row)
            version = tr("Version {version}", version=versions(row))
            facts = [
                version if versions(row) else "",
                _checked(row, when) if when else "",
                tr("Last attempt {moment}", moment=tried) if tried else "",
                tr("Loss first found {moment}", moment=lost(row)) if row.lost else earlier(row),
                "" if row.captured else tr("Not archived here"),
            ]
            self.title.show_title(Title(row.title, (), facts, columns.address(row)))
            look = states.of(row)
            self.state.show_note(look.icon, look.word, row.message, look.tone)
            self._is_unseen = not row.saw_files
            first = self._first_act(row)
            for act, role in ((self.page, "quiet"), (self.look, ""), (self.ingest, "quiet")):
                act.set_role("primary" if act is first else role)
            self._of_last_check = row.last_state is not None
            self._list((), tr("Loading…"))

    def show_none(self) -> None:
        """Say that no dataset is chosen."""
        self.show_word(tr("No dataset is selected"), tr("Select a dataset to see how it compares."))

    def show_files(self, files: Sequence[FileDifference]) -> None:
        """Show what became of the files."""
        with self.adding():
            none = tr("No check has seen its files yet.")
            self._list(files, none)

    def show_files_unread(self, reason: str) -> None:
        """Say why it is not known what became of the files."""
        with self.adding():
            self._list((), tr("The status of its files cannot be read: {reason}", reason=reason))

    def list_same(self, with_same: bool) -> None:
        """List the files that are as they were, or leave them out."""
        with self.adding():
            self.files.seek((), None if with_same else states.differs)
            self.follow_files()

    def follow_files(self) -> None:
        """Say in words what is listed, and why nothing is."""
        looks = [states.file_state(each.what) for each in self.files.all]
        counted = states.counted(quantities.files(len(looks)), looks)
        if self._is_unseen and any(each.what != "unchecked" for each in self.files.all):
            counted = tr("At the last check that could tell: {files}", files=counted)
        elif self._of_last_check:
            counted = tr("At the last check: {files}", files=counted)
        self.count.setText(counted)
        self.head.setVisible(bool(looks))
        self.stack.setCurrentIndex(FILES if self.files.rowCount() > 0 else NONE_LISTED)
        same = tr("No change is published for any file.")
        if self._is_unseen:
            same = tr("No change was published for any file when it was last seen.")
        if any(each.what == FIRST_SEEN for each in self.files.all):
            same = tr("There was nothing to compare the files with at the first check.")
        self.none.setText(same if looks else self._if_none)

    def _first_act(self, row: WatchedRow) -> ActionButton | None:
        """Return what is to be done next, None where nothing is."""
        if row.state in (*UNSEEN, GONE) or row.is_unanswered:
            return self.look
        if row.is_other_record:
            return self.page
        if _has_more(row):
            return self.ingest
        return self.look if row.has_nothing_new else None

    def _list(self, files: Sequence[FileDifference], if_none: str) -> None:
        self._if_none = if_none
        self.files.show(self.files.kind, files)
        self.follow_files()

    def _make_content(self, actions: Actions) -> QScrollArea:
        self.same_chip = chip(actions.same.text(), "same_chip")
        self.same_chip.setToolTip(actions.same.statusTip())
        self.same_chip.clicked.connect(actions.same.trigger)
        actions.same.toggled.connect(self.same_chip.setChecked)
        counted = rest(self.count, least=LEAST_COUNTED)
        self.head = boxed(wrapping(counted, self.same_chip, gap=2))
        self.stack.setMinimumHeight(space(26))
        layout = vertical(self.state, self.head, rest(self.stack), gap=3)
        return scrolled(boxed(self.title.above(layout)))

    def _make_footer(self, theme: Theme, actions: Actions) -> PaneFooter:
        remove = ActionButton(actions.remove, theme, "remove", role="quiet")
        self.look = ActionButton(actions.look)  # which leaves the three room in one row
        self.ingest = ActionButton(actions.ingest, theme, "archive", role="primary")
        return pane_footer((remove,), (self.look, self.ingest))


def _checked(row: WatchedRow, when: str) -> str:
    """Return when the last check was, and what it saw of a dataset that was archived since."""
    if row.last_state is None:
        return tr("Last checked {moment}", moment=when)
    word = states.of(replace(row, state=row.last_state)).word
    return tr("Last checked {moment}: {state}", moment=when, state=word)


def _has_more(row: WatchedRow) -> bool:
    """Say whether there is something to archive that was not captured, and can be had."""
    has_more = row.state in states.HAVE_MORE and not row.has_nothing_new
    return not row.is_closed and (row.captured is None or has_more)
