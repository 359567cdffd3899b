# SPDX-License-Identifier: AGPL-3.0-or-later
"""The foot of a pane: below a rule, what can be done with what the pane shows."""

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from carrel_desktop.theme import space
from carrel_desktop.widgets.actions import quiet_edge
from carrel_desktop.widgets.wrapping_row import WrappingRow


class PaneFooter(QWidget):
    """At the left what is done now and then, at the right what is done most.

    Where room is short they stand in several lines. `left` are quiet buttons: what they show begins
    where the words of the pane do.
    """

    def __init__(self, left: Sequence[QWidget], right: Sequence[QWidget]) -> None:
        super().__init__()
        rule = QFrame()
        rule.setProperty("rule", True)
        rule.setFixedHeight(1)
        row = WrappingRow(space(1))
        row.setContentsMargins(space(4) - quiet_edge(), space(2.5), space(4), space(2.5))
        for widget in left:
            row.addWidget(widget)
        row.add_stretch()
        for widget in right:
            row.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(rule)
        layout.addLayout(row)
