# SPDX-License-Identifier: AGPL-3.0-or-later
"""The index of a WACZ beside its records: each line leads to one, and each capture has a line.

Memory stays flat: both sides are sorted on the disk, by where in which WARC a record is.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from carrel.errors import NotLoaded
from carrel.mementos.cdx_lines import parse_line, says_nothing
from carrel.mementos.warc.external_sort import SortedLines
from carrel.mementos.warc.problems import InvalidRecord
from carrel.mementos.warc.reader import RawRecord
from carrel.mementos.warc.wacz import Wacz
from carrel.mementos.warc.wacz_index import UnusableIndex, lines_in, place_of
from carrel.model import RecordCheck
from carrel.translation import tr

# What readers look up by its address; of other records some programs write lines, some do not.
_CAPTURES = ("response", "revisit")
_BREAKS = re.compile(r"[\t\r\n]")
_MOST_URL = 8192


class IndexCheck:
    """Compares what an index says with records that it is shown. `scratch` is an empty folder."""

    def __init__(self, wacz: Wacz, scratch: Path) -> None:
        self._wacz, self._sides = wacz, (scratch / "records", scratch / "index")
        for side in self._sides:
            side.mkdir()
        self._records, self._lines = (SortedLines(side) for side in self._sides)
        self._sizes = {name: wacz.member(name).size for name in wacz.warc_names}
        self._faults: list[tuple[str, int, str]] = []

    def heeding(self, warc: str) -> Callable[[RawRecord, RecordCheck], None]:
        """Return what takes the records of a WARC, each when it was read."""

        def heed(record: RawRecord, check: RecordCheck) -> None:
            try:
                length = record.length
            except (InvalidRecord, OSError):  # told as damage of the record
                return
            mark = "c" if record.kind in _CAPTURES and _is_of_web(record.url) else "o"
            digest = record.head.named.get("warc-payload-digest", "").lower()
            told = record.url[:_MOST_URL], record.timestamp, digest, mark
            self._records.add(_line(warc, record.offset, length, *told))

        return heed

    def faults(self) -> Iterator[tuple[str, int, str]]:
        """Yield by WARC and byte what is wrong with the index."""
        if not self._wacz.index_names:
            yield "indexes/", 0, tr("There is no index in the WACZ.")
            return
        for name in self._wacz.index_names:
            yield from self._read(name)
        for key, record, line in _paired(iter(self._records), iter(self._lines)):
            warc, offset = key.split("\t")[:2]
            if why := _why(record, line):
                yield warc, int(offset), why

    def _read(self, name: str) -> Iterator[tuple[str, int, str]]:
        """Take the lines of an index, and yield what none of them is."""
        try:
            for number, line in enumerate(lines_in(self._wacz.member(name).pieces(0)), 1):
                if says_nothing(line):
                    continue
                row = parse_line(line)
                try:
                    if row is None:
                        raise UnusableIndex
                    warc, offset, length = place_of(row, self._sizes)
                except UnusableIndex:
                    words = tr("Line {number} of the index leads to no record.", number=number)
                    yield name, 0, words
                    continue
                digest = row.fields.get("digest", "").lower()
                url = row.fields.get("url", "")[:_MOST_URL]
                self._lines.add(_line(warc, offset, length, url, row.timestamp, digest, "i"))
        except (UnusableIndex, NotLoaded):
            yield name, 0, tr("The index cannot be read.")


def _why(record: list[str] | None, line: list[str] | None) -> str:
    """Return what is wrong where a record or a line is, "" for nothing."""
    if line is None:
        is_capture = record is not None and record[-1] == "c"
        return tr("The index has no line for this capture.") if is_capture else ""
    if record is None:
        return tr("The index has a line for a record that is not here.")
    for name, found, said in zip(
        (tr("length"), tr("address"), tr("time")), record[:3], line[:3], strict=True
    ):
        if said and found != said:
            return tr(
                "The index says another {name} of it: {said} instead of {found}.",
                name=name,
                said=said[:200],
                found=found[:200],
            )
    return _why_digest(record[3], line[3])


def _why_digest(found: str, said: str) -> str:
    algorithm = found.partition(":")[0]
    is_comparable = bool(found) and said.partition(":")[0] == algorithm
    if not is_comparable or found == said:
        return ""
    return tr("The index says another digest of it: {said} instead of {found}.", said=said[:200],
              found=found[:200])  # fmt: skip


def _line(
    warc: str, offset: int, length: int, url: str, moment: str, digest: str, mark: str
) -> bytes:
    parts = (str(length), _BREAKS.sub(" ", url), moment, _BREAKS.sub("", digest)[:200], mark)
    key = f"{_BREAKS.sub(' ', warc)}\t{offset:020}"
    return ("\t".join((key, *parts)) + "\n").encode("utf-8", "backslashreplace")


def _paired(
    records: Iterator[bytes], lines: Iterator[bytes]
) -> Iterator[tuple[str, list[str] | None, list[str] | None]]:
    """Yield what both sides have of each place, in the order of the places."""
    one, other = _next(records), _next(lines)
    while one is not None or other is not None:
        key = min(each[0] for each in (one, other) if each is not None)
        here = one[1] if one is not None and one[0] == key else None
        said = other[1] if other is not None and other[0] == key else None
        yield key, here, said
        if here is not None:
            one = _next(records)
        if said is not None:
            other = _next(lines)
            while other is not None and other[0] == key:  # the same capture under another key
                other = _next(lines)


def _next(lines: Iterator[bytes]) -> tuple[str, list[str]] | None:
    line = next(lines, None)
    if line is None:
        return None
    warc, offset, *rest = line.decode().rstrip("\n").split("\t")
    return f"{warc}\t{offset}", rest


def _is_of_web(url: str) -> bool:
    return url.lower().startswith(("http:", "https:"))
