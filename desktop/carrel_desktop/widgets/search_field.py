# SPDX-License-Identifier: AGPL-3.0-or-later
"""The field of a search or a filter, and the button that empties a field."""

from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QToolButton

from carrel.translation import tr
from carrel_desktop.timers import delay
from carrel_desktop.widgets.labels import named

F = TypeVar("F", bound=QLineEdit)


class SearchField(QLineEdit):
    """Esc empties it. `sought` says that what stands in it is to be found: once no key follows for
    a while, or at once on Enter. `left` says that Down goes from it to what was found.
    """

    sought = Signal()
    left = Signal()

    def __init__(self, name: str, hint: str, said: str, wait_ms: int = 0) -> None:
        super().__init__(placeholderText=hint)
        named(offer_clearing(self), name, said)
        self._typing = delay(self, wait_ms, self.sought.emit)
        self.textChanged.connect(self._typing.start if wait_ms else self.sought)
        self.returnPressed.connect(self.seek_now)

    def go_to_search(self) -> None:
        """Take the keyboard; what is written next replaces what is sought."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def seek_now(self) -> None:
        """Wait for no further key."""
        self._typing.stop()
        self.sought.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.left.emit()
        else:
            super().keyPressEvent(event)


def offer_clearing(field: F) -> F:
    """Return the field with a button that empties it, which Qt makes without a name."""
    field.setClearButtonEnabled(True)
    for button in field.findChildren(QToolButton):
        button.setAccessibleName(tr("Clear"))
    return field
