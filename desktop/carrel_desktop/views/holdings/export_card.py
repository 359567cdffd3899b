# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far an export is, how it ended, and what can be done then."""

from collections.abc import Collection, Sequence
from pathlib import Path

from PySide6.QtWidgets import QPushButton

from carrel.model.exports import ExportReport
from carrel.model.prose import shortlist
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme
from carrel_desktop.views.holdings.export_words import heading, kept_back, summary, what_lacks
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.running_card import RunningCard

STEPS = 1000  # of the bar for each holding: byte counts do not fit into its 32 bits


class ExportCard(RunningCard):
    """How far an export is, how it ended, and the way to what was written."""

    def __init__(self, theme: Theme) -> None:
        folder = named(QPushButton(tr("Show folder")), "show_export")
        rest = named(QPushButton(tr("Export without the damaged files")), "export_rest")
        super().__init__(theme, "export", tr("Export"), rest, folder)
        self.folder, self.rest = folder, rest

    def show_progress(self, done: int, total: int) -> None:
        """Show how far an export is, in steps of which each holding has a thousand."""
        self.show_at(done, total)
        count = total // STEPS
        number = min(done // STEPS + 1, count)
        said = tr(
            "{number} of {count}",
            number=quantities.number(number),
            count=quantities.datasets(count),
        )
        self.card.show_note("save", tr("Exporting…"), said if count else "")

    def show_report(
        self,
        report: ExportReport,
        changed: Collection[str] = (),
        *,
        can_leave_out: bool = False,
    ) -> None:
        """Show what was exported, and name what was not.

        `changed` are the attempts whose damage is no longer what it was. Where it `can_leave_out`
        damaged files, an export of the intact ones is offered.
        """
        there = len(report.there)
        self.show_ended()
        self.folder.setVisible(there > 0)
        self.rest.setVisible(can_leave_out and bool(kept_back(report, changed)))
        said = summary(report)
        lacks = list(what_lacks(report, changed))
        if not there:
            self.card.show_trouble(tr("Nothing was exported"), "\n".join(lacks))
        elif lacks:
            self.card.show_caution(heading(report), said, "\n".join(lacks))
        else:
            is_new = bool(report.written)
            done = tr("Exported and verified") if is_new else tr("There already, and verified")
            self.card.show_success(done, said)

    def show_trouble(self, reason: str, written: int = 0) -> None:
        """Show why an export ended early, when so many datasets were there by then."""
        self.show_ended()
        self.folder.setVisible(written > 0)
        if not written:
            self.card.show_trouble(tr("Nothing was exported"), reason)
            return
        there = tr("{datasets} exported before.", datasets=quantities.datasets(written))
        self.card.show_trouble(tr("Export ended early"), f"{reason} {there}")

    def show_stopped(self, written: int, count: int, begun: Sequence[Path]) -> None:
        """Show how many of so many datasets are complete, and where what was begun waits."""
        self.show_ended()
        self.folder.setVisible(written > 0)
        said = [
            tr(
                "Complete: {number} of {datasets}.",
                number=quantities.number(written),
                datasets=quantities.datasets(count),
            ),
            tr("The same export into the same folder resumes the rest."),
        ]
        if begun:
            kept = tr(
                "What was begun waits for that in {folder}, hidden: {names}. Delete that if you do "
                "not go on.",
                folder=begun[0].parent,
                names=shortlist(each.name for each in begun),
            )
            said.append(kept)
        self.card.show_note("stopped", tr("Export stopped"), " ".join(said), "secondary")
