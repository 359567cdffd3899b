# SPDX-License-Identifier: AGPL-3.0-or-later
"""The icon in the tray: the window can be closed into it, if the person wants, and works on."""

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu

from carrel.translation import tr
from carrel_desktop.background import Notifier
from carrel_desktop.closing import Closing, is_session_ending
from carrel_desktop.views.queue.model import QueueModel

_KEY = "window/stay_in_tray"


class Tray(QObject):
    """Keeps its icon while the person wants the window to stay. `shown` asks for the window,
    `toggled` for the queue to be paused or resumed, `quitted` for the end."""

    shown, toggled, quitted = Signal(), Signal(), Signal()

    def __init__(
        self, window: QMainWindow, stay: QAction, notifier: Notifier, queue: QueueModel
    ) -> None:
        super().__init__(window)
        self._window, self.stay = window, stay
        self._notifier, self._queue = notifier, queue
        self._is_leaving = self._was_told = False
        self.menu = QMenu(window)
        self.menu.addAction(tr("Show Carrel"), self.shown.emit)
        self.pause = self.menu.addAction("", self.toggled.emit)
        self.menu.addSeparator()
        self.menu.addAction(tr("Quit"), self.quitted.emit)
        self.menu.aboutToShow.connect(self._name_pause)
        self._name_pause()
        stay.setChecked(self.is_wanted)
        stay.setVisible(notifier.is_possible())
        self.follow()

    @property
    def is_wanted(self) -> bool:
        """Whether the person wants the window to stay when it is closed."""
        return bool(QSettings("Carrel", "Carrel").value(_KEY, False, type=bool))

    def change_stay(self) -> None:
        """Remember what the person wants."""
        QSettings("Carrel", "Carrel").setValue(_KEY, self.stay.isChecked())
        self.follow()

    def follow(self) -> None:
        """Have the icon be there, or not."""
        if self.is_wanted and self._notifier.is_possible():
            self._notifier.stay(self.menu)
        else:
            self._notifier.put_away()

    def leave(self) -> None:
        """Have the next close be one for good."""
        self._is_leaving = True

    def takes(self, closing: Closing) -> bool:
        """Say whether the window that is being closed goes into the tray instead of an end."""
        is_leaving, self._is_leaving = self._is_leaving, False
        is_end = is_leaving or closing.is_decided or closing.following is not None
        if is_end or is_session_ending() or not self.is_wanted or not self._notifier.is_possible():
            return False
        self._window.hide()
        if not self._was_told:
            self._was_told = True
            words = tr("Carrel keeps running in the background. Choose Quit to exit.")
            self._notifier.tell(tr("Carrel is in the tray"), words)
        return True

    def _name_pause(self) -> None:
        is_running = self._queue.is_running
        self.pause.setText(tr("Pause the queue") if is_running else tr("Resume the queue"))
