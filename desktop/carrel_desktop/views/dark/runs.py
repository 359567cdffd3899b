# SPDX-License-Identifier: AGPL-3.0-or-later
"""Earlier runs, newest first: when, from where, what they found, and whether they are complete."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from carrel.model.dark_views import RunRow
from carrel.translation import tr
from carrel_desktop.views.dark import texts
from carrel_desktop.widgets.rows import TwoLines
from carrel_desktop.widgets.table.column import Column, Kind
from carrel_desktop.widgets.table.model import RowsModel


class RunsModel(RowsModel[RunRow]):
    """One row a run."""

    def __init__(self, parent: QObject | None = None) -> None:
        when = Column(tr("Recorded (UTC)"), _when, lambda run: run.tist, tip=_told, lines=_lines)
        kind = Kind((when,), lambda run: str(run.tist), is_descending=True, spoken=_told)
        super().__init__(kind, parent)

    @property
    def newest(self) -> RunRow | None:
        return self.listed[0] if self.listed else None

    def show_runs(self, runs: Sequence[RunRow]) -> None:
        """Replace the runs, in whichever order they come."""
        if self.ordered(runs) != self.listed:
            self.show(self.kind, runs)

    def after(self, run: RunRow) -> int | None:
        """Return the number of the run after one, None for the newest."""
        later = [each.tist for each in self.listed if each.tist > run.tist]
        return min(later, default=None)


def _when(run: RunRow) -> str:
    return texts.moment(run.tist)


def _lines(run: RunRow) -> TwoLines:
    found = texts.counts(run.counts) or tr("nothing new")
    second = found if run.ended and run.scope_ok else texts.completeness(run)
    name, tone = ("ok", "secondary") if run.ended and run.scope_ok else ("warning", "warning")
    return TwoLines(texts.moment(run.tist), second, name, tone, is_strong=False)


def _told(run: RunRow) -> str:
    origin = f"{texts.source(run.source)}: {run.source_ref}"
    data = tr("data of {day}", day=texts.day(run.source_tist))
    found = texts.counts(run.counts) or tr("nothing new")
    parts = [texts.moment(run.tist), origin, found, texts.completeness(run)]
    if run.source_tist is not None:
        parts.insert(2, data)
    return "\n".join(parts)
