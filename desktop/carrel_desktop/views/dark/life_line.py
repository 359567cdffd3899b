# SPDX-License-Identifier: AGPL-3.0-or-later
"""The life line of one object, painted in time."""

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QBrush,
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QToolTip

from carrel.translation import tr
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.dark import texts
from carrel_desktop.views.dark.columns import event_words
from carrel_desktop.views.dark.life import (
    CHANGED,
    FOUND,
    LOST,
    MISSED,
    RENAMED,
    Drawing,
    Mark,
    Stretch,
    Way,
)
from carrel_desktop.widgets.time_scale import Scale, most_ticks
from carrel_desktop.widgets.time_view import TimeView, labels

NEAR = 9  # pixels within which a click means a mark
HATCHED = {Way.GONE: "failed", Way.RENAMED: "secondary"}
LINE_UNITS, AXIS_UNITS, EDGE_UNITS = 9.5, 5.5, 3
TONES = {LOST: "failed", FOUND: "ok", CHANGED: "accent", MISSED: "warning", RENAMED: "secondary"}


class LifeLine(TimeView):
    """Noted a dot, changed a diamond, lost an open end before a hatched gap, found again its close.

    What was missed is dashed, what no request could tell of since is dotted. Ctrl with the wheel
    and + − zoom, a double click or 0 shows all, arrows go from mark to mark. `picked` carries
    the number of the event that is chosen, `spanned` says that another span is shown.
    """

    picked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, Scale(), "life_line", tr("Life line"))
        self.drawing = Drawing()
        self.chosen: Mark | None = None
        self._name = ""
        self._is_of_data = True

    @property
    def clock(self) -> str:
        """By which of the two clocks the line is drawn, in words."""
        return tr("Date of the data") if self._is_of_data else tr("Date of the request")

    def show_life(self, name: str, drawing: Drawing, *, is_of_data: bool = True) -> None:
        """Draw another life, or the same one as it is now; what is shown of its time is all.

        It is drawn by the dates of the data, or else by those of requests.
        """
        self._is_of_data = is_of_data
        is_same = name == self._name
        self._name, self.drawing = name, drawing
        ends = drawing.ends
        self.scale.is_known = ends is not None
        if ends:
            if not is_same:
                self.scale.is_zoomed = False
            self.scale.cover(*ends)
        if self.chosen not in drawing.marks:
            self.chosen = None
        self.setAccessibleDescription(self._described())
        self.update()

    def choose(self, number: int) -> None:
        """Mark an event, if it is one that is drawn as a mark, and have it in sight."""
        found = [mark for mark in self.drawing.marks if mark.number == number]
        self.chosen = found[0] if found else None
        if found:
            self.scale.reveal(found[0].seconds)
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(scaled_font(0.9))
        return QSize(space(60), space(LINE_UNITS + 1) + metrics.height() + space(2))

    # What the person does

    def mousePressEvent(self, event: QMouseEvent) -> None:
        mark = self.mark_at(event.position().toPoint())
        if mark is not None and event.button() is Qt.MouseButton.LeftButton:
            self._pick(mark)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hint = self.hint_at(event.position().toPoint())
        QToolTip.showText(event.globalPosition().toPoint(), hint, self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        about = self.chosen.seconds if self.chosen else self._middle_of_time()
        if not self._has_zoomed(event, about):
            keys = Qt.Key
            if event.key() not in (keys.Key_Left, keys.Key_Right, keys.Key_Home, keys.Key_End):
                super().keyPressEvent(event)
                return
            self._go(self._in_time(event))
        self._span()

    # What is where

    def mark_at(self, at: QPoint) -> Mark | None:
        """Return the mark nearest to a point, None if none is near."""
        near = [(abs(self._x(mark.seconds) - at.x()), mark) for mark in self.drawing.marks]
        distance, mark = min(near, key=lambda each: each[0], default=(NEAR + 1, None))
        return mark if distance <= NEAR and at.y() <= space(LINE_UNITS + 1) else None

    def hint_at(self, at: QPoint) -> str:
        """Return what is at a point: what happened to the object, or how it was then."""
        if mark := self.mark_at(at):
            return told(mark)
        seconds = self._seconds(at.x())
        ways = [each.way for each in self.drawing.stretches if each.start <= seconds <= each.end]
        if not ways:
            return ""
        way = Way.MISSED if Way.MISSED in ways else ways[-1]
        return f"{self.clock}: {texts.day(round(seconds))}\n{self._how(way)}"

    def _how(self, way: Way) -> str:
        """Return how the object was, as far as that is known between the moments of looking."""
        there = tr("Named in the data") if self._is_of_data else tr("Not known to be gone")
        missing = tr("Missing, not confirmed as lost")
        gone = {Way.GONE: tr("Lost"), Way.RENAMED: tr("Probably renamed")}
        unseen = tr("Not delivered since; not known to be lost")
        return {Way.THERE: there, Way.UNSEEN: unseen, Way.MISSED: missing, **gone}[way]

    def place_of(self, mark: Mark) -> QPoint:
        """Return where a mark is drawn."""
        return QPoint(round(self._x(mark.seconds)), round(self._middle()))

    def _go(self, key: Qt.Key) -> None:
        marks = self.drawing.marks
        if not marks:
            return
        at = marks.index(self.chosen) if self.chosen in marks else None
        last = len(marks) - 1
        steps = {
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
            Qt.Key.Key_Left: last if at is None else max(0, at - 1),
            Qt.Key.Key_Right: 0 if at is None else min(last, at + 1),
        }
        self._pick(marks[steps[key]])

    def _pick(self, mark: Mark) -> None:
        self.choose(mark.number)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, told(mark)))
        self.picked.emit(mark.number)

    def _x(self, seconds: float) -> float:
        edge = space(EDGE_UNITS)
        return edge + self.scale.x(seconds, max(1, self.width() - 2 * edge))

    def _seconds(self, x: float) -> float:
        edge = space(EDGE_UNITS)
        return self.scale.seconds(x - edge, max(1, self.width() - 2 * edge))

    def _middle(self) -> float:
        return space(LINE_UNITS) / 2 + space(1)

    def _described(self) -> str:
        """Say what is drawn to those who do not see it."""
        if not self.drawing.marks:
            return tr("No events yet.")
        return f"{self.clock}. " + " ".join(
            f"{told(mark)}.".replace("\n", ": ") for mark in self.drawing.marks
        )

    # What is painted

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.scale.is_known:
            self._paint_axis(painter)
            painter.save()
            painter.setClipRect(0, 0, self.width(), space(LINE_UNITS + 2))
            for stretch in self.drawing.stretches:
                self._paint_stretch(painter, stretch)
            self._paint_asked(painter)
            for mark in self.drawing.marks:
                self._paint_mark(painter, mark)
            painter.restore()
        self._paint_focus(painter)

    def _paint_axis(self, painter: QPainter) -> None:
        painter.setFont(scaled_font(0.9))
        metrics, below = painter.fontMetrics(), space(LINE_UNITS + 2)
        ticks = self.scale.ticks(most_ticks(self.width()))
        painter.setPen(QPen(self._theme.color("border"), 1, Qt.PenStyle.DotLine))
        for tick in ticks:
            x = round(self._x(tick.seconds))
            painter.drawLine(x, space(1), x, below - space(0.5))
        painter.setPen(self._theme.color("secondary"))
        for left, text in labels(ticks, metrics, self._x, self.width()):
            painter.drawText(left, below + metrics.ascent(), text)

    def _paint_stretch(self, painter: QPainter, stretch: Stretch) -> None:
        start, end, middle = self._x(stretch.start), self._x(stretch.end), self._middle()
        if stretch.is_open and not self.scale.is_zoomed:
            end = min(end, 1.0) if self.scale.is_mirrored else max(end, self.width() - 1.0)
        left, right = sorted((start, end))
        if stretch.way in HATCHED:
            height = space(2.5)
            hatch = QColor(self._theme.color(HATCHED[stretch.way]))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(hatch, Qt.BrushStyle.BDiagPattern))
            painter.drawRect(QRectF(left, middle - height / 2, right - left, height))
        elif stretch.way is Way.MISSED:
            painter.setPen(QPen(self._theme.color("surface"), max(3.0, space(1))))
            painter.drawLine(QPointF(left, middle), QPointF(right, middle))
            pen = QPen(self._theme.color("warning"), max(2.0, space(0.6)), Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.drawLine(QPointF(left, middle), QPointF(right, middle))
        elif stretch.way is Way.UNSEEN:
            dotted = Qt.PenStyle.DotLine
            painter.setPen(QPen(self._theme.color("secondary"), max(2.0, space(0.6)), dotted))
            painter.drawLine(QPointF(left, middle), QPointF(right, middle))
        else:
            painter.setPen(QPen(self._theme.color("text"), max(2.0, space(0.6))))
            painter.drawLine(QPointF(left, middle), QPointF(right, middle))

    def _paint_asked(self, painter: QPainter) -> None:
        """Paint when it was requested, in small below the line."""
        below = self._middle() + space(3.75)
        painter.setPen(QPen(self._theme.color("secondary"), max(1.0, space(0.5))))
        for first, last in self.drawing.asked:
            left, right = sorted((self._x(first), self._x(last)))
            painter.drawLine(QPointF(left, below), QPointF(max(right, left + 2), below))

    def _paint_mark(self, painter: QPainter, mark: Mark) -> None:
        at = QPointF(self._x(mark.seconds), self._middle())
        size = 1.6 * space(1)
        tone = self._theme.color(TONES.get(mark.what, "text"))
        surface = self._theme.color("surface")
        if mark == self.chosen:
            painter.setPen(QPen(self._theme.color("accent"), 1.5))
            painter.setBrush(self._theme.color("selection"))
            painter.drawEllipse(at, size + space(1), size + space(1))
        painter.setPen(QPen(tone, max(2.0, space(0.5))))
        painter.setBrush(surface if mark.what in (LOST, RENAMED, FOUND, MISSED) else tone)
        if mark.what in (LOST, RENAMED):
            self._paint_end(painter, at, size, tone)
        elif mark.what == FOUND:
            painter.drawEllipse(at, size, size)
            painter.setBrush(tone)
            painter.drawEllipse(at, size / 2.5, size / 2.5)
        elif mark.what == CHANGED:
            size *= 1.15
            points = [QPointF(0, -size), QPointF(size, 0), QPointF(0, size), QPointF(-size, 0)]
            painter.setPen(QPen(surface, 1.5))
            painter.drawPolygon(QPolygonF([at + point for point in points]))
        elif mark.what == MISSED:
            painter.drawEllipse(at, size * 0.7, size * 0.7)
        else:
            painter.drawEllipse(at, size * 0.9, size * 0.9)

    def _paint_end(self, painter: QPainter, at: QPointF, size: float, tone: QColor) -> None:
        """Paint a line that ends early: a bracket open to what comes after."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(tone, max(2.0, size / 2.6)))
        for way in (-1, 1):
            foot = at + QPointF(0, way * size * 1.5)
            painter.drawLine(at, foot)
            painter.drawLine(foot, foot + QPointF(size * self._onward, 0))


def told(mark: Mark) -> str:
    """Return a mark in words: what happened, when that was recorded, and of when the data are."""
    detail = texts.cause(mark.detail)
    what = event_words(mark.what)
    said = f"{what}: {detail}" if detail else what
    return "\n".join((said, *texts.clocks(mark.recorded, mark.dated)))
