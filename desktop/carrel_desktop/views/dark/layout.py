# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Dark archive page's widgets and where they stand."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.dark import columns
from carrel_desktop.views.dark.absence import Absence
from carrel_desktop.views.dark.filter_bar import FilterBar
from carrel_desktop.views.dark.life_pane import LifePane
from carrel_desktop.views.dark.side import SidePane
from carrel_desktop.views.dark.strip import Strip
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.labels import ElidedLabel
from carrel_desktop.widgets.outcome_card import OutcomeCard
from carrel_desktop.widgets.reading_panel import ReadingPanel
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.table.view import RowsTable
from carrel_desktop.widgets.wrapping_row import WrappingRow

EMPTY, FILLED, READING = range(3)
LISTED, NONE_THERE, NONE_FOUND = 0, 1, 2
LIFE_SHARE, MOST_LIFE = 0.47, 66  # of the height, or more where it is short; grid steps
SIDE_SHARE, LEAST_SIDE, MOST_SIDE = 0.235, 46, 68  # of the width; grid steps


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
        self.table = RowsTable(theme, self.model, "dark_rows", tr("Answers"))
        self.table.addAction(actions.copy)
        self.filters = FilterBar(
            ActionButton(actions.all, role="quiet", hides=True),
            ActionButton(actions.export, role="quiet"),
        )
        self.sentence = ElidedLabel()
        self.sentence.setProperty("tone", "secondary")
        self.sum = QLabel()
        self.card = OutcomeCard(theme)
        self.card.setObjectName("check_card")
        self.card.hide()
        self.pane = LifePane(theme, actions)
        self.page, self.results = QStackedWidget(), QStackedWidget()
        self._upright = QSplitter(Qt.Orientation.Vertical)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._choosers = QWidget()
        self._is_moved = self._is_side_moved = False
        self._fill_results()
        self._fill_page()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(3))
        layout.addWidget(self.strip)
        layout.addWidget(self.page, 1)

    def fit(self) -> None:
        """Give side and life line their shares, until one moves the lines between."""
        width, height = self.page.width(), self.page.height()  # also of what is not shown yet
        if not self._is_side_moved:
            wanted = min(max(space(LEAST_SIDE), round(width * SIDE_SHARE)), space(MOST_SIDE))
            self._split.setSizes([wanted, width - wanted])
        if not self._is_moved:
            wanted = max(round(height * LIFE_SHARE), min(space(MOST_LIFE), height * 4 // 7))
            self._upright.setSizes([height - wanted, wanted])

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

    def _on_moved(self) -> None:
        self._is_moved = True

    def _on_side_moved(self) -> None:
        self._is_side_moved = True

    def _fill_results(self) -> None:
        actions = self._actions
        self.none = EmptyPanel(self._theme, "waiting", "", "")
        filtered = EmptyPanel(
            self._theme, "search", tr("No matches"), tr("No rows match the filters.")
        )
        filtered.add_action(ActionButton(actions.all))
        for page in (self.table, self.none, filtered):
            self.results.addWidget(page)

    def _fill_page(self) -> None:
        self.page.addWidget(self._make_empty())
        self._split.setHandleWidth(space(3))
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.side)
        self._split.addWidget(self._upright)
        self._split.setStretchFactor(1, 1)
        self._split.splitterMoved.connect(self._on_side_moved)
        self._upright.setHandleWidth(space(3))
        self._upright.setChildrenCollapsible(False)
        self._upright.addWidget(self._make_answers())
        self._upright.addWidget(self.pane)
        self._upright.setStretchFactor(0, 1)
        self._upright.splitterMoved.connect(self._on_moved)
        self.page.addWidget(self._split)
        self.page.addWidget(self.reading)

    def _make_answers(self) -> QWidget:
        answers = QWidget()
        column = QVBoxLayout(answers)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(2))
        head = QHBoxLayout()
        head.setContentsMargins(space(0.5), 0, space(0.5), 0)
        head.setSpacing(space(3))
        head.addWidget(self.sentence, 1)
        head.addWidget(self.sum)
        column.addWidget(self.filters)
        column.addLayout(head)
        column.addWidget(self.card)
        column.addWidget(self.results, 1)
        self.results.setMinimumHeight(space(24))
        return answers

    def _make_empty(self) -> EmptyPanel:
        actions = self._actions
        self._empty = empty = EmptyPanel(self._theme, "dark", tr("A dark archive"), "")
        row = WrappingRow(space(2))
        row.setContentsMargins(1, 1, 1, 1)
        row.addWidget(ActionButton(actions.folder, self._theme, "folder", role="primary"))
        row.addWidget(ActionButton(actions.tarball))
        row.addWidget(ActionButton(actions.url_list))
        self._choosers.setLayout(row)
        empty.add_action(self._choosers)
        return empty
