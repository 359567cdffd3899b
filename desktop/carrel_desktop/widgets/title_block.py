# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a dataset is: title, creators, facts, identifier."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QVBoxLayout, QWidget

from carrel_desktop.theme import fixed_font, scaled_font, space
from carrel_desktop.widgets.labels import ElidedLabel, wrapped
from carrel_desktop.widgets.wrapping_row import WrappingRow

NAMED_CREATORS = 3
LEAST_IDENTIFIER = 40  # grid steps, in which a DOI can be read


@dataclass(frozen=True, slots=True)
class Title:
    """What the block shows; empty parts are left out."""

    title: str
    creators: Sequence[str] = ()
    facts: Sequence[str] = ()
    identifier: str = ""


class TitleBlock(QWidget):
    """Four lines at most, unless the title wraps.

    `beside` stands beside the identifier, or below it where room is short.
    """

    def __init__(self, beside: QWidget | None = None) -> None:
        super().__init__()
        self.title = wrapped()
        self.title.setFont(scaled_font(1.25, QFont.Weight.DemiBold))
        self.creators = ElidedLabel()
        self.facts = wrapped("", "secondary")
        self.identifier = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.identifier.setFont(fixed_font())
        self.identifier.setProperty("tone", "secondary")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(1))
        for label in (self.title, self.creators, self.facts):
            layout.addWidget(label)
        row = WrappingRow(space(2))
        row.add_filling(self.identifier, space(LEAST_IDENTIFIER))
        if beside is not None:
            row.addWidget(beside)
        layout.addLayout(row)

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
        return self.tr("{names} and {count} more").format(names=named, count=rest)

    @staticmethod
    def _fill(label: ElidedLabel | QWidget, text: str) -> None:
        label.setVisible(bool(text))
        label.setText(text)  # type: ignore[union-attr]  # every label here has it
