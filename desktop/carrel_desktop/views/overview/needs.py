# SPDX-License-Identifier: AGPL-3.0-or-later
"""The list of what needs the archivist: a line for each, with the button that goes there."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from carrel.model.standing import Need
from carrel.translation import tr
from carrel_desktop.theme import Theme, strong_font
from carrel_desktop.views.overview.shown import Line
from carrel_desktop.widgets.labels import IconLabel, named, wrapped
from carrel_desktop.widgets.layouts import (
    at_top,
    boxed,
    horizontal,
    rest,
    vertical,
    wrapping,
)

_ICONS = {
    Need.DAMAGED: "failed",
    Need.TWINNED: "warning",
    Need.DAMAGED_CAPTURES: "failed",
    Need.DARK_DAMAGED: "failed",
    Need.JOURNAL: "warning",
    Need.LOST_RECORD: "lost",
    Need.ROOM: "database",
    Need.ON_HOLD: "pause",
    Need.ASKING: "question",
    Need.REQUESTS: "settings",
    Need.COPY: "save",
    Need.DARK_LOST: "lost",
    Need.GONE: "lost",
    Need.RESTRICTED: "key",
    Need.NO_DATASET: "question",
    Need.CHANGED: "compare",
    Need.FAILED: "warning",
    Need.INCOMPLETE: "holdings",
}
LEAST_WORDS = 44  # grid steps; below, the button has a line of its own


class NeedLine(QWidget):
    """`wanted` carries where the need can be seen to."""

    wanted = Signal(object)

    def __init__(self, theme: Theme, need: Need) -> None:
        super().__init__()
        named(self, f"need_{need.value}")
        self._line: Line | None = None
        self._icon = IconLabel(theme, _ICONS[need], "warning", 5)
        self.sentence, self._advice = wrapped(), wrapped("", "secondary")
        self.button = named(QPushButton(), f"see_to_{need.value}")
        self.button.clicked.connect(self._on_clicked)
        self.other = named(QPushButton(), f"also_{need.value}")
        self.other.clicked.connect(self._on_other)
        words = boxed(vertical(self.sentence, self._advice, gap=0.5))
        ways = boxed(horizontal(self.other, self.button, gap=2))
        row = wrapping(rest(words, least=LEAST_WORDS), rest(), ways, gap=2)
        horizontal(at_top(self._icon), rest(row), gap=2.5, on=self)

    def show_line(self, line: Line) -> None:
        """Show how many there are now."""
        self._line = line
        self._icon.set_icon(_ICONS[line.need], "failed" if line.is_grave else "warning")
        self.sentence.setText(line.sentence)
        self._advice.setText(line.advice)
        self.button.setText(line.verb)
        self.button.setAccessibleName(f"{line.verb}: {line.sentence}")
        verb = line.other[0] if line.other else ""
        self.other.setText(verb)
        self.other.setAccessibleName(f"{verb}: {line.sentence}")
        self.other.setVisible(bool(line.other))

    def _on_clicked(self) -> None:
        if self._line is not None:
            self.wanted.emit(self._line.leads_to)

    def _on_other(self) -> None:
        if self._line is not None and self._line.other:
            self.wanted.emit(self._line.other[1])


class NeedsCard(QFrame):
    """`wanted` carries where a line leads."""

    wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "needs_card", tr("Needs attention"))
        self.setProperty("card", True)
        self.lines = {need: NeedLine(theme, need) for need in Need}
        self._none = QWidget()
        icon = IconLabel(theme, "ok", "ok", 5)
        text = wrapped(tr("Nothing needs attention."), "secondary")
        horizontal(icon, rest(text), gap=2.5, on=self._none)
        heading = wrapped(tr("Needs attention"), font=strong_font())
        parts = heading, self._none, *self.lines.values()
        vertical(*parts, rest(), gap=3.5, margins=4, on=self)
        for line in self.lines.values():
            line.wanted.connect(self.wanted)

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show what needs the archivist now."""
        shown = {line.need: line for line in lines}
        for need, widget in self.lines.items():
            if need in shown:
                widget.show_line(shown[need])
            widget.setVisible(need in shown)
        self._none.setVisible(not shown)

    def forbid_writing(self, reason: str) -> None:
        """Offer nothing that writes to the archive, for a reason; "" offers it again."""
        button = self.lines[Need.JOURNAL].button
        button.setEnabled(not reason)
        button.setToolTip(reason)

    def take_focus(self) -> None:
        """Put the keyboard on the first of them."""
        for widget in self.lines.values():
            if not widget.isHidden() and widget.button.isEnabled():
                widget.button.setFocus()
                return
