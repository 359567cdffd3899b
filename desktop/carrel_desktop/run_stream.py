# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the engine tells of a run, brought to the window's thread a few times a second."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from PySide6.QtCore import QObject, Signal

from carrel.model.dark_views import RunProgress, TellRun
from carrel_desktop.timers import Crossing


class RunStream(Crossing):
    """`moved` carries the newest word of each archive and series, the newest of all last.

    `tell` is a TellRun for any thread.
    """

    moved = Signal(object)  # not list: Qt would turn each of its items over

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._newest: dict[tuple[str, str], RunProgress] = {}

    def tell(self, progress: RunProgress) -> None:
        """Take where a run is, from any thread."""
        with self._taking():
            self._newest.pop(key_of(progress), None)
            self._newest[key_of(progress)] = progress

    def close(self) -> None:
        """Hand over what is left, and let nothing come any more."""
        self.drain()
        super().close()

    def drain(self) -> None:
        with self._lock:
            newest: Sequence[RunProgress] = list(self._newest.values())
            self._newest.clear()
            self._is_woken = False
        if newest and not self._is_closed:
            self.moved.emit(newest)


def key_of(progress: RunProgress) -> tuple[str, str]:
    """Return which archive and series a word is about; it may name the template it came to."""
    return (progress.archive, progress.series.partition(":")[0])


@asynccontextmanager
async def streaming(
    parent: QObject, moved: Callable[..., object], ended: Callable[[], object]
) -> AsyncIterator[TellRun]:
    """Have what is told within brought to `moved`; `ended` comes after it, however it ends, unless
    the window closes, and no one looks any more.
    """
    stream, is_closing = RunStream(parent), False
    stream.moved.connect(moved)
    try:
        yield stream.tell
    except asyncio.CancelledError:
        is_closing = True
        raise
    finally:
        stream.close()
        stream.deleteLater()
        if not is_closing:
            ended()
