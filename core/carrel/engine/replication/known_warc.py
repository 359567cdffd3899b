# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which records are those of one WARC, wherever files of its name are, and whatever was appended
to these or has taken their place.

The ledger knows the place of each capture. What is between captures is of the WARC that has these;
behind the last one are records of its own, too, and nothing says where they end. What names a
capture, an ingest or a file of its own shows where another WARC's records begin.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from carrel.archive import Archive
from carrel.capture.annotations import INGEST_URN
from carrel.capture.digests import ALWAYS
from carrel.capture.stored import (
    Damaged,
    check_members,
    difference,
    member_length,
    member_pieces,
    payload_fixity,
)
from carrel.mementos.warc.heads import Head
from carrel.mementos.warc.problems import InvalidRecord
from carrel.mementos.warc.reader import first_record
from carrel.model import Capture

_MAGIC = re.compile(rb"\x1f\x8b\x08")  # RFC 1952, 2.3.1
# What names the capture that a record is about; a revisit refers to one of any WARC.
_ABOUT = {"request": "warc-concurrent-to", "metadata": "warc-refers-to"}


class Record(NamedTuple):
    """Where a record is in a WARC, and what the ledger knows of it: one capture, or nothing."""

    offset: int
    length: int
    captures: Sequence[Capture] = ()

    @property
    def end(self) -> int:
        return self.offset + self.length


class KnownWarc:
    """A WARC as the ledger knows it: `captures` are those in it by their offset. Of a part of a
    packed one they are given, with the places that they have in a file of that part alone."""

    def __init__(
        self, archive: Archive, name: str, captures: Sequence[Capture] | None = None
    ) -> None:
        self._ledger, self._name = archive.ledger, name
        self.captures = self._ledger.captures.in_warc(name) if captures is None else captures
        self.end_of_captures = max((each.offset + each.length for each in self.captures), default=0)

    def records(self, *files: Path) -> Iterator[Record]:
        """Yield each record that any of these files may have of this WARC. Raises OSError."""
        position = 0
        for capture in self.captures:
            yield from _members(files, position, capture.offset)
            yield Record(capture.offset, capture.length, (capture,))
            position = capture.offset + capture.length
        end = max(self.end_in(each) for each in files if each.is_file())
        yield from _members(files, position, end)

    def tail(self, path: Path) -> Iterator[Record]:
        """Yield what a file has behind the last capture, be it of this WARC or not."""
        yield from _members([path], self.end_of_captures, path.stat().st_size)

    def end_in(self, path: Path) -> int:
        """Return where the records of this WARC end in a file: before the first one of another, if
        there is any. Raises OSError."""
        end = self.end_of_captures
        for each in self.tail(path):
            if not is_sound(path, *each):
                continue
            if self._is_of_another(path, each):
                return end
            end = each.end
        return path.stat().st_size

    def has(self, path: Path, record: Record) -> bool:
        """Say whether a file has a record of this WARC intact."""
        return is_sound(path, *record) and not self._is_of_another(path, record)

    def _is_of_another(self, path: Path, record: Record) -> bool:
        if record.captures or not self._names_another(path, record):
            return False
        is_behind = record.offset >= self.end_of_captures
        return is_behind or not has_any(path, self.captures)

    def _names_another(self, path: Path, record: Record) -> bool:
        """Say whether a record says that it is of another WARC."""
        try:
            with path.open("rb") as file:
                found = first_record(file, record.offset, record.end)
        except (InvalidRecord, OSError):
            return False
        if found is None:
            return False
        if found.kind == "warcinfo":
            return self._opens_another(found.head, record.offset)
        return self._is_about_another(found.head)

    def _opens_another(self, head: Head, offset: int) -> bool:
        """Say whether a warcinfo record opens another WARC, or this one once more. An imported one
        may have another name there than it has here."""
        named = head.named.get("warc-filename", "")
        if offset == 0:
            return named != self._name and self._ledger.captures.count_in([named]) > 0
        part = self._ledger.packed.get(named)
        return part is None or (part.filename, part.offset) != (self._name, offset)

    def _is_about_another(self, head: Head) -> bool:
        """Say whether a record is a capture that the ledger has in another place, or about one of
        another WARC, or the result of an ingest that has captures in others alone."""
        if self._ledger.captures.get(head.named.get("warc-record-id", "")):
            return True
        known = self._ledger.captures.get(head.named.get(_ABOUT.get(head.kind, ""), ""))
        if known and known.filename != self._name:
            return True
        if head.kind != "metadata" or not head.url.startswith(INGEST_URN):
            return False
        ingest = self._ledger.captures.all(head.url.removeprefix(INGEST_URN))
        names = {each.filename for each in ingest}
        return bool(self.captures and names) and self._name not in names


def has_any(path: Path, captures: Sequence[Capture]) -> bool:
    """Say whether a file has any of these captures as the ledger has it: else nothing proves that
    it is the WARC that they are in."""
    return any(is_sound(path, each.offset, each.length, (each,)) for each in captures)


def is_sound(path: Path, offset: int, length: int, captures: Sequence[Capture]) -> bool:
    """Say whether a stretch of a file has gzip members alone that end as they began (RFC 1952:
    CRC-32 and length), and the captures in it as the ledger has them."""
    try:
        check_members(member_pieces(path, offset, length))
        return not any(
            difference(each, payload_fixity(path, each.offset, each.length, ALWAYS))
            for each in captures
            if not each.is_revisit
        )
    except (Damaged, OSError):
        return False


def _members(files: Sequence[Path], begin: int, end: int) -> Iterator[Record]:
    """Yield the gzip members between records that the ledger knows: one may be whole in one file,
    and the next in another. What is whole in none is told from the next that is."""
    while begin < end:
        ends = (_end_of_member(each, begin, end) for each in files)
        following = next(filter(None, ends), 0) or _next_member(files, begin + 1, end)
        yield Record(begin, following - begin)
        begin = following


def _end_of_member(path: Path, begin: int, end: int) -> int:
    """Return where a member ends that begins there, 0 where none is whole."""
    try:
        return begin + member_length(path, begin, end - begin)
    except (Damaged, OSError):
        return 0


def _next_member(files: Sequence[Path], begin: int, end: int) -> int:
    """Return where the next member begins that is whole in any file, else the end."""
    found = [end]
    for path in files:
        with suppress(OSError), path.open("rb") as file:
            file.seek(begin)
            data = file.read(end - begin)
            starts = (begin + each.start() for each in _MAGIC.finditer(data))
            found += islice((each for each in starts if _end_of_member(path, each, end)), 1)
    return min(found)
