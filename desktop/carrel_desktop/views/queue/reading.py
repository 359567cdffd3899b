# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading the list of jobs, and what only results know of them."""

import asyncio

from PySide6.QtCore import QObject, Signal

from carrel.errors import CarrelError
from carrel_desktop.session import Session
from carrel_desktop.views.queue.history import doi_of, files_of
from carrel_desktop.views.queue.model import QueueModel

SLICE = 2000  # jobs of the list that are taken over at once, a few milliseconds' work


class JobsReading(QObject):
    """Fills a model. `ended` is emitted when the list was read, `unread` with why it could not."""

    ended = Signal()
    unread = Signal(str)

    def __init__(self, session: Session, model: QueueModel) -> None:
        super().__init__(model)
        self._session, self._model = session, model
        self._is_outdated = False
        self._asked_for: set[str] = set()
        self.is_busy = False

    async def load(self) -> None:
        """Read the list of jobs, and again if it changed meanwhile."""
        self._is_outdated = True
        if self.is_busy:
            return
        self.is_busy = True
        try:
            while self._is_outdated:
                self._is_outdated = False
                await self._read()
        finally:
            self.is_busy = False
        await self._name_datasets()

    async def load_files(self, ingest_id: str) -> None:
        """Read the files of a result, and show them."""
        files = await self._session.read_result(ingest_id, files_of)
        if files:
            self._model.show_files(ingest_id, files)

    async def _read(self) -> None:
        self._model.begin_reading()
        try:
            jobs = await self._session.read(lambda engine: engine.jobs())
        except (CarrelError, OSError) as error:
            self.unread.emit(str(error))
            raise
        for first in range(0, len(jobs), SLICE):
            self._model.read(jobs[first : first + SLICE])
            await asyncio.sleep(0)
        self._model.end_reading()
        self.ended.emit()

    async def _name_datasets(self) -> None:
        """Read the DOIs of what was asked for by other addresses, which the jobs do not know."""
        asked = {row.job.request.base_url for row in self._model.unnamed} - self._asked_for
        if asked:
            self._asked_for |= asked
            found = await self._session.read(
                lambda engine: [doi_of(fields) for fields in engine.holdings.overview(asked)]
            )
            self._model.name_datasets({asked: doi for asked, doi in found if doi})
