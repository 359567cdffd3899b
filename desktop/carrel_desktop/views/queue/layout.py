# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Queue page's widgets and where they stand."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.queue.actions import QueueActions
from carrel_desktop.views.queue.causes import Causes
from carrel_desktop.views.queue.graph import RateGraph
from carrel_desktop.views.queue.pane import JobPane
from carrel_desktop.views.queue.places import Places
from carrel_desktop.views.queue.tree import QueueTree
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.labels import PlainLabel
from carrel_desktop.widgets.reading_panel import ReadingPanel
from carrel_desktop.widgets.wrapping_row import WrappingRow

EMPTY, FILLED, NONE_FOUND, READING = range(4)
BESIDE, ABOVE = 0.67, 0.6  # what the tree gets of the width, or of the height
LEAST_SEARCH, MOST_SEARCH = 40, 95  # grid steps
# Grid steps; from here on the pane stands beside the tree, which has room for its columns, not
# below it.
WIDE = 275


class TurningSplitter(QSplitter):
    """Two things side by side where there is room, else one above the other."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._is_wide: bool | None = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_wide = event.size().width() >= space(WIDE)
        if is_wide is not self._is_wide:
            self._is_wide = is_wide
            self._turn(event.size())
        super().resizeEvent(event)

    def _turn(self, size: QSize) -> None:
        if self._is_wide:
            self.setOrientation(Qt.Orientation.Horizontal)
            self.setSizes(parts(size.width(), BESIDE))
        else:
            self.setOrientation(Qt.Orientation.Vertical)
            self.setSizes(parts(size.height(), ABOVE))


def parts(whole: int, share: float) -> list[int]:
    """Return a length in two."""
    first = round(whole * share)
    return [first, whole - first]


class QueueLayout(QWidget):
    """Above, places, filters and the rate; below, the tree and the pane of what is chosen."""

    def __init__(
        self,
        theme: Theme,
        session: Session,
        actions: QueueActions,
        tree: QueueTree,
        go_action: QAction,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._actions = actions
        self.places = Places()
        self.search = QLineEdit()
        self._keys = SearchKeys(self)
        self.causes = Causes(theme)
        self.graph = RateGraph(theme)
        self.idle = PlainLabel()
        self.idle.setProperty("tone", "secondary")
        self.idle.setObjectName("idle")
        self.tree = tree
        self.tree.addActions(actions.for_rows)
        self.pane = JobPane(theme, actions.for_pane)
        self.reading = ReadingPanel(session, theme, "queue")
        self.stack = QStackedWidget()
        self._fill_stack(go_action)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(3))
        layout.addWidget(self._make_bar())
        layout.addWidget(self.stack, 1)

    def _fill_stack(self, go_action: QAction) -> None:
        empty = EmptyPanel(
            self._theme,
            "queue",
            tr("The queue is empty"),
            tr(
                "Datasets that you archive are queued here, and their files are downloaded and "
                "verified."
            ),
        )
        go = ActionButton(go_action, self._theme, "archive", role="primary")
        empty.add_action(go)
        none = EmptyPanel(self._theme, "search", tr("No matches"), tr("No jobs match the filters."))
        split = TurningSplitter()
        split.setHandleWidth(space(3))
        split.setChildrenCollapsible(False)
        split.addWidget(self.tree)
        split.addWidget(self.pane)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        self.tree.setMinimumSize(space(90), space(28))
        self.pane.setMinimumHeight(space(30))
        for page in (empty, split, none, self.reading):
            self.stack.addWidget(page)

    def _make_bar(self) -> QWidget:
        self.search.setObjectName("find_job")
        self.search.setPlaceholderText(tr("Find by title, identifier, address or batch"))
        self.search.setAccessibleName(tr("Find in the queue"))
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(space(MOST_SEARCH))
        self.search.installEventFilter(self._keys)
        above = QHBoxLayout()
        above.addWidget(self.places, 1)
        self.toggle = self._make_toggle()
        above.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignTop)
        below = WrappingRow(space(2))
        below.add_filling(self.search, space(LEAST_SEARCH))
        below.addWidget(self.causes)
        below.add_stretch()
        below.addWidget(self.graph)
        below.addWidget(self.idle)
        self.bar = QWidget()
        rows = QVBoxLayout(self.bar)
        rows.setContentsMargins(1, 1, 1, 1)
        rows.setSpacing(space(3))
        rows.addLayout(above)
        rows.addLayout(below)
        return self.bar

    def show_at_work(self, *, is_idle: bool, is_moving: bool, hint: str) -> None:
        """Offer to start or stop what there is to do, and the rate of what moves; else say that
        the queue is idle."""
        self.toggle.setVisible(not is_idle)
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


class SearchKeys(QObject):
    """Esc empties the search field, Down goes from it to the tree."""

    def __init__(self, ui: QueueLayout) -> None:
        super().__init__(ui)
        self._ui = ui

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self._ui.search.clear()
                return True
            if event.key() == Qt.Key.Key_Down:
                if self._ui.stack.currentIndex() == FILLED:
                    self._ui.tree.setFocus()
                    self._ui.tree.choose_current()
                return True
        return super().eventFilter(watched, event)
