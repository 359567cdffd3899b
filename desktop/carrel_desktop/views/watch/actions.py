# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Watch page."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from carrel_desktop.widgets.actions import make_action

if TYPE_CHECKING:
    from carrel_desktop.views.watch.view import WatchView


class WatchActions:
    """The actions of the page; `groups` is its menu, between the separators."""

    def __init__(self, view: "WatchView") -> None:
        tr, make = view.tr, partial(make_action, view)
        self.look_all = make(
            tr("Look at &all now"),
            view.look_at_all,
            "F9",
            tip=tr("Ask every platform how its datasets stand now"),
        )
        self.look = make(
            tr("&Look now"), view.look, "Shift+F9", tip=tr("Look at the chosen datasets")
        )
        self.stop = make(
            tr("&Stop looking"), view.stop, "Ctrl+F9", tip=tr("End here; what was seen is noted")
        )
        self.add_address = make(
            tr("Add by addr&ess…"),
            view.add_by_address,
            "Ctrl+Shift+B",
            tip=tr("Watch datasets by address, DOI, Handle or ARK"),
        )
        self.add_holdings = make(
            tr("Add from holdin&gs…"),
            view.add_from_holdings,
            "Ctrl+Shift+Z",
            tip=tr("Watch datasets that are archived here"),
        )
        self.ingest = make(
            tr("Arch&ive again"),
            view.ingest,
            "F6",
            tip=tr("Go to archive what is published now; what you have stays"),
        )
        self.page = make(tr("&Open page"), view.open_page, tip=tr("Show the dataset in a browser"))
        self.remove = make(
            tr("Re&move"),
            view.remove,
            tip=tr("Watch the chosen datasets no more; what was captured stays"),
        )
        self.same = make(
            tr("&Unchanged files too"), view.follow_same, tip=tr("List every file of the dataset")
        )
        self.same.setCheckable(True)

    @property
    def groups(self) -> list[list[QAction]]:
        """The menu, between its separators."""
        return [
            [self.look_all, self.look, self.stop],
            [self.add_address, self.add_holdings],
            [self.ingest, self.page, self.same],
            [self.remove],
        ]
