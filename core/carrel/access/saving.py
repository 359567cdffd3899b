# SPDX-License-Identifier: AGPL-3.0-or-later
"""Proven copies: one where a person opens it, or many files of a dataset into a folder."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, Protocol

from carrel.access.bundles import faults_of, lay_out, written_members
from carrel.access.copies import Copies, is_still
from carrel.access.holding_files import HoldingFile
from carrel.access.proof import Attend, no_copy, no_one, write_proven
from carrel.archive import Archive
from carrel.errors import CarrelError, HeldElsewhere, NoAccessCopy, NotProven, NotRead
from carrel.model import Fixity
from carrel.model.access import AccessCopy, Doubt, SavedFile
from carrel.model.iso_time import iso_now
from carrel.model.safe_names import safe_paths
from carrel.translation import tr
from carrel.whole_file import FOR_READING, WholeFile

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


@dataclass(frozen=True, slots=True)
class Plan:
    """A file and where it is to go."""

    held: HoldingFile
    path: Path


def planned(files: Sequence[HoldingFile], folder: Path) -> Sequence[Plan]:
    """Return where each file goes below a folder, by names that any disk takes, no two alike."""
    paths = safe_paths(held.file.path for held in files)
    return [Plan(held, folder / path) for held, path in zip(files, paths, strict=True)]


class MakesCopies(Protocol):
    """Makes proven copies of files, from wherever they are kept."""

    def prove(self, held: HoldingFile) -> Fixity:
        """Read a file as if it were written. Raises NoAccessCopy and OSError."""

    def save_all(self, plans: Sequence[Plan], *, may_replace: bool) -> Iterator[SavedFile]:
        """Write files, yielding each as soon as it is there, or could not be. Raises OSError."""


class Saving:
    """Writes copies of one archive's files. `copies` is where bundles are laid out. All of it
    blocks, and tells `attend` of the bytes that were read; what that raises ends the work. A copy
    has the digests by `algorithms` beside those that are known.
    """

    def __init__(
        self,
        archive: Archive,
        copies: Copies,
        attend: Attend = no_one,
        algorithms: Sequence[str] = (),
    ) -> None:
        self._archive, self._copies, self._attend = archive, copies, attend
        self._algorithms = algorithms
        self._proven_bundles: set[str] = set()

    def save(
        self, held: HoldingFile, path: Path, *, mode: int | None = None, may_replace: bool = True
    ) -> AccessCopy:
        """Write one file, whole or not at all; `mode` are its permissions, if not the usual ones.

        Raises NoAccessCopy, FileExistsError unless it `may_replace`, and OSError.
        """
        held.check()
        with WholeFile(path, mode=mode, may_replace=may_replace) as target:
            fixity = self._proven(held, target.file)
            target.commit()
        return AccessCopy(held.file.path, path, fixity, iso_now())

    def prove(self, held: HoldingFile) -> Fixity:
        """Read a file as if it were written, and return what it is.

        Raises NoAccessCopy and OSError.
        """
        held.check()
        with Nowhere() as target:
            return self._proven(held, target)

    def open_copy(self, held: HoldingFile) -> AccessCopy:
        """Return a copy in the session's folder, for reading only, made if there is none.

        What the archive has is read each time: it may have been damaged since a copy was made, and
        that copy has a doubt then. Raises NoAccessCopy and OSError.
        """
        held.check()
        known = held.file.observed
        key = known.digests.get("sha256", "") if known else ""
        path = self._copies.place(PurePosixPath(held.file.path).name, key)
        if known is None or not key or not is_still(path, known):
            return self.save(held, path, mode=FOR_READING)
        made = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
        doubt = None
        try:
            self.prove(held)
        except NotProven as error:
            doubt = Doubt(error.why, is_damaged=True)
        except NotRead as error:
            doubt = Doubt(str(error), is_damaged=False)
        return AccessCopy(held.file.path, path, known, made, doubt)

    def save_all(self, plans: Sequence[Plan], *, may_replace: bool) -> Iterator[SavedFile]:
        """Write files, yielding each as soon as it is there, or could not be. Raises OSError where
        nothing more can be written.
        """
        bundled: dict[str, list[Plan]] = {}
        for plan in plans:
            held = plan.held
            if held.member is not None and held.captures:
                bundled.setdefault(held.captures[0].sha256, []).append(plan)
            else:
                yield self._saved(plan, may_replace=may_replace)
        for members in bundled.values():
            yield from self._saved_members(members, may_replace=may_replace)

    def _saved(self, plan: Plan, *, may_replace: bool) -> SavedFile:
        try:
            plan.held.check()
            plan.path.parent.mkdir(parents=True, exist_ok=True)
            return _told(self.save(plan.held, plan.path, may_replace=may_replace))
        except (NoAccessCopy, FileExistsError, NotADirectoryError) as error:
            return _untold(plan, error)

    def _saved_members(self, plans: Sequence[Plan], *, may_replace: bool) -> Iterator[SavedFile]:
        targets = _Targets(plans, may_replace=may_replace)
        yield from targets.refused
        wanted: dict[str, HoldingFile] = {}
        for plan in targets.free:
            if wanted.setdefault(plan.held.member or "", plan.held) is not plan.held:
                yield self._saved(plan, may_replace=may_replace)  # two files, one member
        if not wanted:
            return
        bundle, faults = self._laid_out(targets.free[0].held)
        if faults:
            for plan in targets.plans(wanted.values()):
                yield _untold(plan, no_copy(self._archive, plan.held, faults))
            return
        try:
            for held, outcome in self._members(bundle, wanted, targets):
                yield targets.settled(held, outcome)
        finally:
            targets.discard()

    def _members(
        self, bundle: Path, wanted: Mapping[str, HoldingFile], targets: "_Targets"
    ) -> Iterator[tuple[HoldingFile, Fixity | NotProven]]:
        return written_members(
            self._archive, bundle, wanted, targets.open, self._attend, self._algorithms
        )

    def _proven(self, held: HoldingFile, target: BinaryIO) -> Fixity:
        if held.member is None:
            return write_proven(self._archive, held, target, self._attend, self._algorithms)
        bundle, faults = self._laid_out(held)
        if faults:
            raise no_copy(self._archive, held, faults)
        (found,) = written_members(
            self._archive,
            bundle,
            {held.member: held},
            lambda held: target,
            self._attend,
            self._algorithms,
        )
        if isinstance(found[1], NotProven):
            raise found[1]
        return found[1]

    def _laid_out(self, held: HoldingFile) -> tuple[Path, Sequence[CarrelError]]:
        """Return the bundle that a file stands in, as a file of this session, and what is wrong
        with each record of it, nothing where the file is there."""
        # Each member is proven; of the file between it is enough that it is ours, and that the
        # record, which may have been damaged since it was laid out, is read once again.
        sha256 = held.captures[0].sha256
        path = self._copies.place("bundle", f"bundle-{sha256}")
        faults: Sequence[CarrelError] = []
        if not path.exists():
            faults = lay_out(self._archive, held, path, self._attend)
        elif sha256 not in self._proven_bundles:
            faults = faults_of(self._archive, held, self._attend)
        if not faults:
            self._proven_bundles.add(sha256)
        return path, faults


class Nowhere(BytesIO):
    """Takes what is written and keeps nothing of it."""

    def write(self, piece: "ReadableBuffer", /) -> int:
        return len(memoryview(piece))


class _Targets:
    """The files that members of a bundle are written to, each open while it is written."""

    def __init__(self, plans: Sequence[Plan], *, may_replace: bool) -> None:
        self._may_replace = may_replace
        self._paths = {plan.held.position: plan.path for plan in plans}
        self._open: dict[int, WholeFile] = {}
        self.refused: list[SavedFile] = []
        self.free: list[Plan] = []
        for plan in plans:
            if plan.path.exists() and not may_replace:
                self.refused.append(_untold(plan, FileExistsError()))
            else:
                self.free.append(plan)

    def open(self, held: HoldingFile) -> BinaryIO:
        path = self._paths[held.position]
        path.parent.mkdir(parents=True, exist_ok=True)
        target = WholeFile(path, may_replace=self._may_replace)
        self._open[held.position] = target
        return target.file

    def settled(self, held: HoldingFile, outcome: Fixity | NotProven) -> SavedFile:
        """Put a member that is proven in its place, and leave nothing of another."""
        plan = Plan(held, self._paths[held.position])
        target = self._open.pop(held.position, None)
        if isinstance(outcome, NotProven):
            if target is not None:
                target.discard()
            return _untold(plan, outcome)
        if target is None:  # an empty file has no piece
            self.open(held)
            target = self._open.pop(held.position)
        try:
            target.commit()
        except FileExistsError as error:
            return _untold(plan, error)
        return _told(AccessCopy(held.file.path, plan.path, outcome))

    def plans(self, wanted: Iterable[HoldingFile]) -> Iterator[Plan]:
        """Yield where these files are to go."""
        return (Plan(held, self._paths[held.position]) for held in wanted)

    def discard(self) -> None:
        """Leave nothing of what is not in its place."""
        for target in self._open.values():
            target.discard()


def _told(copy: AccessCopy) -> SavedFile:
    return SavedFile(copy.file, copy)


def _untold(plan: Plan, error: NoAccessCopy | OSError) -> SavedFile:
    file = plan.held.file.path
    if isinstance(error, HeldElsewhere):
        return SavedFile(file, reason=str(error), address=error.address)
    if isinstance(error, NotProven):
        return SavedFile(file, reason=str(error), why=error.why)
    if isinstance(error, NoAccessCopy):
        return SavedFile(file, reason=str(error))
    words = tr("{path} already exists and was not replaced.", path=plan.path)
    return SavedFile(file, reason=words)
