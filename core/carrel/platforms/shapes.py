# SPDX-License-Identifier: AGPL-3.0-or-later
"""Field types for outside answers: what is not valid in one field is unknown, not a failure.

Structure is taken strictly (a list of files must be one), single values leniently: a size of "n/a"
or a licence that is null never costs the dataset.
"""

import reprlib
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from carrel.platforms.whole_texts import whole_characters
from carrel.translation import tr
from carrel.validation import BeforeValidator, ValidationError

T = TypeVar("T")

# What pydantic's kinds of errors have in their names, and what should have been there.
_EXPECTED = (
    ("model", tr("an object")),
    ("dict", tr("an object")),
    ("mapping", tr("an object")),
    ("list", "a list"),
    ("tuple", "a list"),
    ("string", "a text"),
    ("int", "a number"),
    ("float", "a number"),
    ("bool", tr("a truth value")),
)

# SQLite's and everybody else's largest integer: no file is larger.
LARGEST = 2**63 - 1
_LONGEST_ODD = 100


def as_text(value: Any) -> str | None:
    """Return a string or number as text, anything else as None."""
    if isinstance(value, str):
        return whole_characters(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return None


def as_count(value: Any) -> int | None:
    """Return a number that can count bytes or things, also from its digits, else None."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 25:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= LARGEST else None


def as_odd_count(value: Any) -> str | None:
    """Return as text what is told where a count should be and is none; None for one, and for
    nothing."""
    if value in (None, "") or as_count(value) is not None:
        return None
    text = as_text(value)
    return written(value) if text is None else text[:_LONGEST_ODD]


def as_odd_text(value: Any) -> str | None:
    """Return as text what is told where a text should be and is none; None for one, and for
    nothing."""
    return None if _is_nothing(value) or as_text(value) is not None else written(value)


def as_odd_part(value: Any) -> str | None:
    """Return as text what is told where an object should be and is none; None for one, and for
    nothing."""
    return None if _is_nothing(value) or isinstance(value, Mapping) else written(value)


def _is_nothing(value: Any) -> bool:
    """Return whether a value is one of those by which answers say that there is none."""
    return value is None or value is False or value in ("", [], {})


def written(value: Any) -> str:
    """Return how a value of the wrong kind is written, the beginning of a long or deep one."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return reprlib.repr(value)[:_LONGEST_ODD]


def as_flag(value: Any) -> bool | None:
    """Return a truth value, also from the word, else None."""
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    return value if isinstance(value, bool) else None


def misfit(error: ValidationError) -> str:
    """Return, for people, which field of an answer has not the shape that it should have: "“files”
    is a text where an object should be". The first of several, by its path from the top."""
    first = error.errors(include_url=False)[0]
    place = ".".join(map(str, first["loc"]))
    if first["type"] == "missing":
        return tr("“{place}” is missing", place=place)
    expected = next(
        (name for mark, name in _EXPECTED if mark in first["type"]), tr("something else")
    )
    what = f"“{place}”" if place else tr("the whole answer")
    return tr(
        "{what} is {kind_of} where {expected} should be",
        what=what,
        kind_of=_kind_of(first["input"]),
        expected=expected,
    )


def _kind_of(value: Any) -> str:
    kinds = ((bool, tr("a truth value")), (str, "a text"), (int | float, "a number"),
             (list | tuple, "a list"), (Mapping, tr("an object")))  # fmt: skip
    return next((name for kind, name in kinds if isinstance(value, kind)), "null")


def _object_or_none(value: Any) -> Any:
    return value if isinstance(value, Mapping) else None


def _rows(value: Any) -> Any:
    return () if value is None else value


def _objects(value: Any) -> Any:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else ()


Text = Annotated[str | None, BeforeValidator(as_text)]
Count = Annotated[int | None, BeforeValidator(as_count)]
OddCount = Annotated[str | None, BeforeValidator(as_odd_count)]
"""Stands beside a `Count` of the same field, and has what is told where that makes no sense."""
OddText = Annotated[str | None, BeforeValidator(as_odd_text)]
"""Stands beside a `Text` of the same field, as `OddCount` beside a `Count`."""
OddPart = Annotated[str | None, BeforeValidator(as_odd_part)]
"""Stands beside a `Part` of the same field likewise."""
Flag = Annotated[bool | None, BeforeValidator(as_flag)]
Part = Annotated[T | None, BeforeValidator(_object_or_none)]
"""A nested object; None for null and for anything that is none."""
Rows = Annotated[tuple[T, ...], BeforeValidator(_rows)]
"""A list that matters: null is empty, anything but a list is an answer of the wrong shape."""
Objects = Annotated[tuple[T, ...], BeforeValidator(_objects)]
"""A list that only adorns: what is no object in it is passed over."""
