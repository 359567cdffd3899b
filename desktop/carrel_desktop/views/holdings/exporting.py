# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exporting the chosen holdings: asked how and where to, written on the engine's side."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from carrel.engine import Engine
from carrel.errors import CarrelError
from carrel.model import FailedRecord
from carrel.model.events import Emit, Event, ExportStarted, HoldingExported, SavingProgress
from carrel.model.exports import Exported, ExportForm, ExportOptions, ExportReport
from carrel.model.holdings import HoldingRow
from carrel.model.unwritten import why_unwritten
from carrel_desktop.session import Session
from carrel_desktop.viewing.progress import shown_progress
from carrel_desktop.viewing.subject import Tell
from carrel_desktop.views.holdings.export_card import STEPS, ExportCard
from carrel_desktop.views.holdings.export_dialog import ExportDialog


class Exporting(QObject):
    """Exports holdings, one export at a time. `changed` says that one began or ended."""

    changed = Signal()

    def __init__(self, session: Session, card: ExportCard) -> None:
        super().__init__(card)
        self._session, self._card = session, card
        self._task: asyncio.Task[None] | None = None
        self._folder: Path | None = None
        self._ended: _Ended | None = None  # of which the card speaks
        self._written = self._count = 0
        card.stop.clicked.connect(self.stop)
        card.folder.clicked.connect(self._show_folder)
        card.rest.clicked.connect(self._export_rest)

    @property
    def is_running(self) -> bool:
        return self._task is not None

    async def dialog(self, rows: Sequence[HoldingRow]) -> ExportDialog:
        """Return the dialog that asks how and where to holdings are exported."""
        beside = await self._session.read(partial(_beside, rows))
        signing = self._session.engine.signing
        dialog = ExportDialog(self._card.window(), rows, self._folder, signing, beside)
        ingest_ids = [row.ingest_id for row in rows]
        dialog.chosen.connect(lambda options, folder: self.export(ingest_ids, folder, options))
        return dialog

    def export(self, ingest_ids: Sequence[str], folder: Path, options: ExportOptions) -> None:
        """Begin an export, unless one runs: that is never given up unasked."""
        if self._task is None:
            self._folder, self._written, self._count = folder, 0, len(ingest_ids)
            self._task = self._session.start(self._export(ingest_ids, folder, options))
            if self._task is not None:
                self._task.add_done_callback(self._on_ended)
            self.changed.emit()

    def stop(self) -> None:
        """Stop; what was written stays, for the next time."""
        if self._task is not None:
            self._task.cancel()

    def close_ended(self) -> None:
        """Have nothing said any more of an export that has ended: other work begins."""
        if self._task is None:
            self._card.hide()

    def recheck(self) -> None:
        """Have nothing said any more of damage that is otherwise by now."""
        if self._ended is not None and self._task is None and not self._card.isHidden():
            self._session.start(self._recheck(self._ended))

    async def _recheck(self, ended: "_Ended") -> None:
        now = await self._session.read(partial(_damage_of, ended.report))
        if ended is self._ended and now != ended.damage:
            changed = {each for each, known in ended.damage.items() if now[each] != known}
            self._card.show_report(ended.report, changed, can_leave_out=ended.can_leave_out)

    def _export_rest(self) -> None:
        """Export what was refused for its damage, without the damaged files."""
        if (ended := self._ended) is not None and self._folder is not None:
            ids = [each.ingest_id for each in ended.report.refused if each.has_damage]
            self.export(ids, self._folder, replace(ended.options, leaves_out_damaged=True))

    async def _export(
        self, ingest_ids: Sequence[str], folder: Path, options: ExportOptions
    ) -> None:
        self._ended = None
        try:
            report = await self._with_progress(ingest_ids, folder, options)
        except CarrelError as error:
            self._card.show_trouble(str(error), self._written)
        except OSError as error:
            words = why_unwritten(Path(error.filename or folder), error)
            self._card.show_trouble(words, self._written)
        else:
            damage = await self._session.read(partial(_damage_of, report))
            self._ended = _Ended(report, options, damage)
            self._card.show_report(report, can_leave_out=self._ended.can_leave_out)
            if any(each.has_damage for each in report.holdings):
                self._session.fixity_noted.emit()

    async def _with_progress(
        self, ingest_ids: Sequence[str], folder: Path, options: ExportOptions
    ) -> ExportReport:
        """Have holdings exported; how far that is stands on the card."""
        self._card.show_progress(0, STEPS * len(ingest_ids))
        with shown_progress(self, self._card.show_progress) as tell:
            telling = _telling(tell, self._note)
            return await self._session.call(
                lambda engine: engine.export(ingest_ids, folder, options, telling)
            )

    def _note(self, exported: Exported) -> None:
        self._written += exported.path is not None

    def _on_ended(self, task: "asyncio.Task[None]") -> None:
        """Let another export begin; one may have been stopped before it did."""
        self._task = None
        if task.cancelled():
            self._card.show_stopped(self._written, self._count, ())
            if self._folder is not None:
                self._session.start(self._tell_begun(self._folder))
        self.changed.emit()

    async def _tell_begun(self, folder: Path) -> None:
        from carrel.engine.exports import begun_in  # there once something was exported

        begun = await self._session.aside(begun_in, folder)
        if not self.is_running and not self._card.isHidden():
            self._card.show_stopped(self._written, self._count, begun)

    def _show_folder(self) -> None:
        if self._folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))


@dataclass(frozen=True, slots=True)
class _Ended:
    """An export that ended, how it was asked for, and what was damaged then, by attempt."""

    report: ExportReport
    options: ExportOptions
    damage: Mapping[str, Sequence[FailedRecord]]

    @property
    def can_leave_out(self) -> bool:
        """Whether the same may be exported without what is damaged: a WACZ is whole or not."""
        return self.report.form is not ExportForm.WACZ and not self.options.leaves_out_damaged


def _beside(rows: Sequence[HoldingRow], engine: Engine) -> int:
    """Return how many files these lack that another ingest of the same version has."""
    lacking = [row for row in rows if not row.is_complete and row.attempts > 1]
    return sum(len(engine.holdings.beside(row.ingest_id)) for row in lacking)


def _damage_of(report: ExportReport, engine: Engine) -> Mapping[str, Sequence[FailedRecord]]:
    """Return what is damaged by now of each attempt of which a report says that something is."""
    damaged = [each.ingest_id for each in report.holdings if each.has_damage]
    return {each: engine.holdings.failures(each) for each in damaged}


def _telling(tell: Tell, note: Callable[[Exported], None]) -> Emit:
    """Return what tells how far an export is, each holding being so many steps of it, and what
    became of each."""
    behind, total = 0, 0

    def emit(event: Event) -> None:
        nonlocal behind, total
        match event:
            case ExportStarted():
                behind, total = STEPS * (event.number - 1), STEPS * event.count
                tell(behind, total)
            case SavingProgress():
                within = STEPS * event.done // event.total if event.total else 0
                tell(behind + min(within, STEPS - 1), total)
            case HoldingExported():
                note(event.exported)

    return emit
