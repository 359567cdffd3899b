# SPDX-License-Identifier: AGPL-3.0-or-later
"""A row of chips, one of which is chosen: the places of a page, each with its count."""

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from carrel_desktop import quantities
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.layouts import wrapping

P = TypeVar("P", bound=Hashable)


def chip(text: str = "", name: str = "") -> QPushButton:
    """Return a button that is on or off."""
    made = named(QPushButton(text), name)
    made.setCheckable(True)
    made.setProperty("role", "chip")
    return made


class Tabs(QButtonGroup):
    """Chips of which one is chosen; `name` names each, before its number."""

    def __init__(self, parent: QWidget, name: str, texts: Sequence[str]) -> None:
        super().__init__(parent)
        self.chips = [chip(text, f"{name}_{number}") for number, text in enumerate(texts)]
        for number, each in enumerate(self.chips):
            self.addButton(each, number)
        self.chips[0].setChecked(True)

    def choose(self, number: int) -> None:
        """Go to what a chip stands for."""
        self.chips[number].click()


class Chips(QWidget, Generic[P]):
    """`chosen` carries the place to show; the first of them is chosen at first.

    They go on in a second line where room is short.
    """

    chosen = Signal(object)

    def __init__(self, places: Sequence[P], names: Sequence[str]) -> None:
        super().__init__()
        self._places = places
        self._group = QButtonGroup(self)
        row = wrapping(gap=1.5, on=self)
        for number, name in enumerate(names):
            button = chip(name=f"place_{name}")
            button.setAutoExclusive(True)  # so that it is spoken as one of several
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
