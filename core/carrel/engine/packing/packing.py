# SPDX-License-Identifier: AGPL-3.0-or-later
"""The small WARCs of an archive, put one behind the other into large ones.

Each step leaves one truth, whenever it ends. A packed WARC is written in staging, each gzip member
unpacked and compared with its checksum on the way, read back, and only then moved into the
collection; there the ledger does not know it yet. In one transaction the ledger has all captures be
in it. Then the index is written, and the small files are removed; who opens an archive for writing
that was left in between does both.
"""

import hashlib
import io
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from gzip import BadGzipFile
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from isal import igzip
from isal.igzip_lib import IsalError

from carrel.archive import Archive
from carrel.capture.digests import sha256_of
from carrel.capture.disk_room import RESERVE_BYTES
from carrel.capture.folder_sync import sync_folder
from carrel.capture.gzip_member import why_broken
from carrel.capture.stored import Damaged, member_pieces
from carrel.engine.packing.choice import Group, candidates, groups_of, is_ours
from carrel.engine.packing.removal import remove_former
from carrel.engine.staging import folder_for
from carrel.errors import ArchiveFull
from carrel.model import Capture
from carrel.model.packed import PACKED, WarcPart
from carrel.model.sizes import in_words
from carrel.translation import tr

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Tell = Callable[[int, int], None]
"""Called with how many bytes are done, and how many there are."""

_MOST_LEFT = 1000
_FEWEST = 2
_UNPACKED_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Left:
    """A small WARC that stays as it is, and why."""

    name: str
    why: str


@dataclass(slots=True)
class Packed:
    """What became of small WARCs: `warcs` of them are in `files` now, of `size` bytes in all.

    `left` are the first of those that stay, `left_count` are all of these.
    """

    warcs: int = 0
    files: int = 0
    size: int = 0
    left_count: int = 0
    left: list[Left] = field(default_factory=list)


def pack(archive: Archive, tell: Tell, *, size: int, dry_run: bool = False) -> Packed:
    """Make WARCs of about `size` bytes out of small ones. Blocks.

    With `dry_run` nothing is written, and the result says what would be. Raises ArchiveError,
    ArchiveFull where there is no room for one more, and OSError.
    """
    with candidates(archive, size) as known:
        packing = _Packing(archive, tell, known.total)
        return packing.run(groups_of(known, size), dry_run=dry_run)


class _Packing:
    """One run."""

    def __init__(self, archive: Archive, tell: Tell, total: int) -> None:
        self._archive, self._tell = archive, tell
        self._unpacked = bytearray(_UNPACKED_BYTES)
        self._done, self._total = 0, 2 * total
        self._result, self._proven = Packed(), set[str]()

    def run(self, groups: Iterator[Group], *, dry_run: bool) -> Packed:
        try:
            for group in groups:
                if dry_run:
                    self._count([warc for warc in group.warcs if self._captures(warc) is not None])
                else:
                    self._make_room(group.size)
                    self._pack(group)
        finally:
            if not dry_run:
                self._settle()
        return self._result

    def _pack(self, group: Group) -> None:
        name = f"{PACKED}{group.warcs[0].name}"
        with folder_for(self._archive.staging, "pack") as folder:
            parts = self._write(folder / name, group.warcs)
            if len(parts) < _FEWEST:
                return
            sync_folder(folder)
            # What a kill left of this name is not known to the ledger, and gives way.
            (folder / name).replace(self._archive.warcs / name)
        sync_folder(self._archive.warcs)
        with self._archive.index.left_behind():
            self._archive.ledger.packed.move(parts)
        self._proven.update(part.name for part in parts)
        self._count(parts)

    def _write(self, path: Path, warcs: Sequence[WarcPart]) -> Sequence[WarcPart]:
        """Write a packed WARC, read it back, and return its parts. Raises OSError, Damaged."""
        parts, digests = list[WarcPart](), list[str]()
        with path.open("xb") as file:
            for warc in warcs:
                captures = self._captures(warc)
                if captures is None:
                    continue
                offset = file.tell()
                try:
                    digests.append(self._copy(warc, file))
                except Damaged as error:
                    file.seek(offset)
                    file.truncate()
                    self._leave(warc.name, str(error))
                    continue
                parts.append(WarcPart(warc.name, path.name, offset, file.tell() - offset))
            file.flush()
            os.fsync(file.fileno())
        for part, digest in zip(parts, digests, strict=True):
            self._prove(path, part, digest)
        return parts

    def _copy(self, warc: WarcPart, file: BinaryIO) -> str:
        """Copy a WARC behind what is in a file, unpacking it to its end on the way; return its
        SHA-256. Raises Damaged where a member is not what its checksum says, and OSError."""
        with (self._archive.warcs / warc.name).open("rb") as source:
            passing = _Passing(source, file, self._attend)
            try:
                with igzip.IGzipFile(fileobj=passing, mode="rb") as members:  # type: ignore[no-untyped-call]
                    while members.readinto(self._unpacked):
                        pass
            except (EOFError, BadGzipFile, IsalError) as error:  # type: ignore[misc]  # wrong stub
                what = tr("a record's gzip member is broken: {why}", why=why_broken(error))
                raise Damaged(what) from error
            return passing.sha256

    def _captures(self, warc: WarcPart) -> Sequence[Capture] | None:
        """Return the captures in a WARC, None for one that is not ours to pack."""
        captures = self._archive.ledger.captures.in_warc(warc.name)
        return captures if is_ours(self._archive, warc.name, captures) else None

    def _prove(self, path: Path, part: WarcPart, digest: str) -> None:
        if sha256_of(member_pieces(path, part.offset, part.length)) != digest:
            raise OSError(5, tr("what was written reads back differently"), str(path))
        self._attend(part.length)

    def _make_room(self, size: int) -> None:
        """Remove small files that are packed by now if there is no room for so many bytes more.

        Raises ArchiveFull if there is none then.
        """
        if self._archive.room.free() < size + RESERVE_BYTES:
            self._settle()
        free = self._archive.room.free()
        if free < size + RESERVE_BYTES:
            raise ArchiveFull(
                tr(
                    "A packed WARC needs {size}, and there is room for {free}. What was packed "
                    "stays packed. Make room, then run it again.",
                    size=in_words(size + RESERVE_BYTES),
                    free=in_words(free),
                )
            )

    def _settle(self) -> None:
        """Have the index say what the ledger does, then remove the files that were packed."""
        if self._archive.ledger.packed.left():
            self._archive.index.write()
            remove_former(self._archive, proven=self._proven)

    def _count(self, warcs: Sequence[WarcPart]) -> None:
        if len(warcs) < _FEWEST:
            return
        self._result.warcs += len(warcs)
        self._result.files += 1
        self._result.size += sum(warc.length for warc in warcs)

    def _leave(self, name: str, why: str) -> None:
        self._result.left_count += 1
        if len(self._result.left) < _MOST_LEFT:
            self._result.left.append(Left(name, why))

    def _attend(self, count: int) -> None:
        self._done += count
        self._tell(min(self._done, self._total), self._total)


class _Passing(io.RawIOBase):
    """A file that is copied into another one while it is read; `sha256` is that of all of it."""

    def __init__(self, source: BinaryIO, target: BinaryIO, attend: Callable[[int], None]) -> None:
        super().__init__()
        self._source, self._target, self._attend = source, target, attend
        self._digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        piece = memoryview(buffer)[: self._source.readinto(buffer)]  # type: ignore[attr-defined]
        self._digest.update(piece)
        self._target.write(piece)
        self._attend(len(piece))
        return len(piece)

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()
