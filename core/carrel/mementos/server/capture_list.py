# SPDX-License-Identifier: AGPL-3.0-or-later
"""The captures of a URL as a page lists them: all are counted, and the newest and our own shown."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from carrel.model import Memento

# A table of more rows is none that anyone reads, and slow in every browser.
MOST_ROWS = 5000
# So many are counted, which takes some seconds; of more it is said that there are more.
MOST_COUNTED = 1_000_000


@dataclass(frozen=True, slots=True)
class CaptureList:
    """The captures of a URL, the newest first.

    `newest` are those that anyone has, `held` older ones that are in sources of this machine.
    `years` counts all, newest year first; `held_left_out` are those held that are not listed.
    """

    newest: Sequence[Memento]
    held: Sequence[Memento]
    years: Mapping[str, int]
    held_left_out: int = 0

    @property
    def count(self) -> int:
        return sum(self.years.values())

    @property
    def shown(self) -> Sequence[Memento]:
        return (*self.newest, *self.held)


def listed(newest_first: Iterable[Memento], local: Collection[str]) -> CaptureList:
    """Count captures and pick what is shown, so that memory holds no more; `local` names sources.

    Blocks.
    """
    newest: list[Memento] = []
    held: list[Memento] = []
    years: Counter[str] = Counter()
    held_left_out = 0
    for row in newest_first:
        years[year_of(row)] += 1
        if len(newest) < MOST_ROWS:
            newest.append(row)
        elif row.source in local or any(each in local for each in row.also):
            if len(held) < MOST_ROWS:
                held.append(row)
            else:
                held_left_out += 1
    return CaptureList(newest, held, years, held_left_out)


def year_of(row: Memento) -> str:
    """Return the year of a capture, "undated" where its time says none."""
    year = row.timestamp[:4]
    return year if len(year) == 4 and year.isascii() and year.isdigit() else "undated"
