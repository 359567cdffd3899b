# SPDX-License-Identifier: AGPL-3.0-or-later
"""A list that is too long to look at one by one: what is in it, and what can be done."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QFrame, QGridLayout

from carrel.engine.batches import Batch
from carrel.model import Finding, FindingLevel
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.findings import FindingList
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import wrapped
from carrel_desktop.widgets.wrapping_row import WrappingRow

NAMED_PROBLEMS = 3


class BatchCard(QFrame):
    """Shows one list at a time; hidden while there is none."""

    def __init__(self, theme: Theme, add: QAction, look: QAction, leave: QAction) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._icon = IconLabel(theme, "list", "accent", 6)
        self.heading = wrapped()
        self.heading.setFont(scaled_font(1.1, QFont.Weight.DemiBold))
        self.facts = wrapped("", "secondary")
        self.findings = FindingList(theme)
        self.buttons = [
            ActionButton(add, theme, "queue", role="primary", hides=True),
            ActionButton(look, theme, "search", hides=True),
            ActionButton(leave, role="quiet", hides=True),
        ]
        grid = QGridLayout(self)
        grid.setContentsMargins(space(4), space(3), space(4), space(3))
        grid.setHorizontalSpacing(space(3))
        grid.setVerticalSpacing(space(1))
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._icon, 0, 0, 2, 1, Qt.AlignmentFlag.AlignTop)
        for row, widget in enumerate((self.heading, self.facts, self.findings)):
            grid.addWidget(widget, row, 1)
        line = WrappingRow(space(2))
        for button in self.buttons:
            line.addWidget(button)
        grid.setRowMinimumHeight(3, space(1))
        grid.addLayout(line, 4, 1)
        self.hide()

    def show_reading(self, name: str) -> None:
        """Say that a list is being read."""
        self._say("waiting", self.tr("Reading {name}…").format(name=name), "")
        self.findings.show_findings(())

    def show_batch(self, name: str, batch: Batch) -> None:
        """Show what is in a list."""
        datasets = quantities.counted(len(batch.requests), "1 dataset", "{count} datasets")
        heading = self.tr("{datasets} in {name}").format(datasets=datasets, name=name)
        facts = [finding.message for finding in batch.findings]
        self._say("list", heading, " ".join([*facts, *self._left_out(batch)]))
        self.findings.show_findings(self._problems(batch))

    def show_added(self, name: str, count: int, known: int) -> None:
        """Say what became of a list."""
        datasets = quantities.counted(count, "1 dataset", "{count} datasets")
        heading = self.tr("{datasets} of {name} went into the queue").format(
            datasets=datasets, name=name
        )
        there = self.tr("{count} more were waiting there already.")
        facts = [there.format(count=quantities.number(known))] if known else []
        self._say("ok", heading, " ".join([*facts, self.tr("They arrive on the Queue page.")]))
        self.findings.show_findings(())

    def _left_out(self, batch: Batch) -> list[str]:
        """Say how many lines gave nothing, or nothing new."""
        sentences = []
        if batch.problems:
            sentences.append(
                quantities.counted(
                    len(batch.problems), "1 line holds none.", "{count} lines hold none."
                )
            )
        if batch.duplicates:
            sentences.append(
                quantities.counted(
                    len(batch.duplicates),
                    "1 line repeats another.",
                    "{count} lines repeat others.",
                )
            )
        return sentences

    def _problems(self, batch: Batch) -> Sequence[Finding]:
        found = [
            Finding(
                "line",
                self.tr("Line {line}: {message} – {text}").format(
                    line=quantities.number(problem.line),
                    message=problem.message,
                    text=problem.text.strip(" |\t") or self.tr("(empty)"),
                ),
                FindingLevel.WARNING,
            )
            for problem in batch.problems[:NAMED_PROBLEMS]
        ]
        more = len(batch.problems) - len(found)
        if more > 0:
            text = quantities.counted(more, "1 more line holds none.", "{count} more hold none.")
            found.append(Finding("more", text, FindingLevel.NOTE))
        return found

    def _say(self, icon: str, heading: str, facts: str) -> None:
        self._icon.set_icon(icon, "ok" if icon == "ok" else "accent")
        self.heading.setText(heading)
        self.facts.setText(facts)
        self.facts.setVisible(bool(facts))
        self.setAccessibleName(f"{heading}. {facts}")
        self.show()
