# SPDX-License-Identifier: AGPL-3.0-or-later
"""Paints the table of holdings: title and identifier in one cell, the outcome with its icon."""

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from carrel_desktop import words
from carrel_desktop.holding_rows.model import ROW_ROLE, Column, Holding, HoldingsModel
from carrel_desktop.icons import paint_icon
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.rows import (
    ALIGN_RIGHT,
    TwoLines,
    halves,
    paint_background,
    paint_text,
    paint_two_lines,
    row_height,
)


class HoldingsDelegate(QStyledItemDelegate):
    """One delegate for all columns."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(space(20), row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, Holding):
            return
        painter.save()
        paint_background(painter, option, self._theme, is_first=index.column() == Column.DATASET)
        rect: QRect = option.rect
        text = str(index.data())
        match Column(index.column()):
            case Column.DATASET:
                icon, tone = _look(row) if _lacks_outcome(option.widget) else ("", "")
                lines = TwoLines(row.title, _model(index).second_line(row), icon, tone)
                paint_two_lines(painter, rect, lines, self._theme)
            case Column.OUTCOME:
                self._paint_outcome(painter, rect, row, text, _model(index).beside(row))
            case Column.SIZE:
                self._paint_number(painter, rect, text)
            case _:
                inner = rect.adjusted(space(2), 0, -space(2), 0)
                paint_text(painter, inner, text, scaled_font(1), self._theme.color("secondary"))
        painter.restore()

    def _paint_outcome(
        self, painter: QPainter, rect: QRect, row: Holding, outcome: str, beside: str
    ) -> None:
        """Paint how what is held stands, and under it what stands `beside` that, if anything."""
        side, (icon, tone) = space(4.5), _look(row)
        left = rect.left() + space(2)
        box = QRect(left, rect.center().y() - side // 2, side, side)
        paint_icon(painter, box, icon, str(getattr(self._theme.tokens, tone)))
        above = (rect.height() - row_height(is_compact=True)) // 2 + space(1) if beside else 0
        inner = rect.adjusted(space(2) + side + space(1.5), above, -space(1), -above)
        upper, lower = halves(inner) if beside else (inner, QRect())
        paint_text(painter, upper, outcome, scaled_font(1), self._theme.color(tone))
        lower_tone = "failed" if row.failed else "warning"
        paint_text(painter, lower, beside, scaled_font(0.93), self._theme.color(lower_tone))

    def _paint_number(self, painter: QPainter, rect: QRect, text: str) -> None:
        font, inner = scaled_font(1), rect.adjusted(space(1), 0, -space(2), 0)
        painter.setFont(font)
        painter.setPen(self._theme.color("secondary"))
        cut = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, ALIGN_RIGHT, cut)


def outcome_frame() -> int:
    """Return how many pixels an outcome takes beside its words: icon and margins."""
    return space(2) + space(4.5) + space(1.5) + space(2)


def _look(row: Holding) -> tuple[str, str]:
    """Return icon and colour of how a holding stands."""
    if row.failed:
        return "failed", "failed"
    return words.outcome_icon(row.status), words.outcome_tone(row.status)


def _lacks_outcome(view: QWidget | None) -> bool:
    return isinstance(view, QTableView) and view.isColumnHidden(Column.OUTCOME)


def _model(index: Index) -> HoldingsModel:
    model = index.model()
    if not isinstance(model, HoldingsModel):
        raise TypeError("holdings are painted from their own model")
    return model
