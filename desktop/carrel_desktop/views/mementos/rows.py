# SPDX-License-Identifier: AGPL-3.0-or-later
"""Captures as rows of the table and points of the timeline. No Qt here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from carrel.model import Memento, SourceType
from carrel_desktop import words

UNKNOWN_STATUS = "-"
DAY_S = 86400
EPOCH = date(1970, 1, 1).toordinal()


@dataclass(slots=True, eq=False)
class Row:
    """A capture with what sorting and filtering ask of it again and again.

    `lanes` are the numbers of the sources that have it, its own first; `length` is -1 where it is
    unknown, `digest` bare and "" where there is none. `sought` is what a search looks through.
    """

    memento: Memento
    lanes: tuple[int, ...]
    seconds: int
    is_local: bool
    status: str
    mimetype: str
    digest: str
    length: int
    sought: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What names the capture, whoever has it."""
        return (self.memento.timestamp, self.memento.url, self.digest)


@dataclass(slots=True)
class Sources:
    """The sources of a look-up by number: what we hold ourselves first, else as configured."""

    names: list[str] = field(default_factory=list)
    types: list[SourceType] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, sources: Iterable[tuple[str, SourceType]]) -> "Sources":
        made = cls()
        for name, type_ in sorted(sources, key=lambda source: not source[1].is_local):
            made.number(name, type_)
        return made

    def number(self, name: str, type_: SourceType) -> int:
        """Return the number of a source, a new one for one that was not known."""
        found = self._numbers.get(name)
        if found is None:
            found = self._numbers[name] = len(self.names)
            self.names.append(words.source_name(name, type_))
            self.types.append(type_)
        return found

    def is_local(self, number: int) -> bool:
        return self.types[number].is_local

    def __len__(self) -> int:
        return len(self.names)


def rows_of(mementos: Iterable[Memento], sources: Sources) -> list[Row]:
    """Return captures as rows."""
    return [row_of(memento, sources) for memento in mementos]


def merged_rows(
    mementos: Iterable[Memento], sources: Sources, shaped: Mapping[int, Row]
) -> list[Row]:
    """Return captures as rows; `shaped` are rows there are already, by the id of their memento."""
    rows = []
    for memento in mementos:
        row = shaped.get(id(memento))
        if row is None or len(memento.also) != len(row.lanes) - 1:
            row = row_of(memento, sources)
        rows.append(row)
    return rows


def row_of(memento: Memento, sources: Sources) -> Row:
    """Return a capture as a row."""
    lane = sources.number(memento.source, memento.source_type)
    lanes: tuple[int, ...] = (lane,)
    if memento.also:
        others = (sources.number(name, memento.source_type) for name in memento.also)
        lanes = (lane, *(other for other in others if other != lane))
    status, mimetype, digest = memento.status, memento.mimetype, memento.bare_digest
    length = memento.length
    time = time_text(memento.timestamp)
    return Row(
        memento=memento,
        lanes=lanes,
        seconds=seconds_of(memento.timestamp),
        is_local=any(map(sources.is_local, lanes)),
        status=status,
        mimetype=mimetype,
        digest=digest,
        length=-1 if length is None else length,
        sought=f"{memento.url} {time} {status} {mimetype} {digest} {memento.source}".casefold(),
    )


def points_of(rows: Iterable[Row], lanes: int) -> list[list[int]]:
    """Return the moments of rows in seconds, ascending, for each lane."""
    points: list[list[int]] = [[] for _ in range(lanes)]
    for row in rows:
        for lane in row.lanes:
            points[lane].append(row.seconds)
    for moments in points:
        moments.sort()
    return points


def seconds_of(timestamp: str) -> int:
    """Return a timestamp in seconds since 1970; of one that is not valid, its year's beginning."""
    try:
        day = date(int(timestamp[:4]), int(timestamp[4:6]), int(timestamp[6:8])).toordinal()
        time = int(timestamp[8:10]) * 3600 + int(timestamp[10:12]) * 60 + int(timestamp[12:14])
    except ValueError:
        year = timestamp[:4]
        is_year = year.isascii() and year.isdigit() and int(year) > 0
        return (date(int(year), 1, 1).toordinal() - EPOCH) * DAY_S if is_year else 0
    return (day - EPOCH) * DAY_S + time


def time_text(timestamp: str) -> str:
    """Return a timestamp as "2019-03-03 10:22:07": the same for everybody, and it sorts."""
    day, time = f"{timestamp[:4]}-{timestamp[4:6]}-{timestamp[6:8]}", timestamp[8:]
    return f"{day} {time[:2]}:{time[2:4]}:{time[4:6]}"


@dataclass(frozen=True, slots=True)
class Filter:
    """Every word must occur; `lanes` are the sources to list, none of them meaning all.

    `status` is the first digit of a status, `mimetype` a whole type; both "" for any.
    `only_distinct` lists of each digest the earliest capture.
    """

    words: tuple[str, ...] = ()
    lanes: frozenset[int] = frozenset()
    status: str = ""
    mimetype: str = ""
    only_local: bool = False
    only_distinct: bool = False

    @property
    def lists_all(self) -> bool:
        return self == Filter()

    def of(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows that pass, in their order."""
        passed = list(rows)
        if self.only_local:
            passed = [row for row in passed if row.is_local]
        if self.lanes:
            passed = [row for row in passed if not self.lanes.isdisjoint(row.lanes)]
        if self.status == UNKNOWN_STATUS:
            passed = [row for row in passed if not row.status]
        elif self.status:
            passed = [row for row in passed if row.status[:1] == self.status]
        if self.mimetype:
            passed = [row for row in passed if row.mimetype == self.mimetype]
        for word in self.words:
            passed = [row for row in passed if word in row.sought]
        return distinct(passed) if self.only_distinct else passed


def distinct(rows: Sequence[Row]) -> list[Row]:
    """Return of each digest the earliest row, and all that have no digest."""
    earliest: dict[str, Row] = {}
    for row in rows:
        known = earliest.get(row.digest)
        if known is None or row.seconds < known.seconds:
            earliest[row.digest] = row
    return [row for row in rows if not row.digest or earliest[row.digest] is row]
