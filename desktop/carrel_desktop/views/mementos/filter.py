# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which captures are listed. No Qt here."""

from collections.abc import Sequence
from dataclasses import dataclass

from carrel_desktop.views.mementos.rows import Row

UNKNOWN_STATUS = "-"


@dataclass(frozen=True, slots=True)
class Filter:
    """Every word must occur; `lanes` are the sources to list, none of them meaning all.

    `status` is the first digit of a status, `mimetype` a whole type; both "" for any.
    `only_distinct` lists of each digest the earliest capture.
    """

    words: tuple[str, ...] = ()
    lanes: frozenset[int] = frozenset()
    status: str = ""
    mimetype: str = ""
    only_local: bool = False
    only_distinct: bool = False

    @property
    def lists_all(self) -> bool:
        return self == Filter()

    def of(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows that pass, in their order."""
        passed = list(rows)
        if self.only_local:
            passed = [row for row in passed if row.is_local]
        if self.lanes:
            passed = [row for row in passed if not self.lanes.isdisjoint(row.lanes)]
        if self.status == UNKNOWN_STATUS:
            passed = [row for row in passed if not row.status]
        elif self.status:
            passed = [row for row in passed if row.status[:1] == self.status]
        if self.mimetype:
            passed = [row for row in passed if row.mimetype == self.mimetype]
        for word in self.words:
            passed = [row for row in passed if word in row.sought]
        return distinct(passed) if self.only_distinct else passed


def distinct(rows: Sequence[Row]) -> list[Row]:
    """Return of each digest the earliest row, and all that have no digest."""
    earliest: dict[str, Row] = {}
    for row in rows:
        known = earliest.get(row.digest)
        if known is None or row.seconds < known.seconds:
            earliest[row.digest] = row
    return [row for row in rows if not row.digest or earliest[row.digest] is row]
