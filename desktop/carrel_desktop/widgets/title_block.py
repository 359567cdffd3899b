# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a dataset is: title, creators, facts, identifier, and the ways that lead to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from carrel.translation import tr
from carrel_desktop.theme import fixed_font, scaled_font, space
from carrel_desktop.widgets.actions import quiet_edge
from carrel_desktop.widgets.labels import ElidedLabel, wrapped
from carrel_desktop.widgets.wrapping_row import WrappingRow

NAMED_CREATORS = 3


@dataclass(frozen=True, slots=True)
class Title:
    """What the block shows; empty parts are left out."""

    title: str
    creators: Sequence[str] = ()
    facts: Sequence[str] = ()
    identifier: str = ""


class TitleBlock(QWidget):
    """Four lines at most, unless the title wraps, and below them the ways.

    `ways` are quiet buttons. What they show begins where the words do, so that the words begin
    `quiet_edge` pixels further right than the block: `above` has all of a pane begin there.
    """

    def __init__(self, *ways: QWidget) -> None:
        super().__init__()
        self.title = wrapped()
        self.title.setFont(scaled_font(1.25, QFont.Weight.DemiBold))
        self.creators = ElidedLabel()
        self.facts = wrapped("", "secondary")
        self.identifier = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.identifier.setFont(fixed_font())
        self.identifier.setProperty("tone", "secondary")
        lines = QVBoxLayout()
        lines.setContentsMargins(quiet_edge(), 0, 0, 0)
        lines.setSpacing(space(1))
        for label in (self.title, self.creators, self.facts, self.identifier):
            lines.addWidget(label)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(1))
        layout.addLayout(lines)
        if ways:
            row = WrappingRow(space(1))
            for way in ways:
                row.addWidget(way)
            layout.addLayout(row)

    def above(self, rest: QLayout) -> QVBoxLayout:
        """Return a pane's content: the block, and below it what begins where its words do."""
        rest.setContentsMargins(quiet_edge(), 0, 0, 0)
        layout = QVBoxLayout()
        layout.setContentsMargins(space(4) - quiet_edge(), space(4), space(4), space(3))
        layout.setSpacing(space(3))
        layout.addWidget(self)
        layout.addLayout(rest, 1)
        return layout

    def show_title(self, title: Title) -> None:
        self.title.setText(title.title)
        self._fill(self.creators, self._names(title.creators))
        self._fill(self.facts, " · ".join(fact for fact in title.facts if fact))
        self._fill(self.identifier, title.identifier)

    def _names(self, creators: Sequence[str]) -> str:
        named = "; ".join(creators[:NAMED_CREATORS])
        rest = len(creators) - NAMED_CREATORS
        if rest <= 0:
            return named
        return tr("{names} and {count} more", names=named, count=rest)

    @staticmethod
    def _fill(label: ElidedLabel | QWidget, text: str) -> None:
        label.setVisible(bool(text))
        label.setText(text)  # type: ignore[union-attr]  # every label here has it
