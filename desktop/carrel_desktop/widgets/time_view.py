# SPDX-License-Identifier: AGPL-3.0-or-later
"""A span of time that is painted: how one zooms, and where its ticks have room for their words."""

from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.time_scale import Scale, Tick, tick_label

ZOOM, STEP = 1.4, 0.15  # a step of a key or the wheel; of what is shown, for going on


class TimeView(QWidget):
    """Ctrl with the wheel and + − zoom, a double click or 0 shows all, Shift with an arrow, or the
    wheel, goes on. The wheel alone is left to what scrolls.

    `spanned` says that another span is shown.
    """

    spanned = Signal()

    def __init__(self, theme: Theme, scale: Scale, name: str, said: str) -> None:
        super().__init__()
        self._theme, self.scale = theme, scale
        scale.is_mirrored = QGuiApplication.isRightToLeft()
        named(self, name, said)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._repaint)

    def show_whole(self) -> None:
        """Zoom out altogether."""
        self.scale.show_whole()
        self._span()

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps, aside = event.angleDelta().y() / 120, event.angleDelta().x() / 120
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.scale.zoom(ZOOM ** (steps or aside), self._seconds(event.position().x()))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or abs(aside) > abs(steps):
            self.scale.move(-STEP * self._onward * (aside or steps))
        else:
            event.ignore()
            return
        self._span()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.show_whole()

    def _has_zoomed(self, event: QKeyEvent, about: float) -> bool:
        """Do what a key asks for, zooming about a moment; say whether it was for this."""
        moves = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.scale.zoom(ZOOM, about)
            case Qt.Key.Key_Minus:
                self.scale.zoom(1 / ZOOM, about)
            case Qt.Key.Key_0:
                self.scale.show_whole()
            case Qt.Key.Key_Left | Qt.Key.Key_Right if moves:
                self.scale.move(STEP if self._in_time(event) == Qt.Key.Key_Right else -STEP)
            case _:
                return False
        return True

    @property
    def _onward(self) -> int:
        """1 where time runs to the right, -1 where it runs to the left."""
        return -1 if self.scale.is_mirrored else 1

    def _in_time(self, event: QKeyEvent) -> Qt.Key:
        """Return a key, Right for the one that goes on in time, Left for the one that goes back."""
        key, left, right = Qt.Key(event.key()), Qt.Key.Key_Left, Qt.Key.Key_Right
        turned = {left: right, right: left} if self.scale.is_mirrored else {}
        return turned.get(key, key)

    def _middle_of_time(self) -> float:
        return (self.scale.start + self.scale.end) / 2

    def _seconds(self, x: float) -> float:
        """Return the moment at a place."""
        return self.scale.seconds(x, self.width())

    def _paint_focus(self, painter: QPainter) -> None:
        if self.hasFocus():
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 3, 3)

    def _span(self) -> None:
        self._repaint()
        self.spanned.emit()

    def _repaint(self) -> None:
        self.update()


def labels(
    ticks: list[Tick], metrics: QFontMetrics, x: Callable[[float], float], width: int
) -> Iterator[tuple[int, str]]:
    """Yield words of ticks and where they begin, as far as they stand clear of each other."""
    free_from, labelled = 0, None
    for tick in sorted(ticks, key=lambda each: x(each.seconds)):
        text = tick_label(tick, labelled)
        wide = metrics.horizontalAdvance(text)
        left = round(x(tick.seconds)) - wide // 2
        if left >= free_from and left + wide <= width:
            yield left, text
            free_from, labelled = left + wide + space(3), tick
