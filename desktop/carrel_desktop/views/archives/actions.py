# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the page of archives."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from carrel_desktop.widgets.actions import make_action

if TYPE_CHECKING:
    from carrel_desktop.views.archives.view import ArchivesView


@dataclass(frozen=True, slots=True)
class State:
    """What decides what can be done. `is_list` says that the collection can be changed from here,
    `count` is that of its sources in the file, `row` that of the chosen one."""

    is_open: bool
    is_list: bool
    is_chosen: bool
    is_changed: bool
    is_asking: bool
    has_file: bool
    has_removed: bool
    row: int
    count: int


class ArchivesActions:
    """The actions of the page; `follow` brings them into line with what is shown."""

    def __init__(self, view: "ArchivesView") -> None:
        tr, make = view.tr, partial(make_action, view)
        self.add = make(
            tr("Add &memento source…"),
            view.add,
            "Ctrl+I",
            tip=tr("Write a new source; then save it"),
        )
        self.edit = make(tr("Ed&it"), view.edit, "F2", tip=tr("Go to the fields of the source"))
        self.remove = make(
            tr("Rem&ove"), view.remove, tip=tr("Take the source out of the file (Delete)")
        )
        self.put_back = make(
            tr("Put &back"), view.put_back, "Ctrl+Z", tip=tr("Undo the last removal")
        )
        self.up = make(tr("&Up"), view.move_up, tip=tr("Move the source up (Alt+Up)"))
        self.down = make(tr("Dow&n"), view.move_down, tip=tr("Move the source down (Alt+Down)"))
        self.test = make(
            tr("T&est"), view.test, "Ctrl+T", tip=tr("Ask the source for the URL, as it stands")
        )
        self.test_texts = {False: tr("Test &all"), True: tr("Stop &asking")}
        self.test_all = make(self.test_texts[False], view.test_all, "Ctrl+Shift+T")
        self.save = make(
            tr("&Save"), view.save, tip=tr("Write the source to collections.yaml (Ctrl+S)")
        )
        self.undo = make(
            tr("Undo chan&ges"), view.undo, tip=tr("Show the source as it stands in the file")
        )
        self.open_file = make(tr("Open in &your editor"), view.open_file)
        self.reload = make(
            tr("Re&load"), view.reload, tip=tr("Read collections.yaml again; it is also read "
            "whenever you come back to Carrel")
        )  # fmt: skip
        self.groups: list[list[QAction]] = [
            [self.add, self.edit, self.remove, self.put_back, self.up, self.down],
            [self.test, self.test_all],
            [self.save, self.undo],
            [self.open_file, self.reload],
        ]

    def follow(self, state: State) -> None:
        """Say which actions can be used."""
        is_saved = state.is_chosen and state.row < state.count
        self.add.setEnabled(state.is_list)
        for action in (self.edit, self.remove):
            action.setEnabled(state.is_chosen)
        self.put_back.setEnabled(state.has_removed)
        self.up.setEnabled(is_saved and state.row > 0)
        self.down.setEnabled(is_saved and state.row < state.count - 1)
        self.test.setEnabled(state.is_chosen and not state.is_asking)
        self.test_all.setText(self.test_texts[state.is_asking])
        self.test_all.setEnabled(state.is_asking or (state.is_list and state.count > 0))
        for action in (self.save, self.undo):
            action.setEnabled(state.is_changed)
        self.open_file.setEnabled(state.is_open and state.has_file)
        self.reload.setEnabled(state.is_open)
