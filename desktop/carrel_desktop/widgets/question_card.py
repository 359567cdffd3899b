# SPDX-License-Identifier: AGPL-3.0-or-later
"""A question that a job asks, with its answers as buttons; it never stops anything else."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton

from carrel.model import Answer
from carrel_desktop import words
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import wrapped
from carrel_desktop.widgets.wrapping_row import WrappingRow


class QuestionCard(QFrame):
    """`answered` carries the Answer."""

    answered = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("card", "notice")
        self.heading = wrapped()
        self.heading.setFont(scaled_font(1, QFont.Weight.DemiBold))
        self.text = wrapped()
        grid = QGridLayout(self)
        grid.setContentsMargins(space(3), space(3), space(3), space(3))
        grid.setHorizontalSpacing(space(2))
        grid.setVerticalSpacing(space(1.5))
        grid.setColumnStretch(1, 1)
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(IconLabel(theme, "question", "warning"), 0, 0, top)
        grid.addWidget(self.heading, 0, 1)
        grid.addWidget(self.text, 1, 1)
        row = WrappingRow(space(2))
        self.buttons = {answer: self._make_button(answer) for answer in Answer}
        for button in self.buttons.values():
            row.addWidget(button)
        grid.addLayout(row, 2, 1)

    def show_question(self, heading: str, text: str, answers: Sequence[Answer]) -> None:
        """Show a question and the answers that it takes."""
        self.heading.setText(heading)
        self.text.setText(text)
        self.setAccessibleName(f"{heading}. {text}")
        for answer, button in self.buttons.items():
            button.setVisible(answer in answers)

    def _make_button(self, answer: Answer) -> QPushButton:
        button = QPushButton(words.answer(answer))
        button.setObjectName(f"answer_{answer.value}")
        button.setToolTip(words.answer_tip(answer))
        button.clicked.connect(lambda _checked=False: self.answered.emit(answer))
        return button
