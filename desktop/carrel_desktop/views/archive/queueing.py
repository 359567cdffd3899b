# SPDX-License-Identifier: AGPL-3.0-or-later
"""What becomes of what is listed: the ways from it, and what the queue makes of it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from carrel.errors import CarrelError
from carrel.model import IngestOptions, Job, JobState
from carrel.model.events import Event, JobChanged
from carrel.model.manifest import files_of
from carrel_desktop.command_lines import command
from carrel_desktop.session import Session
from carrel_desktop.views.archive.as_archived import as_archived
from carrel_desktop.views.archive.detection import Detection, State, state_in_queue
from carrel_desktop.views.archive.model import DetectionModel


class DetectionCommands(QObject):
    """`wants_holding` carries the address of a dataset whose holding the person wants to see,
    `wants_job` of one whose job, `wants_mementos` of one whose captures.
    """

    wants_holding = Signal(str)
    wants_job = Signal(str)
    wants_mementos = Signal(str)

    def __init__(self, parent: QObject, current: Callable[[], Detection | None]) -> None:
        super().__init__(parent)
        self._current = current

    def open_landing(self) -> None:
        if (detection := self._current()) and detection.identifier:
            hops = detection.result.hops if detection.result else ()
            QDesktopServices.openUrl(QUrl(hops[-1] if hops else detection.identifier.url))

    def show_holding(self) -> None:
        """Go to what is held of the chosen dataset."""
        if (detection := self._current()) and detection.holding_url:
            self.wants_holding.emit(detection.holding_url)

    def show_job(self) -> None:
        """Go to where the chosen dataset arrives."""
        if (detection := self._current()) and detection.identifier:
            self.wants_job.emit(detection.request.base_url)

    def show_mementos(self) -> None:
        """Go to the captures of an address at which nothing is published."""
        if (detection := self._current()) and detection.identifier:
            self.wants_mementos.emit(detection.request.base_url)

    def copy_command(self) -> None:
        """Put the command that does the same on the clipboard."""
        if (detection := self._current()) and detection.identifier:
            QGuiApplication.clipboard().setText(command(detection.request, detection.options))


class Queueing(QObject):
    """What the queue makes of a dataset is what the list shows of it."""

    def __init__(self, session: Session, model: DetectionModel) -> None:
        super().__init__(model)
        self._session, self._model = session, model
        session.events.connect(self._on_events)

    async def add(self, rows: list[Detection]) -> None:
        """Put datasets into the queue, each with the options chosen for it."""
        by_options: dict[IngestOptions, list[Detection]] = {}
        for row in rows:
            by_options.setdefault(row.options, []).append(row)
        for options, alike in by_options.items():
            await self._add_alike(alike, options)

    async def _add_alike(self, rows: list[Detection], options: IngestOptions) -> None:
        before = [row.state for row in rows]
        requests = [row.request for row in rows]
        for row in rows:
            self._model.set_state(row, State.QUEUED)  # before the answer: no second click counts
        try:
            captions = {row.request.base_url: row.known for row in rows}
            await self._session.call(
                lambda engine: engine.queue.add(requests, options, None, captions)
            )
        except (CarrelError, OSError):
            for row, state in zip(rows, before, strict=True):
                self._model.set_state(row, state)
            raise

    def _on_events(self, events: list[Event]) -> None:
        newest = {it.ingest_id: it.job for it in events if isinstance(it, JobChanged)}
        for job in newest.values():
            if row := self._model.find_url(job.request.base_url):
                self._follow(row, job)

    def _follow(self, row: Detection, job: Job) -> None:
        """Show what became of a dataset, whoever put it into the queue."""
        row.job = job
        if job.state.is_open:
            row.kept = None
            self._model.set_state(row, state_in_queue(job))
        else:
            is_done = job.state is JobState.DONE
            self._model.set_state(row, State.DONE if is_done else State.FAILED)
            self._session.start(self._read_files(row, job))

    async def _read_files(self, row: Detection, job: Job) -> None:
        """Know what became of each file, and how large it turned out to be."""
        if job.ingest_id is None:
            return
        stored = await self._session.read_result(job.ingest_id, dict)
        if row.job is job and stored is not None:  # else it was begun again
            row.kept = files_of(stored)
            row.result = row.result and as_archived(row.result, stored)
            self._model.changed(row)
