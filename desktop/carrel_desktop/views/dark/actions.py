# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Dark archive page."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from carrel_desktop.widgets.actions import make_action

if TYPE_CHECKING:
    from carrel_desktop.views.dark.view import DarkView


class DarkActions:
    """The actions of the page; `groups` is its menu, between the separators."""

    def __init__(self, view: "DarkView") -> None:
        tr, make = view.tr, partial(make_action, view)
        self.gather = make(
            tr("&Gather now"), view.gather, "F8", tip=tr("Read the directory and note what changed")
        )
        self.stop = make(
            tr("&Stop"), view.stop, "Shift+F8", tip=tr("End the run; no loss is concluded from it")
        )
        self.folder = make(
            tr("Choose fo&lder…"), view.choose_folder, tip=tr("Choose the ReDIF directory to read")
        )
        self.tarball = make(
            tr("T&arball…"), view.choose_tarball, tip=tr("Read a tarball in place of the directory")
        )
        self.older = make(
            tr("Olde&r tarball…"),
            view.choose_older,
            tip=tr("Read a tarball out of its turn, as a backfill: no loss is concluded from it"),
        )
        self.url_list = make(
            tr("&URL list…"), view.choose_list, tip=tr("Look at each URL of a plain list")
        )
        self.templates_only = make(
            tr("&Templates only"), view.follow, tip=tr("Fetch no full texts in runs from now on")
        )
        self.templates_only.setObjectName("templates_only")
        self.templates_only.setCheckable(True)
        self.check = make(
            tr("Check &everything"),
            view.check,
            "F7",
            tip=tr("Read store, journal and ledger again, every byte"),
        )
        self.find = make(tr("&Find an object"), view.go_to_search, "F3")
        self.all = make(
            tr("Remove f&ilters"), view.list_all, "Ctrl+Shift+Y", tip=tr("List the whole view")
        )
        self.export = make(
            tr("E&xport CSV…"),
            view.export,
            "Ctrl+Shift+X",
            tip=tr("Write what is listed to a file"),
        )
        self.back = make(tr("&Back"), view.go_back, "Alt+Left", tip=tr("Show the object before"))
        self.whole = make(
            tr("Whole li&ne"), view.show_whole, "Ctrl+Shift+0", tip=tr("Show all of its time again")
        )
        self.open = make(
            tr("&Open…"), view.open_content, "Ctrl+H", tip=tr("Open a full text, for a reason")
        )
        self.release = make(
            tr("Release a cop&y…"),
            view.release,
            "Ctrl+Shift+H",
            tip=tr("Write a copy for somebody, for a reason"),
        )
        self.copy = make(tr("&Copy handle or URL"), view.copy_ident, "Ctrl+Shift+P")
        for action in (self.stop, self.all, self.back, self.whole, self.open, self.release):
            action.setEnabled(False)  # so that their buttons take no room from the start

    @property
    def groups(self) -> list[list[QAction]]:
        """The menu, between its separators."""
        return [
            [self.gather, self.stop, self.templates_only],
            [self.folder, self.tarball, self.older, self.url_list],
            [self.check],
            [self.find, self.all, self.export],
            [self.open, self.release, self.copy, self.back, self.whole],
        ]
