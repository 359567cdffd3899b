# SPDX-License-Identifier: AGPL-3.0-or-later
"""The WARC records that a holding rests on: whole WARCs of its ingest, single records of others.

A single record comes with the request and metadata records that go with it. All is read once: what
goes into the export is proven while it is copied.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from carrel.access.cut_off import end_of_own, lacks_request, no_request
from carrel.access.proof import Attend, reading
from carrel.archive import Archive
from carrel.capture.digests import Digester
from carrel.capture.stored import Damaged, check_members, difference, payload_in, pieces_of
from carrel.exports.holding import Holding
from carrel.exports.wacz.companions import companions, damaged_at
from carrel.exports.wacz.zip_file import SHA256, Write
from carrel.mementos.cdxj import line_of
from carrel.model import Capture
from carrel.model.packed import WarcPart

Prove = Callable[[Iterator[bytes]], None]
EARLIER = "earlier.warc.gz"
"""The WARC of an export that has the records of other ingests."""


@dataclass(frozen=True, slots=True)
class Records:
    """`warcs` are copied whole, each with its captures; of other WARCs, the `earlier` records.

    A WARC that was packed is the part of the packed one that it became.
    """

    warcs: Sequence[tuple[WarcPart, Sequence[Capture]]]
    earlier: Sequence[Capture]
    landing: Capture | None


def records_of(archive: Archive, holding: Holding) -> Records:
    """Return the records that an export needs to replay a holding. Raises ArchiveError."""
    own = archive.ledger.captures.all(holding.ingest_id)
    parts = {part.name: part for part in map(archive.ledger.packed.part_of, own)}
    warcs = [parts[name] for name in sorted(parts)]
    landing = _landing(archive, holding)
    needed = [*own, *filter(None, [landing])]
    needed += [each.held.captures[0] for each in holding.files]
    holders = (archive.holder_of(each) for each in needed)
    all_needed = {each.record_id: each for each in [*needed, *holders] if each is not None}
    earlier = [each for each in all_needed.values() if not any(it.has(each) for it in warcs)]
    earlier.sort(key=lambda each: (each.filename, each.offset))
    captures = archive.ledger.captures
    return Records([(warc, captures.in_part(warc)) for warc in warcs], earlier, landing)


class RecordCopies:
    """Copies records; `lines` are those of the index for what was copied by now.

    All raise Damaged with the name of the WARC, NotRead, and OSError where it cannot be written.
    """

    def __init__(self, archive: Archive, attend: Attend) -> None:
        self._warcs, self._captures, self._attend = archive.warcs, archive.ledger.captures, attend
        self._packed = archive.ledger.packed
        self.lines: list[str] = []

    def size(self, warc: WarcPart) -> int:
        """Return how many bytes a WARC has, without another one that was appended to its file."""
        if warc.length:
            return warc.length
        path = self._warcs / warc.filename
        last = self._captures.in_warc(warc.filename, only_last=True)
        with reading(path), path.open("rb") as file:
            size = path.stat().st_size
            return min((end_of_own(file, each, size) for each in last), default=size)

    def most_of_earlier(self, captures: Iterable[Capture]) -> int:
        """Return how many bytes records of other WARCs have at most, with those that go with
        them."""
        return sum(end - begin for begin, end in map(self._gap_around, captures))

    def copy_warc(self, warc: WarcPart, captures: Sequence[Capture], write: Write) -> None:
        """Copy a whole WARC; `captures` are those in it, by their offset."""
        position, end = warc.offset, warc.offset + self.size(warc)
        with self._opened(warc.filename) as file:
            for capture in captures:
                self._copy(file, position, capture.offset, check_members, write)
                self._copy_record(file, warc, capture, write)
                position = capture.offset + capture.length
            self._refuse_cut_off(file, warc, captures[-1:], end)
            self._copy(file, position, end, check_members, write)

    def copy_earlier(self, captures: Iterable[Capture], write: Write) -> None:
        """Copy single records with those that go with them, one behind the other, as a WARC of
        their own."""
        position = 0
        for capture in captures:
            # The part of its WARC that begins as far before it as it is from the beginning there.
            there = WarcPart(EARLIER, capture.filename, capture.offset - position)
            with self._opened(capture.filename) as file:
                self._copy_record(file, there, capture, write)
                position += capture.length
                begin, end = self._gap_around(capture)
                self._refuse_cut_off(file, self._packed.part_of(capture), [capture], end)
                with reading(Path(file.name)):
                    beside = list(companions(file, capture, begin, end))
                for offset, length in beside:
                    self._copy(file, offset, offset + length, check_members, write)
                    position += length

    def _refuse_cut_off(
        self, file: BinaryIO, part: WarcPart, last: Sequence[Capture], end: int
    ) -> None:
        """Raise Damaged where a WARC ends behind its last capture without the request of that."""
        with reading(Path(file.name)):
            if any(lacks_request(file, part, each, end) for each in last):
                is_appended = end == self.size(part) < Path(file.name).stat().st_size
                words = no_request(is_file_end=not is_appended or bool(part.length))
                raise damaged_at(part.filename, end, words)

    def _gap_around(self, capture: Capture) -> tuple[int, int]:
        """Return from where to where there is no other capture in the WARC of one."""
        begin, end = self._captures.gap_around(capture)
        return begin, end or self.size(WarcPart(capture.filename, capture.filename))

    def _copy_record(self, file: BinaryIO, warc: WarcPart, capture: Capture, write: Write) -> None:
        with closing(Digester([SHA256])) as digester:

            def take(piece: bytes) -> None:
                digester.feed(piece)
                write(piece)

            end = capture.offset + capture.length
            self._copy(file, capture.offset, end, lambda pieces: _prove(pieces, capture), take)
            digest = digester.fixity().digests[SHA256]
        name, offset = warc.former_place(capture)
        there = replace(capture, filename=name, offset=offset)
        self.lines.append(line_of(there, recordDigest=f"{SHA256}:{digest}"))

    def _copy(self, file: BinaryIO, start: int, end: int, prove: Prove, write: Write) -> None:
        """Copy a stretch of an open WARC while it is proven."""

        def copied() -> Iterator[bytes]:
            for piece in _pieces(file, start, end - start):
                self._attend(len(piece))
                write(piece)
                yield piece

        try:
            prove(copied())
        except Damaged as error:
            raise damaged_at(Path(file.name).name, start + error.at, str(error)) from error

    @contextmanager
    def _opened(self, filename: str) -> Iterator[BinaryIO]:
        path = self._warcs / filename
        with reading(path):
            file = path.open("rb")
        with file:
            yield file


def _pieces(file: BinaryIO, offset: int, length: int) -> Iterator[bytes]:
    with reading(Path(file.name)):
        yield from pieces_of(file, offset, length)


def _prove(packed: Iterable[bytes], capture: Capture) -> None:
    """Read a record. Raises Damaged where it is not what the ledger knows."""
    # SHA-256 alone proves it; MD5 would take as long as all the rest.
    with closing(Digester([SHA256])) as digester:
        for block in payload_in(packed):
            digester.feed(block)
        if not capture.is_revisit and (fault := difference(capture, digester.fixity())):
            raise Damaged(fault)


def _landing(archive: Archive, holding: Holding) -> Capture | None:
    """Return the capture of the landing page: the one of the ingest, else the newest."""
    at = archive.ledger.captures.at(holding.dataset.landing_page)
    own = (each for each in at if each.timestamp == holding.landing_timestamp)
    return next(own, None) or next(iter(at), None)
