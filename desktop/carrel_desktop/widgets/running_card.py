# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far some long work is, and how it ended."""

from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.layouts import boxed, horizontal, vertical
from carrel_desktop.widgets.outcome_card import OutcomeCard

_MOST_HEIGHT = 45  # grid steps; more of what is said scrolls
_STEPS = 1000  # of the bar: byte counts do not fit into its 32 bits


class RunningCard(QWidget):
    """Is hidden while there is nothing to say. `work` names the buttons, `said` is read out of the
    bar, and `ways` are shown once the work has ended."""

    def __init__(
        self,
        theme: Theme,
        work: str,
        said: str,
        *ways: QPushButton,
        margins: tuple[float, float, float, float] = (0, 0, 0, 0),
    ) -> None:
        super().__init__()
        self.card = OutcomeCard(theme, space(_MOST_HEIGHT))
        self.bar = named(QProgressBar(textVisible=False), said=said)
        self.stop = named(QPushButton(tr("Stop")), f"stop_{work}")
        self.close_card = named(QPushButton(tr("Close")), f"close_{work}")
        self._ways = ways
        self.card.add_way(boxed(horizontal(self.stop, *ways, self.close_card, gap=2)))
        vertical(self.card, self.bar, gap=1.5, margins=margins, on=self)
        self.close_card.clicked.connect(self.hide)
        self.hide()

    def show_at(self, done: int, whole: int) -> None:
        """Show the bar at so many steps of `whole`, 0 while that is not known."""
        self._show(is_running=True, has_ways=False)
        self.bar.setRange(0, max(whole, 0))
        self.bar.setValue(done)

    def show_bytes(self, icon: str, heading: str, done: int, total: int) -> None:
        """Show how many bytes were read, of how many; 0 while that is not known."""
        self.show_at(_STEPS * done // total if total else 0, _STEPS)
        said = tr("{size} to read", size=quantities.size(total)) if total else ""
        self.card.show_note(icon, heading, said)

    def show_ended(self, *, has_ways: bool = False) -> None:
        """Show that the work has ended, with what can be done then."""
        self._show(is_running=False, has_ways=has_ways)

    def _show(self, *, is_running: bool, has_ways: bool) -> None:
        self.show()
        self.bar.setVisible(is_running)
        self.stop.setVisible(is_running)
        self.close_card.setVisible(not is_running)
        for way in self._ways:
            way.setVisible(has_ways)
