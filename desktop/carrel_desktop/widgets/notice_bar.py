# SPDX-License-Identifier: AGPL-3.0-or-later
"""A sentence about something that went wrong, in the window, until it is put away or overtaken."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from carrel.translation import tr
from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import wrapped


class NoticeBar(QWidget):
    """Hidden, with its margins, until there is something to say; `said` carries each sentence."""

    said = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.label = wrapped()
        away = QAction(tr("Dismiss"), self)
        away.setObjectName("put_away")
        away.setShortcut("Alt+X")  # no letter of its word is free on every page
        self.addAction(away)
        away.triggered.connect(self.hide)
        card = QFrame()
        card.setProperty("card", "notice")
        row = QHBoxLayout(card)
        row.setContentsMargins(space(3), space(2), space(2), space(2))
        row.setSpacing(space(2))
        self._icon = IconLabel(theme, "warning", "warning")
        row.addWidget(self._icon)
        row.addWidget(self.label, 1)
        row.addWidget(ActionButton(away, role="quiet"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(6), 0, space(6), space(3))
        layout.addWidget(card)
        self.hide()

    def say(self, sentence: str, kind: str = "warning") -> None:
        """Show a sentence in place of the one before; `kind` is warning or note."""
        self._icon.set_icon(kind, "warning" if kind == "warning" else "secondary")
        self.label.setText(sentence)
        self.setAccessibleName(sentence)
        self.show()
        self.said.emit(sentence)
