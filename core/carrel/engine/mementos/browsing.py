# SPDX-License-Identifier: AGPL-3.0-or-later
"""Browsing local captures without knowing a URL: hosts, then what is below a path; and search.

Indexes are sorted by key, so that the next host or folder is one look-up away, however many
captures the one before has. All of it blocks, and is for worker threads.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from urllib.parse import unquote, urlsplit

from carrel.mementos.query import MatchType, Query
from carrel.mementos.sources.source import Browsable
from carrel.model import Memento
from carrel.model.memento_views import Holding

MOST_LISTED = 5000
# Captures are counted up to here: how many more there are matters to no one who browses.
MOST_COUNTED = 1000
# With more entries than this, none is counted: it would take too long.
_MOST_WITH_COUNTS = 500
_BEYOND = b"\xff"


class Browsing:
    """The captures of some local sources, as folders."""

    def __init__(self, sources: Sequence[Browsable]) -> None:
        self._sources = sources

    def hosts(self, text: str) -> list[Holding]:
        """Return the hosts whose name has a text in it, by name. Raises SourceTrouble."""
        wanted = text.strip().lower()
        named = ((host_of(key), key) for key in self._host_keys())
        found = list(islice((each for each in named if wanted in each[0]), MOST_LISTED))
        counts = len(found) <= _MOST_WITH_COUNTS
        return sorted(
            (
                _with_count(
                    Holding(host, "", 0, "", "", has_more=True),
                    self._count(f"{key})", f"{key}*") if counts else 0,
                )
                for host, key in found
            ),
            key=lambda each: each.name,
        )

    def below(self, host: str, path: str) -> list[Holding]:
        """Return what is directly below a path (`/`, `/data/`) of a host. Raises SourceTrouble."""
        prefix = f"{_key_of(host)}){path.lower()}"
        found = list(islice(self._below(prefix), MOST_LISTED))
        counts = len(found) <= _MOST_WITH_COUNTS
        return [self._counted(key, each) if counts else each for key, each in found]

    def search(self, text: str, most: int) -> list[Memento]:
        """Return captures whose URL has a text in it, newest first. Raises SourceTrouble."""
        rows = (row for source in self._sources for row in source.find_text(text))
        return heapq.nlargest(most, rows, key=lambda row: row.timestamp)

    def _host_keys(self) -> Iterator[str]:
        start = b""
        while row := self._first_from(start):
            host, bracket, _ = row.urlkey.partition(")")
            if bracket:
                yield host
                start = f"{host}*".encode()  # the character behind the bracket
            else:
                start = f"{row.urlkey}!".encode()  # a key without a host: urn:, dns:

    def _below(self, prefix: str) -> Iterator[tuple[str, Holding]]:
        """Yield each entry with its key: a whole one for a page, its beginning for a folder."""
        start, end = prefix.encode(), prefix.encode() + _BEYOND
        while (row := self._first_from(start)) and row.urlkey.encode() < end:
            rest = row.urlkey[len(prefix) :]
            if not row.urlkey.startswith(prefix):
                return
            folder, slash, _ = rest.partition("?")[0].partition("/")
            if slash:
                yield f"{prefix}{folder}/", Holding(f"{unquote(folder)}/", "", 0, "", "", True)
                start = f"{prefix}{folder}0".encode()  # the character behind the slash
            else:
                yield row.urlkey, Holding(_last_part(row, rest), row.url, 0, "", "", False)
                start = f"{row.urlkey}!".encode()

    def _counted(self, key: str, entry: Holding) -> Holding:
        if not entry.url:
            return _with_count(entry, self._count(key, f"{key[:-1]}0"))
        start, end = key.encode() + b" ", key.encode() + b"!"
        query = Query(entry.url, key, MatchType.EXACT, start, end, limit=MOST_COUNTED)
        times = [row.timestamp for source in self._sources for row in source.lookup(query)]
        first, last = min(times, default=""), max(times, default="")
        return replace(_with_count(entry, len(times)), first=first, last=last)

    def _count(self, start: str, end: str) -> int:
        return sum(1 for _ in self._rows(start, end))

    def _rows(self, start: str, end: str) -> Iterator[Memento]:
        query = _walk(start.encode(), end.encode(), MOST_COUNTED)
        rows = (row for source in self._sources for row in source.lookup(query))
        return islice(rows, MOST_COUNTED)

    def _first_from(self, start: bytes) -> Memento | None:
        query = _walk(start, _BEYOND, 1)
        firsts = (next(iter(source.lookup(query)), None) for source in self._sources)
        return min(filter(None, firsts), key=lambda row: row.urlkey.encode(), default=None)


def _with_count(entry: Holding, count: int) -> Holding:
    """Return an entry with so many captures, and whether there may be more than are counted."""
    return replace(entry, count=count, are_more=count >= MOST_COUNTED)


def host_of(key: str) -> str:
    """Return the host that a key is of, as people write it, with its port."""
    return _turned(key, ",", ".")


def _key_of(host: str) -> str:
    return _turned(host, ".", ",")


def _turned(host: str, apart: str, joined: str) -> str:
    """Return the parts of a host the other way round; a port stays at the end."""
    name, colon, port = host.rpartition(":")
    if not (colon and port.isdigit()):
        name, colon, port = host, "", ""
    return joined.join(reversed(name.split(apart))) + colon + port


def _walk(start: bytes, end: bytes, limit: int) -> Query:
    return Query("", "", MatchType.PREFIX, start, end, limit=limit)


def _last_part(row: Memento, rest: str) -> str:
    """Return a page's name as its URL writes it; the folder itself is called “/”."""
    parts = urlsplit(row.url)
    name = unquote(parts.path.rstrip("/").rpartition("/")[2]) or "/"
    return f"{name}?{parts.query}" if parts.query and "?" in rest else name
