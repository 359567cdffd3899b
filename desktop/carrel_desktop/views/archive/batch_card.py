# SPDX-License-Identifier: AGPL-3.0-or-later
"""A list that is too long to look at one by one: what is in it, and what can be done."""

from collections.abc import Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QBoxLayout, QFrame

from carrel.engine.batches import Batch
from carrel.model import Finding, FindingLevel
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.icon_rows import FindingList
from carrel_desktop.widgets.labels import IconLabel, wrapped
from carrel_desktop.widgets.layouts import at_top, horizontal, rest, vertical, wrapping

NAMED_PROBLEMS = 3


class BatchCard(QFrame):
    """Shows one list at a time; hidden while there is none."""

    def __init__(self, theme: Theme, add: QAction, look: QAction, leave: QAction) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._icon = IconLabel(theme, "list", "accent", 6)
        self.heading = wrapped(font=strong_font(1.1))
        self.facts = wrapped("", "secondary")
        self.findings = FindingList(theme)
        self.buttons = [
            ActionButton(add, theme, "queue", role="primary", hides=True),
            ActionButton(look, theme, "search", hides=True),
            ActionButton(leave, role="quiet", hides=True),
        ]
        self._is_short = False
        self._problems_told: Sequence[Finding] = ()
        words = vertical(self.heading, self.facts, self.findings, gap=1)
        line = wrapping(*self.buttons, gap=2)
        self._parts = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._parts.setSpacing(space(2))
        self._parts.addLayout(words, 1)
        self._parts.addLayout(line)
        horizontal(at_top(self._icon), rest(self._parts), gap=3, margins=(4, 3, 4, 3), on=self)
        self.hide()

    def show_short(self, *, is_short: bool) -> None:
        """Where datasets are listed below, be one line, and the rest a tool tip."""
        self._is_short = is_short
        directions = QBoxLayout.Direction
        self._parts.setDirection(directions.LeftToRight if is_short else directions.TopToBottom)
        self._follow()

    def show_reading(self, name: str) -> None:
        """Say that a list is being read."""
        self._say("waiting", tr("Reading {name}…", name=name), "")

    def show_batch(self, name: str, batch: Batch) -> None:
        """Show what is in a list."""
        datasets = quantities.counted(len(batch.requests), "1 dataset", "{count} datasets")
        heading = tr("{datasets} in {name}", datasets=datasets, name=name)
        facts = [finding.message for finding in batch.findings]
        told = " ".join([*facts, *self._left_out(batch)])
        self._say("list", heading, told, self._problems(batch))

    def show_added(self, name: str, count: int, known: int) -> None:
        """Say what became of a list."""
        datasets = quantities.counted(count, "1 dataset", "{count} datasets")
        heading = tr("Added {datasets} of {name} to the queue", datasets=datasets, name=name)
        there = tr("{count} more were already in the queue.")
        facts = [there.format(count=quantities.number(known))] if known else []
        self._say("ok", heading, " ".join([*facts, tr("Their progress is on the Queue page.")]))

    def _left_out(self, batch: Batch) -> list[str]:
        """Say how many lines gave nothing, or nothing new."""
        sentences = []
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
        self.setAccessibleName(f"{heading}. {facts}")
        self.show()

    def _follow(self) -> None:
        """Show as much of what was said as there is room for."""
        problems, is_short = self._problems_told, self._is_short
        self.findings.show_findings(() if is_short else problems)
        self.facts.setVisible(bool(self.facts.text()) and not is_short)
        rest = [self.facts.text(), *(problem.message for problem in problems)]
        self.setToolTip("\n".join(filter(None, rest)) if is_short else "")
