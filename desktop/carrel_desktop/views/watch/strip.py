# SPDX-License-Identifier: AGPL-3.0-or-later
"""The strip on top: how many are watched and how they stand, and how far a look is."""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QProgressBar, QVBoxLayout

from carrel.model.dark_views import RunProgress, WatchedRow
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.watch import states
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.labels import ElidedLabel
from carrel_desktop.widgets.wrapping_row import WrappingRow

LEAST_WORDS = 60  # grid steps; below, the words have a line of their own


class Strip(QFrame):
    """A line of words with the buttons beside it, and a bar while a look goes on."""

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.setObjectName("watch_strip")
        self.words = ElidedLabel(Qt.TextElideMode.ElideRight)
        self.words.setObjectName("watch_words")
        self.bar = QProgressBar()
        self.bar.setObjectName("look_progress")
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Progress of the check"))
        row = WrappingRow(space(2))
        row.add_filling(self.words, space(LEAST_WORDS))
        row.add_stretch()
        row.addWidget(ActionButton(actions.add_address, theme, "add", role="quiet"))
        row.addWidget(ActionButton(actions.add_holdings, theme, "holdings", role="quiet"))
        row.addWidget(ActionButton(actions.stop, theme, "stopped", hides=True))
        self.look_button = ActionButton(actions.look_all, theme, "watch", role="primary")
        row.addWidget(self.look_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(1.5))
        layout.addLayout(row)
        layout.addWidget(self.bar)

    def show_rows(self, rows: Sequence[WatchedRow]) -> None:
        """Say how the datasets stand, in numbers."""
        self.bar.hide()
        self.look_button.show()
        counts = Counter(row.state for row in rows)
        ranked = sorted(counts, key=lambda name: states.state(name).rank)
        parts = [quantities.counted(len(rows), "1 dataset", "{count} datasets")]
        parts += [f"{states.state(name).word} {quantities.number(counts[name])}" for name in ranked]
        self.words.setText(" · ".join(parts))

    def show_begun(self) -> None:
        """Say that a look has begun."""
        self.look_button.hide()
        self.bar.setRange(0, 0)
        self.bar.show()
        self.words.setText(tr("Checking…"))

    def show_progress(self, progress: RunProgress) -> None:
        """Show how far a look is."""
        self.bar.setRange(0, progress.total or 0)
        self.bar.setValue(progress.done)
        text = tr("{done} of {total} · {words}")
        total = "?" if progress.total is None else quantities.number(progress.total)
        done = quantities.number(progress.done)
        self.words.setText(text.format(done=done, total=total, words=progress.words))
