# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the person tells the queue: to hold, to hurry, to try again, to hand on."""

from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from carrel.engine import Engine
from carrel.model import Answer, IngestRequest, JobState
from carrel.translation import tr
from carrel_desktop.command_lines import batch_lines, command
from carrel_desktop.session import Session
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.removing import remove
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.tree import QueueTree
from carrel_desktop.widgets.choosing import choose_new_file

SUFFIX = ".jsonl"


class Moving(QObject):
    """Commands for the turns of the chosen jobs. The rows change when the engine tells that the
    jobs have.
    """

    def __init__(self, session: Session, model: QueueModel, tree: QueueTree) -> None:
        super().__init__(tree)
        self._session, self._model, self._tree = session, model, tree

    def move_up(self) -> None:
        """Have the chosen jobs run before the one above them."""
        chosen, others = self._movable()
        if not chosen:
            return
        above = [row for row in others if row.order < chosen[0].order]
        self._move(chosen, above[-1] if above else chosen[0])

    def move_down(self) -> None:
        """Have the chosen jobs run after the one below them."""
        chosen, others = self._movable()
        if not chosen:
            return
        below = [row for row in others if row.order > chosen[-1].order]
        self._move(chosen, below[1] if len(below) > 1 else None)

    def move_to_top(self) -> None:
        """Have the chosen jobs run next, before all others, listed or not."""
        chosen, _ = self._movable()
        moving = {row.serial for row in chosen}
        first = next((row for row in self._model.movable if row.serial not in moving), None)
        if chosen and first:
            self._move(chosen, first)

    def move_to_bottom(self) -> None:
        """Have the chosen jobs run last."""
        chosen, _ = self._movable()
        if chosen:
            self._move(chosen, None)

    def raise_priority(self) -> None:
        """Have the chosen jobs run before those of a lower priority."""
        self._prioritise(1)

    def lower_priority(self) -> None:
        """Have the chosen jobs run after those of a higher priority."""
        self._prioritise(-1)

    def move(self, job_ids: Sequence[str], before: str | None) -> None:
        """Have jobs run before another, or last."""
        work = self._session.call(lambda engine: engine.queue.move(job_ids, before))
        self._session.start(work, is_asked=True)

    def _movable(self) -> tuple[list[Row], list[Row]]:
        """Return the chosen jobs that have a turn, and the others in the list, as they run."""
        chosen = {row.serial for row in self._tree.chosen_rows()}
        movable = [row for row in self._model.listed if row.is_movable]
        movable.sort(key=lambda row: row.order)
        others = [row for row in movable if row.serial not in chosen]
        return [row for row in movable if row.serial in chosen], others

    def _move(self, rows: Sequence[Row], before: Row | None) -> None:
        target = before.job.job_id if before else None
        self.move([row.job.job_id for row in rows], target)

    def _prioritise(self, step: int) -> None:
        jobs_by_priority: dict[int, list[str]] = {}
        for row in self._movable()[0]:
            jobs_by_priority.setdefault(row.job.priority + step, []).append(row.job.job_id)
        self._session.start(self._prioritise_each(jobs_by_priority), is_asked=True)

    async def _prioritise_each(self, jobs_by_priority: dict[int, list[str]]) -> None:
        async def prioritise_each(engine: Engine) -> None:
            for priority, job_ids in jobs_by_priority.items():
                await engine.queue.prioritise(job_ids, priority)

        await self._session.call(prioritise_each)


class RetryingAll(QObject):
    """Tries again all jobs that wait for that, whichever are chosen or listed."""

    def __init__(self, session: Session, model: QueueModel) -> None:
        super().__init__()
        self._session, self._model = session, model

    def retry_failed(self) -> None:
        """Put every job that failed into the queue once more, but for what would fail again."""
        failed = (row for row in self._model.rows(JobState.FAILED) if not row.is_for_good)
        job_ids = [row.job.job_id for row in failed]
        self._ask(lambda engine: engine.queue.retry(job_ids))

    def retry_held(self) -> None:
        """Put every job on hold back into the queue: there may be room by now."""
        paused = self._model.rows(JobState.PAUSED)
        job_ids = [row.job.job_id for row in paused if row.job.is_on_hold]
        self._ask(lambda engine: engine.queue.resume(job_ids))

    def _ask(self, ask: Callable[[Engine], Coroutine[Any, Any, None]]) -> None:
        self._session.start(self._session.call(ask), is_asked=True)


class QueueCommands(QObject):
    """Commands for the chosen jobs, or for all of a kind; `toggled`: the queue began or stopped.

    `done` carries a Done, which can be taken back, `wants_mementos` the address whose captures the
    person wants to see, `wants_holding` that of a dataset that is held. The rows change when the
    engine tells that the jobs have.
    """

    toggled = Signal()
    done = Signal(object)
    wants_mementos = Signal(str)
    wants_holding = Signal(str)

    def __init__(self, session: Session, model: QueueModel, tree: QueueTree) -> None:
        super().__init__()
        self._session = session
        self._model = model
        self._tree = tree

    def toggle(self) -> None:
        """Resume the queue, or pause it; paused it stays when the archive is opened again."""
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
        """Take jobs off the list; those that run are stopped."""
        self._do(self._remove(self._ids(*JobState)))

    def clear_done(self) -> None:
        """Take every job that is done off the list, of the chosen batch if one is chosen."""
        self._do(self._clear_done())

    def show_mementos(self) -> None:
        """Go to the captures of an address at which nothing is published."""
        for row in self._tree.chosen_rows()[:1]:
            self.wants_mementos.emit(row.job.request.base_url)

    def show_holding(self) -> None:
        """Go to what is held of the chosen dataset."""
        for row in self._tree.chosen_rows()[:1]:
            self.wants_holding.emit(row.job.request.base_url)

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

    def write_batch(self, path: Path, requests: Sequence[IngestRequest]) -> None:
        """Write requests to a file that `carrel batch add` reads."""
        self._do(self._session.write_file(path, batch_lines(requests)))

    async def _toggle(self) -> None:
        is_running = self._session.engine.queue.is_running
        await self._session.call(lambda engine: engine.queue.set_paused(is_paused=is_running))
        self.toggled.emit()

    async def _clear_done(self) -> None:
        batch = self._model.filter.batch

        def done_ids(engine: Engine) -> Sequence[str]:
            if batch:
                return engine.batches.job_ids(batch, states=(JobState.DONE,))
            return engine.done_jobs.ids()

        await self._remove(await self._session.read(done_ids))

    async def _remove(self, job_ids: Sequence[str]) -> None:
        if done := await remove(self._session, job_ids):
            self.done.emit(done)

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
        heading = tr("Export as batch")
        kind = tr("Batches (*{suffix})", suffix=SUFFIX)

        def write(path: Path) -> None:
            self.write_batch(path, requests)

        dialog = choose_new_file(self._tree, heading, write, kind=kind, suffix=SUFFIX)
        dialog.setObjectName("export")
