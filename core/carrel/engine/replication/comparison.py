# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel verify --copy`: every object of a copy read again, and compared with the archive."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from carrel.archive import Archive
from carrel.capture.digests import sha256_of
from carrel.capture.stored import Damaged
from carrel.engine.replication.copy_list import no_copy
from carrel.engine.replication.damage import damaged_warcs
from carrel.engine.replication.parts import Change, Part, is_from_before
from carrel.engine.replication.register import Register, register_of
from carrel.engine.replication.replication import Tell
from carrel.engine.replication.store import Store
from carrel.translation import tr


class Difference(StrEnum):
    """What is not the same here and in the copy; `words` say it."""

    DAMAGED_IN_COPY = "damaged-in-copy"
    MISSING_IN_COPY = "missing-in-copy"
    NOT_COPIED = "not-copied"
    DAMAGED_HERE = "damaged-here"
    MISSING_HERE = "missing-here"

    @property
    def words(self) -> str:
        return _WORDS[self]


@dataclass(frozen=True, slots=True)
class Differing:
    """An object that differs, and what to do."""

    name: str
    difference: Difference
    advice: str


@dataclass(slots=True)
class Compared:
    """What a comparison came to: `objects` of the copy were read, so many bytes in all.

    `older` counts what changes with the archive (ledger, index, journal) and was copied before it
    last did: no fault, but to copy again. `damaged_in_both` are the WARCs with records that are
    known to be damaged, and are the same in both.
    """

    objects: int = 0
    size_bytes: int = 0
    older: int = 0
    differing: list[Differing] = field(default_factory=list)
    damaged_in_both: list[str] = field(default_factory=list)

    @property
    def damaged_in_copy(self) -> Sequence[str]:
        """The names of what is damaged in the copy."""
        damaged = Difference.DAMAGED_IN_COPY
        return [each.name for each in self.differing if each.difference is damaged]

    @property
    def is_same(self) -> bool:
        """Whether everything that stays as it is stands in both, byte for byte."""
        return not self.differing


def compare(archive: Archive, store: Store, tell: Tell) -> Compared:
    """Read all of a copy, and all of the archive that never changes. Blocks.

    Raises ArchiveError where there is no copy, and OSError where it cannot be read.
    """
    with register_of(archive, store) as register:
        if not register.has_list:
            raise no_copy()
        done = _Comparison(store, register, tell).run()
        differing = {each.name for each in done.differing}
        damaged, _ = damaged_warcs(archive)
        warcs = (each for each in register.parts() if each.is_warc and damaged[each.path.name])
        done.damaged_in_both += [each.name for each in warcs if each.name not in differing]
        return done


class _Comparison:
    """One run."""

    def __init__(self, store: Store, register: Register, tell: Tell) -> None:
        self._store, self._register, self._tell = store, register, tell
        self._total = register.listed_bytes()
        self._result = Compared()

    def run(self) -> Compared:
        for name, digest in self._register.listed():
            self._compare(name, digest, self._register.part(name))
        for name in self._register.not_listed():
            self._differ(name, Difference.NOT_COPIED)
        self._result.differing.sort(key=lambda each: each.name)
        return self._result

    def _compare(self, name: str, listed: str, part: Part | None) -> None:
        size = self._register.size(name)
        if size is None:
            self._differ(name, Difference.MISSING_IN_COPY)
            return
        if is_damaged := self._digest_in_copy(name, size) != listed:
            self._differ(name, Difference.DAMAGED_IN_COPY)
        if part is not None:
            # How much of a growing file was copied is known only of a sound copy.
            self._compare_here(part, listed, None if is_damaged else size)
        elif not is_from_before(name):  # which the copy alone has, and shall
            self._differ(name, Difference.MISSING_HERE)

    def _compare_here(self, part: Part, listed: str, copied: int | None) -> None:
        if part.change is Change.REPLACED:
            self._result.older += listed != _digest_here(part, part.size)
            return
        size = part.size if part.change is Change.NEVER else copied
        if size is None:
            return
        if listed != _digest_here(part, size):
            self._differ(part.name, Difference.DAMAGED_HERE)
        else:
            self._result.older += size != part.size

    def _digest_in_copy(self, name: str, size: int) -> str:
        """Return the SHA-256 of an object, "" where it cannot be read."""
        try:
            digest = sha256_of(self._store.read(name))
        except OSError:
            digest = ""
        self._result.objects += 1
        self._result.size_bytes += size
        self._tell(self._result.size_bytes, self._total)
        return digest

    def _differ(self, name: str, difference: Difference) -> None:
        self._result.differing.append(Differing(name, difference, _ADVICE[difference]))


_WORDS = {
    Difference.DAMAGED_IN_COPY: tr("damaged in the copy"),
    Difference.MISSING_IN_COPY: tr("missing in the copy"),
    Difference.NOT_COPIED: tr("not copied yet"),
    Difference.DAMAGED_HERE: tr("damaged in this archive"),
    Difference.MISSING_HERE: tr("missing in this archive"),
}
_ADVICE = {
    Difference.DAMAGED_IN_COPY: tr(
        "It is not as it was copied. “carrel replicate” writes it anew, if the archive has it so."
    ),
    Difference.MISSING_IN_COPY: tr("It is gone from the copy. Run “carrel replicate” again."),
    Difference.NOT_COPIED: tr("It is not in the copy yet. Run “carrel replicate” again."),
    Difference.DAMAGED_HERE: tr(
        "The copy has it as it was copied. “carrel verify” says what is wrong here, “carrel repair "
        "--from” repairs a WARC."
    ),
    Difference.MISSING_HERE: tr("The copy has it. “carrel repair --from” brings a WARC back."),
}


def _digest_here(part: Part, size: int) -> str:
    """Return the SHA-256 of the first bytes of a part, "" where they cannot be read."""
    try:
        return sha256_of(part.beginning(size))
    except (OSError, Damaged):
        return ""
