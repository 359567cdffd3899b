# SPDX-License-Identifier: AGPL-3.0-or-later
"""Finding a place in a sorted index by halving it, from marks that are kept in memory.

The marks are lines, evenly spread, one every 8 KiB and no more than 65,536 however large the file.
The first look-ups read them, each as many as a moment allows: a disk that is asleep keeps no one
waiting for all of them.
"""

import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from carrel.errors import SourceTrouble
from carrel.mementos.cdx_lines import sort_key
from carrel.mementos.index_bytes import IndexBytes
from carrel.model.memento import SourceState
from carrel.translation import tr

_BLOCK_BYTES = 8 * 1024 + 512
# What a question asks for mostly stands just behind the place that is looked for.
_AHEAD_BYTES = 2 * 1024
_WALKED_BYTES = 1024
_PROBE_BYTES = 768
_KEPT_BYTES = 256
_APART_BYTES = 8 * 1024
_MOST_MARKS = 64 * 1024
_MARKING_S = 0.02


class OutOfOrder(SourceTrouble):
    """A file turned out not to be sorted."""

    def __init__(self, data: IndexBytes) -> None:
        super().__init__(
            SourceState.WRONG_ANSWER, tr("The index {path} is not sorted.", path=data.path)
        )


class Bisection:
    """Finds places in one open index. Threads may share it."""

    def __init__(self, data: IndexBytes) -> None:
        self._data = data
        self._unmarked = _evenly(data.end, min(data.end // _APART_BYTES, _MOST_MARKS))
        self._marking = threading.Lock()
        self._is_marked = False
        # Replaced as a whole, so that readers need no lock: keys, and where their lines stand.
        self._marks: tuple[list[bytes], list[int]] = ([], [])

    def find(self, target: bytes) -> int:
        """Return where the first line begins that does not come before `target`, or the end.

        Raises SourceTrouble, OutOfOrder where the lines met are not sorted.
        """
        low, limit, high = self._narrowed(target)
        block = self._data.read(low, min(limit + len(target), high) - low)
        begin = _first_from(block, target, len(block))
        return low + begin if begin < len(block) else high

    def lines_from(self, target: bytes) -> Iterator[bytes]:
        """Yield the lines from this place on. Raises as `find`."""
        low, limit, high = self._narrowed(target)
        if limit < high:  # a line that is too long for a block
            yield from self._data.lines(self.find(target))
            return
        block = self._data.read(low, min(high - low + _AHEAD_BYTES, self._data.end - low))
        begin = _first_from(block, target, high - low)
        while (end := block.find(b"\n", begin)) >= 0:
            yield block[begin:end]
            begin = end + 1
        yield from self._data.lines(low + begin)

    def _narrowed(self, target: bytes) -> tuple[int, int, int]:
        """Return a line, and the next two places between which none begins.

        The line wanted begins between the first two of them, or at the third.
        """
        low, high = self._between_marks(target)
        limit = high
        while limit - low > _BLOCK_BYTES:
            middle = (low + limit) // 2
            place, line = self._line_after(middle, high, len(target))
            if place >= high:
                # A long line; what is not known yet begins before it.
                limit = middle + 1
            elif line < target:
                low = place
            else:
                limit = high = place
        return low, limit, high

    def _between_marks(self, target: bytes) -> tuple[int, int]:
        """Return the nearest marks, before a target and not before it."""
        if not self._is_marked:
            self._mark()
        keys, places = self._marks
        begins = target[:_KEPT_BYTES]
        below = bisect_left(keys, begins)
        # A line that begins as the target does may come before it where both go on.
        above = below if begins == target else bisect_right(keys, begins)
        low = places[below - 1] if below else 0
        return low, places[above] if above < len(keys) else self._data.end

    def _mark(self) -> None:
        """Read more of the marks, unless another thread is about it. Raises OutOfOrder."""
        if not self._marking.acquire(blocking=False):
            return
        try:
            until, (keys, places) = time.monotonic() + _MARKING_S, self._marks
            marks = dict(zip(places, keys, strict=True))
            for position in self._unmarked:
                place, line = self._line_after(position, self._data.end, _KEPT_BYTES)
                if place < self._data.end:
                    marks[place] = sort_key(line.partition(b"\n")[0])[:_KEPT_BYTES]
                if time.monotonic() > until:
                    break
            else:
                self._is_marked = True
            places = sorted(marks)
            keys = [marks[place] for place in places]
            if keys != sorted(keys):
                raise OutOfOrder(self._data)
            self._marks = (keys, places)
        finally:
            self._marking.release()

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


def _first_from(block: bytes, target: bytes, high: int) -> int:
    """Return where in a block the first line begins that does not come before a target.

    A line begins with the block, and another (or nothing) at `high`.
    """
    low, limit, length = 0, high, len(target)
    while limit - low > _WALKED_BYTES:
        middle = (low + limit) // 2
        begin = block.find(b"\n", middle, high) + 1
        if not begin or begin >= high:
            limit = middle
        elif block[begin : begin + length] < target:
            low = begin
        else:
            limit, high = middle, begin
    while low < high and block[low : low + length] < target:
        end = block.find(b"\n", low, high)
        low = end + 1 if end >= 0 else high
    return low


def _evenly(size: int, count: int) -> Iterator[int]:
    """Yield so many places in a file, first those that are furthest apart from each other."""
    step = 1 << max(count, 1).bit_length()
    while step > 1:
        for number in range(step // 2, count + 1, step):
            yield size * number // (count + 1)
        step //= 2
