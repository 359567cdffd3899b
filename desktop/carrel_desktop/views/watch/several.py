# SPDX-License-Identifier: AGPL-3.0-or-later
"""Several chosen datasets: how many they are, how they stand, and what is done with all of them."""

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel

from carrel.model.dark_views import WatchedRow
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, strong_font
from carrel_desktop.views.watch import states
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import boxed, rest, vertical, wrapping
from carrel_desktop.widgets.pane import Pane


class SeveralPane(Pane):
    """Shows no one dataset: what is done here is done with all of them."""

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.title: QLabel = named(wrapped(font=strong_font()), "watched_selected")
        self.states: QLabel = wrapped("", "secondary")
        look = ActionButton(actions.look, theme, "watch", role="primary")
        again = ActionButton(actions.ingest, theme, "archive")
        row = boxed(wrapping(look, again, ActionButton(actions.remove, theme, "remove"), gap=2))
        self.fill(boxed(vertical(self.title, self.states, row, rest(), gap=3, margins=4)))

    def show_rows(self, rows: Sequence[WatchedRow]) -> None:
        """Show how many are chosen, and how many of them stand how."""
        with self.showing():
            self.title.setText(tr("{datasets} selected", datasets=quantities.datasets(len(rows))))
            looks = [states.of(row) for row in rows]
            self.states.setText(states.counted("", looks))
