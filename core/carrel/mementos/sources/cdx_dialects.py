# SPDX-License-Identifier: AGPL-3.0-or-later
"""What CDX servers answer, in each of their ways, as rows with the names of CDXJ.

- CDXJ lines (pywb), CDX lines with a header or known by their number of columns (the Wayback
  Machine, OutbackCDX), JSON objects line by line (pywb)
- one JSON array of arrays, the first one with the names of the columns (the Wayback Machine), or of
  objects

Nothing that a remote says about where bytes are on the web is taken over: that is for templates of
ours. An answer in which nothing makes sense is none.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from carrel.errors import CarrelError
from carrel.mementos.cdx_lines import header_columns, parse_line, says_nothing
from carrel.mementos.filters import FIELD_ALIASES
from carrel.mementos.query import Query
from carrel.model import Memento
from carrel.model.surt import surt
from carrel.translation import tr

# pywb's name of a second address, and what says whose row it is, are not for a remote to say.
_NOT_TAKEN = (
    "urlkey",
    "timestamp",
    "live_url",
    "load_url",
    "memento_url",
    "source",
    "source-coll",
    "source_type",
    "also",
    "is_live",
    "is_fuzzy",
)
_NAME = re.compile(r"[A-Za-z][\w.:-]{0,63}", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_MOMENT = re.compile(
    r"\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?:\d{3})?",
    re.ASCII,
)
_LONGEST_VALUE = 8192
# A row has some 100 bytes. Empty ones by the million are not for reading, but for filling memory.
_ENTRY_MARKS = (b"\n", b"[", b"{")
_MOST_MARKS = 1_000_000
_POST_MARK = "__wb_method="


@dataclass(frozen=True, slots=True)
class Found:
    """The rows of an answer that are in range and interval, and how many entries were not valid.

    `count` is how many entries there were in all. `is_ascending` says that they came by time.
    """

    rows: list[Memento]
    skipped: int
    count: int
    is_ascending: bool


class NoRows(CarrelError):
    """An answer that is there, and has nothing in it that is an index; says so for people."""


def rows_in(body: bytes, query: Query) -> Found:
    """Return the rows in an answer that are in the query's range and interval. Raises NoRows.

    Rows keep the order in which they came. An empty answer is one without rows.
    """
    if sum(map(body.count, _ENTRY_MARKS)) > _MOST_MARKS:
        raise NoRows(tr("sent too many entries"))
    text = body.removeprefix(b"\xef\xbb\xbf").strip(b" \r\n\t")
    given = _from_array(text) if text.startswith(b"[") else _from_lines(body)
    taking, about = _Taking(query), _PlainUrl(query)
    rows: list[Memento] = []
    skipped = count = 0
    for each in given:
        count += 1
        row = taking.row(each) if each is not None else None
        if row is not None:
            rows.append(row)
        elif each is None or not about.has(each):
            skipped += 1
    if skipped and not rows:
        raise NoRows(tr("sent an answer that is not an index of the requested address"))
    wanted = [row for row in rows if query.takes(row.timestamp)]
    times = [row.timestamp for row in wanted]
    return Found(wanted, skipped, count, times == sorted(times))


class _Taking:
    """Takes over rows of one answer. Keys are made anew, since they decide what a row is about."""

    def __init__(self, query: Query) -> None:
        self._query = query
        self._keys: dict[str, str] = {}

    def row(self, given: Memento) -> Memento | None:
        """Return a row as we write it, None for one that is not valid or is not in range."""
        url = given.fields.get("url", "")
        key = self._key(url, given.urlkey) if url and _MOMENT.fullmatch(given.timestamp) else ""
        line = f"{key} ".encode("utf-8", "replace")
        if not key or not self._query.start <= line < self._query.end:
            return None
        return Memento(key, given.timestamp, _fields(given.fields))

    def _key(self, url: str, said: str) -> str:
        """Return the key of a URL, and with a request's body in it where the archive has one."""
        if url not in self._keys:
            self._keys[url] = _surt(url)
        key = self._keys[url]
        is_post = _POST_MARK in said and said.startswith((f"{key}?", f"{key}&"))
        return said if key and is_post else key


class _PlainUrl:
    """Knows rows of plain GETs where a request with a body was sent: those are no mistake."""

    def __init__(self, query: Query) -> None:
        key = _surt(query.url)
        self._key = key if query.is_exact and key != query.urlkey else ""

    def has(self, given: Memento) -> bool:
        return bool(self._key) and _surt(given.fields.get("url", "")) == self._key


def _surt(url: str) -> str:
    """Return the key of a URL, "" if it has none."""
    try:
        return surt(url) if url else ""
    except ValueError:
        return ""


def _fields(given: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in given.items()
        if name not in _NOT_TAKEN
        and len(value) <= _LONGEST_VALUE
        and _NAME.fullmatch(name)
        and not _CONTROL.search(value)
    }


def _from_lines(body: bytes) -> Iterator[Memento | None]:
    """Yield the rows of an answer of lines, None for a line that is no row."""
    columns: Sequence[str] | None = None
    for line in BytesIO(body):
        if line.lstrip().startswith(b"CDX "):
            columns = header_columns(line)
        elif line.startswith(b"{"):
            yield _from_json(line)
        elif not says_nothing(line) and not line.startswith(b"@"):
            yield parse_line(line, columns)


def _from_json(text: bytes) -> Memento | None:
    found = parsed(text)
    return _named(found) if isinstance(found, dict) else None


def _from_array(text: bytes) -> Iterator[Memento | None]:
    """Yield the rows of one JSON array. Raises NoRows."""
    found = parsed(text)
    if not isinstance(found, list):
        raise NoRows(tr("sent JSON that is incomplete or not valid"))
    if found and isinstance(found[0], dict):
        return (_named(each) if isinstance(each, dict) else None for each in found)
    return _from_table(found)


def _from_table(table: Sequence[Any]) -> Iterator[Memento | None]:
    """Yield the rows below the names of their columns, else by the number of these.

    Empty ones, and what follows them alone, are for paging.
    """
    names: Sequence[Any] = ()
    for each in table:
        if not isinstance(each, list):
            yield None
        elif not names and "timestamp" in each:
            names = each
        elif names and len(each) == len(names):
            yield _named(dict(zip(map(str, names), each, strict=True)))
        elif len(each) > 1 or (each and not names):
            yield None if names else parse_line(" ".join(map(str, each)))


def _named(found: Mapping[str, Any]) -> Memento | None:
    """Return a row of named values, None without a moment. Values that are no texts become some."""
    fields = {
        FIELD_ALIASES.get(name, name): text
        for name, value in found.items()
        if (text := _as_text(value)) not in ("", "-")
    }
    urlkey, timestamp = fields.get("urlkey", ""), fields.get("timestamp", "")
    return Memento(urlkey, timestamp, fields) if timestamp else None


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def parsed(text: str | bytes) -> Any:
    """Return what a JSON text stands for, None if that is not valid, or is nested absurdly."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
