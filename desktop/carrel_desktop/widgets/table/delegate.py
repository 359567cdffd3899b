# SPDX-License-Identifier: AGPL-3.0-or-later
"""How a cell is painted: an icon, a text, or a figure beside a quiet bar."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from carrel_desktop.icons import paint_icon
from carrel_desktop.theme import Theme, fixed_font, scaled_font, space
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.rows import ALIGN_LEFT, ALIGN_RIGHT, paint_background, paint_text
from carrel_desktop.widgets.table.column import Column
from carrel_desktop.widgets.table.model import COLUMN_ROLE, ROW_ROLE

BAR_UNITS = 1.25
LEAST_BAR = 2.0  # pixels, of a part that is hardly there


def line_height() -> int:
    """Return the height of a row of one line."""
    return QFontMetrics(scaled_font(1)).height() + space(2.5)


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
