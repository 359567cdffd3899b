# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was found damaged or missing, one under the other: what, where, and what is wrong."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from carrel.translation import tr
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.holdings.failures import Told
from carrel_desktop.widgets.findings import clear
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import ElidedLabel, wrapped


class FailureList(QWidget):
    """Names that have no room are cut, and whole in their tool tips; hidden where there is none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(tr("Damaged or missing"))
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(space(2))
        self._grid.setVerticalSpacing(space(2))
        self._grid.setColumnStretch(1, 1)

    def show_failures(self, told: Sequence[Told]) -> None:
        """Replace what is shown."""
        clear(self._grid)
        for row, each in enumerate(told):
            look = ("note", "secondary") if each.is_note else ("failed", "failed")
            top = Qt.AlignmentFlag.AlignTop
            self._grid.addWidget(IconLabel(self._theme, *look, 4.5), row, 0, top)
            self._grid.addWidget(_lines(each), row, 1)
        self.setVisible(bool(told))


def _lines(told: Told) -> QWidget:
    lines = QWidget()
    lines.setAccessibleName(str(told))
    layout = QVBoxLayout(lines)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    middle, left = Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideLeft
    layout.addWidget(wrapped(told.what) if told.is_note else _cut(told.what, middle))
    if told.where:  # the names of WARCs differ in their ends
        layout.addWidget(_cut(told.where, left, "secondary"))
    if told.why:
        layout.addWidget(wrapped(told.why, "secondary"))
    return lines


def _cut(text: str, mode: Qt.TextElideMode, tone: str = "") -> ElidedLabel:
    label = ElidedLabel(mode)
    label.setText(text)
    label.setProperty("tone", tone)
    return label
