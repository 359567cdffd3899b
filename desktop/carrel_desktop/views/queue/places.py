# SPDX-License-Identifier: AGPL-3.0-or-later
"""The places of the queue: one for each state that a job can be in, with its count."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from carrel.model import JobState
from carrel_desktop import quantities, words
from carrel_desktop.theme import space
from carrel_desktop.views.queue.rows import Totals

STATES = (
    JobState.ASKING,
    JobState.RUNNING,
    JobState.QUEUED,
    JobState.PAUSED,
    JobState.FAILED,
    JobState.CANCELLED,
    JobState.DONE,
)
ORDER = (None, *STATES)
# Places that stand there only while something is in them, or they are chosen.
RARE = frozenset({JobState.ASKING, JobState.PAUSED, JobState.CANCELLED})


class Places(QWidget):
    """`chosen` carries the state to show, None for all."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1.5))
        for number, state in enumerate(ORDER):
            button = QPushButton()
            button.setCheckable(True)
            button.setProperty("role", "asking" if state is JobState.ASKING else "chip")
            button.setObjectName(f"place_{state.value if state is not None else 'all'}")
            self._group.addButton(button, number)
            row.addWidget(button)
        self._group.button(0).setChecked(True)
        self._group.idClicked.connect(self._on_clicked)
        self.show_totals(Totals())

    def button(self, state: JobState | None) -> QPushButton:
        """Return the button of a place."""
        button = self._group.button(ORDER.index(state))
        if not isinstance(button, QPushButton):
            raise TypeError("every place is a push button")
        return button

    @property
    def state(self) -> JobState | None:
        """The place that is open, None for all."""
        return ORDER[max(0, self._group.checkedId())]

    def choose(self, state: JobState | None) -> None:
        """Go to a place."""
        self.button(state).click()

    def show_totals(self, totals: Totals) -> None:
        """Bring the counts up to date."""
        for state in ORDER:
            word = self.tr("All") if state is None else words.job_state(state)
            count = totals.of(state)
            button = self.button(state)
            text = f"{word}  {quantities.number(count)}"
            if button.text() != text:
                button.setText(text)
                button.setAccessibleName(f"{word}: {quantities.number(count)}")
            if state in RARE:
                button.setVisible(count > 0 or button.isChecked())

    def _on_clicked(self, number: int) -> None:
        self.chosen.emit(ORDER[number])
