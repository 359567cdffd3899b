# SPDX-License-Identifier: AGPL-3.0-or-later
"""The order of the holdings as a menu: what a click on a heading does, also where it is hidden."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QTableView

from carrel.translation import tr
from carrel_desktop.holding_rows.columns import HoldingColumn

ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
# The largest and the newest first; names from A to Z.
_FIRST = {HoldingColumn.SIZE: DESCENDING, HoldingColumn.ARCHIVED: DESCENDING}


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
        self.turn_action = QAction(tr("&Reverse order"), self)
        self.turn_action.setObjectName("sort_turn")
        self._menu.addAction(self.turn_action)
        self._group.triggered.connect(self._on_chosen)
        self.turn_action.triggered.connect(self._turn)
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
