# SPDX-License-Identifier: AGPL-3.0-or-later
"""The batches above the jobs: how far each list is, and what can be done with all of one."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QDate, QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from carrel.model import JobState
from carrel.model.batch import ForgottenBatch
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.foreign import shown
from carrel_desktop.session import Session
from carrel_desktop.timers import delay
from carrel_desktop.undoing import Done
from carrel_desktop.views.queue.batch_tree import BatchTree
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.removing import remove, telling
from carrel_desktop.widgets.actions import Actions, Entry, make_action
from carrel_desktop.widgets.choosing import choose_new_file, words_of
from carrel_desktop.widgets.saved import saved_box

READ_MS = 1500  # no more often are the batches counted anew
FAILED = (JobState.FAILED,)
OPEN = tuple(state for state in JobState if state.is_open)


def batch_actions() -> Sequence[Entry]:
    """Return what can be done with the chosen batch."""
    retry = tr("Retry its failed jobs that the filters show")
    drop = tr("Remove its failed jobs that the filters show from the list")
    forget = tr("Remove the batch with all its jobs from this page; archived datasets stay")
    report = tr("Save the outcome of each dataset and the lines without one, as HTML or CSV")
    return (
        Entry("all_batches", tr("Show all batch&es"), tip=tr("Show the jobs of every batch")),
        Entry("retry_batch", _retrying(0), tip=retry, writes=True),
        Entry("drop_batch", _dropping(0), tip=drop, writes=True),
        Entry(
            "cancel_batch",
            tr("Cancel running, paused and &queued jobs of the batch"),
            tip=tr("Cancel its queued, paused and running jobs that the filters show"),
            writes=True,
        ),
        # No letter of its words is free on the page.
        Entry("forget_batch", tr("Remove the batch and its &jobs"), tip=forget, writes=True),
        Entry("report", tr("Ma&ke a batch report…"), tip=report),
    )


def _retrying(count: int) -> str:
    """Return what the action says that retries so many jobs."""
    if not count:
        return tr("Try failed jobs of the batch a&gain")
    said = forms(
        "Try 1 failed job of the batch a&gain", "Try {count} failed jobs of the batch a&gain"
    )
    return quantities.counted(count, *said)


def _dropping(count: int) -> str:
    """Return what the action says that removes so many jobs."""
    if not count:
        return tr("Remo&ve failed jobs of the batch")
    said = forms("Remo&ve 1 failed job of the batch", "Remo&ve {count} failed jobs of the batch")
    return quantities.counted(count, *said)


class Batches(QObject):
    """Reads the batches while the page is seen, and does what is asked of the chosen one.

    `chosen` carries the name of the batch whose jobs are to be shown, "" for all; `job_chosen`
    carries the Row of the dataset that was chosen below one. `done` carries a Done, which can be
    taken back. What is done with jobs of the chosen batch is done with those that pass the filters
    of the page, as the list shows them: with no others, and with all of them.
    """

    chosen = Signal(str)
    job_chosen = Signal(object)
    done = Signal(object)

    def __init__(
        self, parent: QWidget, session: Session, tree: BatchTree, jobs: QueueModel
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs = session, jobs
        self._is_reading = False
        self.tree = tree
        self.actions: Actions = Actions(parent, batch_actions())
        self.actions.bind(self)
        text = tr("Save report…")  # no letter of it is free on every page
        self.ended_action = make_action(self, text, self._report_ended, name="report_ended")
        self.ended_action.setEnabled(False)
        self.tree.addActions(self.actions.groups[0])
        self._due = delay(self, READ_MS, self.read)
        self.tree.chose.connect(self._on_chose)
        self.follow()

    def outdate(self) -> None:
        """Count the batches anew before long."""
        if not self._due.isActive():
            self._due.start()

    def read(self) -> None:
        """Count the batches anew; once more before long if they are being counted just now."""
        if self._is_reading:
            self.outdate()
        else:
            self._is_reading = self._session.start(self._read()) is not None

    def all_batches(self) -> None:
        """Show the jobs of every batch."""
        self.tree.clearSelection()

    def retry_batch(self) -> None:
        """Retry what failed of the chosen batch."""
        self._do(FAILED, lambda engine, ids: engine.queue.retry(ids))

    def drop_batch(self) -> None:
        """Take what failed off the list; the batch and its report tell of it all the same."""
        if ids := self._ids(FAILED):
            self._session.start(self._drop(ids), is_asked=True)

    def cancel_batch(self) -> None:
        """Cancel what is still to come to its end."""
        self._do(OPEN, lambda engine, ids: engine.queue.cancel(ids))

    def forget_batch(self) -> None:
        """Take the chosen batch off with all its jobs."""
        if name := self.tree.chosen_name:
            self._session.start(self._forget(name), is_asked=True)

    def report(self) -> None:
        """Ask for a file, and write what became of the chosen batch."""
        if name := self.tree.chosen_name:
            self._save_report(name)

    def report_of(self, name: str) -> QAction:
        """Return the action that saves the report of a batch, chosen or not; the latest holds."""
        self.ended_action.setData(name)
        self.ended_action.setEnabled(True)
        return self.ended_action

    def _report_ended(self) -> None:
        self._save_report(self.ended_action.data())

    def _save_report(self, name: str) -> None:
        def write(path: Path) -> None:
            self._session.start(self._write_report(name, path), is_asked=True)

        kinds = [(tr("HTML pages (*.html)"), ".html"), (tr("Tables (*.csv)"), ".csv")]
        title = tr("Save the report of {name}", name=shown(name))
        today = QDate.currentDate().toString(Qt.DateFormat.ISODate)
        offered = tr("report-{words}-{day}", words=words_of(name), day=today)
        dialog = choose_new_file(self.tree, title, write, name=offered, kinds=kinds)
        dialog.setObjectName("batch_report")

    async def _write_report(self, name: str, path: Path) -> None:
        await self._session.read(lambda engine: engine.batches.report(name, path))
        told = tr("The report of {name} was saved.", name=shown(name))
        box = saved_box(self.tree, "report_saved", told, str(path), path, tr("&Open"))
        box.setWindowTitle(tr("Report saved"))
        box.open()

    async def _drop(self, ids: Sequence[str]) -> None:
        if done := await remove(self._session, ids):
            self.done.emit(done)
        self.outdate()

    async def _forget(self, name: str) -> None:
        async with telling(self._session, tr("Removing the batch {name}…", name=shown(name))):
            forgotten = await self._session.call(lambda engine: engine.batches.forget(name))
        self.read()  # no row of what is gone stands there until the next count
        sentence = tr("Removed the batch {name} from the queue.", name=shown(name))
        self.done.emit(Done(sentence, partial(self._restore, shown(name), forgotten)))

    def _restore(self, name: str, forgotten: ForgottenBatch) -> None:
        doing = tr("Restoring the batch {name}…", name=name)
        done = tr("Restored the batch {name}.", name=name)

        async def restore() -> None:
            async with telling(self._session, doing, done):
                await self._session.call(lambda engine: engine.batches.restore(forgotten))
            self.read()  # a count from before would not have it

        self._session.start(restore(), is_asked=True)

    async def _read(self) -> None:
        try:
            found = await self._session.read(lambda engine: engine.batches.progress())
        finally:
            self._is_reading = False
        self.tree.show_batches(found)
        self.follow()

    def _do(self, states: Collection[JobState], change: Callable[..., Any]) -> None:
        if ids := self._ids(states):
            work = self._session.call(lambda engine: change(engine, ids))
            self._session.start(work, is_asked=True)
            self.outdate()

    def _ids(self, states: Collection[JobState]) -> list[str]:
        """Return the jobs of the chosen batch in these states that pass the filters."""
        name = self.tree.chosen_name
        return self._jobs.passing(name, states) if name else []

    def _on_chose(self) -> None:
        self.chosen.emit(self.tree.chosen_name)
        self.follow()
        if (job := self.tree.chosen_job) is not None:
            self.job_chosen.emit(job)

    def follow(self) -> None:
        """Bring the actions into line with the chosen batch and the filters."""
        is_chosen = self.tree.chosen is not None
        for action in self.actions.groups[0]:
            action.setEnabled(is_chosen)
        failed = len(self._ids(FAILED))
        for action, text in (
            (self.actions.retry_batch, _retrying(failed)),
            (self.actions.drop_batch, _dropping(failed)),
        ):
            action.setText(text)
            action.setEnabled(failed > 0)
        self.actions.cancel_batch.setEnabled(bool(self._ids(OPEN)))
