# SPDX-License-Identifier: AGPL-3.0-or-later
"""One field of the form: its name, a line to write in, and below what it is or what is wrong."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QLayout, QLineEdit, QVBoxLayout, QWidget

from carrel_desktop.theme import scaled_font, space
from carrel_desktop.views.archives.kinds import Words
from carrel_desktop.widgets.labels import set_tone, wrapped


class FieldRow(QWidget):
    """`written` carries the text with each keystroke, without the space around it."""

    written = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setFont(scaled_font(0.97, QFont.Weight.DemiBold))
        self.line = QLineEdit()
        self.line.setObjectName(f"source_{name}")
        self.label.setBuddy(self.line)
        self.hint = wrapped("", "secondary")
        self.hint.setFont(scaled_font(0.93))
        self._sentence = ""
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(1, 0, 1, 0)
        self._layout.setSpacing(space(0.75))
        for widget in (self.label, self.line, self.hint):
            self._layout.addWidget(widget)
        self.line.textEdited.connect(lambda text: self.written.emit(text.strip()))

    def add_below(self, row: QLayout) -> None:
        """Put a row of widgets between the line and the words below it."""
        self._layout.insertLayout(self._layout.count() - 1, row)

    def show_words(self, words: Words) -> None:
        """Say what is written here."""
        self.label.setText(words.name)
        self.line.setAccessibleName(words.name)
        self.line.setPlaceholderText(words.example)
        self._sentence = words.sentence
        self.show_problem("")

    def show_text(self, text: str) -> None:
        """Show a value; what is being typed is left as it is typed."""
        if self.line.text().strip() != text:
            self.line.setText(text)
            self.line.setCursorPosition(0)

    def show_problem(self, problem: str) -> None:
        """Say what is wrong in place of what it is, "" for nothing."""
        text = problem or self._sentence
        self.hint.setText(text)
        self.hint.setVisible(bool(text))
        set_tone(self.hint, "failed" if problem else "secondary")
        self.line.setAccessibleDescription(text)
