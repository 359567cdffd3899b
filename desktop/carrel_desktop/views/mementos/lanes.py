# SPDX-License-Identifier: AGPL-3.0-or-later
"""The lanes of a timeline, one a source, and the picture of what is in them."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log1p

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPixmap

from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.widgets.rows import paint_text
from carrel_desktop.widgets.time_scale import Scale, most_ticks


@dataclass(frozen=True, slots=True)
class Lane:
    """A source: its captures' moments in seconds, ascending, or a sentence in their place."""

    name: str
    is_local: bool
    points: Sequence[int] = ()
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A capture on the timeline."""

    lane: int
    seconds: int


def lane_height() -> int:
    """Return the height of a lane, and of the indicator beside it."""
    return QFontMetrics(scaled_font(0.97)).height() + space(2)


def first_filled(lanes: Sequence[Lane]) -> int | None:
    """Return the number of the first lane with captures, None if there is none."""
    return next((number for number, lane in enumerate(lanes) if lane.points), None)


class LanePicture:
    """The ground of a timeline `width` pixels wide: lanes with captures, or with a sentence."""

    def __init__(self, theme: Theme, scale: Scale, lanes: Sequence[Lane], width: int) -> None:
        self._theme, self._scale, self._lanes, self._width = theme, scale, lanes, width

    def drawn(self, height: int, ratio: float) -> QPixmap:
        """Return the picture for a screen of so many dots to a pixel."""
        picture = QPixmap(QSize(round(self._width * ratio), round(height * ratio)))
        picture.setDevicePixelRatio(ratio)
        picture.fill(self._theme.color("surface"))
        painter = QPainter(picture)
        self._paint_ground(painter)
        counts = [pixel_counts(lane.points, self._scale, self._width) for lane in self._lanes]
        most = max((count for lane in counts for _, count in lane), default=1)
        for number, lane in enumerate(self._lanes):
            band = self.band(number)
            if lane.points:
                self._paint_marks(painter, band, counts[number], most, lane.is_local)
            else:
                self._paint_sentence(painter, band, lane.sentence)
        painter.end()
        return picture

    def _paint_ground(self, painter: QPainter) -> None:
        for number, lane in enumerate(self._lanes):
            if lane.is_local and lane.points:
                painter.fillRect(self.band(number), self._theme.color("selection"))
        painter.setPen(self._theme.color("border"))
        for number in range(1, len(self._lanes)):
            top = self.band(number).top()
            painter.drawLine(0, top, self._width, top)
        if not self._scale.is_known:
            return
        painter.setPen(QPen(self._theme.color("border"), 1, Qt.PenStyle.DotLine))
        for tick in self._scale.ticks(most_ticks(self._width)):
            self.upright(painter, round(self._scale.x(tick.seconds, self._width)))

    def _paint_marks(
        self,
        painter: QPainter,
        band: QRect,
        counts: Sequence[tuple[int, int]],
        most: int,
        is_local: bool,
    ) -> None:
        """Paint a bar for every pixel that has captures, the higher the more there are."""
        room = band.adjusted(0, space(0.75), 0, -space(0.75))
        least = 0.8 if is_local else 0.6
        width = max(2, space(0.75)) if is_local else 2
        bars = []
        for x, count in counts:
            share = least + (1 - least) * (log1p(count - 1) / log1p(most) if most > 1 else 0.5)
            height = room.height() * min(1.0, share)
            bars.append(QRectF(x - width / 2, room.bottom() + 1 - height, width, height))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent" if is_local else "secondary"))
        painter.drawRects(bars)

    def _paint_sentence(self, painter: QPainter, band: QRect, sentence: str) -> None:
        inner = band.adjusted(space(2), 0, -space(2), 0)
        paint_text(painter, inner, sentence, scaled_font(0.9), self._theme.color("secondary"))

    def upright(self, painter: QPainter, x: float) -> None:
        """Paint a line down the lanes, but through no sentence."""
        for is_said, run in groupby(enumerate(self._lanes), lambda each: _has_sentence(each[1])):
            numbers = [number for number, _ in run]
            if not is_said:
                top, bottom = self.band(numbers[0]).top(), self.band(numbers[-1]).bottom() + 1
                painter.drawLine(QPointF(x, top), QPointF(x, bottom))

    def band(self, number: int) -> QRect:
        """Return the place of a lane."""
        return QRect(0, number * lane_height(), self._width, lane_height())


def pixel_counts(points: Sequence[int], scale: Scale, width: int) -> list[tuple[int, int]]:
    """Return each pixel that has captures, and how many: looked up, not counted one by one."""
    low, high = bisect_left(points, scale.start), bisect_right(points, scale.end)
    counts: list[tuple[int, int]] = []
    while low < high:
        x = int(scale.x(points[low], width))
        edge = x if scale.is_mirrored else x + 1
        after = bisect_left(points, scale.seconds(edge, width), low + 1, high)
        counts.append((x, after - low))
        low = after
    return counts


def _has_sentence(lane: Lane) -> bool:
    return not lane.points and bool(lane.sentence)
