# SPDX-License-Identifier: AGPL-3.0-or-later
"""The numbers of runs while the journal is applied: to which run each belongs, and of what kind."""

from collections.abc import Callable
from typing import Any

from carrel.errors import ArchiveError
from carrel.model.dark import RunSource
from carrel.translation import tr


class RunNumbers:
    """Looked up once each, for one transaction."""

    def __init__(self, execute: Callable[..., Any]) -> None:
        self._execute = execute
        self._runs: dict[int, tuple[int, bool]] = {}

    def run_of(self, tist: int) -> int:
        """Return the first number of the run that this is a number of."""
        return self._run(tist)[0]

    def is_backfill(self, tist: int) -> bool:
        """Say whether the run that this is a number of read older data."""
        return self._run(tist)[1]

    def _run(self, tist: int) -> tuple[int, bool]:
        run = self._runs.get(tist)
        if run is None:
            row = self._execute("SELECT run, source FROM run WHERE tist = ?", [tist]).fetchone()
            if row is None:
                raise contradiction(tr("no run has the number {tist}", tist=tist))
            run = self._runs[tist] = (int(row[0]), row[1] == RunSource.BACKFILL)
        return run


def contradiction(what: str) -> ArchiveError:
    """Return what is raised for entries that cannot follow those before them."""
    return ArchiveError(f"The journal contradicts the ledger: {what}.")
