# SPDX-License-Identifier: AGPL-3.0-or-later
"""The months, or where those are many the years, that a picture over time has columns for. No Qt.

Moments are UTC. Names of months come from the ledger; what is none counts as before all of them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_LEAST_MONTHS, _MOST_MONTHS, _MOST_YEARS = 6, 24, 30
_YEAR = 4  # digits
_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class Period:
    """A month ("2026-03") or a year ("2026")."""

    name: str

    @property
    def is_year(self) -> bool:
        return len(self.name) == _YEAR

    def has(self, month: str) -> bool:
        """Say whether a month lies in it."""
        return month.startswith(self.name)


def periods(months: Iterable[str], now: str) -> Sequence[Period]:
    """Return the periods that have these months in them, up to the one of `now` (ISO 8601)."""
    numbers = [_number(month) for month in months if _MONTH.fullmatch(month)]
    last = max([_number(now[:7]), *numbers])
    first = min([last - _LEAST_MONTHS + 1, *numbers])
    if last - first < _MOST_MONTHS:
        return [Period(f"{each // 12:04}-{each % 12 + 1:02}") for each in range(first, last + 1)]
    last_year = last // 12
    first_year = max(first // 12, last_year - _MOST_YEARS + 1)
    return [Period(f"{year:04}") for year in range(first_year, last_year + 1)]


def _number(month: str) -> int:
    year, _, number = month.partition("-")
    return int(year) * 12 + int(number) - 1
