# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Queue page's widgets and where they stand."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from carrel.model import JobState, Status
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.foreign import shown
from carrel_desktop.icons import icon
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.queue.actions import QueueActions
from carrel_desktop.views.queue.batch_tree import BatchTree
from carrel_desktop.views.queue.graph import RateGraph
from carrel_desktop.views.queue.pane import JobPane
from carrel_desktop.views.queue.rows import STATES, Counts
from carrel_desktop.views.queue.tree import QueueTree
from carrel_desktop.widgets.actions import ActionButton, make_action
from carrel_desktop.widgets.chips import Chips
from carrel_desktop.widgets.choice_box import ChoiceBox
from carrel_desktop.widgets.empty_panel import EmptyPanel, ReadingPanel
from carrel_desktop.widgets.labels import PlainLabel, named
from carrel_desktop.widgets.layouts import (
    at_top,
    boxed,
    horizontal,
    rest,
    set_right,
    stacked,
    vertical,
    wrapping,
)
from carrel_desktop.widgets.search_field import SearchField

ORDER = (None, *STATES)
# Places that stand there only while something is in them, or they are chosen.
RARE = frozenset({JobState.ASKING, JobState.PAUSED, JobState.CANCELLED})
OUTSTANDING = "outstanding"  # in the place of a cause
EMPTY, FILLED, NONE_FOUND, READING = range(4)
BESIDE, ABOVE = 0.67, 0.6  # what the tree gets of the width, or of the height
LEAST_SEARCH, MOST_SEARCH = 40, 95  # grid steps
# Grid steps; from here on the pane stands beside the tree, which has room for its columns, not
# below it.
WIDE = 275
# Below this height the jobs take the room of the pane and of finished batches, until those are
# asked for.
LOW = 125


class Causes(ChoiceBox):
    """The outcome to show, or any; or of what failed only that which was not archived since."""

    chosen = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(letters=16)
        self._theme = theme
        self._shown: Counts | None = None
        self.setObjectName("causes")
        self.setAccessibleName(tr("Cause"))
        self.activated.connect(self._on_activated)
        self.show_counts(Counts())

    @property
    def cause(self) -> Status | None:
        data = self.currentData()
        return None if data is None or self.is_outstanding else Status(data)

    @property
    def is_outstanding(self) -> bool:
        """Whether what failed and was not archived since is to be shown."""
        return bool(self.currentData() == OUTSTANDING)

    def choose(self, cause: Status | None) -> None:
        """Show the jobs of one outcome, or of any."""
        at = self.findData(cause)
        if at >= 0:
            self.setCurrentIndex(at)
            self._on_activated()

    def choose_outstanding(self) -> None:
        """Show what failed and was not archived since, also before it is known what was."""
        if self.findData(OUTSTANDING) < 0:
            self._offer_outstanding(self._shown or Counts())
        self.setCurrentIndex(self.findData(OUTSTANDING))
        self._on_activated()

    def show_counts(self, counts: Counts) -> None:
        """Offer the outcomes there are, the most frequent first; what is chosen stays."""
        causes = counts.causes
        if self._shown is not None and _offered(self._shown) == _offered(counts):
            return
        self._shown = counts
        chosen, was_outstanding = self.cause, self.is_outstanding
        ranked = sorted(causes, key=lambda status: (-causes[status], words.outcome(status)))
        if chosen is not None and chosen not in causes:
            ranked.append(chosen)
        self.clear()
        self.addItem(tr("Any cause"), None)
        if counts.overcome or was_outstanding:
            self._offer_outstanding(counts)
        for status in ranked:
            image = icon(self._theme, words.outcome_icon(status), words.outcome_tone(status))
            count = quantities.number(causes.get(status, 0))
            self.addItem(image, f"{words.outcome(status)}  {count}", status)
        before = OUTSTANDING if was_outstanding else chosen
        self.setCurrentIndex(max(0, self.findData(before)) if before is not None else 0)
        self.setEnabled(bool(ranked) or was_outstanding)

    def _offer_outstanding(self, counts: Counts) -> None:
        count = quantities.number(counts.outstanding)
        self.insertItem(1, f"{tr('Not archived since')}  {count}", OUTSTANDING)
        self.setEnabled(True)

    def _on_activated(self) -> None:
        self.chosen.emit()


def _offered(counts: Counts) -> tuple[object, ...]:
    return counts.causes, counts.overcome, counts.outstanding


class Places(Chips[JobState | None]):
    """`chosen` carries the state to show, None for all."""

    def __init__(self) -> None:
        super().__init__(ORDER, ["all", *(state.value for state in STATES)])
        self.button(JobState.ASKING).setProperty("role", "asking")
        self.show_counts(Counts())

    def show_counts(self, counts: Counts) -> None:
        """Bring the counts up to date."""
        for state in ORDER:
            word = tr("All") if state is None else words.job_state(state)
            count = counts.of(state)
            self.show_count(state, word, count)
            if state in RARE:
                button = self.button(state)
                button.setVisible(count > 0 or button.isChecked())


class TurningSplitter(QSplitter):
    """Two things side by side where there is room, else one above the other."""

    def __init__(self, first: QWidget, second: QWidget) -> None:
        way = Qt.Orientation.Vertical
        super().__init__(way, handleWidth=space(3), childrenCollapsible=False)
        self._is_wide: bool | None = None
        for part, share in ((first, 3), (second, 2)):
            self.addWidget(part)
            self.setStretchFactor(self.indexOf(part), share)

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_wide = event.size().width() >= space(WIDE)
        if is_wide is not self._is_wide:
            self._is_wide, ways = is_wide, Qt.Orientation
            self.setOrientation(ways.Horizontal if is_wide else ways.Vertical)
            set_right(self)
            whole = event.size().width() if is_wide else event.size().height()
            first = round(whole * (BESIDE if is_wide else ABOVE))
            self.setSizes([first, whole - first])
        super().resizeEvent(event)


class QueueLayout(QWidget):
    """Above, places, filters and the rate; below, the tree and the pane of what is chosen."""

    def __init__(
        self,
        theme: Theme,
        session: Session,
        actions: QueueActions,
        tree: QueueTree,
        go_action: QAction,
        all_batches: QAction,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._actions = actions
        self._batches: BatchTree | None = None
        self._finished = 0
        self.places = Places()
        hint = tr("Find by title, identifier, address or batch")
        self.search = SearchField("find_job", hint, tr("Find in the queue"))
        self.search.setMaximumWidth(space(MOST_SEARCH))
        self.causes = Causes(theme)
        self.graph = RateGraph(theme)
        self.idle = named(PlainLabel(), "idle")
        self.idle.setProperty("tone", "secondary")
        self.tree = tree
        self.tree.addActions(actions.for_rows)
        self.pane = JobPane(theme, actions)
        self.reading = ReadingPanel(session, theme, "queue")
        clear = make_action(self, tr("Clear filters"), self.clear_filters)
        wider = (ActionButton(each, hides=True) for each in (clear, all_batches))
        self.none = EmptyPanel(theme, "search", tr("No matches"), "", *wider)
        self.stack = self._make_stack(ActionButton(go_action, theme, "archive", role="primary"))
        self.toggle = self._make_toggle()
        held = ActionButton(actions.retry_held, theme, "retry", hides=True)
        above = horizontal(rest(self.places), at_top(held), at_top(self.toggle))
        search = rest(self.search, least=LEAST_SEARCH)
        ways = [ActionButton(it, role="chip", hides=True) for it in self._ways]
        for way, action in zip(ways, self._ways, strict=True):
            way.setCheckable(True)
            action.toggled.connect(way.setChecked)
        below = wrapping(search, self.causes, *ways, rest(), self.graph, self.idle, gap=2)
        self.bar = boxed(vertical(above, below, gap=3, pixels=1))
        self._above = vertical(gap=0)
        vertical(self.bar, self._above, rest(self.stack), gap=3, on=self)
        self.search.left.connect(self._on_left)

    def show_batches_in(self, batches: BatchTree) -> None:
        """Have the batches stand above the jobs."""
        self._batches = batches
        self._above.addWidget(batches)
        batches.counted.connect(self._on_counted)

    def clear_filters(self) -> None:
        """Show the jobs of every state and outcome, whatever they are called."""
        self.search.clear()
        self.places.choose(None)
        self.causes.choose(None)

    def show_details(self) -> None:
        """Show the pane in a low window, or not."""
        self._fit_height()

    def show_finished(self) -> None:
        """Show the finished batches in a low window, or not."""
        self._fit_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()

    @property
    def _ways(self) -> Sequence[QAction]:
        return self._actions.details, self._actions.finished

    def _on_counted(self, finished: int) -> None:
        self._finished = finished
        text = quantities.counted(finished, "1 finished batch", "{count} finished batches")
        self._actions.finished.setText(text)
        self._fit_height()

    def _fit_height(self) -> None:
        """Give the jobs the room that there is in a low window."""
        details, finished = self._ways
        is_low = self.height() < space(LOW) and self.width() < space(WIDE)
        details.setEnabled(is_low)
        finished.setEnabled(is_low and self._finished > 0)
        self.pane.setVisible(not is_low or details.isChecked())
        if self._batches is not None:
            self._batches.fold_finished(is_low and not finished.isChecked())

    def _make_stack(self, go: ActionButton) -> QStackedWidget:
        theme = self._theme
        text = tr(
            "Datasets that you archive are queued here, and their files are downloaded and "
            "compared with their checksums."
        )
        empty = EmptyPanel(theme, "queue", tr("The queue is empty"), text, go)
        self.tree.setMinimumSize(space(90), space(28))
        self.pane.setMinimumHeight(space(30))
        self.tree.setMinimumHeight(space(12))
        listed = TurningSplitter(self.tree, self.pane)
        listed.setMinimumHeight(space(46))  # with less, the page scrolls
        return stacked(empty, listed, self.none, self.reading)

    def show_none_of(self, batch: str) -> None:
        """Say that no job passes the filters, of a batch if one is chosen."""
        words = tr("No jobs match the filters.")
        if batch:
            words = tr("No jobs of the batch “{name}” match the filters.", name=shown(batch))
        self.none.sentence.setText(words)
        self.stack.setCurrentIndex(NONE_FOUND)

    def show_counts(self, counts: Counts) -> None:
        """Say how many jobs there are to choose from by state and outcome."""
        self.places.show_counts(counts)
        self.causes.show_counts(counts)

    def show_at_work(self, *, is_idle: bool, can_toggle: bool, is_moving: bool, hint: str) -> None:
        """Offer to start or stop the queue where that makes a difference, and the rate of what
        moves; else say that the queue is idle."""
        self.toggle.setVisible(can_toggle)
        self.graph.setVisible(is_moving)
        self.idle.setVisible(is_idle)
        if self.idle.text() != hint:
            self.idle.setText(hint)

    def _make_toggle(self) -> ActionButton:
        """Return the button that starts and stops the queue, wide enough for either word."""
        actions = self._actions
        button = ActionButton(actions.toggle, self._theme, texts=actions.toggle_texts)
        policy = button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # or all below it would jump as work begins and ends
        button.setSizePolicy(policy)
        return button

    def _on_left(self) -> None:
        if self.stack.currentIndex() == FILLED:
            self.tree.setFocus()
            self.tree.choose_current()
