# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a chart shows, as a value: pieces, each with its figures and what it leads to. No Qt."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from carrel_desktop import quantities


class Unit(Enum):
    """What an axis counts."""

    NUMBER = "number"
    BYTES = "bytes"

    def said(self, value: int) -> str:
        """Return a value as people read it."""
        return quantities.size(value) if self is Unit.BYTES else quantities.number(value)


class Pattern(Enum):
    """How an area is filled, so that no two are told apart by colour alone."""

    SOLID = "solid"
    HATCHED = "hatched"
    CROSSED = "crossed"
    SPARSE = "sparse"
    TINTED = "tinted"
    HOLLOW = "hollow"


@dataclass(frozen=True, slots=True)
class Series:
    """What one kind of area stands for, in the colour of a token."""

    name: str
    tone: str = "accent"
    pattern: Pattern = Pattern.SOLID


@dataclass(frozen=True, slots=True)
class Piece:
    """A bar, a column, or a part of a whole.

    `values` are stacked, one for each series (of a whole: its own alone), and `cells` what the
    columns of the table say of it; `leads_to` is what is behind it, None where that is nothing.
    """

    name: str
    values: Sequence[int]
    cells: Sequence[str]
    leads_to: object = None

    @property
    def total(self) -> int:
        return sum(self.values)


@dataclass(frozen=True, slots=True)
class Picture:
    """Pieces in their order, and what stands in the table of them: a heading for the names and one
    for each of the cells. Of a whole, each piece has the series of its place."""

    headings: Sequence[str]
    series: Sequence[Series]
    pieces: Sequence[Piece]
    unit: Unit = Unit.NUMBER

    @property
    def greatest(self) -> int:
        """The greatest total of a piece, 0 without any."""
        return max((piece.total for piece in self.pieces), default=0)

    def said(self, piece: Piece) -> str:
        """Return a piece as one sentence."""
        cells = zip(self.headings[1:], piece.cells, strict=True)
        return f"{piece.name}: " + ", ".join(f"{heading} {cell}" for heading, cell in cells)
