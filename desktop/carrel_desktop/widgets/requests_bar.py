# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bars above the pages: what an archive asks for, and what went wrong."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from carrel.settings import Answer
from carrel.translation import tr
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.widgets.actions import ActionButton, make_action
from carrel_desktop.widgets.labels import IconLabel, named, wrapped
from carrel_desktop.widgets.layouts import framed, horizontal, rest, scrolled, vertical, wrapping

_MOST = 45  # grid steps: the height from which on the list scrolls


class NoticeBar(QWidget):
    """Hidden, with its margins, until there is something to say; `said` carries each sentence."""

    said = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.label = wrapped()
        # No letter of its word is free on every page.
        away = make_action(self, tr("Dismiss"), self.hide, "Alt+X", name="put_away")
        self.addAction(away)
        self._icon = IconLabel(theme, "warning", "warning")
        parts = self._icon, rest(self.label), ActionButton(away, role="quiet")
        card = framed(horizontal(*parts, gap=2, margins=(3, 2, 2, 2)), "notice")
        vertical(card, margins=(6, 0, 6, 3), on=self)
        self.hide()

    def say(self, sentence: str, kind: str = "warning") -> None:
        """Show a sentence in place of the one before; `kind` is warning or note."""
        self._icon.set_icon(kind, "warning" if kind == "warning" else "secondary")
        self.label.setText(sentence)
        self.setAccessibleName(sentence)
        self.show()
        self.said.emit(sentence)


class RequestsBar(QWidget):
    """Hidden until there is something to decide; `answered` carries the Answer.

    `said` carries what is asked, for those who listen.
    """

    answered = Signal(object)
    said = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        heading = tr("This archive requests settings that only you can decide")
        self.heading = wrapped(heading, font=strong_font())
        self.text = wrapped()
        self.note = wrapped(
            tr(
                "Until you decide, your own settings are used, and nothing affected is "
                "published. Your answer applies to this archive and exactly these values."
            ),
            "secondary",
        )
        # No letters: on some page each of them means something else.
        self.accept = named(QPushButton(tr("Accept for this archive")), "accept_requests")
        self.reject = named(QPushButton(tr("Use my own settings")), "reject_requests")
        self.accept.clicked.connect(lambda _checked=False: self.answered.emit(Answer.ACCEPTED))
        self.reject.clicked.connect(lambda _checked=False: self.answered.emit(Answer.REJECTED))
        self._lay_out(theme)
        self.hide()

    def ask(self, lines: Sequence[str]) -> None:
        """Show what is requested, a line each."""
        self.text.setText("\n".join(f"• {line}" for line in lines))
        spoken = f"{self.heading.text()}. {' '.join(lines)}"
        self.setAccessibleName(spoken)
        self.show()
        self.said.emit(spoken)

    def _lay_out(self, theme: Theme) -> None:
        top = horizontal(IconLabel(theme, "question", "warning"), rest(self.heading), gap=2)
        area = scrolled(self.text, sideways=False)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setMaximumHeight(space(_MOST))
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        buttons = wrapping(self.reject, self.accept, gap=2)
        card = framed(vertical(top, area, self.note, buttons, gap=2, margins=3), "notice")
        vertical(card, margins=(6, 0, 6, 3), on=self)
