# SPDX-License-Identifier: AGPL-3.0-or-later
"""How a row of two lines is painted: an icon, a title, a line of secondary text."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from carrel_desktop.foreign import shown
from carrel_desktop.icons import paint_icon
from carrel_desktop.theme import Theme, scaled_font, space

ALIGN_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
ALIGN_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class TwoLines:
    """What a row says. `tone` and `second_tone` are colour tokens; `elides` says where the title
    is cut if room is short."""

    first: str
    second: str
    icon: str = ""
    tone: str = "secondary"
    second_tone: str = "secondary"
    right: str = ""
    turn: float = 0.0
    is_strong: bool = True
    elides: Qt.TextElideMode = Qt.TextElideMode.ElideRight


def row_height(*, is_compact: bool = False) -> int:
    """Return the height of a row of two lines."""
    return 2 * QFontMetrics(scaled_font(1)).height() + space(2.5 if is_compact else 4.5)


def paint_background(
    painter: QPainter, option: QStyleOptionViewItem, theme: Theme, *, is_first: bool = True
) -> None:
    """Paint selection and hover; the first cell of a selected row gets a bar in the accent."""
    rect: QRect = option.rect
    state = option.state
    if state & QStyle.StateFlag.State_Selected:
        painter.fillRect(rect, theme.color("selection"))
        if is_first:
            bar = QRect(rect.left(), rect.top(), max(2, space(0.75)), rect.height())
            painter.fillRect(bar, theme.color("accent"))
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(rect, theme.color("hover"))


def paint_two_lines(painter: QPainter, rect: QRect, row: TwoLines, theme: Theme) -> None:
    """Paint a row's words into a rectangle."""
    above = (rect.height() - row_height(is_compact=True)) // 2 + space(1)
    inner = rect.adjusted(space(3), above, -space(3), -above)
    if row.icon:
        _paint_row_icon(painter, inner, row, theme)
        inner.setLeft(inner.left() + space(8))
    upper, lower = halves(inner)
    weight = QFont.Weight.DemiBold if row.is_strong else QFont.Weight.Normal
    if not row.second:
        upper = inner
    lower.setRight(lower.right() - _paint_right(painter, lower, row.right, theme))
    font = scaled_font(1, weight)
    title = QFontMetrics(font).elidedText(shown(row.first), row.elides, upper.width())
    paint_text(painter, upper, title, font, theme.color("text"))
    small, tone = scaled_font(0.93), theme.color(row.second_tone)
    paint_text(painter, lower, row.second, small, tone)


def paint_text(
    painter: QPainter,
    rect: QRect,
    text: str,
    font: QFont,
    color: QColor,
    align: Qt.AlignmentFlag = ALIGN_LEFT,
) -> None:
    """Paint one line, cut at its end where room is short."""
    if not text:
        return
    painter.setFont(font)
    painter.setPen(color)
    cut = QFontMetrics(font).elidedText(shown(text), Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect, align, cut)


def halves(rect: QRect) -> tuple[QRect, QRect]:
    """Return the upper and the lower line of a row."""
    middle = rect.center().y()
    return (
        QRect(rect.left(), rect.top(), rect.width(), middle - rect.top()),
        QRect(rect.left(), middle + 1, rect.width(), rect.bottom() - middle),
    )


def _paint_right(painter: QPainter, rect: QRect, text: str, theme: Theme) -> int:
    if not text:
        return 0
    font = scaled_font(0.93)
    painter.setFont(font)
    painter.setPen(theme.color("secondary"))
    painter.drawText(rect, ALIGN_RIGHT, text)
    return QFontMetrics(font).horizontalAdvance(text) + space(3)


def _paint_row_icon(painter: QPainter, rect: QRect, row: TwoLines, theme: Theme) -> None:
    side = space(5)
    box = QRect(rect.left(), rect.center().y() - side // 2, side, side)
    color = str(getattr(theme.tokens, row.tone))
    if not row.turn:
        paint_icon(painter, box, row.icon, color)
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(box.center())
    painter.rotate(row.turn)
    paint_icon(painter, QRect(-side // 2, -side // 2, side, side), row.icon, color)
    painter.restore()
