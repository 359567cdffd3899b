# SPDX-License-Identifier: AGPL-3.0-or-later
"""The queue as a tree of two levels: jobs, and their files.

A file's row has no object of its own: it is an index into its job. Both levels are handed to the
view page by page; which jobs are listed, and in which order, is decided in `listed`.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt

from carrel.model import Job, JobState, ManifestFile, Status
from carrel.model import events as ev
from carrel.model.events import Event
from carrel_desktop.views.queue.columns import Column, heading, text
from carrel_desktop.views.queue.dragging import JOBS_FORMAT, dragged, first_movable, job_ids_in
from carrel_desktop.views.queue.face import Face, file_face, job_face
from carrel_desktop.views.queue.listed import ListedModel
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.rows import Totals
from carrel_desktop.views.queue.transfer import Transfer
from carrel_desktop.widgets.indexes import TOP, Index, runs
from carrel_desktop.widgets.paged_tree import PAGE
from carrel_desktop.widgets.rows import ALIGN_RIGHT

Role = Qt.ItemDataRole
FACE_ROLE = Role.UserRole
CHANGED_ROLES = [Role.DisplayRole, Role.AccessibleTextRole, FACE_ROLE]


class QueueModel(ListedModel):
    """The queue for a view."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = 0.0
        self._is_running = False
        self._has_read = False

    # What happens

    def apply(self, events: Sequence[Event], now: float) -> None:
        """Take a batch of events: one change of the rows for all of them."""
        self._now = now
        self._drop_outdated(events)
        change = self._all.take(events, now)
        if change.is_running is not None:
            self.set_running(change.is_running)
        self._place({row.serial: row for row in [*change.new, *change.moved.values()]}.values())
        self._is_disordered = self._is_disordered or bool(change.moved)
        if change.disordered and self._sorting is None:
            self._reorder()
        self._hand_out_files(change.touched.values())
        self._let_go(change.touched.values())
        self._tell(change.touched.values())
        self.totalled.emit(self.totals())
        self.tell_held_up(self._all.first_held_up)
        self.tell_change(change)

    @property
    def has_read(self) -> bool:
        """Whether the list of all jobs was read: before that, none being there means nothing."""
        return self._has_read

    def begin_reading(self) -> None:
        """Expect the list of all jobs in slices."""
        self._all.begin_reading()

    def read(self, jobs: Sequence[Job]) -> None:
        """Take a slice of the list of all jobs; nothing is seen of it yet."""
        self._all.read(jobs)

    def end_reading(self) -> None:
        """Show the list that was read."""
        count = self._all.end_reading()
        self._list_again()
        self.totalled.emit(self.totals())
        if count and self._has_read:  # the first reading finds what was there before
            self.came.emit(count)
        self._has_read = True
        self.tell_held_up(self._all.first_held_up)

    def set_running(self, is_running: bool) -> None:
        """Take whether the queue runs."""
        if is_running is not self._is_running:
            self._is_running = is_running
            self.turned.emit(is_running)

    @property
    def unnamed(self) -> Sequence[Row]:
        """Closed jobs whose dataset may have a DOI that nobody has told yet."""
        return [row for row in self._all if row.may_have_doi]

    def name_datasets(self, dois: Mapping[str, str]) -> None:
        """Take the DOIs of datasets, by the address that was asked for."""
        rows = [row for row in self.unnamed if row.job.request.base_url in dois]
        for row in rows:
            row.set_doi(dois[row.job.request.base_url])
        self._place(rows)
        self._tell(rows)

    def show_files(self, ingest_id: str, files: Sequence[ManifestFile]) -> None:
        """Take the files of a closed job, as they were read from its result."""
        row = self._all.find_attempt(ingest_id)
        if row is not None and row.can_load:
            row.transfer = Transfer.of_manifest(files)
            self._hand_out_files([row])
            self._tell([row])

    def tick(self, now: float) -> None:
        """Let time pass: rates fall, silence grows."""
        self._now = now
        self._tell(self._all.running, first=Column.SPEED, with_files=False)
        self.totalled.emit(self.totals())

    def hold(self, index: Index, *, is_held: bool) -> None:
        """Keep the files of a job that the view has open; let those of a closed one go else."""
        row = self._branch(index)
        if row is not None:
            row.is_held = is_held
            self._let_go([row])

    # What is asked

    def totals(self) -> Totals:
        """Return the queue in one line."""
        return self._all.totals(self._now)

    @property
    def causes(self) -> Mapping[Status, int]:
        """How many jobs are not kept, by outcome."""
        return self._all.causes

    @property
    def is_running(self) -> bool:
        """Whether the queue runs."""
        return self._is_running

    @property
    def has_unmeasured(self) -> bool:
        """Whether a running job has no bar of known length."""
        return any(row.transfer.fraction is None for row in self._all.running)

    def rows(self, state: JobState) -> list[Row]:
        """Return the jobs in a state, listed or not, in the order in which they run."""
        found = [row for row in self._all if row.job.state is state]
        return sorted(found, key=attrgetter("order"))

    def find(self, job_id: str) -> Row | None:
        return self._all.find(job_id)

    def open_of(self, base_url: str) -> Row | None:
        """Return the job of this address that is still to come to its end, None if there is none.

        There is one at most: an address that waits is not added again.
        """
        asked = (row for row in self._all if row.job.request.base_url == base_url)
        return next((row for row in asked if row.job.state.is_open), None)

    def row_at(self, index: Index) -> tuple[Row, int | None] | None:
        """Return the job of a row, with the file's number if it is a file's."""
        if not index.isValid():
            return None
        serial = index.internalId()
        if serial:
            return self._all[serial], index.row()
        return self._listed[self._first + index.row()], None

    # What Qt asks

    def index(self, row: int, column: int, parent: Index = TOP) -> QModelIndex:
        if not (0 <= row < self.rowCount(parent) and 0 <= column < len(Column)):
            return QModelIndex()
        serial = self._listed[self._first + parent.row()].serial if parent.isValid() else 0
        return self.createIndex(row, column, serial)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # two overloads
        serial = index.internalId() if index.isValid() else 0
        return self.index_of(self._all[serial]) if serial else QModelIndex()

    def rowCount(self, parent: Index = TOP) -> int:
        if not parent.isValid():
            return self._shown
        row = self._branch(parent)
        return row.shown if row else 0

    def columnCount(self, parent: Index = TOP) -> int:
        return len(Column)

    def hasChildren(self, parent: Index = TOP) -> bool:
        if not parent.isValid():
            return bool(self._listed)
        row = self._branch(parent)
        return bool(row and row.has_files)

    def canFetchMore(self, parent: Index) -> bool:
        if self._is_inserting:
            return False  # whoever listens to an insertion must not start another within it
        if not parent.isValid():
            return self._end < len(self._listed)
        row = self._branch(parent)
        return bool(row and (row.can_load or row.shown < len(row.files)))

    def fetchMore(self, parent: Index) -> None:
        if not self.canFetchMore(parent):
            return
        row = self._branch(parent) if parent.isValid() else None
        if row and row.can_load:
            self.files_wanted.emit(row)
            return
        whole = len(self._listed) - self._first
        shown, there = (row.shown, len(row.files)) if row else (self._shown, whole)
        more = min(shown + PAGE, there)
        branch = self.index_of(row) if row else QModelIndex()
        with self._insertion(branch, shown, more - 1):
            if row:
                row.shown = more
            else:
                self._shown = more

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid():
            return flags | Qt.ItemFlag.ItemIsDropEnabled
        if index.internalId():
            return flags | Qt.ItemFlag.ItemNeverHasChildren
        if self.has_own_order and self._listed[self._first + index.row()].is_movable:
            flags |= Qt.ItemFlag.ItemIsDragEnabled
        return flags

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [JOBS_FORMAT]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        places = {index.row() for index in indexes if not index.internalId()}
        rows = [self.seen[place] for place in sorted(places)]
        return dragged([row.job for row in rows if row.is_movable])

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Tell where jobs were dropped; the rows move when the engine has moved the jobs."""
        job_ids = job_ids_in(data)
        if job_ids and not parent.isValid() and self.has_own_order:
            below = self._listed[self._first + row :] if row >= 0 else []
            self.dropped.emit(job_ids, first_movable(below, job_ids))
        return False  # the view shall not take the dragged rows away itself

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Role.TextAlignmentRole and section in (Column.FILES, Column.SIZE):
            return ALIGN_RIGHT
        is_text = role == Role.DisplayRole and section < len(Column)
        return heading(Column(section)) if is_text else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid() or role not in (
            Role.DisplayRole,
            Role.AccessibleTextRole,
            Role.ToolTipRole,
            FACE_ROLE,
        ):
            return None
        face = self._face(index)
        if role == FACE_ROLE:
            return face
        if face is None:
            return ""
        return text(face, Column(index.column()), is_spoken=role != Role.DisplayRole)

    # How it holds together

    def _face(self, index: Index) -> Face | None:
        found = self.row_at(index)
        if found is None:
            return None
        row, file = found
        if file is not None:
            return file_face(row.transfer, file)
        return job_face(row, self._now, is_queue_running=self.is_running)

    def _drop_outdated(self, events: Sequence[Event]) -> None:
        """Take rows back that the view was given, where other files come in their place."""
        for event in events:
            if isinstance(event, ev.Described):
                row = self._all.find_attempt(event.ingest_id)
                self._drop_files(row, len(event.item.manifest))
            elif isinstance(event, ev.IngestFinished) and event.result.manifest is not None:
                row = self._all.find_attempt(event.ingest_id)
                self._drop_files(row, len(event.result.manifest))
            elif isinstance(event, ev.JobChanged):
                row = self._all.find(event.job.job_id)
                if row is not None and row.job.ingest_id != event.job.ingest_id:
                    self._drop_files(row, -1)

    def _drop_files(self, row: Row | None, count: int) -> None:
        if row is None or row.shown == 0 or count == len(row.files):
            return
        index = self.index_of(row)
        if not index.isValid():
            row.let_go()  # the view has not come so far
            return
        with self._removal(index, 0, row.shown - 1):
            row.let_go()

    def _let_go(self, rows: Iterable[Row]) -> None:
        """Forget the files of closed jobs that nobody looks at."""
        for row in rows:
            if row.is_held or row.job.state is JobState.RUNNING or not row.files:
                continue
            self._drop_files(row, -1)
            row.let_go()

    def _hand_out_files(self, rows: Iterable[Row]) -> None:
        """Give the view the first files of a job, or it would not know that there are any."""
        for row in rows:
            index = self.index_of(row)
            if row.shown == 0 and row.files and index.isValid():
                with self._insertion(index, 0, min(PAGE, len(row.files)) - 1):
                    row.shown = min(PAGE, len(row.files))

    def _branch(self, index: Index) -> Row | None:
        """Return the job whose files stand below an index, None below a file."""
        at = self._first + index.row()
        if index.internalId() or index.column() != 0 or at >= len(self._listed):
            return None
        return self._listed[at]

    def _tell(
        self, rows: Iterable[Row], *, first: Column = Column.DATASET, with_files: bool = True
    ) -> None:
        seen = (row.at for row in rows if self._first <= row.at < self._end)
        places = sorted(at - self._first for at in seen)
        for start, end in runs(places):
            self.dataChanged.emit(
                self.index(start, first), self.index(end, Column.STATE), CHANGED_ROLES
            )
            if with_files:
                for place in range(start, end + 1):
                    self._tell_files(place)

    def _tell_files(self, place: int) -> None:
        shown = self._listed[self._first + place].shown
        if shown:
            job = self.index(place, 0)
            self.dataChanged.emit(
                self.index(0, 0, job), self.index(shown - 1, Column.STATE, job), CHANGED_ROLES
            )
