# SPDX-License-Identifier: AGPL-3.0-or-later
"""A template: its text, and what the gathering asks of it."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from carrel.dark_archive.identifiers import normal_url
from carrel.dark_archive.redif import values
from carrel.dark_archive.redif.shapes import FileShape, Shape, shape_of
from carrel.errors import NotFetchable
from carrel.model.dark import Reference

_TYPE_CHARS = len("Template-Type:")
# Any other line continues the value before it. "word://" begins an address, and no field.
_FIELD = re.compile(r"\n([A-Za-z0-9#-]++):(?!//)")
# A blank before the colon makes it none; that is seen in the same go.
_FIELD_OR_BLANK = re.compile(r"\n([A-Za-z0-9#-]++[ \t]*+):(?!//)")


@dataclass(slots=True, eq=False)  # not frozen: that would double what it takes to make one
class Template:
    """The `position`th template of a file, from 0.

    `body` is its text as it stands there, from its Template-Type to the next; `blanks` are names of
    fields that are none, since a blank stands before their colon.
    """

    position: int
    body: str
    shape: Shape
    # Value of the Template-Type, then name and value of each field.
    _parts: Sequence[str]
    blanks: Sequence[str] = ()
    _text: str | None = None

    @property
    def text(self) -> str:
        """The normal form, which is what is stored: nothing white at the end of a line, no blank
        lines. Each line ends with LF, the first is that of the Template-Type."""
        if self._text is None:
            self._text = _normal(self.body)
        return self._text

    @property
    def type(self) -> str | None:
        """The type ("ReDIF-Paper"), None for an empty one; one that is not known as it stands."""
        return values.type_and_version(self.type_value)[0]

    @property
    def type_value(self) -> str:
        return self._parts[0][_TYPE_CHARS:]

    @property
    def handle(self) -> str | None:
        """The first Handle that is not empty, as it is spelled, without white space."""
        for number in self.shape.handles:
            if handle := values.joined(self._parts[2 * number + 2]):
                return handle
        return None

    @property
    def text_md5(self) -> str:
        """The MD5 of the text, in hex: the Fort Lee paper's "text in the file"."""
        return hashlib.md5(self.text.encode(), usedforsecurity=False).hexdigest()

    @property
    def restriction(self) -> str | None:
        """The template's own Restriction, None if there is none.

        A File-Restriction before any File-URL belongs to no file; it holds for all of them.
        """
        numbers = [*self.shape.restrictions]
        numbers += [n for n in self.shape.unclaimed if self.name(n).lower() == "file-restriction"]
        return next((text for n in numbers if (text := values.folded(self.value(n)))), None)

    def name(self, number: int) -> str:
        """Return the name of a field by its number, as it is spelled."""
        return self._parts[2 * number + 1]

    def value(self, number: int) -> str:
        """Return all that stands behind a field's colon, with its line breaks."""
        return self._parts[2 * number + 2]

    def place(self, number: int) -> int:
        """Return where in the body the name of a field stands."""
        # Of each field the pattern took an LF and a colon.
        return sum(map(len, self._parts[: 2 * number + 1])) + 2 * number + 1

    def fields(self) -> list[tuple[str, str]]:
        """Return names and values of all fields, as in the normal form, the Template-Type first.

        Values are trimmed; those of several lines hold LF.
        """
        first, *parts = _FIELD.split(self.text)
        parts = [first[: _TYPE_CHARS - 1], first[_TYPE_CHARS:], *parts]
        return [(name, value.strip()) for name, value in zip(parts[::2], parts[1::2], strict=True)]

    def addresses(self) -> list[str]:
        """Return what the File-URLs hold, "" where one is empty."""
        parts = self._parts
        return [values.address(parts[2 * file.url + 2]) for file in self.shape.files]

    def references(self) -> list[Reference]:
        """Return the files that the template points to, also those that cannot be fetched."""
        return [self._reference(file) for file in self.shape.files]

    def _reference(self, file: FileShape) -> Reference:
        value = self.value(file.url)
        raw_url = values.folded(value)
        try:
            url = normal_url(values.spelled(value))
        except NotFetchable:
            url = None
        return Reference(
            raw_url=raw_url,
            url=url,
            format=self._folded(file.format),
            function=self._folded(file.function),
            restriction=self._folded(file.restriction),
            size=self._folded(file.size),
        )

    def _folded(self, number: int | None) -> str | None:
        return None if number is None else values.folded(self.value(number)) or None


def template_of(body: str, position: int) -> Template:
    """Return the template with this text, in which comments are blank lines."""
    parts = _FIELD_OR_BLANK.split(body)
    shape = shape_of(tuple(parts[1::2]))
    if not shape.blanks:
        return Template(position, body, shape, parts)
    blanks = [parts[2 * number + 1] for number in shape.blanks]
    parts = _FIELD.split(body)
    return Template(position, body, shape_of(tuple(parts[1::2])), parts, blanks)


def _normal(body: str) -> str:
    return "\n".join([*filter(None, map(str.rstrip, body.split("\n"))), ""])
