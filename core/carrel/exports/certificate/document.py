# SPDX-License-Identifier: AGPL-3.0-or-later
"""A certificate as a document: its blocks, whichever form they are written in."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How a holding, or one file of it, stands."""

    GOOD = "good"
    UNPROVEN = "unproven"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Value:
    """A text in its place; `is_code` is for digests, names and commands. `label` stands before it.

    Any of it may come from outside: whoever writes it makes it harmless.
    """

    text: str
    is_code: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """The result, before all else."""

    level: Level
    heading: str
    sentences: Sequence[str]


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str
    is_note: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """Names of facts, each with its values. Those that have none are left out."""

    rows: Sequence[tuple[str, Sequence[Value]]]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, each with several values; the first cell of a row names it.

    `widths` are the shares of a printed line that the columns have; without any, those that are
    usual for so many columns.
    """

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Sequence[Value]]]
    widths: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file: its cells under the heads of the list of files, the first of them its name."""

    number: int
    level: Level
    cells: Sequence[Sequence[Value]]


@dataclass(frozen=True, slots=True)
class Files:
    """The list of files: `rows` gives them in turn, as often as it is called; `count` of them."""

    caption: str
    heads: Sequence[str]
    count: int
    rows: Callable[[], Iterator[FileRow]]


@dataclass(frozen=True, slots=True)
class Commands:
    """Lines for a terminal."""

    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Blanks:
    """Lines to be filled in by hand."""

    labels: Sequence[str]


Block = Summary | Paragraph | Pairs | Table | Files | Commands | Blanks


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Document:
    """`kind` says what it is, `title` of what; `foot` stands at the foot of each page. `sha256` is
    that of the facts as JSON."""

    kind: str
    title: str
    subtitle: Sequence[Value]
    summary: Summary
    sections: Sequence[Section]
    foot: str
    author: str
    issued: str
    file_count: int
    sha256: str
