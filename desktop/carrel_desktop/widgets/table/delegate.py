# SPDX-License-Identifier: AGPL-3.0-or-later
"""How a cell is painted: an icon, a text, or a figure beside a quiet bar."""

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QTableView

from carrel_desktop.foreign import as_written
from carrel_desktop.theme import Theme, fixed_font, scaled_font, space
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.rows import (
    ALIGN_LEFT,
    ALIGN_RIGHT,
    RowDelegate,
    TwoLines,
    beside,
    halves,
    leading,
    paint_mark,
    paint_text,
    paint_two_lines,
    row_height,
    square,
)
from carrel_desktop.widgets.table.column import Column
from carrel_desktop.widgets.table.model import COLUMN_ROLE, ROW_ROLE

BAR_UNITS = 1.25
LEAST_BAR = 2.0  # pixels, of a part that is hardly there


def line_height() -> int:
    """Return the height of a row of one line."""
    return QFontMetrics(scaled_font(1)).height() + space(2.5)


class CellDelegate(RowDelegate):
    """One delegate for all tables: two lines, or an icon, a text, a figure beside a quiet bar."""

    def __init__(self, theme: Theme, height: int, view: QAbstractItemView) -> None:
        super().__init__(theme, view)
        self._height = height
        self._table = view if isinstance(view, QTableView) else None

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(space(20), self._height)

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        column, row = index.data(COLUMN_ROLE), index.data(ROW_ROLE)
        if row is None:
            pass  # it is being read
        elif column.lines is not None:
            lines = self._with_look(column.lines(row), column.stands_for, index)
            paint_two_lines(painter, option.rect, lines, self._theme)
        else:
            self._paint_cell(painter, option.rect, column, row, index)

    def _with_look(self, lines: TwoLines, number: int | None, index: Index) -> TwoLines:
        """Return lines with the look of a column, where that had to give way."""
        if number is None or not (self._table and self._table.isColumnHidden(number)):
            return lines
        column = index.model().index(index.row(), number).data(COLUMN_ROLE)
        icon, tone = column.look(index.data(ROW_ROLE))
        return replace(lines, icon=icon, tone=tone)

    def _paint_cell(
        self, painter: QPainter, rect: QRect, column: Column[Any], row: Any, index: Index
    ) -> None:
        left = 1 if column.is_number and column.shares is None else 2
        inner = rect.adjusted(space(left), 0, -space(1 if column.is_state else 2), 0)
        if column.look is not None:
            side = space(4.5 if column.is_state else 4)
            inner = self._paint_look(painter, inner, column.look(row), side)
        if column.shares is not None:
            inner = self._paint_shares(painter, inner, column.shares(row), column.figure)
        text, is_first = as_written(str(index.data())), index.column() == 0
        is_strong = column.is_strong is not None and column.is_strong(row) and text != "–"
        weight = QFont.Weight.DemiBold if is_strong else QFont.Weight.Normal
        font = fixed_font(0.9) if column.is_fixed else scaled_font(1, weight)
        align = ALIGN_RIGHT if column.is_number else ALIGN_LEFT
        if (is_first and not column.is_fixed) or column.leads_on:
            text = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideMiddle, inner.width())
        color = self._theme.color(_tone(column, row, text, is_first=is_first))
        if column.below is not None:
            inner = self._paint_below(painter, inner, *column.below(row))
        paint_text(painter, inner, text, font, color, align)

    def _paint_below(self, painter: QPainter, rect: QRect, text: str, tone: str) -> QRect:
        """Paint a smaller line; return where the line above it goes."""
        if not text:
            return rect
        above = (rect.height() - row_height(is_compact=True)) // 2 + space(1)
        upper, lower = halves(rect.adjusted(0, above, 0, -above))
        paint_text(painter, lower, text, scaled_font(0.93), self._theme.color(tone))
        return upper

    def _paint_look(
        self, painter: QPainter, rect: QRect, look: tuple[str, str], side: int
    ) -> QRect:
        if look[0]:
            paint_mark(painter, square(leading(painter, rect, side), side), *look, self._theme)
        return beside(painter, rect, side + space(1.5))

    def _paint_shares(
        self, painter: QPainter, rect: QRect, shares: Sequence[tuple[float, str]], units: int
    ) -> QRect:
        """Paint a bar where words begin; return where its figure goes."""
        figure = beside(painter, rect, rect.width() - space(units))
        room = rect.width() - space(units) - space(1.5)
        if not shares or room < space(4):
            return rect
        height = max(3.0, space(BAR_UNITS))
        place = leading(painter, rect, room)
        track = QRectF(place.left(), rect.center().y() - height / 2 + 0.5, room, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        self._paint_bar(painter, track, "track")
        is_mirrored = painter.layoutDirection() is Qt.LayoutDirection.RightToLeft
        filled = 0.0
        for share, tone in filter(itemgetter(0), shares):
            width = max(LEAST_BAR, track.width() * share)
            left = track.right() - filled - width if is_mirrored else track.left() + filled
            self._paint_bar(painter, QRectF(left, track.top(), width, height) & track, tone)
            filled += width
        return figure

    def _paint_bar(self, painter: QPainter, bar: QRectF, tone: str) -> None:
        painter.setBrush(self._theme.color(tone))
        painter.drawRoundedRect(bar, 1.5, 1.5)


def _tone(column: Column[Any], row: Any, text: str, *, is_first: bool) -> str:
    if column.tone is not None:
        return column.tone(row)
    is_chief = is_first or column.is_strong or column.is_number or column.takes_rest
    return "text" if is_chief and text != "–" else "secondary"
