# SPDX-License-Identifier: AGPL-3.0-or-later
"""A row of chips, one of which is chosen: the places of a page, each with its count."""

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from carrel_desktop import quantities
from carrel_desktop.theme import space
from carrel_desktop.widgets.wrapping_row import WrappingRow

P = TypeVar("P", bound=Hashable)


class Chips(QWidget, Generic[P]):
    """`chosen` carries the place to show; the first of them is chosen at first.

    With `wraps` they go on in a second line where room is short.
    """

    chosen = Signal(object)

    def __init__(self, places: Sequence[P], names: Sequence[str], *, wraps: bool = False) -> None:
        super().__init__()
        self._places = places
        self._group = QButtonGroup(self)
        row = WrappingRow(space(1.5)) if wraps else QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1.5))
        self.setLayout(row)
        for number, name in enumerate(names):
            button = QPushButton()
            button.setCheckable(True)
            button.setAutoExclusive(True)  # so that it is spoken as one of several
            button.setProperty("role", "chip")
            button.setObjectName(f"place_{name}")
            self._group.addButton(button, number)
            row.addWidget(button)
        self._group.button(0).setChecked(True)
        self._group.idClicked.connect(self._on_clicked)

    def button(self, place: P) -> QPushButton:
        """Return the button of a place."""
        button = self._group.button(self._places.index(place))
        if not isinstance(button, QPushButton):
            raise TypeError("every place is a push button")
        return button

    @property
    def place(self) -> P:
        """The place that is open."""
        return self._places[max(0, self._group.checkedId())]

    def choose(self, place: P) -> None:
        """Go to a place."""
        self.button(place).click()

    def show_count(self, place: P, word: str, count: int) -> None:
        """Bring what stands on a chip up to date."""
        button, number = self.button(place), quantities.number(count)
        text = f"{word}  {number}"
        if button.text() != text:
            button.setText(text)
            button.setAccessibleName(f"{word}: {number}")

    def _on_clicked(self, number: int) -> None:
        self.chosen.emit(self._places[number])
