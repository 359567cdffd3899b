# SPDX-License-Identifier: AGPL-3.0-or-later
"""Having jobs run sooner or later than others."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from carrel.engine import Engine
from carrel_desktop.session import Session
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.tree import QueueTree


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
        """Have the chosen jobs run next."""
        chosen, others = self._movable()
        if chosen and others:
            self._move(chosen, others[0])

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
        movable = sorted(
            (row for row in self._model.listed if row.is_movable), key=lambda row: row.order
        )
        return (
            [row for row in movable if row.serial in chosen],
            [row for row in movable if row.serial not in chosen],
        )

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
