# SPDX-License-Identifier: AGPL-3.0-or-later
"""When the Watch page is to be read again: something was archived, or a schedule made a check."""

from collections.abc import Sequence, Set

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from carrel.model.dark_views import WatchedRow
from carrel.model.events import Event, IngestFinished, ScheduleChanged
from carrel.model.schedule import Task
from carrel_desktop.session import Session
from carrel_desktop.timers import delay
from carrel_desktop.widgets.table.model import RowsModel

# Very many are archived one after the other: so long apart are two readings at least.
BETWEEN_MS = 2000


class Following(QObject):
    """Follows what is done while a page is there; `outdated` says that it tells of what was.

    A dataset has several addresses, and only the ledger knows them all. What was archived by one
    that is not watched is looked up there: soon while the page is on show, else when it is opened.
    """

    outdated = Signal()

    def __init__(self, session: Session, page: QWidget, model: RowsModel[WatchedRow]) -> None:
        super().__init__(page)
        self._session, self._page, self._model = session, page, model
        self._is_to_look_up = False
        self._soon = delay(self, BETWEEN_MS, self._look_up)
        session.events.connect(self._on_events)

    def catch_up(self) -> None:
        """Have the page read again if anything was archived since it was last read."""
        if self._is_to_look_up and self._session.is_open:
            self.outdated.emit()

    def note_read(self) -> None:
        """Take what is read from now on for what is so."""
        self._is_to_look_up = False

    def _on_events(self, events: Sequence[Event]) -> None:
        """What was archived again is compared with that from now on, and a schedule looks, too."""
        self._is_to_look_up |= any(isinstance(event, IngestFinished) for event in events)
        watched = {row.base_url for row in self._model.listed}
        if any(_changes_watched(event, watched) for event in events):
            self.outdated.emit()
        elif self._is_to_look_up and self._page.isVisible() and not self._soon.isActive():
            self._soon.start()

    def _look_up(self) -> None:
        if self._is_to_look_up:
            self._session.start(self._compare())

    async def _compare(self) -> None:
        """Leave the page as it is while nothing that is watched stands otherwise."""
        self._is_to_look_up = False
        rows = await self._session.call(lambda engine: engine.watching.watched())
        if list(rows) != list(self._model.all):
            self.outdated.emit()


def _changes_watched(event: Event, watched: Set[str]) -> bool:
    """Say whether one of the watched datasets may stand otherwise than before."""
    if isinstance(event, ScheduleChanged):
        return event.ended is Task.WATCH
    return isinstance(event, IngestFinished) and event.result.request.base_url in watched
