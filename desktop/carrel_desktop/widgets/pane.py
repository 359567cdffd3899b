# SPDX-License-Identifier: AGPL-3.0-or-later
"""The card beside a list that shows what is chosen: all of it, or a word on why it does not.

What is shown is set in several steps. When one of them fails, those before it speak of one thing
and those behind it still of another: such a mixture is never on show.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QStackedLayout, QVBoxLayout, QWidget

from carrel.translation import tr
from carrel_desktop.theme import scaled_font, space
from carrel_desktop.widgets.labels import wrapped

CONTENT, WORD = 0, 1


class Pane(QFrame):
    """`fill` gives it its widgets; what a pane shows is set within `showing`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.heading = wrapped()
        self.heading.setFont(scaled_font(1, QFont.Weight.DemiBold))
        self.sentence = wrapped("", "secondary")
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(1, 1, 1, 1)

    @property
    def is_whole(self) -> bool:
        """Whether what is chosen is on show, and not a word in its place."""
        return self._pages.currentIndex() == CONTENT

    def fill(self, content: QWidget, footer: QWidget | None = None) -> None:
        """Take the widgets that show a value: what scrolls, and what stands below it."""
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(content, 1)
        if footer is not None:
            column.addWidget(footer)
        self._pages.addWidget(whole)
        self._pages.addWidget(self._make_word())

    @contextmanager
    def showing(self) -> Iterator[None]:
        """Set all that is shown within; where that fails, the pane says so and shows nothing."""
        with self.adding():
            yield
        self._pages.setCurrentIndex(CONTENT)

    @contextmanager
    def adding(self) -> Iterator[None]:
        """Set a part of what is shown within, as `showing`; a word in its place stays."""
        is_done = False
        try:
            yield
            is_done = True
        finally:
            if not is_done:
                self.show_word(
                    tr("This cannot be shown"),
                    tr(
                        "Something went wrong in Carrel. Select it again; if that does not help, "
                        "see the log."
                    ),
                )

    def show_reading(self) -> None:
        """Say that what is chosen is being read."""
        self.show_word(tr("Loading…"), "")

    def show_unread(self, reason: str) -> None:
        """Say why what is chosen could not be read."""
        self.show_word(tr("This cannot be read"), reason)

    def show_word(self, heading: str, sentence: str) -> None:
        """Show a word in place of a value."""
        self.heading.setText(heading)
        self.sentence.setText(sentence)
        self._pages.setCurrentIndex(WORD)

    def _make_word(self) -> QWidget:
        word = QWidget()
        column = QVBoxLayout(word)
        column.setContentsMargins(space(4), space(4), space(4), space(4))
        column.setSpacing(space(1))
        column.addWidget(self.heading)
        column.addWidget(self.sentence)
        column.addStretch(1)
        return word
