# SPDX-License-Identifier: AGPL-3.0-or-later
"""Above the review list: which of its rows are shown, and in which order."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import space
from carrel_desktop.views.archive.detection import State
from carrel_desktop.views.archive.model import (
    BY_LINE,
    BY_PLATFORM,
    BY_SIZE,
    BY_STATE,
    BY_TITLE,
    DetectionModel,
)
from carrel_desktop.widgets.elided_combo_box import ElidedComboBox
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.layouts import rest, wrapping
from carrel_desktop.widgets.search_field import SearchField

FEW = 5  # rows that are seen at a glance
LEAST_SEARCH = 34  # grid steps: in a low window it has a line of its own
LEAST_CHOICE, MOST_CHOICE = 24, 46  # of which two stand side by side in a low window


class ReviewBar(QWidget):
    """`changed` says that another filter or order was chosen. Not there for a few rows."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        hint = tr("Find in this list")
        self.search = SearchField("find_detection", hint, hint)
        least, most = space(LEAST_CHOICE), space(MOST_CHOICE)
        self.states = named(ElidedComboBox(least, most), "detection_state", tr("State"))
        self.order = named(ElidedComboBox(least, most), "detection_order", tr("Order"))
        for text, column in (
            (tr("As listed"), BY_LINE),
            (tr("By title"), BY_TITLE),
            (tr("By state"), BY_STATE),
            (tr("Largest first"), BY_SIZE),
            (tr("By platform"), BY_PLATFORM),
        ):
            self.order.addItem(text, column)
        search = rest(self.search, least=LEAST_SEARCH)
        wrapping(search, self.states, self.order, gap=2, on=self)
        self._shown: list[tuple[State | None, str]] = []
        self.search.sought.connect(self.changed)
        self.states.activated.connect(self.changed)
        self.order.activated.connect(self.changed)
        self.hide()

    @property
    def words(self) -> tuple[str, ...]:
        """What is looked for."""
        return tuple(self.search.text().split())

    @property
    def chosen_states(self) -> frozenset[State]:
        """The states to show, none for any."""
        state = self.states.currentData()
        return frozenset() if state is None else frozenset([state])

    @property
    def column(self) -> int:
        """The column that the list is sorted by."""
        return int(self.order.currentData())

    def reset(self) -> None:
        """Show every row."""
        self.search.clear()
        self.states.setCurrentIndex(0)

    def follow(self, model: DetectionModel) -> None:
        """Offer the states there are; the chosen one stays."""
        self.setVisible(len(model) > FEW or model.is_filtered)
        offered: list[tuple[State | None, str]] = [(None, tr("Any state"))]
        chosen = self.states.currentData()
        for state, word in state_words():
            if model.count(state) or state is chosen:
                number = quantities.number(model.count(state))
                offered.append((state, f"{word}  {number}"))
        if offered == self._shown:
            return
        self._shown = offered
        self.states.clear()
        for offer, text in offered:
            self.states.addItem(text, offer)
        self.states.setCurrentIndex([state for state, _ in offered].index(chosen))


def state_words() -> list[tuple[State, str]]:
    """Return the states of a row in words."""
    return [
        (State.READY, tr("Can be archived")),
        (State.LOOKING, tr("Being checked")),
        (State.STOPPED, tr("Not checked")),
        (State.HELD, tr("Archived before")),
        (State.HELD_IN_PART, tr("Partly archived before")),
        (State.SAME, tr("Same dataset as another")),
        (State.ASKING, tr("Needs your answer")),
        (State.RUNNING, tr("Being archived")),
        (State.QUEUED, tr("In the queue")),
        (State.DONE, tr("Archived")),
        (State.FAILED, tr("Failed")),
        (State.REFUSED, tr("Cannot be archived as is")),
        (State.NOT_UNDERSTOOD, tr("Not recognized")),
    ]
