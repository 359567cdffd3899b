# SPDX-License-Identifier: AGPL-3.0-or-later
"""The facets beside the holdings: by themselves where there is room, until the person chooses."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from carrel.translation import tr
from carrel_desktop.holding_rows import facets
from carrel_desktop.theme import space
from carrel_desktop.timers import delay
from carrel_desktop.views.holdings.layout import ROOM_FOR_FACETS, HoldingsLayout
from carrel_desktop.views.holdings.listing import Listing

LASTING_MS = 250  # what is counted by then needs no word on it


class Filtering(QObject):
    """Shows the facets of what is listed, and counts them only while they are shown."""

    def __init__(
        self, page: QWidget, ui: HoldingsLayout, listing: Listing, action: QAction
    ) -> None:
        super().__init__(page)
        self._page, self._ui, self._listing, self._action = page, ui, listing, action
        self._fits_by_itself = True
        action.triggered.connect(self.keep)
        listing.counted.connect(self.follow)
        self._lasting = delay(self, LASTING_MS, self._tell_counting)
        listing.changed.connect(self._lasting.start)
        listing.changed.connect(self._name)

    def show(self, is_shown: bool) -> None:
        """Show the facets or hide them."""
        self._action.setChecked(is_shown)
        self._ui.show_facets(is_shown)
        self._listing.count_facets(is_shown)

    def toggle_filters(self) -> None:
        """Show the facets, or hide them, as the ticked action says."""
        self.show(self._action.isChecked())

    def fit(self) -> None:
        """Show them where there is room, unless the person has chosen."""
        has_room = self._page.width() >= space(ROOM_FOR_FACETS)
        is_shown = self._action.isChecked()
        if self._fits_by_itself and self._page.isVisible() and has_room is not is_shown:
            self.show(has_room)

    def keep(self) -> None:
        """Leave them as the person has them from now on."""
        self._fits_by_itself = False

    def _name(self) -> None:
        """Say how many values are chosen, also while the facets are hidden."""
        count = sum(map(len, self._listing.query.chosen.values()))
        numbered = tr("Filter&s ({count})", count=count)
        self._action.setText(numbered if count else tr("Filter&s"))

    def _tell_counting(self) -> None:
        """Have no count stand there that was another question's."""
        answer = self._listing.answer
        if answer is not None and answer.is_counting:
            self._ui.facets.show_counting()

    def follow(self) -> None:
        """Show how many holdings each value has, and which are chosen."""
        answer, chosen = self._listing.answer, self._listing.query.chosen
        if answer is not None:
            counts = answer.counts
            values = () if counts is None else facets.in_words(counts, chosen)
            self._ui.facets.show_facets(values, chosen)
