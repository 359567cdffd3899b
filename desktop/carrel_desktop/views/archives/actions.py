# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the page of archives."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from carrel.translation import tr
from carrel_desktop.widgets.actions import LINE, Actions, Entry


def source_actions() -> Sequence[Entry | None]:
    """Return the actions of the page, as its menu groups them."""
    reload = tr("Read collections.yaml again; this also happens whenever you return to Carrel")
    return (
        Entry(
            "add",
            tr("Add &memento source…"),
            "Ctrl+Shift+N",
            tr("Create a new source, then save it"),
            writes=True,
        ),
        Entry("edit", tr("Ed&it"), "F2", tr("Edit the fields of the source"), writes=True),
        Entry("remove", tr("Rem&ove"), "Del", tr("Remove the source from the file"), writes=True),
        Entry(
            "put_back", tr("Un&do removal"), "", tr("Restore the source removed last"), writes=True
        ),
        Entry("up", tr("&Up"), "Alt+Up", tr("Move the source up"), slot="move_up", writes=True),
        Entry(
            "down",
            tr("Dow&n"),
            "Alt+Down",
            tr("Move the source down"),
            slot="move_down",
            writes=True,
        ),
        LINE,
        Entry("test", tr("&Test"), "Ctrl+T", tr("Query the source for the URL, as edited")),
        Entry("test_all", "", "Ctrl+Shift+T"),
        LINE,
        Entry(
            "save",
            tr("&Save"),
            "Ctrl+S",
            tr("Write the source to collections.yaml"),
            writes=True,
        ),
        Entry("undo", tr("Undo chan&ges"), "", tr("Show the source as in the file")),
        LINE,
        Entry("open_file", tr("Open in &your editor")),
        Entry("reload", tr("Re&load"), "", reload),
    )


class SourceActions(Actions):
    """The actions of the page; `follow` brings them into line with what is shown."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner, source_actions())
        self._test_texts = {False: tr("Test &all"), True: tr("Sto&p tests")}
        self.test_all.setText(self._test_texts[False])

    def follow(
        self,
        *,
        is_list: bool,
        is_chosen: bool,
        is_changed: bool,
        is_asking: bool,
        row: int,
        count: int,
    ) -> None:
        """Say which actions can be used.

        `is_list` says that the collection can be changed from here, `count` is that of its sources
        in the file, `row` that of the chosen one.
        """
        is_saved = is_chosen and row < count
        self.add.setEnabled(is_list)
        for action in (self.edit, self.remove):
            action.setEnabled(is_chosen)
        self.up.setEnabled(is_saved and row > 0)
        self.down.setEnabled(is_saved and row < count - 1)
        self.test.setEnabled(is_chosen and not is_asking)
        self.test_all.setText(self._test_texts[is_asking])
        self.test_all.setEnabled(is_asking or (is_list and count > 0))
        for action in (self.save, self.undo):
            action.setEnabled(is_changed)
