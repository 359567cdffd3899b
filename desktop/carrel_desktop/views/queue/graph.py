# SPDX-License-Identifier: AGPL-3.0-or-later
"""The rate of the last two minutes, drawn small, with the rate of the moment as its word."""

from collections import deque

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.widgets.rows import ALIGN_RIGHT

WINDOW_S = 5.0
SHORTEST_S = 1.0
TELLING_S = 3.0  # less than that tells little of what will be
HISTORY_S = 120
WIDTH = 30  # grid steps, of the curve
LONGEST = "8888.8 MiB/s"  # of what stands beside it
LEAST_TOP = 1000.0  # bytes a second at the top of the curve, so that a trickle is no mountain


class RateMeter:
    """Bytes a second over the last few seconds."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def add(self, now: float, count: int) -> None:
        if count > 0:
            self._samples.append((now, count))

    def tells(self, now: float) -> bool:
        """Say whether bytes have come for so long that the rate says something of what will be."""
        self._forget(now)
        return bool(self._samples) and now - self._samples[0][0] >= TELLING_S

    def rate(self, now: float) -> float:
        """Return the rate at a moment of the same clock that `add` was given."""
        self._forget(now)
        if not self._samples:
            return 0.0
        moved = sum(count for _, count in self._samples)
        return moved / max(now - self._samples[0][0], SHORTEST_S)

    def _forget(self, now: float) -> None:
        while self._samples and self._samples[0][0] < now - WINDOW_S:
            self._samples.popleft()


class RateHistory:
    """The rate of each of the last 120 seconds, oldest first; seconds no one told of were still."""

    def __init__(self) -> None:
        self.seconds: deque[float] = deque([0.0] * HISTORY_S, HISTORY_S)
        self._last: int | None = None

    def add(self, now: float, rate: float) -> None:
        """Take the rate at a moment; of several in one second the last counts."""
        second = int(now)
        missed = 1 if self._last is None else second - self._last
        if missed > 1:
            self.seconds.extend([0.0] * min(missed - 1, HISTORY_S))
        if missed > 0:
            self.seconds.append(rate)
        else:
            self.seconds[-1] = rate
        self._last = second

    @property
    def highest(self) -> float:
        return max(self.seconds)


class RateGraph(QWidget):
    """One curve of 120 points: drawing it takes a fraction of a millisecond."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._history = RateHistory()
        self._rate = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        self._speak()

    def add(self, now: float, rate: float) -> None:
        """Take the rate of all transfers together at a moment."""
        self._history.add(now, rate)
        self._rate = rate
        self._speak()
        self.update()

    @property
    def is_still(self) -> bool:
        """Whether nothing moved in the last two minutes."""
        return self._history.highest == 0

    @property
    def words_left(self) -> int:
        """Where the words begin at most; the curve ends there."""
        return self.width() - words_width()

    def sizeHint(self) -> QSize:
        return QSize(space(WIDTH) + words_width(), QFontMetrics(scaled_font(1)).height() + space(3))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        curve = QRectF(self.rect()).adjusted(1, space(1), -words_width(), -space(1))
        self._paint_curve(painter, curve)
        painter.setFont(scaled_font(0.93))
        painter.setPen(self._theme.color("text" if self._rate else "secondary"))
        words = self.rect().adjusted(self.words_left, 0, 0, 0)
        painter.drawText(words, ALIGN_RIGHT, quantities.rate(self._rate))

    def _paint_curve(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(self._theme.color("track"), 1))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        if self.is_still:
            return
        top = max(self._history.highest, LEAST_TOP)
        step = box.width() / (HISTORY_S - 1)
        points = [
            QPointF(box.left() + step * at, box.bottom() - box.height() * rate / top)
            for at, rate in enumerate(self._history.seconds)
        ]
        color = self._theme.color("accent")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("selection"))
        painter.drawPolygon(QPolygonF([box.bottomLeft(), *points, box.bottomRight()]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color, 1.5))
        painter.drawPolyline(QPolygonF(points))

    def _speak(self) -> None:
        text = tr(
            "{rate} now, up to {highest} in the last two minutes",
            rate=quantities.rate(self._rate),
            highest=quantities.rate(self._history.highest),
        )
        self.setAccessibleName(text)
        self.setToolTip(text)


def words_width() -> int:
    """Return how wide the rate in words is at most, with some room before it."""
    return QFontMetrics(scaled_font(0.93)).horizontalAdvance(LONGEST) + space(2)
