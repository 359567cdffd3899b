# SPDX-License-Identifier: AGPL-3.0-or-later
"""Copies of WARCs and of their records: what is copied is proven on the way.

A packed WARC's parts are copied as the WARCs that they were.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO

from carrel.access.proof import Attend
from carrel.capture.digests import Digester
from carrel.capture.stored import Damaged, check_members, difference, payload_in, pieces_of
from carrel.model import Capture
from carrel.model.packed import WarcPart
from carrel.translation import tr

Write = Callable[[bytes], object]
Prove = Callable[[Iterator[bytes]], None]
_SHA256 = "sha256"


class WarcCopies:
    """Copies out of a folder of WARCs. All raise Damaged with the name of the WARC, and OSError."""

    def __init__(self, warcs: Path, attend: Attend) -> None:
        self._warcs, self._attend = warcs, attend

    def size(self, warc: WarcPart) -> int:
        """Return how many bytes a WARC has. Raises Damaged for one that is not there."""
        path = self._warcs / warc.filename
        try:
            return warc.length or path.stat().st_size
        except FileNotFoundError as error:
            raise Damaged(tr("there is no {path}", path=path)) from error

    def copy_warc(self, warc: WarcPart, captures: Iterable[Capture], write: Write) -> None:
        """Copy a whole WARC; `captures` are those in it, by their offset."""
        position, end = warc.offset, warc.offset + self.size(warc)
        with self._opened(warc.filename) as file:
            for capture in captures:
                self._copy(file, position, capture.offset, check_members, write)
                self._copy_record(file, warc, capture, write)
                position = capture.offset + capture.length
            self._copy(file, position, end, check_members, write)

    def _copy_record(self, file: BinaryIO, warc: WarcPart, capture: Capture, write: Write) -> None:
        """Copy a record of a WARC from its open file."""
        end = capture.offset + capture.length
        self._copy(file, capture.offset, end, lambda pieces: _prove(pieces, capture), write)

    def _copy(self, file: BinaryIO, start: int, end: int, prove: Prove, write: Write) -> None:
        """Copy a stretch of an open WARC while it is proven."""

        def copied() -> Iterator[bytes]:
            for piece in pieces_of(file, start, end - start):
                self._attend(len(piece))
                write(piece)
                yield piece

        try:
            prove(copied())
        except Damaged as error:
            where = tr("{filename}, byte {offset}", filename=Path(file.name).name, offset=start)
            raise Damaged(f"{where}: {error}") from error

    @contextmanager
    def _opened(self, filename: str) -> Iterator[BinaryIO]:
        path = self._warcs / filename
        try:
            file = path.open("rb")
        except FileNotFoundError as error:
            raise Damaged(tr("there is no {path}", path=path)) from error
        with file:
            yield file


def _prove(packed: Iterable[bytes], capture: Capture) -> None:
    """Read a record. Raises Damaged where it is not what the ledger knows."""
    # SHA-256 alone proves it; MD5 would take as long as all the rest.
    with closing(Digester([_SHA256])) as digester:
        for block in payload_in(packed):
            digester.feed(block)
        if not capture.is_revisit and (fault := difference(capture, digester.fixity())):
            raise Damaged(fault)
