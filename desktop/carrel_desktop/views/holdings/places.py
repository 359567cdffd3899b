# SPDX-License-Identifier: AGPL-3.0-or-later
"""The places of the holdings: what is held, and what nothing is held of, with their counts."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from carrel_desktop import quantities
from carrel_desktop.theme import space
from carrel_desktop.views.holdings.model import HoldingsModel, Place


class HoldingPlaces(QWidget):
    """`chosen` carries the place to show."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1.5))
        for place in Place:
            button = QPushButton()
            button.setCheckable(True)
            button.setProperty("role", "chip")
            button.setObjectName(f"place_{place.name.lower()}")
            self._group.addButton(button, place.value)
            row.addWidget(button)
        self._group.button(Place.ALL.value).setChecked(True)
        self._group.idClicked.connect(self._on_clicked)

    def choose(self, place: Place) -> None:
        """Go to a place."""
        self._group.button(place.value).click()

    def show_counts(self, model: HoldingsModel) -> None:
        """Bring the counts up to date."""
        words = {
            Place.ALL: self.tr("All"),
            Place.HELD: self.tr("Held"),
            Place.NOTHING_HELD: self.tr("Nothing held"),
        }
        for place, word in words.items():
            count = quantities.number(model.count(place))
            button = self._group.button(place.value)
            button.setText(f"{word}  {count}")
            button.setAccessibleName(f"{word}: {count}")

    def _on_clicked(self, number: int) -> None:
        self.chosen.emit(Place(number))
