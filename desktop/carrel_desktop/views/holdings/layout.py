# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Holdings page's widgets and where they stand."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QStackedWidget, QTableView, QWidget

from carrel.translation import tr
from carrel_desktop.holding_rows.columns import HoldingColumn
from carrel_desktop.holding_rows.model import HoldingsModel, Place
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.holdings.detail import HoldingPane
from carrel_desktop.widgets.actions import ActionButton, Actions, make_action
from carrel_desktop.widgets.chips import Chips
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.labels import plain_label
from carrel_desktop.widgets.layouts import (
    END,
    Filling,
    Split,
    boxed,
    rest,
    stacked,
    vertical,
    wrapping,
)
from carrel_desktop.widgets.search_field import SearchField
from carrel_desktop.widgets.table.view import RowsTable

ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
# The largest and the newest first; names from A to Z.
_FIRST = {HoldingColumn.SIZE: DESCENDING, HoldingColumn.ARCHIVED: DESCENDING}
LEAST_WIDTH = 46
EMPTY, NONE_FOUND, FILLED, UNOPENED, READING = range(5)
LEAST_SEARCH, MOST_SEARCH = 40, 110  # grid steps
WAIT_MS = 120  # a search waits so long for the next key


class SortMenu(QObject):
    """Sorts a table, and follows it where it is sorted by a heading."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self._menu = QMenu(tr("&Sort by"), table)
        self._group = QActionGroup(self)
        names = {
            HoldingColumn.DATASET: tr("&Dataset"),
            HoldingColumn.PLATFORM: tr("&Platform"),
            HoldingColumn.SIZE: tr("&Size"),
            HoldingColumn.OUTCOME: tr("&Outcome"),
            HoldingColumn.ARCHIVED: tr("&Date archived"),
        }
        for column, name in names.items():
            action = self._group.addAction(name)
            action.setObjectName(f"sort_{column.name.lower()}")
            action.setCheckable(True)
            action.setData(column)
            self._menu.addAction(action)
        self._menu.addSeparator()
        text = tr("&Reverse order")
        self.turn_action = make_action(self, text, self._turn, name="sort_turn")
        self._menu.addAction(self.turn_action)
        self._group.triggered.connect(self._on_chosen)
        header = table.horizontalHeader()
        header.sortIndicatorChanged.connect(self._follow)
        self._follow(header.sortIndicatorSection())

    @property
    def menu_action(self) -> QAction:
        """What stands in other menus and opens this one."""
        return self._menu.menuAction()

    def action(self, column: HoldingColumn) -> QAction:
        """Return the action that sorts by a column."""
        return self._group.actions()[column]

    def _on_chosen(self, action: QAction) -> None:
        column = HoldingColumn(action.data())
        self._table.sortByColumn(column, _FIRST.get(column, ASCENDING))

    def _turn(self) -> None:
        header = self._table.horizontalHeader()
        is_ascending = header.sortIndicatorOrder() is ASCENDING
        order = DESCENDING if is_ascending else ASCENDING
        self._table.sortByColumn(header.sortIndicatorSection(), order)

    def _follow(self, section: int) -> None:
        if section >= 0:  # none, before the table was sorted
            self.action(HoldingColumn(section)).setChecked(True)


class HoldingPlaces(Chips[Place]):
    """`chosen` carries the place to show."""

    def __init__(self) -> None:
        super().__init__(tuple(Place), [place.name.lower() for place in Place])

    def show_counts(self, model: HoldingsModel) -> None:
        """Bring the counts up to date."""
        words = {
            Place.ALL: tr("All"),
            Place.HELD: tr("Archived"),
            Place.NOTHING_HELD: tr("Not archived"),
        }
        for place, word in words.items():
            self.show_count(place, word, model.count(place))


class HoldingsLayout(QWidget):
    """Above, places and search; below, the table and the chosen holding."""

    def __init__(self, theme: Theme, actions: Actions, model: HoldingsModel) -> None:
        super().__init__()
        self._theme, self._actions = theme, actions
        self.places = HoldingPlaces()
        hint = tr("Find by title, identifier, creator, platform or digest")
        self.search = SearchField("", hint, tr("Find in holdings"), WAIT_MS)
        self.search.setMaximumWidth(space(MOST_SEARCH))
        self.count = plain_label(tone="secondary")
        said = tr("Archived datasets")
        self.table = RowsTable(theme, model, "holdings", said)
        self.table.setMinimumWidth(space(LEAST_WIDTH))
        self.detail = HoldingPane(theme, actions)
        self.sorting = SortMenu(self.table)
        self.table.addActions([*actions.groups[0], self.sorting.menu_action])
        self.stack = self._make_stack()
        search = Filling(self.search, LEAST_SEARCH)
        self.bar = boxed(wrapping(self.places, search, END, self.count, gap=3, pixels=1))
        vertical(self.bar, rest(self.stack), gap=4, on=self)
        self.search.left.connect(self.table.setFocus)

    def _make_stack(self) -> QStackedWidget:
        actions, theme = self._actions, self._theme
        empty = EmptyPanel(
            theme,
            "holdings",
            tr("Nothing is archived here yet"),
            tr("Every dataset that you archive is listed here, with its files and digests."),
            ActionButton(actions.go, theme, "archive", role="primary"),
        )
        self.none = EmptyPanel(theme, "search", tr("Nothing found"))
        ways = ActionButton(actions.again, role="primary"), ActionButton(actions.other)
        heading = tr("The archive cannot be opened")
        self.unopened = EmptyPanel(theme, "warning", heading, "", *ways)
        words = tr("Loading holdings…"), tr("This takes longer for large archives.")
        self.reading = EmptyPanel(theme, "holdings", *words)
        listed = Split(self.table, self.detail, shares=(5, 4), steps=(90, 100))
        return stacked(empty, self.none, listed, self.unopened, self.reading)
