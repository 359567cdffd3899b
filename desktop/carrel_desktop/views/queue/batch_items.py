# SPDX-License-Identifier: AGPL-3.0-or-later
"""Batches, and below each that is open its datasets, page by page."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt

from carrel.model.batch import BatchProgress
from carrel_desktop.foreign import in_place
from carrel_desktop.views.queue.batch_columns import ADDED, batch_kind, dataset_kind
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.view_model import ViewModel
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import insertion, rearrangement, removal, replacement
from carrel_desktop.widgets.paged_tree import PAGE
from carrel_desktop.widgets.rows import ALIGN_RIGHT
from carrel_desktop.widgets.table.column import Column, Kind
from carrel_desktop.widgets.table.model import COLUMN_ROLE, ROW_ROLE

Role = Qt.ItemDataRole


@dataclass(slots=True, eq=False)
class Branch:
    """A batch in the tree. `number` never changes; `jobs` are None while it is closed, and `shown`
    of them have been handed to the view."""

    number: int
    batch: BatchProgress
    jobs: Sequence[Row] | None = None
    shown: int = 0


@dataclass(slots=True)
class Order:
    """What the batches are sorted by: the newest first, unless the person wants them otherwise."""

    column: int = ADDED
    is_descending: bool = True
    kind: Kind[BatchProgress] = field(default_factory=batch_kind)

    def sorted(self, batches: Sequence[BatchProgress]) -> list[BatchProgress]:
        """Return batches in this order; those that are equal stay as they are, newest first."""
        key = self.kind.columns[self.column].key
        return sorted(batches, key=key, reverse=self.is_descending)


class BatchItems(QAbstractItemModel):
    """A batch has the number 0, a dataset that of its batch.

    `jobs_of` returns the jobs of a batch in their order, `face_of` what is said of one.
    """

    def __init__(
        self,
        jobs_of: Callable[[str], Sequence[Row]],
        face_of: Callable[[Row], ViewModel],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs_of = jobs_of
        self._order = Order()
        self._datasets = dataset_kind(face_of)
        self._is_changing = False
        self._branches: list[Branch] = []
        self._by_name: dict[str, Branch] = {}
        self._by_number: dict[int, Branch] = {}

    @property
    def kind(self) -> Kind[BatchProgress]:
        return self._order.kind

    @property
    def batches(self) -> Sequence[BatchProgress]:
        """The batches in their order."""
        return [branch.batch for branch in self._branches]

    @property
    def open_jobs(self) -> int:
        """How many datasets stand below the open batches, as far as the view has them."""
        return sum(branch.shown for branch in self._branches)

    def show_batches(self, batches: Sequence[BatchProgress]) -> None:
        """Bring the rows up to date; where batches came or went, a view looks at them anew."""
        ordered = self._order.sorted(batches)
        if {batch.name for batch in ordered} != self._by_name.keys():
            self._replace(ordered)
            return
        for batch in ordered:
            self._by_name[batch.name].batch = batch
        self._rearrange([self._by_name[batch.name] for batch in ordered])
        last = len(self.kind.columns) - 1
        self.dataChanged.emit(self.index(0, 0), self.index(len(ordered) - 1, last))
        for branch in self._branches:
            if branch.jobs is not None:
                self._refresh(branch, branch.jobs)

    def batch_at(self, index: Index) -> BatchProgress | None:
        """Return the batch of a row, its own or that of a dataset; None for none."""
        branch = self._branch_at(index)
        return branch.batch if branch else None

    def job_at(self, index: Index) -> Row | None:
        """Return the job of a dataset's row, None for a batch or none."""
        branch = self._by_number.get(index.internalId()) if index.isValid() else None
        return branch.jobs[index.row()] if branch and branch.jobs else None

    def index_of(self, name: str) -> QModelIndex:
        """Return where a batch stands, an invalid index if it does not."""
        branch = self._by_name.get(name)
        return self.index(self._branches.index(branch), 0) if branch else QModelIndex()

    def close(self, index: Index) -> None:
        """Forget the datasets of a batch that no one looks at."""
        branch = self._branch_at(index)
        if branch is None or index.internalId() or branch.jobs is None:
            return
        self._exchange(branch, None)

    # What a view asks

    def index(self, row: int, column: int = 0, parent: Index = TOP) -> QModelIndex:
        if not (0 <= row < self.rowCount(parent) and 0 <= column < self.columnCount()):
            return QModelIndex()
        number = self._branches[parent.row()].number if parent.isValid() else 0
        return self.createIndex(row, column, number)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # two overloads
        branch = self._by_number.get(index.internalId()) if index.isValid() else None
        return self.createIndex(self._branches.index(branch), 0, 0) if branch else QModelIndex()

    def rowCount(self, parent: Index = TOP) -> int:
        if not parent.isValid():
            return len(self._branches)
        return 0 if parent.internalId() or parent.column() else self._branches[parent.row()].shown

    def columnCount(self, parent: Index = TOP) -> int:
        return len(self.kind.columns)

    def hasChildren(self, parent: Index = TOP) -> bool:
        if not parent.isValid():
            return bool(self._branches)
        branch = self._branch_at(parent)
        return not parent.internalId() and branch is not None and branch.batch.listed_count > 0

    def canFetchMore(self, parent: Index) -> bool:
        branch = self._branch_at(parent)
        if branch is None or parent.internalId() or self._is_changing:
            return False  # whoever listens to a change must not start another within it
        return branch.jobs is None or branch.shown < len(branch.jobs)

    def fetchMore(self, parent: Index) -> None:
        branch = self._branch_at(parent)
        if branch is None or not self.canFetchMore(parent):
            return
        if branch.jobs is None:
            branch.jobs = self._jobs_of(branch.batch.name)
        self._hand_out(branch)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the batches by a column; the datasets of each stay as they run."""
        is_descending = order is Qt.SortOrder.DescendingOrder
        self._order = Order(max(column, 0), is_descending, self.kind)
        ordered = self._order.sorted(self.batches)
        self._rearrange([self._by_name[batch.name] for batch in ordered])

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is not Qt.Orientation.Horizontal or section >= self.columnCount():
            return None
        column = self.kind.columns[section]
        if role == Role.TextAlignmentRole:
            return ALIGN_RIGHT if column.is_number else None
        return column.heading if role == Role.DisplayRole else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        row = self.job_at(index) or self.batch_at(index)
        if row is None:
            return None
        kind: Kind[Any] = self._datasets if isinstance(row, Row) else self.kind
        return _cell(kind, row, index.column(), role)

    def _branch_at(self, index: Index) -> Branch | None:
        if not index.isValid():
            return None
        return self._by_number.get(index.internalId()) or self._branches[index.row()]

    # How rows come, go and move

    def _replace(self, batches: Sequence[BatchProgress]) -> None:
        with replacement(self):
            first = max(self._by_number, default=0) + 1
            self._branches = [Branch(first + at, batch) for at, batch in enumerate(batches)]
            self._by_name = {branch.batch.name: branch for branch in self._branches}
            self._by_number = {branch.number: branch for branch in self._branches}

    def _rearrange(self, ordered: list[Branch]) -> None:
        if ordered == self._branches:
            return
        with rearrangement(self):
            before = [index for index in self.persistentIndexList() if not index.internalId()]
            moved = [self._branches[index.row()] for index in before]
            self._branches = ordered
            after = [
                self.createIndex(ordered.index(branch), index.column(), 0)
                for branch, index in zip(moved, before, strict=True)
            ]
            self.changePersistentIndexList(before, after)

    def _refresh(self, branch: Branch, before: Sequence[Row]) -> None:
        """Bring the datasets of an open batch up to date; each keeps its place."""
        now = self._jobs_of(branch.batch.name)
        there = self.index_of(branch.batch.name)
        if set(now) == set(before):
            if branch.shown:
                last = self.index(branch.shown - 1, self.columnCount() - 1, there)
                self.dataChanged.emit(self.index(0, 0, there), last)
            return
        self._exchange(branch, now)
        self._hand_out(branch)

    def _exchange(self, branch: Branch, jobs: Sequence[Row] | None) -> None:
        """Take other jobs, none of which a view has been given."""
        if not branch.shown:
            branch.jobs = jobs
            return
        with self._changing(removal(self, self.index_of(branch.batch.name), 0, branch.shown - 1)):
            branch.jobs, branch.shown = jobs, 0

    def _hand_out(self, branch: Branch) -> None:
        more = min(branch.shown + PAGE, len(branch.jobs or ()))
        if more > branch.shown:
            there = self.index_of(branch.batch.name)
            with self._changing(insertion(self, there, branch.shown, more - 1)):
                branch.shown = more

    @contextmanager
    def _changing(self, change: AbstractContextManager[None]) -> Iterator[None]:
        self._is_changing = True
        try:
            with change:
                yield
        finally:
            self._is_changing = False


def _cell(kind: Kind[Any], row: object, number: int, role: int) -> Any:
    """Return what a cell says in a role."""
    column: Column[Any] = kind.columns[number]
    match role:
        case Role.DisplayRole:
            return in_place(column.text(row))
        case Role.ToolTipRole:
            return in_place(column.tip(row) if column.tip else column.text(row))
        case Role.AccessibleTextRole if number == 0:
            return kind.said(row)
        case Role.TextAlignmentRole if column.is_number:
            return ALIGN_RIGHT
        case int() if role == COLUMN_ROLE:
            return column
        case int() if role == ROW_ROLE:
            return row
    return None
