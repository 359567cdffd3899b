# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a dataset is: title, creators, facts, identifier, and the ways that lead to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from carrel.translation import tr
from carrel_desktop.foreign import one_line
from carrel_desktop.theme import fixed_font, strong_font
from carrel_desktop.widgets.actions import quiet_edge
from carrel_desktop.widgets.labels import ElidedLabel, wrapped
from carrel_desktop.widgets.layouts import mirrored, rest, vertical, wrapping

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
        self.title = wrapped(font=strong_font(1.25))
        self.creators = ElidedLabel()
        self.facts = wrapped("", "secondary")
        middle = Qt.TextElideMode.ElideMiddle
        self.identifier = ElidedLabel(middle, tone="secondary", font=fixed_font())
        words = self.title, self.creators, self.facts, self.identifier
        lines = vertical(*words, gap=1, pixels=(quiet_edge(), 0, 0, 0))
        vertical(lines, *([wrapping(*ways, gap=1)] if ways else []), gap=1, on=self)

    def above(self, below: QLayout) -> QVBoxLayout:
        """Return a pane's content: the block, and below it what begins where its words do."""
        below.setContentsMargins(mirrored(quiet_edge(), 0, 0, 0))
        edge = (-quiet_edge(), 0, 0, 0)
        return vertical(self, rest(below), gap=3, margins=(4, 4, 4, 3), pixels=edge)

    def show_title(self, title: Title) -> None:
        self.title.setText(one_line(title.title))
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
