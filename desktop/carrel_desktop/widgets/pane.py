# SPDX-License-Identifier: AGPL-3.0-or-later
"""The card beside a list that shows what is chosen: all of it, or a word on why it does not.

What is shown is set in several steps. When one of them fails, those before it speak of one thing
and those behind it still of another: such a mixture is never on show.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QStackedLayout, QWidget

from carrel.translation import tr
from carrel_desktop.theme import strong_font
from carrel_desktop.widgets.actions import quiet_edge
from carrel_desktop.widgets.labels import wrapped
from carrel_desktop.widgets.layouts import boxed, rest, vertical, wrapping

CONTENT, WORD = 0, 1


class PaneFooter(QWidget):
    """Below a rule, a row of what can be done."""

    def __init__(self, row: QLayout) -> None:
        super().__init__()
        rule = QFrame()
        rule.setProperty("rule", True)
        rule.setFixedHeight(1)
        vertical(rule, row, gap=0, on=self)


def pane_footer(left: Sequence[QWidget], right: Sequence[QWidget]) -> PaneFooter:
    """Return a foot with what is done now and then at the left, at the right what is done most.

    Where room is short they stand in several lines. `left` are quiet buttons: what they show begins
    where the words of the pane do.
    """
    edge = (-quiet_edge(), 0, 0, 0)
    return PaneFooter(wrapping(*left, rest(), *right, gap=1, margins=(4, 2.5, 4, 2.5), pixels=edge))


class Pane(QFrame):
    """`fill` gives it its widgets; what a pane shows is set within `showing`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.heading = wrapped(font=strong_font())
        self.sentence = wrapped("", "secondary")
        self._subject: object = None
        self._areas: Sequence[QScrollArea] = ()
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(1, 1, 1, 1)

    @property
    def is_whole(self) -> bool:
        """Whether what is chosen is on show, and not a word in its place."""
        return self._pages.currentIndex() == CONTENT

    def fill(self, content: QWidget, footer: QWidget | None = None) -> None:
        """Take the widgets that show a value: what scrolls, and what stands below it."""
        self._areas = [content] if isinstance(content, QScrollArea) else []
        below = [footer] if footer is not None else []
        self._pages.addWidget(boxed(vertical(rest(content), *below, gap=0)))
        word = vertical(self.heading, self.sentence, rest(), gap=1, margins=4)
        self._pages.addWidget(boxed(word))

    @contextmanager
    def showing(self, of: object = None) -> Iterator[None]:
        """Set all that is shown within; where that fails, the pane says so and shows nothing.

        What is `of` another thing than before is shown from its beginning.
        """
        with self.adding():
            yield
        if of != self._subject:
            self._subject = of
            for area in self._areas:
                area.verticalScrollBar().setValue(0)
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
