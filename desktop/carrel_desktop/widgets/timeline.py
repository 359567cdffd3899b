# SPDX-License-Identifier: AGPL-3.0-or-later
"""What happened when: a short list of moments, each with an icon and a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.widgets.findings import clear
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import wrapped


@dataclass(frozen=True, slots=True)
class Moment:
    """`when` is shown as it is; `detail` stands below the text."""

    when: str
    icon: str
    tone: str
    text: str
    detail: str = ""


class Timeline(QWidget):
    """Icon, text, and the moment at the right; nothing is rebuilt while nothing is new."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: Sequence[Moment] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(space(2))
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(1, 1)

    @property
    def shown(self) -> Sequence[Moment]:
        return self._shown

    def show_moments(self, moments: Sequence[Moment]) -> None:
        """Replace what is shown."""
        if moments == self._shown:
            return
        self._shown = list(moments)
        clear(self._grid)
        for number, moment in enumerate(moments):
            self._add(3 * number, moment)

    def _add(self, row: int, moment: Moment) -> None:
        top = Qt.AlignmentFlag.AlignTop
        self._grid.addWidget(IconLabel(self._theme, moment.icon, moment.tone, 4.5), row, 0, top)
        text = wrapped(moment.text)
        beside = max(0, (space(4.5) - text.fontMetrics().height()) // 2)  # the icon, in its middle
        text.setAlignment(Qt.AlignmentFlag.AlignLeft | top)
        text.setContentsMargins(0, beside, 0, 0)
        text.setAccessibleName(". ".join(filter(None, (moment.when, moment.text, moment.detail))))
        self._grid.addWidget(text, row, 1)
        when = QLabel(moment.when)
        when.setFont(scaled_font(0.93))
        when.setProperty("tone", "secondary")
        raised = text.fontMetrics().ascent() - when.fontMetrics().ascent()
        when.setContentsMargins(0, beside + raised, 0, 0)  # on the line of the text
        self._grid.addWidget(when, row, 2, top | Qt.AlignmentFlag.AlignRight)
        self._grid.setRowMinimumHeight(row + 2, space(2.5))
        if moment.detail:
            detail = wrapped(moment.detail, "secondary")
            detail.setFont(scaled_font(0.93))
            self._grid.addWidget(detail, row + 1, 1, 1, 2)
