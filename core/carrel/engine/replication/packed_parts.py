# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs that this archive has packed, and that a copy has as they were before: small ones.

A packed WARC is its parts one behind the other, byte for byte. Each is compared with the small one
of its name in the copy, and comes back from there, proven as a whole WARC is: by the list in the
copy, and record by record by the ledger.
"""

import errno
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from carrel.archive import Archive
from carrel.capture.digests import sha256_of
from carrel.capture.stored import Damaged, member_pieces
from carrel.engine.replication.both_sides import as_known, put_together, unite
from carrel.engine.replication.found_packed import as_packed
from carrel.engine.replication.in_copy import InCopy, in_copy
from carrel.engine.replication.known_warc import KnownWarc, has_any, is_sound
from carrel.engine.replication.packed_there import PackedThere
from carrel.engine.replication.register import Register
from carrel.engine.replication.store import Store
from carrel.engine.staging import attended, stage
from carrel.model import Capture
from carrel.model.packed import WarcPart
from carrel.translation import tr

Attend = Callable[[int], None]

_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Piece:
    """Where a part of a packed WARC is intact: from `offset` on in the file at `path`, None for
    nowhere. `is_copied` says that it is from the copy, `is_in_part` that not all of it is intact,
    but all that either side has so."""

    part: WarcPart
    path: Path | None = None
    offset: int = 0
    is_copied: bool = False
    is_in_part: bool = False

    @property
    def is_whole(self) -> bool:
        return self.path is not None and not self.is_in_part


class PackedParts:
    """The packed WARCs of an archive, beside a copy. They are named by their paths in the archive,
    as objects of a copy are; every call may raise OSError. `attend` is told of bytes copied."""

    def __init__(
        self,
        archive: Archive,
        store: Store,
        register: Register,
        attend: Attend = lambda count: None,
    ) -> None:
        self._archive, self._store, self._register = archive, store, register
        self._attend = attend
        self._folder = archive.warcs.relative_to(archive.path).as_posix()
        self.there = PackedThere(archive, store, register)

    def part_of(self, name: str) -> WarcPart | None:
        """Return what an object of the copy is a part of here, None if it was not packed."""
        folder, _, file = name.rpartition("/")
        return self._archive.ledger.packed.get(file) if folder == self._folder else None

    def name_of(self, warc: str) -> str:
        """Return what the object of a WARC of this file name is called in a copy."""
        return f"{self._folder}/{warc}"

    def are_all_listed(self, name: str) -> bool:
        """Say whether the list of the copy has each part of a packed WARC, and nothing of that is
        in no part."""
        parts = self._stretches(name)
        return bool(parts) and all(self.is_listed(each) for each in parts)

    def are_any_listed(self, name: str) -> bool:
        """Say whether the list of the copy has a part of a packed WARC."""
        return any(self.is_listed(each) for each in self._stretches(name))

    def in_copy(self, name: str) -> InCopy:
        """Say how a copy has a WARC: whole, or else by what its parts were."""
        whole = self.whole_in_copy(name)
        by_parts = InCopy.GONE if whole is InCopy.INTACT else self.by_parts(name)
        return whole if by_parts is InCopy.GONE else by_parts

    def whole_in_copy(self, name: str) -> InCopy:
        """Say how a copy has a WARC as a whole, by the list there and by the ledger."""
        there = in_copy(name, self._store, self._register)
        if there is not InCopy.INTACT:
            return there
        warc, copy = name.rpartition("/")[2], self._store.read(name)
        return as_known(self._archive, warc, copy, self._attend)

    def by_parts(self, name: str) -> InCopy:
        """Say how a copy has what is not intact here of a packed WARC, in what its parts were; or
        how it has a small one in a packed one."""
        if not self.are_any_listed(name):
            part = self.there.get(name)
            return self._in_packed(part) if part else InCopy.GONE
        with tempfile.TemporaryDirectory(prefix="carrel-copy-") as folder:
            pieces = list(self.pieces(name, Path(folder)))
        if all(each.is_whole for each in pieces):
            return InCopy.INTACT
        return InCopy.IN_PART if any(each.is_copied for each in pieces) else InCopy.DAMAGED

    def _in_packed(self, part: WarcPart) -> InCopy:
        """Say how a copy has a WARC in a packed one; each record of it that is intact there can be
        brought back."""
        return as_known(self._archive, part.name, self.there.read(part), self._attend)

    def pieces(self, name: str, folder: Path) -> Iterator[Piece]:
        """Yield where each part of a packed WARC is intact, by its offset. What is in a `folder`
        for it is there until the next one is asked for."""
        parts = self._stretches(name)
        for part in parts:
            small, here = folder / part.name, folder / f"{part.name}.here"
            longer = self._as_it_was(part) if part is parts[-1] else part
            found = self._from_copy(longer, small, here) if longer != part else Piece(part)
            yield found if found.path else self._piece(part, small, here)
            _remove(small, here)

    def _piece(self, part: WarcPart, small: Path, here: Path) -> Piece:
        """Return a part from where it is intact, be it here or in the copy."""
        self._attend(0)
        path = self._archive.warcs / part.filename
        is_own_sound = is_sound(path, part.offset, part.length, self._captures_in(part))
        own = Piece(part, path, part.offset) if is_own_sound else Piece(part)
        if not self.is_listed(part) or (is_own_sound and self._is_as_copied(path, part)):
            return own
        copied = self._from_copy(part, small, here)
        is_better = copied.path and not (copied.is_in_part and is_own_sound)
        return copied if is_better else own

    def can_restore(self, name: str) -> bool:
        """Say whether the copy has parts of a packed WARC as they were copied, and they are not so
        here, be their records intact or not."""
        path = self._archive.path / name
        listed = filter(self.is_listed, self._stretches(name))
        if all(self._is_as_copied(path, part) for part in listed):
            return False
        with tempfile.TemporaryDirectory(prefix="carrel-copy-") as folder:
            return any(each.is_copied for each in self.pieces(name, Path(folder)))

    def is_here_alone(self, part: WarcPart) -> bool:
        """Say whether a part is intact here, and cannot be had so from the WARC that it was."""
        path = self._archive.warcs / part.filename
        captures = self._archive.ledger.captures.in_part(part)
        if not is_sound(path, part.offset, part.length, captures):
            return False
        with tempfile.TemporaryDirectory(prefix="carrel-copy-") as folder:
            small, here = Path(folder, part.name), Path(folder, f"{part.name}.here")
            return not self._from_copy(part, small, here).is_whole

    def _is_as_copied(self, path: Path, part: WarcPart) -> bool:
        """Say whether a part that the list has is here, byte for byte, what it was."""
        here = attended(member_pieces(path, part.offset, part.length), lambda _: self._attend(0))
        try:
            return sha256_of(here) == self._register.digest(self.name_of(part.name))
        except (Damaged, OSError):
            return False

    def _from_copy(self, part: WarcPart, small: Path, here: Path) -> Piece:
        """Return a part as the copy has it, or as it can be made of both sides: whole, or all that
        either has intact."""
        name, captures = self.name_of(part.name), self._captures_in(part)
        _remove(small, here)
        try:
            sha256 = stage(small, attended(self._read(name), self._attend))
        except (Damaged, FileNotFoundError):
            return Piece(part)
        within, listed = [_within(part, each) for each in captures], self._register.digest(name)
        warc = KnownWarc(self._archive, part.filename, within)
        copied = Piece(part, small, is_copied=True)
        if sha256 == listed and _is_whole(small, part, within):
            return copied
        stage(here, _what_is_there(self._archive.warcs / part.filename, part))
        is_it = has_any(small, within)
        if put_together(small, here, warc, listed or "") and _is_whole(small, part, within):
            return copied
        if not (is_it and unite(small, here, warc)):
            return Piece(part)
        return replace(copied, is_in_part=not _is_whole(small, part, within))

    def _read(self, name: str) -> Iterator[bytes]:
        """Yield the bytes of an object of the copy. Raises Damaged where its medium fails."""
        try:
            yield from self._store.read(name)
        except OSError as error:
            if error.errno == errno.EIO:
                raise Damaged(str(error)) from error
            raise

    def is_listed(self, part: WarcPart) -> bool:
        """Say whether the list of the copy has a part as the WARC that it was."""
        return part.is_packed and self._register.digest(self.name_of(part.name)) is not None

    def _stretches(self, name: str) -> Sequence[WarcPart]:
        """Return the parts of a packed WARC by their offset, and what is between them."""
        folder, _, file = name.rpartition("/")
        if folder != self._folder:
            return []
        parts, position, found = self._archive.ledger.packed.parts_of(file), 0, list[WarcPart]()
        for part in parts:
            if part.offset > position:
                found.append(WarcPart(file, file, position, part.offset - position))
            found.append(part)
            position = part.offset + part.length
        return found

    def _as_it_was(self, part: WarcPart) -> WarcPart:
        """Return the last part of a packed WARC with the length that the copy has of it. If that
        WARC was cut off when the ledger was made again, it knows the length of what was left."""
        size = self._register.size(self.name_of(part.name)) or 0
        return replace(part, length=max(size, part.length)) if self.is_listed(part) else part

    def _captures_in(self, part: WarcPart) -> Sequence[Capture]:
        captures = self._archive.ledger.captures
        others = captures.in_warc(part.name) if part.is_packed else []
        found = [*captures.in_part(part), *(as_packed(each, part) for each in others)]
        return sorted(found, key=lambda each: each.offset)


def write_pieces(path: Path, here: Path, pieces: Iterator[Piece]) -> Sequence[Piece]:
    """Write a packed WARC anew, and bring it to the disk; return its pieces.

    What is intact nowhere stays as it is `here`, for its other records, and with zeros for what is
    not there: each other part keeps its place. Raises Damaged where something intact became shorter
    meanwhile, and OSError.
    """
    written = list[Piece]()
    with path.open("xb") as file:
        for piece in pieces:
            file.writelines(_bytes_of(piece, here))
            file.truncate(piece.part.offset + piece.part.length)
            file.seek(0, os.SEEK_END)
            written.append(piece)
        file.flush()
        os.fsync(file.fileno())
    return written


def _bytes_of(piece: Piece, here: Path) -> Iterator[bytes]:
    if piece.path is None:
        return _what_is_there(here, piece.part)
    if piece.is_in_part:
        return _what_is_there(piece.path, replace(piece.part, offset=piece.offset))
    return member_pieces(piece.path, piece.offset, piece.part.length)


def _what_is_there(path: Path, part: WarcPart) -> Iterator[bytes]:
    """Yield a part that is not intact, as far as it can be read."""
    with suppress(Damaged, OSError):
        yield from member_pieces(path, part.offset, part.length)


def _is_whole(small: Path, part: WarcPart, captures: Sequence[Capture]) -> bool:
    """Say whether a file is a part as it was, each record intact."""
    return small.stat().st_size == part.length and is_sound(small, 0, part.length, captures)


def lost_parts(parts: Sequence[WarcPart]) -> str:
    """Return which parts of a packed WARC stay damaged that was repaired in part."""
    names = ", ".join(each.name for each in parts[:_MOST_NAMED])
    more = len(parts) - _MOST_NAMED
    return tr(
        "The copy has not all of its parts intact. Still damaged: what was {names}. Archive again "
        "what is still published.",
        names=tr("{names} and {more:,} more", names=names, more=more) if more > 0 else names,
    )


def _within(part: WarcPart, capture: Capture) -> Capture:
    """Return a capture with the place that it had before its WARC was packed."""
    name, offset = part.former_place(capture)
    return replace(capture, filename=name, offset=offset)


def _remove(*paths: Path) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
