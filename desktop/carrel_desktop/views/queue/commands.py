# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the person tells the queue: to hold, to hurry, to try again, to hand on."""

from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from carrel.engine import Engine
from carrel.model import Answer, IngestRequest, JobState
from carrel.translation import tr
from carrel_desktop.command_lines import batch_lines, command
from carrel_desktop.session import Session
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.tree import QueueTree

CLOSED = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)
SUFFIX = ".jsonl"


class QueueCommands(QObject):
    """Commands for the chosen jobs, or for all of a kind; `toggled`: the queue began or stopped.

    The rows change when the engine tells that the jobs have.
    """

    toggled = Signal()

    def __init__(self, session: Session, model: QueueModel, tree: QueueTree) -> None:
        super().__init__()
        self._session = session
        self._model = model
        self._tree = tree

    def toggle(self) -> None:
        """Start the queue, or stop it."""
        self._do(self._toggle())

    def pause(self) -> None:
        """Hold the chosen jobs until they shall go on."""
        job_ids = self._ids(JobState.QUEUED, JobState.RUNNING)
        self._ask(lambda engine: engine.queue.pause(job_ids))

    def resume(self) -> None:
        """Let paused jobs wait for their turn again."""
        job_ids = self._ids(JobState.PAUSED)
        self._ask(lambda engine: engine.queue.resume(job_ids))

    def retry(self) -> None:
        """Put the chosen jobs that failed into the queue once more, for what is missing."""
        job_ids = self._ids(JobState.FAILED, JobState.CANCELLED)
        self._ask(lambda engine: engine.queue.retry(job_ids))

    def cancel(self) -> None:
        """Give the chosen jobs up; what was verified stays kept."""
        job_ids = self._ids(*(each for each in JobState if each.is_open))
        self._ask(lambda engine: engine.queue.cancel(job_ids))

    def remove(self) -> None:
        """Take closed jobs off the list."""
        job_ids = self._ids(*CLOSED)
        self._ask(lambda engine: engine.queue.remove(job_ids))

    def retry_failed(self) -> None:
        """Put every job that failed into the queue once more, but for what would fail again."""
        failed = (row for row in self._model.rows(JobState.FAILED) if not row.is_for_good)
        job_ids = [row.job.job_id for row in failed]
        self._ask(lambda engine: engine.queue.retry(job_ids))

    def clear_done(self) -> None:
        """Take every job that is done off the list."""
        job_ids = [row.job.job_id for row in self._model.rows(JobState.DONE)]
        self._ask(lambda engine: engine.queue.remove(job_ids))

    def copy_identifier(self) -> None:
        """Put what one would quote of the chosen jobs on the clipboard."""
        self._copy([row.identifier for row in self._tree.chosen_rows()])

    def copy_command(self) -> None:
        """Put the commands that do the same on the clipboard."""
        self._copy([command(row.job.request, row.job.options) for row in self._tree.chosen_rows()])

    def export(self) -> None:
        """Write the requests of the chosen jobs to a file."""
        self._export(self._tree.chosen_rows())

    def export_failed(self) -> None:
        """Write the requests of every job that failed to a file."""
        self._export(self._model.rows(JobState.FAILED))

    def choose_all(self) -> None:
        """Choose every job of the list."""
        self._tree.selectAll()

    def answer(self, answer: Answer) -> None:
        """Answer what the chosen jobs ask."""
        self._do(self._answer(self._ids(JobState.ASKING), answer))

    def write_batch(self, path: str, requests: Sequence[IngestRequest]) -> None:
        """Write requests to a file that `carrel batch add` reads."""
        self._do(self._session.write_file(Path(path), batch_lines(requests)))

    async def _toggle(self) -> None:
        if self._session.engine.queue.is_running:
            await self._session.call(lambda engine: engine.queue.stop())
        else:
            await self._session.order(lambda engine: engine.queue.start())
        self.toggled.emit()

    async def _answer(self, job_ids: Sequence[str], answer: Answer) -> None:
        async def answer_each(engine: Engine) -> None:
            for job_id in job_ids:
                await engine.queue.answer(job_id, answer)

        await self._session.call(answer_each)

    def _ask(self, ask: Callable[[Engine], Coroutine[Any, Any, None]]) -> None:
        self._do(self._session.call(ask))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        self._session.start(work, is_asked=True)

    def _ids(self, *states: JobState) -> list[str]:
        return [row.job.job_id for row in self._tree.chosen_rows() if row.job.state in states]

    @staticmethod
    def _copy(lines: Sequence[str]) -> None:
        if lines:
            QGuiApplication.clipboard().setText("\n".join(lines))

    def _export(self, rows: Sequence[Row]) -> None:
        """Ask where to, then write; the requests are those of now."""
        requests = [row.job.request for row in rows]
        dialog = QFileDialog(self._tree, tr("Export as batch"))
        dialog.setObjectName("export")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(tr("Batches (*{suffix})", suffix=SUFFIX))
        dialog.setDefaultSuffix(SUFFIX)
        dialog.fileSelected.connect(lambda path: self.write_batch(path, requests))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
