# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bibliographies: the DOI, else the web address, of each BibTeX entry and RIS record.

Only these fields are read. Entries that do not close, strange tags and other damage cost an entry,
never the list; the time is linear in its length.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from carrel.engine.batches.batch import Entry, Problem
from carrel.engine.batches.plain import TOO_LONG, listed
from carrel.engine.batches.text import Line
from carrel.model import Identifier, Scheme
from carrel.platforms.identifiers import find
from carrel.translation import tr

_NO_ADDRESS = tr("has neither a DOI nor a web address")
_UNCLOSED = tr("does not end; its braces were left open")
_ENTRY_MAX_CHARS = 1024 * 1024

_ENTRY = re.compile(r"\s{0,80}@\s{0,80}([A-Za-z]{1,40})\s{0,80}([{(])")
_BRACES = re.compile(r"[{}\\]")
_FIELD = re.compile(r"\s{0,1000}([A-Za-z][\w:-]{0,60})\s{0,1000}=\s{0,1000}")
_VALUE_END = re.compile(r'[{}",\\]')
_QUOTED_END = re.compile(r'[{}"\\]')
_NOT_ENTRIES = frozenset({"comment", "string", "preamble"})
# `howpublished` is where older styles put an address.
_BIBTEX_FIELDS = ("doi", "url", "howpublished", "ee", "link")
_TEX = re.compile(r"\\([%#&_~{}$])|\\textunderscore\b\s?|\\(?:url|href|path|doi)\b|[{}]")

_TAG = re.compile(r"([A-Z][A-Z0-9]) {1,2}-(?: (.*))?$")
_RIS_DOIS, _RIS_ADDRESSES, _RIS_NAMES = ("DO", "M3"), ("UR", "L2", "LK", "L1"), ("TI", "T1", "ID")
_RIS_READ = frozenset((*_RIS_DOIS, *_RIS_ADDRESSES, *_RIS_NAMES, "TY"))
_RIS_VALUE_MAX_CHARS = 8000


def read_bibtex(lines: Iterable[Line]) -> Iterator[Entry]:
    """Yield the dataset of each BibTeX entry; what stands between entries is no part of them."""
    for entry in _bibtex_entries(lines):
        if isinstance(entry, Problem):
            yield entry
            continue
        fields = _bibtex_fields(entry.body)
        found = _first_found([fields[name] for name in _BIBTEX_FIELDS if name in fields])
        if found:
            yield from listed([found], entry.line)
        elif entry.kind not in _NOT_ENTRIES:
            what = f"@{entry.kind}{{{entry.body.partition(',')[0].strip()}"
            yield Problem(entry.line, what, _NO_ADDRESS if entry.is_whole else _UNCLOSED)


def read_ris(lines: Iterable[Line]) -> Iterator[Entry]:
    """Yield the dataset of each RIS record, from its type (TY) to its end (ER)."""
    fields: dict[str, list[str]] = {}
    start, last = 0, ""
    for line in lines:
        if line.is_cut:
            yield Problem(line.number, line.text, TOO_LONG)
            continue
        match = _TAG.match(line.text.lstrip("\ufeff"))
        if match is None:
            if last and len(fields[last][-1]) < _RIS_VALUE_MAX_CHARS:
                fields[last][-1] += _going_on(last, line.text.strip())
            continue
        tag, value = match[1], (match[2] or "").strip()
        if tag in ("TY", "ER") and fields:
            yield from _ris_entry(start, fields)
            fields, last = {}, ""
        last = tag if tag in _RIS_READ else ""
        if last:
            start = start if fields else line.number
            fields.setdefault(tag, []).append(value)
    if fields:
        yield from _ris_entry(start, fields)


def _going_on(tag: str, text: str) -> str:
    """Return how a value continues in its next line: an address that was broken is whole again."""
    is_broken = tag not in _RIS_NAMES and not text.startswith("http")
    return text if is_broken else f" {text}"


def _ris_entry(start: int, fields: Mapping[str, Sequence[str]]) -> Iterator[Entry]:
    dois = [value for tag in _RIS_DOIS for value in fields.get(tag, ())]
    addresses = [value for tag in _RIS_ADDRESSES for value in fields.get(tag, ())]
    found = _first_found([*dois, *addresses])
    if found:
        yield from listed([found], start)
        return
    names = [value for tag in _RIS_NAMES for value in fields.get(tag, ())]
    yield Problem(start, next(iter(names), "TY"), _NO_ADDRESS)


def _first_found(values: Iterable[str]) -> Identifier | None:
    """Return the first DOI in the values, else the first other identifier."""
    found = [each for value in values for each in find(value).identifiers]
    dois = (each for each in found if each.scheme is Scheme.DOI)
    return next(dois, next(iter(found), None))


@dataclass(frozen=True, slots=True)
class _BibtexEntry:
    """`body` is what stands between the outer braces; `is_whole` says that they were closed."""

    line: int
    kind: str
    body: str
    is_whole: bool


class _Open:
    """An entry that has begun."""

    def __init__(self, line: int, kind: str, bracket: str) -> None:
        self.line, self.kind, self.depth = line, kind.lower(), 1
        # In parentheses an entry is over where the next begins: theirs are not counted.
        self.is_in_parentheses = bracket == "("
        self.length = 0
        self._pieces: list[str] = []

    def take(self, text: str, position: int) -> int | None:
        """Take the text from there on; return where it goes on behind the entry, None if it is
        not over."""
        end, self.depth = _closing(text, position, self.depth)
        self._pieces.append(text[position:end])
        self.length += end - position
        return None if self.depth else end + 1

    def closed(self) -> _BibtexEntry:
        is_whole = not self.depth or self.is_in_parentheses
        return _BibtexEntry(self.line, self.kind, "\n".join(self._pieces), is_whole)


def _bibtex_entries(lines: Iterable[Line]) -> Iterator[_BibtexEntry | Problem]:
    """Yield each entry: it ends with its closing brace, at the latest where a line begins another.

    Lines that are too long are named.
    """
    entry: _Open | None = None
    for line in lines:
        if line.is_cut:
            yield Problem(line.number, line.text, TOO_LONG)
        if entry and (_ENTRY.match(line.text) or entry.length > _ENTRY_MAX_CHARS):
            yield entry.closed()
            entry = None
        position: int | None = 0
        while position is not None:
            if entry is None:
                opening = _opening(line.text, position)
                if opening is None:
                    break
                entry = _Open(line.number, opening[1], opening[2])
                position = opening.end()
            position = entry.take(line.text, position)
            if position is not None:
                yield entry.closed()
                entry = None
    if entry:
        yield entry.closed()


def _opening(text: str, position: int) -> re.Match[str] | None:
    """Return where the next entry begins on a line, None if none does."""
    while (begin := text.find("@", position)) >= 0:
        if opening := _ENTRY.match(text, begin):
            return opening
        position = begin + 1
    return None


def _closing(text: str, position: int, depth: int) -> tuple[int, int]:
    """Return where the braces that are open close, or the end of the text, and the depth there."""
    while match := _BRACES.search(text, position):
        if match[0] == "\\":
            position = match.end() + 1
            continue
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.start(), 0
        position = match.end()
    return len(text), depth


def _bibtex_fields(body: str) -> dict[str, str]:
    """Return the fields of an entry, names in lower case, their values without TeX."""
    fields: dict[str, str] = {}
    position = body.find(",") + 1
    while position and position < len(body):
        field = _FIELD.match(body, position)
        if field is None:
            position = body.find(",", position) + 1
            continue
        end = _value_end(body, field.end())
        name = field[1].lower()
        if name in _BIBTEX_FIELDS and name not in fields:
            fields[name] = _without_tex(body[field.end() : end])
        position = end + 1
    return fields


def _value_end(body: str, position: int) -> int:
    """Return where a value ends: at the comma outside of braces and quotation marks."""
    depth, is_quoted = 0, False
    while match := (_QUOTED_END if is_quoted else _VALUE_END).search(body, position):
        position = match.end()
        match match[0]:
            case "{":
                depth += 1
            case "}":
                depth = max(0, depth - 1)
            case '"' if not depth:
                is_quoted = not is_quoted
            case "," if not depth:
                return match.start()
            case "\\":
                position += 1
    return len(body)


def _without_tex(value: str) -> str:
    """Return an address as it was before it was made fit for TeX."""
    if "\\href" in value:
        value = value.replace("}{", "} {")
    return _TEX.sub(_spoken, value).strip(' "')


def _spoken(match: re.Match[str]) -> str:
    if match[0].startswith("\\textunderscore"):
        return "_"
    return match[1] or ("" if match[0] in "{}" else " ")
