# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the model of the queue tells beside its rows."""

from PySide6.QtCore import QAbstractItemModel, QObject, Signal

from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.rows import Change


class NotifyingModel(QAbstractItemModel):
    """The signals of the queue's model.

    `totalled` carries the Totals after each batch of events; `ended` each Row that came to its end,
    `asked` each that asks, `came` how many are new, `turned` whether the queue runs from now on,
    `held_up` the first Row that cannot go on while none was so before, `stopped_itself` why the
    queue stopped though nobody wished it, `batch_ended` each BatchEnd. `outdated` says that the
    list of jobs has to be read anew, `files_wanted` carries the Row whose files have to be read
    from its result, `dropped` the ids of jobs that were dragged and that of the one they go before,
    None at the end.
    """

    totalled = Signal(object)
    ended = Signal(object)
    asked = Signal(object)
    came = Signal(int)
    turned = Signal(bool)
    held_up = Signal(object)
    stopped_itself = Signal(str)
    batch_ended = Signal(object)
    outdated = Signal()
    files_wanted = Signal(object)
    dropped = Signal(list, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_held_up = False

    def tell_held_up(self, first: Row | None) -> None:
        """Tell the first that cannot go on, None if all can; once, until all can again."""
        is_new, self._is_held_up = first is not None and not self._is_held_up, first is not None
        if is_new:
            self.held_up.emit(first)

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
