# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel verify --copy`: every object of a copy read again, and compared with the archive."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum

from carrel.archive import Archive
from carrel.capture.digests import sha256_of
from carrel.capture.stored import Damaged, member_pieces
from carrel.engine.replication.bad_objects import bad_here, note_bad_objects, was_purged
from carrel.engine.replication.both_sides import as_known
from carrel.engine.replication.copy_list import no_copy
from carrel.engine.replication.damage import (
    damaged_warcs,
    gone_without_loss,
    not_as_known,
    note_missing,
)
from carrel.engine.replication.in_copy import InCopy, in_copy
from carrel.engine.replication.packed_parts import PackedParts
from carrel.engine.replication.parts import (
    Change,
    Part,
    is_from_before,
    is_of_dark,
    is_of_index,
    is_of_warcs,
)
from carrel.engine.replication.register import Register, register_of
from carrel.engine.replication.renamed import name_here
from carrel.engine.replication.replication import Tell
from carrel.engine.replication.store import Store
from carrel.engine.replication.whose import refuse_stranger
from carrel.engine.verification.noting import note_damage_in
from carrel.model.packed import WarcPart
from carrel.translation import tr


class Difference(StrEnum):
    """What is not the same here and in the copy; `words` say it."""

    DAMAGED_IN_COPY = "damaged-in-copy"
    MISSING_IN_COPY = "missing-in-copy"
    NOT_COPIED = "not-copied"
    NOT_LISTED = "not-listed"
    DAMAGED_HERE = "damaged-here"
    MISSING_HERE = "missing-here"
    # Of WARCs that are not the same on both sides, each of them as it should be by itself.
    OTHER_HERE = "other-here"
    OTHER_IN_COPY = "other-in-copy"

    @property
    def words(self) -> str:
        return _WORDS[self]

    @property
    def is_here(self) -> bool:
        """Whether the archive is not as it was, and not the copy."""
        here = (Difference.DAMAGED_HERE, Difference.MISSING_HERE, Difference.OTHER_HERE)
        return self in here


@dataclass(frozen=True, slots=True)
class Differing:
    """An object that differs, and what to do."""

    name: str
    difference: Difference
    advice: str

    @property
    def is_without_loss(self) -> bool:
        """Whether it is damaged here, and other records of the archive have the bytes."""
        return self.advice == _NO_BYTES_ARE_LOST

    @property
    def is_gone_without_loss(self) -> bool:
        """Whether a WARC that neither has whole, and is missing here, costs no bytes either."""
        return self.advice == _NO_BYTES_ARE_GONE


@dataclass(slots=True)
class Compared:
    """What a comparison came to: `objects` of the copy were read, so many bytes in all.

    `older` counts what changes with the archive (ledger, index, journal) and was copied before it
    last did: no fault, but to copy again. `damaged_in_both` are the WARCs with records that are
    known to be damaged, and are the same in both; `without_loss` are those of which other records
    of the archive have the damaged bytes. `renamed` gives, of WARCs that the copy has intact under
    a name that the archive no longer uses, what they are called here. `purged` are objects of the
    dark archive that the copy still has, though they were purged here: no fault of either. Of WARCs
    that neither has, `gone_without_loss` counts the records, whose bytes others have.
    """

    objects: int = 0
    size_bytes: int = 0
    older: int = 0
    differing: list[Differing] = field(default_factory=list)
    damaged_in_both: list[str] = field(default_factory=list)
    without_loss: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    purged: list[str] = field(default_factory=list)
    gone_without_loss: dict[str, int] = field(default_factory=dict)

    @property
    def lost_in_both(self) -> Sequence[str]:
        """The names of the WARCs of which bytes are lost, as far as archive and copy have them."""
        found = (each.name for each in self.differing if each.advice in _ADVICE_ON_LOST)
        return list(dict.fromkeys([*self.damaged_in_both, *found]))

    @property
    def to_repair_first(self) -> Sequence[str]:
        """The names of the WARCs that neither has intact, and repair takes from both."""
        found = (each.name for each in self.differing if each.advice in _ADVICE_ON_MIXED)
        return list(dict.fromkeys(found))

    @property
    def needs_copying(self) -> bool:
        """Whether copying mends anything in the copy as it is now."""
        vain = (*_ADVICE_ON_MIXED, *_ADVICE_IN_VAIN)
        return any(not it.difference.is_here and it.advice not in vain for it in self.differing)

    @property
    def wrong_in_copy(self) -> tuple[str, ...]:
        """The names of what is damaged in the copy, or another there than this archive knows."""
        found = *self.named(Difference.DAMAGED_IN_COPY), *self.named(Difference.OTHER_IN_COPY)
        return tuple(sorted(found))

    @property
    def gone_from_copy(self) -> Sequence[str]:
        """The names of what is missing in the copy, and is not missing here as well."""
        here = set(self.named(Difference.MISSING_HERE))
        return [each for each in self.named(Difference.MISSING_IN_COPY) if each not in here]

    def named(self, difference: Difference) -> Sequence[str]:
        """Return the names of what differs so."""
        return [each.name for each in self.differing if each.difference is difference]

    def by_name(self) -> Sequence[tuple[str, str, str]]:
        """Return each object that differs: its name, how in words, and what to do."""
        found: dict[str, list[Differing]] = {}
        for each in self.differing:
            found.setdefault(each.name, []).append(each)
        return [
            (name, ", ".join(each.difference.words for each in rows), rows[0].advice)
            for name, rows in found.items()
        ]

    @property
    def is_same(self) -> bool:
        """Whether everything that stays as it is stands in both, byte for byte."""
        return not self.differing

    @property
    def is_intact(self) -> bool:
        """Whether it is the same, and nothing is known to be lost that is so in both."""
        return self.is_same and not self.damaged_in_both


def compare(archive: Archive, store: Store, tell: Tell) -> Compared:
    """Read all of a copy, and all of the archive that never changes. Blocks.

    What of the archive's own WARCs, and of its dark archive, is found damaged or missing is noted
    in its ledger. Raises
    ArchiveError where there is no copy, or that of another archive, and OSError where it cannot be
    read.
    """
    with register_of(archive, store) as register:
        if not register.has_list:
            raise no_copy()
        refuse_stranger(archive.path, archive.ledger, store, register)
        packed = PackedParts(archive, store, register)
        done = _Comparison(archive, store, register, packed, tell).run()
        sound = _note_found_here(archive, register, packed, done, tell)
        _look_again(archive, store, packed, done, sound, tell)
        _sort_damage(archive, register, packed, done)
        return done


def _note_found_here(
    archive: Archive, register: Register, packed: PackedParts, done: Compared, tell: Tell
) -> Set[str]:
    """Note which records of this archive are damaged or missing, as a fixity run would; return the
    WARCs that differ, and have all of theirs intact."""

    def attend(_count: int) -> None:
        tell(done.size_bytes, done.size_bytes)

    there = {part.path.name for part in register.parts() if part.is_warc}
    for name in note_missing(archive, there, attend):
        _name_in_neither(archive, register, packed, done, name)
    damaged = set(done.named(Difference.DAMAGED_HERE))
    note_bad_objects(archive, register, damaged.union(done.named(Difference.MISSING_HERE)))
    parts = filter(None, map(packed.part_of, damaged))
    damaged |= {packed.name_of(each.filename) for each in parts}
    differing = filter(None, map(register.part, sorted(damaged)))
    warcs = [part for part in differing if part.is_warc]
    return {it.name for it in warcs if not note_damage_in(archive, it.path, attend)}


def _name_in_neither(
    archive: Archive, register: Register, packed: PackedParts, done: Compared, warc: str
) -> None:
    """Name a WARC that is missing here, if the list of the copy does not have it either."""
    name = packed.name_of(warc)
    if register.digest(name) is not None or packed.are_any_listed(name):
        return
    if count := gone_without_loss(archive, warc):
        done.gone_without_loss[name] = count
        return
    both = Difference.MISSING_IN_COPY, Difference.MISSING_HERE
    done.differing += [Differing(name, each, _ADVICE_ON_BOTH[both]) for each in both]


def _look_again(
    archive: Archive,
    store: Store,
    packed: PackedParts,
    done: Compared,
    sound: Set[str],
    tell: Tell,
) -> None:
    """Say of WARCs that are not here as they were copied whether their records are intact, here and
    in the copy: neither follows from the list there."""

    def attend(_count: int) -> None:
        tell(done.size_bytes, done.size_bytes)

    def again(it: Differing) -> Sequence[Differing]:
        part = packed.part_of(it.name)
        is_sound = (packed.name_of(part.filename) if part else it.name) in sound
        is_copy_all_right = it.difference.is_here and it.advice == _ADVICE[it.difference]
        if is_of_warcs(it.name) and is_copy_all_right:
            warc, copy = it.name.rpartition("/")[2], store.read(it.name)
            there = as_known(archive, warc, copy, attend)
            if there is not InCopy.INTACT:
                return _of_other_copy(it, there, is_sound=is_sound)
        return [_of_sound(it) if is_sound else it]

    done.differing = [each for it in done.differing for each in again(it)]


def _of_other_copy(differing: Differing, there: InCopy, *, is_sound: bool) -> Sequence[Differing]:
    """Return what differs of a WARC that the copy has as its list says, and not as the ledger: all
    of it, or a part that was damaged before it was copied."""
    name, other = differing.name, Difference.OTHER_IN_COPY
    if is_sound:
        return [Differing(name, other, _OTHER_THAN_HERE)]
    if there is InCopy.DAMAGED:
        both = Difference.DAMAGED_IN_COPY, differing.difference
        return [Differing(name, each, _ADVICE_ON_BOTH[both]) for each in both]
    return [Differing(name, each, _NOT_AS_KNOWN) for each in (other, differing.difference)]


def _of_sound(differing: Differing) -> Differing:
    """Return a difference with what is true of a WARC whose records are all intact here."""
    is_here = differing.difference is Difference.DAMAGED_HERE
    return replace(
        differing,
        difference=Difference.OTHER_HERE if is_here else differing.difference,
        advice=_ADVICE_ON_SOUND.get(differing.advice, differing.advice),
    )


def _sort_damage(archive: Archive, register: Register, packed: PackedParts, done: Compared) -> None:
    """Note what of the known damage is alike in both, and which of it is no loss."""
    differing = {each.name for each in done.differing}
    bad_here = (each.name for each in done.differing if each.difference.is_here)
    parts = filter(None, map(packed.part_of, bad_here))
    differing |= {packed.name_of(each.filename) for each in parts}
    damaged, lost = damaged_warcs(archive)
    for part in register.parts():
        if not part.is_warc or not damaged[part.path.name]:
            continue
        is_lost = bool(lost[part.path.name])
        if part.name not in differing:
            (done.damaged_in_both if is_lost else done.without_loss).append(part.name)
        elif not is_lost:
            done.differing = [
                _without_loss(it, part.name, _NO_BYTES_ARE_LOST) for it in done.differing
            ]
    for name in done.named(Difference.MISSING_HERE):
        if gone_without_loss(archive, name.rpartition("/")[2]):
            done.differing = [_without_loss(it, name, _NO_BYTES_ARE_GONE) for it in done.differing]


def _without_loss(differing: Differing, name: str, advice: str) -> Differing:
    """Return a difference with what is to be known where a WARC of this name has no loss."""
    if differing.name != name or differing.advice not in _ADVICE_ON_LOSS:
        return differing
    return replace(differing, advice=advice)


class _Comparison:
    """One run."""

    def __init__(
        self,
        archive: Archive,
        store: Store,
        register: Register,
        packed: PackedParts,
        tell: Tell,
    ) -> None:
        self._archive, self._store = archive, store
        self._register, self._packed, self._tell = register, packed, tell
        self._in_parts: dict[str, Difference] = {}
        self._is_index_whole: bool | None = None  # until it is asked
        self._total = register.listed_bytes()
        self._result = Compared()

    def run(self) -> Compared:
        for name, digest in self._register.listed():
            here = self._register.part(name)
            part = None if here else self._packed.part_of(name)
            if part:
                self._compare_part(name, digest, part)
            else:
                self._compare(name, digest, here)
        self._settle_parts()
        for name in self._register.not_listed():
            if self._packed.are_all_listed(name) or self._packed.there.is_as_copied(name):
                self._result.older += 1  # it was copied before it was packed, or packed
            else:
                is_there = self._register.size(name) is not None
                self._differ(name, Difference.NOT_LISTED if is_there else Difference.NOT_COPIED)
        self._result.differing.sort(key=lambda each: each.name)
        return self._result

    def _compare(self, name: str, listed: str, part: Part | None) -> None:
        if part is None and is_of_index(name) and self._is_of_a_whole_index():
            self._result.older += 1  # its lines are in another file by now
            return
        there = self._there(name)
        if was_purged(self._archive, self._register, name):
            self._note_purged(name, there)
            return
        if part is None and (now := name_here(self._archive, self._register, name)):
            self._note_renamed(name, there, now)
            return
        if part is None and there is None and self._packed.there.are_parts_here(name):
            return
        # How much of a growing file was copied is known only of a sound copy.
        copied = self._register.size(name) if there is None else None
        if part is not None:
            here = self._here(part, listed, copied)
        else:  # what gave way to a new journal the copy alone has, and shall
            here = None if is_from_before(name) else Difference.MISSING_HERE
        if there and here:
            self._differ_in_both(name, there, here)
        elif difference := there or here:
            self._differ(name, difference)

    def _note_renamed(self, name: str, there: Difference | None, here: str) -> None:
        """Note what the copy has under a former name; what is wrong with it there costs nothing."""
        if there is None:
            self._result.renamed[name] = here
        else:
            advice = _ADVICE_ON_RENAMED[there].format(here=here)
            self._result.differing.append(Differing(name, there, advice))

    def _note_purged(self, name: str, there: Difference | None) -> None:
        """Note what the copy still has of what was purged here, or only its list has."""
        if there is Difference.MISSING_IN_COPY:
            self._result.older += 1
        else:
            self._result.purged.append(name)

    def _compare_part(self, name: str, listed: str, part: WarcPart) -> None:
        """Compare what was a WARC as it was copied with the part of a packed one that it is now."""
        packed = self._packed.name_of(part.filename)
        there, here = self._there(name), self._part_here(packed, listed, part)
        if here and self._packed.is_here_alone(part):  # it was copied while it was damaged
            there, here = there or Difference.OTHER_IN_COPY, None
        if there and here:
            self._differ_in_both(name, there, here)
        elif here:
            self._in_parts[packed] = here
        elif there:
            self._result.differing.append(Differing(name, there, _ADVICE_ON_PACKED[there]))

    def _part_here(self, packed: str, listed: str, part: WarcPart) -> Difference | None:
        whole = self._register.part(packed)
        if whole is None:
            return Difference.MISSING_HERE
        is_same = listed == _digest(member_pieces(whole.path, part.offset, part.length))
        return None if is_same else Difference.DAMAGED_HERE

    def _settle_parts(self) -> None:
        """Tell of packed WARCs of which the copy has parts that are not intact here: with these
        they are repaired, however it has the whole."""
        named = self._in_parts
        left = [each for each in self._result.differing if each.name not in named]
        self._result.differing = left
        for name, here in named.items():
            advice = _ADVICE_ON_PARTS[self._packed.by_parts(name)]
            self._result.differing.append(Differing(name, here, advice))

    def _differ_in_both(self, name: str, there: Difference, here: Difference) -> None:
        advice = _NO_INTACT_OBJECT if is_of_dark(name) else _ADVICE_ON_BOTH[there, here]
        self._result.differing += [Differing(name, each, advice) for each in (there, here)]

    def _there(self, name: str) -> Difference | None:
        """Read an object in the copy, and return what is wrong with it there."""
        there, size = in_copy(name, self._store, self._register), self._register.size(name)
        if there is InCopy.GONE or size is None:
            return Difference.MISSING_IN_COPY
        self._result.objects += 1
        self._result.size_bytes += size
        self._tell(self._result.size_bytes, self._total)
        return None if there is InCopy.INTACT else Difference.DAMAGED_IN_COPY

    def _here(self, part: Part, listed: str, copied: int | None) -> Difference | None:
        """Return what is wrong with a part, of which so many bytes were copied, in the archive."""
        if part.change is Change.REPLACED:
            self._result.older += listed != _digest_here(part, part.size)
            return None
        size = part.size if part.change is Change.NEVER else copied
        if size is None:
            return None
        if listed != _digest_here(part, size):
            return Difference.DAMAGED_HERE
        self._result.older += part.change is Change.GROWS and size != part.size
        return None

    def _is_of_a_whole_index(self) -> bool:
        """Say whether the index says what the ledger does, whatever its files are called."""
        if self._is_index_whole is None:
            try:
                self._is_index_whole = not self._archive.index.faults()
            except OSError:
                self._is_index_whole = False
        return self._is_index_whole

    def _differ(self, name: str, difference: Difference) -> None:
        advice = _ADVICE[difference]
        if difference is Difference.DAMAGED_HERE and is_of_dark(name):
            advice = _DAMAGED_OBJECT
        self._result.differing.append(Differing(name, difference, advice))


_WORDS = {
    Difference.DAMAGED_IN_COPY: tr("damaged in the copy"),
    Difference.MISSING_IN_COPY: tr("missing in the copy"),
    Difference.NOT_COPIED: tr("not copied yet"),
    Difference.NOT_LISTED: tr("in the copy, and not yet on its list"),
    Difference.DAMAGED_HERE: tr("damaged in this archive"),
    Difference.MISSING_HERE: tr("missing in this archive"),
    Difference.OTHER_HERE: tr("intact in this archive, and not as it was copied"),
    Difference.OTHER_IN_COPY: tr("in the copy, and not as this archive knows it"),
}
_ADVICE = {
    Difference.DAMAGED_IN_COPY: tr(
        "It is not as it was copied. “carrel replicate” writes it anew, if the archive has it so."
    ),
    Difference.MISSING_IN_COPY: tr("It is gone from the copy. Run “carrel replicate” again."),
    Difference.NOT_COPIED: tr("It is not in the copy yet. Run “carrel replicate” again."),
    Difference.NOT_LISTED: tr(
        "It is there, as after a run that was interrupted, and was not read here. “carrel "
        "replicate” reads it again, and puts it on the list if it is intact, or copies it again."
    ),
    Difference.DAMAGED_HERE: tr(
        "The copy has it as it was copied. “carrel verify” says what is wrong here, “carrel repair "
        "--from” repairs a WARC."
    ),
    Difference.MISSING_HERE: tr("The copy has it. “carrel repair --from” brings it back."),
}
# What `carrel verify` does not read.
_DAMAGED_OBJECT = tr(
    "The copy has it as it was copied. “carrel dark verify” says what is wrong here, “carrel "
    "repair --from” repairs it."
)
_NO_INTACT_OBJECT = bad_here(InCopy.DAMAGED)
# Of a WARC that was packed here since it was copied.
_ADVICE_ON_PACKED = {
    Difference.DAMAGED_IN_COPY: tr(
        "It is not as it was copied. The archive has it in a packed WARC: “carrel replicate” "
        "copies that one, and takes this one off the list."
    ),
    Difference.MISSING_IN_COPY: tr(
        "It is gone from the copy. The archive has it in a packed WARC: run “carrel replicate” "
        "again."
    ),
    Difference.OTHER_IN_COPY: tr(
        "The archive has all of its records intact in a packed WARC. The copy matches its own "
        "list, but not these records. “carrel replicate” copies the packed one, and takes this one "
        "off the list."
    ),
}
# Of a WARC that has another name here than when it was copied.
_ADVICE_ON_RENAMED = {
    Difference.DAMAGED_IN_COPY: tr(
        "It is not as it was copied. The archive has it as {here}: “carrel replicate” copies that "
        "one if the copy lacks it, and takes this one off the list."
    ),
    Difference.MISSING_IN_COPY: tr(
        "It is gone from the copy. The archive has it as {here}: run “carrel replicate” again."
    ),
}
# What neither side has intact.
_ADVICE_ON_BOTH = {
    (Difference.DAMAGED_IN_COPY, Difference.DAMAGED_HERE): tr(
        "Of a WARC “carrel repair --from” takes each record from where it is intact. What is "
        "damaged in both: archive again what is still published."
    ),
    (Difference.DAMAGED_IN_COPY, Difference.MISSING_HERE): tr(
        "Neither has it intact. “carrel repair --from” brings back each record of a WARC that is "
        "intact in the copy. What is not: archive again what is still published."
    ),
    (Difference.MISSING_IN_COPY, Difference.DAMAGED_HERE): tr(
        "Neither has it intact: archive again what is still published. “carrel replicate” copies "
        "the file as it is, for its other records."
    ),
    (Difference.MISSING_IN_COPY, Difference.MISSING_HERE): tr(
        "Neither has it: archive again what is still published."
    ),
}

_NOT_AS_KNOWN = not_as_known()
_PARTS_NOT_AS_KNOWN = tr(
    "The copy has it in small WARC files, which match its own list, but not this archive's "
    "records: nothing is repaired from them. Repair from another copy, if you have one, or archive "
    "again what is still published. “carrel replicate” copies the packed file as it is, for its "
    "other records."
)
_ADVICE_ON_PARTS = {
    InCopy.INTACT: tr(
        "The copy has it in small WARC files, which were packed here since. “carrel repair --from” "
        "takes from them what is not intact here."
    ),
    InCopy.IN_PART: tr(
        "The copy has parts of it. “carrel repair --from” brings these back. Archive again what is "
        "still published of the others."
    ),
    InCopy.DAMAGED: _PARTS_NOT_AS_KNOWN,
    InCopy.GONE: _PARTS_NOT_AS_KNOWN,
}
_ADVICE_ON_LOSS = (*_ADVICE_ON_BOTH.values(), _NOT_AS_KNOWN, _PARTS_NOT_AS_KNOWN)
_ADVICE_ON_MIXED = (
    _ADVICE_ON_BOTH[Difference.DAMAGED_IN_COPY, Difference.DAMAGED_HERE],
    _ADVICE_ON_BOTH[Difference.DAMAGED_IN_COPY, Difference.MISSING_HERE],
)
_ADVICE_ON_LOST = tuple(each for each in _ADVICE_ON_LOSS if each not in _ADVICE_ON_MIXED)
# Of what copying does not bring into the copy either.
_ADVICE_IN_VAIN = (
    _ADVICE_ON_BOTH[Difference.MISSING_IN_COPY, Difference.MISSING_HERE],
    _NOT_AS_KNOWN,
)
_OTHER_THAN_HERE = tr(
    "All of its records are intact here. The copy matches its own list, but not this archive's "
    "records. “carrel replicate” writes it anew."
)
_OTHER_HERE = tr(
    "All of its records are intact, and nothing is lost: the file differs from the copy only "
    "outside their content, for instance in a gzip header or by records of another WARC that were "
    "appended. “carrel repair --from” restores it."
)
# By what would be said of a WARC with damaged records.
_ADVICE_ON_SOUND = {
    _ADVICE[Difference.DAMAGED_HERE]: _OTHER_HERE,
    **dict.fromkeys(_ADVICE_ON_PARTS.values(), _OTHER_HERE),
    _ADVICE_ON_BOTH[Difference.DAMAGED_IN_COPY, Difference.DAMAGED_HERE]: tr(
        "All of its records are intact here. “carrel repair --from” reassembles the file from "
        "both, if possible; otherwise remove it from the copy. Then run “carrel replicate” again."
    ),
    _ADVICE_ON_BOTH[Difference.MISSING_IN_COPY, Difference.DAMAGED_HERE]: _ADVICE[
        Difference.MISSING_IN_COPY
    ],
}

_NO_BYTES_ARE_LOST = tr(
    "No bytes are lost: those of its damaged records are intact elsewhere in the archive, though "
    "not their headers. “carrel replicate” copies the file as it is, for its other records, where "
    "repair cannot mend it."
)

_NO_BYTES_ARE_GONE = tr(
    "Neither has it intact. No bytes are lost: those of its records are intact elsewhere in the "
    "archive, though not their headers."
)

HELP_FOR_DAMAGED_IN_BOTH = tr(
    "What is damaged alike in the archive and in the copy can only come from another copy: repair "
    "from that one, or archive again what is still published."
)


def _digest_here(part: Part, size: int) -> str:
    return _digest(part.beginning(size))


def _digest(pieces: Iterable[bytes]) -> str:
    """Return the SHA-256 of what is here, "" where it cannot be read."""
    try:
        return sha256_of(pieces)
    except (OSError, Damaged):
        return ""
