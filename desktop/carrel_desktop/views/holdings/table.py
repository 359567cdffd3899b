# SPDX-License-Identifier: AGPL-3.0-or-later
"""The table of holdings, whose columns give way where room is short."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from carrel.model import Status
from carrel_desktop import words
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.holdings.delegate import HoldingsDelegate, outcome_frame
from carrel_desktop.views.holdings.model import Column, HoldingsModel
from carrel_desktop.widgets.rows import row_height

WIDTHS = {
    Column.PLATFORM: 28,
    Column.SIZE: 22,
    Column.ARCHIVED: 33,
}
# Which columns give way first where the table is narrow. Without its column the outcome stands as
# an icon before the title.
YIELDING = (Column.PLATFORM, Column.SIZE, Column.ARCHIVED, Column.OUTCOME)
LEAST_TITLE = 66
LEAST_BESIDE_OUTCOME = 36  # of the title, where only the outcome is beside it
LEAST_WIDTH = 46


# Where columns had to give way, the outcome is as wide as this; else as the longest of them.
USUAL_OUTCOME = Status.MISMATCH_SHA256


def outcome_width(*, is_narrow: bool) -> int:
    """Return the width of the column of outcomes in pixels, icon included."""
    metrics = QFontMetrics(scaled_font(1))
    shown = [USUAL_OUTCOME] if is_narrow else list(Status)
    return outcome_frame() + max(metrics.horizontalAdvance(words.outcome(each)) for each in shown)


def hidden_columns(width: int) -> set[Column]:
    """Return the columns that have no room in a table of this width in pixels."""
    hidden: set[Column] = set()
    for column in YIELDING:
        used = sum(space(units) for at, units in WIDTHS.items() if at not in hidden)
        least = LEAST_BESIDE_OUTCOME if column is Column.OUTCOME else LEAST_TITLE
        if used + outcome_width(is_narrow=bool(hidden)) + space(least) <= width:
            break
        hidden.add(column)
    return hidden


class HoldingsTable(QTableView):
    """Whole rows, one at a time; Tab leaves the table instead of walking through its cells."""

    def __init__(self, theme: Theme, model: HoldingsModel) -> None:
        super().__init__()
        self.setObjectName("holdings")
        self.setAccessibleName(self.tr("What has been archived"))
        self.setModel(model)
        self.setItemDelegate(HoldingsDelegate(theme, self))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setWordWrap(False)
        self.setMinimumWidth(space(LEAST_WIDTH))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(row_height())
        self._set_up_header()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        hidden = hidden_columns(self.viewport().width())
        for column in YIELDING:
            self.setColumnHidden(column, column in hidden)
        self.setColumnWidth(Column.OUTCOME, outcome_width(is_narrow=bool(hidden)))

    def _set_up_header(self) -> None:
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(space(12))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(Column.DATASET, QHeaderView.ResizeMode.Stretch)
        for column, units in WIDTHS.items():
            self.setColumnWidth(column, space(units))
        self.setSortingEnabled(True)
        self.sortByColumn(Column.ARCHIVED, Qt.SortOrder.DescendingOrder)
