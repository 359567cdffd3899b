# SPDX-License-Identifier: AGPL-3.0-or-later
"""Indexing WARC and ARC files: sorted CDXJ by which pywb, and Carrel, find their records.

The lines are those of `cdxj-indexer -s -p`, but that a record without a digest gets the one that it
has, that requests of any method but GET and HEAD are found by it, that revisits are paired with
their requests too, and that no line is written for a record that cannot be read by its place.
"""

import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from carrel.mementos.warc.external_sort import SortedLines
from carrel.mementos.warc.feed import Feed
from carrel.mementos.warc.pairs import Pairing, answer
from carrel.mementos.warc.parallel import run_all
from carrel.mementos.warc.problems import Note, Problem
from carrel.mementos.warc.reader import RawRecord, Reading, records
from carrel.mementos.warc.stretches import (
    Options,
    Outcome,
    Stretch,
    index_stretch,
    line_of,
    rows_of,
    stretches_of,
)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an indexing run is: bytes of all files that were read, and their total."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Indexed:
    """What a run came to: how many lines were written, and what was wrong.

    `unlisted` is how many problems there are beside those that are listed.
    """

    lines: int
    problems: Sequence[Problem]
    unlisted: int = 0


# What the folders are called in which lines are sorted.
SORTING_PREFIX = ".carrel-index-"

Tell = Callable[[Progress], None]
_DEFAULT = Options()


def index_file(
    path: Path, note: Note = lambda problem: None, options: Options = _DEFAULT
) -> Iterator[bytes]:
    """Yield the lines of one file, with line breaks, in the order of its records.

    A damaged file yields the lines of what is intact, and tells `note` of the rest.
    """
    yield from _lines(records(path, note), path.name, note, options)


def index_feed(
    feed: Feed, name: str, note: Note = lambda problem: None, options: Options = _DEFAULT
) -> Iterator[bytes]:
    """Yield the lines of a WARC that is part of another file. Raises OSError."""
    yield from _lines(Reading(feed, name, note).records(), name, note, options)


def index_files(
    paths: Iterable[Path],
    output: Path | BinaryIO,
    tell: Tell = lambda progress: None,
    *,
    options: Options = _DEFAULT,
    workers: int | None = None,
) -> Indexed:
    """Write the index of all these files, sorted by bytes, each line once.

    A file as output is replaced when the index is whole, not before. Several processors share the
    work, as many as there are unless `workers` says otherwise. What `tell` raises ends the run.
    A file without any record is a problem: what is taken for a WARC and is none must not look like
    one in which nothing was captured. Raises OSError when the output cannot be written.
    """
    stretches = [stretch for path in paths for stretch in stretches_of(path)]
    total = sum(stretch.size for stretch in stretches)
    with sorting_folder(output) as folder:
        lines = SortedLines(folder)
        outcomes = run_all(
            stretches, folder, options, lambda done: tell(Progress(done, total)), workers
        )
        stitched = _stitched(stretches, outcomes, folder, options)
        _pair_across(stitched)
        for outcome in stitched:
            lines.add_runs(outcome.runs)
            for row in outcome.rows:
                lines.add(line_of(row, outcome.note))
        count = write_whole(lines, output)
    problems = [problem for outcome in stitched for problem in outcome.problems]
    return Indexed(count, problems, sum(outcome.unlisted for outcome in stitched))


def write_whole(lines: Iterable[bytes], output: Path | BinaryIO) -> int:
    """Write lines and return how many. A file appears, or is replaced, when all are written."""
    with _whole(output) as file:
        count = 0
        for line in lines:
            file.write(line)
            count += 1
    return count


@contextmanager
def sorting_folder(output: Path | BinaryIO) -> Iterator[Path]:
    """Give a folder to sort in, where the output is, since there should be room."""
    place = output.parent if isinstance(output, Path) else None
    folder = Path(tempfile.mkdtemp(prefix=SORTING_PREFIX, dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _lines(source: Iterable[RawRecord], name: str, note: Note, options: Options) -> Iterator[bytes]:
    pairing = Pairing()
    for row in rows_of(source, pairing, name, note, options):
        yield line_of(row, note)
    for row in pairing.waiting():
        yield line_of(row, note)


def _stitched(
    stretches: Sequence[Stretch], outcomes: Sequence[Outcome], folder: Path, options: Options
) -> list[Outcome]:
    """Return the outcomes, each beginning where the one before it ended."""
    stitched: list[Outcome] = []
    for number, (stretch, outcome) in enumerate(zip(stretches, outcomes, strict=True)):
        if stretch.start and outcome.start != stitched[-1].end:
            again = replace(stretch, start=stitched[-1].end, is_exact=True)
            subfolder = Path(tempfile.mkdtemp(prefix=f"again-{number}-", dir=folder))
            outcome = index_stretch(again, subfolder, options)
        stitched.append(outcome)
    return stitched


def _pair_across(outcomes: Sequence[Outcome]) -> None:
    """Bring rows and requests together that stand on two sides of a cut."""
    for before, after in pairwise(outcomes):
        answer(before.rows, after.unanswered)
        answer(after.rows, before.unanswered)


@contextmanager
def _whole(output: Path | BinaryIO) -> Iterator[BinaryIO]:
    """Give a file that gets its name when all was written to it, or a stream as it is."""
    if not isinstance(output, Path):
        yield output
        return
    fresh = output.with_name(f".{output.name}.{uuid.uuid4().hex}.tmp")
    try:
        with fresh.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(output)
    finally:
        fresh.unlink(missing_ok=True)
