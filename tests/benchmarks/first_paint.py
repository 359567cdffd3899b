# SPDX-License-Identifier: AGPL-3.0-or-later
"""A window that says when it was painted first, and how much memory it has once it is idle.

Without an archive it is an empty QMainWindow with a QTreeView, with one Carrel's. Prints seconds
since `BEGUN` (of time.monotonic, which all processes share) and MiB, and ends itself.

usage: first_paint.py BEGUN IDLE_SECONDS [ARCHIVE]
"""

import signal
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow, QTreeView


class FirstPaint(QObject):
    """Tells it of the first main window that is painted."""

    def __init__(self, app: QApplication, begun: float, idle_s: float) -> None:
        super().__init__(app)
        self._app, self._begun, self._idle_s = app, begun, idle_s
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and isinstance(watched, QMainWindow):
            self._app.removeEventFilter(self)
            painted = time.monotonic() - self._begun
            QTimer.singleShot(round(self._idle_s * 1000), lambda: _end(painted))
        return False


def _end(painted: float) -> None:
    print(painted, _resident_mib(), flush=True)
    signal.raise_signal(signal.SIGTERM)  # asks nothing, and leaves nothing for the next one to find


def _resident_mib() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def main() -> None:
    begun, idle_s, *archive = sys.argv[1:]
    app = QApplication(sys.argv[:1])
    FirstPaint(app, float(begun), float(idle_s))
    if archive:
        from carrel.entry import main_of_window

        sys.argv = ["carrel-desktop", "--archive", archive[0]]
        main_of_window()
        return
    window = QMainWindow()
    window.setCentralWidget(QTreeView())
    window.resize(1200, 800)
    window.show()
    app.exec()


if __name__ == "__main__":
    main()
