# SPDX-License-Identifier: AGPL-3.0-or-later
"""Tables (CSV, TSV and their cousins): which column names the datasets, and what its cells hold."""

import csv
import unicodedata
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from carrel.engine.batches.batch import Entry, Problem
from carrel.engine.batches.plain import TOO_LONG, listed
from carrel.engine.batches.text import Line
from carrel.errors import ControlFlow, UsageError
from carrel.model import Finding, Identifier
from carrel.model.caption import Caption
from carrel.model.holdings import MOST_TAG_CHARS, tags_in, tags_once
from carrel.model.user_information import shown
from carrel.platforms.extents import BLANK
from carrel.platforms.identifiers import find, why_nothing
from carrel.translation import tr

_DELIMITERS = "\t,;|"
# What the names of columns that hold identifiers contain, the best first. Compared without case,
# accents, blanks and punctuation; in English, German, French and Spanish.
_NAMES = (
    "doi",
    "persistentlink",
    "persistentid",
    "persistenturl",
    "globalid",
    "pid",
    "handle",
    "hdl",
    "ark",
    "datasetid",
    "dataseturl",
    "baseurl",
    "landingpage",
    "identifier",
    "url",
    "uri",
    "link",
    "address",
    "adresse",
    "identifiant",
    "identificador",
    "kennung",
    "enlace",
)
# Columns with addresses of something else: the article, the licence, the person.
_OTHERS = (
    "article",
    "paper",
    "publication",
    "journal",
    "related",
    "license",
    "licence",
    "rights",
    "orcid",
    "author",
    "creator",
    "mail",
    "funder",
    "parent",
    *("artikel", "publikation", "veroffentlichung", "zeitschrift", "lizenz", "autor", "forderer"),
    *("revue", "auteur", "courriel", "financeur"),
    *("articulo", "publicacion", "revista", "licencia", "correo", "financiador"),
)
_TITLES = (
    *("title", "datasettitle", "titleofdataset"),
    *("titel", "datensatztitel", "titeldesdatensatzes"),
    *("titre", "titredujeudedonnees", "titulo", "titulodelconjuntodedatos"),
    *("name", "datasetname", "bezeichnung", "nom", "nombre"),
)
_TAGS = ("tags", "tag", "etiketten", "etiquettes", "etiquetas")
_SAMPLE_ROWS = 50
_HEAD_ROWS = 8
# More of a cell is not a title, and more tags are not chosen by a person.
_TITLE_MAX_CHARS = 500
_TAGS_MAX = 20
# A quoted cell that goes on for longer was never meant to: its quotation mark is a stray one.
_RECORD_MAX_LINES = 200
_RECORD_MAX_CHARS = 64 * 1024
_STRAY_QUOTES_MAX = 100


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns to read, each by its name or its number from 1; those that are None are found
    out. A `title` or `tags` of "" is none."""

    identifier: str | None = None
    title: str | None = None
    tags: str | None = None

    @property
    def is_given(self) -> bool:
        return self != Columns()


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a table. `names` are those of its columns, "" for one without; `identifier`,
    `title` and `tags` are the columns that are read unless others are asked for, None for none."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    identifier: int | None
    title: int | None
    tags: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a record; `line` is where it begins."""

    line: int
    cells: Sequence[str]

    @property
    def text(self) -> str:
        return " | ".join(self.cells)

    def cell(self, column: int) -> str:
        return self.cells[column] if column < len(self.cells) else ""


def read_table(
    lines: Iterable[Line], *, delimiter: str | None = None, columns: Columns = Columns()
) -> Iterator[Entry]:
    """Yield what each row holds in the columns that were asked for, or in those that fit best.

    Without an identifier's column, the other columns with identifiers are looked into where the
    best is empty. Raises UsageError if there is no such column.
    """
    held, rows = _begun(lines, delimiter)
    sample = [row for row in held if isinstance(row, Row)]
    header = _header(sample, columns)
    if columns.identifier is not None:
        places = [_named(columns.identifier, header, sample)]
    else:
        places = _best_columns(header, sample)
        if places and len(sample[0].cells) > 1:
            yield _finding(places, header)
    beside = _Beside.of(columns, header, sample, places)
    for row in chain(held, rows):
        if isinstance(row, Problem):
            yield row
        elif not (header and row is sample[0]) and not _is_remark(row):
            yield from beside.captioned(row, _entries(row, places, header))


def head_of(lines: Iterable[Line], *, delimiter: str | None = None) -> Head:
    """Return the beginning of a table, to choose its columns by."""
    held, _ = _begun(lines, delimiter)
    sample = [row for row in held if isinstance(row, Row)]
    header = _header(sample, Columns())
    places = _best_columns(header, sample)
    rows = sample[1:] if header else sample
    width = max((len(row.cells) for row in sample), default=0)
    return Head(
        tuple(_name(header, place).strip(BLANK) for place in range(width)),
        tuple(tuple(row.cells) for row in rows[:_HEAD_ROWS]),
        places[0] if places else None,
        _column_called(_TITLES, header, places),
        _column_called(_TAGS, header, places),
    )


def _begun(
    lines: Iterable[Line], delimiter: str | None
) -> "tuple[list[Row | Problem], Iterator[Row | Problem]]":
    """Return the first records, which tell what the columns are, and the others."""
    stream = iter(lines)
    first = list(islice(stream, _SAMPLE_ROWS))
    if first and first[0].text.lower().startswith("sep=") and len(first[0].text) == 5:
        delimiter = first.pop(0).text[-1]  # how Excel is told
    delimiter = delimiter or sniffed([line.text for line in first])
    rows = _rows(chain(first, stream), delimiter)
    return list(islice(rows, _SAMPLE_ROWS)), rows


@dataclass(frozen=True, slots=True)
class _Beside:
    """The columns of title and tags; None for none."""

    title: int | None
    tags: int | None

    @classmethod
    def of(
        cls, columns: Columns, header: Sequence[str], sample: Sequence[Row], places: Sequence[int]
    ) -> "_Beside":
        """Return where these columns are. Raises UsageError."""

        def place(asked: str | None, names: Sequence[str]) -> int | None:
            if asked:
                return _named(asked, header, sample)
            return _column_called(names, header, places) if asked is None else None

        return cls(place(columns.title, _TITLES), place(columns.tags, _TAGS))

    def captioned(self, row: Row, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yield entries with what the row says beside: its tags are those of each of its datasets,
        but of several it does not say which has its title."""
        found = list(entries)
        caption = self._caption(row)
        said = caption if len(found) == 1 else Caption(tags=caption.tags)
        for entry in found:
            yield entry if isinstance(entry, Finding) else replace(entry, caption=said)

    def _caption(self, row: Row) -> Caption:
        title = "" if self.title is None else " ".join(row.cell(self.title).split())
        cell = "" if self.tags is None else row.cell(self.tags)
        once = tags_once(shown(tag[:MOST_TAG_CHARS]) for tag in tags_in(cell))
        return Caption(shown(title[:_TITLE_MAX_CHARS]), once[:_TAGS_MAX])


def _column_called(
    names: Sequence[str], header: Sequence[str], places: Sequence[int]
) -> int | None:
    """Return the column that has one of these names, the best first; None if none has. `places` are
    those of the identifiers."""
    plain = [_plain(name) for name in header]
    known = [plain.index(name) for name in names if name in plain]
    return next((place for place in known if place not in places), None)


def sniffed(lines: Sequence[str]) -> str | None:
    """Return the delimiter that cuts most lines into the same number of cells, None if none does.

    A delimiter must cut at least half of them alike; of two that do, the one with more cells wins.
    """
    filled = [line for line in lines if line.strip()][:_SAMPLE_ROWS]
    best: tuple[float, int] = (0.5, 1)
    found = None
    for delimiter in _DELIMITERS:
        widths = Counter(len(_cells(line, delimiter)) for line in filled)
        width, count = max(widths.items(), key=lambda each: (each[1], each[0]), default=(1, 0))
        share = count / len(filled) if filled else 0
        if width > 1 and (share, width) > best:
            best, found = (share, width), delimiter
    return found


def looks_like_table(lines: Sequence[str]) -> bool:
    """Say whether these first lines are a table whose header names a column of identifiers."""
    delimiter = sniffed(lines)
    if delimiter is None:
        return False
    header = next((_cells(line, delimiter) for line in lines if line.strip()), [])
    has_identifier = any(find(cell).identifiers for cell in header)
    return not has_identifier and any(_rank(cell) < len(_NAMES) for cell in header)


def _rows(lines: Iterable[Line], delimiter: str | None) -> Iterator["Row | Problem"]:
    """Yield the records. Line ends within quotation marks belong to the cell."""
    waiting: deque[Line] = deque()
    stream = iter(lines)
    stray_quotes = 0
    while (line := waiting.popleft() if waiting else next(stream, None)) is not None:
        if line.is_cut:
            yield Problem(line.number, line.text, TOO_LONG)
        elif not line.text.strip(BLANK):
            continue
        elif delimiter is None:
            yield Row(line.number, [_unquoted(line.text)])
        elif '"' not in line.text or stray_quotes > _STRAY_QUOTES_MAX:
            yield Row(line.number, line.text.split(delimiter))
        else:
            cells = _quoted_record(line, waiting, stream, delimiter)
            stray_quotes += cells is None
            yield Row(line.number, cells or line.text.split(delimiter))


class _NeverClosed(ControlFlow):
    """A quoted cell goes on and on."""


def _quoted_record(
    first: Line, waiting: "deque[Line]", stream: Iterator[Line], delimiter: str
) -> list[str] | None:
    """Return the cells of the record that begins on this line; None, and nothing taken, if the
    quotation mark in it is a stray one."""
    taken: list[Line] = []

    def text() -> Iterator[str]:
        yield first.text + "\n"
        length = 0
        while length < _RECORD_MAX_CHARS and len(taken) < _RECORD_MAX_LINES:
            line = waiting.popleft() if waiting else next(stream, None)
            if line is None:
                break
            taken.append(line)
            if line.is_cut:
                break
            length += len(line.text)
            yield line.text + "\n"
        raise _NeverClosed

    try:
        return next(csv.reader(text(), delimiter=delimiter), [])
    except (_NeverClosed, csv.Error):
        waiting.extendleft(reversed(taken))
        return None


def _cells(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line by itself."""
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return line.split(delimiter)


def _unquoted(text: str) -> str:
    text = text.strip(BLANK)
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _header(sample: Sequence[Row], columns: Columns) -> Sequence[str]:
    """Return the names of the columns; none if the first row holds a dataset already."""
    if not sample or any(find(cell).identifiers for cell in sample[0].cells):
        return []
    names = [cell.strip(BLANK) for cell in sample[0].cells]
    asked_for = {_plain(each) for each in (columns.identifier, columns.title, columns.tags) if each}
    is_asked_for = not asked_for.isdisjoint(map(_plain, names))
    is_known = is_asked_for or any(map(_rank_is_known, names))
    if not is_known and (len(sample) == 1 or len(names) == 1):
        return []  # a line that holds nothing, rather than the name of a column
    return names


def _named(column: str, header: Sequence[str], sample: Sequence[Row]) -> int:
    wanted = _plain(column)
    names = [_plain(name) for name in header]
    if column.strip(BLANK) in header:
        return list(header).index(column.strip(BLANK))
    if wanted in names:
        return names.index(wanted)
    width = max((len(row.cells) for row in sample), default=0)
    if column.isascii() and column.isdigit() and 0 < int(column) <= width:
        return int(column) - 1
    there_are = (
        tr("There are: {header}.", header=", ".join(header))
        if header
        else tr("No line names the columns.")
    )
    raise UsageError(
        tr("There is no column named “{column}”. {there_are}", column=column, there_are=there_are)
    )


def _best_columns(header: Sequence[str], sample: Sequence[Row]) -> list[int]:
    """Return the columns to look into, in this order: those of a good name, by its rank, but what
    is empty so far comes last; or else the one that holds most identifiers."""
    rows = sample[1:] if header else sample
    width = max((len(row.cells) for row in sample), default=0)
    counts = [sum(bool(_in_cell(row, each, header)) for row in rows) for each in range(width)]
    named = [each for each in range(width) if _rank_is_known(_name(header, each))]
    named.sort(key=lambda each: (not counts[each], _rank(header[each]), -counts[each]))
    most = max(range(width), key=lambda each: counts[each], default=None)
    if most is None or (named and counts[named[0]]) or not counts[most]:
        return named
    return [most]


def _rank_is_known(name: str) -> bool:
    return _rank(name) < len(_NAMES)


def _rank(name: str) -> int:
    """Return how good the name of a column is; the number of known names if it is none of them."""
    plain = _plain(name)
    if len(plain) > 40 or any(other in plain for other in _OTHERS):
        return len(_NAMES)
    for rank, known in enumerate(_NAMES):
        if plain in (known, f"{known}s", f"dataset{known}"):
            return rank
    contained = (rank for rank, known in enumerate(_NAMES) if known in plain and len(known) > 3)
    return 0 if plain.startswith("doi") else next(contained, len(_NAMES))


def _plain(name: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", name.lower()) if each.isalnum())


def _name(header: Sequence[str], column: int) -> str:
    return header[column] if column < len(header) else ""


def _in_cell(row: Row, column: int, header: Sequence[str]) -> tuple[Identifier, ...]:
    cell = row.cell(column).strip(BLANK)
    if not cell:
        return ()
    found = find(cell).identifiers
    if not found and _plain(_name(header, column)) in ("handle", "hdl", "handles"):
        return find(f"hdl:{cell}").identifiers
    return found


def _entries(row: Row, columns: Sequence[int], header: Sequence[str]) -> Iterator[Entry]:
    for column in columns:
        if found := _in_cell(row, column, header):
            yield from listed(found, row.line)
            return
    if len(columns) == 1 and len(row.cells) > 1:
        cell = row.cell(columns[0])
        what = why_nothing(cell) if cell.strip(BLANK) else tr("is empty")
        yield Problem(
            row.line,
            row.text,
            tr("the column {called} {what}", called=_called(columns[0], header), what=what),
        )
    else:
        yield Problem(row.line, row.text, why_nothing(row.text))


def _is_remark(row: Row) -> bool:
    return row.cells[0].lstrip(BLANK).startswith("#") or not any(
        cell.strip(BLANK) for cell in row.cells
    )


def _finding(columns: Sequence[int], header: Sequence[str]) -> Finding:
    first, *others = [_called(column, header) for column in columns]
    where_empty = (
        tr(", where that is empty from {others}", others=", ".join(others)) if others else ""
    )
    return Finding(
        "column",
        tr(
            "The datasets were read from the column {first}{where_empty}.",
            first=first,
            where_empty=where_empty,
        ),
    )


def _called(column: int, header: Sequence[str]) -> str:
    name = _name(header, column)
    return f"“{name}”" if name else str(column + 1)
