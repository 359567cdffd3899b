# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Holdings page's widgets and where they stand."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from carrel.translation import tr
from carrel_desktop.holding_rows.model import HoldingsModel
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.holdings.detail import HoldingPane
from carrel_desktop.views.holdings.places import HoldingPlaces
from carrel_desktop.views.holdings.sorting import SortMenu
from carrel_desktop.views.holdings.table import HoldingsTable
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.wrapping_row import WrappingRow

EMPTY, NONE_FOUND, FILLED, UNOPENED, READING = range(5)
LEAST_SEARCH, MOST_SEARCH = 40, 110  # grid steps


class HoldingsLayout(QWidget):
    """Above, places and search; below, the table and the chosen holding.

    `left_search` is emitted when the keyboard goes from the search field to the table.
    """

    left_search = Signal()

    def __init__(self, theme: Theme, actions: Actions, model: HoldingsModel) -> None:
        super().__init__()
        self._theme, self._actions = theme, actions
        self.places = HoldingPlaces()
        self.search = QLineEdit()
        self.count = QLabel()
        self.table = HoldingsTable(theme, model)
        self.detail = HoldingPane(theme, actions)
        self.sorting = SortMenu(self.table)
        self.table.addActions([*actions.groups[0], self.sorting.menu_action])
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.stack = QStackedWidget()
        self._fill_stack()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(4))
        layout.addWidget(self._make_bar())
        layout.addWidget(self.stack, 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc empties the search field, Down goes from it to the table."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.search.clear()
                return True
            if event.key() == Qt.Key.Key_Down:
                self.left_search.emit()
                self.table.setFocus()
                return True
        return super().eventFilter(watched, event)

    def _fill_stack(self) -> None:
        actions = self._actions
        empty = EmptyPanel(
            self._theme,
            "holdings",
            tr("Nothing is archived here yet"),
            tr("Every dataset that you archive is listed here, with its files and digests."),
        )
        empty.add_action(ActionButton(actions.go, self._theme, "archive", role="primary"))
        self.none = EmptyPanel(self._theme, "search", tr("Nothing found"), "")
        self.unopened = EmptyPanel(self._theme, "warning", tr("The archive cannot be opened"), "")
        again = ActionButton(actions.again, role="primary")
        self.unopened.add_actions(again, ActionButton(actions.other))
        self.reading = EmptyPanel(
            self._theme,
            "holdings",
            tr("Loading holdings…"),
            tr("This takes longer for large archives."),
        )
        for page in (empty, self.none, self._make_split(), self.unopened, self.reading):
            self.stack.addWidget(page)

    def _make_split(self) -> QSplitter:
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(space(3))
        split.setChildrenCollapsible(False)
        split.addWidget(self.table)
        split.addWidget(self.detail)
        split.setStretchFactor(0, 5)
        split.setStretchFactor(1, 4)
        split.setSizes([space(90), space(100)])
        return split

    def _make_bar(self) -> QWidget:
        self.search.setPlaceholderText(tr("Find by title, identifier, creator, platform or digest"))
        self.search.setAccessibleName(tr("Find in holdings"))
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(space(MOST_SEARCH))
        self.search.installEventFilter(self)
        self.count.setProperty("tone", "secondary")
        self.bar = QWidget()
        row = WrappingRow(space(3))
        row.setContentsMargins(1, 1, 1, 1)
        row.addWidget(self.places)
        row.add_filling(self.search, space(LEAST_SEARCH))
        row.add_stretch()
        row.addWidget(self.count)
        self.bar.setLayout(row)
        return self.bar
