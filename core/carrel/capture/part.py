# SPDX-License-Identifier: AGPL-3.0-or-later
"""A response record that is written to a file of its own while its payload arrives.

What is written is read back behind the writer: brought to the disk, dropped from the system's
memory where the system can be asked to, read again and compared with what arrived. So a record is
proven when it is complete, no second pass is needed, and other programs' memory is left alone.
"""

import os
from pathlib import Path
from typing import BinaryIO

from carrel.capture.block_worker import Block, BlockWorker
from carrel.capture.exchange import Exchange
from carrel.capture.gzip_member import MEBIBYTE, PatchedMember, Piece
from carrel.capture.records import ResponseHead, new_record_id, warcinfo
from carrel.capture.stored import Damaged
from carrel.model import Fixity

# How much is read back at a time; as much is held in memory meanwhile, three times at the most.
_STRETCH_BYTES = 8 * MEBIBYTE
_RECORD_END = b"\r\n\r\n"


class Part:
    """The record, its payload still to come, behind a warcinfo record that opens its file."""

    def __init__(self, path: Path, operator: str, user_agent: str, exchange: Exchange) -> None:
        self.path = path
        self.record_id = new_record_id()
        self._file: BinaryIO = path.open("xb")
        self._stored = path.open("rb", buffering=0)
        self._file.write(warcinfo(path.name, operator, user_agent).member())
        self._head = ResponseHead(self.record_id, exchange)
        self._member = PatchedMember(self._file, self._head.bytes_for(None))
        self._writer = BlockWorker(self._write, "part")
        self._proof = BlockWorker(self._prove, "proof", most=1)
        self._stretch: list[Piece] = []
        self._held = 0

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

    def finish(self, fixity: Fixity) -> None:
        """Complete the record with what its payload turned out to be. Raises OSError, Damaged."""
        self._writer.finish()
        self._stretch.append(self._member.write(_RECORD_END))
        self._stretch += self._member.finish(self._head.bytes_for(fixity))
        self._hand_over()
        self._proof.finish()
        self._close()

    def discard(self) -> None:
        """Remove the file."""
        if not self._file.closed:
            self._writer.abandon()
            self._proof.abandon()
            self._close()
        self.path.unlink(missing_ok=True)

    def _write(self, block: Block) -> None:
        self._stretch.append(self._member.write(block))
        self._held += len(block)
        if self._held >= _STRETCH_BYTES:
            self._hand_over()

    def _hand_over(self) -> None:
        self._file.flush()
        self._proof.put(self._stretch)
        self._stretch, self._held = [], 0

    def _prove(self, stretch: list[Piece]) -> None:
        """Bring pieces to the disk and read them again from there."""
        os.fsync(self._file.fileno())
        self._forget(stretch)
        for piece in stretch:
            self._stored.seek(piece.offset)
            if not piece.is_intact(self._stored.read(piece.length)):
                where = f"{piece.length} bytes at {piece.offset} of {self.path.name}"
                raise Damaged(f"what is stored is not what was written: {where}")
        self._forget(stretch)

    def _forget(self, stretch: list[Piece]) -> None:
        """Have the system drop its copy, so that what is read comes from the disk (POSIX only)."""
        if hasattr(os, "posix_fadvise"):
            start = min(piece.offset for piece in stretch)
            end = max(piece.offset + piece.length for piece in stretch)
            os.posix_fadvise(self._file.fileno(), start, end - start, os.POSIX_FADV_DONTNEED)

    def _close(self) -> None:
        self._file.close()
        self._stored.close()
