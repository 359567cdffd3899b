# SPDX-License-Identifier: AGPL-3.0-or-later
"""Separated values as a table, with what the values of each column have in common."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from itertools import chain, pairwise

from carrel.access.renditions.source import Source
from carrel.access.renditions.texts import guessed_encoding, replaced_bytes
from carrel.model.counts import counted
from carrel.model.rendition import Rendition, Table, TableColumn
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

MOST_BYTES = 4 * MEBIBYTE
MOST_ROWS, MOST_COLUMNS, MOST_OF_A_CELL = 1000, 200, 300
_MOST_SNIFFED = 64 * 1024
# More is a quote that is never closed.
_MOST_OF_A_FIELD = 256 * 1024
_SNIFFED_ROWS = 50
_MOST_OF_A_NAME = 40
# A row of its own behind all others, unless a quote is open there. No text has this.
_END = "\0end"
_SEPARATORS = "\t,;|"
_YEAR = r"(?:1[5-9]|20|21)\d\d"
_DATE = r"\d{4}-[01]\d-[0-3]\d"
_TIME = r"[0-2]\d:[0-5]\d(?::[0-6]\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"


# What zeros lead is a code, as 007: they would be lost from a number.
_WHOLE, _WHOLE_OR_CODE = r"(?:0|[1-9]\d*)", r"\d+"


def _numbers(whole: str) -> str:
    """Return the pattern of numbers whose part before the point is like this."""
    return rf"[+-]?(?:{whole}(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d{{1,4}})?|nan|[+-]?inf"


def _matches(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern, re.IGNORECASE)
    return lambda value: compiled.fullmatch(value) is not None


def _begins_with_a_day(pattern: str) -> Callable[[str], bool]:
    """Return what takes a text with a date that there was or will be."""
    fits = _matches(pattern)

    def is_so(value: str) -> bool:
        try:
            return fits(value) and bool(date.fromisoformat(value[:10]))
        except ValueError:
            return False

    return is_so


# The first that all values are; what is missing is none of them.
_KINDS: Sequence[tuple[str, Callable[[str], bool]]] = (
    (tr("whole number"), _matches(r"[+-]?(?:0|[1-9]\d{0,29})")),
    (tr("number"), _matches(_numbers(_WHOLE))),
    (tr("date"), _begins_with_a_day(_DATE)),
    (tr("date and time"), _begins_with_a_day(rf"{_DATE}[T ]{_TIME}")),
    (tr("time of day"), _matches(_TIME)),
    (tr("true or false"), _matches(r"true|false|yes|no")),
)
_OF_NUMBERS = frozenset(kind for kind, _ in _KINDS[:2])
_is_of_digits = _matches(_numbers(_WHOLE_OR_CODE))
_is_year = _matches(_YEAR)
_MISSING = frozenset({"", "NA", "N/A", "NULL", "null", "None", "-", "."})


def as_table(source: Source, encoding: str) -> Rendition | None:
    """Return separated values as a table, None for what is none."""
    content, is_whole = source.beginning(MOST_BYTES)
    text = content.decode(encoding, errors="replace")
    separator = _separator(text[:_MOST_SNIFFED])
    if separator is None:
        return None
    try:
        rows, is_open = _rows(text, separator)
    except csv.Error:
        return None
    is_cut = len(rows) > MOST_ROWS + 1
    if not is_whole and not is_cut:
        rows.pop()  # which is cut somewhere
    if not rows or max(map(len, rows)) < 2:
        return None
    told = list(guessed_encoding(source, encoding))
    if is_open and is_whole:
        told.append(tr("A quote is never closed: all that follows it is in the last cell."))
    return _rendition(source, rows, separator, told, is_cut=is_cut or not is_whole)


def first_rows(count: int) -> str:
    """Return that no more rows than these are shown."""
    return tr("Only the beginning is shown: {rows}.", rows=counted(count, "row"))


def _rendition(
    source: Source, rows: list[list[str]], separator: str, told: Sequence[str], *, is_cut: bool
) -> Rendition:
    count = max(map(len, rows))
    has_head = _has_head(rows)
    is_taken = has_head is None and _looks_like_names(rows, count)
    is_apart = has_head or is_taken
    head, body = (rows[0], rows[1 : MOST_ROWS + 1]) if is_apart else (None, rows[:MOST_ROWS])
    columns = [_column(at, head, body) for at in range(min(count, MOST_COLUMNS))]
    cells = tuple(tuple(map(_cut, row[:MOST_COLUMNS])) for row in body)
    notes = []
    if is_cut:
        notes.append(first_rows(len(body)))
    else:
        notes.append(f"{counted(len(body), 'row')}, {counted(count, 'column')}.")
    if count > MOST_COLUMNS:
        notes.append(
            tr("The first {shown} of {count:,} columns are shown.", shown=MOST_COLUMNS, count=count)
        )
    if head is None and len(rows) == 1:
        notes.append(tr("Its only row may be its header."))
    elif is_taken:
        notes.append(
            tr("Its first row was taken for its header, and may be a row like the others.")
        )
    elif has_head is None:
        notes.append(tr("Its first row may be its header."))
    elif head is None:
        notes.append(tr("It has no header row."))
    elif head is not None and len(head) < count:
        notes.append(tr("The header row has missing cells."))
    if uneven := sum(len(row) < count for row in body):
        notes.append(tr("Rows with missing cells: {rows}.", rows=counted(uneven, "row")))
    notes += told
    notes += replaced_bytes("".join(cell for row in (head or (), *cells) for cell in row))
    kind = "TSV" if separator == "\t" else "CSV"
    return Rendition(
        kind, Table(tuple(columns), cells), tuple(notes), source.size, has_text_form=True
    )


def _rows(text: str, separator: str) -> tuple[list[list[str]], bool]:
    """Return the first rows, and whether the last has a quote that is never closed; blank lines are
    none. Raises csv.Error."""
    csv.field_size_limit(_MOST_OF_A_FIELD)
    rows: list[list[str]] = []
    lines = chain(io.StringIO(text, newline=""), [_END])
    for row in csv.reader(lines, delimiter=separator):
        if row and row != [_END]:
            rows.append(row)
        if len(rows) > MOST_ROWS + 1:
            break
    is_open = bool(rows) and rows[-1][-1].endswith(_END)
    if is_open:
        rows[-1][-1] = rows[-1][-1].removesuffix(_END)
    return rows, is_open


def _separator(text: str) -> str | None:
    """Return what divides most rows into the same number of cells, None if nothing does."""
    lines = text.splitlines(keepends=True)
    sample = "".join(lines[:_SNIFFED_ROWS] if len(lines) > 1 else lines)
    best: tuple[int, int] = (0, 0)
    found = None
    for separator in _SEPARATORS:
        try:
            reader = csv.reader(io.StringIO(sample, newline=""), delimiter=separator)
            widths = Counter(len(row) for row in reader if row)
        except csv.Error:
            continue
        if not widths:
            continue
        width, rows = widths.most_common(1)[0]
        if width > 1 and (rows, width) > best:
            best, found = (rows, width), separator
    return found


def _has_head(rows: Sequence[Sequence[str]]) -> bool | None:
    """Say whether the first row names the columns, None where that cannot be told.

    Words alone do above what is no text, and may above more words. Numbers do if they are years
    above what is none; else they may, if there is a word above numbers, or they are such as columns
    are called: years, or ever larger ones.
    """
    first = [cell.strip() for cell in rows[0]]
    if len(rows) == 1 or not any(first):
        return False
    numbered = [at for at, cell in enumerate(first) if _is_of_digits(cell)]
    below = [_values(at, rows[1:]) for at in range(len(first))]
    if not numbered:
        return True if any(_is_typed(values) for values in below) else None
    has_words = any(
        at not in numbered and cell not in _MISSING and _kind(below[at]) in _OF_NUMBERS
        for at, cell in enumerate(first)
    )
    names = [first[at] for at in numbered]
    are_years = all(map(_is_year, names)) and not any(
        _is_year(value) for at in numbered for value in below[at]
    )
    if are_years and (has_words or _grow(names)):
        return True
    return None if has_words or are_years or _grow(names) else False


def _looks_like_names(rows: Sequence[Sequence[str]], count: int) -> bool:
    """Say whether the first row, above texts alone, is as the names of so many columns are: short
    words for each, all different, of which none stands below in its column."""
    names = [cell.strip().casefold() for cell in rows[0]]
    return (
        len(names) == len(set(names)) == count
        and all(0 < len(name) <= _MOST_OF_A_NAME for name in names)
        and not any(map(_is_of_digits, names))
        and not any(
            name in map(str.casefold, _values(at, rows[1:])) for at, name in enumerate(names)
        )
    )


def _grow(numbers: Sequence[str]) -> bool:
    """Say whether there are several numbers, each larger than the one before it."""
    values = [float(each.replace(",", ".")) for each in numbers]
    return len(values) > 1 and all(less < more for less, more in pairwise(values))


def _values(at: int, rows: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return what stands in a column, but for what is missing."""
    values = (row[at].strip() for row in rows if at < len(row))
    return [value for value in values if value not in _MISSING]


def _column(at: int, head: Sequence[str] | None, rows: Sequence[Sequence[str]]) -> TableColumn:
    name = head[at] if head is not None and at < len(head) else str(at + 1)
    kind = _kind(_values(at, rows))
    return TableColumn(_cut(name), kind, is_number=kind in _OF_NUMBERS)


def _kind(values: Sequence[str]) -> str:
    if not values:
        return tr("empty")
    return next((kind for kind, fits in _KINDS if all(map(fits, values))), tr("text"))


def _is_typed(values: Sequence[str]) -> bool:
    """Say whether all are of a kind that a word is not."""
    return bool(values) and any(all(map(fits, values)) for _, fits in _KINDS)


def _cut(cell: str) -> str:
    return cell if len(cell) <= MOST_OF_A_CELL else f"{cell[:MOST_OF_A_CELL]}…"
