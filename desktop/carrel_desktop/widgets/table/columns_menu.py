# SPDX-License-Identifier: AGPL-3.0-or-later
"""The menu by which the columns of a table are chosen, and what it is sorted by."""

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from carrel.translation import tr
from carrel_desktop.widgets.actions import make_action
from carrel_desktop.widgets.table.view import Table

ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


class ColumnsMenu(QObject):
    """Offers every column but the first; also where the heading is clicked by the right button.

    Ticked are those that are in the table just now. From the first tick of the person on it shows
    exactly those; until they have the columns fit the window once more.
    """

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._table, self._usual = table, table.unwanted_columns
        self._menu = QMenu(tr("&Columns"), table)
        for number, column in enumerate(table.rows.kind.columns[1:], 1):
            action = self._menu.addAction(column.heading)
            action.setObjectName(f"column_{number}")
            action.setCheckable(True)
            action.setData(number)
            action.triggered.connect(self._on_chosen)
        self._columns = self._menu.actions()
        self._menu.addSeparator()
        self.fit_action = self._menu.addAction(tr("As many as fit the &window"))
        self.fit_action.setCheckable(True)
        self.fit_action.triggered.connect(self._on_fit)
        self._menu.aboutToShow.connect(self.show_chosen)
        header = table.horizontalHeader()
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._on_wanted)
        self.show_chosen()

    @property
    def menu_action(self) -> QAction:
        """What stands in other menus and opens this one."""
        return self._menu.menuAction()

    def show_chosen(self) -> None:
        """Tick the columns that are shown."""
        for action in self._columns:
            action.setChecked(not self._table.isColumnHidden(action.data()))
        self.fit_action.setChecked(not self._table.has_chosen_columns)

    def _on_chosen(self) -> None:
        self._table.choose_columns({it.data() for it in self._columns if not it.isChecked()})
        self.show_chosen()

    def _on_fit(self) -> None:
        self._table.hide_columns(self._usual)
        self.show_chosen()

    def _on_wanted(self, place: QPoint) -> None:
        self._menu.popup(self._table.horizontalHeader().mapToGlobal(place))


class SortMenu(QObject):
    """Sorts a table, and follows it where it is sorted by a heading.

    What numbers and moments are in begins with the largest and newest.
    """

    def __init__(self, table: Table, descending: frozenset[int]) -> None:
        super().__init__(table)
        self._table, self._descending = table, descending
        self._menu = QMenu(tr("Sort &by"), table)
        self._group = QActionGroup(self)
        for number, column in enumerate(table.rows.kind.columns):
            action = self._group.addAction(column.heading)
            action.setObjectName(f"sort_{number}")
            action.setCheckable(True)
            action.setData(number)
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

    def action(self, column: int) -> QAction:
        """Return the action that sorts by a column."""
        return self._group.actions()[column]

    def _on_chosen(self, action: QAction) -> None:
        column = action.data()
        self._table.sortByColumn(column, DESCENDING if column in self._descending else ASCENDING)

    def _turn(self) -> None:
        header = self._table.horizontalHeader()
        is_ascending = header.sortIndicatorOrder() is ASCENDING
        order = DESCENDING if is_ascending else ASCENDING
        self._table.sortByColumn(header.sortIndicatorSection(), order)

    def _follow(self, section: int) -> None:
        if section >= 0:  # none, before the table was sorted
            self.action(section).setChecked(True)
