# SPDX-License-Identifier: AGPL-3.0-or-later
"""What stands in place of the list: a file that cannot be understood, and one to be changed by
hand."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from carrel.translation import tr
from carrel_desktop.theme import Theme, fixed_font, scaled_font, space
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import wrapped

WIDTH = 170
LINES = 20


class BrokenPanel(QWidget):
    """What is wrong with the file, in full, and the way to it."""

    def __init__(self, theme: Theme, open_file: QAction, reload: QAction) -> None:
        super().__init__()
        self.heading = wrapped(tr("collections.yaml is not valid"))
        self.heading.setFont(scaled_font(1.25, QFont.Weight.DemiBold))
        comfort = tr(
            "Nothing is lost: the file was not changed. Mementos cannot be looked up until it is "
            "corrected."
        )
        self.message = QPlainTextEdit()
        self.message.setObjectName("faults")
        self.message.setAccessibleName(tr("Problem in the file"))
        self.message.setReadOnly(True)
        self.message.setTabChangesFocus(True)
        self.message.setMaximumHeight(LINES * self.message.fontMetrics().lineSpacing())
        self.message.setFont(fixed_font())
        buttons = QHBoxLayout()
        buttons.setSpacing(space(2))
        buttons.addWidget(ActionButton(open_file, theme, "link", role="primary"))
        buttons.addWidget(ActionButton(reload, theme, "retry"))
        buttons.addStretch(1)
        card = QFrame()
        card.setProperty("card", True)
        card.setMaximumWidth(space(WIDTH))
        inner = QVBoxLayout(card)
        inner.setContentsMargins(space(6), space(5), space(6), space(5))
        inner.setSpacing(space(3))
        head = QHBoxLayout()
        head.setSpacing(space(3))
        head.addWidget(IconLabel(theme, "warning", "warning", 7), 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.heading, 1)
        inner.addLayout(head)
        inner.addWidget(wrapped(comfort, "secondary"))
        inner.addWidget(self.message, 1)
        inner.addLayout(buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(card, 100, Qt.AlignmentFlag.AlignTop)
        row.addStretch(1)

    def show_message(self, message: str) -> None:
        """Show all faults, each with its line in the file."""
        text = "\n\n".join(message.splitlines())
        if self.message.toPlainText() != text:
            self.message.setPlainText(text)


class FixedPanel(QFrame):
    """Why the sources of a collection cannot be changed from here."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.heading = QLabel(tr("This collection is edited in the file"))
        self.heading.setFont(scaled_font(1.1, QFont.Weight.DemiBold))
        self.heading.setWordWrap(True)
        self.reason = wrapped()
        advice = tr(
            "Its sources are shown here but cannot be edited. Open the file in your editor to "
            "change them; it is read again when you return."
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(5), space(5), space(5), space(5))
        layout.setSpacing(space(2.5))
        layout.addWidget(IconLabel(theme, "note", "secondary", 8))
        layout.addWidget(self.heading)
        layout.addWidget(self.reason)
        layout.addWidget(wrapped(advice, "secondary"))
        layout.addStretch(1)

    def show_reason(self, reason: str) -> None:
        self.reason.setText(reason)
