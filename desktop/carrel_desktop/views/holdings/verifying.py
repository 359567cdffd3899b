# SPDX-License-Identifier: AGPL-3.0-or-later
"""The verifications that run or ended in this window, and what the ledger knows of all of them."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from carrel.model import VerificationReport
from carrel.model.events import Event, RecordVerified
from carrel_desktop.session import Session
from carrel_desktop.views.holdings.record import Record

RUN = "verify-"


class Verifications(QObject):
    """`moved` carries the id of a result whose verification stands otherwise than before."""

    moved = Signal(str)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._running: dict[str, tuple[int, int]] = {}
        self.reports: dict[str, VerificationReport] = {}
        self._ended = 0  # how many
        session.side_events.connect(self._on_events)

    def progress(self, ingest_id: str) -> tuple[int, int] | None:
        """Return how many records were read, and of how many, while a verification runs."""
        return self._running.get(ingest_id)

    async def verify(
        self, ingest_id: str, learn: Callable[[str], Awaitable[None]]
    ) -> VerificationReport:
        """Read every record of a result again; `learn` reads what was noted, before it is shown."""
        self._running[ingest_id] = (0, 0)
        self.reports.pop(ingest_id, None)
        self.moved.emit(ingest_id)
        emit = self._session.reporting(f"{RUN}{ingest_id}")
        try:
            report = await self._session.call(lambda engine: engine.verify(ingest_id, emit))
            self._ended += 1
            await learn(ingest_id)
            self.reports[ingest_id] = report
        finally:
            del self._running[ingest_id]
            self.moved.emit(ingest_id)
        return report

    async def with_fixity(self, record: Record) -> Record:
        """Return a record with what is known of that on which it rests.

        What a verification that ended meanwhile has overtaken is read once more.
        """
        known = record
        ended = -1
        while ended != self._ended:
            ended = self._ended
            known = await self._fixity_of(record)
        return known

    async def _fixity_of(self, record: Record) -> Record:
        ingest_id = record.ingest_id
        fixity = await self._session.read(lambda engine: engine.holdings.fixity(ingest_id))
        if not fixity.get("failed"):
            return replace(record, fixity=fixity, failures=(), fates={})
        failures = await self._session.read(lambda engine: engine.holdings.failures(ingest_id))
        fates = await self._session.read(lambda engine: engine.holdings.file_fates(ingest_id))
        return replace(record, fixity=fixity, failures=failures, fates=fates)

    def _on_events(self, events: list[Event]) -> None:
        newest = {it.ingest_id: it for it in events if isinstance(it, RecordVerified)}
        for run, event in newest.items():
            ingest_id = run.removeprefix(RUN)
            if ingest_id in self._running:
                self._running[ingest_id] = (event.done, event.total)
                self.moved.emit(ingest_id)
