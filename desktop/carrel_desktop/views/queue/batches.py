# SPDX-License-Identifier: AGPL-3.0-or-later
"""The batches above the jobs: how far each list is, and what can be done with all of one."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QDate, QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from carrel.engine import Engine
from carrel.model import JobState, Status
from carrel.model.batch import ForgottenBatch
from carrel.translation import tr
from carrel_desktop.foreign import shown
from carrel_desktop.session import Session
from carrel_desktop.timers import delay
from carrel_desktop.undoing import Done
from carrel_desktop.views.queue.batch_tree import BatchTree
from carrel_desktop.views.queue.removing import remove, telling
from carrel_desktop.widgets.actions import Actions, Entry, make_action
from carrel_desktop.widgets.choosing import choose_new_file, words_of
from carrel_desktop.widgets.saved import saved_box

READ_MS = 1500  # no more often are the batches counted anew
FAILED = (JobState.FAILED,)


def batch_actions() -> Sequence[Entry]:
    """Return what can be done with the chosen batch."""
    retry = tr("Retry its failed jobs, or only those with the selected cause")
    drop = tr("Remove its failed jobs from the list, or only those with the selected cause")
    forget = tr("Remove the batch with all its jobs from this page; archived datasets stay")
    report = tr("Save the outcome of each dataset and the lines without one, as HTML or CSV")
    return (
        Entry("all_batches", tr("Show all batch&es"), tip=tr("Show the jobs of every batch")),
        Entry("retry_batch", tr("Try failed jobs of the batch a&gain"), tip=retry, writes=True),
        Entry("drop_batch", tr("Remo&ve failed jobs of the batch"), tip=drop, writes=True),
        Entry(
            "cancel_batch",
            tr("Cancel running, paused and &queued jobs of the batch"),
            tip=tr("Cancel its jobs that are queued, paused or running"),
            writes=True,
        ),
        # No letter of its words is free on the page.
        Entry("forget_batch", tr("Remove the batch and its &jobs"), tip=forget, writes=True),
        Entry("report", tr("Ma&ke a batch report…"), tip=report),
    )


class Batches(QObject):
    """Reads the batches while the page is seen, and does what is asked of the chosen one.

    `chosen` carries the name of the batch whose jobs are to be shown, "" for all; `job_chosen`
    carries the Row of the dataset that was chosen below one. `done` carries a Done, which can be
    taken back. `cause` tells the outcome that alone is meant, None for any.
    """

    chosen = Signal(str)
    job_chosen = Signal(object)
    done = Signal(object)

    def __init__(
        self, parent: QWidget, session: Session, tree: BatchTree, cause: Callable[[], Status | None]
    ) -> None:
        super().__init__(parent)
        self._session, self._cause = session, cause
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
        self._follow()

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
        """Retry what failed of the chosen batch, of the chosen cause if there is one."""
        self._do(FAILED, lambda engine, ids: engine.queue.retry(ids))

    def drop_batch(self) -> None:
        """Take what failed off the list; the batch and its report tell of it all the same."""
        if name := self.tree.chosen_name:
            self._session.start(self._drop(name, self._cause()), is_asked=True)

    def cancel_batch(self) -> None:
        """Cancel what is still to come to its end."""
        is_open = [state for state in JobState if state.is_open]
        self._do(is_open, lambda engine, ids: engine.queue.cancel(ids))

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

    async def _drop(self, name: str, cause: Status | None) -> None:
        ids = await self._session.read(
            lambda engine: engine.batches.job_ids(name, states=FAILED, cause=cause)
        )
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
        self._follow()

    def _do(self, states: Collection[JobState], change: Callable[..., object]) -> None:
        name, cause = self.tree.chosen_name, self._cause()

        async def do(engine: Engine) -> None:
            ids = engine.batches.job_ids(name, states=states, cause=cause)
            await change(engine, ids)  # type: ignore[misc]  # a coroutine of the queue

        if name:
            self._session.start(self._session.call(do), is_asked=True)
            self.outdate()

    def _on_chose(self) -> None:
        self._follow()
        self.chosen.emit(self.tree.chosen_name)
        if (job := self.tree.chosen_job) is not None:
            self.job_chosen.emit(job)

    def _follow(self) -> None:
        batch = self.tree.chosen
        for action in self.actions.groups[0]:
            action.setEnabled(batch is not None)
        has_failed = batch is not None and bool(batch.states.get(JobState.FAILED))
        for action in (self.actions.retry_batch, self.actions.drop_batch):
            action.setEnabled(has_failed)
        self.actions.cancel_batch.setEnabled(batch is not None and batch.open > 0)
