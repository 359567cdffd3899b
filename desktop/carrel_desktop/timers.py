# SPDX-License-Identifier: AGPL-3.0-or-later
"""Timers of pages and widgets, and what crosses from other threads a while later."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Qt, QTimer, Signal

DRAIN_MS = 100


def timer(parent: QObject, every_ms: int, then: Callable[[], object] | None = None) -> QTimer:
    """Return a timer that does something again and again once it is started."""
    made = QTimer(parent, interval=every_ms)
    if then is not None:
        made.timeout.connect(then)
    return made


def delay(parent: QObject, wait_ms: int, then: Callable[[], object] | None = None) -> QTimer:
    """Return a timer that does something once, so long after the last time it was started."""
    made = timer(parent, wait_ms, then)
    made.setSingleShot(True)
    return made


def switch(made: QTimer, *, on: bool) -> None:
    """Have a timer run, or not."""
    if on is not made.isActive():
        (made.start if on else made.stop)()


class Crossing(QObject):
    """What is taken on any thread is handed over by `drain`, a while later, on the thread that made
    this. After `close` nothing comes any more.
    """

    _woken = Signal()

    def __init__(self, parent: QObject | None = None, drain_ms: int = DRAIN_MS) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._is_woken = self._is_closed = False
        self._timer = delay(self, drain_ms, self.drain)
        self._woken.connect(self._timer.start, Qt.ConnectionType.QueuedConnection)

    def drain(self) -> None:
        """Hand over what has gathered, and wait to be woken."""
        raise NotImplementedError

    def close(self) -> None:
        """Let nothing come any more."""
        self._is_closed = True
        self._timer.stop()

    @contextmanager
    def _taking(self) -> Iterator[None]:
        """Take something within; the first of what gathers wakes the other thread."""
        with self._lock:
            yield
            wakes, self._is_woken = not self._is_woken, True
        if wakes and not self._is_closed:
            self._woken.emit()
