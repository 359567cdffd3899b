# SPDX-License-Identifier: AGPL-3.0-or-later
"""The board of sources: for each its indicator, and beside it its captures over the years."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea

from carrel.model import SourceReport, SourceState
from carrel.translation import tr
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.mementos.lanes import Lane, lane_height
from carrel_desktop.views.mementos.rows import Sources
from carrel_desktop.views.mementos.status_indicators import StatusIndicators, sentence
from carrel_desktop.views.mementos.timeline import Axis, Lanes
from carrel_desktop.widgets.labels import ElidedLabel, named
from carrel_desktop.widgets.layouts import boxed, horizontal, rest, scrolled, vertical
from carrel_desktop.widgets.time_scale import Scale

LEAST_LANES = 3  # that are in sight; to others one scrolls
LEAST_INDICATOR, MOST_INDICATOR = 36, 82  # grid steps
INDICATOR_SHARE = 0.36
BORDERS = 6  # pixels


class Board(QFrame):
    """Indicators at the left, the timeline at the right, the axis and a sum above."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.scale = Scale()
        self.indicators = StatusIndicators(theme)
        self.lanes = Lanes(theme, self.scale)
        self.axis = Axis(theme, self.scale)
        self.sum = named(ElidedLabel(tone="secondary", font=scaled_font(0.93)), "sum")
        self._reports: Mapping[int, SourceReport] = {}
        self._area = self._make_area()
        self._lay_out()
        self.lanes.spanned.connect(self._on_spanned)
        self.indicators.chosen.connect(self.lanes.update)

    def show_sources(
        self, sources: Sources, reports: Mapping[int, SourceReport], points: Sequence[Sequence[int]]
    ) -> None:
        """Show how far each source is, and the captures that are listed of it."""
        self._reports = reports
        count = len(sources)
        self.indicators.show_sources(
            [(sources.names[at], sources.is_local(at)) for at in range(count)]
        )
        for number in range(count):
            self.indicators.show_report(number, reports.get(number))
        self.lanes.show_lanes([self._lane(sources, at, points) for at in range(count)])
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(space(120), self._height(max(1, len(self.lanes.lanes))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _lane(self, sources: Sources, number: int, points: Sequence[Sequence[int]]) -> Lane:
        moments = points[number] if number < len(points) else ()
        return Lane(
            sources.names[number], sources.is_local(number), moments, self._sentence(number)
        )

    def _sentence(self, number: int) -> str:
        """Return what stands in a lane that has no captures to show."""
        report = self._reports.get(number)
        if report is None or report.state in (SourceState.ASKED, SourceState.NONE):
            return ""
        if report.state is SourceState.ANSWERED:
            return tr("None of its captures is listed")
        return report.message or sentence(report, datetime.now(UTC))

    def _make_area(self) -> QScrollArea:
        inside = horizontal(self.indicators, rest(self.lanes), gap=0)
        return scrolled(boxed(inside), sideways=False)

    def _lay_out(self) -> None:
        self._head = boxed(horizontal(self.sum, margins=(2, 0, 1, 0)))
        above = horizontal(self._head, rest(self.axis), gap=0)
        vertical(above, rest(self._area), gap=0, pixels=1, on=self)

    def _fit(self) -> None:
        """Give the indicators the room that their words want, and the lanes the rest."""
        most = min(space(MOST_INDICATOR), round(self.width() * INDICATOR_SHARE))
        width = max(space(LEAST_INDICATOR), min(self.indicators.widest(), most))
        self.indicators.setFixedWidth(width)
        self._head.setFixedWidth(width)
        lanes = max(1, len(self.lanes.lanes))
        self.setMinimumHeight(self._height(min(LEAST_LANES, lanes)))
        self.setMaximumHeight(self._height(lanes))

    def _height(self, lanes: int) -> int:
        return lanes * lane_height() + self.axis.sizeHint().height() + BORDERS

    def _on_spanned(self) -> None:
        self.axis.span_width = self.lanes.width()
        self.axis.update()
