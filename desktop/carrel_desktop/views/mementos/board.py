# SPDX-License-Identifier: AGPL-3.0-or-later
"""The board of sources: for each its indicator, and beside it its captures over the years."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea

from carrel.model import SourceReport, SourceState
from carrel.translation import tr
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.mementos.lanes import Lane, Place, lane_height
from carrel_desktop.views.mementos.rows import Sources
from carrel_desktop.views.mementos.status_indicators import StatusIndicators, sentence
from carrel_desktop.views.mementos.timeline import Axis, Lanes
from carrel_desktop.widgets.labels import ElidedLabel, named, set_tone
from carrel_desktop.widgets.layouts import boxed, horizontal, rest, scrolled, vertical
from carrel_desktop.widgets.time_scale import Scale

LEAST_LANES = 2  # that are in sight; to others one scrolls
LEAST_INDICATOR, MOST_INDICATOR = 36, 82  # grid steps
INDICATOR_SHARE = 0.36
BORDERS = 6  # pixels


class Board(QFrame):
    """Indicators at the left, the timeline at the right, the axis and a sum above.

    Once all have answered, those that have captures stand first, below what is ours. `picked`
    carries the Place of the capture that the person chose, its lane being the number of the source.
    """

    picked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.scale = Scale()
        self.indicators = StatusIndicators(theme)
        self.lanes = Lanes(theme, self.scale)
        self.axis = Axis(theme, self.scale)
        self.sum = named(ElidedLabel(tone="secondary", font=scaled_font(0.93)), "sum")
        self._reports: Mapping[int, SourceReport] = {}
        self._order: Sequence[int] = ()  # the numbers of the sources, the uppermost first
        self._chosen: Sequence[Place] = ()
        self._area = self._make_area()
        self._lay_out()
        self.lanes.spanned.connect(self._on_spanned)
        self.lanes.picked.connect(self._on_picked)
        self.indicators.chosen.connect(self.lanes.update)

    def show_sources(
        self,
        sources: Sources,
        reports: Mapping[int, SourceReport],
        points: Sequence[Sequence[int]],
        *,
        captures: int,
        has_ended: bool,
    ) -> None:
        """Show how far each source is, and the captures that are listed of it, so many in all."""
        self._reports = reports
        count = len(sources)
        named_sources = [(sources.names[at], sources.is_local(at)) for at in range(count)]
        self.indicators.show_sources(named_sources)
        for number in range(count):
            self.indicators.show_report(number, reports.get(number))
        before, self._order = self._order, self._ordered(sources, has_ended=has_ended)
        self.indicators.arrange(self._order)
        self.lanes.show_lanes(self._lanes_of(sources, points), captures)
        if self._order != before:
            self.show_chosen(self._chosen)
        self._fit()

    def show_sum(self, text: str, *, is_lacking: bool) -> None:
        """Say how many captures there are, and of which archives nothing is known, if of any."""
        if text != self.sum.text():
            self.sum.setText(text)
            set_tone(self.sum, "warning" if is_lacking else "secondary")
            self._fit()

    def show_chosen(self, places: Sequence[Place]) -> None:
        """Mark captures on the timeline, each in the lane of its source."""
        self._chosen = places
        known = [each for each in places if each.lane in self._order]
        lanes = [self._order.index(each.lane) for each in known]
        self.lanes.show_chosen(
            [replace(each, lane=lane) for each, lane in zip(known, lanes, strict=True)]
        )

    def sizeHint(self) -> QSize:
        return QSize(space(120), self._height(max(1, len(self.lanes.lanes))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _ordered(self, sources: Sources, *, has_ended: bool) -> Sequence[int]:
        """Return the numbers of the sources as given, or once all have answered: ours first, then
        those with captures."""
        numbers = list(range(len(sources)))
        if has_ended:
            numbers.sort(key=lambda at: (not sources.is_local(at), not self._has_captures(at)))
        return numbers

    def _has_captures(self, number: int) -> bool:
        report = self._reports.get(number)
        return report is not None and report.state is SourceState.ANSWERED

    def _on_picked(self, place: Place) -> None:
        self.picked.emit(replace(place, lane=self._order[place.lane]))

    def _lanes_of(self, sources: Sources, points: Sequence[Sequence[int]]) -> Sequence[Lane]:
        """Return the lanes. Why nobody outside is asked is said once: it is the same of all."""
        lanes = [self._lane(sources, number, points) for number in self._order]
        private = [
            at
            for at, number in enumerate(self._order)
            if (report := self._reports.get(number)) and report.is_kept_private
        ]
        for at in private[1:]:
            lanes[at] = replace(lanes[at], sentence="")
        return lanes

    def _lane(self, sources: Sources, number: int, points: Sequence[Sequence[int]]) -> Lane:
        name, is_local = sources.names[number], sources.is_local(number)
        moments = points[number] if number < len(points) else ()
        return Lane(name, is_local, moments, self._sentence(number))

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
        """Give the indicators the room that their words and the sum want, and the lanes the rest:
        that archives did not answer is not cut off."""
        most = min(space(MOST_INDICATOR), round(self.width() * INDICATOR_SHARE))
        said = self.sum.fontMetrics().horizontalAdvance(self.sum.text()) + space(4)
        names = min(self.indicators.widest(), most)
        width = max(space(LEAST_INDICATOR), names, min(said, self.width() // 2))
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
