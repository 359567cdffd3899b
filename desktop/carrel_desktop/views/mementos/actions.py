# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Mementos page, and when it can."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from carrel_desktop.views.mementos.preview import PaneActions
from carrel_desktop.views.mementos.rows import Row
from carrel_desktop.widgets.actions import make_action

if TYPE_CHECKING:
    from carrel_desktop.views.mementos.view import MementosView


class MementoActions:
    """The actions of the page; `follow` brings them into line with what is chosen."""

    def __init__(self, view: "MementosView") -> None:
        tr, make = view.tr, partial(make_action, view)
        self.look_up = make(
            tr("Look &up"), view.look_up, "Ctrl+K", tip=tr("Ask every archive of the collection")
        )
        self.stop = make(
            tr("Stop askin&g"), view.stop, "Ctrl+.", tip=tr("Wait for no more archives")
        )
        self.browse = make(
            tr("&Browse"), view.toggle_browse, "Ctrl+B", tip=tr("Find what is held here by host")
        )
        self.browse.setCheckable(True)
        self.archives = make(
            tr("Arch&ives…"), view.go_to_archives, tip=tr("Add, test and order archives")
        )
        self.preview = make(
            tr("Pr&eview"), view.preview, "Ctrl+Y", tip=tr("Show its beginning and its heads here")
        )
        self.open = make(
            tr("&Open"), view.open_shown, "Ctrl+J", tip=tr("Show it in the browser, from here")
        )
        self.raw = make(
            tr("Open r&aw"), view.open_raw, "Ctrl+Shift+W", tip=tr("Open it with nothing rewritten")
        )
        self.save = make(
            tr("&Save as…"), view.save_as, "Ctrl+D", tip=tr("Write it to a file, whole or not")
        )
        self.compare = make(
            tr("Co&mpare"), view.compare, "Ctrl+M", tip=tr("Say how two captures differ")
        )
        self.archive = make(
            tr("Archive &now"), view.archive_now, "Ctrl+N", tip=tr("Take it to the Archive page")
        )
        self.copy_url = make(tr("Cop&y URL"), view.copy_url, "Ctrl+U")
        self.cite = make(
            tr("Copy as ci&tation"),
            view.copy_citation,
            "Ctrl+Shift+U",
            tip=tr("Copy URL, moment, archive and digest"),
        )
        self.whole = make(
            tr("&Zoom out"), view.show_whole, "Ctrl+0", tip=tr("Show all years again")
        )
        self.all = make(
            tr("Remove fi&lters"), view.list_all, "Ctrl+Shift+G", tip=tr("Take every filter away")
        )
        self.open_config = make(tr("Open the fi&le"), view.open_config)

    @property
    def groups(self) -> list[list[QAction]]:
        """The menu, between its separators."""
        return [
            [self.look_up, self.stop, self.browse],
            self.for_rows,
            [self.archive],
            [self.whole, self.all],
            [self.archives],
        ]

    @property
    def for_rows(self) -> list[QAction]:
        """The menu on the rows."""
        chosen = [self.preview, self.open, self.raw, self.save, self.compare]
        return [*chosen, self.copy_url, self.cite]

    @property
    def for_pane(self) -> PaneActions:
        return PaneActions(self.preview, self.open, self.raw, self.save, self.compare)

    def follow(self, rows: Sequence[Row], *, is_peeked: bool, is_busy: bool) -> None:
        """Allow what can be done with the chosen rows."""
        is_one = len(rows) == 1
        self.preview.setEnabled(is_one and not is_peeked)
        for action in (self.open, self.raw, self.copy_url):
            action.setEnabled(is_one)
        self.save.setEnabled(is_one and not is_busy)
        self.cite.setEnabled(bool(rows))
        self.compare.setEnabled(len(rows) == 2)
