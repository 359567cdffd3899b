# SPDX-License-Identifier: AGPL-3.0-or-later
"""Jobs, and below each its files, as the tree asks for them: page by page, to be dragged."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt

from carrel.model import Job, JobState
from carrel.translation import tr
from carrel_desktop.views.queue.columns import Column, headings, text
from carrel_desktop.views.queue.listed import ListedModel
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.transfer import Transfer
from carrel_desktop.views.queue.view_model import ViewModel, file_view_model, job_view_model
from carrel_desktop.widgets.indexes import TOP, Index, runs
from carrel_desktop.widgets.model_changes import insertion, removal
from carrel_desktop.widgets.paged_tree import PAGE
from carrel_desktop.widgets.rows import ALIGN_RIGHT

JOBS_FORMAT = "application/x-carrel-jobs"
Role = Qt.ItemDataRole
VIEW_MODEL_ROLE = Role.UserRole
CHANGED_ROLES = [Role.DisplayRole, Role.AccessibleTextRole, VIEW_MODEL_ROLE]


def dragged(jobs: Sequence[Job]) -> QMimeData:
    """Return jobs as they are dragged: for us their ids, for other programs their addresses."""
    data = QMimeData()
    data.setData(JOBS_FORMAT, "\n".join(job.job_id for job in jobs).encode())
    data.setText("\n".join(job.request.base_url for job in jobs))
    return data


def job_ids_in(data: QMimeData) -> list[str]:
    """Return the ids of dragged jobs, none for anything else."""
    text = bytes(data.data(JOBS_FORMAT).data()).decode() if data.hasFormat(JOBS_FORMAT) else ""
    return text.split("\n") if text else []


def first_movable(rows: Sequence[Row], dragged_ids: Sequence[str]) -> str | None:
    """Return the first of these jobs that has a turn and is not dragged itself, None for none."""
    moving = set(dragged_ids)
    for row in rows:
        if row.is_movable and row.job.job_id not in moving:
            return row.job.job_id
    return None


def _never(*names: str) -> str:
    """Say that no host asked for a pause."""
    return ""


class JobItems(ListedModel):
    """What a view needs of the listed jobs. A job has the number 0, a file that of its job."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = 0.0
        self.is_running, self.held_back = False, ""
        self.is_paused_elsewhere = False  # in an archive that is only read
        self.why_paused: Callable[..., str] = _never
        self._said: tuple[Row, Job, Transfer, tuple[float, str], ViewModel] | None = None

    @property
    def why_waiting(self) -> str:
        """Why no job begins, "" if those that wait do so for their turn."""
        may_run = self.is_running and not self.is_paused_elsewhere
        return self.held_back if may_run else tr("Queue paused")

    def hold(self, index: Index, *, is_held: bool) -> None:
        """Keep the files of a job that the view has open; let those of a closed one go else."""
        if row := self._branch(index):
            row.is_held = is_held
            self._let_go([row])

    def row_at(self, index: Index) -> tuple[Row, int | None] | None:
        """Return the job of a row, with the file's number if it is a file's."""
        if not index.isValid():
            return None
        if serial := index.internalId():
            return self._all[serial], index.row()
        return self._listed[self._first + index.row()], None

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
            is_asking = self.done.lacks_some and not self.done.is_reading
            return self._end < len(self._listed) or is_asking
        row = self._branch(parent)
        return bool(row and (row.can_load or row.shown < len(row.files)))

    def fetchMore(self, parent: Index) -> None:
        if not self.canFetchMore(parent):
            return
        row = self._branch(parent) if parent.isValid() else None
        if row and row.can_load:
            self.files_wanted.emit(row)
            return
        if row is None and self._end == len(self._listed):
            self.done.want_more()
            return
        whole = len(self._listed) - self._first
        shown, there = (row.shown, len(row.files)) if row else (self._shown, whole)
        more = min(shown + PAGE, there)
        branch = self.index_of(row) if row else QModelIndex()
        with self._changing(insertion(self, branch, shown, more - 1)):
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
        return headings()[section] if is_text else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid() or role not in (
            Role.DisplayRole,
            Role.AccessibleTextRole,
            Role.ToolTipRole,
            VIEW_MODEL_ROLE,
        ):
            return None
        face = self._face(index)
        if role == VIEW_MODEL_ROLE:
            return face
        if face is None:
            return ""
        return text(face, Column(index.column()), is_spoken=role != Role.DisplayRole)

    def _face(self, index: Index) -> ViewModel | None:
        found = self.row_at(index)
        if found is None:
            return None
        row, file = found
        if file is not None:
            return file_view_model(row, file)
        return self.face_of(row)

    def face_of(self, row: Row) -> ViewModel:
        """Return what a job says; each column of its row asks, one after the other.

        What it says of a transfer changes with the events, which bring another moment.
        """
        job, transfer, moment = row.job, row.transfer, (self._now, self.why_waiting)
        if self._said is not None:
            of, was, by, at, said = self._said
            if of is row and was is job and by is transfer and at == moment:
                return said
        told = job_view_model(row, self._now, self.why_waiting, self._paused(row))
        if job.state is not JobState.RUNNING:
            self._said = (row, job, transfer, moment, told)
        return told

    def _paused(self, row: Row) -> str:
        """Return why a running job's host gets no requests, "" if it does."""
        if row.job.state is not JobState.RUNNING:
            return ""
        item = row.transfer.item
        domain = item.platform_domain if item else ""
        return self.why_paused(row.job.request.base_url, domain, row.transfer.doing)

    def _drop_files(self, row: Row | None, count: int) -> None:
        if row is None or row.shown == 0 or count == len(row.files):
            return
        index = self.index_of(row)
        if not index.isValid():
            row.let_go()  # the view has not come so far
            return
        with self._changing(removal(self, index, 0, row.shown - 1)):
            row.let_go()

    def _let_go(self, rows: Iterable[Row]) -> None:
        """Forget the files of closed jobs that no one looks at."""
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
                with self._changing(insertion(self, index, 0, min(PAGE, len(row.files)) - 1)):
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
        self._said = None
        seen = (row.at for row in rows if self._first <= row.at < self._end)
        places = sorted(at - self._first for at in seen)
        for start, end in runs(places):
            last = self.index(end, Column.STATE)
            self.dataChanged.emit(self.index(start, first), last, CHANGED_ROLES)
            if with_files:
                for place in range(start, end + 1):
                    self._tell_files(place)

    def _tell_files(self, place: int) -> None:
        shown = self._listed[self._first + place].shown
        if shown:
            job = self.index(place, 0)
            last = self.index(shown - 1, Column.STATE, job)
            self.dataChanged.emit(self.index(0, 0, job), last, CHANGED_ROLES)
