# SPDX-License-Identifier: AGPL-3.0-or-later
"""A list that is too long to look at one by one: what is in it, and what can be done."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QFrame, QWidget

from carrel.engine.batches import Batch
from carrel.model import Finding, FindingLevel
from carrel.model.prose import as_sentence
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.foreign import shown
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.chips import chip
from carrel_desktop.widgets.icon_rows import FindingList
from carrel_desktop.widgets.labels import IconLabel, wrapped
from carrel_desktop.widgets.layouts import at_top, horizontal, rest, vertical, wrapping

NAMED_PROBLEMS = 3


class ListNames(QWidget):
    """The opened lists by name, one of which is shown; `chosen` carries its number."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._row = wrapping(gap=1.5, on=self)
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self.chosen)
        self._names: Sequence[str] = ()
        self.hide()

    def show_names(self, names: Sequence[str], chosen: int) -> None:
        """Show a chip for each name, from two on."""
        if names != self._names:
            self._names = list(names)
            for button in self._group.buttons():
                self._group.removeButton(button)
                self._row.removeWidget(button)
                button.deleteLater()
            for number, name in enumerate(names):
                button = chip(shown(name), f"list_{number}")
                self._group.addButton(button, number)
                self._row.addWidget(button)
        if current := self._group.button(chosen):
            current.setChecked(True)
        self.setVisible(len(names) > 1)


class BatchCard(QFrame):
    """Shows one of the opened lists, and the names of all; hidden while there is none.

    `chosen` carries the number of the list to show.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, actions: Sequence[QAction]) -> None:
        super().__init__()
        self.theme = theme
        add, *others, leave = actions
        self.setProperty("card", True)
        self._icon = IconLabel(theme, "list", "accent", 6)
        self.lists = ListNames()
        self.lists.chosen.connect(self.chosen)
        self.heading = wrapped(font=strong_font(1.1))
        self.forecast = wrapped("")
        self.forecast.hide()
        self.facts = wrapped("", "secondary")
        self.findings = FindingList(theme)
        self.buttons = [
            ActionButton(add, theme, "queue", role="primary", hides=True),
            *(ActionButton(each, hides=True) for each in others),
            ActionButton(leave, role="quiet", hides=True),
        ]
        self._is_short = False
        self._last_heading = ""
        self._problems_told: Sequence[Finding] = ()
        words = vertical(self.lists, self.heading, self.facts, self.forecast, self.findings, gap=1)
        line = wrapping(*self.buttons, gap=2)
        self._parts = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._parts.setSpacing(space(2))
        self._parts.addLayout(words, 1)
        self._parts.addLayout(line)
        horizontal(at_top(self._icon), rest(self._parts), gap=3, margins=(4, 3, 4, 3), on=self)
        self.hide()

    def show_short(self, *, is_short: bool) -> None:
        """Where datasets are listed below, take less room; the lines are in a dialog."""
        self._is_short = is_short
        self._follow()

    def show_lists(self, names: Sequence[str], chosen: int) -> None:
        """Name all opened lists; a single one has its heading."""
        self.lists.show_names(names, chosen)

    def show_forecast(self, sentence: str) -> None:
        """Say what a list comes to."""
        self.forecast.setText(sentence)
        self.forecast.show()

    def show_reading(self, name: str) -> None:
        """Say that a list is being read."""
        self._say("waiting", tr("Reading {name}…", name=name), "")

    def show_batch(self, name: str, batch: Batch, archived: int = 0, removed: int = 0) -> None:
        """Show what is in a list; so many of its identifiers are of what was archived, and so many
        are not in it any more."""
        datasets = quantities.datasets(len(batch.requests))
        heading = tr("{datasets} in {name}", datasets=datasets, name=name)
        facts = [finding.message for finding in batch.findings]
        told = " ".join([*facts, *self.left_out(batch, archived, removed)])
        self._say("list", heading, told, self._problems(batch))

    def show_added(self, name: str, count: int, known: int, left_out: Sequence[str] = ()) -> None:
        """Say what became of a list."""
        datasets = quantities.datasets(count)
        heading = tr("Added {datasets} of {name} to the queue", datasets=datasets, name=name)
        were = quantities.counted(
            known, "1 other was already in the queue.", "{count} others were already in the queue."
        )
        facts = [were] if known else []
        self._say("ok", heading, " ".join([*facts, *left_out]))

    @staticmethod
    def left_out(batch: Batch, archived: int = 0, removed: int = 0) -> list[str]:
        """Say how many lines gave nothing, or nothing new, and how many were removed."""
        sentences = []
        if removed:
            gone = forms(
                "1 dataset was removed from it, and is not added.",
                "{count} datasets were removed from it, and are not added.",
            )
            sentences.append(quantities.counted(removed, *gone))
        if archived:
            before = forms(  # several may be of one dataset, which only a preview tells
                "1 identifier is of a dataset that was archived before.",
                "{count} identifiers are of datasets that were archived before.",
            )
            sentences.append(quantities.counted(archived, *before))
        if batch.problems:
            lines = forms("1 line without an identifier.", "{count} lines without an identifier.")
            sentences.append(quantities.counted(len(batch.problems), *lines))
        if batch.duplicates:
            doubles = forms("1 duplicate.", "{count} duplicates.")
            sentences.append(quantities.counted(len(batch.duplicates), *doubles))
        return sentences

    def _problems(self, batch: Batch) -> Sequence[Finding]:
        found = [
            Finding(
                "line",
                tr(
                    "Line {line}: {message} – {text}",
                    line=quantities.number(problem.line),
                    message=problem.message,
                    text=problem.text.strip(" |\t") or tr("(empty)"),
                ),
                FindingLevel.WARNING,
            )
            for problem in batch.problems[:NAMED_PROBLEMS]
        ]
        more = len(batch.problems) - len(found)
        if more > 0:
            text = quantities.counted(
                more,
                "1 more line without an identifier.",
                "{count} more lines without an identifier.",
            )
            found.append(Finding("more", text, FindingLevel.NOTE))
        return found

    def _say(self, icon: str, heading: str, facts: str, problems: Sequence[Finding] = ()) -> None:
        self._icon.set_icon(icon, "ok" if icon == "ok" else "accent")
        self.heading.setText(heading)
        self.facts.setText(facts)
        self._problems_told = problems
        self._follow()
        if heading != self._last_heading:
            self.forecast.hide()  # it was of another list
        self._last_heading = heading
        self.setAccessibleName(f"{as_sentence(heading)} {facts}")
        self.show()

    def _follow(self) -> None:
        """Show as much of what was said as there is room for."""
        problems, is_short = self._problems_told, self._is_short
        self.findings.show_findings(() if is_short else problems)
        self.facts.setVisible(bool(self.facts.text()))
        rest = [problem.message for problem in problems]
        self.setToolTip("\n".join(filter(None, rest)) if is_short else "")
