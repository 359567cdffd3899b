# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far a piece of work is, brought to the window's thread."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Signal

from carrel_desktop.timers import Crossing
from carrel_desktop.viewing.subject import Tell


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


@contextmanager
def shown_progress(parent: QObject, show: Callable[[int, int], object]) -> Iterator[Tell]:
    """Give what tells, from any thread, how far a piece of work is: `show` is called with the
    newest of it in the window's thread, and never again once the work has ended."""
    progress = Progress(parent)
    progress.moved.connect(show)
    try:
        yield progress.tell
    finally:
        progress.moved.disconnect(show)
        progress.deleteLater()
