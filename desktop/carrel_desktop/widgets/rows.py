# SPDX-License-Identifier: AGPL-3.0-or-later
"""How a row of two lines is painted: an icon, a title, a line of secondary text."""

import time
from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QTreeView

from carrel_desktop.foreign import shown
from carrel_desktop.icons import paint_icon
from carrel_desktop.theme import Theme, scaled_font, space

ALIGN_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
ALIGN_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


FRAME = 2  # pixels, as of every control that has the keyboard


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
    """Paint selection, hover, and a frame around the row that has the keyboard.

    The first cell of a selected row gets a bar in the accent, at the very left also of a tree.
    """
    rect = whole = QRect(option.rect)
    if is_first and isinstance(option.widget, QTreeView):
        whole = rect.adjusted(-rect.left(), 0, 0, 0)
    state = option.state
    if state & QStyle.StateFlag.State_Selected:
        painter.fillRect(rect, theme.color("selection"))
        if is_first:
            bar = QRect(whole.left(), rect.top(), max(2, space(0.75)), rect.height())
            painter.fillRect(bar, theme.color("accent"))
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(rect, theme.color("hover"))
    if _has_keyboard(option):
        _paint_frame(painter, whole, option, theme.color("accent"))


def paint_two_lines(painter: QPainter, rect: QRect, row: TwoLines, theme: Theme) -> None:
    """Paint a row's words into a rectangle."""
    above = (rect.height() - row_height(is_compact=True)) // 2 + space(1)
    inner = rect.adjusted(space(3), above, -space(3), -above)
    if row.icon:
        box = square(inner, space(5))
        paint_mark(painter, box, row.icon, row.tone, theme, turn=row.turn)
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


def _has_keyboard(option: QStyleOptionViewItem) -> bool:
    """Say whether the keyboard is in this cell or, where whole rows are chosen, in its row."""
    if option.state & QStyle.StateFlag.State_HasFocus:
        return True
    view = option.widget
    if not isinstance(view, QAbstractItemView) or not view.hasFocus():
        return False
    is_by_row = view.selectionBehavior() is QAbstractItemView.SelectionBehavior.SelectRows
    current = view.visualRect(view.currentIndex())  # trees do not say which index they paint
    own: QRect = option.rect
    return is_by_row and not current.isEmpty() and current.top() == own.top()


def _paint_frame(
    painter: QPainter, rect: QRect, option: QStyleOptionViewItem, color: QColor
) -> None:
    """Paint those sides of a frame that a cell has, of the row that it stands in."""
    place, ends = option.viewItemPosition, QStyleOptionViewItem.ViewItemPosition
    room = option.widget.width() if option.widget is not None else 0
    is_last = place not in (ends.Middle, ends.Beginning) or rect.right() >= room - 4 * FRAME
    upper = QRect(rect.left(), rect.top(), rect.width(), FRAME)
    side = QRect(rect.left(), rect.top(), FRAME, rect.height())
    painter.fillRect(upper, color)
    painter.fillRect(upper.translated(0, rect.height() - FRAME), color)
    if place not in (ends.Middle, ends.End):
        painter.fillRect(side, color)
    if is_last:  # or those after it are hidden
        painter.fillRect(side.translated(rect.width() - FRAME, 0), color)


def _paint_right(painter: QPainter, rect: QRect, text: str, theme: Theme) -> int:
    if not text:
        return 0
    font = scaled_font(0.93)
    painter.setFont(font)
    painter.setPen(theme.color("secondary"))
    painter.drawText(rect, ALIGN_RIGHT, text)
    return QFontMetrics(font).horizontalAdvance(text) + space(3)


def square(rect: QRect, side: int, left: int | None = None) -> QRect:
    """Return a square in the middle of a line's height, at its left unless it is said where."""
    at = rect.left() if left is None else left
    return QRect(at, rect.center().y() - side // 2, side, side)


def turning(turn_ms: int) -> float:
    """Return by how many degrees what turns once in so long has turned by now, never none."""
    return 360 * (time.monotonic() * 1000 % turn_ms) / turn_ms or 360.0


def paint_mark(
    painter: QPainter, box: QRect, name: str, tone: str, theme: Theme, *, turn: float = 0.0
) -> None:
    """Paint an icon in a meaning's colour, turned by so many degrees."""
    color = str(getattr(theme.tokens, tone))
    if not turn:
        paint_icon(painter, box, name, color)
        return
    half = box.width() // 2
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(box.center())
    painter.rotate(turn)
    paint_icon(painter, QRect(-half, -half, box.width(), box.height()), name, color)
    painter.restore()
