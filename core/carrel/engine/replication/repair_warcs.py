# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs that are damaged or missing, found by a fixity run and repaired from a copy.

Each must be as the list in the copy has it, and each of its records as the ledger has it. Of one
that is damaged in both, records may come from either: all that either has intact. Of one that was
packed since it was copied, each part comes from the small one that the copy has.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from carrel.archive import Archive
from carrel.capture.digests import sha256_of
from carrel.capture.stored import Damaged, member_pieces
from carrel.engine.lost_results import bring_back_results
from carrel.engine.packing.choice import ENDING
from carrel.engine.replication.both_sides import put_together, unite
from carrel.engine.replication.damage import (
    gone_and_damaged_but_elsewhere,
    gone_but_elsewhere,
    gone_without_loss,
    loses_nothing,
    lost_in_both,
    stays_damaged,
    stays_damaged_uncopied,
)
from carrel.engine.replication.found_packed import note_parts
from carrel.engine.replication.known_warc import KnownWarc, has_any
from carrel.engine.replication.packed_parts import PackedParts, lost_parts, write_pieces
from carrel.engine.replication.register import Register
from carrel.engine.replication.repaired import (
    DAMAGED_IN_COPY,
    Repaired,
    not_repaired,
    take_place,
)
from carrel.engine.replication.replication import Tell
from carrel.engine.replication.store import Store
from carrel.engine.staging import attended, folder_for, staged_copy
from carrel.engine.verification import verify, verify_paths
from carrel.engine.verification.accompanying import ends_early
from carrel.engine.verification.noting import note_damage_in
from carrel.errors import ControlFlow
from carrel.model import Fate, VerificationReport
from carrel.model.events import Emit, Event, RecordVerified, VerificationProgress
from carrel.model.not_imported import NOT_IMPORTED, WAS_NOT_IMPORTED
from carrel.model.packed import PACKED, WarcPart
from carrel.model.remedies import repaired_from
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class _Source:
    """A WARC in the copy: its SHA-256 as it was copied, "" where its file was changed since, and
    None where the copy does not have it."""

    sha256: str | None
    read: Callable[[], Iterator[bytes]]


class Warcs:
    """The WARCs of an archive. `tell` is called while a file comes from the copy, and may raise."""

    def __init__(self, archive: Archive, store: Store, register: Register, tell: Tell) -> None:
        self._archive, self._store, self._register, self._tell = archive, store, register, tell
        self._packed = PackedParts(archive, store, register, self._attend)
        self._copied = self._to_copy = 0
        self._found = set[Path]()  # packed WARCs that had more than the ledger knew
        self._run: asyncio.Task[VerificationReport] | None = None
        self._ended_by: BaseException | None = None

    async def repaired(self, emit: Emit, place: str) -> Sequence[Repaired]:
        """Verify the archive, and return what became of each WARC that was not intact."""
        damaged = await self._find_damaged(emit)
        self._to_copy = sum(path.stat().st_size for path in damaged if path.exists())
        done = self._repair_all(damaged)
        sound = sorted(set(self._archive.warcs.iterdir()).difference(damaged))
        done += filter(None, map(self._restore, sound))
        anew = [each for each in done if each.is_repaired or each.is_in_part]
        changed = {self._archive.path / each.name for each in anew} | self._found
        if changed:
            remedy = repaired_from(place)
            await verify_paths(sorted(changed), self._archive, remedy=remedy)
            bring_back_results(self._archive)
        return [*done, *self._not_imported()]

    def _repair_all(self, damaged: Sequence[Path]) -> list[Repaired]:
        """Repair packed WARCs first: then others that were missing may be in these."""
        packed = [path for path in damaged if path.name.startswith(PACKED)]
        others = [path for path in damaged if path not in packed]
        done = [self._repair(path) for path in packed]
        is_any_missing = not all(path.exists() for path in others)
        searched = self._archive.warcs.glob(f"{PACKED}*{ENDING}") if is_any_missing else packed
        done += [it for it in self._find_in(sorted(searched)) if it.name not in _names(done)]
        done += [self._repair(path) for path in others if not self._is_in_packed(path)]
        return sorted(done, key=lambda each: each.name)

    def _find_in(self, packed: Sequence[Path]) -> Iterator[Repaired]:
        """Have the ledger know what is in packed WARCs; yield those that have what was missing."""
        for path in filter(Path.exists, packed):
            name = path.relative_to(self._archive.path).as_posix()
            try:
                if note_parts(self._archive, path):
                    self._found.add(path)
                    yield Repaired(name)
            except OSError as error:
                yield not_repaired(name, error)

    def _is_in_packed(self, path: Path) -> bool:
        """Say whether all that the ledger had in a missing WARC is in a packed one by now."""
        is_part = not path.exists() and self._archive.ledger.packed.get(path.name) is not None
        return is_part and not self._archive.ledger.captures.count_in([path.name])

    def _not_imported(self) -> Iterator[Repaired]:
        """Yield the records that are in no WARC of the archive, nor of a copy of it."""
        for each in self._archive.ledger.captures.not_imported():
            yield Repaired(each.url, trouble=WAS_NOT_IMPORTED, is_record=True)

    def tell_or_end(self, event: Event) -> None:
        """Tell how far the verification is; what that raises ends it."""
        if not isinstance(event, RecordVerified | VerificationProgress) or self._ended_by:
            return
        try:
            self._tell(event.done, event.total)
        except ControlFlow as error:  # raised here it would end nothing but this call
            self._ended_by = error
            self._run and self._run.cancel()

    async def _find_damaged(self, emit: Emit) -> Sequence[Path]:
        damaged: set[Path] = set()

        def note(event: Event) -> None:
            emit(event)
            if isinstance(event, RecordVerified) and event.check.fate is not Fate.INTACT:
                damaged.add(Path(event.check.path))

        self._run = asyncio.ensure_future(verify(self._archive, None, note))
        try:
            await self._run
        except asyncio.CancelledError:
            raise self._ended_by or asyncio.CancelledError from None
        return sorted(it for it in damaged if not it.name.startswith(NOT_IMPORTED))

    def _repair(self, path: Path) -> Repaired:
        name = path.relative_to(self._archive.path).as_posix()
        done = self._repair_whole(name, path, self._whole(name))
        if done.is_repaired:
            return done
        if self._packed.are_any_listed(name):
            return self._repair_by_parts(name, path)
        of_part = self._repair_of_packed(name, path)
        return of_part if of_part and (of_part.is_repaired or not done.is_in_part) else done

    def _repair_of_packed(self, name: str, path: Path) -> Repaired | None:
        """Repair a WARC that the copy has in a packed one; None where it has not."""
        try:
            part = self._packed.there.get(name)
            return self._repair_whole(name, path, self._of_packed(part)) if part else None
        except (Damaged, OSError) as error:
            return not_repaired(name, error)

    def _whole(self, name: str) -> _Source:
        """Return a WARC as the list of the copy has it."""
        return _Source(self._register.digest(name), partial(self._store.read, name))

    def _of_packed(self, part: WarcPart) -> _Source:
        """Return a WARC as it is in a packed one of the copy."""
        there = self._packed.there
        return _Source(there.digest(part), partial(there.read, part))

    def _restore(self, path: Path) -> Repaired | None:
        """Take a WARC whose records are intact from the copy, if other bytes are not as they were
        copied; nothing is lost where it does not have them either."""
        name = path.relative_to(self._archive.path).as_posix()
        listed = self._register.digest(name)
        done = None
        if listed is None and self._packed.can_restore(name):
            done = self._repair_by_parts(name, path)
        elif listed is not None and listed != self._digest_here(path):
            done = self._repair_whole(name, path, self._whole(name))
        return done if done and done.is_repaired else None

    def _digest_here(self, path: Path) -> str:
        """Return the SHA-256 of a WARC that was just read, "" where it cannot be read any more."""
        try:
            pieces = member_pieces(path, 0, path.stat().st_size)
            return sha256_of(attended(pieces, lambda _: self._attend(0)))
        except (Damaged, OSError):
            return ""

    def _are_same(self, staged: Path, path: Path) -> bool:
        return self._digest_here(staged) == self._digest_here(path)

    def _repair_by_parts(self, name: str, path: Path) -> Repaired:
        try:
            with folder_for(self._archive.staging, "repair") as folder:
                return self._repair_parts(name, path, folder)
        except (Damaged, OSError) as error:
            return not_repaired(name, error)

    def _repair_whole(self, name: str, path: Path, source: _Source) -> Repaired:
        listed = source.sha256
        if listed is None:
            return self._not_in_copy(path, Repaired(name, trouble=tr("It is not in the copy.")))
        try:
            pieces = attended(source.read(), self._attend)
            copy = staged_copy(self._archive.staging, "repair", path.name, pieces)
            with copy as (staged, sha256):
                warc = KnownWarc(self._archive, path.name)
                is_it = has_any(staged, warc.captures)
                is_as_copied = sha256 == listed or put_together(staged, path, warc, listed)
                faults = note_damage_in(self._archive, staged, lambda count: self._attend(0))
                # Between two records only a file in its place would be found cut off.
                is_whole = is_as_copied and not faults and not self._ends_early(staged)
                # What was completed from here may be the file here by now.
                if is_whole and not self._are_same(staged, path):
                    return self._took(name, path, staged)
                if is_it and unite(staged, path, warc):
                    return self._took(name, path, staged)
                return self._damaged_in_both(name, path, _trouble_there(faults, is_as_copied))
        except FileNotFoundError as error:
            return self._not_in_copy(path, not_repaired(name, error))
        except OSError as error:
            return not_repaired(name, error)

    def _ends_early(self, staged: Path) -> bool:
        return ends_early(self._archive, staged.name, staged)

    def _took(self, name: str, path: Path, staged: Path) -> Repaired:
        """Have a file take its place that has all that either side has intact, and return what is
        still damaged in it."""
        return self._what_is_left(name, path, take_place(staged, path))

    def _what_is_left(self, name: str, path: Path, kept_as: str) -> Repaired:
        """Return what became of a WARC that was put in its place."""
        faults = note_damage_in(self._archive, path, lambda count: self._attend(0))
        if not faults:
            return Repaired(name, kept_as)
        if loses_nothing(self._archive, path.name, len(faults)):
            return Repaired(name, kept_as, left=stays_damaged(), is_in_part=True)
        return Repaired(name, kept_as, lost_in_both(faults), is_not_there=True, is_in_part=True)

    def _repair_parts(self, name: str, path: Path, folder: Path) -> Repaired:
        """Put a packed WARC together anew of its parts here, and what these were in the copy."""
        staged = folder / path.name
        pieces = write_pieces(staged, path, self._packed.pieces(name, folder))
        lost = [each.part for each in pieces if not each.is_whole]
        is_any_copied = any(each.is_copied for each in pieces)
        if lost and not is_any_copied:
            is_any_there = any(map(self._packed.is_listed, lost))
            trouble = DAMAGED_IN_COPY if is_any_there else lost_parts(lost)
            return self._damaged_in_both(name, path, trouble)
        faults = note_damage_in(self._archive, staged, lambda count: self._attend(0))
        if faults and not lost:
            trouble = tr("In the copy, too: {fault}", fault=faults[0])
            return self._damaged_in_both(name, path, trouble)
        kept_as = take_place(staged, path)
        if not lost:
            return Repaired(name, kept_as)
        if all(each.path for each in pieces):
            return self._what_is_left(name, path, kept_as)
        return Repaired(name, kept_as, lost_parts(lost), is_not_there=True, is_in_part=True)

    def _damaged_in_both(self, name: str, path: Path, trouble: str) -> Repaired:
        """Return that a file is damaged in both, which is no trouble where nothing is lost."""
        if self._loses_nothing(path):
            return Repaired(name, left=stays_damaged())
        if count := self._is_gone_without_loss(path):
            return Repaired(name, left=gone_and_damaged_but_elsewhere(count))
        return Repaired(name, trouble=trouble, is_not_there=True)

    def _not_in_copy(self, path: Path, done: Repaired) -> Repaired:
        """Return what became of a file that the copy lacks, which is no trouble where nothing is
        lost."""
        if self._loses_nothing(path):
            return Repaired(done.name, left=stays_damaged_uncopied())
        if count := self._is_gone_without_loss(path):
            return Repaired(done.name, left=gone_but_elsewhere(count))
        return done

    def _loses_nothing(self, path: Path) -> bool:
        faults = note_damage_in(self._archive, path, lambda count: self._attend(0))
        return path.exists() and loses_nothing(self._archive, path.name, len(faults))

    def _is_gone_without_loss(self, path: Path) -> int:
        """Return how many records were in a WARC that is not there, if others have all bytes."""
        return 0 if path.exists() else gone_without_loss(self._archive, path.name)

    def _attend(self, count: int) -> None:
        self._copied += count
        self._tell(self._copied, max(self._copied, self._to_copy))


def _trouble_there(faults: Sequence[str], is_as_copied: bool) -> str:
    """Return what is wrong with a WARC in the copy that is not intact here either."""
    if is_as_copied and faults:
        return tr("In the copy, too: {fault}", fault=faults[0])
    return DAMAGED_IN_COPY


def _names(done: Collection[Repaired]) -> Collection[str]:
    return {each.name for each in done}
