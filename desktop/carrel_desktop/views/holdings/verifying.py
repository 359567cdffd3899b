# SPDX-License-Identifier: AGPL-3.0-or-later
"""The verifications that run or ended in this window, and what the ledger knows of all of them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from carrel.model import Fate, RecordCheck, VerificationReport
from carrel.model.copies import to_repair_from
from carrel.model.events import Event, IngestFinished, RecordVerified
from carrel.model.holdings import HoldingRow
from carrel_desktop.session import Session
from carrel_desktop.views.holdings.record import Record

RUN = "verify-"


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of several results were read again, and how many of these were not intact."""

    done: int
    total: int
    failed: int
    is_running: bool = True


class Verifications(QObject):
    """`moved` carries the id of a result whose verification stands otherwise than before.

    `moved_several` says so of a verification of several results, of the last of which `several`
    tells how it stands, or ended; None if none was begun. `found_unnoted` says that damage was
    found which the ledger does not know of, as it cannot be written.
    """

    moved = Signal(str)
    moved_several = Signal()
    found_unnoted = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._running: dict[str, tuple[int, int]] = {}
        self.reports: dict[str, VerificationReport] = {}
        self._ended = 0  # how many
        self.several: Tally | None = None
        self._is_stopped = False
        session.side_events.connect(self._on_events)
        session.fixity_noted.connect(self._forget)
        session.events.connect(self._on_work)

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
            if report.not_noted:  # else the ledger knows it
                self.reports[ingest_id] = report
            await learn(ingest_id)
            self.reports[ingest_id] = report
            if self._unnoted(ingest_id):
                self.found_unnoted.emit()
        finally:
            del self._running[ingest_id]
            self.moved.emit(ingest_id)
        return report

    async def verify_several(self, ingest_ids: Sequence[str]) -> None:
        """Verify results one after the other, until all are done or it is to stop."""
        tally, self._is_stopped = Tally(0, len(ingest_ids), 0), False
        self._tell_several(tally)
        try:
            for ingest_id in ingest_ids:
                if self._is_stopped:
                    break
                is_intact = True
                if self.progress(ingest_id) is None:
                    is_intact = (await self.verify(ingest_id, _learn_nothing)).is_intact
                failed = tally.failed + (not is_intact)
                tally = replace(tally, done=tally.done + 1, failed=failed)
                self._tell_several(tally)
            # The ledger notes what is wrong with it, and the Overview says so.
            await self._session.read(lambda engine: engine.journal.check())
        finally:
            self._tell_several(replace(tally, is_running=False))

    def stop_several(self) -> None:
        """Stop after the result that is being read."""
        self._is_stopped = True

    def _forget(self) -> None:
        """Say nothing more of what ended: the ledger knows more by now."""
        self.reports.clear()
        self._forget_several()

    def _on_work(self, events: Sequence[object]) -> None:
        if any(isinstance(event, IngestFinished) and event.has_archived for event in events):
            self._forget_several()  # it may have mended what was not intact

    def _forget_several(self) -> None:
        if self.several and not self.several.is_running:
            self.several = None
            self.moved_several.emit()

    def _tell_several(self, tally: Tally) -> None:
        self.several = tally
        self.moved_several.emit()

    def as_found(self, row: HoldingRow) -> HoldingRow:
        """Return a row with the damage that was found here and could not be noted."""
        unnoted = self._unnoted(row.ingest_id)
        if not unnoted:
            return row
        missing = sum(it.fate is Fate.MISSING for it in unnoted)
        failed = max(row.failed, self.reports[row.ingest_id].failed_records)
        return replace(row, failed=failed, missing=max(row.missing, missing))

    def _unnoted(self, ingest_id: str) -> Sequence[RecordCheck]:
        """Return what was found of a result that the ledger does not know of, the first of it."""
        report = self.reports.get(ingest_id)
        found = report.failures if report and report.not_noted else ()
        return [it for it in found if not it.fate.is_of_path]

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
        unnoted = self._unnoted(ingest_id)
        if not (fixity.get("failed") or unnoted):
            return replace(record, fixity=fixity, failures=(), fates={}, copied="")
        failures = await self._session.read(lambda engine: engine.holdings.failures(ingest_id))
        fates = await self._session.read(
            lambda engine: engine.holdings.file_fates(ingest_id, unnoted)
        )
        warcs = {it.filename for it in failures if not it.has_twin}
        copy = await self._session.read(lambda engine: to_repair_from(engine.copies.known(), warcs))
        copied = copy.as_of if copy else ""
        return replace(record, fixity=fixity, failures=failures, fates=fates, copied=copied)

    def _on_events(self, events: list[Event]) -> None:
        newest = {it.ingest_id: it for it in events if isinstance(it, RecordVerified)}
        for run, event in newest.items():
            ingest_id = run.removeprefix(RUN)
            if ingest_id in self._running:
                self._running[ingest_id] = (event.done, event.total)
                self.moved.emit(ingest_id)


async def _learn_nothing(_ingest_id: str) -> None:
    """What was noted is read where the holdings are read again."""
