# SPDX-License-Identifier: AGPL-3.0-or-later
"""The queue as a tree of two levels: jobs, and their files.

A file's row has no object of its own: it is an index into its job. Both levels are handed to the
view page by page; sorting and filtering happen here, over everything.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt, Signal

from carrel.model import IngestOptions
from carrel.model import events as ev
from carrel.model.events import Event
from carrel_desktop.views.queue.face import Face, file_face, job_face
from carrel_desktop.views.queue.job import Job, JobState
from carrel_desktop.views.queue.jobs import Jobs, Totals
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.paged_tree import PAGE

Role = Qt.ItemDataRole
FACE_ROLE = Role.UserRole
CHANGED_ROLES = [Role.DisplayRole, Role.AccessibleTextRole, FACE_ROLE]
MOST_MOVES = 20  # more rows that leave or enter a filtered view at once are a reset


class Column(IntEnum):
    DATASET = 0
    PROGRESS = 1
    SPEED = 2
    STATE = 3


class QueueModel(QAbstractItemModel):
    """`totalled` carries the Totals after each batch; `finished` each job that has ended."""

    totalled = Signal(object)
    finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = Jobs()
        self._listed: list[Job] = []
        self._rows: dict[int, int] = {}
        self._shown = 0
        self._is_inserting = False
        self._filter: JobState | None = None
        self._now = 0.0

    # What happens

    def remember(self, ingest_id: str, options: IngestOptions) -> None:
        """Keep how an ingest was asked for, so that it can be asked for again."""
        self._jobs.remember(ingest_id, options)

    def apply(self, events: Sequence[Event], now: float) -> None:
        """Take a batch of events: one change of the rows for all of them."""
        self._now = now
        self._drop_outdated(events)
        change = self._jobs.take(events, now)
        new = {job.serial for job in change.new}
        self._append(change.new)
        self._refilter([job for serial, job in change.moved.items() if serial not in new])
        self._hand_out_files(change.touched.values())
        self._tell(change.touched.values())
        self.totalled.emit(self.totals())
        for job in change.ended:
            self.finished.emit(job)

    def tick(self, now: float) -> None:
        """Let time pass: rates fall, silence grows."""
        self._now = now
        self._tell(self._jobs.running, first=Column.SPEED, with_files=False)
        self.totalled.emit(self.totals())

    def totals(self) -> Totals:
        """Return the queue in one line."""
        return self._jobs.totals(self._now)

    @property
    def has_unmeasured(self) -> bool:
        """Whether a running job has no bar of known length."""
        return any(job.fraction is None for job in self._jobs.running)

    def job_at(self, index: Index) -> tuple[Job, int | None] | None:
        """Return the job of a row, with the file's number if it is a file's."""
        if not index.isValid():
            return None
        serial = index.internalId()
        if serial:
            return self._jobs[serial], index.row()
        return self._listed[index.row()], None

    def set_filter(self, state: JobState | None) -> None:
        """Show the jobs of one state, or all."""
        self._filter = state
        self._list([job for job in self._jobs if self._accepts(job)])

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if column < 0:
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        moved = [self._listed[at.row()] if not at.internalId() else None for at in before]
        self._listed.sort(
            key=lambda job: _sort_key(job, Column(column)),
            reverse=order is Qt.SortOrder.DescendingOrder,
        )
        self._number()
        after = [
            self._index_of(job, at.column()) if job else at
            for job, at in zip(moved, before, strict=True)
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    # What Qt asks

    def index(self, row: int, column: int, parent: Index = TOP) -> QModelIndex:
        if not (0 <= row < self.rowCount(parent) and 0 <= column < len(Column)):
            return QModelIndex()
        serial = self._listed[parent.row()].serial if parent.isValid() else 0
        return self.createIndex(row, column, serial)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # two overloads
        serial = index.internalId() if index.isValid() else 0
        if not serial or serial not in self._rows:
            return QModelIndex()
        return self.createIndex(self._rows[serial], 0, 0)

    def rowCount(self, parent: Index = TOP) -> int:
        if not parent.isValid():
            return self._shown
        job = self._branch(parent)
        return job.shown if job else 0

    def columnCount(self, parent: Index = TOP) -> int:
        return len(Column)

    def hasChildren(self, parent: Index = TOP) -> bool:
        if not parent.isValid():
            return bool(self._listed)
        job = self._branch(parent)
        return bool(job and job.files)

    def canFetchMore(self, parent: Index) -> bool:
        if self._is_inserting:
            return False  # whoever listens to an insertion must not start another within it
        if not parent.isValid():
            return self._shown < len(self._listed)
        job = self._branch(parent)
        return bool(job and job.shown < len(job.files))

    def fetchMore(self, parent: Index) -> None:
        if not self.canFetchMore(parent):
            return
        job = self._branch(parent) if parent.isValid() else None
        shown, there = (job.shown, len(job.files)) if job else (self._shown, len(self._listed))
        more = min(shown + PAGE, there)
        branch = self._index_of(job, 0) if job else QModelIndex()
        with self._insertion(branch, shown, more - 1):
            if job:
                job.shown = more
            else:
                self._shown = more

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and index.internalId():
            flags |= Qt.ItemFlag.ItemNeverHasChildren
        return flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is not Qt.Orientation.Horizontal or role != Role.DisplayRole:
            return None
        return {
            Column.DATASET: self.tr("Dataset"),
            Column.PROGRESS: self.tr("Progress"),
            Column.SPEED: self.tr("Speed"),
            Column.STATE: self.tr("State"),
        }.get(Column(section))

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
        return _text(face, Column(index.column()), role)

    # How it holds together

    def _face(self, index: Index) -> Face | None:
        found = self.job_at(index)
        if found is None:
            return None
        job, file = found
        return job_face(job, self._now) if file is None else file_face(job, file)

    def _drop_outdated(self, events: Sequence[Event]) -> None:
        """Take rows back that the view was given, where the manifest gets another length now."""
        for event in events:
            if isinstance(event, ev.Described):
                self._drop_files(self._jobs.find(event.ingest_id), len(event.item.manifest))
            elif isinstance(event, ev.IngestFinished) and event.result.manifest is not None:
                self._drop_files(self._jobs.find(event.ingest_id), len(event.result.manifest))

    def _drop_files(self, job: Job | None, count: int) -> None:
        if job is None or job.shown == 0 or count == len(job.files):
            return
        self.beginRemoveRows(self._index_of(job, 0), 0, job.shown - 1)
        job.forget_files()
        self.endRemoveRows()

    def _hand_out_files(self, jobs: Iterable[Job]) -> None:
        """Give the view the first files of a job, or it would not know that there are any."""
        for job in jobs:
            index = self._index_of(job, 0)
            if job.shown == 0 and index.isValid():
                self.fetchMore(index)

    def _accepts(self, job: Job) -> bool:
        return self._filter is None or job.state is self._filter

    def _append(self, jobs: list[Job]) -> None:
        accepted = [job for job in jobs if self._accepts(job)]
        if not accepted:
            return
        for job in accepted:
            job.shown = min(PAGE, len(job.files))
        first, is_whole = len(self._listed), self._shown == len(self._listed)
        if not is_whole or first >= PAGE:
            # Below what the view has fetched: it asks for these when one scrolls there.
            self._listed += accepted
            self._number(first)
            return
        shown = min(first + len(accepted), max(PAGE, first))
        with self._insertion(QModelIndex(), first, shown - 1):
            self._listed += accepted
            self._number(first)
            self._shown = shown

    @contextmanager
    def _insertion(self, branch: QModelIndex, first: int, last: int) -> Iterator[None]:
        self._is_inserting = True
        self.beginInsertRows(branch, first, last)
        yield
        self.endInsertRows()
        self._is_inserting = False

    def _refilter(self, moved: list[Job]) -> None:
        if self._filter is None:
            return
        wrong = [job for job in moved if self._accepts(job) is not (job.serial in self._rows)]
        if len(wrong) > MOST_MOVES:
            self.set_filter(self._filter)
            return
        for job in wrong:
            if job.serial in self._rows:
                self._remove(job)
        self._append([job for job in wrong if self._accepts(job)])

    def _remove(self, job: Job) -> None:
        row = self._rows[job.serial]
        is_shown = row < self._shown
        if is_shown:
            self.beginRemoveRows(QModelIndex(), row, row)
            self._shown -= 1
        del self._listed[row]
        del self._rows[job.serial]
        self._number(row)
        if is_shown:
            self.endRemoveRows()

    def _list(self, jobs: list[Job]) -> None:
        self.beginResetModel()
        for job in jobs:
            job.shown = min(PAGE, len(job.files))
        self._listed = jobs
        self._rows.clear()
        self._number()
        self._shown = min(PAGE, len(jobs))
        self.endResetModel()

    def _number(self, first: int = 0) -> None:
        listed = self._listed
        self._rows.update({listed[row].serial: row for row in range(first, len(listed))})

    def _branch(self, index: Index) -> Job | None:
        """Return the job whose files stand below an index, None below a file."""
        if index.internalId() or index.column() != 0 or index.row() >= len(self._listed):
            return None
        return self._listed[index.row()]

    def _index_of(self, job: Job, column: int) -> QModelIndex:
        row = self._rows.get(job.serial, self._shown)
        return self.createIndex(row, column, 0) if row < self._shown else QModelIndex()

    def _tell(
        self, jobs: Iterable[Job], *, first: Column = Column.DATASET, with_files: bool = True
    ) -> None:
        rows = sorted(self._rows[job.serial] for job in jobs if job.serial in self._rows)
        for start, end in runs([row for row in rows if row < self._shown]):
            self.dataChanged.emit(
                self.index(start, first), self.index(end, Column.STATE), CHANGED_ROLES
            )
            if with_files:
                for row in range(start, end + 1):
                    self._tell_files(row)

    def _tell_files(self, row: int) -> None:
        shown = self._listed[row].shown
        if shown:
            job = self.index(row, 0)
            self.dataChanged.emit(
                self.index(0, 0, job), self.index(shown - 1, Column.STATE, job), CHANGED_ROLES
            )


def runs(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Return ascending numbers as first and last of each unbroken run."""
    found: list[tuple[int, int]] = []
    for row in rows:
        if found and row == found[-1][1] + 1:
            found[-1] = (found[-1][0], row)
        else:
            found.append((row, row))
    return found


def _text(face: Face | None, column: Column, role: int) -> str:
    if face is None:
        return ""
    match column:
        case Column.DATASET:
            return face.title if role == Role.DisplayRole else f"{face.title}. {face.second}"
        case Column.PROGRESS:
            spoken = role == Role.AccessibleTextRole and face.percent
            return f"{face.percent}, {face.progress}" if spoken else face.progress
        case Column.SPEED:
            return ", ".join(part for part in (face.speed, face.left) if part)
    if role == Role.DisplayRole or not face.state_detail:
        return face.state
    return f"{face.state}: {face.state_detail}"


def _sort_key(job: Job, column: Column) -> tuple[Any, ...]:
    match column:
        case Column.DATASET:
            return (job.title.casefold(), job.serial)
        case Column.PROGRESS:
            return (job.known_total, job.serial)
        case Column.SPEED:
            return (job.remaining, job.serial)
    return (job.state, job.serial)
