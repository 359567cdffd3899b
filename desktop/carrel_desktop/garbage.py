# SPDX-License-Identifier: AGPL-3.0-or-later
"""Python's cyclic garbage is collected on the window's thread only.

The collector runs on whichever thread happens to allocate. On the engine's thread it would destroy
Qt objects that belong to the window's ("Timers cannot be stopped from another thread"), which ends
in a crash sooner or later.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject

from carrel_desktop.timers import timer

LOOK_MS = 1000


def collect_what_is_due() -> None:
    """Collect the oldest generation that has passed its threshold, if any."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    for generation in (2, 1, 0):
        if counts[generation] > thresholds[generation]:
            gc.collect(generation)
            return


@contextmanager
def collected_here(parent: QObject) -> Iterator[None]:
    """Collect on this thread, by a timer, as long as the context lasts."""
    was_enabled = gc.isenabled()
    looking = timer(parent, LOOK_MS, collect_what_is_due)
    looking.start()
    gc.disable()
    try:
        yield
    finally:
        looking.stop()
        gc.collect()
        if was_enabled:
            gc.enable()
