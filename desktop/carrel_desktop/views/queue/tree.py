# SPDX-License-Identifier: AGPL-3.0-or-later
"""The tree of jobs and files: columns that share the room there is, and a choice that outlives
every new list."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QAbstractSlider, QHeaderView

from carrel.translation import tr
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.queue.columns import Column
from carrel_desktop.views.queue.delegate import QueueDelegate
from carrel_desktop.views.queue.job_items import VIEW_MODEL_ROLE
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.row import Row
from carrel_desktop.widgets.indexes import runs
from carrel_desktop.widgets.paged_tree import PagedTree

# Least width in grid steps, and share of the whole where there is more.
WIDTHS = {
    Column.SIZE: (42, 0.13),
    Column.SPEED: (24, 0.1),
    Column.STATE: (46, 0.23),
}
# Columns that give way, the first one first, before titles have less than so many grid steps. Speed
# does soon: it stands with the state then.
GIVE_WAY = {Column.SPEED: 100, Column.FILES: 66}
MEASURED = 100  # jobs
SELECTING = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier


class QueueTree(PagedTree):
    """Right and Left open and close a job, as in every tree; rows that wait can be dragged.

    `is_chosen_by_person` tells what they chose from a row that is chosen because one should be.
    """

    def __init__(self, theme: Theme, model: QueueModel) -> None:
        super().__init__()
        self._queue = model
        self._chosen: list[Row] = []
        self._current: Row | None = None
        self._scrolled = 0
        self._counts = 0  # pixels of the widest count of files that was seen
        self._has_all = False
        self._is_choosing_all = False
        self._is_going_far = False
        self._is_choosing_itself = False
        self.is_chosen_by_person = False
        self.setObjectName("jobs")
        self.setAccessibleName(tr("Jobs and their files"))
        self.setModel(model)
        self.setItemDelegate(QueueDelegate(theme, self))
        self.setMouseTracking(True)
        self.setIndentation(space(5))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._set_up_dragging()
        self._set_up_header()
        self.expanded.connect(lambda index: model.hold(index, is_held=True))
        self.collapsed.connect(lambda index: model.hold(index, is_held=False))
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.verticalScrollBar().sliderMoved.connect(self._on_slider_moved)
        self.verticalScrollBar().actionTriggered.connect(self._on_scroll_action)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        model.rowsInserted.connect(self._on_rows_inserted)
        model.dataChanged.connect(self._on_data_changed)
        model.came.connect(self._on_came)
        model.modelAboutToBeReset.connect(self._remember)
        model.modelReset.connect(self._restore)

    def chosen_rows(self) -> list[Row]:
        """Return the chosen jobs in the order of the list; a chosen file stands for its job."""
        if self._has_all:
            return list(self._queue.listed)
        found: dict[int, Row] = {}
        for index in self._chosen_indexes():
            if at := self._queue.row_at(index):
                found[at[0].serial] = at[0]
        return sorted(found.values(), key=lambda row: row.at)

    def choose(self, rows: list[Row]) -> None:
        """Choose these jobs and no others, as far as the view has them."""
        last = len(Column) - 1
        selection = QItemSelection()
        indexes = map(self._queue.index_of, rows)
        places = sorted(index.row() for index in indexes if index.isValid())
        for first, end in runs(places):
            selection.select(self._queue.index(first, 0), self._queue.index(end, last))
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().select(selection, flag)

    def selectAll(self) -> None:
        """Choose every job of the list, also those that were never scrolled to.

        The view has a few hundred of them: the rest counts as chosen until something else is.
        """
        self._has_all = self._is_choosing_all = True
        super().selectAll()
        self._is_choosing_all = False

    def choose_current(self) -> None:
        """Choose the current row, the first where there is none, unless something is chosen."""
        if self.selectionModel().hasSelection():
            return
        current = self.currentIndex()
        flags = QItemSelectionModel.SelectionFlag
        with self._choosing_itself():
            self.selectionModel().setCurrentIndex(
                current if current.isValid() else self._queue.index(0, 0),
                flags.ClearAndSelect | flags.Rows,
            )

    def choose_first(self) -> None:
        """Choose the first row in place of another that no person chose."""
        if not self.is_chosen_by_person:
            with self._choosing_itself():
                self.setCurrentIndex(self._queue.index(0, 0))
            self.choose_current()
            self.scrollToTop()

    def sweep(self) -> None:
        """Paint the bars anew that have no length yet, and nothing else."""
        if not self.isVisible():
            return
        for row in self._queue.unmeasured:
            self.viewport().update(self.visualRect(self._queue.index_of(row, Column.SIZE)))

    def go_to(self, row: Row) -> None:
        """Make a job the current one, and bring it into sight, if it is listed."""
        if row.at < 0:
            return
        if not self._queue.index_of(row).isValid():
            self._queue.hand_out_all()
        self.setCurrentIndex(self._queue.index_of(row))
        self.scrollTo(self._queue.index_of(row))

    def show_current(self) -> None:
        """Scroll to the current job, to the top if there is none."""
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())
        else:
            self.scrollToTop()

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Go as asked, in the whole list, not in what was handed out so far."""
        actions = QAbstractItemView.CursorAction
        is_far = action in (actions.MoveHome, actions.MoveEnd)
        if is_far and modifiers & SELECTING:
            self._queue.hand_out_all()  # all rows on the way are chosen, or stay it
        elif is_far:
            self._bring(is_end=action is actions.MoveEnd)
        elif action in (actions.MoveUp, actions.MovePageUp, actions.MovePrevious):
            self._fetch_above()
        return super().moveCursor(action, modifiers)

    def _bring(self, *, is_end: bool) -> None:
        """Have the end of the list here, or its beginning, if that is far from what is here."""
        self._is_going_far = True
        if is_end:
            self._queue.show_end()
        else:
            self._queue.show_beginning()
        self._is_going_far = False
        if not self.currentIndex().isValid():  # it is left behind, and Qt starts from some row
            start = self._queue.index(0 if is_end else 1, 0)
            self.selectionModel().setCurrentIndex(start, QItemSelectionModel.SelectionFlag.NoUpdate)

    def _fetch_above(self) -> None:
        """Where the first row is near, fetch those before it; what is in sight stays in sight."""
        bar = self.verticalScrollBar()
        if not self._queue.has_before or bar.value() > self.viewport().height():
            return
        height = self.rowHeight(self._queue.index(0, 0))
        count = self._queue.fetch_before()
        self.executeDelayedItemsLayout()
        bar.setValue(bar.value() + count * height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Give each column its room; counts of files have what they need, and no number is cut."""
        whole = self.viewport().width()
        widths = {
            column: max(space(least), round(whole * share))
            for column, (least, share) in WIDTHS.items()
        }
        needed = self._counts + space(5)
        widths[Column.FILES] = max(needed, self.header().minimumSectionSize())
        room = whole - sum(widths.values())
        for column, least in GIVE_WAY.items():
            is_short = room < space(least)
            self.setColumnHidden(column, is_short)
            room += widths[column] if is_short else 0
        for column, width in widths.items():
            self.setColumnWidth(column, width)

    def _measure(self, first: int, last: int) -> None:
        """Find out how wide the counts of files are of some jobs, the first of them if many."""
        rows = range(first, min(first + MEASURED, last + 1))
        faces = (self._queue.index(at, Column.FILES).data(VIEW_MODEL_ROLE) for at in rows)
        texts = {text for face in faces for text in (face.files, face.files_detail)}
        widest = max(map(self.fontMetrics().horizontalAdvance, texts), default=0)
        if widest > self._counts:
            self._counts = widest
            self._fit_columns()

    def _on_data_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        if first.column() <= Column.FILES and not first.parent().isValid():
            self._measure(first.row(), last.row())

    def _set_up_dragging(self) -> None:
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDropIndicatorShown(True)
        self.setDragDropOverwriteMode(False)

    def _set_up_header(self) -> None:
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(space(14))
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)  # the third click: as they run
        self.setSortingEnabled(True)
        header.setSectionResizeMode(Column.DATASET, QHeaderView.ResizeMode.Stretch)

    def _chosen_indexes(self) -> Iterator[QModelIndex]:
        for part in self.selectionModel().selection().toList():
            for row in range(part.top(), part.bottom() + 1):
                yield self._queue.index(row, 0, part.parent())

    @contextmanager
    def _choosing_itself(self) -> Iterator[None]:
        before, self._is_choosing_itself = self._is_choosing_itself, True
        try:
            yield
        finally:
            self._is_choosing_itself = before

    def _on_selection_changed(self) -> None:
        self._has_all = self._has_all and self._is_choosing_all
        if not self._is_choosing_itself:
            self.is_chosen_by_person = self.selectionModel().hasSelection()

    def _on_slider_moved(self, value: int) -> None:
        """Whoever drags the scroll bar to an end of it wants to see that of the list."""
        if value >= self.verticalScrollBar().maximum():
            self._show_end()
        elif value == 0 and self._queue.has_before:
            self._queue.hand_out_all()

    def _on_scrolled(self) -> None:
        if not self.verticalScrollBar().isSliderDown():  # or it would run away under the hand
            self._fetch_above()

    def _on_scroll_action(self, action: int) -> None:
        if action == QAbstractSlider.SliderAction.SliderToMaximum.value:
            self._show_end()

    def _show_end(self) -> None:
        self._queue.hand_out_all()
        self.executeDelayedItemsLayout()
        bar = self.verticalScrollBar()
        bar.setSliderPosition(bar.maximum())

    def _on_rows_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        if not parent.isValid():
            self._measure(first, last)
            if self._has_all:
                self.selectAll()

    def _on_came(self) -> None:
        """Choose nothing where all were chosen: what is new was not meant."""
        if self._has_all:
            self._has_all = False
            self.clearSelection()

    def _remember(self) -> None:
        current = self._queue.row_at(self.currentIndex())
        self._current = current[0] if current else None
        self._chosen = [] if self._has_all else self.chosen_rows()
        self._scrolled = self.verticalScrollBar().value()

    def _restore(self) -> None:
        for row in self._queue.seen:
            if row.is_held:
                self.expand(self._queue.index_of(row))
        if self._current is not None and self._current.at >= 0:
            flag = QItemSelectionModel.SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(self._queue.index_of(self._current), flag)
        with self._choosing_itself():
            if self._has_all:
                self.selectAll()
            else:
                self.choose(self._chosen)
        if not self._is_going_far:  # else what is to be chosen, and seen, is decided there
            if self.hasFocus() or self.currentIndex().isValid():
                self.choose_current()
            self.executeDelayedItemsLayout()
            self.verticalScrollBar().setValue(self._scrolled)
        self._measure(0, self._queue.rowCount() - 1)
        self._chosen, self._current = [], None
