# SPDX-License-Identifier: AGPL-3.0-or-later
"""Filters of index rows, as pywb writes them: `[!][=|~]field:value`.

Without a mark the field contains the value; `=` says it is the value, `~` that it begins as the
regular expression says, `!` negates. Without `field:` the whole line is looked at.

Expressions are RE2's, which end in linear time whatever they are and whatever they are given. What
only Python's know (looking ahead and back, references) is given a few seconds, and refused then.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import prod

import re2
import regex

from carrel.errors import QueryError
from carrel.mementos.cdxj import cdxj_line
from carrel.model import Memento
from carrel.translation import tr

# What pywb, the Wayback Machine and CDX headers call the same columns.
FIELD_ALIASES = {
    "original": "url",
    "mimetype": "mime",
    "statuscode": "status",
    "k": "urlkey",
    "t": "timestamp",
    "u": "url",
    "m": "mime",
    "s": "status",
    "d": "digest",
    "f": "filename",
    "l": "length",
    "o": "offset",
}
_LONGEST_EXPRESSION = 1000
_PATIENCE_S = 3.0
# Repeats in repeats are written out in memory, one by one.
_MOST_REPEATS = 1000
_REPEAT = re.compile(r"\{(\d*)(?:,(\d*))?\}")
# The library writes what it thinks of an expression to standard error, unless told not to.
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.never_capture = True


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition; `field` is "" for the whole line."""

    field: str
    is_negated: bool
    holds: Callable[[str], bool]

    def lets_pass(self, memento: Memento) -> bool:
        """Say whether a row is to be kept; a field that it lacks is empty."""
        return self.holds(field_of(memento, self.field)) != self.is_negated


def parse_filter(text: str) -> Filter:
    """Return the filter that a text stands for. Raises QueryError."""
    bare = text.removeprefix("!")
    mark = bare[:1] if bare[:1] in ("=", "~") else ""
    field, colon, value = bare[len(mark) :].partition(":")
    if not colon:
        field, value = "", field
    return Filter(
        FIELD_ALIASES.get(field, field), text.startswith("!"), _condition(mark, value, text)
    )


def field_of(memento: Memento, field: str) -> str:
    """Return a field of a row as text, "" if it has none; the whole line for the field ""."""
    if field == "urlkey":
        return memento.urlkey
    if field == "timestamp":
        return memento.timestamp
    if field == "source":
        return memento.source
    if not field:
        return cdxj_line(memento.urlkey, memento.timestamp, memento.fields)
    return memento.fields.get(field, "")


def _condition(mark: str, value: str, text: str) -> Callable[[str], bool]:
    if mark == "=":
        return value.__eq__
    if mark == "~":
        return _expression(value, text)
    return lambda found: value in found


def _expression(value: str, text: str) -> Callable[[str], bool]:
    if len(value) > _LONGEST_EXPRESSION:
        raise QueryError(
            tr(
                "The regular expression of a filter is longer than {longest_expression}.",
                longest_expression=_LONGEST_EXPRESSION,
            )
        )
    try:
        match = re2.compile(value, _OPTIONS).match
    except re2.error:
        return _Patient(value, text).holds
    return lambda found: match(found) is not None


class _Patient:
    """An expression that may never end: it has so much time for all the rows of a question."""

    def __init__(self, value: str, text: str) -> None:
        self._text, self._left_s = text, _PATIENCE_S
        if _repeats(value) > _MOST_REPEATS:
            raise QueryError(
                tr("The regular expression of the filter “{text}” repeats too much.", text=text)
            )
        try:
            re.compile(value)  # what pywb's filters are written in; the library knows more
            self._expression = regex.compile(value)
        except (re.error, regex.error, RecursionError, OverflowError) as error:
            raise QueryError(
                tr(
                    "The regular expression of the filter “{text}” cannot be used: {error}.",
                    text=text,
                    error=error,
                )
            ) from error

    def holds(self, found: str) -> bool:
        """Say whether a text begins as the expression says. Raises QueryError."""
        began = time.monotonic()
        try:
            return self._expression.match(found, timeout=self._left_s) is not None
        except TimeoutError as error:
            raise self._too_slow() from error
        finally:
            self._left_s = max(self._left_s - (time.monotonic() - began), 0.001)

    def _too_slow(self) -> QueryError:
        return QueryError(
            tr(
                "The regular expression of the filter “{text}” takes longer than "
                "{patience_s:g} seconds; write a simpler one.",
                text=self._text,
                patience_s=_PATIENCE_S,
            )
        )


def _repeats(value: str) -> int:
    """Return how often something in an expression may be repeated, if all repeats are nested."""
    counts = (
        max(map(int, filter(None, each.groups())), default=1) for each in _REPEAT.finditer(value)
    )
    return prod(max(1, count) for count in counts)
