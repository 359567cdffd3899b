# SPDX-License-Identifier: AGPL-3.0-or-later
"""What goes on while nobody looks: the computer stays awake, and what matters is told."""

from PySide6.QtCore import QObject

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.awake import KeepAwake
from carrel_desktop.notifications import Notifier
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.rows import BatchEnd, Totals
from carrel_desktop.views.queue.view_model import job_view_model


class Background(QObject):
    """Follows the queue."""

    def __init__(self, model: QueueModel, notifier: Notifier, awake: KeepAwake) -> None:
        super().__init__(notifier)
        self._model = model
        self._notifier = notifier
        self._awake = awake
        model.totalled.connect(self._on_totals)
        model.batch_ended.connect(self._on_batch_ended)
        model.asked.connect(self._on_asked)
        model.held_up.connect(self._on_held_up)
        model.stopped_itself.connect(self._on_stopped_itself)

    def end(self) -> None:
        """Let the computer sleep again, and take the icon away."""
        self._awake.set_held(False)
        self._notifier.put_away()

    def _on_totals(self, totals: Totals) -> None:
        self._awake.set_held(totals.running > 0, tr("Datasets are being archived"))

    def _on_batch_ended(self, end: BatchEnd) -> None:
        """Tell the end of a batch; of what came singly, the end of all."""
        if end.name is None:
            if self._model.totals().open == 0:
                self._notifier.tell(tr("The queue is done"), tr("Nothing is waiting."))
            return
        title = tr("The batch {name} is done", name=end.name)
        parts = [tr("{count} archived", count=quantities.number(end.done))]
        if end.failed:
            parts.append(tr("{count} failed", count=quantities.number(end.failed)))
        self._notifier.tell(title, ", ".join(parts))

    def _on_asked(self, row: Row) -> None:
        question = row.job.question.text if row.job.question else ""
        self._notifier.tell(tr("{title} needs your answer", title=row.title), question)

    def _on_held_up(self, row: Row) -> None:
        """Tell the first that cannot go on; more of them say nothing new."""
        title = tr("{title} is on hold", title=row.title)
        face = job_view_model(row, 0.0)
        self._notifier.tell(title, f"{face.state}. {face.state_detail}")

    def _on_stopped_itself(self, reason: str) -> None:
        self._notifier.tell(tr("The queue was paused"), reason)
