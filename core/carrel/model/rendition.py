# SPDX-License-Identifier: AGPL-3.0-or-later
"""What there is to see of a file: a value that a process of its own answers, as JSON.

All text in it comes from outside: it is shown, and never acted upon.
"""

import base64
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Place:
    """Where to look in a copy: into the file `name` itself, or into members within it.

    `name` and `mimetype` are the dataset's words for it. `inside` are names of members as they are
    stored, each in the one before. `page` counts from 0. `as_text` shows bytes as they are.
    `charset` is the encoding that was declared, "" if none was. Where the copy has only a
    beginning, `size` is that of all, in bytes.
    """

    name: str
    mimetype: str = ""
    inside: tuple[str, ...] = ()
    page: int = 0
    as_text: bool = False
    charset: str = ""
    size: int | None = None

    @property
    def last_name(self) -> str:
        """The name of what is looked at, without its folders."""
        return (self.inside[-1] if self.inside else self.name).rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Text:
    """A text, its lines divided by "\\n". `encoding` is the one it was read in."""

    text: str
    encoding: str = ""
    form: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class TableColumn:
    """`kind` is what all values that are shown have in common, in words."""

    name: str
    kind: str
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; a row may be shorter than the columns are many."""

    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    form: Literal["table"] = "table"


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a tree. `parent` is the number of the node that it is in, -1 at the top; a parent
    comes before what is in it. `kind` says what it is, in a word.
    """

    parent: int
    name: str
    value: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Tree:
    nodes: tuple[Node, ...]
    form: Literal["tree"] = "tree"


@dataclass(frozen=True, slots=True)
class Picture:
    """An image, or a page, as a PNG (base 64) of `width` times `height` pixels.

    `page` of `pages` counts from 0. `text` is what a page has of it.
    """

    png: str
    width: int
    height: int
    page: int = 0
    pages: int = 1
    text: str = ""
    form: Literal["picture"] = "picture"

    @property
    def content(self) -> bytes:
        return base64.b64decode(self.png)


@dataclass(frozen=True, slots=True)
class MemberEntry:
    """A member of a zip or tar. `why_not` says why it cannot be opened, "" if it can."""

    name: str
    size: int | None = None
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Members:
    members: tuple[MemberEntry, ...]
    form: Literal["members"] = "members"


@dataclass(frozen=True, slots=True)
class Nothing:
    """There is nothing to see, for a reason, in a sentence."""

    reason: str
    form: Literal["nothing"] = "nothing"


Content = Text | Table | Tree | Picture | Members | Nothing


@dataclass(frozen=True, slots=True)
class Rendition:
    """What was read of a file. `kind` names its format; `notes` say what is not shown.

    `size` in bytes is that of what was looked at, None where that is not known.
    """

    kind: str
    content: Content
    notes: tuple[str, ...] = ()
    size: int | None = None
    has_text_form: bool = False


def nothing_at(place: Place, reason: str, size: int | None) -> Rendition:
    """Return why there is nothing to see; `size` is that of the file itself, and of no member."""
    return Rendition("", Nothing(reason), size=None if place.inside else size)
