# SPDX-License-Identifier: AGPL-3.0-or-later
"""Entries of the journal as JSON objects, and back.

What a class looks like is worked out once: a first run writes a million of them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import partial
from operator import attrgetter
from types import UnionType
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from carrel.errors import ControlFlow, JournalTooNew
from carrel.translation import tr

E = TypeVar("E")

# They stand in every line beside the fields of its entry.
RESERVED = ("entry", "prev")

_TYPES = {
    str: "a text",
    int: "a number",
    bool: tr("true or false"),
    list: "a list",
    dict: tr("an object"),
}


class Codec(Generic[E]):
    """Codes the entries of a journal. `kinds` are their dataclasses, `journal` says whose it is,
    `advice` what to do once it is damaged: a clause that ends the sentence."""

    def __init__(self, kinds: Iterable[type[E]], journal: str, advice: str) -> None:
        self._plans = {kind.__name__.lower(): _Plan(kind) for kind in kinds}
        self.journal, self.advice = journal, advice

    def encode(self, entry: E) -> dict[str, Any]:
        """Return an entry as a JSON object: its name under "entry", then its fields in their order.

        A field is left out where its value is what it is by default.
        """
        plan = self._plans[type(entry).__name__.lower()]
        coded: dict[str, Any] = {"entry": plan.name}
        plan.fill(coded, entry)
        return coded

    def decode(self, coded: Mapping[str, Any]) -> E:
        """Return the entry that a JSON object stands for; a "prev" in it says nothing here.

        Raises JournalTooNew for a name, a field or a word that is unknown, ValueError for what no
        Carrel writes.
        """
        name = coded.get("entry")
        if not isinstance(name, str):
            raise ValueError("its kind is missing")
        try:
            if name not in self._plans:
                raise _Unknown(tr("entries named {name!r}", name=name[:80]))
            told = {key: value for key, value in coded.items() if key not in RESERVED}
            entry: E = self._plans[name].make(told)
        except _Unknown as what:
            raise JournalTooNew(_too_new(self.journal, str(what))) from None
        return entry


class _Unknown(ControlFlow):
    """What only a newer Carrel knows."""


@dataclass(frozen=True, slots=True)
class _Coder:
    """How values of a type are coded. None for a direction stands for "as it is".

    `types` are those that its JSON may have; `from_json` is asked about nothing else but None.
    """

    types: tuple[type, ...]
    to_json: Callable[[Any], Any] | None = None
    from_json: Callable[[Any], Any] | None = None

    def read(self, value: object) -> Any:
        """Raises ValueError, _Unknown."""
        if type(value) not in self.types:
            raise ValueError(f"{_TYPES[self.types[0]]} was expected")
        return value if self.from_json is None or value is None else self.from_json(value)


class _Plan:
    """How the fields of one class are written and read."""

    def __init__(self, kind: type) -> None:
        members, hints = fields(kind), get_type_hints(kind)
        coders = {each.name: _coder(hints[each.name]) for each in members}
        self.name = kind.__name__.lower()
        self._kind = kind
        self._names = tuple(coders)
        self._values = _getter(*coders)
        self._defaults = tuple(each.default for each in members)
        self._to_json = tuple(coder.to_json for coder in coders.values())
        self._coders = coders
        # As plain tuples: each field of each line is read.
        self._from_json = {name: (each.types, each.from_json) for name, each in coders.items()}

    def fill(self, coded: dict[str, Any], value: object) -> None:
        for name, default, to_json, each in zip(
            self._names, self._defaults, self._to_json, self._values(value), strict=True
        ):
            # None, False, 0, "" and () are each one object; another one would be written, no harm.
            if each is not default:
                coded[name] = each if to_json is None else to_json(each)

    def code(self, value: object) -> dict[str, Any]:
        coded: dict[str, Any] = {}
        self.fill(coded, value)
        return coded

    def make(self, coded: Mapping[str, Any]) -> Any:
        values = {}
        try:
            for name, value in coded.items():
                types, from_json = self._from_json[name]
                if type(value) not in types:
                    self._coders[name].read(value)
                values[name] = value if from_json is None or value is None else from_json(value)
        except KeyError:
            what = tr("the field {name!r} of a {entry}", name=name[:80], entry=self.name)
            raise _Unknown(what) from None
        except ValueError as error:
            raise ValueError(f"{name} of a {self.name}: {error}") from None
        try:
            return self._kind(**values)
        except TypeError:
            raise ValueError(f"fields of a {self.name} are missing") from None


def _getter(*names: str) -> Callable[[Any], tuple[Any, ...]]:
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda value: (get(value),)


def _coder(hint: Any) -> _Coder:
    """Return how values of a type are coded: those that entries are made of, no others."""
    origin = get_origin(hint)
    if origin is UnionType:
        return _optional(hint)
    if origin is Sequence:
        return _sequence(*get_args(hint))
    if origin is Mapping:
        return _mapping(get_args(hint)[1])
    if hint in (str, int, bool):
        return _Coder((hint,))
    if issubclass(hint, StrEnum):
        return _Coder((str,), str, partial(_word, hint))
    plan = _Plan(hint)
    return _Coder((dict,), plan.code, plan.make)


def _optional(hint: UnionType) -> _Coder:
    (kind,) = (each for each in get_args(hint) if each is not type(None))
    coder = _coder(kind)
    to_json = coder.to_json and partial(_unless_none, coder.to_json)
    return replace(coder, types=(*coder.types, type(None)), to_json=to_json)


def _unless_none(to_json: Callable[[Any], Any], value: object) -> Any:
    return None if value is None else to_json(value)


def _sequence(kind: Any) -> _Coder:
    if kind is Any:
        return _Coder((list,), list, tuple)
    coder = _coder(kind)
    to_json = coder.to_json
    return _Coder(
        (list,),
        list if to_json is None else lambda values: [to_json(each) for each in values],
        lambda values: tuple([coder.read(each) for each in values]),
    )


def _mapping(kind: Any) -> _Coder:
    if kind is Any:
        return _Coder((dict,), dict)
    coder = _coder(kind)
    return _Coder(
        (dict,), dict, lambda values: {key: coder.read(each) for key, each in values.items()}
    )


def _word(kind: type[StrEnum], value: str) -> StrEnum:
    try:
        return kind(value)
    except ValueError:
        raise _Unknown(tr("{value!r} as {name}", value=value[:80], name=kind.__name__)) from None


def _too_new(journal: str, what: str) -> str:
    return tr(
        "{journal} holds {what}, which this version of Carrel does not know: a newer one wrote it. "
        "Open the archive with that one.",
        journal=journal,
        what=what,
    )
