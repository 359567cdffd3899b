# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the engine tells of a look-up, brought to the window's thread in small portions."""

import threading
from collections import deque
from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from carrel.model import Memento, SourceReport

DRAIN_MS = 60
SLICE = 2000  # captures; shaping and sorting in more of them would hold up the painting


class Stream(QObject):
    """`arrived` carries a report and captures, many of one source in several portions.

    The report comes with the last portion of its captures. After `close` nothing comes any more.
    """

    arrived = Signal(object, object)  # not list: Qt would turn each of its items over
    _woken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._told: deque[tuple[SourceReport, Sequence[Memento], int]] = deque()
        self._is_woken = False
        self._is_closed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DRAIN_MS)
        self._timer.timeout.connect(self._drain)
        self._woken.connect(self._timer.start, Qt.ConnectionType.QueuedConnection)

    def tell(self, report: SourceReport, mementos: Sequence[Memento]) -> None:
        """Take what a source answered, from any thread."""
        with self._lock:
            self._told.append((report, mementos, 0))
            wakes, self._is_woken = not self._is_woken, True
        if wakes and not self._is_closed:
            self._woken.emit()

    def close(self) -> None:
        """Let nothing come any more."""
        self._is_closed = True
        self._timer.stop()

    def _drain(self) -> None:
        """Hand over a slice, and the rest after a breath."""
        room = SLICE
        while room > 0 and not self._is_closed and (portion := self._next(room)):
            report, mementos = portion
            room -= max(1, len(mementos))
            self.arrived.emit(report, mementos)
        with self._lock:
            self._is_woken = bool(self._told)
        if self._is_woken and not self._is_closed:
            self._timer.start(0)
        else:
            self._timer.setInterval(DRAIN_MS)

    def _next(self, room: int) -> tuple[SourceReport | None, Sequence[Memento]] | None:
        with self._lock:
            if not self._told:
                return None
            report, mementos, done = self._told.popleft()
            portion = mementos[done : done + room]
            if done + len(portion) < len(mementos):
                self._told.appendleft((report, mementos, done + len(portion)))
                return None, portion
        return report, portion


class Progress(QObject):
    """The newest of two numbers, from any thread: `moved` carries them about ten times a second."""

    moved = Signal(object, object)
    _woken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._newest = (0, 0)
        self._is_woken = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(100)
        self._timer.timeout.connect(self._show)
        self._woken.connect(self._timer.start, Qt.ConnectionType.QueuedConnection)

    def tell(self, done: int, total: int) -> None:
        self._newest = (done, total)
        if not self._is_woken:
            self._is_woken = True
            self._woken.emit()

    def _show(self) -> None:
        self._is_woken = False
        self.moved.emit(*self._newest)
