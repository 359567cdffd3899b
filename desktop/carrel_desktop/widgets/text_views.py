# SPDX-License-Identifier: AGPL-3.0-or-later
"""Texts from outside, to be read: nothing in them acts, and differences are in colours."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit

from carrel_desktop.theme import Theme, fixed_font, space


def text_view(name: str) -> QPlainTextEdit:
    """Return a field to read a text in, which Tab leaves.

    Its lines begin at the left in every language of the window: what is read is no text of it.
    """
    view = QPlainTextEdit()
    view.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    view.setReadOnly(True)
    view.setTabChangesFocus(True)
    view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    view.setFont(fixed_font(0.93))
    view.setAccessibleName(name)
    view.setMinimumHeight(space(12))
    return view


class DiffColours(QSyntaxHighlighter):
    """What was added and taken away, in colours beside the signs that the lines begin with."""

    def __init__(self, theme: Theme, document: QTextDocument) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        tones = {"+": "ok", "-": "failed", "@": "secondary"}
        if tone := tones.get(text[:1]):
            look = QTextCharFormat()
            look.setForeground(self._theme.color(tone))
            self.setFormat(0, len(text), look)


def visible(text: str) -> str:
    """Return a text in which nothing acts: control letters are seen, none turns the direction."""
    return text.translate(_SEEN)


_SEEN = {code: 0x2400 + code for code in range(32) if chr(code) not in "\n\t"}
_SEEN |= {0x7F: 0x2421}
_TURNING = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_SEEN |= dict.fromkeys(_TURNING, 0xFFFD)
