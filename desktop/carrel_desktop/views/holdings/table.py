# SPDX-License-Identifier: AGPL-3.0-or-later
"""The table of holdings, whose columns give way where room is short."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from carrel.model import Status
from carrel_desktop import words
from carrel_desktop.holding_rows.delegate import HoldingsDelegate, outcome_frame
from carrel_desktop.holding_rows.model import Column, HoldingsModel, outcome_heading
from carrel_desktop.theme import Theme, scaled_font, space
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
HEADING_FRAME = 9  # beside its words: margins, and the arrow of the order


# Where columns had to give way, the outcome is at most as wide as this; else as the longest.
USUAL_OUTCOME = Status.MISMATCH_SHA256


def outcome_width(said: Sequence[str], *, is_narrow: bool) -> int:
    """Return the width of the column of outcomes in pixels, icon included, where this is `said`."""
    metrics = QFontMetrics(scaled_font(1))
    most = metrics.horizontalAdvance(words.outcome(USUAL_OUTCOME))
    widest = max((metrics.horizontalAdvance(text) for text in said), default=0)
    heading = metrics.horizontalAdvance(outcome_heading()) + space(HEADING_FRAME)
    return max(heading, outcome_frame() + (min(most, widest) if is_narrow else widest))


def hidden_columns(width: int, said: Sequence[str]) -> set[Column]:
    """Return the columns that have no room in a table of this width in pixels, where this is `said`
    of outcomes.
    """
    hidden: set[Column] = set()
    for column in YIELDING:
        used = sum(space(units) for at, units in WIDTHS.items() if at not in hidden)
        least = LEAST_BESIDE_OUTCOME if column is Column.OUTCOME else LEAST_TITLE
        if used + outcome_width(said, is_narrow=bool(hidden)) + space(least) <= width:
            break
        hidden.add(column)
    return hidden


class HoldingsTable(QTableView):
    """Whole rows, one at a time; Tab leaves the table instead of walking through its cells."""

    def __init__(self, theme: Theme, model: HoldingsModel) -> None:
        super().__init__()
        self.setObjectName("holdings")
        self.setAccessibleName(self.tr("What has been archived"))
        self._holdings = model
        self.setModel(model)
        model.modelReset.connect(self._fit_columns)
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
        self._fit_columns()

    def _fit_columns(self) -> None:
        said = self._holdings.outcome_words
        hidden = hidden_columns(self.viewport().width(), said)
        for column in YIELDING:
            self.setColumnHidden(column, column in hidden)
        self.setColumnWidth(Column.OUTCOME, outcome_width(said, is_narrow=bool(hidden)))

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
