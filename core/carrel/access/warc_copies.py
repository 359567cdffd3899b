# SPDX-License-Identifier: AGPL-3.0-or-later
"""Copies of WARCs and of their records: what is copied is proven on the way.

A packed WARC's parts are copied as the WARCs that they were.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from carrel.access.proof import Attend
from carrel.capture.digests import Digester
from carrel.capture.stored import Damaged, check_members, difference, member_pieces, payload_in
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
        name, position, end = warc.filename, warc.offset, warc.offset + self.size(warc)
        for capture in captures:
            self._copy(name, position, capture.offset - position, check_members, write)
            former, offset = warc.former_place(capture)
            self.copy_record(capture, replace(capture, filename=former, offset=offset), write)
            position = capture.offset + capture.length
        self._copy(name, position, end - position, check_members, write)

    def copy_record(self, capture: Capture, there: Capture, write: Write) -> None:
        """Copy a record, which is as `there` in the copy."""
        self._copy(
            capture.filename,
            capture.offset,
            capture.length,
            lambda pieces: _prove(pieces, capture),
            write,
        )

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
    with closing(Digester([_SHA256])) as digester:
        for block in payload_in(packed):
            digester.feed(block)
        if not capture.is_revisit and (fault := difference(capture, digester.fixity())):
            raise Damaged(fault)
