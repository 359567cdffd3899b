# SPDX-License-Identifier: AGPL-3.0-or-later
"""Rows that begin with an icon, one below the other, made anew when they are others."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLayout, QPushButton, QWidget

from carrel.model import Finding, FindingLevel
from carrel.translation import tr
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.widgets.actions import quiet_edge
from carrel_desktop.widgets.labels import IconLabel, leading_edge, named, plain_label, wrapped
from carrel_desktop.widgets.layouts import grid, horizontal, rest

MOST = 8  # a dataset of many odd files has many findings; the result lists them all
TOP = Qt.AlignmentFlag.AlignTop


class IconRows(QWidget):
    """Has its icons in the first column of a grid; what they stand for has the second."""

    def __init__(self, theme: Theme, gap: float) -> None:
        super().__init__()
        self._theme = theme
        self._grid = grid(2, gap, on=self)

    def _add_row(self, row: int, look: tuple[str, str], shown: QWidget) -> None:
        """Add a widget with its icon, given by name and colour."""
        self._grid.addWidget(IconLabel(self._theme, *look, 4.5), row, 0, TOP)
        self._grid.addWidget(shown, row, 1)


def clear(layout: QLayout) -> None:
    """Take every widget out of a layout and let it go."""
    while layout.count():
        taken = layout.takeAt(0)
        within, widget = (taken.layout(), taken.widget()) if taken else (None, None)
        if within:
            clear(within)
        if widget:
            widget.hide()
            widget.deleteLater()


@dataclass(frozen=True, slots=True)
class Moment:
    """`when` is shown as it is; `detail` stands below the text. A `key` is of what can be shown of
    it, by a button that is called `way`."""

    when: str
    icon: str
    tone: str
    text: str
    detail: str = ""
    way: str = ""
    key: str = ""


class Timeline(IconRows):
    """Icon, text, and the moment at the right; nothing is rebuilt while nothing is new. `chosen`
    carries the key of a moment."""

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, gap=0)
        self.shown: Sequence[Moment] = ()

    def show_moments(self, moments: Sequence[Moment]) -> None:
        """Replace what is shown."""
        if moments == self.shown:
            return
        self.shown = list(moments)
        clear(self._grid)
        for number, moment in enumerate(moments):
            self._add(3 * number, moment)

    def _add(self, row: int, moment: Moment) -> None:
        text = wrapped(moment.text)
        beside = max(0, (space(4.5) - text.fontMetrics().height()) // 2)  # the icon, in its middle
        text.setAlignment(leading_edge() | TOP)
        text.setContentsMargins(0, beside, 0, 0)
        text.setAccessibleName(". ".join(filter(None, (moment.when, moment.text, moment.detail))))
        self._add_row(row, (moment.icon, moment.tone), text)
        when = plain_label(moment.when, "secondary", font=scaled_font(0.93))
        raised = text.fontMetrics().ascent() - when.fontMetrics().ascent()
        when.setContentsMargins(0, beside + raised, 0, 0)  # on the line of the text
        self._grid.addWidget(when, row, 2, TOP | Qt.AlignmentFlag.AlignRight)
        self._grid.setRowMinimumHeight(row + 2, space(2.5))
        if moment.detail:
            detail = wrapped(moment.detail, "secondary", font=scaled_font(0.93))
            self._grid.addWidget(detail, row + 1, 1, 1, 2)
        if moment.key:
            self._grid.addLayout(self._way(moment), row + 2, 1, 1, 2)

    def _way(self, moment: Moment) -> QHBoxLayout:
        """Return a row with the button that shows a moment; its words begin where the others do."""
        said = ". ".join((moment.way, moment.text, moment.detail))
        way = named(QPushButton(moment.way), f"show_{moment.key}", said)
        way.setProperty("role", "quiet")
        way.clicked.connect(lambda: self.chosen.emit(moment.key))
        return horizontal(way, rest(), pixels=(-quiet_edge(), 0, 0, 0))


class FindingList(IconRows):
    """A short list of sentences, each with the icon of its level; hidden when there is none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, gap=1)
        self._shown: Sequence[Finding] | None = None

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Replace what is shown; nothing is rebuilt while nothing is new."""
        if findings == self._shown:
            return
        self._shown = list(findings)
        clear(self._grid)
        ranked = sorted(findings, key=lambda finding: finding.level is not FindingLevel.WARNING)
        for row, finding in enumerate(ranked[:MOST]):
            self._add(row, finding)
        if len(ranked) > MOST:
            more = tr("{count} more are listed in the result.", count=len(ranked) - MOST)
            self._grid.addWidget(wrapped(more, "secondary"), MOST, 1)
        self.setVisible(bool(ranked))

    def _add(self, row: int, finding: Finding) -> None:
        is_warning = finding.level is FindingLevel.WARNING
        text = tr("Warning: {message}") if is_warning else "{message}"
        said = text.format(message=finding.message)
        look = ("warning", "warning") if is_warning else ("note", "secondary")
        self._add_row(row, look, named(wrapped(finding.message), said=said))
