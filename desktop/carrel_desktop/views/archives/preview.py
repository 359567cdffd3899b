# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a source will look like in the file, as it is being written."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from carrel.translation import tr
from carrel_desktop.theme import fixed_font, scaled_font, space

MOST_LINES = 6


class Preview(QWidget):
    """The lines that are written to the file."""

    def __init__(self) -> None:
        super().__init__()
        heading = QLabel(tr("In collections.yaml"))
        heading.setFont(scaled_font(0.97, QFont.Weight.DemiBold))
        self.lines = QPlainTextEdit()
        self.lines.setObjectName("preview")
        self.lines.setAccessibleName(heading.text())
        self.lines.setReadOnly(True)
        self.lines.setFont(fixed_font(0.9))
        self.lines.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.lines.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 0, 1, 1)
        layout.setSpacing(space(0.75))
        layout.addWidget(heading)
        layout.addWidget(self.lines)

    def show_text(self, text: str) -> None:
        """Show lines, with as much room as they need."""
        if self.lines.toPlainText() != text:
            self.lines.setPlainText(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        document = self.lines.document()
        document.setTextWidth(max(1, self.lines.viewport().width()))
        lines = round(document.size().height())  # of a plain text: counted in lines
        shown = max(1, min(MOST_LINES, lines))
        policy = Qt.ScrollBarPolicy
        is_long = lines > MOST_LINES
        self.lines.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if is_long else policy.ScrollBarAlwaysOff
        )
        self.lines.setFixedHeight(shown * self.lines.fontMetrics().lineSpacing() + space(6.5))
