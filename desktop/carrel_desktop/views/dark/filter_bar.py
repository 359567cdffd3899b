# SPDX-License-Identifier: AGPL-3.0-or-later
"""What of a view is listed: words, since when, of which series."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from carrel.model.dark_views import ChangeRow, LossRow
from carrel.translation import tr
from carrel_desktop.quantities import DAY
from carrel_desktop.views.dark import texts
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.chips import chip
from carrel_desktop.widgets.choice_box import ChoiceBox
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.layouts import rest, wrapping
from carrel_desktop.widgets.search_field import SearchField

TYPING_MS = 250
LEAST_TEXT = 40  # grid steps
AT_ANY_TIME, LAST_RUN = 0, -1
Datable = LossRow | ChangeRow


class FilterBar(QWidget):
    """`changed` says that something else is to be listed."""

    changed = Signal()

    def __init__(self, all_button: ActionButton, export_button: ActionButton) -> None:
        super().__init__()
        hint = tr("Filter the rows below")
        self.text = SearchField("filter_dark", hint, hint, TYPING_MS)
        self.since = named(ChoiceBox(), "since", tr("Time"))
        choices = (
            (tr("Recorded at any time"), AT_ANY_TIME),
            (tr("Recorded since the last run"), LAST_RUN),
            (tr("Recorded in the last 7 days"), 7),
            (tr("Recorded in the last 30 days"), 30),
            (tr("Recorded in the last year"), 365),
        )
        for name, days in choices:
            self.since.addItem(name, days)
        self.place = chip(name="place")
        self.place.setToolTip(tr("Show all series"))
        self._place: tuple[str, str] | None = None
        choosers = self.place, self.since, all_button, export_button
        wrapping(rest(self.text, least=LEAST_TEXT), *choosers, gap=2, pixels=1, on=self)
        self.text.sought.connect(self.changed)
        self.since.activated.connect(self.text.seek_now)
        self.place.clicked.connect(self._on_place)
        self.show_place(None)

    @property
    def words(self) -> Sequence[str]:
        return self.text.text().split()

    @property
    def lists_all(self) -> bool:
        return not self.words and self._place is None and self._days == AT_ANY_TIME

    def show_place(self, place: tuple[str, str] | None) -> None:
        """List only what belongs to an archive and series, or with None all."""
        self._place = place
        self.place.setVisible(place is not None)
        self.place.setChecked(place is not None)
        name = texts.series(*place) if place else ""
        self.place.setText(name)
        self.place.setAccessibleName(tr("Only {series}", series=name))

    def offer_since(self, *, is_possible: bool) -> None:
        """Let the person choose since when, or not: not all that is listed has a date."""
        self.since.setVisible(is_possible)
        if not is_possible:
            self.since.setCurrentIndex(0)

    def clear(self) -> None:
        """Take every filter away."""
        self.show_place(None)
        self.since.setCurrentIndex(0)
        self.text.clear()
        self.text.seek_now()

    def test(self, now: float, last_run: int | None) -> Callable[[Datable], bool] | None:
        """Return what rows with a date must be; None if all may be listed."""
        place, days = self._place, self._days
        since = (last_run or 0) if days == LAST_RUN else now - days * DAY
        if place is None and days == AT_ANY_TIME:
            return None

        def passes(row: Datable) -> bool:
            if place is not None and (row.archive or "", row.series or "") != place:
                return False
            if days == AT_ANY_TIME:
                return True
            return _noted(row) >= since

        return passes

    @property
    def _days(self) -> int:
        return int(self.since.currentData() or 0)

    def _on_place(self) -> None:
        self.show_place(None)
        self.text.seek_now()


def _noted(row: Datable) -> int:
    """Return when a run said a loss for certain, or missed it first; or recorded an incidence."""
    return row.tist if isinstance(row, ChangeRow) else row.recorded
