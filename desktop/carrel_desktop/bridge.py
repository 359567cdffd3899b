# SPDX-License-Identifier: AGPL-3.0-or-later
"""The bridge that carries the engine's events to the window."""

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from carrel.model.events import Emit, Event, FileFinished, FileProgress, FileStarted
from carrel_desktop.timers import DRAIN_MS, Crossing

SLICE = 5000  # events; more at once would hold up the window's painting


class Bridge(Crossing):
    """`arrived` carries a list of events, about ten times a second.

    Of the progress of one file only the newest state crosses; everything else crosses whole and in
    order.
    """

    arrived = Signal(list)

    def __init__(self, parent: QObject | None = None, drain_ms: int = DRAIN_MS) -> None:
        super().__init__(parent, drain_ms)
        self._events: list[Event] = []
        self._due: list[Event] = []
        self._progress: dict[tuple[str, int], int] = {}

    def publish(self, event: Event) -> None:
        """Take an event from any thread."""
        with self._taking():
            self._keep(event)

    def named(self, ingest_id: str) -> Emit:
        """Return an emit under whose own id events cross: for runs with no known id yet."""

        def publish(event: Event) -> None:
            self.publish(replace(event, ingest_id=ingest_id))

        return publish

    def drain(self) -> None:
        """Hand over what has gathered; of a flood, one slice, and the rest after a breath."""
        with self._lock:
            events, self._events = self._events, []
            self._progress.clear()
            self._is_woken = False
        self._due += events
        slice_, self._due = self._due[:SLICE], self._due[SLICE:]
        if self._due:
            QTimer.singleShot(0, self, self.drain)
        if slice_:
            self.arrived.emit(slice_)

    def forget(self) -> None:
        """Hand over nothing of what has gathered: who told of it is gone."""
        with self._lock:
            self._events, self._due = [], []
            self._progress.clear()

    def _keep(self, event: Event) -> None:
        if isinstance(event, FileProgress):
            key = (event.ingest_id, event.index)
            place = self._progress.setdefault(key, len(self._events))
            if place < len(self._events):
                self._events[place] = event
                return
        elif isinstance(event, FileStarted | FileFinished):
            # What comes after belongs to a retry: it must not move before this event.
            self._progress.pop((event.ingest_id, event.index), None)
        self._events.append(event)
