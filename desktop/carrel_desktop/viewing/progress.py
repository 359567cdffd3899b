# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far a piece of work is, brought to the window's thread."""

from PySide6.QtCore import QObject, Signal

from carrel_desktop.timers import Crossing


class Progress(Crossing):
    """The newest of two numbers, from any thread: `moved` carries them about ten times a second."""

    moved = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._newest = (0, 0)

    def tell(self, done: int, total: int) -> None:
        with self._taking():
            self._newest = (done, total)

    def drain(self) -> None:
        self._is_woken = False
        self.moved.emit(*self._newest)
