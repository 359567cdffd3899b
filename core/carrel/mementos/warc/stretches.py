# SPDX-License-Identifier: AGPL-3.0-or-later
"""Indexing a file in stretches, so that several processors can share one file.

Where a gzip member begins can only be guessed in the middle of a file. So each stretch says where
it really began and ended, and one that does not begin where the one before it ended is done again.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from carrel.mementos.warc.external_sort import SortedLines
from carrel.mementos.warc.feed import FileFeed
from carrel.mementos.warc.members import GZIP_MARK
from carrel.mementos.warc.pairs import REACH, Pairing
from carrel.mementos.warc.problems import InvalidRecord, Note, Problem, ProblemKind
from carrel.mementos.warc.reader import RawRecord, Reading, unreadable_is_told
from carrel.mementos.warc.rows import Asked, Row, asked_by, is_indexed, row_of
from carrel.translation import tr

_STRETCH_BYTES = 16 * 1024 * 1024
# Shorter ones of a short file, so that no processor waits long for the last; not below this.
_FEWEST_STRETCHES = 32
_SHORTEST_STRETCH_BYTES = 4 * 1024 * 1024
# How far a reading gets between two reports.
_REPORTED_BYTES = 256 * 1024
# A file that is damaged in many places tells of the first ones.
_MOST_PROBLEMS = 1000
# What only an index minds; the other faults are told by whoever reads the file.
_FAULTS_OF_ROWS = (ProblemKind.NO_ADDRESS, ProblemKind.NO_DATE)


@dataclass(frozen=True, slots=True)
class Options:
    """How to index: whether requests are looked at for method and body, and digests verified."""

    post_append: bool = True
    verify: bool = False


@dataclass(frozen=True, slots=True)
class Stretch:
    """The records of a file that begin between two bytes; `end` is None for the whole file.

    `is_exact` says that one begins at `start`, else the first one behind it is looked for.
    """

    path: Path
    start: int = 0
    end: int | None = None
    is_exact: bool = True
    size: int = 0


@dataclass(slots=True)
class Outcome:
    """What a stretch came to: sorted lines in files, and what is wrong.

    `start` and `end` are where its records really begin and end. `rows` and `unanswered` stand so
    near to an end of it that their counterparts may be in a neighbour.
    """

    start: int
    end: int
    runs: list[Path] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    unanswered: list[Asked] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unlisted: int = 0

    def note(self, problem: Problem) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(problem)
        else:
            self.unlisted += 1


def stretches_of(path: Path) -> list[Stretch]:
    """Return the stretches that a file is best read in; one for a file that is not packed."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            is_packed = file.read(len(GZIP_MARK)) == GZIP_MARK
    except OSError:
        return [Stretch(path)]
    length = max(size // _FEWEST_STRETCHES, _SHORTEST_STRETCH_BYTES)
    count = max(1, size // min(length, _STRETCH_BYTES)) if is_packed else 1
    if count == 1:
        return [Stretch(path, size=size)]
    cuts = [size * number // count for number in range(count + 1)]
    return [Stretch(path, start, end, start == 0, end - start) for start, end in pairwise(cuts)]


def index_stretch(
    stretch: Stretch, folder: Path, options: Options, at: Callable[[int], None] = lambda at: None
) -> Outcome:
    """Index a stretch into sorted files in a folder. `at` is called now and then with an offset."""
    outcome = Outcome(stretch.start, stretch.start)
    lines, pairing, seen = SortedLines(folder), Pairing(), 0
    name = stretch.path.name
    with unreadable_is_told(name, outcome.note), stretch.path.open("rb") as file:
        _refuse_device(file)
        reading = Reading(FileFeed(file), name, outcome.note)
        records = _begun(reading, stretch)
        outcome.start = reading.position
        for row in rows_of(_watched(records, at), pairing, name, outcome.note, options):
            seen += 1
            if row.asked is None and seen <= REACH and stretch.start:
                outcome.rows.append(row)
            else:
                lines.add(line_of(row, outcome.note))
        outcome.end = reading.position
        if not (outcome.end or outcome.problems):
            outcome.note(Problem(ProblemKind.NO_WARC, name, 0, tr("It is empty.")))
    outcome.rows += pairing.waiting()
    outcome.unanswered = pairing.unanswered()
    outcome.runs = lines.runs()
    return outcome


def rows_of(
    records: Iterable[RawRecord], pairing: Pairing, filename: str, note: Note, options: Options
) -> Iterator[Row]:
    """Yield the rows of records as far as they are done with; the others wait in the pairing."""
    for record in records:
        try:
            if is_indexed(record):
                row, fault = row_of(record, filename, verifies=options.verify)
                if fault:
                    note(Problem(ProblemKind.WRONG_DIGEST, filename, record.offset, fault))
                yield from pairing.add(row)
            elif options.post_append and record.kind == "request" and (asked := asked_by(record)):
                yield from pairing.add_request(asked)
        except InvalidRecord as error:
            if error.kind in _FAULTS_OF_ROWS:
                note(Problem(error.kind, filename, record.offset, str(error)))


def line_of(row: Row, note: Note) -> bytes:
    """Return the line of a row, b"" for one that cannot be looked up, which is told."""
    try:
        return row.line()
    except InvalidRecord as error:
        fields = row.fields
        note(Problem(error.kind, fields["filename"], int(fields["offset"]), str(error)))
        return b""


def _refuse_device(file: BinaryIO) -> None:
    """Raise OSError for what is neither a file nor a pipe: some devices have no end."""
    kind = os.fstat(file.fileno()).st_mode
    if not (stat.S_ISREG(kind) or stat.S_ISFIFO(kind)):
        raise OSError(errno.EINVAL, tr("it is no regular file"))


def _begun(reading: Reading, stretch: Stretch) -> Iterator[RawRecord]:
    """Bring a reading to where a stretch begins, and return its records."""
    if stretch.end is None:
        return reading.records()
    if stretch.is_exact:
        reading.go_to(stretch.start)
    else:
        reading.go_to_member(stretch.start)
    return reading.members(stretch.end)


def _watched(records: Iterable[RawRecord], at: Callable[[int], None]) -> Iterator[RawRecord]:
    reported = -_REPORTED_BYTES
    for record in records:
        if record.offset - reported >= _REPORTED_BYTES:
            reported = record.offset
            at(reported)
        yield record
