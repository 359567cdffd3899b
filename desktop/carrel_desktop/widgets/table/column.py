# SPDX-License-Identifier: AGPL-3.0-or-later
"""Tables, declared: what a cell of a column says, what rows are sorted by, what gives way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtGui import QFontMetrics

from carrel_desktop.theme import scaled_font, space
from carrel_desktop.widgets.rows import TwoLines

R = TypeVar("R")
AROUND = 6  # grid steps: what stands beside a heading, with the mark of what rows are sorted by
LEAST_REST = 62  # grid steps for the column that takes what is left


@dataclass(frozen=True, slots=True)
class Column(Generic[R]):
    """A column. `units` is its width in grid steps, 0 for what is left; it is wider where its
    heading needs that. `measured` gives the width in pixels, where it depends on words; it is told
    whether columns had to give way.

    `key` is what rows are sorted by, `tip` the whole of what a cell may have no room for, `look`
    icon and colour of an icon before the text, both "" for a gap, and `tone` the colour of the
    text. `shares` are parts of one with their colours, drawn as a quiet bar beside a figure of so
    many grid steps, `below` a smaller line and its colour, both "" for none. `lines` are painted in
    place of the text; where the column `stands_for` had to give way, its look is their icon.

    What `leads_on` names another object: where it is too long it gives way in its middle, as the
    first column does.

    Columns of the highest `yields` give way first where room is short: where less than `beside`
    grid steps, or what the kind says, are left for the others. `whole` is what goes into a file in
    place of the text.
    """

    heading: str
    text: Callable[[R], str]
    key: Callable[[R], Any]
    units: int = 0
    yields: int = 0
    is_number: bool = False
    is_fixed: bool = False
    leads_on: bool = False
    is_strong: Callable[[R], bool] | None = None
    tip: Callable[[R], str] | None = None
    look: Callable[[R], tuple[str, str]] | None = None
    tone: Callable[[R], str] | None = None
    shares: Callable[[R], Sequence[tuple[float, str]]] | None = None
    figure: int = 11
    below: Callable[[R], tuple[str, str]] | None = None
    lines: Callable[[R], TwoLines] | None = None
    stands_for: int | None = None
    beside: int = 0
    measured: Callable[[bool], int] | None = None
    whole: Callable[[R], str] | None = None

    @property
    def is_state(self) -> bool:
        """Whether it says a state by an icon and a word of one colour."""
        return self.look is not None and self.tone is not None

    @property
    def takes_rest(self) -> bool:
        """Whether it is as wide as the others leave room for."""
        return not self.units and self.measured is None

    def width(self, *, is_narrow: bool) -> int:
        """Return the width in pixels, 0 for what is left. `is_narrow` if columns gave way."""
        if self.measured:
            return self.measured(is_narrow)
        heading = QFontMetrics(scaled_font(1)).horizontalAdvance(self.heading)
        return max(space(self.units), heading + space(AROUND)) if self.units else 0


def column_of(
    heading: str,
    value: Callable[[R], Any],
    said: Callable[[Any], str] = str,
    units: int = 0,
    yields: int = 0,
    *,
    tip: Callable[[Any], str] | None = None,
    unknown: Any = "",
    **more: Any,
) -> Column[R]:
    """Return a column of one value, which it is sorted by, in any case of its letters.

    `said` and `tip` put the value into words; None is sorted as `unknown`.
    """

    def key(row: R) -> Any:
        known = unknown if (own := value(row)) is None else own
        return known.casefold() if isinstance(known, str) else known

    if tip is not None:
        more["tip"] = lambda row: tip(value(row))
    return Column(heading, lambda row: said(value(row)), key, units, yields, **more)


def nameless(_row: object) -> str:
    """Return "" as the name of rows that have none."""
    return ""


class Kind(Generic[R]):
    """What a table lists. `ident` is what names a row, "" for none; `spoken` is a row as one
    sentence, for those who do not see it, every column with its heading if it is not given.

    `sorted_by` is the column that it is sorted by first; `keeps_order` has equal rows stand in that
    order whatever they are sorted by. `least` is the room in grid steps that the column which takes
    what is left needs before others give way; where it `scrolls`, none does, and the table is moved
    sideways.
    """

    def __init__(
        self,
        *columns: Column[R],
        ident: Callable[[R], str] = nameless,
        sorted_by: int = 0,
        is_descending: bool = False,
        is_sortable: bool = True,
        keeps_order: bool = False,
        least: int = LEAST_REST,
        scrolls: bool = False,
        spoken: Callable[[R], str] | None = None,
    ) -> None:
        self.columns, self.ident, self.spoken, self.least = columns, ident, spoken, least
        self.scrolls = scrolls
        self.sorted_by, self.is_descending = sorted_by, is_descending
        self.is_sortable, self.keeps_order = is_sortable, keeps_order

    @property
    def is_tall(self) -> bool:
        """Whether its rows have two lines."""
        return any(column.lines for column in self.columns)

    def sought(self, row: R) -> str:
        """Return all that a filter looks through."""
        return "\n".join(column.text(row) for column in self.columns).casefold()

    def said(self, row: R) -> str:
        """Return a row as one sentence."""
        if self.spoken is not None:
            return self.spoken(row)
        said = ((column.heading, column.text(row)) for column in self.columns)
        return ", ".join(f"{heading} {text}" for heading, text in said if text not in ("", "–"))


def always(_row: object) -> bool:
    """Say yes: of a column that is strong in every row."""
    return True


def as_given(_row: object) -> int:
    """Return the key of rows that stay in the order in which they were given."""
    return 0


def quiet(_row: object) -> str:
    """Return the tone of what is of second rank in every row."""
    return "secondary"
