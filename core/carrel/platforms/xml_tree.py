# SPDX-License-Identifier: AGPL-3.0-or-later
"""XML from outside as a tree: names without their namespaces, and no entities of its own.

A document that declares entities is refused: a few hundred bytes of them can unfold to gigabytes
(xml.etree reads them). What is nested deeper than any record is refused too.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from carrel.errors import CarrelError
from carrel.translation import tr

_DEEPEST = 200


class NotXml(CarrelError):
    """The text is no XML that is read here; the message says why."""


@dataclass(slots=True)
class Element:
    """An element: its name and attributes without namespaces, its own text, what is in it."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element"] = field(default_factory=list)
    text: str = ""

    def every(self, name: str) -> Iterator["Element"]:
        """Yield the elements of this name directly in this one."""
        return (child for child in self.children if child.name == name)

    def at(self, path: str) -> "Element | None":
        """Return the first element at a path of names ("files/file")."""
        found: Element | None = self
        for name in path.split("/"):
            found = next(found.every(name), None) if found else None
        return found

    def below(self, name: str) -> Iterator["Element"]:
        """Yield the elements of this name anywhere in this one, in their order."""
        for child in self.children:
            if child.name == name:
                yield child
            yield from child.below(name)

    def told(self, path: str) -> str | None:
        """Return the text of the first element at a path, on one line; None if it has none."""
        found = self.at(path)
        return " ".join(found.text.split()) or None if found else None


def parse(text: str) -> Element:
    """Return the root of a document. Raises NotXml."""
    return _Builder().root_of(text)


class _Builder:
    def __init__(self) -> None:
        self._open: list[Element] = []
        self._root: Element | None = None

    def root_of(self, text: str) -> Element:
        # It is text already, whatever encoding its declaration names.
        parser = expat.ParserCreate("utf-8", namespace_separator=" ")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = _refuse_entity
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)
        except expat.ExpatError as error:
            raise NotXml(str(error)) from error
        if self._root is None:
            raise NotXml(tr("it has no element"))
        return self._root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= _DEEPEST:
            raise NotXml(tr("it is nested too deeply"))
        element = Element(_local(name), {_local(key): text for key, text in attributes.items()})
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _end(self, name: str) -> None:
        self._open.pop()

    def _characters(self, text: str) -> None:
        self._open[-1].text += text


def _local(name: str) -> str:
    return name.rpartition(" ")[2]


def _refuse_entity(*_declaration: object) -> None:
    raise NotXml(tr("it declares entities"))
