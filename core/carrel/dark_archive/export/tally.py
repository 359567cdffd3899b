# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an export came to, while it is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from carrel.ledger.dark.exports import ExportedVersion
from carrel.model.dark_views import ExportReport, LeftOut, ObiState

# A lost disk would leave out a million; they are counted then.
_MOST_LISTED = 10_000


@dataclass(frozen=True, slots=True)
class Indexed:
    """What an index came to: its lines, and in sentences what was wrong with the records."""

    lines: int
    problems: Sequence[str] = ()


class Tally:
    def __init__(self) -> None:
        self.begun = self.templates = 0
        self.is_whole = True
        self._warcs = self._captures = self._versions = self._size = self._not_lost = 0
        self._left_out: list[LeftOut] = []
        self._problems: list[str] = []
        self._unlisted = 0

    def count(self, version: ExportedVersion) -> None:
        self._versions += 1
        self._size += version.size
        self._not_lost += version.state is not ObiState.LOST

    def leave_out(self, version: ExportedVersion, why: str, message: str) -> None:
        if len(self._left_out) < _MOST_LISTED:
            left = LeftOut(version.ident_n, version.tist, version.sha256, why, message)
            self._left_out.append(left)
        else:
            self._unlisted += 1

    def indexed(self, warcs: int, index: Indexed) -> None:
        self._warcs += warcs
        self._captures += index.lines
        self._problems += index.problems

    def report(self, folder: Path) -> ExportReport:
        return ExportReport(
            folder,
            self._warcs,
            self._captures,
            self._versions,
            self.templates,
            self._size,
            self._not_lost,
            self._left_out,
            self._unlisted,
            self._problems,
            self.is_whole,
        )
