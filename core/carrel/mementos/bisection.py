# SPDX-License-Identifier: AGPL-3.0-or-later
"""Finding a place in a sorted index by halving it, and remembering the lines met at first.

What is remembered are the beginnings of some thousand lines, evenly spread, however large the file:
a look-up then begins with a search in memory, and reads what is left of the halving.
"""

import threading
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import chain

from carrel.errors import SourceTrouble
from carrel.mementos.cdx_lines import sort_key
from carrel.mementos.index_bytes import IndexBytes
from carrel.model.memento import SourceState

_BLOCK_BYTES = 8 * 1024
_PROBE_BYTES = 768
_KEPT_BYTES = 256
_REMEMBERED = 32_768
_NARROWEST_BYTES = 8 * 1024


class OutOfOrder(SourceTrouble):
    """A file turned out not to be sorted."""

    def __init__(self, data: IndexBytes) -> None:
        super().__init__(SourceState.WRONG_ANSWER, f"The index {data.path} is not sorted.")


class Bisection:
    """Finds places in one open index. Threads may share it."""

    def __init__(self, data: IndexBytes) -> None:
        self._data = data
        self._lock = threading.Lock()
        self._keys: list[bytes] = []
        self._places: list[int] = []
        self._narrowest = max(data.end // _REMEMBERED, _NARROWEST_BYTES)

    def find(self, target: bytes) -> int:
        """Return where the first line begins that does not come before `target`, or the end.

        Raises SourceTrouble, OutOfOrder where the lines met are not sorted.
        """
        low, limit, high = self._narrowed(target)
        lines = self._lines(low, min(limit + len(target), high))
        index = bisect_left(lines, target)
        return high if index == len(lines) else low + sum(map(len, lines[:index])) + index

    def lines_from(self, target: bytes) -> Iterator[bytes]:
        """Yield the lines from this place on. Raises as `find`."""
        low, limit, high = self._narrowed(target)
        if limit < high:
            return self._data.lines(self.find(target))
        lines = self._lines(low, high)
        return chain(lines[bisect_left(lines, target) :], self._data.lines(high))

    def _narrowed(self, target: bytes) -> tuple[int, int, int]:
        """Return a line, and the next two places between which none begins.

        The line wanted begins between the first two of them, or at the third.
        """
        low, high = self._remembered(target)
        limit = high
        while limit - low > _BLOCK_BYTES:
            middle = (low + limit) // 2
            place, line = self._line_after(middle, high, len(target))
            if place >= high:
                # A long line; what is not known yet begins before it.
                limit = middle + 1
                continue
            if high - low > self._narrowest:
                self._remember(line, place)
            if line < target:
                low = place
            else:
                limit = high = place
        return low, limit, high

    def _lines(self, low: int, high: int) -> list[bytes]:
        lines = self._data.read(low, high - low).split(b"\n")
        if not lines[-1]:
            lines.pop()
        return lines

    def _line_after(self, middle: int, high: int, length: int) -> tuple[int, bytes]:
        """Return where the next line begins, and as much of it as can be compared with.

        What may follow is its line break, which comes before all that stands in texts, and more.
        """
        block = self._data.read(middle, min(_PROBE_BYTES, high - middle))
        begin = block.find(b"\n") + 1
        place = middle + begin if begin else self._data.line_after(middle, high)
        if place >= high:
            return high, b""
        least = max(length, _KEPT_BYTES)
        if begin and len(block) - begin >= least:
            return place, block[begin:]
        return place, self._data.read(place, min(least, self._data.end - place))

    def _remembered(self, target: bytes) -> tuple[int, int]:
        """Return the nearest places that are known, before a target and not before it."""
        begins = target[:_KEPT_BYTES]
        with self._lock:
            below = bisect_left(self._keys, begins)
            # A line that begins as the target does may come before it where both go on.
            above = below if begins == target else bisect_right(self._keys, begins)
            low = self._places[below - 1] if below else 0
            return low, self._places[above] if above < len(self._keys) else self._data.end

    def _remember(self, line: bytes, place: int) -> None:
        begins = sort_key(line.partition(b"\n")[0])[:_KEPT_BYTES]
        with self._lock:
            index = bisect_left(self._places, place)
            if index < len(self._places) and self._places[index] == place:
                return
            if index and begins < self._keys[index - 1]:
                raise OutOfOrder(self._data)
            if index < len(self._keys) and begins > self._keys[index]:
                raise OutOfOrder(self._data)
            self._places.insert(index, place)
            self._keys.insert(index, begins)
