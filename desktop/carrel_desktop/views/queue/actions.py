# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Queue page, and when it can."""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from carrel.model import JobState
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.rows import Totals
from carrel_desktop.widgets.actions import LINE, Actions, Entry
from carrel_desktop.widgets.outcome_card import where_gone


def queue_actions() -> Sequence[Entry | None]:
    """Return the actions of the page, as its menu groups them."""
    remove = tr("Remove the selected jobs, also running ones, from this list; archived files stay")
    bottom = tr("Run them last")
    higher = tr("Jobs with a higher priority run first")
    lower = tr("Jobs with a lower priority run last")
    clear_done = tr("Remove every completed job from this list; the datasets stay in the archive")
    retry_held = tr("Try every job on hold again, once what held it up is mended")
    command = tr("Copy the equivalent terminal command")
    holding = tr("Show what is archived of the selected dataset")
    export = tr("Save the requests of the selected jobs to a file for “carrel batch add”")
    export_failed = tr("Save the requests of all failed jobs to a file for “carrel batch add”")
    return (
        Entry("toggle", "", "F8", writes=True),
        LINE,
        Entry("pause", tr("Pa&use"), "", tr("Pause the selected jobs"), writes=True),
        Entry("resume", tr("&Resume"), "", tr("Resume the selected jobs"), writes=True),
        Entry(
            "retry",
            tr("Retr&y"),
            "Ctrl+R",
            tr("Retry the missing parts of the selected jobs"),
            writes=True,
        ),
        Entry(
            "cancel",
            tr("C&ancel"),
            "Ctrl+Del",
            tr("Cancel the selected jobs; archived files stay"),
            writes=True,
        ),
        Entry("remove", tr("Re&move"), "Del", remove, writes=True),
        LINE,
        Entry(
            "up",
            tr("Move u&p"),
            "Alt+Up",
            tr("Run the selected jobs earlier"),
            "move_up",
            writes=True,
        ),
        Entry(
            "down",
            tr("Move do&wn"),
            "Alt+Down",
            tr("Run the selected jobs later"),
            "move_down",
            writes=True,
        ),
        Entry(
            "top",
            tr("Move to the t&op"),
            "Alt+Home",
            tr("Run them next"),
            "move_to_top",
            writes=True,
        ),
        Entry(
            "bottom", tr("Move to the &bottom"), "Alt+End", bottom, "move_to_bottom", writes=True
        ),
        Entry("higher", tr("&Higher priority"), "Alt+PgUp", higher, "raise_priority", writes=True),
        Entry("lower", tr("&Lower priority"), "Alt+PgDown", lower, "lower_priority", writes=True),
        LINE,
        Entry("retry_failed", tr("Retry all &failed"), "Ctrl+Shift+R", writes=True),
        Entry("retry_held", tr("Retry all o&n hold"), "", retry_held, writes=True),
        Entry("clear_done", tr("Clear &done"), "", clear_done, writes=True),
        LINE,
        Entry("holding", tr("Show in Holdin&gs"), "", holding, "show_holding"),
        Entry("copy", tr("Copy &identifier"), slot="copy_identifier"),
        Entry("command", tr("&Copy as command"), "Ctrl+Shift+C", command, "copy_command"),
        Entry("export", tr("E&xport as batch…"), "Ctrl+E", export),
        Entry("export_failed", tr("Expor&t failed…"), "Ctrl+Shift+E", export_failed),
    )


def edits() -> Sequence[Entry]:
    """Return what the page does for the Edit menu, beside copying."""
    return (
        Entry("choose_all", tr("Select all &jobs")),
        Entry("find", tr("Fi&nd in the queue"), slot="go_to_search"),
    )


def where_low() -> Sequence[Entry]:
    """Return what brings back, as buttons, what leaves its room to the jobs in a low window."""
    details = tr("Show what is known of the selected job")
    finished = tr("Show the batches that have ended")
    return (
        Entry("details", tr("Details"), "", details, "show_details", is_checkable=True),
        Entry("finished", "", "", finished, "show_finished", is_checkable=True),
    )


class QueueActions(Actions):
    """The actions of the page; `follow` brings them into line with what is chosen."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner, queue_actions(), apart=[*edits(), *where_low(), *where_gone()])
        self.toggle.setText(self.toggle_texts[False])

    @property
    def toggle_texts(self) -> tuple[str, str]:
        """What the toggle says while the queue is stopped, and while it runs."""
        return tr("Re&sume queue"), tr("Pau&se queue")

    @property
    def for_rows(self) -> list[QAction]:
        """The menu on the rows."""
        chosen = self.groups[1:3]
        return [*chosen[0], *chosen[1], self.holding, self.copy, self.command, self.export]

    def follow(self, rows: Sequence[Row], totals: Totals, *, is_running: bool) -> None:
        """Allow what can be done with the chosen rows, and with the queue as it stands."""
        states = Counter(row.job.state for row in rows)
        can_pause = states[JobState.QUEUED] or states[JobState.RUNNING]
        self.pause.setEnabled(bool(can_pause) or any(row.job.is_on_hold for row in rows))
        self.resume.setEnabled(bool(states[JobState.PAUSED]))
        self.retry.setEnabled(bool(states[JobState.FAILED] or states[JobState.CANCELLED]))
        self.cancel.setEnabled(any(state.is_open for state in states))
        self.remove.setEnabled(bool(rows))
        is_movable = any(row.is_movable for row in rows)
        for action in (self.up, self.down, self.top, self.bottom, self.higher, self.lower):
            action.setEnabled(is_movable)
        for action in (self.copy, self.command, self.export):
            action.setEnabled(bool(rows))
        self.holding.setEnabled(len(rows) == 1 and rows[0].is_archived)
        is_gone = len(rows) == 1 and rows[0].cause is not None and rows[0].cause.is_gone
        self.mementos.setEnabled(is_gone)
        self.export_failed.setEnabled(totals.failed > 0)
        self.clear_done.setEnabled(totals.done > 0)
        self.retry_held.setEnabled(totals.held_up > 0 and is_running)
        self.choose_all.setEnabled(totals.all > 0)
        self._follow_failed(totals)
        self._follow_queue(is_running=is_running)

    def _follow_failed(self, totals: Totals) -> None:
        """Say how many are left out, as a retry would end as the last one did."""
        left_out = totals.failed_for_good
        count = totals.failed - left_out
        text, tip = (tr("Retry all &failed"), tr("Retry what is missing of every failed job"))
        if left_out and count:
            names = {"count": quantities.number(count), "all": quantities.number(totals.failed)}
            text = tr("Retry {count} of {all} &failed").format(**names)
        if left_out:
            told = "1 excluded: retrying would fail the same way"
            tip = quantities.counted(
                left_out, told, "{count} excluded: retrying would fail the same way"
            )
        if self.retry_failed.text() != text:
            self.retry_failed.setText(text)
        self.retry_failed.setStatusTip(tip)
        self.retry_failed.setEnabled(count > 0)

    def _follow_queue(self, *, is_running: bool) -> None:
        text = self.toggle_texts[is_running]
        if self.toggle.text() != text:
            self.toggle.setText(text)
            stop = tr("Running jobs return to the queue; files archived so far stay")
            self.toggle.setStatusTip(stop if is_running else tr("Run waiting jobs"))
