# SPDX-License-Identifier: AGPL-3.0-or-later
"""The line at the foot of the window: what runs, how fast, how long, and how much room is left."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import scaled_font, space
from carrel_desktop.views.queue.rows import Totals
from carrel_desktop.widgets.labels import ElidedLabel


class StatusLine(QFrame):
    """Three labels; tips of actions take the place of the first while they last."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("statusLine")
        self.jobs, self.speed, self.room = ElidedLabel(), QLabel(), QLabel()
        row = QHBoxLayout(self)
        row.setContentsMargins(space(6), space(1.5), space(6), space(1.5))
        row.setSpacing(space(6))
        for label in (self.jobs, self.speed, self.room):
            label.setFont(scaled_font(0.93))
            row.addWidget(label, 1 if label is self.jobs else 0)
        self.show_totals(Totals())

    def show_totals(self, totals: Totals, *, is_running: bool = True) -> None:
        """Show how the queue stands; that it is stopped is told while something waits in it."""
        counts = (
            (totals.asking, tr("{count} awaiting answer")),
            (totals.held_up, tr("{count} on hold")),
            (totals.running, tr("{count} running")),
            (totals.waiting, tr("{count} queued")),
            (0 if is_running else totals.waiting, tr("queue paused")),
            (totals.told_to_pause, tr("{count} paused")),
            (totals.failed, tr("{count} failed")),
            (totals.done, tr("{count} done")),
        )
        parts = [text.format(count=quantities.number(count)) for count, text in counts if count]
        self.jobs.setText(" · ".join(parts) or tr("Nothing is running"))
        speed = [quantities.rate(totals.rate)] if totals.rate else []
        if totals.seconds_left is not None:
            left = tr("{span} left")
            speed.append(left.format(span=quantities.span(totals.seconds_left)))
        self.speed.setText(" · ".join(speed))

    def show_room(self, free_bytes: int | None) -> None:
        if free_bytes is not None:
            text = tr("{size} free on the archive's disk")
            self.room.setText(text.format(size=quantities.size(free_bytes)))
