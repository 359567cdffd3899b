# SPDX-License-Identifier: AGPL-3.0-or-later
"""Columns over time, the parts of each stacked, above an axis."""

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from carrel_desktop.theme import scaled_font, space
from carrel_desktop.widgets.charts.chart import LEAST, SMALL, Chart
from carrel_desktop.widgets.charts.fills import paint_area
from carrel_desktop.widgets.charts.picture import Series
from carrel_desktop.widgets.charts.scale import ticks
from carrel_desktop.widgets.rows import ALIGN_RIGHT

_HEIGHT, _WIDEST = 38, 14  # grid steps
_FILLED = 0.72  # of the room of a column


class Columns(Chart):
    """A chart of what came in each of some months, or years."""

    def minimumSizeHint(self) -> QSize:
        return QSize(space(50), space(_HEIGHT))

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def places(self) -> Sequence[QRectF]:
        plot, pitch = self._plot(), self._pitch()
        return [
            self.in_place(plot.left() + number * pitch, plot.top(), pitch, plot.height())
            for number in range(len(self._picture.pieces))
        ]

    def paint(self, painter: QPainter) -> None:
        self._paint_keys(painter)
        self._paint_axis(painter)
        plot, pitch = self._plot(), self._pitch()
        wide = min(_FILLED * pitch, space(_WIDEST))
        top = ticks(self._picture.greatest, self._picture.unit)[-1]
        for number, piece in enumerate(self._picture.pieces):
            if number == self._hovered:
                painter.fillRect(self.places()[number], self._theme.color("hover"))
            x = plot.left() + number * pitch + (pitch - wide) / 2
            bottom = plot.bottom()
            for value, series in zip(piece.values, self._picture.series, strict=True):
                height = max(LEAST, plot.height() * value / top) if value else 0.0
                area = self.in_place(x, bottom - height, wide, height)
                if value:
                    self.paint_part(painter, area, series, number)
                bottom -= height
        self._paint_names(painter)

    def _paint_keys(self, painter: QPainter) -> None:
        """Paint what each series looks like, beside its name."""
        side = space(2.5)
        for series, x, y, width in self._keys():
            swatch = self.in_place(x, y + (self.line - side) / 2, side, side)
            paint_area(painter, swatch, self._theme, series)
            name = self.in_place(x + side + space(1.5), y, width - side - space(1.5), self.line)
            self.paint_text(painter, name, series.name)

    def _keys(self) -> list[tuple[Series, float, float, float]]:
        """Return where the key of each series that is drawn begins, and how wide it is; none where
        there is only one."""
        metrics, room = QFontMetrics(scaled_font(SMALL)), self.viewport().width()
        all_, pieces = self._picture.series, self._picture.pieces
        drawn = [each for at, each in enumerate(all_) if any(piece.values[at] for piece in pieces)]
        found: list[tuple[Series, float, float, float]] = []
        x = y = 0.0
        for series in reversed(drawn):  # as they stand above each other
            width = min(space(4) + metrics.horizontalAdvance(series.name) + 1, room)
            if x and x + width > room:
                x, y = 0.0, y + self.line + space(1)
            found.append((series, x, y, width))
            x += width + space(4)
        return found if len(all_) > 1 else []

    def _paint_axis(self, painter: QPainter) -> None:
        plot, width = self._plot(), self.viewport().width()
        values = ticks(self._picture.greatest, self._picture.unit)
        for value in values:
            y = round(plot.bottom() - plot.height() * value / values[-1])
            line = self.in_place(plot.left(), y, width - plot.left(), 0)
            tone = "control" if value == 0 else "border"
            painter.setPen(QPen(self._theme.color(tone), 1))
            painter.drawLine(line.topLeft(), line.topRight())
            place = self.in_place(0, y - self.line / 2, plot.left() - space(1.5), self.line)
            text = self._picture.unit.said(value) if value else "0"
            self.paint_text(painter, place, text, "secondary", ALIGN_RIGHT)

    def _paint_names(self, painter: QPainter) -> None:
        """Name as many columns as have room, the last one always."""
        plot, pitch, pieces = self._plot(), self._pitch(), self._picture.pieces
        metrics = painter.fontMetrics()
        widest = max(metrics.horizontalAdvance(piece.name) for piece in pieces) + space(2)
        every = max(1, ceil(widest / pitch))
        for number in range(len(pieces) - 1, -1, -every):
            middle = plot.left() + (number + 0.5) * pitch
            left = min(middle - widest / 2, self.viewport().width() - widest + space(1))
            place = self.in_place(left, plot.bottom() + space(1), widest, self.line)
            self.paint_text(
                painter, place, pieces[number].name, "secondary", Qt.AlignmentFlag.AlignCenter
            )

    def _plot(self) -> QRectF:
        """Return where columns stand, from the side at which reading begins."""
        metrics, picture = QFontMetrics(scaled_font(SMALL)), self._picture
        values = ticks(picture.greatest, picture.unit)
        axis = max(metrics.horizontalAdvance(picture.unit.said(each)) for each in values)
        left = axis + space(2.5)
        keys = self._keys()
        above = keys[-1][2] + self.line + space(2.5) if keys else self.line / 2
        below = self.line + space(1.5)
        size = self.viewport().size()
        return QRectF(left, above, max(1.0, size.width() - left), size.height() - above - below)

    def _pitch(self) -> float:
        return self._plot().width() / max(1, len(self._picture.pieces))
