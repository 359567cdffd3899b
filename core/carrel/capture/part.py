# SPDX-License-Identifier: AGPL-3.0-or-later
"""A response record that is written to a file of its own while its payload arrives.

What is written is read back behind the writer: brought to the disk, dropped from the system's
memory where the system can be asked to, read again and compared with what arrived. So a record is
proven when it is complete, no second pass is needed, and other programs' memory is left alone.

A part whose transfer could go on later notes beside itself what is needed for that
(`unfinished.py`), and how far it is proven.
"""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from io import FileIO
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from isal import isal_zlib

from carrel.capture.block_worker import Block, BlockWorker
from carrel.capture.exchange import Exchange
from carrel.capture.gzip_member import PatchedMember, Piece, inflated
from carrel.capture.records import RECORD_END, Record, ResponseHead, new_record_id
from carrel.capture.stored import Damaged
from carrel.capture.unfinished import Beginning, Further, Mark, Notes, Unfinished
from carrel.model import Fixity
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

log = logging.getLogger(__name__)

# How much is read back at a time; as much is held in memory meanwhile, three times at most.
_STRETCH_BYTES = 8 * MEBIBYTE
# What comes slowly is proven that often, so that a kill costs no more.
_STRETCH_S = 10.0

# Pieces that were written one behind the other, and where the payload stands behind them.
_Stretch = tuple[list[Piece], Mark]


class Part:
    """The record, its payload still to come, behind a warcinfo record that opens its file."""

    def __init__(
        self,
        path: Path,
        file: "_PartFile",
        head: ResponseHead,
        member: PatchedMember,
        notes: Notes | None,
    ) -> None:
        self.path, self.record_id = path, head.record_id
        self._file, self._head, self._member, self._notes = file, head, member, notes
        self._stored = path.open("rb", buffering=0)
        self._writer = BlockWorker(self._write, "part")
        self._proof = BlockWorker(self._prove, "proof", most=1)
        self._pieces: list[Piece] = []
        self._held, self._since = 0, monotonic()
        self._found = bytearray()

    @classmethod
    def begin(
        cls,
        path: Path,
        info: Record,
        exchange: Exchange,
        beginning: Beginning | None = None,
    ) -> "Part":
        """Return a new part, in a file that `info` opens.

        With a `beginning` it can be left and gone on with. Raises OSError.
        """
        file = _PartFile(path, "xb")
        file.writelines([info.member()])
        head = ResponseHead(new_record_id(), exchange)
        member = PatchedMember.begin(file, head.bytes_for(None))
        notes = None
        if beginning is not None:
            marks = (Mark(member.offset + member.length),)
            notes = Notes(path)
            notes.began(Unfinished(path, head.record_id, member.offset, beginning, (), marks))
        return cls(path, file, head, member, notes)

    @classmethod
    def resume(cls, unfinished: Unfinished, feed: Callable[[Block], object]) -> "Part":
        """Return a part that was left, as far as it is intact; `feed` is given its payload.

        Raises Damaged when nothing of it is, OSError, and what `feed` raises; all is left as it was
        then.
        """
        head = ResponseHead(unfinished.record_id, unfinished.beginning.exchange)
        blank = head.bytes_for(None)
        start = last = unfinished.marks[0]
        if start.end == PatchedMember.payload_offset(unfinished.offset, blank):
            for mark, content in _intact_stretches(unfinished):
                for at in range(0, len(content), MEBIBYTE):
                    feed(content[at : at + MEBIBYTE])
                last = mark
        if last is start:
            raise Damaged(tr("{name} has no intact part", name=unfinished.path.name))
        notes = Notes(unfinished.path)
        notes.replace(unfinished.up_to(last))
        file = _PartFile(unfinished.path, "r+b")
        file.truncate(last.end)
        file.seek(last.end)
        member = PatchedMember.resume(
            file, blank, unfinished.offset, crc=last.crc, size=last.received
        )
        return cls(unfinished.path, file, head, member, notes)

    @property
    def offset(self) -> int:
        """Where the response's member begins; the file's own warcinfo stands before it."""
        return self._member.offset

    @property
    def length(self) -> int:
        """How long the response's member is, in bytes."""
        return self._member.length

    def write(self, block: Block) -> None:
        """Append a block of the payload.

        Raises OSError and Damaged, maybe of an earlier block.
        """
        self._writer.put(block)

    def continued(self, further: Further) -> None:
        """Note that another answer continues the payload. Raises OSError."""
        if self._notes is not None:
            self._notes.continued(further)

    def finish(self, fixity: Fixity) -> None:
        """Complete the record with what its payload turned out to be. Raises OSError, Damaged."""
        self._writer.finish()
        mark, self._held = self._mark(), 0  # what is written now is no payload
        self._pieces.append(self._member.write(RECORD_END))
        self._pieces += self._member.finish(self._head.bytes_for(fixity))
        self._hand_over(mark)
        self._proof.finish()
        self._close()

    def leave(self) -> None:
        """Let go of the file so that it can be gone on with; if it cannot be, remove it.

        What arrived is proven first. Where that fails, it is as if it had not arrived.
        """
        if self._notes is None:
            self.discard()
            return
        try:
            self._writer.finish()
            if self._held:
                self._hand_over(self._mark())
            self._proof.finish()
        except (OSError, Damaged) as error:
            log.info("%s is left as far as it is proven: %s", self.path.name, error)
        self._close()

    def discard(self) -> None:
        """Remove the file."""
        self._close()
        self.forget()
        self.path.unlink(missing_ok=True)

    def forget(self) -> None:
        """Remove the notes: there is nothing more to resume."""
        if self._notes is not None:
            self._notes.remove()

    def _mark(self) -> Mark:
        member = self._member
        return Mark(member.offset + member.length, member.size, member.crc)

    def _write(self, block: Block) -> None:
        self._pieces.append(self._member.write(block))
        self._held += len(block)
        is_slow = self._notes is not None and monotonic() - self._since >= _STRETCH_S
        if self._held >= _STRETCH_BYTES or is_slow:
            self._hand_over(self._mark())

    def _hand_over(self, mark: Mark) -> None:
        self._proof.put((self._pieces, mark))
        self._pieces, self._held, self._since = [], 0, monotonic()

    def _prove(self, stretch: _Stretch) -> None:
        """Bring pieces to the disk and read them again from there."""
        pieces, mark = stretch
        os.fsync(self._file.fileno())
        self._drop_from_memory(pieces)
        for piece in pieces:
            if not self._stands(piece):
                where = tr(
                    "{length} bytes at {offset} of {name}",
                    length=piece.length,
                    offset=piece.offset,
                    name=self.path.name,
                )
                raise Damaged(
                    tr("the stored bytes differ from those written: {where}", where=where)
                )
        self._drop_from_memory(pieces)
        if self._notes is not None:
            self._notes.proven(mark)

    def _stands(self, piece: Piece) -> bool:
        """Read a piece, into memory that is used again and again, and say whether it is intact."""
        if len(self._found) < piece.length:
            self._found = bytearray(piece.length)
        self._stored.seek(piece.offset)
        with memoryview(self._found)[: piece.length] as room:
            count = self._stored.readinto(room)
        return count == piece.length and piece.is_intact(self._found)

    def _drop_from_memory(self, pieces: list[Piece]) -> None:
        """Have the system drop its copy, so that what is read comes from the disk (POSIX only)."""
        if hasattr(os, "posix_fadvise"):
            start = min(piece.offset for piece in pieces)
            end = max(piece.offset + piece.length for piece in pieces)
            os.posix_fadvise(self._file.fileno(), start, end - start, os.POSIX_FADV_DONTNEED)

    def _close(self) -> None:
        """End the threads and let go of the files. Harmless when called again."""
        self._writer.abandon()
        self._proof.abandon()
        self._file.close()
        self._stored.close()
        if self._notes is not None:
            self._notes.close()


class _PartFile(FileIO):
    """A file without a buffer, which takes many small parts in one call.

    Payloads that are stored as they are come in pieces of 64 KiB, each with a head of its own.
    """

    def writelines(self, parts: "Iterable[ReadableBuffer]") -> None:
        """Write parts one behind the other. Raises OSError."""
        views = [memoryview(part) for part in parts]
        written = os.writev(self.fileno(), views) if hasattr(os, "writev") else 0
        if written < sum(map(len, views)):
            rest = memoryview(b"".join(views))[written:]
            while rest:  # a full disk takes a part, and says so when it is asked again
                rest = rest[self.write(rest) :]


def _intact_stretches(unfinished: Unfinished) -> Iterator[tuple[Mark, bytes]]:
    """Yield the payload between marks, up to the first that is not what it was."""
    with unfinished.path.open("rb") as file:
        for before, mark in pairwise(unfinished.marks):
            try:
                file.seek(before.end)
                packed = file.read(mark.end - before.end)
            except OSError as error:
                log.info("%s cannot be read behind %d: %s", file.name, before.end, error)
                return
            size = mark.received - before.received
            content = inflated(packed, size)
            if len(content) != size or isal_zlib.crc32(content, before.crc) != mark.crc:
                return
            yield mark, content
