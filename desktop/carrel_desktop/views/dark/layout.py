# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Dark archive page's widgets and where they stand."""

from typing import Any

from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.dark import columns
from carrel_desktop.views.dark.filter_bar import FilterBar
from carrel_desktop.views.dark.life_pane import LifePane
from carrel_desktop.views.dark.questions import Absence
from carrel_desktop.views.dark.remarks import Remarks
from carrel_desktop.views.dark.side import SidePane
from carrel_desktop.views.dark.strip import Strip
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.empty_panel import EmptyPanel, ReadingPanel
from carrel_desktop.widgets.labels import ElidedLabel, named, wrapped
from carrel_desktop.widgets.layouts import (
    Split,
    boxed,
    horizontal,
    rest,
    stacked,
    vertical,
    wrapping,
)
from carrel_desktop.widgets.outcome_card import OutcomeCard
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.table.view import RowsTable

EMPTY, FILLED, READING = range(3)
LISTED, NONE_THERE, NONE_FOUND = 0, 1, 2
LIFE_SHARE, MOST_LIFE = 0.47, 66  # of the height, or more where it is short; grid steps
SIDE_SHARE, LEAST_SIDE, MOST_SIDE = 0.235, 55, 68  # of the width; grid steps


class DarkLayout(QWidget):
    """Above, the source and the runs; at the left, what is asked; then the answers, and below them
    the life of the chosen object."""

    def __init__(self, theme: Theme, session: Session, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self._actions = actions
        self.model: RowsModel[Any] = RowsModel(columns.series({}), self)
        self.reading = ReadingPanel(session, theme, "dark")
        self.strip = Strip(theme, actions)
        self.side = SidePane(theme)
        self.table = RowsTable(theme, self.model, "dark_rows", tr("By series"))
        self.table.addAction(actions.copy)
        self.filters = FilterBar(
            ActionButton(actions.all, role="quiet", hides=True),
            ActionButton(actions.export, role="quiet"),
        )
        self.sentence = ElidedLabel(tone="secondary")
        self.sum = QLabel()
        self.lacking = named(wrapped("", "secondary"), "not_listed")
        self.card = named(OutcomeCard(theme), "check_card")
        self.card.hide()
        self.card.add_way(ActionButton(actions.rebuild, theme, "retry", hides=True))
        self.remarks = Remarks(theme)
        self.pane = LifePane(theme, actions)
        self.results = self._make_results()
        self._upright = Split(self._make_answers(), self.pane, shares=(1,), upright=True)
        self._split = Split(self.side, self._upright, shares=(0, 1))
        self.page = stacked(self._make_empty(), self._split, self.reading)
        vertical(self.strip, rest(self.page), gap=3, on=self)

    def fit(self) -> None:
        """Give side and life line their shares, until one moves the lines between."""
        width, height = self.page.width(), self.page.height()  # also of what is not shown yet
        side = min(max(space(LEAST_SIDE), round(width * SIDE_SHARE)), space(MOST_SIDE))
        self._split.fit([side, width - side])
        life = max(round(height * LIFE_SHARE), min(space(MOST_LIFE), height * 4 // 7))
        self._upright.fit([height - life, life])

    def show_none(self, said: Absence) -> None:
        """Say why nothing is listed in the view."""
        self.none.show_words(said.icon, said.heading, said.sentence)
        self.results.setCurrentIndex(NONE_THERE)

    def show_beginning(self, *, has_source: bool, is_begun: bool) -> None:
        """Say what a dark archive is, and what to do first: choose a source, then gather."""
        what = tr(
            "For RePEc and similar catalogues: the dark archive stores every template (ReDIF "
            "metadata record) and full text, records each change, and detects what appears, "
            "disappears and reappears. Its content is closed; opening it requires a reason."
        )
        first = tr("Harvest now reads the selected directory for the first time.")
        if not has_source:
            first = tr("First choose the directory with the ReDIF files, or another source.")
        self._empty.sentence.setText(f"{what}\n\n{first}")
        self._choosers.setVisible(not has_source)
        self.strip.setVisible(has_source or is_begun)

    def _make_results(self) -> QStackedWidget:
        self.none = EmptyPanel(self._theme, "waiting")
        clear = ActionButton(self._actions.all)
        words = tr("No matches"), tr("No rows match the filters.")
        results = stacked(self.table, self.none, EmptyPanel(self._theme, "search", *words, clear))
        results.setMinimumHeight(space(24))
        return results

    def _make_answers(self) -> QWidget:
        said = self.lacking, self.card, self.remarks
        head = horizontal(rest(self.sentence), self.sum, gap=3, margins=(0.5, 0, 0.5, 0))
        return boxed(vertical(self.filters, head, *said, rest(self.results), gap=2))

    def _make_empty(self) -> EmptyPanel:
        actions = self._actions
        self.first_step = ActionButton(actions.folder, self._theme, "folder", role="primary")
        choosers = wrapping(
            self.first_step,
            ActionButton(actions.tarball),
            ActionButton(actions.url_list),
            gap=2,
            pixels=1,
        )
        self._choosers = boxed(choosers)
        self._empty = EmptyPanel(self._theme, "dark", tr("A dark archive"), "", self._choosers)
        return self._empty
