# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Queue page: jobs and their files, how far they are and how they ended."""

import time
from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from carrel_desktop import words
from carrel_desktop.desk import Desk
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.queue.chips import Chips
from carrel_desktop.views.queue.face import status_of
from carrel_desktop.views.queue.job import Job, JobState
from carrel_desktop.views.queue.jobs import Totals
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.tree import QueueTree
from carrel_desktop.widgets.actions import ActionButton, make_action
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.outcome_card import OutcomeCard

TICK_MS = 1000
SWEEP_MS = 50
EMPTY, FILLED, FILTERED = 0, 1, 2


class QueueView(QWidget):
    """Shows the queue; `wants_archive` is emitted when the person goes to archive something."""

    wants_archive = Signal()

    def __init__(
        self, desk: Desk, theme: Theme, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._desk = desk
        self._theme = theme
        self._clock = clock
        self.model = QueueModel(self)
        self._make_actions()
        self.chips = Chips()
        self.tree = QueueTree(theme, self.model)
        self.card = OutcomeCard(theme)
        self.stack = QStackedWidget()
        self._lay_out()
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._sweep = QTimer(self)
        self._sweep.setInterval(SWEEP_MS)
        self._connect()
        self._follow()

    @property
    def actions_in_menu(self) -> list[QAction]:
        return [self.cancel_action, self.retry_action, self.copy_action]

    def cancel(self) -> None:
        """Stop the chosen job; what was verified stays kept."""
        job = self.current_job()
        if job and job.state in (JobState.RUNNING, JobState.WAITING):
            self._desk.start(self._desk.cancel(job.ingest_id), is_asked=True)

    def retry(self) -> None:
        """Put the chosen job into the queue once more."""
        job = self.current_job()
        if job and job.is_retryable:
            self._desk.start(self._retry(job), is_asked=True)

    def copy_identifier(self) -> None:
        job = self.current_job()
        if job:
            QGuiApplication.clipboard().setText(job.identifier)

    def take_focus(self) -> None:
        """Put the keyboard where the work is."""
        self.tree.setFocus()

    def refresh(self) -> None:
        """Bring rates and times up to now."""
        self.model.tick(self._clock())

    def current_job(self) -> Job | None:
        found = self.model.job_at(self.tree.currentIndex())
        return found[0] if found else None

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._sweep.stop()

    def _make_actions(self) -> None:
        tr = self.tr
        self.cancel_action = make_action(self, tr("&Stop"), self.cancel, "Del")
        self.cancel_action.setStatusTip(tr("Stop the chosen job; what was verified stays kept"))
        self.retry_action = make_action(self, tr("&Try again"), self.retry, "Ctrl+R")
        self.retry_action.setStatusTip(tr("Put the chosen job into the queue once more"))
        self.copy_action = make_action(
            self, tr("Copy &identifier"), self.copy_identifier, "Ctrl+Shift+I"
        )
        self.go_action = make_action(self, tr("Find so&mething to archive"), self._go)

    def _lay_out(self) -> None:
        tr = self.tr
        empty = EmptyPanel(
            self._theme,
            "queue",
            tr("The queue is empty"),
            tr("What you choose to archive waits, arrives and is verified here, file by file."),
        )
        empty.add_action(ActionButton(self.go_action, self._theme, "archive", role="primary"))
        filtered = EmptyPanel(
            self._theme, "ok", tr("None here"), tr("No job is in this state just now.")
        )
        filled = QWidget()
        column = QVBoxLayout(filled)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(3))
        column.addWidget(self.tree, 1)
        column.addWidget(self.card)
        for page in (empty, filled, filtered):
            self.stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(6), 0, space(6), space(5))
        layout.setSpacing(space(4))
        layout.addWidget(self._make_bar())
        layout.addWidget(self.stack, 1)

    def _make_bar(self) -> QWidget:
        self.bar = QWidget()
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(2))
        row.addWidget(self.chips)
        row.addStretch(1)
        row.addWidget(ActionButton(self.copy_action, self._theme, "copy", role="quiet"))
        row.addWidget(ActionButton(self.retry_action, self._theme, "retry"))
        row.addWidget(ActionButton(self.cancel_action, self._theme, "cancel"))
        return self.bar

    def _connect(self) -> None:
        self._desk.events.connect(self._on_events)
        self._desk.queued.connect(self._on_queued)
        self.chips.chosen.connect(self._on_chosen)
        self.model.totalled.connect(self._on_totals)
        self.model.modelReset.connect(self._follow)
        self.tree.selectionModel().currentChanged.connect(self._follow)
        self._tick.timeout.connect(self.refresh)
        self._sweep.timeout.connect(self.tree.viewport().update)

    def _on_events(self, events: list[object]) -> None:
        self.model.apply(events, self._clock())  # type: ignore[arg-type]  # signals carry objects

    def _on_queued(self, ingest_id: str, request: object, options: object) -> None:
        self.model.remember(ingest_id, options)  # type: ignore[arg-type]  # as above

    def _on_chosen(self, state: JobState | None) -> None:
        self.model.set_filter(state)

    def _on_totals(self, totals: Totals) -> None:
        self.chips.show_totals(totals)
        self._follow()

    async def _retry(self, job: Job) -> None:
        await self._desk.enqueue(job.request, job.options)

    def _go(self) -> None:
        self.wants_archive.emit()

    def _follow(self) -> None:
        """Bring page, card, buttons and timers into line with the model."""
        totals = self.model.totals()
        self.bar.setVisible(totals.all > 0)
        is_filled = self.model.rowCount() > 0
        self.stack.setCurrentIndex(FILLED if is_filled else FILTERED if totals.all else EMPTY)
        job = self.current_job()
        self._follow_job(job)
        self._switch(self._tick, totals.running > 0)
        self._switch(self._sweep, self.isVisible() and self.model.has_unmeasured)

    def _follow_job(self, job: Job | None) -> None:
        is_open = job is not None and job.state in (JobState.RUNNING, JobState.WAITING)
        self.cancel_action.setEnabled(is_open)
        self.retry_action.setEnabled(job is not None and job.is_retryable)
        self.copy_action.setEnabled(job is not None)
        found = self.model.job_at(self.tree.currentIndex())
        status = status_of(*found) if found else None
        needs_words = status is not None and not status.is_success
        self.card.setVisible(needs_words)
        if found and status is not None and needs_words:
            self.card.show_outcome(status, self._why(*found))

    def _why(self, job: Job, file: int | None) -> str | None:
        if file is not None:
            return job.files[file].message
        message = job.result.error_message if job.result else None
        bad = [
            f"{entry.path} ({words.outcome(entry.status)})"
            for entry in job.failures(3)
            if entry.status
        ]
        named = ", ".join(bad)
        if job.failed > len(bad):
            named = self.tr("{names} and {count} more").format(
                names=named, count=job.failed - len(bad)
            )
        return "\n".join(part for part in (message, named) if part) or None

    @staticmethod
    def _switch(timer: QTimer, on: bool) -> None:
        if on != timer.isActive():
            (timer.start if on else timer.stop)()
