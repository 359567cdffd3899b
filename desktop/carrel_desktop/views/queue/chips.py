# SPDX-License-Identifier: AGPL-3.0-or-later
"""The filter of the queue: one chip a state, with its count."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from carrel_desktop import quantities
from carrel_desktop.theme import space
from carrel_desktop.views.queue.job import JobState
from carrel_desktop.views.queue.jobs import Totals

ORDER = (None, JobState.WAITING, JobState.RUNNING, JobState.FAILED, JobState.DONE)


class Chips(QWidget):
    """`chosen` carries the state to show, None for all."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1.5))
        for number, state in enumerate(ORDER):
            chip = QPushButton()
            chip.setCheckable(True)
            chip.setProperty("role", "chip")
            chip.setObjectName(f"chip_{state.name.lower() if state is not None else 'all'}")
            self._group.addButton(chip, number)
            row.addWidget(chip)
        self._group.button(0).setChecked(True)
        self._group.idClicked.connect(self._on_clicked)
        self.show_totals(Totals())

    def show_totals(self, totals: Totals) -> None:
        """Bring the counts up to date."""
        texts = (
            (self.tr("All"), totals.all),
            (self.tr("Waiting"), totals.waiting),
            (self.tr("Running"), totals.running),
            (self.tr("Failed"), totals.failed),
            (self.tr("Done"), totals.done),
        )
        for number, (word, count) in enumerate(texts):
            text = f"{word}  {quantities.number(count)}"
            button = self._group.button(number)
            if button.text() != text:
                button.setText(text)
                button.setAccessibleName(f"{word}: {quantities.number(count)}")

    def _on_clicked(self, number: int) -> None:
        self.chosen.emit(ORDER[number])
