# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel replicate`: what the copy lacks goes there, proven before and read back after.

A copy is never made worse: a WARC is verified before it is copied, and written over only where it
was damaged in the copy and is intact here; a journal is only continued, and a ledger that is
damaged does not replace a good one. Nothing is removed. What the copy does not have yet of a WARC
with damaged records goes there as it is, for the sake of the others, and is named. So does a WARC
that is damaged in both past repair, once other records of the archive have the damaged bytes.
"""

import hashlib
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from carrel.archive import COPY_LIST_NAME, LEDGER_NAME, Archive
from carrel.capture.digests import sha256_of
from carrel.capture.stored import Damaged
from carrel.engine.journal import is_journal_damaged
from carrel.engine.replication.bad_objects import bad_here, bad_objects
from carrel.engine.replication.both_sides import would_mend
from carrel.engine.replication.copy_list import write_list
from carrel.engine.replication.damage import (
    bytes_elsewhere,
    copied_as_is,
    damaged_in_both,
    damaged_warcs,
    gone_but_elsewhere,
    intact_in_copy,
    loses_nothing,
    missing_here,
    more_in_copy,
    not_as_known,
    note_missing,
)
from carrel.engine.replication.in_copy import InCopy, in_copy
from carrel.engine.replication.known_warc import KnownWarc
from carrel.engine.replication.old_journal import gave_way, keep_old_journal, keep_old_ledger
from carrel.engine.replication.packed_parts import PackedParts
from carrel.engine.replication.parts import (
    Change,
    Part,
    is_from_before,
    is_of_dark,
    is_of_journal,
    store_elsewhere,
    verify_command,
)
from carrel.engine.replication.register import Register, register_of
from carrel.engine.replication.store import Store
from carrel.engine.replication.superseded import Superseded
from carrel.engine.replication.whose import refuse_stranger
from carrel.engine.verification.noting import note_damage_in
from carrel.errors import ArchiveError, ControlFlow, OtherJournal
from carrel.ledger_journal import JOURNAL_NAME
from carrel.model import Fate
from carrel.model.copies import SecondCopy, to_repair_from
from carrel.model.dark import Content
from carrel.model.sizes import in_words
from carrel.translation import tr

# What was copied since the list was last written has to be read again after a kill.
_LIST_EVERY_S = 600.0

Tell = Callable[[int, int], None]
"""Called with how many bytes are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class Lacking:
    """A part of the archive that is not in the copy, or not intact, and why."""

    name: str
    why: str


@dataclass(slots=True)
class Replicated:
    """What became of a copy: `copied` of its `objects` are new or newer, `copied_bytes` in all.

    What is `not_copied` is missing from the copy, or older or damaged there. What is known to be
    `damaged` is so in this archive, or missing, and intact in the copy. What was known to be
    damaged in the copy and is intact there now is `mended`; what is so still, and the copy has in
    another file by now, is `taken_off` its list; what is damaged here, and of which the copy had
    nothing else intact, is `copied_as_is` in its place. What is `wrong_in_copy` is not intact
    there either. `remarks` are about the whole.
    """

    objects: int = 0
    copied: int = 0
    copied_bytes: int = 0
    not_copied: list[Lacking] = field(default_factory=list)
    damaged: list[Lacking] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)
    taken_off: list[str] = field(default_factory=list)
    copied_as_is: list[str] = field(default_factory=list)
    wrong_in_copy: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def replicate(
    archive: Archive,
    store: Store,
    tell: Tell,
    *,
    new_journal: bool = False,
    damaged: Collection[str] = (),
    others: Collection[SecondCopy] = (),
) -> Replicated:
    """Bring a copy up to date with an archive. Blocks.

    What a comparison found `damaged` in the copy is written anew, if the archive has it as it was
    copied. `others` are the archive's other copies, which may have what this one lacks.

    With `new_journal`, a journal in the copy that is another one than the archive's is kept there
    beside it, instead of refused: the archive's was begun anew. So is one that the archive put
    aside itself.

    What an interrupted run left is read back and taken, or written again. Raises ArchiveError for
    a place that has something else, or the copy of another archive, or too little room; OSError
    where the copy cannot be read.
    """
    with register_of(archive, store) as register:
        run = _Replication(archive, store, tell, register, damaged, others)
        return run.run(new_journal=new_journal)


class _Replication:
    """One run."""

    def __init__(
        self,
        archive: Archive,
        store: Store,
        tell: Tell,
        register: Register,
        damaged: Collection[str],
        others: Collection[SecondCopy],
    ) -> None:
        self._archive, self._store, self._tell, self._register = archive, store, tell, register
        self._damaged, self._faults, self._others = damaged, dict[str, str](), others
        self._once_damaged = archive.ledger.fixity_history.once_damaged_warcs()
        self._packed = PackedParts(archive, store, register, lambda count: self._attend(0))
        self._done, self._total, self._has_new_journal = 0, 0, False
        self._missing: Sequence[str] = ()
        self._bad_objects: Mapping[str, Content] = {}
        self._listed_at = time.monotonic()
        self._result = Replicated()

    def run(self, *, new_journal: bool) -> Replicated:
        self._refuse_other_files()
        refuse_stranger(self._archive.path, self._archive.ledger, self._store, self._register)
        if any(self._other_journals(JOURNAL_NAME)) and (new_journal or self._gave_way()):
            keep_old_journal(self._store, self._register)
            self._has_new_journal = True
        self._refuse_other_journal()
        there = {part.path.name for part in self._register.parts() if part.is_warc}
        self._missing = note_missing(self._archive, there, lambda count: self._attend(0))
        self._bad_objects = bad_objects(self._archive, self._register)
        self._choose()
        self._refuse_without_room()
        if not self._register.has_list:
            self._write_list()  # says whose the folder is, should this be interrupted
        try:
            for part in self._register.parts(is_wanted=True):
                self._take(part)
        except ControlFlow:
            self._write_list()  # what is there by now need not be read again
            raise
        self._strike_superseded()
        self._write_list()
        self._remark()
        self._result.objects = self._register.listed_count()
        return self._result

    def _gave_way(self) -> bool:
        return gave_way(self._archive.path, self._store, self._register)

    def _refuse_other_files(self) -> None:
        if not self._register.has_list and next(self._register.objects(), None) is not None:
            raise ArchiveError(
                tr(
                    "The destination contains other files and is no copy of an archive: it has no "
                    "{name}. Nothing was written. Choose an empty one.",
                    name=COPY_LIST_NAME,
                )
            )

    def _refuse_other_journal(self) -> None:
        """Raise OtherJournal unless the journals of the copy are the beginnings of ours."""
        if name := next(self._other_journals(), ""):
            raise OtherJournal(
                tr(
                    "{name} in the copy is not the beginning of this archive's: the copy is of an "
                    "archive that was merged into this one, or was written to, or this journal was "
                    "changed, lost or begun anew. Nothing was written. If you began a new one with "
                    "“carrel rebuild --journal”, run this with --new-journal; the copy then keeps "
                    "both. Else make a copy in another place, and keep this one until “{verify}” "
                    "and “carrel verify --copy” tell which is right.",
                    name=name,
                    verify=verify_command(name),
                )
            )

    def _other_journals(self, folder: str = "") -> Iterator[str]:
        """Yield the files of journals in the copy that the archive's do not continue; those in one
        folder alone, if it is given."""
        for name in filter(is_of_journal, self._register.objects()):
            is_meant = not is_from_before(name) and folder in ("", name.rpartition("/")[0])
            part = self._register.part(name) if is_meant else None
            if is_meant and (part is None or not self._continues(part)):
                yield name

    def _continues(self, part: Part) -> bool:
        size = self._register.size(part.name)
        if size is None or size > part.size:
            return False
        here = sha256_of(part.beginning(size))
        # An interrupted run may have written it without listing it.
        listed = self._register.digest(part.name)
        return here == listed or here == sha256_of(self._store.read(part.name))

    def _choose(self) -> None:
        """Note which parts are to be copied, and how many bytes that means to read."""
        for part in self._register.parts():
            if self._is_wanted(part):
                self._register.want(part.name)
                self._total += part.size * (2 if part.is_warc else 1)

    def _is_wanted(self, part: Part) -> bool:
        """Say whether a part is missing from the copy, or newer here."""
        size, listed = self._register.size(part.name), self._register.digest(part.name)
        if not _is_text(part.name):
            self._fail(part, tr("Its name is not valid text. Rename it."))
            return False
        if part.name in self._bad_objects:  # named at the end
            return False
        if size is None or listed is None:
            return True
        if part.name in self._damaged:
            return self._is_to_be_mended(part, listed)
        if part.change is Change.NEVER:
            if size != part.size and is_of_dark(part.name) and listed == sha256_of(part.pieces()):
                return True
            if size != part.size and self._is_damaged(part):
                return self._in_copy(part) is not InCopy.INTACT  # that it is so is told at the end
            if size != part.size:
                return self._is_damaged_there_alone(part, size)
            if part.path.name not in self._once_damaged:
                return False
        return size != part.size or listed != sha256_of(part.pieces())

    def _is_damaged(self, part: Part) -> bool:
        """Say whether records of a WARC are not intact here, which is noted then."""
        if not part.is_warc:
            return False
        return bool(note_damage_in(self._archive, part.path, lambda count: self._attend(0)))

    def _is_damaged_there_alone(self, part: Part, size: int) -> bool:
        """Say whether a part that is sound here, and has so many bytes in the copy, is not so
        there: as it was copied, or since."""
        if part.is_warc and self._in_copy(part) is not InCopy.INTACT:
            return True  # whether it has something intact alone is looked at when it is taken
        self._fail(part, _other_size(part, size))
        return False

    def _is_to_be_mended(self, part: Part, listed: str) -> bool:
        """Say whether a part is still damaged in the copy, and here as it was copied."""
        there = self._in_copy(part)
        if there is InCopy.INTACT:
            self._result.mended.append(part.name)
            return False
        if in_copy(part.name, self._store, self._register) is InCopy.INTACT:
            return True  # by the list; whether it is right here is known when its records were read
        if sha256_of(part.pieces()) == listed or part.change is not Change.NEVER:
            return True
        if part.path.name in self._once_damaged:
            return True  # whether anything is lost is known when its records were read
        self._fail(part, damaged_in_both())
        return False

    def _in_copy(self, part: Part) -> InCopy:
        """Say how the copy has a part; a WARC is compared with the ledger, too."""
        if part.is_warc:
            return self._packed.whole_in_copy(part.name)
        return in_copy(part.name, self._store, self._register)

    def _strike_superseded(self) -> None:
        """Take off the list what the copy has in another file."""
        damaged, _ = damaged_warcs(self._archive)
        superseded = Superseded(self._archive, self._register, self._packed)
        superseded.strike_gone()
        unless = {*self._faults, *map(self._packed.name_of, damaged)}
        self._result.taken_off += superseded.strike_damaged(self._damaged, unless)

    def _refuse_without_room(self) -> None:
        needed, free = self._register.wanted_bytes(), self._store.free()
        if free is not None and needed > free:
            raise ArchiveError(
                tr(
                    "The copy needs {needed}, and there is room for {free}. Nothing was written. "
                    "Make room, or choose another folder.",
                    needed=in_words(needed),
                    free=in_words(free),
                )
            )

    def _take(self, part: Part) -> None:
        try:
            if part.name == LEDGER_NAME and (why := _why_not_ledger(part.path)):
                self._fail(part, why)
                return
            if part.name == LEDGER_NAME:
                self._keep_old_ledger()
            if part.is_warc and self._is_worse(part):
                if part.name in self._damaged:
                    is_other = self._in_copy(part) is InCopy.OTHER
                    self._fail(part, not_as_known() if is_other else damaged_in_both())
                return
            if part.is_warc and self._is_more_there(part):
                self._fail_in_copy(part, more_in_copy())
                return
            is_anew = part.change is Change.NEVER and self._register.digest(part.name) is not None
            self._register.enter(part.name, self._taken(part), part.size)
            if is_anew:
                is_faulty = part.name in self._faults
                done = self._result.copied_as_is if is_faulty else self._result.mended
                done.append(part.name)
        except (OSError, Damaged) as error:
            reason = getattr(error, "strerror", None) or error
            self._fail(part, tr("It cannot be copied: {reason}.", reason=reason))
        if time.monotonic() - self._listed_at > _LIST_EVERY_S:
            self._write_list()

    def _keep_old_ledger(self) -> None:
        """Have the copy keep its ledger beside this one, if this one was made again without all
        that the other may have."""
        ledger = self._archive.ledger
        if not (self._has_new_journal or ledger.lost_results.addresses()):
            return
        if kept := keep_old_ledger(self._store, self._register, ledger):
            self._result.remarks.append(
                tr(
                    "The ledger of this archive was made again, and may lack what the one in the "
                    "copy has, such as results of ingests: that one is kept in the copy as {name}.",
                    name=kept,
                )
            )

    def _taken(self, part: Part) -> str:
        """Return the SHA-256 of a part that is in the copy now, and was read there."""
        name = part.name
        if self._register.size(name) is not None and self._register.digest(name) is None:
            digest = sha256_of(part.pieces())
            if digest == sha256_of(self._store.read(name)):
                self._attend(part.size)
                return digest
        return self._write(part)

    def _write(self, part: Part) -> str:
        """Write a part, read it back, and return its SHA-256. Raises OSError."""
        if self._register.strike(part.name):
            self._write_list()  # until it is read back, nothing is said of it
        passing = _Passing(part, self._attend)
        self._store.write(part.name, passing.pieces)
        if sha256_of(self._store.read(part.name)) != passing.sha256:
            raise OSError(5, tr("what was written reads back differently"))
        self._result.copied += 1
        self._result.copied_bytes += part.size
        return passing.sha256

    def _write_list(self) -> None:
        write_list(self._store, self._register.listed)
        self._listed_at = time.monotonic()

    def _is_worse(self, part: Part) -> bool:
        """Say whether a WARC has damaged records here, and the copy has it otherwise."""
        faults = note_damage_in(self._archive, part.path, self._attend)
        if not faults:
            return False
        is_there = self._register.has(part.name)
        if is_there and not self._is_past_repair(part, len(faults)):
            return True
        self._faults[part.name] = faults[0]
        return self._packed.by_parts(part.name) is InCopy.INTACT

    def _is_more_there(self, part: Part) -> bool:
        """Say whether the copy has something intact of a WARC, otherwise sound here, that is not so
        here: what the ledger does not know."""
        listed = self._register.digest(part.name)
        if part.name in self._faults or listed is None or listed == sha256_of(part.pieces()):
            return False
        try:
            return self._would_mend(part)
        except OSError:  # nothing of it can be had
            return False

    def _would_mend(self, part: Part) -> bool:
        """Say whether the copy has anything intact of a WARC that is not so here. Raises
        OSError."""
        warc = KnownWarc(self._archive, part.path.name)
        return would_mend(self._store.read(part.name), part.path, warc)

    def _is_past_repair(self, part: Part, faults: int) -> bool:
        """Say whether a damaged WARC is damaged in the copy as well, which has nothing intact of it
        that is not so here; or another one there, and nothing is lost."""
        if self._register.digest(part.name) is None:
            return False
        if self._in_copy(part) is InCopy.OTHER:
            return loses_nothing(self._archive, part.path.name, faults)
        try:
            return not self._would_mend(part)
        except FileNotFoundError:
            return True

    def _lack(self, name: str, there: InCopy, why: str) -> None:
        """Name a WARC that is not intact here: the copy lacks it, too, unless it has it intact."""
        is_intact = there is InCopy.INTACT
        told = self._result.damaged if is_intact else self._result.not_copied
        told.append(Lacking(name, why))

    def _fail(self, part: Part, why: str) -> None:
        self._result.not_copied.append(Lacking(part.name, why))

    def _fail_in_copy(self, part: Part, why: str) -> None:
        """Name a part that is not intact in the copy either, which is to be remembered: once it is
        repaired here, it is as the list there says."""
        self._result.wrong_in_copy.append(part.name)
        self._fail(part, why)

    def _attend(self, count: int) -> None:
        self._done += count
        self._tell(self._done, self._total)

    def _remark(self) -> None:
        """Say what the copy cannot have."""
        copied = {
            name.rpartition("/")[2]: name
            for name, _ in self._register.listed()
            if name.startswith("collections/")
        }
        captures = self._archive.ledger.captures
        missing, lost = damaged_warcs(self._archive, Fate.MISSING)
        for name in self._missing:
            there = self._packed.in_copy(copied.get(name) or self._packed.name_of(name))
            is_nowhere = there is InCopy.GONE and missing[name] == captures.count_in([name])
            if is_nowhere and not lost[name]:
                self._result.remarks.append(f"{name}: {gone_but_elsewhere(missing[name])}")
                continue
            self._lack(name, there, missing_here(there, to_repair_from(self._others, [name])))
        self._remark_damage()
        for name, content in self._bad_objects.items():
            is_listed = self._register.digest(name) == content.sha256
            there = in_copy(name, self._store, self._register) if is_listed else InCopy.DAMAGED
            self._lack(name, there, bad_here(there))
        if is_journal_damaged(self._archive):
            self._result.remarks.append(
                tr(
                    "The journal of this archive is damaged, and is copied as it is. Begin a new "
                    "one from the ledger (“carrel rebuild --journal”, or the page Overview), then "
                    "copy again."
                )
            )
        if elsewhere := store_elsewhere(self._archive):
            self._result.remarks.append(
                tr(
                    "The dark archive has its object store at {folder}, outside of this archive: "
                    "it is not part of the copy.",
                    folder=elsewhere,
                )
            )

    def _remark_damage(self) -> None:
        """Name the WARCs that are known to have damaged records here, by how the copy has them."""
        damaged, lost = damaged_warcs(self._archive)
        told = {each.name for each in self._result.not_copied}
        for part in self._register.parts():
            count = damaged[part.path.name] if part.is_warc else 0
            if part.name in told or not (count or part.name in self._faults):
                continue
            fault, is_lost = self._faults.get(part.name), bool(lost[part.path.name] or not count)
            is_as_here = self._register.digest(part.name) == sha256_of(part.pieces())
            look = self._packed.by_parts if is_as_here else self._packed.in_copy
            there = look(part.name)
            if there is InCopy.INTACT:
                self._lack(part.name, there, intact_in_copy(count, fault))
            elif there is InCopy.OTHER:
                self._fail_in_copy(part, not_as_known())
            elif not is_as_here and there is InCopy.DAMAGED:
                self._fail_in_copy(part, damaged_in_both())
            elif not is_as_here or (there is InCopy.IN_PART and is_lost):
                self._fail(part, damaged_in_both())
            elif is_lost:
                other = to_repair_from(self._others, [part.path.name])
                self._fail(part, copied_as_is(count, fault, other))
            else:
                self._result.remarks.append(f"{part.name}: {bytes_elsewhere(count)}")


class _Passing:
    """The bytes of a part on their way: each piece is attended to, and `sha256` is that of all."""

    def __init__(self, part: Part, attend: Callable[[int], None]) -> None:
        self._part, self._attend = part, attend
        self._digest, self._passed = hashlib.sha256(), 0

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes, from the beginning each time."""
        self._attend(-self._passed)
        self._digest, self._passed = hashlib.sha256(), 0
        for piece in self._part.pieces():
            self._digest.update(piece)
            self._passed += len(piece)
            self._attend(len(piece))
            yield piece


def _why_not_ledger(path: Path) -> str:
    try:
        with closing(sqlite3.connect(path)) as ledger:
            said = ledger.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        said = str(error)
    if said == "ok":
        return ""
    return tr(
        "The ledger is damaged ({said}), so the copy keeps its older one. “carrel rebuild” makes "
        "the ledger again.",
        said=said,
    )


def _other_size(part: Part, in_copy: int) -> str:
    return tr(
        "It has {here:,} bytes here and {in_copy:,} in the copy, and should never change. "
        "“{verify}” and “carrel verify --copy” tell which is right; remove the wrong one from the "
        "copy, or “carrel repair --from” repairs the one here.",
        here=part.size,
        in_copy=in_copy,
        verify=verify_command(part.name),
    )


def _is_text(name: str) -> bool:
    return name.isprintable() and not any("\ud800" <= char <= "\udfff" for char in name)
