# SPDX-License-Identifier: AGPL-3.0-or-later
"""Tables, declared: what a cell of a column says, what rows are sorted by, what gives way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Column(Generic[R]):
    """A column. `units` is its width in grid steps, 0 for what is left.

    `key` is what rows are sorted by, `tip` the whole of what a cell may have no room for, `look`
    icon and colour of an icon before the text. `shares` are parts of one with their colours,
    drawn as a quiet bar beside a figure of so many grid steps. Columns of the highest `yields`
    give way first where room is short. `whole` is what goes into a file in place of the text.
    """

    heading: str
    text: Callable[[R], str]
    key: Callable[[R], Any]
    units: int = 0
    yields: int = 0
    is_number: bool = False
    is_fixed: bool = False
    is_strong: bool = False
    tip: Callable[[R], str] | None = None
    look: Callable[[R], tuple[str, str]] | None = None
    shares: Callable[[R], Sequence[tuple[float, str]]] | None = None
    figure: int = 11
    whole: Callable[[R], str] | None = None


@dataclass(frozen=True, slots=True)
class Kind(Generic[R]):
    """What a table lists. `ident` is what names a row, "" for none; `sought` is what is searched.

    `sorted_by` is the column that it is sorted by first.
    """

    columns: Sequence[Column[R]]
    ident: Callable[[R], str]
    sorted_by: int = 0
    is_descending: bool = False

    def sought(self, row: R) -> str:
        """Return all that a filter looks through."""
        return "\n".join(column.text(row) for column in self.columns).casefold()
