# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Archive page: paste, look, choose, archive."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QMimeData, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QAction,
    QDesktopServices,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QHideEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QFileDialog, QWidget

from carrel.engine.batches import Batch
from carrel.errors import CarrelError
from carrel.model import IngestOptions, IngestStrategy, JobState, Paste
from carrel.model.events import Event, JobChanged, StageEntered
from carrel_desktop import quantities, words
from carrel_desktop.command_lines import command
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.archive.batch_card import BatchCard
from carrel_desktop.views.archive.batches import BatchOffers
from carrel_desktop.views.archive.layout import ArchiveLayout
from carrel_desktop.views.archive.looks import Looks
from carrel_desktop.views.archive.model import (
    IN_QUEUE,
    Detection,
    DetectionModel,
    State,
    identifier_of,
    not_understood,
    state_in_queue,
)
from carrel_desktop.widgets.actions import make_action

SPIN_MS = 80
RUN = "preview-"
LOOKED_AT_AGAIN = (State.REFUSED, State.HELD, State.DONE, State.FAILED)


class ArchiveView(QWidget):
    """Paste anything, see what it is, start to archive it.

    `queued` is emitted when something was put into the queue. `wants_holding` carries the address
    of a dataset whose holding the person wants to see, `wants_job` of one whose job.
    """

    queued = Signal()
    wants_holding = Signal(str)
    wants_job = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._count = 0
        self.model = DetectionModel(self)
        self._looks = Looks(session, self.model)
        self._make_actions()
        self.batches = BatchOffers(session, partial(BatchCard, theme))
        self.setAcceptDrops(True)
        self.ui = ArchiveLayout(self, theme, self.model)
        self._spin = QTimer(self)
        self._spin.setInterval(SPIN_MS)
        self._connect()
        self._follow()

    def _make_actions(self) -> None:
        tr = self.tr
        self.look_action = make_action(self, tr("&Look"), self.look, "Ctrl+L")
        self.look_action.setStatusTip(tr("See what is there; nothing is fetched yet"))
        self.open_list_action = make_action(self, tr("&Open a list…"), self.open_list, "Ctrl+O")
        self.open_list_action.setStatusTip(
            tr("Read datasets from CSV, TSV, JSON lines, BibTeX, RIS, bookmarks or plain text")
        )
        self.paste_action = make_action(self, tr("&Paste and look"), self.paste, "Ctrl+V")
        self.archive_action = make_action(self, tr("&Archive"), self.archive, "Ctrl+Return")
        self.archive_all_action = make_action(
            self, tr("Arch&ive all"), self.archive_all, "Ctrl+Shift+Return"
        )
        self.archive_all_action.setStatusTip(
            tr("Put every dataset into the queue that can be had and is not held as it is")
        )
        self.landing_action = make_action(self, tr("La&nding page"), self.open_landing)
        self.holding_action = make_action(self, tr("Show in Holdin&gs"), self.show_holding)
        self.holding_action.setStatusTip(tr("See what is held of it, file by file"))
        self.job_action = make_action(self, tr("Show its &job"), self.show_job)
        self.job_action.setStatusTip(tr("See on the Queue page how far it is, file by file"))
        self.command_action = make_action(
            self, tr("Copy as co&mmand"), self.copy_command, "Ctrl+Shift+C"
        )
        self.empty_field_action = make_action(self, tr("Empt&y the field"), self.empty_field, "Esc")
        self.clear_action = make_action(self, tr("&Clear the list"), self.clear, "Ctrl+Shift+Del")

    @property
    def menu_groups(self) -> list[list[QAction]]:
        return [self.actions_in_menu]

    @property
    def actions_in_menu(self) -> list[QAction]:
        return [
            self.paste_action,
            self.look_action,
            self.open_list_action,
            self.archive_action,
            self.archive_all_action,
            self.landing_action,
            self.holding_action,
            self.job_action,
            self.command_action,
            self.empty_field_action,
            self.clear_action,
            *self.batches.actions_in_menu,
        ]

    def _connect(self) -> None:
        ui = self.ui
        ui.paste.looked.connect(self.look)
        ui.paste.lists_given.connect(self.batches.read)
        self.batches.listed.connect(self._on_batch)
        self.batches.changed.connect(self._follow)
        ui.paste.textChanged.connect(self._follow)
        ui.paste.textChanged.connect(ui.told.put_away)
        ui.list.selectionModel().currentChanged.connect(self._show_current)
        ui.list.opened.connect(self._on_opened)
        ui.detail.strategy_chosen.connect(self._on_strategy)
        self.model.dataChanged.connect(self._on_changed)
        self.model.rowsInserted.connect(self._follow)
        self.model.modelReset.connect(self._follow)
        self._spin.timeout.connect(ui.list.viewport().update)
        self._session.events.connect(self._on_queue_events)
        self._session.side_events.connect(self._on_events)
        self._session.measured.connect(self._on_measured)
        self._session.opened.connect(self._follow)

    def paste(self) -> None:
        """Paste the clipboard anywhere on the page."""
        mime: QMimeData = QGuiApplication.clipboard().mimeData()
        self.ui.paste.take(mime)
        self.look()

    def open_list(self) -> None:
        """Ask for files of identifiers."""
        dialog = QFileDialog(self, self.tr("Open a list of datasets"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        lists = self.tr(
            "Lists (*.txt *.csv *.tsv *.jsonl *.bib *.ris *.xml *.md"
            " *.html *.url *.webloc *.desktop)"
        )
        dialog.setNameFilters([lists, self.tr("All files (*)")])
        dialog.filesSelected.connect(self._on_lists_selected)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def look(self) -> None:
        """Preview everything in the paste field that is not in the list yet."""
        text = self.ui.paste.toPlainText()
        if text.strip() and self._session.is_open:
            self.ui.paste.empty()
            self._session.start(self._look(text), is_asked=True)

    def archive(self) -> None:
        """Put the chosen detection into the queue: also again, and beyond the limits."""
        detection = self.current()
        if detection and detection.can_be_archived:
            self._session.start(self._enqueue([detection]), is_asked=True)

    def archive_all(self) -> None:
        """Put everything into the queue that can be had and is not held as it is."""
        ready = [row for row in self.model if row.state is State.READY]
        self._session.start(self._enqueue(ready), is_asked=True)

    def open_landing(self) -> None:
        detection = self.current()
        if detection and detection.identifier:
            hops = detection.result.hops if detection.result else ()
            QDesktopServices.openUrl(QUrl(hops[-1] if hops else detection.identifier.url))

    def show_holding(self) -> None:
        """Go to what is held of the chosen dataset."""
        detection = self.current()
        if detection and detection.holding_url:
            self.wants_holding.emit(detection.holding_url)

    def show_job(self) -> None:
        """Go to where the chosen dataset arrives."""
        detection = self.current()
        if detection and detection.identifier:
            self.wants_job.emit(detection.request.base_url)

    def copy_command(self) -> None:
        """Put the command that does the same on the clipboard."""
        detection = self.current()
        if detection and detection.identifier:
            text = command(detection.request, detection.options)
            QGuiApplication.clipboard().setText(text)

    def empty_field(self) -> None:
        """Take back what was pasted; the list stays."""
        self.ui.paste.empty()
        self.ui.paste.setFocus()

    def clear(self) -> None:
        """Empty the list; running previews are given up."""
        self._looks.give_up()
        self.model.clear()
        self.ui.paste.empty()
        self.ui.told.put_away()
        self.ui.paste.setFocus()

    def take_focus(self) -> None:
        """Put the keyboard where the work is."""
        (self.ui.list if len(self.model) else self.ui.paste).setFocus()

    def keep_focus(self) -> None:
        self.take_focus()

    def refresh(self) -> None:
        """Look again at what could not be had."""
        for row in list(self.model):
            if row.state is State.REFUSED and row.identifier:
                self._look_again(row)

    def current(self) -> Detection | None:
        return self.model.at(self.ui.list.currentIndex())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a drop anywhere on the page."""
        self.ui.paste.dragEnterEvent(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.ui.paste.dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.ui.paste.dropEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._spin.stop()

    async def _look(self, text: str) -> None:
        paste = await self._session.read(lambda engine: engine.understand(text))
        known = [self.model.find_url(found.url) for found in paste.identifiers]
        self._list(self._detections(paste), [row for row in known if row])

    def _list(self, detections: list[Detection], known: list[Detection]) -> None:
        """List what was found, choose the first, and look at each; say what was listed already."""
        self.model.append(detections)
        for row in [*detections, *known][:1]:
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            index = self.model.index_of(row)
            self.ui.list.selectionModel().setCurrentIndex(index, flag)
            self.ui.list.scrollTo(index)
            self.ui.list.setFocus()
        for row in detections:
            if row.identifier:
                self._looks.start(row)
        if known:
            self._tell_known(known)

    def _tell_known(self, known: list[Detection]) -> None:
        """Say which were listed already; look again where that may show something else."""
        again = [row for row in known if row.state in LOOKED_AT_AGAIN]
        if len(known) == 1:
            text = self.tr("{name} is in the list already.")
            sentences = [text.format(name=self.model.title(known[0]))]
        else:
            sentences = [
                quantities.counted(len(known), "", "{count} of these are in the list already.")
            ]
        if again:
            one, many = "It is looked at again.", "{count} are looked at again."
            one = one if len(known) == 1 else "1 is looked at again."
            sentences.append(quantities.counted(len(again), one, many))
        for row in again:
            self._look_again(row)
        self.ui.told.say(" ".join(sentences))

    def _look_again(self, row: Detection) -> None:
        self.model.look_again(row)
        self._looks.start(row)

    def _detections(self, paste: Paste) -> list[Detection]:
        rows = [
            Detection(self._key(), found.line, found.value, found)
            for found in paste.identifiers
            if not self.model.holds(found.url)
        ]
        return rows + [
            not_understood(self._key(), line, text) for line, text in paste.not_understood
        ]

    def _on_batch(self, batch: Batch, most: int | None) -> None:
        """List the datasets of a batch, so many at most, and the lines that hold none."""
        rows, known = [], []
        for number, request in enumerate(batch.requests[:most], 1):
            if row := self.model.find_url(request.base_url):
                known.append(row)
            else:
                found = identifier_of(request, number)
                rows.append(Detection(self._key(), number, found.value, found, given=request))
        if most is None:
            rows += [not_understood(self._key(), it.line, it.text) for it in batch.problems]
        self._list(rows, known)

    def _key(self) -> str:
        self._count += 1
        return f"{RUN}{self._count}"

    async def _enqueue(self, rows: list[Detection]) -> None:
        by_options: dict[IngestOptions, list[Detection]] = {}
        for row in rows:
            by_options.setdefault(row.options, []).append(row)
        for options, alike in by_options.items():
            await self._enqueue_alike(alike, options)
        self.queued.emit()

    async def _enqueue_alike(self, rows: list[Detection], options: IngestOptions) -> None:
        before = [row.state for row in rows]
        for row in rows:
            self.model.set_state(row, State.QUEUED)  # before the answer: no second click counts
        try:
            await self._session.call(
                lambda engine: engine.add([row.request for row in rows], options)
            )
        except (CarrelError, OSError):
            for row, state in zip(rows, before, strict=True):
                self.model.set_state(row, state)
            raise

    def _on_events(self, events: list[Event]) -> None:
        for event in events:
            row = self.model.find(event.ingest_id)
            if row and row.state is State.LOOKING and isinstance(event, StageEntered):
                row.doing = event.detail or words.stage(event.stage)
                self.model.changed(row)

    def _on_queue_events(self, events: list[Event]) -> None:
        """Follow what the queue makes of what is listed here."""
        newest = {it.ingest_id: it.job for it in events if isinstance(it, JobChanged)}
        for job in newest.values():
            row = self.model.find_url(job.request.base_url)
            if row is None:
                continue
            if job.state.is_open and row.state in (*IN_QUEUE, State.DONE, State.FAILED):
                self.model.set_state(row, state_in_queue(job))  # also what is tried again there
            elif not job.state.is_open and row.state in IN_QUEUE:
                row.ended = job
                is_done = job.state is JobState.DONE
                self.model.set_state(row, State.DONE if is_done else State.FAILED)

    def _on_opened(self) -> None:
        """Archive what was not archived yet; second thoughts take more than a double click."""
        detection = self.current()
        if detection and detection.state is State.READY:
            self.archive()

    def _on_changed(self) -> None:
        self._follow()
        self._show_current()

    def _on_strategy(self, strategy: IngestStrategy | None) -> None:
        detection = self.current()
        if detection:
            detection.strategy = strategy

    def _on_lists_selected(self, paths: list[str]) -> None:
        self.batches.read([Path(path) for path in paths])

    def _on_measured(self) -> None:
        self.ui.detail.show_room(self._session.free_bytes)

    def _show_current(self) -> None:
        detection = self.current()
        self._follow_current(detection)
        if detection:
            self.ui.detail.show_detection(detection, self._session.free_bytes)

    def _follow(self) -> None:
        """Bring buttons, empty panel and spinner into line with what is there."""
        has_text = bool(self.ui.paste.toPlainText().strip())
        self.look_action.setEnabled(has_text and self._session.is_open)
        ready = self.model.count(State.READY)
        self.archive_all_action.setEnabled(ready > 0)
        self.clear_action.setEnabled(len(self.model) > 0 or has_text)
        self.ui.show_counts(self.model)
        is_spinning = self.isVisible() and self.model.count(State.LOOKING) > 0
        if is_spinning != self._spin.isActive():
            (self._spin.start if is_spinning else self._spin.stop)()
        self._follow_current(self.current())

    def _follow_current(self, detection: Detection | None) -> None:
        is_found = detection is not None and detection.identifier is not None
        can_be_archived = detection is not None and detection.can_be_archived
        if not can_be_archived and self.ui.detail.has_focus:
            self.ui.list.setFocus()  # before what holds it is gone, and it falls anywhere
        self.archive_action.setEnabled(can_be_archived)
        self._name_archiving(detection)
        self.landing_action.setEnabled(is_found)
        has_page = detection is None or bool(detection.result and detection.result.item)
        landing, address = self.tr("La&nding page"), self.tr("Ope&n the address")
        self.landing_action.setText(landing if has_page else address)
        self.job_action.setEnabled(detection is not None and detection.state in IN_QUEUE)
        self.holding_action.setEnabled(detection is not None and bool(detection.holding_url))
        self.command_action.setEnabled(is_found)

    def _name_archiving(self, detection: Detection | None) -> None:
        """Have the button say what it does: a first time, once more, or beyond the limits."""
        text, tip = self.tr("&Archive"), self.tr("Put the chosen dataset into the queue")
        if detection and detection.is_beyond_limits:
            text = self.tr("&Archive all the same")
            tip = self.tr("Put it into the queue, and lift the limits for this one")
        elif detection and detection.was_archived:
            text = self.tr("&Archive again")
            tip = self.tr("Put it into the queue once more, to be kept as chosen now")
        self.archive_action.setText(text)
        self.archive_action.setStatusTip(tip)
