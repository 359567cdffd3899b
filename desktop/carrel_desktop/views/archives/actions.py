# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the page of archives."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from carrel_desktop.widgets.actions import make_action

if TYPE_CHECKING:
    from carrel_desktop.views.archives.view import ArchivesView


class ArchivesActions:
    """The actions of the page; the view says when each can be used."""

    def __init__(self, view: "ArchivesView") -> None:
        tr, make = view.tr, partial(make_action, view)
        self.add = make(
            tr("Add a sour&ce…"), view.add, "Ctrl+I", tip=tr("Write a new source; then save it")
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
