# SPDX-License-Identifier: AGPL-3.0-or-later
"""Python's cyclic garbage is collected on the window's thread only, and seldom as a whole.

The collector runs on whichever thread happens to allocate. On the engine's thread it would destroy
Qt objects that belong to the window's ("Timers cannot be stopped from another thread"), which ends
in a crash sooner or later.

With a queue of 100,000 jobs to look at, a whole collection takes a third of a second. What has
lived through one, and what comes in large numbers at once, as a list does that was read, is
therefore set aside (`gc.freeze`); now and then, while no one works in the window, all is collected.
"""

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication

from carrel_desktop.timers import timer

LOOK_MS = 1000
MANY = 20_000  # new objects in one look, of which few are garbage
_WHOLE_S, _WHOLE_AT_WORK_S = 5 * 60, 60 * 60


class Collector:
    """Collects what is due, each time that it is asked to look."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def look(self) -> None:
        """Collect the oldest generation that has passed its threshold, if any; or all, in time."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        if time.monotonic() - self._last > (_WHOLE_AT_WORK_S if _is_at_work() else _WHOLE_S):
            self.collect_all()
            return
        if counts[0] > MANY:
            gc.freeze()
            return
        for generation in (2, 1, 0):
            if counts[generation] > thresholds[generation]:
                gc.collect(generation)
                if generation == 2:
                    gc.freeze()
                return

    def collect_all(self) -> None:
        """Collect all garbage, also of what was set aside."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._last = time.monotonic()


@contextmanager
def collected_here(parent: QObject) -> Iterator[Collector]:
    """Collect on this thread, by a timer, as long as the context lasts."""
    was_enabled = gc.isenabled()
    collector = Collector()
    looking = timer(parent, LOOK_MS, collector.look)
    looking.start()
    gc.disable()
    try:
        yield collector
    finally:
        looking.stop()
        gc.unfreeze()
        gc.collect()
        if was_enabled:
            gc.enable()


def _is_at_work() -> bool:
    """Say whether a window of the program is the one that is worked in."""
    return QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive
