# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Queue page, and when it can."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from carrel.model import JobState
from carrel_desktop import quantities
from carrel_desktop.views.queue.orders import CLOSED, Orders
from carrel_desktop.views.queue.pane import PaneActions
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.rows import Totals
from carrel_desktop.widgets.actions import make_action

if TYPE_CHECKING:
    from carrel_desktop.views.queue.view import QueueView


class QueueActions:
    """The actions of the page; `follow` brings them into line with what is chosen."""

    def __init__(self, view: "QueueView", orders: Orders) -> None:
        tr, make = view.tr, partial(make_action, view)
        self._tr = tr
        self.toggle = make(self.toggle_texts[False], orders.toggle, "Ctrl+Shift+S")
        self.pause = make(
            tr("Pa&use"), orders.pause, "Ctrl+P", tip=tr("Hold the chosen jobs until you say so")
        )
        self.resume = make(
            tr("&Go on"), orders.resume, "Ctrl+G", tip=tr("Let the chosen jobs go on")
        )
        self.retry = make(
            tr("Tr&y again"),
            orders.retry,
            "Ctrl+R",
            tip=tr("Fetch what is missing of the chosen jobs"),
        )
        self.cancel = make(
            tr("C&ancel"),
            orders.cancel,
            "Del",
            tip=tr("Give the chosen jobs up; what is kept stays"),
        )
        self.remove = make(
            tr("Re&move"),
            orders.remove,
            "Shift+Del",
            tip=tr("Take the chosen jobs off this list; what is kept stays kept"),
        )
        self.retry_failed = make(tr("Try all &failed again"), orders.retry_failed, "Ctrl+Shift+R")
        self.clear_done = make(
            tr("Clear what is &done"),
            orders.clear_done,
            "Ctrl+Shift+D",
            tip=tr("Take every job that is done off this list; the datasets stay in the archive"),
        )
        self.up = make(
            tr("Move u&p"), orders.move_up, "Alt+Up", tip=tr("Have the chosen jobs run sooner")
        )
        self.down = make(
            tr("Move do&wn"), orders.move_down, "Alt+Down", tip=tr("Have the chosen jobs run later")
        )
        self.top = make(
            tr("Move to the t&op"), orders.move_to_top, "Alt+Home", tip=tr("Run them next")
        )
        self.bottom = make(
            tr("Move to the &bottom"), orders.move_to_bottom, "Alt+End", tip=tr("Run them last")
        )
        self.higher = make(
            tr("&Higher priority"),
            orders.raise_priority,
            "Alt+PgUp",
            tip=tr("Jobs of a higher priority run before all others"),
        )
        self.lower = make(
            tr("&Lower priority"),
            orders.lower_priority,
            "Alt+PgDown",
            tip=tr("Jobs of a lower priority run after all others"),
        )
        self.copy = make(tr("Copy &identifier"), orders.copy_identifier, "Ctrl+Shift+I")
        self.command = make(
            tr("&Copy as command"),
            orders.copy_command,
            "Ctrl+Shift+K",
            tip=tr("Copy the command that does the same in a terminal"),
        )
        self.export = make(
            tr("&Export as batch…"),
            orders.export,
            "Ctrl+E",
            tip=tr("Write the requests of the chosen jobs to a file for “carrel batch add”"),
        )
        self.export_failed = make(
            tr("Expo&rt what failed…"),
            orders.export_failed,
            "Ctrl+Shift+E",
            tip=tr("Write the requests of all failed jobs to a file for “carrel batch add”"),
        )
        self.choose_all = make(tr("Choose all &jobs"), orders.choose_all, "Ctrl+A")
        self.find = make(tr("Fi&nd in the queue"), view.go_to_search, "Ctrl+Shift+F")

    @property
    def toggle_texts(self) -> tuple[str, str]:
        """What the toggle says while the queue is stopped, and while it runs."""
        return self._tr("&Start the queue"), self._tr("&Stop the queue")

    @property
    def groups(self) -> list[list[QAction]]:
        """The menu, between its separators."""
        return [
            [self.toggle],
            [self.pause, self.resume, self.retry, self.cancel, self.remove],
            [self.up, self.down, self.top, self.bottom, self.higher, self.lower],
            [self.retry_failed, self.clear_done],
            [self.copy, self.command, self.export, self.export_failed],
            [self.choose_all, self.find],
        ]

    @property
    def for_rows(self) -> list[QAction]:
        """The menu on the rows."""
        chosen = self.groups[1:3]
        return [*chosen[0], *chosen[1], self.copy, self.command, self.export]

    @property
    def for_pane(self) -> PaneActions:
        return PaneActions(self.pause, self.resume, self.retry, self.cancel, self.remove, self.copy)

    def follow(self, rows: Sequence[Row], totals: Totals, *, is_running: bool) -> None:
        """Allow what can be done with the chosen rows, and with the queue as it stands."""
        states = Counter(row.job.state for row in rows)
        self.pause.setEnabled(bool(states[JobState.QUEUED] or states[JobState.RUNNING]))
        self.resume.setEnabled(bool(states[JobState.PAUSED]))
        self.retry.setEnabled(bool(states[JobState.FAILED] or states[JobState.CANCELLED]))
        self.cancel.setEnabled(any(state.is_open for state in states))
        self.remove.setEnabled(any(states[state] for state in CLOSED))
        is_movable = any(row.is_movable for row in rows)
        for action in (self.up, self.down, self.top, self.bottom, self.higher, self.lower):
            action.setEnabled(is_movable)
        for action in (self.copy, self.command, self.export):
            action.setEnabled(bool(rows))
        self.export_failed.setEnabled(totals.failed > 0)
        self.clear_done.setEnabled(totals.done > 0)
        self.choose_all.setEnabled(totals.all > 0)
        self._follow_failed(totals)
        self._follow_queue(is_running=is_running)

    def _follow_failed(self, totals: Totals) -> None:
        """Say how many are left out, as another try would end as the last one did."""
        tr, left_out = self._tr, totals.failed_for_good
        count = totals.failed - left_out
        text, tip = (
            tr("Try all &failed again"),
            tr("Fetch what is missing of every job that failed"),
        )
        if left_out and count:
            names = {"count": quantities.number(count), "all": quantities.number(totals.failed)}
            text = tr("Try {count} of {all} &failed again").format(**names)
        if left_out:
            told = "1 is left out: another try would end so again"
            tip = quantities.counted(
                left_out, told, "{count} are left out: another try would end so again"
            )
        if self.retry_failed.text() != text:
            self.retry_failed.setText(text)
        self.retry_failed.setStatusTip(tip)
        self.retry_failed.setEnabled(count > 0)

    def _follow_queue(self, *, is_running: bool) -> None:
        tr = self._tr
        text = self.toggle_texts[is_running]
        if self.toggle.text() != text:
            self.toggle.setText(text)
            stop = tr("Running jobs wait again; what was verified stays")
            self.toggle.setStatusTip(stop if is_running else tr("Let waiting jobs run"))
