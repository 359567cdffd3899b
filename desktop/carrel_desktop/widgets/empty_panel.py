# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a page shows that has nothing: what to do, that it is read, or why it cannot be."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.widgets.broken_settings import BrokenSettings
from carrel_desktop.widgets.labels import BalancedLabel, IconLabel, plain_label
from carrel_desktop.widgets.layouts import Shown, aligned, horizontal, rest, vertical


class EmptyPanel(QWidget):
    """An icon, a heading, a sentence, and any widgets to act with, in the middle of the page."""

    def __init__(
        self, theme: Theme, icon: str, heading: str = "", sentence: str = "", *ways: QWidget
    ) -> None:
        super().__init__()
        self.heading = plain_label(heading, font=strong_font(1.25))
        self.sentence = BalancedLabel(sentence, "secondary")
        self.sentence.setMaximumWidth(space(105))
        self.icon = IconLabel(theme, icon, "control", 12)
        center = Qt.AlignmentFlag.AlignHCenter
        parts: list[Shown] = [
            rest(share=2),
            aligned(self.icon, center),
            1,
            aligned(self.heading, center),
            # Not an alignment: that would ignore the height that wrapping needs.
            horizontal(rest(), rest(self.sentence, 100), rest()),
        ]
        if ways:
            parts += [2, horizontal(rest(), *ways, rest(), gap=2)]
        vertical(*parts, rest(share=3), gap=2, margins=2, on=self)

    def show_words(self, icon: str, heading: str, sentence: str) -> None:
        """Say something else."""
        self.icon.set_icon(icon, "control")
        self.heading.setText(heading)
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))


class ReadingPanel(EmptyPanel):
    """A page that has read nothing yet knows of nothing: least of all that there is nothing.

    `wants_other_archive` says that another one is to be opened than the one that cannot be.
    """

    wants_other_archive = Signal()

    def __init__(self, session: Session, theme: Theme, icon: str) -> None:
        # No letter of them is free on every page.
        again, other = QPushButton(tr("Try again")), QPushButton(tr("Open another archive"))
        super().__init__(theme, icon, "", "", again, BrokenSettings(session), other)
        self._session, self._icon_name, self.again, self.other = session, icon, again, other
        again.clicked.connect(session.try_again)
        other.clicked.connect(self.wants_other_archive)
        self.show_reading()
        session.follow(self.show_reading, self.show_unopened)

    def show_reading(self) -> None:
        self.again.hide()
        self.other.hide()
        self.show_words(self._icon_name, tr("Loading…"), "")

    def show_unopened(self, reason: str) -> None:
        if self._can_open_another():
            reason += " " + tr("To make another archive, choose File > New archive.")
        self.show_words("warning", tr("The archive cannot be opened"), reason)
        self.again.show()
        self.other.setVisible(self._can_open_another())

    def _can_open_another(self) -> bool:
        """Say whether this is not for the person's own settings, which hold in every archive."""
        broken = self._session.broken_settings
        return broken is None or broken.parent == self._session.archive

    def show_unread(self, reason: str) -> None:
        self.show_words("warning", tr("This cannot be read"), reason)
