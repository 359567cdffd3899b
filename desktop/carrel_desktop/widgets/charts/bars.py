# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bars below each other, each with its name before it and its value behind it."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFontMetrics, QPainter

from carrel_desktop.theme import scaled_font, space
from carrel_desktop.widgets.charts.chart import LEAST, SMALL, Chart
from carrel_desktop.widgets.charts.picture import Piece
from carrel_desktop.widgets.rows import ALIGN_LEFT

_NAMES = 0.4  # of the width, at most


class Bars(Chart):
    """A chart of a few named amounts."""

    def minimumSizeHint(self) -> QSize:
        return QSize(space(50), len(self._picture.pieces) * self._row())

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def places(self) -> Sequence[QRectF]:
        width, height = self.viewport().width(), self._pitch()
        count = len(self._picture.pieces)
        return [QRectF(0, number * height, width, height) for number in range(count)]

    def paint(self, painter: QPainter) -> None:
        names, values = self._columns()
        gap, width = space(2), self.viewport().width()
        room = max(LEAST, width - names - values - 2 * gap)
        greatest = self._picture.greatest or 1
        for number, (piece, place) in enumerate(
            zip(self._picture.pieces, self.places(), strict=True)
        ):
            top, height = place.top(), place.height()
            is_lit = number == self._hovered
            if is_lit:
                painter.fillRect(place, self._theme.color("hover"))
            self.paint_text(painter, self.in_place(0, top, names, height), piece.name)
            length = max(LEAST, room * piece.total / greatest) if piece.total else 0
            thick = min(height - space(1.5), space(5))
            bar = self.in_place(names + gap, top + (height - thick) / 2, length, thick)
            self.paint_part(painter, bar, self._picture.series[0], number)
            begin = names + gap + length + gap
            told = self.in_place(begin, top, values + 1, height)
            self.paint_text(painter, told, self._value(piece), "secondary", ALIGN_LEFT)

    def _value(self, piece: Piece) -> str:
        return self._picture.unit.said(piece.total)

    def _columns(self) -> tuple[int, int]:
        """Return how wide names and values are, in pixels."""
        metrics = QFontMetrics(scaled_font(SMALL))
        pieces = self._picture.pieces
        names = max((metrics.horizontalAdvance(piece.name) for piece in pieces), default=0)
        values = max((metrics.horizontalAdvance(self._value(piece)) for piece in pieces), default=0)
        return min(names + 2, round(_NAMES * self.viewport().width())), values + 2

    def _row(self) -> int:
        return self.line + space(1.5)

    def _pitch(self) -> float:
        """Return the height of a bar with its gap; a few bars do not fill a large chart."""
        count = max(1, len(self._picture.pieces))
        return min(self.viewport().height() / count, 2.2 * self._row())
