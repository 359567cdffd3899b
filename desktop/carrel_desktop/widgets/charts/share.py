# SPDX-License-Identifier: AGPL-3.0-or-later
"""A whole as one bar of its parts, with a line for each part below it."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QModelIndex, QPoint, QRectF, QSize
from PySide6.QtGui import QPainter

from carrel_desktop.theme import space
from carrel_desktop.widgets.charts.chart import LEAST, Chart
from carrel_desktop.widgets.charts.fills import paint_area
from carrel_desktop.widgets.rows import ALIGN_RIGHT

_BAR, _GAP = 6, 3  # grid steps
_EDGE = 2.0  # pixels between two parts


class Share(Chart):
    """A chart of what a whole consists of. A part can be chosen in the bar, or by its line."""

    def minimumSizeHint(self) -> QSize:
        return QSize(space(50), space(_BAR + _GAP) + len(self._picture.pieces) * self._row())

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def places(self) -> Sequence[QRectF]:
        top, width = space(_BAR + _GAP), self.viewport().width()
        count = max(1, len(self._picture.pieces))
        row = min((self.viewport().height() - top) / count, 2.2 * self._row())
        return [QRectF(0, top + number * row, width, row) for number in range(count)]

    def indexAt(self, pos: QPoint) -> QModelIndex:
        for number, area in self._parts():
            if area.contains(pos):
                return self._pieces.index(number, 0)
        return super().indexAt(pos)

    def paint(self, painter: QPainter) -> None:
        for number, area in self._parts():
            self.paint_part(painter, area, self._picture.series[number], number)
        for number, (piece, place) in enumerate(
            zip(self._picture.pieces, self.places(), strict=True)
        ):
            if number == self._hovered:
                painter.fillRect(place, self._theme.color("hover"))
            self._paint_line(painter, number, place, " · ".join(reversed(piece.cells)))

    def _paint_line(self, painter: QPainter, number: int, place: QRectF, value: str) -> None:
        side, piece = space(3), self._picture.pieces[number]
        swatch = self.in_place(0, place.center().y() - side / 2, side, side)
        paint_area(painter, swatch, self._theme, self._picture.series[number])
        begin, width = side + space(2), place.width()
        wide = painter.fontMetrics().horizontalAdvance(value) + 2
        name = self.in_place(begin, place.top(), width - begin - wide - space(2), place.height())
        self.paint_text(painter, name, piece.name)
        told = self.in_place(width - wide, place.top(), wide, place.height())
        self.paint_text(painter, told, value, "secondary", ALIGN_RIGHT)

    def _parts(self) -> Iterator[tuple[int, QRectF]]:
        """Yield each part of the bar that there is anything of, with the number of its piece."""
        totals = [piece.total for piece in self._picture.pieces]
        some = [number for number, total in enumerate(totals) if total]
        room = self.viewport().width() - _EDGE * max(0, len(some) - 1) - LEAST * len(some)
        x = 0.0
        for number in some:
            width = LEAST + room * totals[number] / sum(totals)
            yield number, self.in_place(x, 0, width, space(_BAR))
            x += width + _EDGE

    def _row(self) -> int:
        return self.line + space(2)
