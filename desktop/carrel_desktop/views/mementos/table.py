# SPDX-License-Identifier: AGPL-3.0-or-later
"""The table of captures, whose columns give way where room is short."""

from PySide6.QtCore import QItemSelectionModel, QObject, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from carrel_desktop.icons import paint_icon
from carrel_desktop.theme import Theme, fixed_font, scaled_font, space
from carrel_desktop.views.mementos.columns import Column
from carrel_desktop.views.mementos.model import ROW_ROLE, MementosModel
from carrel_desktop.views.mementos.rows import Row
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.rows import ALIGN_LEFT, ALIGN_RIGHT, paint_background, paint_text

WIDTHS = {
    Column.STATUS: 14,
    Column.TYPE: 30,
    Column.LENGTH: 20,
    Column.DIGEST: 20,  # its beginning tells two apart; the whole is in the tooltip
}
# Which columns give way first where the table is narrow.
YIELDING = (Column.DIGEST, Column.LENGTH, Column.TYPE, Column.STATUS)
LEAST_SOURCE = 32
LEAST_WIDTH = 58


def line_height() -> int:
    """Return the height of a row of one line."""
    return QFontMetrics(scaled_font(1)).height() + space(2.5)


def time_width() -> int:
    """Return the width of a column of times, whatever the font."""
    return QFontMetrics(scaled_font(1)).horizontalAdvance("2000-00-00 00:00:00") + space(5)


def hidden_columns(width: int) -> set[Column]:
    """Return the columns that have no room in a table of this width in pixels."""
    hidden: set[Column] = set()
    for column in YIELDING:
        used = sum(space(units) for at, units in WIDTHS.items() if at not in hidden)
        if time_width() + space(LEAST_SOURCE) + used <= width:
            break
        hidden.add(column)
    return hidden


class MementosDelegate(QStyledItemDelegate):
    """One delegate for all columns; what is held here is strong and has a mark."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(space(20), line_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, Row):
            return
        painter.save()
        column = Column(index.column())
        paint_background(painter, option, self._theme, is_first=column is Column.TIME)
        rect: QRect = option.rect
        inner = rect.adjusted(space(2), 0, -space(2), 0)
        text = str(index.data())
        if column is Column.SOURCE:
            self._paint_source(painter, inner, row, text)
        else:
            font = fixed_font(0.9) if column is Column.DIGEST else scaled_font(1)
            align = ALIGN_RIGHT if column is Column.LENGTH else ALIGN_LEFT
            color = self._theme.color(_tone(row, column))
            paint_text(painter, inner, text, font, color, align)
        painter.restore()

    def _paint_source(self, painter: QPainter, inner: QRect, row: Row, text: str) -> None:
        side = space(4)
        if row.is_local:
            box = QRect(inner.left(), inner.center().y() - side // 2, side, side)
            paint_icon(painter, box, "here", self._theme.tokens.accent)
        inner = inner.adjusted(side + space(1.5), 0, 0, 0)
        weight = QFont.Weight.DemiBold if row.is_local else QFont.Weight.Normal
        paint_text(painter, inner, text, scaled_font(1, weight), self._theme.color("text"))


def _tone(row: Row, column: Column) -> str:
    if column is Column.TIME:
        return "text"
    if column is Column.STATUS and row.status[:1] in ("4", "5"):
        return "warning"
    return "secondary"


class MementosTable(QTableView):
    """Whole rows, two of them to compare; Tab leaves the table, Space previews."""

    def __init__(self, theme: Theme, model: MementosModel) -> None:
        super().__init__()
        self._mementos = model
        self.setObjectName("mementos")
        self.setAccessibleName(self.tr("Captures"))
        self.setModel(model)
        self.setItemDelegate(MementosDelegate(theme, self))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setWordWrap(False)
        self.setMinimumWidth(space(LEAST_WIDTH))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._set_up_header()

    def chosen(self) -> list[Row]:
        """Return what is chosen, the current one first."""
        rows = [self._mementos.at(index) for index in self.selectionModel().selectedRows()]
        current = self._mementos.at(self.currentIndex())
        return sorted((row for row in rows if row), key=lambda row: row is not current)

    def choose(self, place: int, *, adds: bool = False) -> None:
        """Choose a row and bring it into sight."""
        flag = QItemSelectionModel.SelectionFlag
        how = (flag.Select if adds else flag.ClearAndSelect) | flag.Rows
        self.selectionModel().setCurrentIndex(self._mementos.index(place, 0), how)
        self.scrollTo(self._mementos.index(place, 0))

    def selectAll(self) -> None:
        """Choose no more than one looks at: nothing is done with all captures at once."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        hidden = hidden_columns(self.viewport().width())
        for column in YIELDING:
            self.setColumnHidden(column, column in hidden)

    def _set_up_header(self) -> None:
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(line_height())
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(space(12))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(Column.SOURCE, QHeaderView.ResizeMode.Stretch)
        self.setColumnWidth(Column.TIME, time_width())
        for column, units in WIDTHS.items():
            self.setColumnWidth(column, space(units))
        self.setSortingEnabled(True)
        self.sortByColumn(Column.TIME, Qt.SortOrder.DescendingOrder)
