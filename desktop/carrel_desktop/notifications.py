# SPDX-License-Identifier: AGPL-3.0-or-later
"""Telling a person who looks elsewhere: messages of the system, where it has them."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QSystemTrayIcon, QWidget

from carrel_desktop.icons import icon
from carrel_desktop.theme import Theme


class Notifier(QObject):
    """Shows messages while the window is not in front; `chosen` says that one was clicked."""

    chosen = Signal()

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._tray: QSystemTrayIcon | None = None

    def tell(self, title: str, text: str) -> None:
        """Show a message; nothing happens where nobody needs it, or it cannot be shown."""
        if self._window.isActiveWindow() or not self.is_possible():
            return
        self._icon().showMessage(title, text)

    def put_away(self) -> None:
        """Take the icon out of the tray."""
        if self._tray is not None:
            self._tray.hide()

    @staticmethod
    def is_possible() -> bool:
        """Say whether this desktop shows messages."""
        return QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()

    def _icon(self) -> QSystemTrayIcon:
        """Return the icon that messages come from; it is there from the first one on."""
        if self._tray is None:
            self._tray = QSystemTrayIcon(icon(self._theme, "carrel", "accent"), self)
            self._tray.setToolTip("Carrel")
            self._tray.messageClicked.connect(self.chosen)
            self._tray.activated.connect(self.chosen)
        self._tray.show()
        return self._tray
