# SPDX-License-Identifier: AGPL-3.0-or-later
"""A damaged index of a collection, written anew from what is known of its WARCs."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from carrel.mementos.cdx_lines import LONGEST_LINE_BYTES, parse_line
from carrel.mementos.cdxj import CdxjIndex, line_of
from carrel.mementos.warc.external_sort import SortedLines
from carrel.model import Capture


def write_anew(
    index: CdxjIndex, captures: Iterable[Capture], warcs: Collection[str], scratch: Path
) -> None:
    """Write the index of all captures in `warcs`, which are names.

    Lines of other WARCs, which someone else put there, are kept if they make sense. Readers see
    the index before or after it. Memory stays flat: `scratch` is an empty folder for what it does
    not hold, and is the caller's to remove. Raises OSError.
    """
    lines = SortedLines(scratch)
    for path in index.paths():
        for line in _lines_of_others(path, warcs):
            lines.add(line)
    for capture in captures:
        lines.add(f"{line_of(capture)}\n".encode())
    index.replace(lines)


def _lines_of_others(path: Path, warcs: Collection[str]) -> Iterator[bytes]:
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE_BYTES):
            row = parse_line(line)
            if row and row.fields.get("filename") not in warcs:
                yield line.removesuffix(b"\n") + b"\n"
