# SPDX-License-Identifier: AGPL-3.0-or-later
"""An index beside what the ledger knows: what it lacks, and what it says wrongly.

By a wrong place other programs read other bytes, and the number of lines tells nothing of it.
"""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from carrel.mementos.cdx_lines import LONGEST_LINE_BYTES, parse_line
from carrel.mementos.cdxj import CdxjIndex, line_of
from carrel.mementos.warc.external_sort import SortedLines
from carrel.model import Capture, IndexFaults
from carrel.translation import tr

_MOST_EXAMPLES = 20
_COMPARED = ("offset", "length", "filename", "digest", "status", "mime", "url")


def check_index(
    index: CdxjIndex, captures: Iterable[Capture], warcs: Collection[str], scratch: Path
) -> IndexFaults:
    """Compare the lines of an index with the captures in `warcs`, which are names.

    Lines of other WARCs, which someone else put there, are left alone. Memory stays flat: `scratch`
    is an empty folder for what it does not hold. Raises OSError.
    """
    sides = scratch / "ledger", scratch / "index"
    for side in sides:
        side.mkdir()
    known, found = (SortedLines(side) for side in sides)
    for capture in captures:
        known.add(f"{line_of(capture)}\n".encode())
    reading = _Reading(warcs)
    for path in index.paths():
        for line in reading.lines_of(path):
            found.add(line)
    lacking, wrong = _Few(), _Few()
    for line, is_known in _unpaired(iter(known), iter(found)):
        (lacking if is_known else wrong).add(line)
    return IndexFaults(
        lacking=lacking.count,
        wrong=wrong.count + reading.unreadable,
        repeated=reading.repeated,
        unordered=reading.unordered,
        examples=tuple(_examples(wrong.lines, lacking.lines)),
    )


class _Reading:
    """Reads index files, and counts what is wrong with them whatever the ledger says."""

    def __init__(self, warcs: Collection[str]) -> None:
        self._warcs = warcs
        self.unreadable = self.repeated = self.unordered = 0

    def lines_of(self, path: Path) -> Iterator[bytes]:
        """Yield the lines on these WARCs."""
        previous = b""
        with path.open("rb") as file:
            while line := file.readline(LONGEST_LINE_BYTES):
                row = parse_line(line)
                if row is None:
                    self.unreadable += 1
                    continue
                self.repeated += line == previous
                self.unordered += line < previous
                previous = line
                if row.fields.get("filename") in self._warcs:
                    yield line.removesuffix(b"\n") + b"\n"


class _Few:
    """Counts lines, and keeps the first of them."""

    def __init__(self) -> None:
        self.count = 0
        self.lines: list[bytes] = []

    def add(self, line: bytes) -> None:
        self.count += 1
        if len(self.lines) < _MOST_EXAMPLES:
            self.lines.append(line)


def _unpaired(known: Iterator[bytes], found: Iterator[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield what only one of two sorted sides has, and whether that is the known one."""
    one, other = next(known, None), next(found, None)
    while one is not None or other is not None:
        if one == other:
            one, other = next(known, None), next(found, None)
        elif other is None or (one is not None and one < other):
            yield one or b"", True
            one = next(known, None)
        else:
            yield other, False
            other = next(found, None)


def _examples(wrong: Iterable[bytes], lacking: Iterable[bytes]) -> Iterator[str]:
    """Yield in words how lines differ from those that should be in their places."""
    expected = {tuple(line.split(b" ", 2)[:2]): line for line in lacking}
    for line in wrong:
        row, known = parse_line(line), expected.pop(tuple(line.split(b" ", 2)[:2]), None)
        right = parse_line(known) if known else None
        if row is None:
            continue
        place = f"{row.fields.get('url', row.urlkey)} ({row.timestamp})"
        if right is None:
            yield tr("{place}: the ledger has no such capture", place=place)
            continue
        differing = [
            tr(
                "{name} {found} instead of {expected}",
                name=name,
                found=row.fields.get(name),
                expected=right.fields.get(name),
            )
            for name in _COMPARED
            if row.fields.get(name) != right.fields.get(name)
        ]
        yield f"{place}: {', '.join(differing)}"
    for line in expected.values():
        if right := parse_line(line):
            url = right.fields.get("url", right.urlkey)
            yield tr("{url} ({timestamp}): not listed", url=url, timestamp=right.timestamp)
