# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an empty page shows: what would be here, and what to do."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import BalancedLabel


class EmptyPanel(QWidget):
    """An icon, a heading, a sentence, and any widgets to act with, in the middle of the page."""

    def __init__(self, theme: Theme, icon: str, heading: str, sentence: str) -> None:
        super().__init__()
        self.heading = QLabel(heading)
        self.heading.setFont(scaled_font(1.25, QFont.Weight.DemiBold))
        self.sentence = BalancedLabel(sentence, "secondary")
        self.sentence.setMaximumWidth(space(105))
        self._layout = QVBoxLayout(self)
        self._layout.setSpacing(space(2))
        self._layout.addStretch(2)
        center = Qt.AlignmentFlag.AlignHCenter
        self.icon = IconLabel(theme, icon, "control", 12)
        self._layout.addWidget(self.icon, 0, center)
        self._layout.addSpacing(space(1))
        self._layout.addWidget(self.heading, 0, center)
        row = QHBoxLayout()  # not an alignment: that would ignore the height that wrapping needs
        row.addStretch(1)
        row.addWidget(self.sentence, 100)
        row.addStretch(1)
        self._layout.addLayout(row)
        self._layout.addStretch(3)

    def show_words(self, icon: str, heading: str, sentence: str) -> None:
        """Say something else."""
        self.icon.set_icon(icon, "control")
        self.heading.setText(heading)
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))

    def add_action(self, widget: QWidget) -> None:
        """Put a widget below the sentence."""
        self.add_actions(widget)

    def add_actions(self, *widgets: QWidget) -> None:
        """Put widgets side by side below the sentence."""
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addStretch(1)
        for widget in widgets:
            row.addWidget(widget)
        row.addStretch(1)
        last = self._layout.count() - 1
        self._layout.insertSpacing(last, space(2))
        self._layout.insertLayout(last + 1, row)
