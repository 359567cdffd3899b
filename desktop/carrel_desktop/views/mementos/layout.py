# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Mementos page's widgets and where they stand."""

from collections.abc import Awaitable, Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.mementos.actions import MementoActions
from carrel_desktop.views.mementos.board import Board
from carrel_desktop.views.mementos.browse import BrowsePane
from carrel_desktop.views.mementos.dataset import DatasetPane
from carrel_desktop.views.mementos.filter_bar import FilterBar
from carrel_desktop.views.mementos.model import MementosModel
from carrel_desktop.views.mementos.preview import MementoPane
from carrel_desktop.views.mementos.table import MementosTable
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.elided_combo_box import ElidedComboBox
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import wrapped
from carrel_desktop.widgets.wrapping_row import WrappingRow

EMPTY, ASKED = 0, 1
LEAST_FIELD = 60  # grid steps
BOARD_SHARE = 0.37  # of the height, at most, for the sources
SIDE_SHARE = 0.265  # of the width, for a dataset or what is held here
LEAST_SIDE, MOST_SIDE, MOST_CHOOSER = 56, 110, 80  # grid steps
WAITING, LISTED, NOBODY, NONE_FOUND = 0, 1, 2, 3


class MementosLayout(QWidget):
    """Above, what to look up; at the left, a dataset or what is held here; then the sources with
    their timeline, and below them the captures and the chosen one."""

    def __init__(
        self,
        theme: Theme,
        session: Session,
        actions: MementoActions,
        model: MementosModel,
        settled: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__()
        self._theme = theme
        self._actions = actions
        self.field = QLineEdit()
        self.collection = ElidedComboBox(space(38), space(MOST_CHOOSER))
        self.config_card = QFrame()
        self.config_trouble = wrapped()
        self.dataset = DatasetPane(session, theme, settled, self.collection_name)
        self.browse = BrowsePane(session, theme)
        self.board = Board(theme)
        self.filters = FilterBar(ActionButton(actions.whole, role="quiet", hides=True))
        self.table = MementosTable(theme, model)
        self.table.addActions(actions.for_rows)
        self.pane = MementoPane(theme, actions.for_pane)
        self._upright = QSplitter(Qt.Orientation.Vertical)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._is_moved = self._is_side_moved = False
        self.page = QStackedWidget()
        self.results = QStackedWidget()
        self._fill_results()
        self._fill_page()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(3))
        layout.addWidget(self._make_bar())
        layout.addWidget(self._make_config_card())
        layout.addWidget(self._make_split(), 1)

    def collection_name(self) -> str:
        """Return the name of the collection that is asked."""
        return self.collection.currentData() or ""

    def fit_board(self) -> None:
        """Give the sources what they want, up to a share of the page, until one moves the line."""
        height = self._upright.height()
        wanted = min(self.board.sizeHint().height(), round(height * BOARD_SHARE))
        if not self._is_moved and self._upright.sizes()[0] != wanted:
            self._upright.setSizes([wanted, height - wanted])

    def fit_side(self) -> None:
        """Give the pane at the left its share of the width, until one moves the line."""
        width = self._split.width()
        wanted = min(max(space(LEAST_SIDE), round(width * SIDE_SHARE)), space(MOST_SIDE))
        if not self._is_side_moved:
            self._split.setSizes([wanted, wanted, width - wanted])

    def show_nobody(self, heading: str, sentence: str) -> None:
        """Say that there is no capture, and what can be done."""
        self._nobody.heading.setText(heading)
        self._nobody.sentence.setText(sentence)
        self.results.setCurrentIndex(NOBODY)

    def _on_moved(self) -> None:
        self._is_moved = True

    def _on_side_moved(self) -> None:
        self._is_side_moved = True

    def _make_bar(self) -> QWidget:
        actions = self._actions
        self.field.setObjectName("url")
        self.field.setPlaceholderText(tr("URL or DOI, for instance https://example.org/data.csv"))
        self.field.setAccessibleName(tr("URL or DOI to look up"))
        self.field.setClearButtonEnabled(True)
        self.collection.setObjectName("collection")
        self.collection.setAccessibleName(tr("Collection to query"))
        self.browse_button = ActionButton(actions.browse, self._theme, "browse", role="quiet")
        self.browse_button.setCheckable(True)
        bar = QWidget()
        row = WrappingRow(space(2))
        row.setContentsMargins(1, 1, 1, 1)
        row.add_filling(self.field, space(LEAST_FIELD))
        row.addWidget(ActionButton(actions.look_up, self._theme, "search", role="primary"))
        row.addWidget(self.collection)
        row.addWidget(self.browse_button)
        row.addWidget(ActionButton(actions.archives, role="quiet"))
        bar.setLayout(row)
        return bar

    def _make_config_card(self) -> QFrame:
        """Return the notice that the collections file makes no sense."""
        self.config_card.setProperty("card", "notice")
        self.config_card.setObjectName("config_trouble")
        row = QHBoxLayout(self.config_card)
        row.setContentsMargins(space(3), space(2), space(2), space(2))
        row.setSpacing(space(2))
        row.addWidget(IconLabel(self._theme, "warning", "warning"), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.config_trouble, 1)
        open_file = ActionButton(self._actions.open_config, self._theme, "file")
        row.addWidget(open_file, 0, Qt.AlignmentFlag.AlignTop)
        self.config_card.hide()
        return self.config_card

    def _make_split(self) -> QSplitter:
        split = self._split
        split.setHandleWidth(space(3))
        split.setChildrenCollapsible(False)
        for pane in (self.browse, self.dataset):
            pane.setMinimumWidth(space(50))
            pane.hide()
            split.addWidget(pane)
        split.addWidget(self.page)
        split.setStretchFactor(2, 1)
        split.splitterMoved.connect(self._on_side_moved)
        return split

    def _fill_page(self) -> None:
        empty = EmptyPanel(
            self._theme,
            "mementos",
            tr("Find captures"),
            tr(
                "Enter a URL or a DOI. All archives of the collection are queried at once, and "
                "all captures are listed by time."
            ),
        )
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(3))
        column.addWidget(self.filters)
        column.addWidget(self.results, 1)
        self._upright.setHandleWidth(space(3))
        self._upright.setChildrenCollapsible(False)
        self._upright.addWidget(self.board)
        self._upright.addWidget(below)
        self._upright.setStretchFactor(1, 1)
        self._upright.splitterMoved.connect(self._on_moved)
        self.page.addWidget(empty)
        self.page.addWidget(self._upright)

    def _fill_results(self) -> None:
        actions = self._actions
        waiting = EmptyPanel(
            self._theme, "running", tr("Querying the archives"), tr("Some take a while to answer.")
        )
        waiting.add_action(ActionButton(actions.stop))
        self._nobody = EmptyPanel(self._theme, "lamp-none", "", "")
        self._nobody.add_action(
            ActionButton(actions.archive, self._theme, "archive", role="primary")
        )
        none = EmptyPanel(
            self._theme, "search", tr("No matches"), tr("No captures match the filters.")
        )
        none.add_action(ActionButton(actions.all))
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(space(3))
        split.setChildrenCollapsible(False)
        split.addWidget(self.table)
        split.addWidget(self.pane)
        split.setStretchFactor(0, 5)
        split.setStretchFactor(1, 4)
        split.setSizes([space(93), space(107)])
        for page in (waiting, split, self._nobody, none):
            self.results.addWidget(page)
