# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive asks for that is the person's to decide, as a question that stops nothing."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from carrel.settings import Answer
from carrel.translation import tr
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import wrapped
from carrel_desktop.widgets.scrolling import scrolled
from carrel_desktop.widgets.wrapping_row import WrappingRow

_MOST = 45  # grid steps: the height from which on the list scrolls


class RequestsBar(QWidget):
    """Hidden until there is something to decide; `answered` carries the Answer.

    `said` carries what is asked, for those who listen.
    """

    answered = Signal(object)
    said = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.heading = wrapped(tr("This archive requests settings that only you can decide"))
        self.heading.setFont(scaled_font(1, QFont.Weight.DemiBold))
        self.text = wrapped()
        self.note = wrapped(
            tr(
                "Until you decide, your own settings are used, and nothing affected is "
                "published. Your answer applies to this archive and exactly these values."
            ),
            "secondary",
        )
        self.accept = self._button("accept_requests", tr("Accept for this archive"))
        self.reject = self._button("reject_requests", tr("Use my own settings"))
        self.accept.clicked.connect(lambda _checked=False: self.answered.emit(Answer.ACCEPTED))
        self.reject.clicked.connect(lambda _checked=False: self.answered.emit(Answer.REJECTED))
        self._lay_out(theme)
        self.hide()

    def ask(self, lines: Sequence[str]) -> None:
        """Show what is asked for, a line each."""
        self.text.setText("\n".join(f"• {line}" for line in lines))
        spoken = f"{self.heading.text()}. {' '.join(lines)}"
        self.setAccessibleName(spoken)
        self.show()
        self.said.emit(spoken)

    # No letters: on some page each of them means something else.
    def _button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        return button

    def _lay_out(self, theme: Theme) -> None:
        card = QFrame()
        card.setProperty("card", "notice")
        top = QHBoxLayout()
        top.setSpacing(space(2))
        top.addWidget(IconLabel(theme, "question", "warning"))
        top.addWidget(self.heading, 1)
        area = scrolled(self.text, sideways=False)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setMaximumHeight(space(_MOST))
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        buttons = WrappingRow(space(2))
        buttons.addWidget(self.reject)
        buttons.addWidget(self.accept)
        inside = QVBoxLayout(card)
        inside.setContentsMargins(space(3), space(3), space(3), space(3))
        inside.setSpacing(space(2))
        inside.addLayout(top)
        inside.addWidget(area)
        inside.addWidget(self.note)
        inside.addLayout(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(6), 0, space(6), space(3))
        layout.addWidget(card)
