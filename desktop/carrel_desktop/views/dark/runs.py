# SPDX-License-Identifier: AGPL-3.0-or-later
"""Earlier runs, newest first: when, from where, what they found, and whether they are complete."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QObject, Qt

from carrel.model.dark_views import RunRow
from carrel_desktop.views.dark import saying
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import replacement
from carrel_desktop.widgets.rows import TwoLines

Role = Qt.ItemDataRole
LINES_ROLE = Role.UserRole


class RunsModel(QAbstractListModel):
    """One row a run."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs: list[RunRow] = []

    @property
    def newest(self) -> RunRow | None:
        return self._runs[0] if self._runs else None

    def show_runs(self, runs: Sequence[RunRow]) -> None:
        """Replace the runs, in whichever order they come."""
        ordered = sorted(runs, key=lambda run: -run.tist)
        if ordered != self._runs:
            with replacement(self):
                self._runs = ordered

    def at(self, index: Index) -> RunRow | None:
        return self._runs[index.row()] if 0 <= index.row() < len(self._runs) else None

    def place_of(self, tist: int) -> int | None:
        return next((at for at, run in enumerate(self._runs) if run.tist == tist), None)

    def after(self, run: RunRow) -> int | None:
        """Return the number of the run after one, None for the newest."""
        later = [each.tist for each in self._runs if each.tist > run.tist]
        return min(later, default=None)

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._runs)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        run = self.at(index) if index.isValid() else None
        if run is None:
            return None
        match role:
            case Role.DisplayRole:
                return saying.moment(run.tist)
            case Role.ToolTipRole | Role.AccessibleTextRole:
                return _told(run)
            case int() if role == LINES_ROLE:
                return _lines(run)
        return None


def _lines(run: RunRow) -> TwoLines:
    found = saying.counts(run.counts) or saying.tr("nothing new")
    second = found if run.ended and run.scope_ok else saying.completeness(run)
    name, tone = ("ok", "secondary") if run.ended and run.scope_ok else ("warning", "warning")
    return TwoLines(saying.moment(run.tist), second, name, tone, is_strong=False)


def _told(run: RunRow) -> str:
    origin = f"{saying.source(run.source)}: {run.source_ref}"
    data = saying.tr("data of {day}").format(day=saying.day(run.source_tist))
    found = saying.counts(run.counts) or saying.tr("nothing new")
    parts = [saying.moment(run.tist), origin, found, saying.completeness(run)]
    if run.source_tist is not None:
        parts.insert(2, data)
    return "\n".join(parts)
