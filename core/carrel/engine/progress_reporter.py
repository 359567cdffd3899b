# SPDX-License-Identifier: AGPL-3.0-or-later
"""How an ingest tells what happens: in order, in batches, on the engine's loop."""

import asyncio
import threading

from carrel.model import ManifestFile, Stage
from carrel.model.events import (
    Emit,
    Event,
    FileFinished,
    FileProgress,
    FileStarted,
    FileWaiting,
    StageEntered,
)

# How long events are gathered before they are emitted: no one sees more than twenty a second.
_BATCH_S = 0.05


class ProgressReporter:
    """Takes events from whichever thread. Waking the loop for each would cost more than a file."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._told: list[Event] = []

    def tell(self, event: Event) -> None:
        """Emit an event soon, after those that were told before."""
        with self._lock:
            self._told.append(event)
            is_first = len(self._told) == 1
        if is_first:
            self._loop.call_soon_threadsafe(self._loop.call_later, _BATCH_S, self.flush)

    def flush(self) -> None:
        """Emit what was told by now. On the engine's loop only."""
        with self._lock:
            told, self._told = self._told, []
        for event in told:
            self._emit(event)


class FileProgressReporter:
    """Turns what a strategy tells of its files into events."""

    def __init__(self, ingest_id: str, reporter: ProgressReporter) -> None:
        self._id, self._tell = ingest_id, reporter.tell

    def turned_to(self, what: str) -> None:
        self._tell(StageEntered(self._id, Stage.FETCH, what))

    def started(self, index: int) -> None:
        self._tell(FileStarted(self._id, index))

    def progress(
        self, index: int, received: int, total: int | None, phase: Stage, *, found: int = 0
    ) -> None:
        self._tell(FileProgress(self._id, index, received, total, phase, found))

    def waiting(self, index: int, reason: str, *, is_passing: bool = False) -> None:
        self._tell(FileWaiting(self._id, index, reason, is_passing=is_passing))

    def finished(self, index: int, file: ManifestFile) -> None:
        self._tell(FileFinished(self._id, index, file))
