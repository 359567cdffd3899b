# SPDX-License-Identifier: AGPL-3.0-or-later
"""An outcome in words, with advice."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QWidget

from carrel.model import Status
from carrel_desktop import words
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import set_tone, wrapped


def ground_of(tone: str) -> str:
    """Return the ground, as the style sheet names it, of a card whose heading has this colour."""
    return {"warning": "notice", "failed": "fault"}.get(tone, "true")


class OutcomeCard(QFrame):
    """Icon, outcome, advice, and what exactly happened; `said` carries the words that are new."""

    said = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self._icon = IconLabel(theme, "note", "secondary")
        self.word = wrapped()
        self.word.setFont(scaled_font(1, QFont.Weight.DemiBold))
        self.advice = wrapped()
        self.detail = wrapped("", "secondary")
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(space(3), space(3), space(3), space(3))
        grid.setHorizontalSpacing(space(2))
        grid.setVerticalSpacing(space(1))
        grid.addWidget(self._icon, 0, 0, Qt.AlignmentFlag.AlignTop)
        for row, label in enumerate((self.word, self.advice, self.detail)):
            grid.addWidget(label, row, 1)
        grid.setColumnStretch(1, 1)

    def add_way(self, button: QWidget) -> None:
        """Put a button under the words, for what can be done about it."""
        row = QHBoxLayout()  # which takes no room while the button is hidden
        row.setContentsMargins(0, space(1), 0, 0)
        row.addWidget(button)
        row.addStretch()
        self._grid.addLayout(row, self._grid.rowCount(), 1)

    def show_outcome(self, status: Status, detail: str | None = None, *, advice: str = "") -> None:
        """Show an outcome; `advice` is what its result says, which knows how far it is proven."""
        tone = words.outcome_tone(status)
        said = advice or words.advice(status)
        self._say(words.outcome_icon(status), tone, words.outcome(status), said)
        self._detail(detail)

    def show_ended(self, status: Status, message: str | None) -> None:
        """Show how a job ended; the message of one that succeeded is how far it is proven."""
        if status.is_success:
            self.show_outcome(status, advice=message or "")
        else:
            self.show_outcome(status, message)

    def show_trouble(self, heading: str, sentence: str) -> None:
        """Show something that went wrong and has no status word."""
        self._say("failed", "failed", heading, sentence)
        self._detail(None)

    def show_caution(self, heading: str, sentence: str, detail: str | None = None) -> None:
        """Show what to know before going on."""
        self._say("warning", "warning", heading, sentence)
        self._detail(detail)

    def show_note(self, icon: str, heading: str, sentence: str, tone: str = "accent") -> None:
        """Show a state that is no outcome."""
        self._say(icon, tone, heading, sentence)
        self._detail(None)

    def show_success(self, heading: str, sentence: str) -> None:
        self._say("verify", "ok", heading, sentence)
        self._detail(None)

    def _say(self, icon: str, tone: str, word: str, advice: str) -> None:
        self._tint(ground_of(tone))
        self._icon.set_icon(icon, tone)
        self.word.setText(word)
        set_tone(self.word, "" if tone == "accent" else tone)
        self.advice.setText(advice)
        self.advice.setVisible(bool(advice))
        sentence = f"{word}. {advice}"
        if sentence != self.accessibleName():
            self.setAccessibleName(sentence)
            self.said.emit(sentence)

    def _tint(self, card: str) -> None:
        if self.property("card") != card:
            self.setProperty("card", card)
            self.style().unpolish(self)
            self.style().polish(self)

    def _detail(self, detail: str | None) -> None:
        self.detail.setText(detail or "")
        self.detail.setVisible(bool(detail))
