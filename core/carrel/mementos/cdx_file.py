# SPDX-License-Identifier: AGPL-3.0-or-later
"""Looking up captures in one CDX or CDXJ file, however large, without loading it."""

import logging
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from carrel.errors import SourceTrouble
from carrel.mementos.bisection import Bisection, OutOfOrder
from carrel.mementos.cdx_lines import columns_of, header_columns, parse_line, says_nothing
from carrel.mementos.cdx_order import looks_sorted, sorted_copy
from carrel.mementos.index_bytes import IndexBytes, IndexChanged, Stamp, stamp_of
from carrel.mementos.query import Order, Query
from carrel.mementos.row_order import bounds, nearest_first, outwards
from carrel.model.memento import Memento, SourceState
from carrel.translation import tr

log = logging.getLogger(__name__)

_ATTEMPTS = 4
_PACKED = (b"\x1f\x8b", b"PK", b"BZ", b"\x28\xb5")


@dataclass(slots=True)
class Skipped:
    """Counts lines that were not valid."""

    count: int = 0


class CdxFile:
    """One index file. Threads may share it; a file that was replaced is opened anew.

    `cache` is a folder for a sorted copy of a file that is not sorted.
    """

    def __init__(self, path: Path, cache: Path) -> None:
        self.path = path
        self._cache = cache
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._opened: _Opened | None = None
        self._unsorted: Stamp | None = None

    def lookup(self, query: Query, skipped: Skipped | None = None) -> Iterator[Memento]:
        """Return the captures in a query's range and interval, in its order.

        The first is looked up now, the others are read as they are requested. Raises SourceTrouble,
        then too. Lines that are not valid are added to `skipped` as they are met.
        """
        skipped = skipped or Skipped()
        before, attempts = skipped.count, 0
        while True:
            opened = self._current()
            try:
                rows = opened.rows(query, skipped)
                first = next(rows, None)
                return rows if first is None else chain((first,), rows)
            except (OutOfOrder, IndexChanged) as trouble:
                attempts += 1
                if attempts == _ATTEMPTS:
                    raise
                self._forget(opened, is_unsorted=isinstance(trouble, OutOfOrder))
                skipped.count = before

    def find_digest(self, digest: str) -> Iterator[Memento]:
        """Yield the captures anywhere in the file whose payload has this digest; no revisits.

        The whole file is gone through: for worker threads. `sha1:` may be left out.
        """
        wanted = digest.removeprefix("sha1:")
        if not wanted:
            return
        opened = self._current()
        for line in opened.data.lines_with(wanted.encode()):
            row = parse_line(line, opened.columns)
            if row is not None and row.bare_digest == wanted and not row.is_revisit:
                yield row

    def find_text(self, text: str) -> Iterator[Memento]:
        """Yield the captures whose URL has a text in it; keys are in lower case, and stand first.

        The whole file is gone through: for worker threads.
        """
        wanted, opened = text.lower(), self._current()
        for spelling in dict.fromkeys((wanted, text)):
            for line in opened.data.lines_with(spelling.encode()):
                row = parse_line(line, opened.columns)
                is_known = spelling != wanted and row is not None and wanted in row.urlkey
                if row is not None and wanted in row.url.lower() and not is_known:
                    yield row

    def sample(self, count: int) -> Iterator[Memento]:
        """Yield up to so many captures, evenly spread over the file."""
        opened = self._current()
        for number in range(count):
            place = opened.data.end * number // count
            begin = opened.data.line_after(place, opened.data.end) if place else 0
            row = parse_line(next(opened.data.lines(begin), b""), opened.columns)
            if row is not None:
                yield row

    @property
    def is_sorted(self) -> bool:
        """Whether it is answered from as it stands, and not from a sorted copy."""
        return self._current().data.path == self.path

    def close(self) -> None:
        """End what takes long; iterators that are under way keep what they need."""
        self._stop.set()
        self._opened = None

    def _current(self) -> "_Opened":
        """Return the file as it is now."""
        stamp = stamp_of(self.path)
        opened = self._opened
        if opened is not None and opened.stamp == stamp:
            return opened
        with self._lock:
            if self._opened is None or self._opened.stamp != stamp:
                self._opened = self._open()
            return self._opened

    def _open(self) -> "_Opened":
        data = IndexBytes(self.path)
        columns, skipped = _look_at_ends(data)
        stamp = data.stamp
        if stamp == self._unsorted or not looks_sorted(data):
            log.warning("The index %s is not sorted; a sorted copy is used.", self.path)
            data = IndexBytes(sorted_copy(data, self._cache, self._stop))
        return _Opened(data, stamp, columns, skipped)

    def _forget(self, opened: "_Opened", *, is_unsorted: bool) -> None:
        with self._lock:
            if is_unsorted:
                self._unsorted = opened.stamp
            if self._opened is opened:
                self._opened = None


class _Opened:
    """A file as it was when it was opened, sorted. `cut` counts a last line that is not whole."""

    def __init__(
        self, data: IndexBytes, stamp: Stamp, columns: Sequence[str] | None, cut: int
    ) -> None:
        self.data, self.stamp, self.columns, self._cut = data, stamp, columns, cut
        self._bisection = Bisection(data)

    def rows(self, query: Query, skipped: Skipped) -> Iterator[Memento]:
        skipped.count += self._cut
        start, end = bounds(query)
        if query.order is Order.ASCENDING:
            return self._taken(query, self._after(start, end, skipped))
        if query.order is Order.REVERSE:
            return self._taken(query, self._before(self._bisection.find(end), start, skipped))
        if query.is_exact:
            return self._closest(query, start, end, skipped)
        return nearest_first(query, lambda: self._taken(query, self._after(start, end, Skipped())))

    def _closest(
        self, query: Query, start: bytes, end: bytes, skipped: Skipped
    ) -> Iterator[Memento]:
        moment = min(max(query.start + query.closest.encode(), start), end)
        before = self._before(self._bisection.find(moment), start, skipped)
        return outwards(query, before, self._after(moment, end, skipped))

    def _after(self, start: bytes, end: bytes, skipped: Skipped) -> Iterator[Memento]:
        """Yield the rows from one text on and before another, in order."""
        for line in self._bisection.lines_from(start):
            if line >= end:
                return
            row = parse_line(line, self.columns)
            if row is not None:
                yield row
            elif not says_nothing(line):
                skipped.count += 1

    def _before(self, place: int, start: bytes, skipped: Skipped) -> Iterator[Memento]:
        """Yield the rows before a place back to a text, the last one first."""
        for line in self.data.lines_before(place, self._bisection.find(start)):
            row = parse_line(line, self.columns)
            if row is not None:
                yield row
            elif not says_nothing(line):
                skipped.count += 1

    @staticmethod
    def _taken(query: Query, rows: Iterable[Memento]) -> Iterator[Memento]:
        if query.is_exact or not (query.first or query.last):
            return iter(rows)
        return (row for row in rows if query.takes(row.timestamp))


def _look_at_ends(data: IndexBytes) -> tuple[Sequence[str] | None, int]:
    """Return the columns that a file's header names, None without one, and how many lines are cut.

    A last line that someone is still writing is left out. Raises SourceTrouble for other files.
    """
    first = next((line for line in data.lines(0) if line.strip()), b"")
    if first.startswith(_PACKED):
        message = tr(
            "The index {path} is compressed. Decompress it: only plain ones can be searched.",
            path=data.path,
        )
        raise SourceTrouble(SourceState.WRONG_ANSWER, message)
    columns = header_columns(first)
    if columns is not None and columns[:2] != ("urlkey", "timestamp"):
        message = tr(
            "The header of the index {path} does not begin with N and b, key and time.",
            path=data.path,
        )
        raise SourceTrouble(SourceState.WRONG_ANSWER, message)
    last, is_whole = data.last_line()
    if is_whole or not last or parse_line(last, columns or columns_of(first)) is not None:
        return columns, 0
    data.without_last_line(last)
    return columns, 0 if says_nothing(last) else 1
