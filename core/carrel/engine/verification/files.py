# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARC and ARC files wherever they lie: every record by itself, and beside the ledger."""

import io
import os
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from carrel.archive import Archive
from carrel.capture.digests import ALWAYS
from carrel.capture.stored import difference
from carrel.engine.verification.contents import Contents, read_contents
from carrel.engine.verification.known import KnownRecords, is_in_collection
from carrel.engine.verification.paths import covers, find_warcs, shown
from carrel.mementos.warc.problems import InvalidRecord, Problem, ProblemKind
from carrel.mementos.warc.reader import RawRecord, records
from carrel.model import Absence, Capture, Evidence, Fate, RecordCheck
from carrel.translation import tr

# Of what a hostile file says, no more than this is held on to; and no more faults between two
# records are told one by one.
_MOST_CHARACTERS = 4096
_MOST_PROBLEMS = 1000


class Attention(Protocol):
    """Who wants to know how far a run over files is, and may end it."""

    def expect(self, total: int) -> None:
        """Take how many bytes all files have."""
        ...

    def attend(self, count: int) -> None:
        """Take how many bytes were read since. May raise what ends the run."""
        ...

    def lack(self, absence: Absence) -> None:
        """Take what the copies that were read lack."""
        ...


def path_checks(
    paths: Sequence[Path],
    archive: Archive | None,
    attention: Attention,
    *,
    is_complete: bool = False,
) -> Iterator[RecordCheck]:
    """Yield what became of every record at these paths. Reads them all: for a worker thread.

    `is_complete` says that every WARC of the archive is to be there: the records of those that are
    not are missing. Raises ArchiveError.
    """
    # Asked for first: what is written meanwhile is in the folder before the ledger knows of it.
    names = set(archive.ledger.captures.warc_names()) if archive else set()
    found = find_warcs(paths)
    attention.expect(found.size)
    yield from found.failures
    for path in found.warcs:
        yield from warc_checks(archive, path, attention.attend)
    if archive is None:
        return
    yield from _not_in_collection(paths, found.warcs, archive, names)
    if absence := _absence(paths, found.warcs, archive, names, is_complete=is_complete):
        attention.lack(absence)
        if is_complete:
            yield from _not_in_paths(archive, absence)


def warc_checks(
    archive: Archive | None, path: Path, attend: Callable[[int], None]
) -> Iterator[RecordCheck]:
    """Yield what became of every record of one file, and of those that should be in it.

    `attend` is called with how many bytes were read since. Raises ArchiveError.
    """
    return _WarcCheck(archive, path, attend).checks()


def _not_in_collection(
    paths: Sequence[Path], warcs: Sequence[Path], archive: Archive, names: Set[str]
) -> Iterator[RecordCheck]:
    """Yield the records of WARCs that the paths mean and the collection has not."""
    if covers(paths, archive.warcs):
        gone = names - {path.name for path in warcs if is_in_collection(archive, path)}
    else:
        asked = {path.name for path in paths if is_in_collection(archive, path)}
        gone = {name for name in names & asked if not os.path.exists(archive.warcs / name)}
    for name in sorted(gone):
        yield from _absent(archive, name)


def _absent(archive: Archive, name: str) -> Iterator[RecordCheck]:
    path = archive.warcs / name
    for capture in archive.ledger.captures.in_warc(name):
        yield _missing(capture, path, tr("There is no {path}.", path=path), is_own=True)


def _absence(
    paths: Sequence[Path],
    warcs: Sequence[Path],
    archive: Archive,
    names: Set[str],
    *,
    is_complete: bool,
) -> Absence | None:
    """Return what the archive has and these files lack, None if nothing, or if none is a copy."""
    has_copy = any(path.name in names and not is_in_collection(archive, path) for path in warcs)
    absent = sorted(names - {path.name for path in warcs})
    if covers(paths, archive.warcs) or not absent or not (has_copy or is_complete):
        return None
    return Absence(tuple(absent), len(names), archive.ledger.captures.count_in(absent))


def _not_in_paths(archive: Archive, absence: Absence) -> Iterator[RecordCheck]:
    for name in absence.warcs:
        message = tr(
            "{path} has this record in a WARC that none of these paths contains.", path=archive.path
        )
        for capture in archive.ledger.captures.in_warc(name):
            yield replace(_missing(capture, Path(name), message), path="")


@dataclass(frozen=True, slots=True)
class _Read:
    """A record that was read. What is told of a place is about it, if `is_alone` there."""

    check: RecordCheck
    is_alone: bool


class _WarcCheck:
    """The check of one file."""

    def __init__(self, archive: Archive | None, path: Path, attend: Callable[[int], None]) -> None:
        self._path, self._attend = path, attend
        self._known = KnownRecords(archive, path, shown(path.name))
        self._problems = _Problems()

    def checks(self) -> Iterator[RecordCheck]:
        """Yield what became of each record, in their order, and of those that are not there."""
        try:
            with _Attended(self._path, self._attend) as file:
                yield from self._checks_in(file)
        except OSError as error:
            yield self._of_path(
                Fate.UNREADABLE,
                tr("It cannot be read: {strerror}.", strerror=error.strerror or error),
            )
        for capture in self._known.missing:
            message = tr("The ledger lists this record here, but it is not in the file.")
            yield _missing(capture, self._path, message, is_own=self._known.is_own)

    def _checks_in(self, file: "_Attended") -> Iterator[RecordCheck]:
        last: _Read | None = None
        for record in records(file, self._problems.note, name=shown(self._path.name)):
            yield from self._settled(last)
            last = self._read(record)
        if last is None and self._problems.say_no_warc:
            is_empty = self._path.stat().st_size == 0
            what = tr("It is empty.") if is_empty else tr("There is no WARC or ARC record in it.")
            yield self._of_path(Fate.NO_WARC, what)
        else:
            yield from self._settled(last)

    def _settled(self, last: _Read | None) -> Iterator[RecordCheck]:
        """Yield a record when everything was told of it, and what else was told."""
        problems, unlisted = self._problems.take()
        others = []
        for problem in problems:
            if last and last.is_alone and problem.offset == last.check.offset:
                last = replace(last, check=_worse(last.check, problem.message))
            else:
                others.append(self._of_problem(problem))
        if last:
            yield last.check
        yield from others
        if unlisted:
            what = tr("There are {unlisted} more faults after this byte.", unlisted=unlisted)
            yield replace(self._of_path(Fate.DAMAGED, what), offset=problems[-1].offset)

    def _read(self, record: RawRecord) -> _Read:
        """Read a record to the end of its gzip member, and compare it."""
        record_id = record.head.named.get("warc-record-id", "")
        is_own = self._known.is_own_record(record_id)
        capture = self._known.take(record_id)
        declared, is_alone = record.block.left, True
        contents: Contents | None = None
        try:
            contents = read_contents(record.block, ALWAYS if capture else ())
            is_alone = record.is_reachable
            faults = [*self._differences(record, contents, capture), *contents.faults]
        except InvalidRecord as error:
            faults = [str(error)]
        except OSError as error:
            faults = [
                tr("The file cannot be read here: {strerror}.", strerror=error.strerror or error)
            ]
        compared = contents.compared_with if contents else ()
        if contents and capture:
            compared = (Evidence.LEDGER, *compared)
        check = RecordCheck(
            _clipped(capture.url if capture else record.url),
            shown(self._path.name),
            record.offset,
            (contents.payload.size or 0) if contents else declared - record.block.left,
            Fate.DAMAGED if faults else Fate.INTACT,
            " ".join(faults),
            path=shown(self._path),
            record_id=_clipped(record_id),
            compared_with=compared,
            own_id=record_id if is_own else "",
        )
        return _Read(check, is_alone)

    def _differences(
        self, record: RawRecord, contents: Contents, capture: Capture | None
    ) -> Iterator[str]:
        """Yield how a record differs from what the ledger knows of it."""
        if capture is None:
            return
        if capture.is_revisit:
            yield from self._differences_of_revisit(record, capture)
        elif fault := difference(capture, contents.payload):
            yield fault
        is_its_file = self._known.is_own and capture.filename == self._path.name
        if is_its_file and capture.offset != record.offset:
            yield tr("The ledger has it at byte {offset}.", offset=capture.offset)

    def _differences_of_revisit(self, record: RawRecord, capture: Capture) -> Iterator[str]:
        """Yield what is wrong with a record that refers to another one for its bytes."""
        declared = record.head.named.get("warc-payload-digest", "")
        known = f"sha1:{capture.sha1b32}"
        if record.kind != "revisit":
            yield tr("It is a {kind} record; the ledger has a revisit.", kind=record.kind[:40])
        elif declared.lower() != known.lower():
            yield tr(
                "It refers to a payload with the digest {declared} and not {known}.",
                declared=declared[:160],
                known=known,
            )
        if not self._known.has_holder(capture):
            yield tr("The record that holds these bytes is not in the ledger.")

    def _of_problem(self, problem: Problem) -> RecordCheck:
        """Return a fault that is about no record that could be read."""
        if problem.kind is ProblemKind.UNREADABLE:
            return self._of_path(Fate.UNREADABLE, problem.message)
        check = self._of_path(Fate.DAMAGED, problem.message)
        capture = self._known.take_at(problem.offset)
        url, record_id = (capture.url, capture.record_id) if capture else ("", "")
        own_id = record_id if self._known.is_own else ""
        return replace(check, url=url, offset=problem.offset, record_id=record_id, own_id=own_id)

    def _of_path(self, fate: Fate, message: str) -> RecordCheck:
        name, path = shown(self._path.name), shown(self._path)
        return RecordCheck("", name, 0, 0, fate, message, path=path)


class _Problems:
    """What was told of a file since it was last asked for."""

    def __init__(self) -> None:
        self._held: list[Problem] = []
        self._unlisted = 0

    def note(self, problem: Problem) -> None:
        # How records are packed is for an index to mind: each of them is whole.
        if problem.kind is ProblemKind.SHARED_MEMBER:
            return
        if len(self._held) < _MOST_PROBLEMS:
            self._held.append(problem)
        else:
            self._unlisted += 1

    def take(self) -> tuple[Sequence[Problem], int]:
        """Return the first ones and how many more there were, and begin anew."""
        taken = self._held, self._unlisted
        self._held, self._unlisted = [], 0
        return taken

    @property
    def say_no_warc(self) -> bool:
        lacks = (ProblemKind.NO_WARC, ProblemKind.NO_RECORD)
        return not self._unlisted and all(each.kind in lacks for each in self._held)


class _Attended(io.FileIO):
    """A file whose reading is attended to: how far it is for the first time, and every step."""

    def __init__(self, path: Path, attend: Callable[[int], None]) -> None:
        super().__init__(path)
        self._attend, self._furthest = attend, 0

    def read(self, size: int | None = -1) -> bytes:
        piece = super().read(size)
        gained = max(0, self.tell() - self._furthest)
        self._furthest += gained
        self._attend(gained)
        return piece


def _missing(capture: Capture, path: Path, message: str, *, is_own: bool = False) -> RecordCheck:
    return RecordCheck(
        capture.url,
        shown(path.name),
        capture.offset,
        capture.size,
        Fate.MISSING,
        message,
        path=shown(path),
        record_id=capture.record_id,
        own_id=capture.record_id if is_own else "",
    )


def _worse(check: RecordCheck, message: str) -> RecordCheck:
    """Return a check with what was told of its record; that it is broken off was known then."""
    known = "" if message.startswith(check.message) else f"{check.message} "
    return replace(check, fate=Fate.DAMAGED, message=f"{known}{message}")


def _clipped(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}…"
