# SPDX-License-Identifier: AGPL-3.0-or-later
"""Timers of pages and widgets."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


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
