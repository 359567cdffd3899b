# SPDX-License-Identifier: AGPL-3.0-or-later
"""The widgets of the page and where they stand."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from carrel.translation import tr
from carrel_desktop.theme import Theme, fixed_font, scaled_font, space
from carrel_desktop.views.archives.actions import SourceActions
from carrel_desktop.views.archives.model import SourcesModel
from carrel_desktop.views.archives.pane import PaneActions, SourcePane
from carrel_desktop.views.archives.panels import BrokenPanel, FixedPanel
from carrel_desktop.views.archives.source_list import SourceList
from carrel_desktop.views.archives.trials import USUAL_URL, remembered_url
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import ElidedLabel, wrapped
from carrel_desktop.widgets.wrapping_row import WrappingRow

BLANK, BROKEN, FILLED = 0, 1, 2
NOTHING, SOURCE, FIXED = 0, 1, 2
LEAST_CHOOSER = 40  # grid steps


class ArchivesLayout(QWidget):
    """At the left the sources and their tests, at the right the chosen one, below the file."""

    def __init__(
        self, theme: Theme, model: SourcesModel, actions: SourceActions, folder: Path
    ) -> None:
        super().__init__()
        self._theme, self._actions = theme, actions
        self.collections = QComboBox()
        self.count = ElidedLabel()
        self.list = SourceList(theme, model)
        self.url = QLineEdit(remembered_url())
        self.progress = ElidedLabel()
        self.removal = QFrame()
        self.removed = wrapped()
        self.place = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.pane = SourcePane(theme, folder, PaneActions(actions.save, actions.undo))
        self.fixed = FixedPanel(theme)
        self.broken = BrokenPanel(theme, actions.open_file, actions.reload)
        self.right = QStackedWidget()
        self.stack = QStackedWidget()
        self._name_parts()
        for widget in (self._make_nothing(), self.pane, self.fixed):
            self.right.addWidget(widget)
        for widget in (QWidget(), self.broken, self._make_split()):
            self.stack.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(3))
        layout.addWidget(self.stack, 1)
        layout.addLayout(self._make_foot())

    def _name_parts(self) -> None:
        self.collections.setObjectName("collection")
        self.collections.setAccessibleName(tr("Collection"))
        self.collections.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.collections.setMinimumContentsLength(12)
        self.url.setObjectName("test_url")
        self.url.setAccessibleName(tr("URL to test with"))
        self.url.setPlaceholderText(USUAL_URL)
        for label in (self.count, self.progress):
            label.setProperty("tone", "secondary")
            label.setFont(scaled_font(0.93))

    def _make_split(self) -> QSplitter:
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(space(3))
        split.setChildrenCollapsible(False)
        split.addWidget(self._make_left())
        split.addWidget(self.right)
        split.setStretchFactor(0, 4)
        split.setStretchFactor(1, 5)
        split.setSizes([space(80), space(112)])
        return split

    def _make_left(self) -> QWidget:
        left = QWidget()
        layout = QVBoxLayout(left)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(2))
        layout.addLayout(self._make_top())
        layout.addWidget(self.count)
        layout.addWidget(self.list, 1)
        layout.addLayout(self._make_orders())
        layout.addWidget(self._make_removal())
        layout.addWidget(self._make_test())
        return left

    def _make_top(self) -> WrappingRow:
        row = WrappingRow(space(2))
        row.setContentsMargins(1, 1, 1, 1)
        row.add_filling(self.collections, space(LEAST_CHOOSER))
        row.add_stretch()
        row.addWidget(ActionButton(self._actions.add, self._theme, "add"))
        return row

    def _make_orders(self) -> WrappingRow:
        actions = self._actions
        row = WrappingRow(0)
        row.addWidget(_pair(actions.edit, actions.remove))
        row.add_stretch()
        row.addWidget(_pair(actions.up, actions.down))
        return row

    def _make_removal(self) -> QFrame:
        self.removal.setProperty("card", "notice")
        row = QHBoxLayout(self.removal)
        row.setContentsMargins(space(3), space(1.5), space(1.5), space(1.5))
        row.setSpacing(space(2))
        row.addWidget(self.removed, 1)
        row.addWidget(ActionButton(self._actions.put_back, role="quiet"))
        self.removal.hide()
        return self.removal

    def _make_test(self) -> QFrame:
        card = QFrame()
        card.setProperty("card", True)
        label = QLabel(tr("Query for"))
        label.setProperty("tone", "secondary")
        first = QHBoxLayout()
        first.setSpacing(space(2))
        first.addWidget(label)
        first.addWidget(self.url, 1)
        second = QHBoxLayout()
        second.setSpacing(space(2))
        second.addWidget(self.progress, 1)
        second.addWidget(ActionButton(self._actions.test_all))
        second.addWidget(ActionButton(self._actions.test))
        layout = QVBoxLayout(card)
        layout.setContentsMargins(space(3), space(3), space(3), space(3))
        layout.setSpacing(space(2))
        layout.addLayout(first)
        layout.addLayout(second)
        return card

    def _make_nothing(self) -> QWidget:
        return EmptyPanel(
            self._theme,
            "building",
            tr("No source is chosen"),
            tr("Select a source on the left, or add one."),
        )

    def _make_foot(self) -> QHBoxLayout:
        self.place.setFont(fixed_font(0.9))
        self.place.setProperty("tone", "secondary")
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(IconLabel(self._theme, "file", "secondary", 4.5))
        row.addWidget(self.place, 1)
        self.foot_buttons = [
            ActionButton(self._actions.reload, self._theme, "retry", role="quiet"),
            ActionButton(self._actions.open_file, self._theme, "link", role="quiet"),
        ]
        for button in self.foot_buttons:
            row.addWidget(button)
        return row


def _pair(first: QAction, second: QAction) -> QWidget:
    """Return two quiet buttons that stay side by side."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    for action in (first, second):
        row.addWidget(ActionButton(action, role="quiet"))
    return made
