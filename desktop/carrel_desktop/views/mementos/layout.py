# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Mementos page's widgets and where they stand."""

from collections.abc import Awaitable, Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLineEdit, QStackedWidget, QWidget

from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.mementos.actions import MementoActions
from carrel_desktop.views.mementos.board import Board
from carrel_desktop.views.mementos.browse import BrowsePane
from carrel_desktop.views.mementos.columns import MementosModel
from carrel_desktop.views.mementos.dataset import DatasetPane
from carrel_desktop.views.mementos.filter_bar import FilterBar
from carrel_desktop.views.mementos.preview import MementoPane
from carrel_desktop.views.mementos.rows import Row
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.elided_combo_box import ElidedComboBox
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.labels import IconLabel, named, wrapped
from carrel_desktop.widgets.layouts import (
    Split,
    at_top,
    boxed,
    horizontal,
    rest,
    stacked,
    vertical,
    wrapping,
)
from carrel_desktop.widgets.search_field import SearchField, offer_clearing
from carrel_desktop.widgets.table.view import RowsTable

LEAST_WIDTH = 70  # with room for a moment, and for the name of this archive
EMPTY, ASKED = 0, 1
LEAST_FIELD = 60  # grid steps
BOARD_SHARE = 0.3  # of the height, at most, for the sources
LEAST_BELOW = 90  # grid steps
SIDE_SHARE = 0.265  # of the width, for a dataset or what is held here
LEAST_SIDE, MOST_SIDE = 50, 110  # grid steps
CHOOSER_SHARE = 0.22  # of the width, for the collection; the rest is the address's
LEAST_CHOOSER, MOST_CHOOSER = 38, 80  # grid steps
WAITING, LISTED, NOBODY, NONE_FOUND = 0, 1, 2, 3


class MementosTable(RowsTable):
    """Two of its rows can be compared; Space previews."""

    def __init__(self, theme: Theme, model: MementosModel) -> None:
        super().__init__(theme, model, "mementos", tr("Captures"))
        self._mementos = model
        self.setMinimumWidth(space(LEAST_WIDTH))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def chosen(self) -> list[Row]:
        """Return what is chosen, the current one first."""
        rows = [self._mementos.at(index) for index in self.selectionModel().selectedRows()]
        current = self._mementos.at(self.currentIndex())
        return sorted((row for row in rows if row), key=lambda row: row is not current)

    def selectAll(self) -> None:
        """Choose no more than one looks at: nothing is done with all captures at once."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)


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
        hint = tr("URL or DOI, for instance https://example.org/data.csv")
        field = offer_clearing(QLineEdit(placeholderText=hint))
        self.field = named(field, "url", tr("URL or DOI to look up"))
        collection = ElidedComboBox(space(LEAST_CHOOSER), space(MOST_CHOOSER))
        self.collection = named(collection, "collection", tr("Collection to query"))
        self.config_card = QFrame()
        self.config_trouble = wrapped()
        self.dataset = DatasetPane(session, theme, settled, self.collection_name)
        self.browse = BrowsePane(session, theme)
        self.board = Board(theme)
        self.filters = FilterBar(ActionButton(actions.whole, role="quiet", hides=True))
        self.table = MementosTable(theme, model)
        self.table.addActions(actions.for_rows)
        self.pane = MementoPane(theme, actions)
        self.results = self._make_results()
        below = boxed(vertical(self.filters, rest(self.results), gap=3))
        self._upright = Split(self.board, below, shares=(0, 1), upright=True)
        self.page = stacked(self._make_empty(), self._upright)
        self._split = self._make_split()
        parts = self._make_bar(), self._make_config_card(), rest(self._split)
        vertical(*parts, gap=3, on=self)

    @property
    def search(self) -> SearchField | None:
        """What searches here: what is browsed, if that is open, else the captures, if there are."""
        fields = self.browse.search, self.filters.search
        return next((field for field in fields if field.isVisible()), None)

    def go_to_search(self) -> None:
        """Go to the search field that is in sight."""
        if self.search is not None:
            self.search.go_to_search()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = max(space(LEAST_CHOOSER), round(self.width() * CHOOSER_SHARE))
        self.collection.setMaximumWidth(min(room, space(MOST_CHOOSER)))

    def collection_name(self) -> str:
        """Return the name of the collection that is asked."""
        return self.collection.currentData() or ""

    def show_address(self, address: str) -> None:
        """Put an address into the field, of which the beginning is in sight."""
        self.field.setText(address)
        self.field.setCursorPosition(0)

    def take_focus(self) -> None:
        """Put the keyboard where the work is: among the captures, or to what is asked."""
        is_listed = self.page.currentIndex() == ASKED and self.results.currentIndex() == LISTED
        (self.table if is_listed else self.field).setFocus()

    def fit_board(self) -> None:
        """Give the sources what they want, up to a share of the page, until one moves the line.

        Where the page is low, what is below needs the room.
        """
        height = self._upright.height()
        most = min(round(height * BOARD_SHARE), height - space(LEAST_BELOW))
        wanted = min(self.board.sizeHint().height(), max(self.board.minimumHeight(), most))
        if self._upright.sizes()[0] != wanted:
            self._upright.fit([wanted, height - wanted])

    def fit_side(self) -> None:
        """Give the pane at the left its share of the width, until one moves the line."""
        width = self._split.width()
        wanted = min(max(space(LEAST_SIDE), round(width * SIDE_SHARE)), space(MOST_SIDE))
        self._split.fit([wanted, wanted, width - wanted])

    def show_nobody(self, heading: str, sentence: str) -> None:
        """Say that there is no capture, and what can be done."""
        self._nobody.heading.setText(heading)
        self._nobody.sentence.setText(sentence)
        self.results.setCurrentIndex(NOBODY)

    def _make_bar(self) -> QWidget:
        actions, theme = self._actions, self._theme
        self.browse_button = ActionButton(actions.browse, role="chip")  # which shows its state
        self.browse_button.setCheckable(True)
        look_up = ActionButton(actions.look_up, theme, "search", role="primary")
        archives = ActionButton(actions.archives, role="quiet")
        parts = look_up, self.collection, self.browse_button, archives
        return boxed(wrapping(rest(self.field, least=LEAST_FIELD), *parts, gap=2, pixels=1))

    def _make_config_card(self) -> QFrame:
        """Return the notice that the collections file is not valid."""
        self.config_card.setProperty("card", "notice")
        self.config_card.setObjectName("config_trouble")
        icon = IconLabel(self._theme, "warning", "warning")
        open_file = ActionButton(self._actions.open_config, self._theme, "file")
        parts = at_top(icon), rest(self.config_trouble), at_top(open_file)
        horizontal(*parts, gap=2, margins=(3, 2, 2, 2), on=self.config_card)
        self.config_card.hide()
        return self.config_card

    def _make_split(self) -> Split:
        for pane in (self.browse, self.dataset):
            pane.setMinimumWidth(space(50))
            pane.hide()
        return Split(self.browse, self.dataset, self.page, shares=(0, 0, 1))

    def _make_empty(self) -> EmptyPanel:
        text = tr(
            "Enter a URL or a DOI. All archives of the collection are queried at once, and "
            "all captures are listed by time."
        )
        return EmptyPanel(self._theme, "mementos", tr("Find captures"), text)

    def _make_results(self) -> QStackedWidget:
        actions, theme = self._actions, self._theme
        words = tr("Querying the archives"), tr("Some take a while to answer.")
        waiting = EmptyPanel(theme, "running", *words, ActionButton(actions.stop))
        archive = ActionButton(actions.archive, theme, "archive", role="primary")
        self._nobody = EmptyPanel(theme, "indicator-none", "", "", archive)
        words = tr("No matches"), tr("No captures match the filters.")
        none = EmptyPanel(theme, "search", *words, ActionButton(actions.all))
        listed = Split(self.table, self.pane, shares=(5, 4), steps=(93, 107))
        return stacked(waiting, listed, self._nobody, none)
