# SPDX-License-Identifier: AGPL-3.0-or-later
"""An outcome in words, with advice."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from carrel.model import Status
from carrel.model.prose import as_sentence
from carrel.translation import tr
from carrel_desktop import words
from carrel_desktop.theme import Theme, strong_font
from carrel_desktop.widgets.actions import Entry
from carrel_desktop.widgets.bounded_area import BoundedArea
from carrel_desktop.widgets.labels import IconLabel, restyle, set_tone, wrapped
from carrel_desktop.widgets.layouts import boxed, grid, horizontal, rest, vertical

GROUNDS = {"warning": "notice", "failed": "fault"}  # by the colour of the heading


def where_gone() -> Sequence[Entry]:
    """Return what helps, as a button, where nothing is published at an address."""
    mementos = tr("Find captures of the address in web archives")
    return (Entry("mementos", tr("Mementos"), tip=mementos, slot="show_mementos"),)


class OutcomeCard(QFrame):
    """Icon, outcome, advice, and what exactly happened; `said` carries the words that are new.

    What exactly happened scrolls beyond `most` pixels, so that what can be done stays on screen.
    """

    said = Signal(str)

    def __init__(self, theme: Theme, most: int = 0) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self._icon = IconLabel(theme, "note", "secondary")
        self.word = wrapped(font=strong_font())
        self.advice = wrapped()
        self.detail = wrapped("", "secondary")
        for label in (self.word, self.advice, self.detail):
            label.setMinimumWidth(1)  # a long digest or address in it must not cut the whole pane
        self._grid = grid(2, 1, margins=3, on=self)
        self._grid.addWidget(self._icon, 0, 0, Qt.AlignmentFlag.AlignTop)
        if most:
            said: tuple[QWidget, ...] = (
                self.word,
                BoundedArea(boxed(vertical(self.advice, self.detail)), most),
            )
        else:
            said = (self.word, self.advice, self.detail)
        for row, shown in enumerate(said):
            self._grid.addWidget(shown, row, 1)

    def add_way(self, button: QWidget) -> None:
        """Put a button under the words, for what can be done about it."""
        # A row takes no room while the button is hidden.
        row = horizontal(button, rest(), margins=(0, 1, 0, 0))
        self._grid.addLayout(row, self._grid.rowCount(), 1)

    def show_outcome(self, status: Status, detail: str | None = None, *, advice: str = "") -> None:
        """Show an outcome; `advice` is what its result says, which knows how far it is proven."""
        tone = words.outcome_tone(status)
        said = advice or words.advice(status)
        self._say(words.outcome_icon(status), tone, words.outcome(status), said, detail)

    def show_ended(self, status: Status, message: str | None) -> None:
        """Show how a job ended; the message of one that succeeded is how far it is proven."""
        if status.is_success:
            self.show_outcome(status, advice=message or "")
        else:
            self.show_outcome(status, message)

    def show_trouble(self, heading: str, sentence: str) -> None:
        """Show something that went wrong and has no status word."""
        self._say("failed", "failed", heading, sentence)

    def show_caution(self, heading: str, sentence: str, detail: str | None = None) -> None:
        """Show what to know before going on."""
        self._say("warning", "warning", heading, sentence, detail)

    def show_note(
        self, icon: str, heading: str, sentence: str, tone: str = "accent", detail: str = ""
    ) -> None:
        """Show a state that is no outcome."""
        self._say(icon, tone, heading, sentence, detail)

    def show_success(self, heading: str, sentence: str, detail: str = "") -> None:
        self._say("verify", "ok", heading, sentence, detail)

    def _say(self, icon: str, tone: str, word: str, advice: str, detail: str | None = None) -> None:
        restyle(self, "card", GROUNDS.get(tone, "true"))
        self._icon.set_icon(icon, tone)
        self.word.setText(word)
        set_tone(self.word, "" if tone == "accent" else tone)
        for label, text in ((self.advice, advice), (self.detail, detail or "")):
            label.setText(text)
            label.setVisible(bool(text))
        sentence = f"{as_sentence(word)} {advice}".strip()
        if sentence != self.accessibleName():
            self.setAccessibleName(sentence)
            self.said.emit(sentence)
