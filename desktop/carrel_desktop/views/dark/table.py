# SPDX-License-Identifier: AGPL-3.0-or-later
"""The tables of the page, whose columns give way where room is short, and how a cell is painted."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QObject, QRect, QRectF, QSize, Qt, Signal
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
from carrel_desktop.views.dark.columns import Column
from carrel_desktop.views.dark.model import COLUMN_ROLE, ROW_ROLE, RowsModel
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.rows import ALIGN_LEFT, ALIGN_RIGHT, paint_background, paint_text

LEAST_REST = 62  # grid steps for the column that takes what is left
BAR_UNITS = 1.25
LEAST_BAR = 2.0  # pixels, of a part that is hardly there


def line_height() -> int:
    """Return the height of a row of one line."""
    return QFontMetrics(scaled_font(1)).height() + space(2.5)


def hidden_columns(columns: list[Column[Any]], width: int) -> set[int]:
    """Return the numbers of the columns that have no room in a table of this width in pixels."""
    hidden: set[int] = set()
    ranked = sorted(range(len(columns)), key=lambda at: -columns[at].yields)
    for number in ranked:
        used = sum(space(each.units) for at, each in enumerate(columns) if at not in hidden)
        if not columns[number].yields or used + space(LEAST_REST) <= width:
            break
        hidden.add(number)
    return hidden


class CellDelegate(QStyledItemDelegate):
    """One delegate for all tables: an icon, a text, or a figure beside a quiet bar."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(space(20), line_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        column, row = index.data(COLUMN_ROLE), index.data(ROW_ROLE)
        if not isinstance(column, Column):
            return
        painter.save()
        paint_background(painter, option, self._theme, is_first=index.column() == 0)
        rect: QRect = option.rect
        inner = rect.adjusted(space(2), 0, -space(2), 0)
        if column.look is not None:
            inner = self._paint_look(painter, inner, column.look(row))
        if column.shares is not None:
            inner = self._paint_shares(painter, inner, column.shares(row), column.figure)
        self._paint_text(painter, inner, column, str(index.data()), is_first=index.column() == 0)
        painter.restore()

    def _paint_text(
        self, painter: QPainter, rect: QRect, column: Column[Any], text: str, *, is_first: bool
    ) -> None:
        is_said = text != "–"
        is_plain = (
            column.is_strong or is_first or column.is_number or not column.units
        ) and is_said
        weight = QFont.Weight.DemiBold if column.is_strong and is_said else QFont.Weight.Normal
        font = fixed_font(0.9) if column.is_fixed else scaled_font(1, weight)
        align = ALIGN_RIGHT if column.is_number else ALIGN_LEFT
        color = self._theme.color("text" if is_plain else "secondary")
        if is_first and not column.is_fixed:
            text = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideMiddle, rect.width())
        paint_text(painter, rect, text, font, color, align)

    def _paint_look(self, painter: QPainter, rect: QRect, look: tuple[str, str]) -> QRect:
        side = space(4)
        box = QRect(rect.left(), rect.center().y() - side // 2, side, side)
        paint_icon(painter, box, look[0], str(getattr(self._theme.tokens, look[1])))
        return rect.adjusted(side + space(1.5), 0, 0, 0)

    def _paint_shares(
        self, painter: QPainter, rect: QRect, shares: Sequence[tuple[float, str]], units: int
    ) -> QRect:
        """Paint a bar at the left; return where its figure goes."""
        figure = QRect(rect)
        figure.setLeft(rect.right() - space(units))
        room = rect.width() - space(units) - space(1.5)
        if not shares or room < space(4):
            return rect
        height = max(3.0, space(BAR_UNITS))
        track = QRectF(rect.left(), rect.center().y() - height / 2 + 0.5, room, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        self._paint_bar(painter, track, "track")
        left = track.left()
        for share, tone in shares:
            width = max(LEAST_BAR, track.width() * share)
            self._paint_bar(painter, QRectF(left, track.top(), width, height) & track, tone)
            left += width
        return figure

    def _paint_bar(self, painter: QPainter, bar: QRectF, tone: str) -> None:
        painter.setBrush(self._theme.color(tone))
        painter.drawRoundedRect(bar, 1.5, 1.5)


class RowsTable(QTableView):
    """Whole rows; Tab leaves the table. `chose` says that another row, or none, is the chosen one.

    `wanted` carries the place of a row that was activated, by Enter, Space or a double click.
    """

    chose = Signal()
    wanted = Signal(int)

    def __init__(self, theme: Theme, model: RowsModel[Any], name: str, said: str) -> None:
        super().__init__()
        self.rows = model
        self.setObjectName(name)
        self.setAccessibleName(said)
        self.setModel(model)
        self.setItemDelegate(CellDelegate(theme, self))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._set_up_header()
        model.modelReset.connect(self._on_reset)
        self.selectionModel().selectionChanged.connect(lambda *_: self.chose.emit())
        self.activated.connect(lambda index: self.wanted.emit(index.row()))
        self._on_reset()

    @property
    def place(self) -> int | None:
        """The place of the chosen row, None if none is."""
        chosen = self.selectionModel().selectedRows()
        return chosen[0].row() if chosen else None

    def choose(self, place: int) -> None:
        """Choose a row and bring it into sight."""
        flag = QItemSelectionModel.SelectionFlag
        index = self.rows.index(place, 0)
        self.selectionModel().setCurrentIndex(index, flag.ClearAndSelect | flag.Rows)
        self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.place is not None:
            self.wanted.emit(self.place)
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _set_up_header(self) -> None:
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(line_height())
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(space(12))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def _on_reset(self) -> None:
        """Fit the columns, which may be others, and show what they are sorted by."""
        header = self.horizontalHeader()
        self.setSortingEnabled(False)
        header.setSortIndicator(*self.rows.order)
        self.setSortingEnabled(True)
        self._fit_columns()
        self.chose.emit()

    def _fit_columns(self) -> None:
        columns = list(self.rows.kind.columns)
        header = self.horizontalHeader()
        hidden = hidden_columns(columns, self.viewport().width())
        mode = QHeaderView.ResizeMode
        for number, column in enumerate(columns):
            self.setColumnHidden(number, number in hidden)
            header.setSectionResizeMode(number, mode.Interactive if column.units else mode.Stretch)
            if column.units:
                self.setColumnWidth(number, space(column.units))
