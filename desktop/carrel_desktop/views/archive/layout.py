# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Archive page's widgets and where they stand."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from carrel.translation import tr
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.archive.actions import ArchiveActions
from carrel_desktop.views.archive.batch_card import BatchCard
from carrel_desktop.views.archive.detail import DetailPane
from carrel_desktop.views.archive.detection_list import DetectionList
from carrel_desktop.views.archive.model import DetectionModel, State
from carrel_desktop.views.archive.paste_field import PasteField
from carrel_desktop.views.archive.told_line import ToldLine
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.labels import wrapped

EMPTY, FILLED = 0, 1
LINES_EMPTY, LINES_FILLED = 6, 1


class ArchiveLayout(QWidget):
    """Above, the field to paste into; below, the list and the chosen one, or what to do."""

    def __init__(
        self, theme: Theme, model: DetectionModel, actions: ArchiveActions, batch_card: BatchCard
    ) -> None:
        super().__init__()
        self._theme, self._actions, self._batch_card = theme, actions, batch_card
        self.paste = PasteField()
        self.paste.setObjectName("paste")
        self.list = DetectionList(theme, model)
        self.detail = DetailPane(theme, actions)
        self.counts = wrapped("", "secondary")
        self.told = ToldLine()
        self.stack = QStackedWidget()
        self.stack.addWidget(self._make_empty())
        self.stack.addWidget(self._make_filled())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(4))
        layout.addLayout(self._make_top())
        layout.addWidget(self.told)
        layout.addWidget(batch_card, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.stack, 1)
        layout.addStretch(0)

    def show_counts(self, model: DetectionModel) -> None:
        """Say how many were found, and make room for them."""
        has_rows, has_batch = len(model) > 0, not self._batch_card.isHidden()
        self.stack.setCurrentIndex(FILLED if has_rows else EMPTY)
        self.stack.setVisible(has_rows or not has_batch)
        is_filled = has_rows or has_batch
        line = self.paste.fontMetrics().lineSpacing()
        lines = LINES_FILLED if is_filled else LINES_EMPTY
        self.paste.setFixedHeight(lines * line + space(7))
        self._batch_card.show_short(is_short=has_rows)
        self._arrange(is_filled)
        self.counts.setText(self._sentence(model))

    def _sentence(self, model: DetectionModel) -> str:
        parts = [
            (model.count(State.READY), tr("{count} can be archived")),
            (model.count(State.LOOKING), tr("{count} checking")),
            (model.count(State.HELD), tr("{count} archived before")),
            (model.count(State.ASKING), tr("{count} awaiting answer")),
            (model.count(State.RUNNING), tr("{count} being archived")),
            (model.count(State.QUEUED), tr("{count} in the queue")),
            (model.count(State.DONE), tr("{count} archived")),
            (model.count(State.FAILED), tr("{count} failed")),
            (model.count(State.REFUSED), tr("{count} cannot be archived")),
        ]
        return " · ".join(text.format(count=count) for count, text in parts if count)

    def _make_top(self) -> QGridLayout:
        self._label = QLabel(tr("What do you want to archive?"))
        self._label.setFont(scaled_font(1, QFont.Weight.DemiBold))
        self._label.setBuddy(self.paste)
        self.paste.setAccessibleName(tr("What do you want to archive?"))
        self._hint = wrapped(tr("Press Enter to preview, Shift+Enter for a new line"), "secondary")
        self._hint.setFont(scaled_font(0.93))
        self._open = ActionButton(self._actions.open_list, self._theme, "list", role="quiet")
        self._look = ActionButton(self._actions.look, self._theme, "search", role="primary")
        self._top = QGridLayout()
        self._top.setHorizontalSpacing(space(2))
        self._top.setVerticalSpacing(space(2))
        self._top.setColumnStretch(1, 1)
        self._top.addWidget(self._label, 0, 0, 1, 4)
        self._arrange(False)
        return self._top

    def _arrange(self, is_filled: bool) -> None:
        """Give the field a place of its own, or one line with its buttons."""
        more = tr("Paste or drop more…")
        first = tr(
            "Paste or drop DOIs, landing pages, Handles, ARKs, or a CSV, BibTeX or RIS file…"
        )
        self.paste.setPlaceholderText(more if is_filled else first)
        self._label.setVisible(not is_filled)
        self._hint.setVisible(not is_filled)
        row = 1 if is_filled else 2
        places = {
            self.paste: (1, 0, 1, 2 if is_filled else 4),
            self._open: (row, 2 if is_filled else 0, 1, 1),
            self._hint: (2, 1, 1, 1),
            self._look: (row, 3, 1, 1),
        }
        for widget, place in places.items():
            self._top.removeWidget(widget)
            self._top.addWidget(widget, *place)

    def _make_empty(self) -> EmptyPanel:
        return EmptyPanel(
            self._theme,
            "drop",
            tr("No datasets yet"),
            tr(
                "Paste identifiers and choose Preview. Carrel shows what each line is, its size, "
                "and the strategy for archiving it. No files are downloaded until you archive."
            ),
        )

    def _make_filled(self) -> QSplitter:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(2))
        column.addWidget(self.list, 1)
        row = QHBoxLayout()
        row.addWidget(self.counts, 1)
        row.addWidget(ActionButton(self._actions.archive_all))
        column.addLayout(row)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(space(3))
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(self.detail)
        split.setSizes([space(75), space(110)])
        split.setStretchFactor(0, 4)
        split.setStretchFactor(1, 6)
        left.setMinimumWidth(space(46))
        return split
