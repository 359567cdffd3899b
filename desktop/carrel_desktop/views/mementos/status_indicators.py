# SPDX-License-Identifier: AGPL-3.0-or-later
"""An indicator for each source: how far it is with the question, by shape, colour and word."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from carrel.model import SourceReport, SourceState
from carrel.model.iso_time import full_minute
from carrel.translation import forms, tr
from carrel_desktop import quantities, words
from carrel_desktop.theme import Theme, scaled_font, space, strong_font
from carrel_desktop.timers import switch, timer
from carrel_desktop.views.mementos.lanes import lane_height
from carrel_desktop.widgets.layouts import vertical
from carrel_desktop.widgets.rows import (
    ALIGN_RIGHT,
    before,
    beside,
    leading,
    paint_mark,
    paint_text,
    square,
    turning,
)

SPIN_MS = 80
TURN_MS = 1600
LEAST_UNITS = 30  # grid steps of width


def word(report: SourceReport) -> str:
    """Return what a source had to say, in a word or a number."""
    if report.is_kept_private:
        return tr("not queried")
    said = {
        SourceState.ASKED: tr("querying"),
        SourceState.ANSWERED: quantities.number(report.count),
        SourceState.NONE: tr("none"),
        SourceState.TIMED_OUT: tr("timed out"),
        SourceState.REFUSED: tr("refused"),
        SourceState.RESTING: tr("resting"),
        SourceState.UNREACHABLE: tr("unreachable"),
        SourceState.FAILED: tr("server error"),
        SourceState.INTERRUPTED: tr("interrupted"),
        SourceState.WRONG_ANSWER: tr("invalid answer"),
    }[report.state]
    return tr("{said}, incomplete", said=said) if report.lacks_some else said


def look(report: SourceReport | None) -> tuple[str, str]:
    """Return icon and colour of what a source had to say."""
    if report is None or report.is_kept_private:
        return "indicator-none", "secondary"
    return words.source_look(report)


def kept(report: SourceReport, now: datetime) -> str:
    """Return the age of a kept answer, empty for a fresh one."""
    if report.answered_at is None:
        return ""
    age = (now - report.answered_at).total_seconds()
    return tr("cached {span} ago", span=quantities.span(age))


def sentence(report: SourceReport, now: datetime) -> str:
    """Return all that is known of a source's answer; that it was not asked is no fault."""
    if report.is_kept_private:
        return report.message
    parts = [_state_sentence(report)]
    if report.message:
        parts.append(report.message)
    if report.answered_at is not None:
        age = quantities.span((now - report.answered_at).total_seconds())
        parts.append(tr("This answer was cached {span} ago.", span=age))
    elif report.state is not SourceState.ASKED and report.took_s:
        parts.append(tr("It took {seconds} s.", seconds=f"{report.took_s:.1f}"))
    if report.skipped:
        text = forms(
            "1 entry was not valid and was omitted.",
            "{count} entries were not valid and were omitted.",
        )
        parts.append(quantities.counted(report.skipped, *text))
    if report.until is not None and report.until > now:
        until = quantities.moment(full_minute(report.until.timestamp()).isoformat())
        parts.append(tr("No requests until {moment}.", moment=until))
    return " ".join(parts)


def _state_sentence(report: SourceReport) -> str:
    captures = quantities.counted(report.count, "1 capture", "{count} captures")
    return {
        SourceState.ASKED: tr("Queried; no answer yet."),
        SourceState.ANSWERED: tr("Answered: {captures}.", captures=captures),
        SourceState.NONE: tr("Answered: no captures."),
        SourceState.TIMED_OUT: tr("Did not answer in time."),
        SourceState.REFUSED: tr("Refused to answer."),
        SourceState.RESTING: tr("Not queried: paused."),
        SourceState.UNREACHABLE: tr("Not reachable."),
        SourceState.FAILED: tr("Answered with an error."),
        SourceState.INTERRUPTED: tr("Was interrupted while it answered."),
        SourceState.WRONG_ANSWER: tr("Not a valid answer."),
    }[report.state]


class StatusIndicator(QAbstractButton):
    """One source. Checked, the table lists only what it and other checked ones have."""

    def __init__(self, theme: Theme, name: str, is_local: bool) -> None:
        super().__init__()
        self._theme = theme
        self._is_local = is_local
        self.report: SourceReport | None = None
        self._kept = ""
        self.setText(name)
        self.setObjectName(f"indicator_{name}")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the mouse comes and goes
        self.setFixedHeight(lane_height())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def is_asked(self) -> bool:
        return self.report is not None and self.report.state is SourceState.ASKED

    def show_report(self, report: SourceReport | None, now: datetime) -> None:
        """Show how far the source is."""
        self.report = report
        self._kept = kept(report, now) if report else ""
        said = sentence(report, now) if report else tr("Nothing known yet.")
        where = tr("Local. ") if self._is_local else ""
        self.setAccessibleName(f"{self.text()}: {where}{said}")
        hint = tr("Press to list only its captures.")
        self.setToolTip(f"{self.text()}\n{where}{said}\n{hint}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(space(LEAST_UNITS), lane_height())

    def widest(self) -> int:
        """Return the width in which all that is said has room."""
        font = strong_font(0.97)
        words = f"{self.text()}  {self._sayings()[0]}"
        return QFontMetrics(font).horizontalAdvance(words) + space(12)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        inner = before(painter, beside(painter, self.rect(), space(1.5)), space(2))
        side = space(4)
        self._paint_indicator(painter, square(leading(painter, inner, side), side).translated(0, 1))
        inner = beside(painter, inner, side + space(2) - 1)
        inner = before(painter, inner, self._paint_said(painter, inner))
        weight = QFont.Weight.DemiBold if self._is_local else QFont.Weight.Normal
        font = scaled_font(0.97, weight)
        paint_text(painter, inner, self.text(), font, self._theme.color("text"))

    def _paint_ground(self, painter: QPainter) -> None:
        ground = "selection" if self.isChecked() else "hover" if self.underMouse() else ""
        box = self.rect().adjusted(1, 1, -2, -1)
        painter.setPen(self._theme.color("accent") if self.isChecked() else Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(ground) if ground else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, 4, 4)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(self._theme.color("accent"))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)

    def _paint_indicator(self, painter: QPainter, box: QRect) -> None:
        turn = turning(TURN_MS) if self.is_asked else 0.0
        paint_mark(painter, box, *look(self.report), self._theme, turn=turn)

    def _paint_said(self, painter: QPainter, inner: QRect) -> int:
        """Paint the word at the right end; return the room that it takes."""
        if self.report is None:
            return 0
        font = scaled_font(0.93)
        is_warning = self.report.is_trouble or self.report.lacks_some
        tone = look(self.report)[1] if is_warning else "secondary"
        if self.report.state is SourceState.ANSWERED and not is_warning:
            tone = "text"
        said = self._fitting(inner.width(), QFontMetrics(font))
        painter.setFont(font)
        painter.setPen(self._theme.color(tone))
        painter.drawText(inner, ALIGN_RIGHT, said)
        return QFontMetrics(font).horizontalAdvance(said) + space(1.5)

    def _sayings(self) -> list[str]:
        """Return what may stand at the right end, the fullest first."""
        if self.report is None:
            return [""]
        said = word(self.report)
        return [f"{self._kept} · {said}", said] if self._kept else [said]

    def _fitting(self, room: int, metrics: QFontMetrics) -> str:
        """Return the fullest saying that leaves the name its room."""
        name = QFontMetrics(strong_font(0.97))
        left = room - name.horizontalAdvance(self.text()) - space(2)
        sayings = self._sayings()
        fitting = (said for said in sayings if metrics.horizontalAdvance(said) <= left)
        return next(fitting, sayings[-1])


class StatusIndicators(QWidget):
    """The indicators below each other. `chosen` says that others are checked than before."""

    chosen = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.indicators: list[StatusIndicator] = []
        self._order: list[int] = []
        self._column = vertical(gap=0, on=self)
        self._spin = timer(self, SPIN_MS, self._turn)

    @property
    def checked(self) -> frozenset[int]:
        """The numbers of the sources to list, none of them meaning all."""
        return frozenset(at for at, each in enumerate(self.indicators) if each.isChecked())

    def show_sources(self, sources: Sequence[tuple[str, bool]]) -> None:
        """Have an indicator for each source, given by name and whether it is ours."""
        shown = [(indicator.text(), indicator._is_local) for indicator in self.indicators]
        if shown == list(sources):
            return
        if [name for name, _ in shown] != [name for name, _ in sources[: len(shown)]]:
            self._clear()
        for name, is_local in sources[len(self.indicators) :]:
            indicator = StatusIndicator(self._theme, name, is_local)
            indicator.toggled.connect(self.chosen)
            self.indicators.append(indicator)
            self._column.addWidget(indicator)
        self.setFixedHeight(max(1, len(self.indicators)) * lane_height())

    def arrange(self, order: Sequence[int]) -> None:
        """Stand in an order, given by the numbers of the sources; Tab goes through them so."""
        if order == self._order:
            return
        self._order = list(order)
        arranged = [self.indicators[number] for number in order]
        for place, indicator in enumerate(arranged):
            self._column.insertWidget(place, indicator)
        for above, below in pairwise(arranged):
            QWidget.setTabOrder(above, below)

    def show_report(self, number: int, report: SourceReport | None) -> None:
        """Show how far a source is, None where nothing is known of it."""
        if self.indicators[number].report is not report or report is None:
            self.indicators[number].show_report(report, datetime.now(UTC))
            self._follow()

    def uncheck_all(self) -> None:
        for indicator in self.indicators:
            with QSignalBlocker(indicator):
                indicator.setChecked(False)
            indicator.update()

    def widest(self) -> int:
        """Return the width that the widest indicator wants."""
        return max((indicator.widest() for indicator in self.indicators), default=0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._spin.stop()

    def _clear(self) -> None:
        for indicator in self.indicators:
            indicator.hide()
            indicator.deleteLater()
        self.indicators.clear()
        self._order = []

    def _follow(self) -> None:
        turns = self.isVisible() and any(indicator.is_asked for indicator in self.indicators)
        switch(self._spin, on=turns)

    def _turn(self) -> None:
        for indicator in self.indicators:
            if indicator.is_asked:
                indicator.update()
