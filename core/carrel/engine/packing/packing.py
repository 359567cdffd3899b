# SPDX-License-Identifier: AGPL-3.0-or-later
"""The small WARCs of an archive, put one behind the other into large ones.

Each step leaves one truth, whenever it ends. A packed WARC is written in staging, each gzip member
unpacked and compared with its checksum on the way, read back, and only then moved into the
collection; there the ledger does not know it yet. In one transaction the ledger has all captures be
in it. Then the index is written, and the small files are removed; who opens an archive for writing
that was left in between does both.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from carrel.archive import Archive
from carrel.capture.disk_room import RESERVE_BYTES
from carrel.capture.folder_sync import sync_folder
from carrel.engine.packing.choice import ENDING, Group, candidates, groups_of, is_ours
from carrel.engine.packing.copying import Copying, prove
from carrel.engine.packing.removal import remove_former
from carrel.engine.staging import folder_for
from carrel.engine.verification.accompanying import ends_early
from carrel.errors import ArchiveFull
from carrel.model.packed import PACKED, WarcPart
from carrel.model.sizes import in_words
from carrel.translation import tr

Tell = Callable[[int, int], None]
"""Called with how many bytes are done, and how many there are."""

_MOST_LEFT = 1000
_FEWEST = 2


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


_ENDS_EARLY = tr("it ends before its last record: “carrel verify” says what repairs it")


class _Packing:
    """One run."""

    def __init__(self, archive: Archive, tell: Tell, total: int) -> None:
        self._archive, self._tell = archive, tell
        self._done, self._total = 0, 2 * total
        self._result, self._proven = Packed(), set[str]()

    def run(self, groups: Iterator[Group], *, dry_run: bool) -> Packed:
        try:
            for group in groups:
                if dry_run:
                    ours = self._ours_of(group.warcs)
                    self._count([warc for warc in group.warcs if ours(warc.name)])
                else:
                    self._make_room(group.size)
                    self._pack(group)
        finally:
            if not dry_run:
                self._settle()
        return self._result

    def _pack(self, group: Group) -> None:
        name = self._name_for(group)
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

    def _name_for(self, group: Group) -> str:
        """Return a name that the ledger knows of no WARC by: a packed one may have been imported
        that begins with the same small one."""
        stem = f"{PACKED}{group.warcs[0].name.removesuffix(ENDING)}"
        names = (f"{stem}{f'-{number}' if number > 1 else ''}{ENDING}" for number in count(1))
        return next(name for name in names if not self._archive.ledger.captures.count_in([name]))

    def _write(self, path: Path, warcs: Sequence[WarcPart]) -> Sequence[WarcPart]:
        """Write a packed WARC, read it back, and return its parts. Raises OSError."""
        copying = Copying(self._archive.warcs, self._whole_of(warcs), self._attend)
        copies = list(copying.copy(warcs, path))
        prove(path, copies, self._attend)
        for each in copies:
            if each.broken:
                self._leave(each.name, each.broken)
        return [each.part for each in copies if each.part]

    def _whole_of(self, warcs: Sequence[WarcPart]) -> Callable[[str], bool]:
        """Return what says of one of these WARCs whether it can be packed: one that ends early
        would never be whole again."""
        is_ours = self._ours_of(warcs)

        def is_whole(name: str) -> bool:
            if not is_ours(name):
                return False
            if is_short := ends_early(self._archive, name):
                self._leave(name, _ENDS_EARLY)
            return not is_short

        return is_whole

    def _ours_of(self, warcs: Sequence[WarcPart]) -> Callable[[str], bool]:
        """Return what says of one of these WARCs whether it is ours to pack."""
        known = self._archive.ledger.captures.warcs_among(warc.name for warc in warcs)
        return lambda name: is_ours(self._archive, name, has_captures=name in known)

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
