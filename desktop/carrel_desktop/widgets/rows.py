# SPDX-License-Identifier: AGPL-3.0-or-later
"""How a row is painted: its ground and, on two lines, an icon, a title, secondary text."""

import sys
import time
from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QCursor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTreeView,
)

from carrel_desktop.foreign import in_place, shown
from carrel_desktop.icons import paint_icon
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.widgets.indexes import Index

ALIGN_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
ALIGN_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
FRAME = 2  # pixels, as of every control that has the keyboard


@dataclass(frozen=True, slots=True)
class TwoLines:
    """What a row says. `tone` and `second_tone` are colour tokens; if room is short, `short` takes
    the place of the title, and `elides` says where that is cut."""

    first: str
    second: str
    icon: str = ""
    tone: str = "secondary"
    second_tone: str = "secondary"
    right: str = ""
    turn: float = 0.0
    is_strong: bool = True
    elides: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    short: str = ""

    def title(self, metrics: QFontMetrics, room: int) -> str:
        """Return the title as far as it has room."""
        whole = shown(self.first)
        if self.short and metrics.horizontalAdvance(whole) > room:
            whole = shown(self.short)
        return metrics.elidedText(whole, self.elides, room)


class RowDelegate(QStyledItemDelegate):
    """Paints the ground of each cell; a delegate of its own paints on it in `_paint`."""

    def __init__(self, theme: Theme, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        paint_background(painter, option, self._theme, is_first=index.column() == 0)
        try:
            self._paint(painter, option, index)
        except Exception:
            # Qt would go on painting with it set, which ends the program: it is told as any other.
            sys.excepthook(*sys.exc_info())
        finally:
            painter.restore()

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        raise NotImplementedError


def row_height(*, is_compact: bool = False) -> int:
    """Return the height of a row of two lines."""
    return 2 * QFontMetrics(scaled_font(1)).height() + space(2.5 if is_compact else 4.5)


def paint_background(
    painter: QPainter, option: QStyleOptionViewItem, theme: Theme, *, is_first: bool = True
) -> None:
    """Paint selection, hover, and a frame around the row that has the keyboard.

    The first cell of a selected row gets a bar in the accent where the row begins, also in a tree.
    """
    rect, whole = QRect(option.rect), QRect(option.rect)  # two: the arrow of a branch is in one
    is_mirrored = option.direction is Qt.LayoutDirection.RightToLeft
    first, last = row_ends(option)
    if is_first and isinstance(option.widget, QTreeView):
        whole = whole.adjusted(0, 0, last - whole.right(), 0) if is_mirrored else whole
        whole.setLeft(whole.left() if is_mirrored else first)
    state = option.state
    if state & QStyle.StateFlag.State_Selected:
        painter.fillRect(rect, theme.color("selection"))
        if is_first:
            wide = max(2, space(0.75))
            bar = QRect(whole.left(), rect.top(), wide, rect.height())
            if is_mirrored:
                bar.moveRight(whole.right())
            painter.fillRect(bar, theme.color("accent"))
    elif _is_pointed_at(option):
        painter.fillRect(rect, theme.color("hover"))
    if _has_keyboard(option):
        _paint_frame(painter, whole, (first, last), theme.color("accent"))


def row_ends(option: QStyleOptionViewItem) -> tuple[int, int]:
    """Return where the row of a cell begins and ends at the left and the right, in pixels: where
    its view does, or those columns that are shown."""
    view = option.widget
    if not isinstance(view, QAbstractItemView):
        return option.rect.left(), option.rect.right()
    room = view.viewport().width()
    header = (
        view.horizontalHeader()
        if isinstance(view, QTableView)
        else view.header()
        if isinstance(view, QTreeView)
        else None
    )
    filled = room if header is None else min(room, header.length() - header.offset())
    if option.direction is Qt.LayoutDirection.RightToLeft:
        return room - filled, room - 1
    return 0, filled - 1


def paint_two_lines(painter: QPainter, rect: QRect, row: TwoLines, theme: Theme) -> None:
    """Paint a row's words into a rectangle."""
    above = (rect.height() - row_height(is_compact=True)) // 2 + space(1)
    inner = rect.adjusted(space(3), above, -space(3), -above)
    if row.icon:
        box = square(leading(painter, inner, space(5)), space(5))
        paint_mark(painter, box, row.icon, row.tone, theme, turn=row.turn)
        inner = beside(painter, inner, space(8))
    upper, lower = halves(inner)
    weight = QFont.Weight.DemiBold if row.is_strong else QFont.Weight.Normal
    if not row.second:
        upper = inner
    lower = before(painter, lower, _paint_right(painter, lower, row.right, theme))
    font = scaled_font(1, weight)
    title = row.title(QFontMetrics(font), upper.width())
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
    cut = QFontMetrics(font).elidedText(in_place(text), Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect, align, cut)


def halves(rect: QRect) -> tuple[QRect, QRect]:
    """Return the upper and the lower line of a row."""
    middle = rect.center().y()
    return (
        QRect(rect.left(), rect.top(), rect.width(), middle - rect.top()),
        QRect(rect.left(), middle + 1, rect.width(), rect.bottom() - middle),
    )


def _is_pointed_at(option: QStyleOptionViewItem) -> bool:
    """Say whether the pointer is on this cell or, where whole rows are chosen, on its row: a table
    says it of the one cell, although it repaints the row."""
    if option.state & QStyle.StateFlag.State_MouseOver:
        return True
    view = option.widget
    if not isinstance(view, QAbstractItemView) or not view.viewport().underMouse():
        return False
    is_by_row = view.selectionBehavior() is QAbstractItemView.SelectionBehavior.SelectRows
    own: QRect = option.rect
    height = view.viewport().mapFromGlobal(QCursor.pos()).y()
    return is_by_row and own.top() <= height <= own.bottom()


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


def _paint_frame(painter: QPainter, rect: QRect, ends: tuple[int, int], color: QColor) -> None:
    """Paint those sides of a frame that a cell has, of the row that it stands in.

    Where it stands says which: the first column that is in sight may be any, and Qt numbers cells
    from the left in tables, and as they are read in trees.
    """
    first, last = ends
    upper = QRect(rect.left(), rect.top(), rect.width(), FRAME)
    left = QRect(rect.left(), rect.top(), FRAME, rect.height())
    painter.fillRect(upper, color)
    painter.fillRect(upper.translated(0, rect.height() - FRAME), color)
    if rect.left() <= first + FRAME:
        painter.fillRect(left, color)
    if rect.right() >= last - FRAME:
        painter.fillRect(left.translated(rect.width() - FRAME, 0), color)


def _paint_right(painter: QPainter, rect: QRect, text: str, theme: Theme) -> int:
    if not text:
        return 0
    font = scaled_font(0.93)
    painter.setFont(font)
    painter.setPen(theme.color("secondary"))
    painter.drawText(rect, ALIGN_RIGHT, in_place(text))
    return QFontMetrics(font).horizontalAdvance(text) + space(3)


def turned(painter: QPainter, rect: QRect, part: QRect) -> QRect:
    """Return a part of a rectangle, given as for words from left to right, where it is painted."""
    placed: QRect = QStyle.visualRect(painter.layoutDirection(), rect, part)
    return placed


def leading(painter: QPainter, rect: QRect, width: int) -> QRect:
    """Return the part of a rectangle, so wide, at the side where words begin."""
    return turned(painter, rect, QRect(rect.left(), rect.top(), width, rect.height()))


def beside(painter: QPainter, rect: QRect, width: int) -> QRect:
    """Return what a part, so wide, at the side where words begin leaves of a rectangle."""
    return turned(painter, rect, rect.adjusted(width, 0, 0, 0))


def before(painter: QPainter, rect: QRect, width: int) -> QRect:
    """Return what a part, so wide, at the side where words end leaves of a rectangle."""
    return turned(painter, rect, rect.adjusted(0, 0, -width, 0))


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
