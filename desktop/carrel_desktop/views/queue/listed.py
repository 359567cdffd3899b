# SPDX-License-Identifier: AGPL-3.0-or-later
"""The jobs as a list: which are listed, in which order, and which part of them the view has.

The view has an unbroken part: the beginning of the list as a rule, its end where one goes there at
once; more of either side comes page by page. By itself the list keeps its order while states
change, so that nothing jumps under the mouse; `put_in_order`, a new turn, a filter and a reading of
the whole list put it in order.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from operator import attrgetter

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt, Signal

from carrel.model import JobState
from carrel_desktop.views.queue.columns import Column, sort_key
from carrel_desktop.views.queue.done_reading import DoneReading
from carrel_desktop.views.queue.row import Filter, Row
from carrel_desktop.views.queue.rows import Change, Rows
from carrel_desktop.widgets.model_changes import insertion, rearrangement, removal, replacement
from carrel_desktop.widgets.paged_tree import PAGE

MOST_MOVES = 8  # more rows that leave or enter a filtered view at once are a reset


class NotifyingModel(QAbstractItemModel):
    """The signals of the queue's model.

    `totalled` carries the Totals after each batch of events; `ended` each Row that came to its end,
    `asked` each that asks, `came` how many are new, `turned` whether the queue runs from now on,
    `held_up` the first Row that cannot go on while none was so before, `none_held_up` that all can
    again, `stopped_itself` why the queue stopped though no one wished it, `batch_ended` each
    BatchEnd. `outdated` says that the list of jobs has to be read anew, `files_wanted` carries the
    Row whose files have to be read from its result, `done_wanted` that more of what is done has to
    be read, `batch_wanted` carries the name of the batch whose has to be, `dropped` the ids of jobs
    that were dragged and that of the one they go before, None at the end.
    """

    totalled = Signal(object)
    ended = Signal(object)
    asked = Signal(object)
    came = Signal(int)
    turned = Signal(bool)
    held_up = Signal(object)
    none_held_up = Signal()
    stopped_itself = Signal(str)
    batch_ended = Signal(object)
    outdated = Signal()
    files_wanted = Signal(object)
    done_wanted = Signal()
    batch_wanted = Signal(str)
    dropped = Signal(list, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_held_up = False

    def tell_held_up(self, first: Row | None) -> None:
        """Tell the first that cannot go on, None if all can; once, until all can again."""
        was, self._is_held_up = self._is_held_up, first is not None
        if first is not None and not was:
            self.held_up.emit(first)
        elif first is None and was:
            self.none_held_up.emit()

    def tell_change(self, change: Change) -> None:
        """Tell what a batch of events did to the jobs."""
        if change.new:
            self.came.emit(len(change.new))
        for row in change.ended:
            self.ended.emit(row)
        for row in change.asking:
            self.asked.emit(row)
        for end in change.batches:
            self.batch_ended.emit(end)
        if change.why_stopped:
            self.stopped_itself.emit(change.why_stopped)
        if change.is_stale:
            self.outdated.emit()


class ListedModel(NotifyingModel):
    """Rows that come, go and move, for a view that has a part of them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all = Rows()
        self._listed: list[Row] = []
        self._first = 0  # of the listed rows that the view has
        self._shown = 0  # how many these are
        self._is_inserting = False
        self.filter = Filter()
        self._sorting: tuple[Column, bool] | None = None
        self.is_disordered = False
        self.done = DoneReading(self.done_wanted.emit)

    @property
    def listed(self) -> Sequence[Row]:
        """The rows that pass the filter, in their order, whether the view has them or not."""
        return self._listed

    @property
    def seen(self) -> Sequence[Row]:
        """The listed rows that the view has."""
        return self._listed[self._first : self._end]

    @property
    def has_own_order(self) -> bool:
        """Whether the rows stand in the order in which they run."""
        return self._sorting is None

    def index_of(self, row: Row, column: int = 0) -> QModelIndex:
        """Return where a job is in the view, an invalid index where it is not."""
        is_seen = self._first <= row.at < self._end
        return self.createIndex(row.at - self._first, column, 0) if is_seen else QModelIndex()

    def set_filter(self, wanted: Filter) -> None:
        """Show what passes a filter."""
        self.filter = wanted
        self._begin_done()
        self._list(PAGE)
        if self.done.lacks_some:
            self.done.want_more()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; by none (-1), in the order in which they run."""
        is_descending = order is Qt.SortOrder.DescendingOrder
        self._sorting = (Column(column), is_descending) if column >= 0 else None
        if not self.done.lacks_some:
            self._reorder()
        else:
            self._list(PAGE)  # of those that came to their end, others stand in it

    def put_in_order(self) -> None:
        """Have the rows stand as they run, if states changed since they did."""
        if self.is_disordered and self._sorting is None:
            self._reorder()

    # The part that the view has

    @property
    def has_before(self) -> bool:
        """Whether rows are listed before those that the view has."""
        return self._first > 0

    def fetch_before(self, most: int = PAGE) -> int:
        """Give the view so many of the rows before those that it has; return how many."""
        count = min(most, self._first)
        if self._is_inserting or not count:
            return 0
        with self._changing(insertion(self, QModelIndex(), 0, count - 1)):
            self._first -= count
            self._shown += count
        return count

    def show_beginning(self) -> None:
        """Have the view show the first rows in place of others."""
        if self._first:
            self._show_part(0)

    def show_end(self) -> None:
        """Have the view show the last rows; those between are requested as one scrolls there.

        QTreeView looks at each row that it has: of 100,000 that would take more than a second.
        """
        if len(self._listed) - self._end > PAGE:
            self._show_part(len(self._listed) - PAGE)
        while self._end < len(self._listed):
            self.fetchMore(QModelIndex())

    def hand_out_all(self) -> None:
        """Give the view every row of the list: it wants to show the last one."""
        self.fetch_before(self._first)
        whole = len(self._listed)
        if self._shown < whole and not self._is_inserting:
            with self._changing(insertion(self, QModelIndex(), self._shown, whole - 1)):
                self._shown = whole

    @property
    def _end(self) -> int:
        """The place after the last row that the view has."""
        return self._first + self._shown

    def _show_part(self, first: int) -> None:
        """Have the view forget its rows, and take a page that begins with another one."""
        with replacement(self):
            self._first, self._shown = first, min(PAGE, len(self._listed) - first)

    # What is done, as far as it was read

    def _begin_done(self) -> None:
        """List nothing of what is done before its first page was read, if it was not all read."""
        is_unread = self.filter.done is not None and self._all.has_unread(self.filter.batch)
        self.done.begin(is_unread=is_unread)

    def _list_more(self) -> None:
        """List below the others what passes the filter up to where was read by now."""
        more = [row for row in self._all if row.at < 0 and self._is_listed(row)]
        first = len(self._listed)
        self._listed += sorted(more, key=attrgetter("order"))
        self._number(first)
        for row in self._listed[first:]:
            row.shown = min(PAGE, len(row.files))
        self.fetchMore(QModelIndex())

    def _is_listed(self, row: Row) -> bool:
        """Say whether a row stands in the list: it passes the filter, and all before it was read.

        Where rows are sorted by a column, what is done comes last until all of it was read.
        """
        is_there = row.job.state is not JobState.DONE and self._sorting is not None
        return (is_there or self.done.has_read(row)) and self.filter.accepts(row)

    # How rows come, go and move

    def _place(self, rows: Iterable[Row]) -> None:
        """Bring rows into the list, or out of it, as the filter says by now."""
        wrong = [row for row in rows if self._is_listed(row) is not (row.at >= 0)]
        if not wrong:
            return
        if len(wrong) > MOST_MOVES or self._sorting is not None:
            self._list_again()
            return
        for row in wrong:
            if row.at >= 0:
                self._remove(row)
            else:
                self._insert(row)

    def _insert(self, row: Row) -> None:
        at = bisect(self._listed, row.order, key=attrgetter("order"))
        row.shown = min(PAGE, len(row.files))
        is_above = at <= self._first and self._first > 0
        is_below = at >= self._end and (self._end < len(self._listed) or self._shown >= PAGE)
        if is_above or is_below:
            # Outside what the view has fetched: it asks for this when one scrolls there.
            self._first += is_above
            self._listed.insert(at, row)
            self._number(at)
            return
        with self._changing(insertion(self, QModelIndex(), at - self._first, at - self._first)):
            self._shown += 1
            self._listed.insert(at, row)
            self._number(at)

    def _remove(self, row: Row) -> None:
        at, place = row.at, row.at - self._first
        if not 0 <= place < self._shown:
            self._first -= place < 0
            del self._listed[at]
            row.at = -1
            self._number(at)
            return
        with self._changing(removal(self, QModelIndex(), place, place)):
            self._shown -= 1
            del self._listed[at]
            row.at = -1
            self._number(at)

    @contextmanager
    def _changing(self, change: AbstractContextManager[None]) -> Iterator[None]:
        """Insert or remove rows within, and let no one insert others meanwhile."""
        self._is_inserting = True
        try:
            with change:
                yield
        finally:
            self._is_inserting = False

    def _list_again(self) -> None:
        """List everything anew; the view stays where it is in the list."""
        self._list(max(self._shown, PAGE), self._first)

    @contextmanager
    def _exchanging(self) -> Iterator[None]:
        """Exchange the jobs within, then list everything anew: until then all are there of which
        the view has a row, or a row of a file.
        """
        with replacement(self):
            yield
            self._take_listed(max(self._shown, PAGE), self._first)

    def _list(self, shown: int, first: int = 0) -> None:
        """List everything anew, for the view so many rows from the `first` on."""
        with replacement(self):
            self._take_listed(shown, first)

    def _take_listed(self, shown: int, first: int) -> None:
        takes_all = self.filter.is_empty and not self.done.lacks_some
        found = self._all if takes_all else [r for r in self._all if self._is_listed(r)]
        listed = self._sorted(found)
        for row in self._listed:
            row.at = -1
        self.is_disordered = False
        self._listed = listed
        self._shown = min(shown, len(listed))
        self._first = min(first, len(listed) - self._shown)
        for at, row in enumerate(listed):
            row.at = at
            row.shown = min(PAGE, len(row.transfer.files))

    def _reorder(self) -> None:
        """Sort what is listed and keep hold of every row."""
        ordered = self._sorted(self._listed)
        with rearrangement(self):
            before = self.persistentIndexList()
            moved = [self._job_at(index) for index in before]
            self._listed = ordered
            self.is_disordered = False
            self._number()
            after = [
                self.index_of(row, at.column()) if row else at
                for row, at in zip(moved, before, strict=True)
            ]
            self.changePersistentIndexList(before, after)

    def _job_at(self, index: QModelIndex) -> Row | None:
        """Return the job of an index, None for a file, which moves with its job."""
        return None if index.internalId() else self._listed[self._first + index.row()]

    def _sorted(self, rows: Iterable[Row]) -> list[Row]:
        if self._sorting is None:
            return sorted(rows, key=attrgetter("order"))
        column, is_descending = self._sorting
        whole, last = list(rows), []
        if self.done.lacks_some:
            last = [row for row in whole if row.job.state is JobState.DONE]
            whole = [row for row in whole if row.job.state is not JobState.DONE]
        whole.sort(key=lambda row: sort_key(row, column), reverse=is_descending)
        return [*whole, *sorted(last, key=attrgetter("order"))]

    def _number(self, first: int = 0) -> None:
        listed = self._listed
        for at in range(first, len(listed)):
            listed[at].at = at
