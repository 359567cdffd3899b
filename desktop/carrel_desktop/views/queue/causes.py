# SPDX-License-Identifier: AGPL-3.0-or-later
"""The filter by cause: the outcomes there are, each with its count."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox

from carrel.model import Status
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.icons import icon
from carrel_desktop.theme import Theme


class Causes(QComboBox):
    """`chosen` carries the outcome to show, None for any."""

    chosen = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: Mapping[Status, int] | None = None
        self.setObjectName("causes")
        self.setAccessibleName(tr("Cause"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(16)
        self.activated.connect(self._on_activated)
        self.show_causes({})

    @property
    def cause(self) -> Status | None:
        data = self.currentData()
        return None if data is None else Status(data)

    def choose(self, cause: Status | None) -> None:
        """Show the jobs of one outcome, or of any."""
        at = self.findData(cause)
        if at >= 0:
            self.setCurrentIndex(at)
            self._on_activated()

    def show_causes(self, causes: Mapping[Status, int]) -> None:
        """Offer the outcomes there are, the most frequent first; the chosen one stays."""
        if causes == self._shown:
            return
        self._shown = dict(causes)
        chosen = self.cause
        ranked = sorted(causes, key=lambda status: (-causes[status], words.outcome(status)))
        if chosen is not None and chosen not in causes:
            ranked.append(chosen)
        self.clear()
        self.addItem(tr("Any cause"), None)
        for status in ranked:
            image = icon(self._theme, words.outcome_icon(status), words.outcome_tone(status))
            count = quantities.number(causes.get(status, 0))
            self.addItem(image, f"{words.outcome(status)}  {count}", status)
        self.setCurrentIndex(max(0, self.findData(chosen)) if chosen is not None else 0)
        self.setEnabled(bool(ranked))

    def _on_activated(self) -> None:
        self.chosen.emit(self.cause)
