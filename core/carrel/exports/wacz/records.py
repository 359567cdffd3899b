# SPDX-License-Identifier: AGPL-3.0-or-later
"""The WARC records that a holding rests on: whole WARCs of its ingest, single records of others.

All is read once: what goes into the export is proven while it is copied.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from carrel.access.proof import Attend
from carrel.archive import Archive
from carrel.capture.digests import Digester
from carrel.capture.stored import Damaged, check_members, difference, member_pieces, payload_in
from carrel.exports.holding import Holding
from carrel.exports.wacz.zip_file import SHA256, Write
from carrel.mementos.cdxj import line_of
from carrel.model import Capture
from carrel.translation import tr

Prove = Callable[[Iterator[bytes]], None]
EARLIER = "earlier.warc.gz"
"""The WARC of an export that has the records of other ingests."""


@dataclass(frozen=True, slots=True)
class Records:
    """`warcs` are copied whole, each with its captures; of other WARCs, the `earlier` records."""

    warcs: Sequence[tuple[str, Sequence[Capture]]]
    earlier: Sequence[Capture]
    landing: Capture | None


def records_of(archive: Archive, holding: Holding) -> Records:
    """Return the records that an export needs to replay a holding. Raises ArchiveError."""
    own = archive.ledger.captures.all(holding.ingest_id)
    names = sorted({each.filename for each in own})
    landing = _landing(archive, holding)
    needed = [*own, *filter(None, [landing])]
    needed += [each.held.captures[0] for each in holding.files]
    holders = (archive.holder_of(each) for each in needed)
    all_needed = {each.record_id: each for each in [*needed, *holders] if each is not None}
    earlier = [each for each in all_needed.values() if each.filename not in names]
    earlier.sort(key=lambda each: (each.filename, each.offset))
    captures = archive.ledger.captures
    return Records([(name, captures.in_warc(name)) for name in names], earlier, landing)


class RecordCopies:
    """Copies records, proving them; `lines` are those of the index for what was copied by now.

    All raise Damaged with the name of the WARC, and OSError.
    """

    def __init__(self, archive: Archive, attend: Attend) -> None:
        self._warcs, self._attend = archive.warcs, attend
        self.lines: list[str] = []

    def size(self, name: str) -> int:
        """Return how many bytes a WARC has. Raises Damaged for one that is not there."""
        try:
            return (self._warcs / name).stat().st_size
        except FileNotFoundError as error:
            raise Damaged(tr("there is no {path}", path=self._warcs / name)) from error

    def copy_warc(self, name: str, captures: Iterable[Capture], write: Write) -> None:
        """Copy a whole WARC."""
        position = 0
        for capture in captures:
            self._copy(name, position, capture.offset - position, check_members, write)
            self._copy_record(capture, capture, write)
            position = capture.offset + capture.length
        self._copy(name, position, self.size(name) - position, check_members, write)

    def copy_earlier(self, captures: Iterable[Capture], write: Write) -> None:
        """Copy single records, one behind the other, as a WARC of their own."""
        position = 0
        for capture in captures:
            there = replace(capture, filename=EARLIER, offset=position)
            self._copy_record(capture, there, write)
            position += capture.length

    def _copy_record(self, capture: Capture, there: Capture, write: Write) -> None:
        with closing(Digester([SHA256])) as digester:

            def take(piece: bytes) -> None:
                digester.feed(piece)
                write(piece)

            self._copy(
                capture.filename,
                capture.offset,
                capture.length,
                lambda pieces: _prove(pieces, capture),
                take,
            )
            digest = digester.fixity().digests[SHA256]
        self.lines.append(line_of(there, recordDigest=f"{SHA256}:{digest}"))

    def _copy(self, name: str, offset: int, length: int, prove: Prove, write: Write) -> None:
        """Copy a stretch of a WARC while it is proven."""

        def copied() -> Iterator[bytes]:
            for piece in member_pieces(self._warcs / name, offset, length):
                self._attend(len(piece))
                write(piece)
                yield piece

        try:
            prove(copied())
        except Damaged as error:
            where = tr("{filename}, byte {offset}", filename=name, offset=offset)
            raise Damaged(f"{where}: {error}") from error
        except FileNotFoundError as error:
            raise Damaged(tr("there is no {path}", path=self._warcs / name)) from error


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
