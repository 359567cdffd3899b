# SPDX-License-Identifier: AGPL-3.0-or-later
"""Findings of a dataset, warnings first."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLayout, QWidget

from carrel.model import Finding, FindingLevel
from carrel.translation import tr
from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import wrapped

MOST = 8  # a dataset of many odd files has many findings; the result lists them all


class FindingList(QWidget):
    """A short list of sentences, each with the icon of its level; hidden when there is none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(space(2))
        self._grid.setVerticalSpacing(space(1))
        self._grid.setColumnStretch(1, 1)

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Replace what is shown."""
        clear(self._grid)
        ranked = sorted(findings, key=lambda finding: finding.level is not FindingLevel.WARNING)
        for row, finding in enumerate(ranked[:MOST]):
            self._add(row, finding)
        if len(ranked) > MOST:
            more = tr("{count} more are listed in the result.")
            self._grid.addWidget(
                wrapped(more.format(count=len(ranked) - MOST), "secondary"), MOST, 1
            )
        self.setVisible(bool(ranked))

    def _add(self, row: int, finding: Finding) -> None:
        is_warning = finding.level is FindingLevel.WARNING
        name, tone = ("warning", "warning") if is_warning else ("note", "secondary")
        top = Qt.AlignmentFlag.AlignTop
        self._grid.addWidget(IconLabel(self._theme, name, tone, 4.5), row, 0, top)
        text = tr("Warning: {message}") if is_warning else "{message}"
        label = wrapped(finding.message)
        label.setAccessibleName(text.format(message=finding.message))
        self._grid.addWidget(label, row, 1)


def clear(layout: QLayout) -> None:
    """Take every widget out of a layout and let it go."""
    while layout.count():
        taken = layout.takeAt(0)
        widget = taken.widget() if taken else None
        if widget:
            widget.hide()
            widget.deleteLater()
