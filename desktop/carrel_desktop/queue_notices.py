# SPDX-License-Identifier: AGPL-3.0-or-later
"""How the queue stands, wherever the person is: in the side bar, below the pages, in a notice."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.status_line import StatusLine
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.rows import Totals
from carrel_desktop.views.queue.view_model import job_view_model
from carrel_desktop.widgets.notice_bar import NoticeBar
from carrel_desktop.widgets.side_bar import Badge


class QueueNotices(QObject):
    """Follows the queue; `set_badges` shows counts in the side bar, with the words for them."""

    def __init__(
        self,
        model: QueueModel,
        notice: NoticeBar,
        status: StatusLine,
        set_badges: Callable[[tuple[Badge, ...], str], None],
    ) -> None:
        super().__init__(notice)
        self._model, self._notice, self._status = model, notice, status
        self._set_badges = set_badges
        model.totalled.connect(self._on_totals)
        model.held_up.connect(self._on_held_up)
        model.stopped_itself.connect(self._on_stopped_itself)
        model.turned.connect(self._on_turned)

    def _on_totals(self, totals: Totals) -> None:
        is_running = self._model.is_running
        self._status.show_totals(totals, is_running=is_running)
        counts = (
            (totals.asking, ("question", "warning"), tr("{count} awaiting answer")),
            (totals.held_up, ("warning", "warning"), tr("{count} on hold")),
            (totals.running, ("running", "accent"), tr("{count} running")),
            (totals.failed, ("failed", "failed"), tr("{count} failed")),
            (totals.waiting, ("waiting", "secondary"), tr("{count} queued")),
        )
        badges = tuple(Badge(quantities.number(count), *look) for count, look, _ in counts if count)
        spoken = ", ".join(text.format(count=count) for count, _, text in counts if count)
        if totals.waiting and not is_running:
            spoken += ", " + tr("paused")
        self._set_badges(badges, spoken)

    def _on_turned(self) -> None:
        self._on_totals(self._model.totals())

    def _on_held_up(self, row: Row) -> None:
        """Say what holds up the first; the side bar counts the others."""
        face = job_view_model(row, 0.0)
        text = tr("{title} is on hold. {outcome}: {reason}")
        self._notice.say(text.format(title=row.title, outcome=face.state, reason=face.state_detail))

    def _on_stopped_itself(self, reason: str) -> None:
        self._notice.say(tr("The queue was paused. {reason}", reason=reason))
