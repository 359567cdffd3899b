# SPDX-License-Identifier: AGPL-3.0-or-later
"""The batches as a tree: a row of each, which opens to its datasets in its place."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyleOptionViewItem

from carrel.model.batch import BatchProgress
from carrel.translation import tr
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.queue.batch_columns import ADDED, LEFT, REMARKS
from carrel_desktop.views.queue.batch_items import BatchItems
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.rows import Counts
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.paged_tree import PagedTree
from carrel_desktop.widgets.table.delegate import CellDelegate, line_height
from carrel_desktop.widgets.table.view import hidden_columns

MOST_ROWS = 4  # before it scrolls
MOST_OPEN, SHARE = 9, 0.25  # where a batch is open; of the height of the page


class BatchDelegate(CellDelegate):
    """Paints why a dataset stands as it does across two columns, of which it needs but one."""

    def __init__(self, theme: Theme, tree: "BatchTree") -> None:
        super().__init__(theme, line_height(), tree)
        self._tree = tree

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        is_dataset = self._tree.items.job_at(index) is not None
        if is_dataset and index.column() == REMARKS:
            return  # the next cell would paint its ground over what runs on into it
        if is_dataset and index.column() == LEFT:
            index = index.sibling(index.row(), REMARKS)
            option.rect = option.rect.united(self._tree.visualRect(index))
        super()._paint(painter, option, index)


class BatchTree(PagedTree):
    """As high as its rows, up to a few; hidden while there is no batch.

    `chose` says that another batch or dataset, or none, is the chosen one, and `counted` how many
    batches have ended.
    """

    chose = Signal()
    counted = Signal(int)

    def __init__(self, theme: Theme, jobs: QueueModel) -> None:
        super().__init__()
        self._all: Sequence[BatchProgress] = ()
        self._folds_finished, self._jobs = False, jobs
        self.items = BatchItems(jobs.of_batch, jobs.face_of, self)
        jobs.totalled.connect(self._follow_jobs)
        named(self, "batches", tr("Batches and their datasets"))
        self.setModel(self.items)
        self.setItemDelegate(BatchDelegate(theme, self))
        self.setMouseTracking(True)
        self.setIndentation(space(5))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._set_up_header()
        self.items.rowsInserted.connect(self._fit_height)
        self.items.rowsRemoved.connect(self._fit_height)
        self.expanded.connect(self._on_expanded)
        self.collapsed.connect(self._on_collapsed)
        jobs.modelReset.connect(self._want_opened)
        self.selectionModel().selectionChanged.connect(lambda *_: self.chose.emit())
        self.hide()

    def show_batches(self, batches: Sequence[BatchProgress]) -> None:
        """Bring the rows up to date; what is chosen and what is open stays so."""
        self._all = batches
        self.counted.emit(sum(not batch.open for batch in batches))
        chosen, opened = self.chosen_name, self._opened()
        if self._folds_finished:
            batches = [batch for batch in batches if batch.open or batch.name == chosen]
        is_anew = {batch.name for batch in batches} != {each.name for each in self.items.batches}
        self.items.show_batches([self._fresh(batch) for batch in batches])
        if is_anew:
            for name in opened:
                self.expand(self.items.index_of(name))
            self.choose(chosen)
            if chosen and self.chosen_name != chosen:  # it is gone, and the selection said nothing
                self.chose.emit()
        self.setVisible(bool(batches))
        self._fit_height()

    def show_jobs(self) -> None:
        """Have the open batches show their datasets as far as these were read by now."""
        self.items.show_batches(self.items.batches)

    def fold_finished(self, is_wanted: bool) -> None:
        """Leave out the batches of which everything has ended, but for the chosen one."""
        if is_wanted is not self._folds_finished:
            self._folds_finished = is_wanted
            self.show_batches(self._all)

    def choose(self, name: str) -> None:
        """Choose a batch, or none where there is none of this name."""
        index = self.items.index_of(name)
        if index.isValid():
            self.setCurrentIndex(index)
        elif self.selectionModel().hasSelection():
            self.clearSelection()

    @property
    def chosen_name(self) -> str:
        """The name of the chosen batch, also where one of its datasets is chosen; "" for none."""
        return self.chosen.name if self.chosen else ""

    @property
    def chosen(self) -> BatchProgress | None:
        """The chosen batch, also where one of its datasets is chosen; None for none."""
        return self.items.batch_at(self._chosen())

    @property
    def counts(self) -> Counts:
        """How the jobs of the chosen batch stand, those of all where none is chosen."""
        return self._jobs.counts(self.chosen_name)

    @property
    def chosen_job(self) -> Row | None:
        """The job of the chosen dataset, None for none."""
        return self.items.job_at(self._chosen())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _follow_jobs(self) -> None:
        """Have the batches and their datasets say what is said of them among the jobs."""
        batches = self.items.batches
        fresh = [self._fresh(batch) for batch in batches]
        if fresh != batches:
            self.items.show_batches(fresh)
        elif self.items.open_jobs and self.isVisible():
            self.viewport().update()

    def _fresh(self, batch: BatchProgress) -> BatchProgress:
        """Return a batch as its jobs stand by now: the ledger is asked less often."""
        left = batch.seconds_left if self._jobs.is_running else None
        if left is not None:  # the pace of those that ended says little of a large one
            left = max(left, self._jobs.seconds_left(batch.name))
        now = self._jobs.counts(batch.name)
        if now.of(None) != batch.listed_count:  # the jobs are being read
            return replace(batch, seconds_left=left)
        return replace(batch, states=now.states, causes=now.causes, seconds_left=left)

    def _chosen(self) -> QModelIndex:
        chosen = self.selectionModel().selectedRows()
        return chosen[0] if chosen else QModelIndex()

    def _opened(self) -> Sequence[str]:
        names = [batch.name for batch in self.items.batches]
        return [name for name in names if self.isExpanded(self.items.index_of(name))]

    def _set_up_header(self) -> None:
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(space(12))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSortIndicator(ADDED, Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)

    def _on_expanded(self, index: QModelIndex) -> None:
        if (batch := self.items.batch_at(index)) is not None:
            self._jobs.want_batch(batch.name)

    def _want_opened(self) -> None:
        for name in self._opened():
            self._jobs.want_batch(name)

    def _on_collapsed(self, index: QModelIndex) -> None:
        self.items.close(index)

    def _fit_height(self) -> None:
        closed, below = len(self.items.batches), self.items.open_jobs
        rows = min(self._most_open(), closed + below) if below else min(MOST_ROWS, closed)
        self.setFixedHeight(self.header().height() + rows * line_height() + space(3))

    def _most_open(self) -> int:
        """Return how many rows there are at most while a batch is open; the jobs need room."""
        above = self.parentWidget()
        room = round(above.height() * SHARE) // line_height() if above else MOST_OPEN
        return max(MOST_ROWS, min(MOST_OPEN, room))

    def _fit_columns(self) -> None:
        kind, header, mode = self.items.kind, self.header(), QHeaderView.ResizeMode
        hidden = hidden_columns(kind, self.viewport().width())
        for number, column in enumerate(kind.columns):
            self.setColumnHidden(number, number in hidden)
            is_rest = column.takes_rest
            header.setSectionResizeMode(number, mode.Stretch if is_rest else mode.Interactive)
            if not is_rest:
                self.setColumnWidth(number, column.width(is_narrow=bool(hidden)))
