# SPDX-License-Identifier: AGPL-3.0-or-later
"""NetCDF in its classic forms: dimensions, variables and attributes, as its header has them.

The form is that of the NetCDF Users Guide, "File Format Specifications" (CDF-1, CDF-2), and of
PnetCDF for CDF-5. The header comes first: it can be read where only the beginning of a file is.
"""

import struct
from collections.abc import Iterator
from itertools import count, islice
from typing import BinaryIO

from carrel.access.renditions.source import NotShown, Source
from carrel.model.counts import counted
from carrel.model.rendition import Node, Rendition, Tree
from carrel.translation import tr

_FORMS = {
    b"CDF\x01": "NetCDF classic (CDF-1)",
    b"CDF\x02": "NetCDF, 64-bit offsets (CDF-2)",
    b"CDF\x05": "NetCDF, 64-bit data (CDF-5)",
}
# Name and code of each type, by its number.
_TYPES = {
    **{1: ("byte", "b"), 2: ("char", "c"), 3: ("short", "h"), 4: ("int", "i"), 5: ("float", "f")},
    **{6: ("double", "d"), 7: ("ubyte", "B"), 8: ("ushort", "H"), 9: ("uint", "I")},
    **{10: ("int64", "q"), 11: ("uint64", "Q")},
}
_DIMENSIONS, _VARIABLES, _ATTRIBUTES = 10, 11, 12
_CHAR = 2
_MOST_NODES, _MOST_VALUES, _MOST_OF_A_VALUE, _MOST_OF_A_NAME = 3000, 16, 300, 300
_MOST_SIDES = 100


def is_classic(head: bytes) -> bool:
    """Say whether a file begins as NetCDF does that is no HDF5."""
    return head[:4] in _FORMS


def as_netcdf(source: Source) -> Rendition:
    """Return dimensions, variables and attributes. Raises NotShown."""
    form = _FORMS[source.head(4)]
    nodes: list[Node] = []
    notes = [tr("Only its structure is shown, not its values.")]
    try:
        for node in _Header(source).nodes():
            if len(nodes) == _MOST_NODES:
                notes.append(tr("The first {count:,} entries are shown.", count=_MOST_NODES))
                break
            nodes.append(node)
    except (ValueError, OverflowError, OSError) as error:
        if not nodes:
            raise NotShown(tr("It cannot be read as NetCDF: {error}.", error=error)) from error
        notes.append(tr("Its header cannot be read to its end: {error}.", error=error))
    return Rendition(form, Tree(tuple(nodes)), tuple(notes), source.size)


class _Header:
    """The header, read once from its beginning. Raises ValueError where it is none."""

    def __init__(self, source: Source) -> None:
        self._file: BinaryIO = source.file
        self._form = source.head(4)[3]
        self._file.seek(4)
        self._open = 2**64 - 1 if self._form == 5 else 2**32 - 1  # records that are still written
        self._sides: list[str] = []  # the dimensions, each with its length
        self._numbers = count()

    def nodes(self) -> Iterator[Node]:
        """Yield the tree, what is above before what is in it."""
        records = self._count()
        yield from self._dimensions(records)
        yield from self._attributes(-1)
        yield from self._variables()

    def _dimensions(self, records: int) -> Iterator[Node]:
        for _ in range(self._list_of(_DIMENSIONS)):
            name, length = self._name(), self._count()
            is_open = not length and records == self._open
            self._sides.append(name if is_open else f"{name} {length or records:,}")
            said = f"{length:,}" if length else _unlimited(None if is_open else records)
            yield self._node(-1, name, said, tr("dimension"))

    def _attributes(self, parent: int) -> Iterator[Node]:
        for _ in range(self._list_of(_ATTRIBUTES)):
            name = self._name()
            yield self._node(parent, f"@{name}", self._value(), tr("attribute"))

    def _variables(self) -> Iterator[Node]:
        for _ in range(self._list_of(_VARIABLES)):
            name = self._name()
            sides = self._sides_of(self._count())
            node = next(self._numbers)
            attributes = list(islice(self._attributes(node), _MOST_NODES))
            if len(attributes) == _MOST_NODES:
                raise ValueError(tr("a variable has too many attributes"))
            type_name, _ = _type_of(self._count32())
            self._skip(8 if self._form == 5 else 4)  # its size
            self._skip(4 if self._form == 1 else 8)  # where it begins
            value = f"{type_name} {sides}".strip()
            yield Node(-1, _cut(name, _MOST_OF_A_NAME), value, tr("variable"))
            yield from attributes

    def _sides_of(self, many: int) -> str:
        """Return the sides of a variable: their names with their lengths."""
        if many > _MOST_SIDES:
            raise ValueError(tr("a variable has {many:,} dimensions", many=many))
        numbers = [self._count() for _ in range(many)]
        if any(number >= len(self._sides) for number in numbers):
            raise ValueError(tr("a variable names a dimension that is not there"))
        return _cut(" × ".join(self._sides[number] for number in numbers), _MOST_OF_A_VALUE)

    def _value(self) -> str:
        """Return the value of an attribute, in words; of many values how many there are."""
        number = self._count32()
        name, code = _type_of(number)
        many, size = self._count(), struct.calcsize(code)
        whole = many * size
        is_text = number == _CHAR
        wanted = min(whole, _MOST_OF_A_VALUE + 1 if is_text else _MOST_VALUES * size)
        content = self._bytes(wanted)
        self._skip(whole - wanted + -whole % 4)
        if is_text:
            return _cut(content.decode(errors="replace").rstrip("\0"), _MOST_OF_A_VALUE)
        if many > _MOST_VALUES:
            return f"{name}, {counted(many, 'value')}"
        return ", ".join(map(str, struct.unpack(f">{many}{code}", content)))

    def _list_of(self, mark: int) -> int:
        """Return how many are in a list, which says of what it is."""
        found, many = self._count32(), self._count()
        if found not in (mark, 0) or (found == 0 and many):
            raise ValueError(tr("its header is damaged"))
        return many

    def _name(self) -> str:
        size = self._count()
        content = self._bytes(min(size, 4 * _MOST_OF_A_NAME))
        self._skip(size - len(content) + -size % 4)
        return content.decode(errors="replace")

    def _node(self, parent: int, name: str, value: str, kind: str) -> Node:
        next(self._numbers)
        return Node(parent, _cut(name, _MOST_OF_A_NAME), value, kind)

    def _count(self) -> int:
        """Return a number of things: of eight bytes in CDF-5, else of four."""
        return int.from_bytes(self._bytes(8 if self._form == 5 else 4))

    def _count32(self) -> int:
        return int.from_bytes(self._bytes(4))

    def _bytes(self, size: int) -> bytes:
        content = self._file.read(size)
        if len(content) < size:
            raise ValueError(tr("it ends early"))
        return content

    def _skip(self, size: int) -> None:
        self._file.seek(size, 1)


def _unlimited(records: int | None) -> str:
    """Return the length of a dimension that grows; None if what wrote it has not noted it."""
    if records is None:
        return tr("unlimited")
    return tr("unlimited, {records}", records=counted(records, "record"))


def _type_of(number: int) -> tuple[str, str]:
    if number not in _TYPES:
        raise ValueError(tr("there is no type {number}", number=number))
    return _TYPES[number]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
