# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the records stand that both ledgers know: in a WARC here, and in those of the source.

Packing moves records, and an export may have some of a WARC in another one, so that a place in the
one is not that place in the other.
"""

import sys
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import NamedTuple

from carrel.ledger.connection import Connection, Row

_SAME = """
SELECT t.offset AS here, t.length, s.filename, s.offset AS there,
    s.length <> t.length AS is_other, s.timestamp <> t.timestamp AS is_of_other_import
FROM main.captures AS t JOIN source.captures AS s USING (record_id) WHERE t.filename = ?
ORDER BY s.filename, t.offset
"""
_PARTS = """
SELECT name, offset, length FROM {of}.packed_warcs WHERE filename = ? ORDER BY offset
"""
_OPEN = sys.maxsize


class Stretch(NamedTuple):
    """So many bytes from `here` on are those from `there` on in a WARC of the source."""

    here: int
    there: int
    length: int


@dataclass(frozen=True, slots=True)
class SharedWarc:
    """A WARC of the source that has records of one here, and which stretches of that one it has.
    Where another import of the same package wrote it, its records have another date."""

    name: str
    stretches: Sequence[Stretch]
    is_of_other_import: bool

    @property
    def is_same(self) -> bool:
        """Whether it is the WARC here, from the first byte to the last."""
        return self.stretches == [Stretch(0, 0, _OPEN)]


class _Span(NamedTuple):
    """What of a file was a WARC of its own, or stands between two that were."""

    begin: int
    end: int
    name: str = ""


def shared_warcs(connection: Connection, here: str) -> Iterator[SharedWarc]:
    """Yield which WARCs of the source have records of one that is called so `here`."""
    own = _parts(connection, "main", here)
    for name, rows in groupby(connection.rows(_SAME, [here]), itemgetter("filename")):
        records = list(rows)
        found = list(_stretches(records, own, _parts(connection, "source", name)))
        yield SharedWarc(name, found, any(each["is_of_other_import"] for each in records))


def _parts(connection: Connection, of: str, filename: str) -> Sequence[_Span]:
    rows = connection.rows(_PARTS.format(of=of), [filename])
    return [_Span(row["offset"], row["offset"] + row["length"], row["name"]) for row in rows]


def _stretches(
    records: Sequence[Row], here: Sequence[_Span], there: Sequence[_Span]
) -> Iterator[Stretch]:
    if _are_of_one_file(here, there):
        here = there = ()
    own_spans, its_spans = _spans(here), _spans(there)
    both: dict[tuple[_Span, _Span], list[Row]] = {}
    for each in records:
        spans = _span_at(each["here"], own_spans), _span_at(each["there"], its_spans)
        both.setdefault(spans, []).append(each)
    for (own, its), rows in both.items():
        stretch = _whole(own, its)
        if stretch and all(_is_within(each, stretch) for each in rows):
            yield stretch
        else:
            yield from _runs(each for each in rows if not each["is_other"])


def _are_of_one_file(here: Sequence[_Span], there: Sequence[_Span]) -> bool:
    """Say whether a packed WARC came from the source as it is: of what it was packed of, a part
    that was here already is not known to be in it, too."""
    return bool(here and there) and set(here) <= set(there) and here[-1] == there[-1]


def _spans(parts: Sequence[_Span]) -> Sequence[_Span]:
    """Return what a file is made of, from its first byte on: its parts, and what is between."""
    ends = [0, *(each.end for each in parts)]
    begins = [*(each.begin for each in parts), _OPEN]
    gaps = (_Span(end, begin) for end, begin in zip(ends, begins, strict=True) if end < begin)
    return sorted([*parts, *gaps])


def _span_at(place: int, spans: Sequence[_Span]) -> _Span:
    return spans[bisect(spans, place, key=attrgetter("begin")) - 1]


def _whole(own: _Span, its: _Span) -> Stretch | None:
    """Return the stretch that is all of a WARC on both sides, None where one is longer."""
    lengths = {each.end - each.begin for each in (own, its) if each.end < _OPEN}
    if len(lengths) > 1:
        return None
    return Stretch(own.begin, its.begin, lengths.pop() if lengths else _OPEN)


def _is_within(record: Row, stretch: Stretch) -> bool:
    """Say whether a record stands at the same place of a stretch on both sides."""
    is_there = record["here"] - stretch.here == record["there"] - stretch.there
    return is_there and not record["is_other"]


def _runs(records: Iterable[Row]) -> Iterator[Stretch]:
    """Yield where records stand that moved alike, with what is between them."""
    run: list[Row] = []
    for each in records:
        if run and each["here"] - each["there"] != run[-1]["here"] - run[-1]["there"]:
            yield _run(run)
            run = []
        run.append(each)
    if run:
        yield _run(run)


def _run(records: Sequence[Row]) -> Stretch:
    first, last = records[0], records[-1]
    return Stretch(first["here"], first["there"], last["here"] + last["length"] - first["here"])
