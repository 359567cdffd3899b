# SPDX-License-Identifier: AGPL-3.0-or-later
"""The painted timeline: an axis of years, and below it one lane a source."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.mementos.lanes import Lane, LanePicture, Place, first_filled, lane_height
from carrel_desktop.widgets.time_scale import Scale, moment_of, most_ticks
from carrel_desktop.widgets.time_view import TimeView, labels

NEAR = 6  # pixels within which a click means a capture
DRAG = 5  # pixels from which a press is a drag


class Axis(QWidget):
    """The years above the lanes."""

    def __init__(self, theme: Theme, scale: Scale) -> None:
        super().__init__()
        self._theme = theme
        self._scale = scale
        self.span_width = 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(space(60), QFontMetrics(scaled_font(0.9)).height() + space(1.5))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._scale.is_known:
            return
        painter = QPainter(self)
        painter.setFont(scaled_font(0.9))
        painter.setPen(self._theme.color("secondary"))
        metrics, width = painter.fontMetrics(), self.span_width

        def x(seconds: float) -> float:
            return self._scale.x(seconds, width)

        for left, text in labels(self._scale.ticks(most_ticks(width)), metrics, x, width):
            painter.drawText(left, metrics.ascent() + space(0.5), text)


class Lanes(TimeView):
    """Captures over time. Ctrl with the wheel and + − zoom, a drag shows its span, a double click
    shows all.

    `picked` carries the Place of the capture that the person chose, `activated` says that they want
    to see it, `spanned` that another span is shown.
    """

    picked = Signal(object)
    activated = Signal()

    def __init__(self, theme: Theme, scale: Scale) -> None:
        self.lanes: Sequence[Lane] = ()
        self._captures = 0
        self.chosen: Sequence[Place] = ()
        self._picture: QPixmap | None = None
        self._pressed: QPoint | None = None
        self._pointer: QPoint | None = None
        super().__init__(theme, scale, "timeline", "")
        self.setAccessibleName(tr("Timeline"))

    @property
    def _ground(self) -> LanePicture:
        return LanePicture(self._theme, self.scale, self.lanes, self.width())

    def show_lanes(self, lanes: Sequence[Lane], captures: int) -> None:
        """Replace what is shown: `captures`, of which those of several sources are in each lane."""
        grown = len(lanes) != len(self.lanes)
        self.lanes, self._captures = list(lanes), captures
        ends = [(lane.points[0], lane.points[-1]) for lane in lanes if lane.points]
        self.scale.is_known = bool(ends)
        if ends:
            first, last = min(first for first, _ in ends), max(last for _, last in ends)
            self.scale.cover(first, last, datetime.now(UTC).timestamp())
        if grown:
            self.setFixedHeight(max(1, len(lanes)) * lane_height())
        self._describe()
        self._span()

    def show_chosen(self, places: Sequence[Place]) -> None:
        """Mark captures, the first of them the one that was chosen last, which comes into sight."""
        self.chosen = list(places)
        shown = (self.scale.start, self.scale.end)
        if places:
            self.scale.reveal(places[0].seconds)
        self._describe()
        if shown != (self.scale.start, self.scale.end):
            self._span()
        self.update()

    def show_span(self, start: float, end: float) -> None:
        """Zoom in to a span, in seconds since 1970."""
        self.scale.show(start, end)
        self._span()

    def sizeHint(self) -> QSize:
        return QSize(space(60), max(1, len(self.lanes)) * lane_height())

    # What the person does

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer = event.position().toPoint()
        QToolTip.showText(event.globalPosition().toPoint(), self.hint_at(self._pointer), self)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        released = event.position().toPoint()
        if abs(released.x() - pressed.x()) >= DRAG:
            self.show_span(*sorted(self._seconds(at.x()) for at in (pressed, released)))
        elif place := self._place_at(released):
            self.picked.emit(place)
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        super().mouseDoubleClickEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._pointer = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from capture to capture, + and − zoom, 0 shows all, Enter opens."""
        about = self.chosen[0].seconds if self.chosen else self._middle_of_time()
        if not self._has_zoomed(event, about):
            match event.key():
                case Qt.Key.Key_Left | Qt.Key.Key_Right | Qt.Key.Key_Home | Qt.Key.Key_End:
                    self._go_along(self._in_time(event))
                case Qt.Key.Key_Up | Qt.Key.Key_Down:
                    self._go_across(1 if event.key() == Qt.Key.Key_Down else -1)
                case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space:
                    self.activated.emit()
                case _:
                    super().keyPressEvent(event)
                    return
        self._span()

    # What is painted

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._span()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._picture is None:
            self._picture = self._ground.drawn(self.height(), self.devicePixelRatioF())
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_pointer(painter)
        for number, place in enumerate(self.chosen):
            self._paint_chosen(painter, place, is_first=number == 0)
        self._paint_focus(painter)

    def _paint_pointer(self, painter: QPainter) -> None:
        if self._pointer is None:
            return
        accent = self._theme.color("accent")
        painter.setPen(QPen(accent, 1))
        if self._pressed is not None and abs(self._pointer.x() - self._pressed.x()) >= DRAG:
            left, right = sorted((self._pressed.x(), self._pointer.x()))
            tint = QColor(accent)
            tint.setAlpha(50)
            painter.fillRect(left, 0, right - left, self.height(), tint)
            painter.drawLine(left, 0, left, self.height())
        self._ground.upright(painter, self._pointer.x())

    def _paint_chosen(self, painter: QPainter, place: Place, *, is_first: bool) -> None:
        x = self.scale.x(place.seconds, self.width())
        text = self._theme.color("text")
        style = Qt.PenStyle.SolidLine if is_first else Qt.PenStyle.DashLine
        painter.setPen(QPen(text, 1.2, style))
        self._ground.upright(painter, x)
        radius = max(3.5, space(1.1))
        painter.setPen(QPen(self._theme.color("surface"), 1.5))
        painter.setBrush(text)
        middle = self._ground.band(place.lane).center().y() + 0.5
        painter.drawEllipse(QPointF(x, middle), radius, radius)

    # What is where

    def _place_at(self, at: QPoint) -> Place | None:
        """Return the capture nearest to a point in its lane, None if none is near."""
        number = at.y() // lane_height()
        if not 0 <= number < len(self.lanes):
            return None
        seconds = nearest(self.lanes[number].points, self.scale.seconds(at.x() + 0.5, self.width()))
        if seconds is None or abs(self.scale.x(seconds, self.width()) - at.x()) > NEAR:
            return None
        return Place(number, seconds)

    def hint_at(self, pointer: QPoint) -> str:
        """Return source and time of what is at a point."""
        number = pointer.y() // lane_height()
        if not (0 <= number < len(self.lanes) and self.scale.is_known):
            return ""
        lane = self.lanes[number]
        edges = (self.scale.seconds(pointer.x() + by, self.width()) for by in (-1.5, 1.5))
        first, last = sorted(edges)
        inside = lane.points[bisect_left(lane.points, first) : bisect_right(lane.points, last)]
        text = self._told(inside) if inside else _moment_text((first + last) / 2)[:10]
        return f"{lane.name}\n{text}"

    def _told(self, inside: Sequence[int]) -> str:
        first, last = _moment_text(inside[0]), _moment_text(inside[-1])
        if len(inside) == 1:
            return first
        count = quantities.number(len(inside))
        return tr("{count} captures, {first} to {last}", count=count, first=first, last=last)

    def _go_along(self, key: Qt.Key) -> None:
        """Choose another capture of the lane."""
        lane = self.chosen[0].lane if self.chosen else first_filled(self.lanes)
        if lane is None or not self.lanes[lane].points:
            return
        points = self.lanes[lane].points
        at = self.chosen[0].seconds if self.chosen else points[-1]
        places = {
            Qt.Key.Key_Left: max(0, bisect_left(points, at) - 1),
            Qt.Key.Key_Right: min(len(points) - 1, bisect_right(points, at)),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(points) - 1,
        }
        self._pick(Place(lane, points[places[key]]))

    def _go_across(self, by: int) -> None:
        """Choose the nearest capture of the next lane that has any."""
        at = self.chosen[0] if self.chosen else None
        number = at.lane + by if at else (first_filled(self.lanes) or 0)
        while 0 <= number < len(self.lanes):
            about = at.seconds if at else self._middle_of_time()
            seconds = nearest(self.lanes[number].points, about)
            if seconds is not None:
                self._pick(Place(number, seconds))
                return
            number += by

    def _pick(self, place: Place) -> None:
        self.picked.emit(place)
        spoken = f"{_moment_text(place.seconds)}, {self.lanes[place.lane].name}"
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, spoken))

    def _describe(self) -> None:
        """Say what is drawn to those who do not see it."""
        filled = [lane for lane in self.lanes if lane.points]
        if not filled:
            self.setAccessibleDescription(tr("No captures"))
            return
        text = tr("{captures} from {first} to {last} in {lanes} of {sources} sources.")
        parts = [
            text.format(
                captures=quantities.counted(self._captures, "1 capture", "{count} captures"),
                first=_moment_text(min(lane.points[0] for lane in filled))[:10],
                last=_moment_text(max(lane.points[-1] for lane in filled))[:10],
                lanes=len(filled),
                sources=len(self.lanes),
            )
        ]
        for place in self.chosen[:1]:
            chosen = tr("Selected: {moment}, {source}.")
            name = self.lanes[place.lane].name if place.lane < len(self.lanes) else ""
            parts.append(chosen.format(moment=_moment_text(place.seconds), source=name))
        self.setAccessibleDescription(" ".join(parts))

    def _repaint(self) -> None:
        self._picture = None
        self.update()


def nearest(points: Sequence[int], seconds: float) -> int | None:
    """Return the moment nearest to another, None if there is none at all."""
    at = bisect_left(points, seconds)
    near = points[max(0, at - 1) : at + 1]
    return min(near, key=lambda point: abs(point - seconds)) if near else None


def _moment_text(seconds: float) -> str:
    return moment_of(seconds).strftime("%Y-%m-%d %H:%M:%S")
