# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Holdings page's widgets and where they stand."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QPushButton, QStackedWidget, QWidget

from carrel.model.holdings import HoldingRow, Order
from carrel.translation import tr
from carrel_desktop.holding_rows.columns import ORDERS, UNUSUAL
from carrel_desktop.theme import Theme, space
from carrel_desktop.timers import delay
from carrel_desktop.views.holdings.detail import HoldingPane
from carrel_desktop.views.holdings.export_card import ExportCard
from carrel_desktop.views.holdings.several import SeveralPane
from carrel_desktop.widgets.actions import ActionButton, Actions, separator
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.facet_panel import FacetPanel
from carrel_desktop.widgets.labels import named, plain_label, wrapped
from carrel_desktop.widgets.layouts import (
    Split,
    boxed,
    framed,
    horizontal,
    rest,
    stacked,
    vertical,
    wrapping,
)
from carrel_desktop.widgets.requests_bar import OFFER_PASSES_MS
from carrel_desktop.widgets.search_field import SearchField
from carrel_desktop.widgets.table.columns_menu import ColumnsMenu, SortMenu
from carrel_desktop.widgets.table.paged import PagedModel
from carrel_desktop.widgets.table.view import Table

LEAST_WIDTH, LEAST_FACETS, LEAST_PANE = 46, 30, 55
EMPTY, NONE_FOUND, FILLED, UNOPENED, READING = range(5)
ONE, SEVERAL = range(2)
LEAST_SEARCH, MOST_SEARCH = 40, 110  # grid steps
ROOM_FOR_FACETS = 290  # grid steps that the page has at least where facets are shown by themselves
WAIT_MS = 120  # a search waits so long for the next key
_NEWEST_FIRST = (Order.SIZE, Order.FILES, Order.ARCHIVED, Order.CHECKED)


class DoneBar(QWidget):
    """Says what was done, with a way on; hidden until then, and once it was read. `said` carries
    each sentence."""

    said = Signal(str)

    def __init__(self, way: QAction) -> None:
        super().__init__()
        self.label = wrapped()
        self.button = ActionButton(way)
        row = horizontal(rest(self.label), self.button, gap=2, margins=(3, 2, 2, 2))
        vertical(framed(row, "note"), on=self)
        self._passing = delay(self, OFFER_PASSES_MS, self._pass)
        self.hide()

    def say(self, sentence: str) -> None:
        """Show a sentence in place of the one before."""
        self.label.setText(sentence)
        self.show()
        self._passing.start()
        self.said.emit(sentence)

    def _pass(self) -> None:
        """Hide it, unless somebody is about to use it, or to click what it would move."""
        page = self.parentWidget()
        if self.button.hasFocus() or (page is not None and page.underMouse()):
            self._passing.start()
        else:
            self.hide()


class HoldingsLayout(QWidget):
    """Above, the search; below, facets, the table, and what is chosen.

    `helping` is what may help where the archive cannot be opened.
    """

    def __init__(
        self, theme: Theme, actions: Actions, model: PagedModel[HoldingRow], helping: QWidget
    ) -> None:
        super().__init__()
        self._helping = helping
        self._theme, self._actions = theme, actions
        hint = tr("Find by title, creator, identifier, file name, tag, note or digest")
        self.search = SearchField("", hint, tr("Find in holdings"), WAIT_MS)
        self.search.setMaximumWidth(space(MOST_SEARCH))
        self.count = plain_label(tone="secondary")
        self.facets = FacetPanel(theme, "facets", tr("Narrow down by"))
        self.facets.setMinimumWidth(space(LEAST_FACETS))
        self.table = Table(theme, model, "holdings", tr("Archived datasets"))
        model.in_sight = self.table.places_in_sight
        self.table.setMinimumWidth(space(LEAST_WIDTH))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.hide_columns(UNUSUAL)
        self.detail, self.several = HoldingPane(theme, actions), SeveralPane(theme, actions)
        self.chosen = stacked(self.detail, self.several)
        self.chosen.setMinimumWidth(space(LEAST_PANE))
        descending = frozenset(ORDERS.index(each) for each in _NEWEST_FIRST)
        self.sorting = SortMenu(self.table, descending)
        self.columns = ColumnsMenu(self.table)
        menus = [self.sorting.menu_action, self.columns.menu_action]
        for group in (*actions.groups[:3], menus):
            self.table.addActions(group)
            self.table.addAction(separator(self.table))
        self.views = named(QPushButton(tr("Views")), "views")
        self.stack = self._make_stack()
        filters = ActionButton(actions.filters, role="chip")
        filters.setCheckable(True)
        actions.filters.toggled.connect(filters.setChecked)
        self.facets.hide()
        search = rest(self.search, least=LEAST_SEARCH)
        arrived = ActionButton(actions.arrived, role="chip", hides=True)
        asked = filters, self.views, search, rest(), arrived, self.count
        self.bar = boxed(wrapping(*asked, gap=3, pixels=1))
        self.queued = DoneBar(actions.show_queue)
        self.exporting = ExportCard(theme)
        parts = self.bar, self.queued, self.exporting, rest(self.stack)
        vertical(*parts, gap=4, on=self)
        self.search.left.connect(self.table.setFocus)

    def show_several(self, *, is_several: bool) -> None:
        """Show what is chosen: one holding, or how much several of them are."""
        self.chosen.setCurrentIndex(SEVERAL if is_several else ONE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_way(with_facets=not self.facets.isHidden())

    def show_facets(self, is_shown: bool) -> None:
        """Show the facets beside the list, or hide them."""
        self._give_way(with_facets=is_shown)
        self.facets.setVisible(is_shown)

    def _give_way(self, *, with_facets: bool) -> None:
        """Leave out what is chosen while facets leave it no room, as with very large letters."""
        room = space(LEAST_FACETS + LEAST_WIDTH + LEAST_PANE + 6)
        self.chosen.setVisible(not with_facets or self.width() >= room)

    def _make_stack(self) -> QStackedWidget:
        actions, theme = self._actions, self._theme
        empty = EmptyPanel(
            theme,
            "holdings",
            tr("Nothing is archived here yet"),
            tr("Every dataset that you archive is listed here, with its files and digests."),
            ActionButton(actions.go, theme, "archive", role="primary"),
        )
        shown = (ActionButton(each, hides=True) for each in (actions.everything, actions.removed))
        self.none = EmptyPanel(theme, "search", tr("Nothing found"), "", *shown)
        again = ActionButton(actions.again, role="primary")
        ways = again, self._helping, ActionButton(actions.other)
        heading = tr("The archive cannot be opened")
        self.unopened = EmptyPanel(theme, "warning", heading, "", *ways)
        words = tr("Loading holdings…"), tr("This takes longer for large archives.")
        self.reading = EmptyPanel(theme, "holdings", *words)
        listed = Split(self.table, self.chosen, shares=(5, 4), steps=(118, 100), most=(0, 140))
        self.found = stacked(self.none, listed)
        narrowed = Split(self.facets, self.found, shares=(0, 1), steps=(52, 208))
        return stacked(empty, narrowed, self.unopened, self.reading)

    def show_state(self, state: int) -> None:
        """Show the list, or why there is none."""
        self.found.setCurrentIndex(1 if state == FILLED else 0)
        pages = {EMPTY: 0, NONE_FOUND: 1, FILLED: 1, UNOPENED: 2, READING: 3}
        self.stack.setCurrentIndex(pages[state])
        self.state = state
