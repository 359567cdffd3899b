# SPDX-License-Identifier: AGPL-3.0-or-later
"""Every record of one WARC or ARC file, wherever that is: by itself, and beside the ledger."""

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, cast

from carrel.access.cut_off import EXCHANGES, ingest_opened, no_request, no_result
from carrel.archive import WARCS
from carrel.capture.digests import ALWAYS
from carrel.capture.stored import difference, difference_of_revisit
from carrel.engine.verification.beginnings import record_id_at
from carrel.engine.verification.contents import Contents, read_contents
from carrel.engine.verification.known import KnownRecords
from carrel.engine.verification.paths import NO_PATH, and_what_to_do, shown, why_unreadable
from carrel.errors import NotLoaded
from carrel.mementos.warc.parts import part_of_raw
from carrel.mementos.warc.problems import InvalidRecord, Problem, ProblemKind
from carrel.mementos.warc.reader import RawRecord, records
from carrel.model import Capture, Evidence, Fate, RecordCheck
from carrel.model.memento_part import Part
from carrel.model.not_imported import why_gone
from carrel.model.packed import PACKED
from carrel.translation import forms, plural, tr

# Of what a hostile file says, no more than this is held on to; and no more faults between two
# records are told one by one.
_MOST_CHARACTERS = 4096
_MOST_PROBLEMS = 1000
_UNLISTED = forms(
    "There is {count} more fault after this byte.", "There are {count} more faults after this byte."
)


@dataclass(frozen=True, slots=True)
class Source:
    """A file with records: its name, where it is, both as text, and what opens it."""

    name: str
    path: str
    opened: Callable[[], AbstractContextManager[BinaryIO]]

    @classmethod
    def at(cls, path: Path) -> "Source":
        return cls(shown(path.name), shown(path), lambda: io.FileIO(path))


@dataclass(frozen=True, slots=True)
class _Read:
    """A record of a `kind` that was read. What is told of a place is about it, if `is_alone`
    there."""

    check: RecordCheck
    is_alone: bool
    kind: str


class WarcCheck:
    """The check of one file. `heed` is given each record, when it was read, with what it is."""

    def __init__(
        self,
        source: Source,
        known: KnownRecords,
        attend: Callable[[int], None],
        heed: Callable[[RawRecord, RecordCheck], None] = lambda record, check: None,
    ) -> None:
        self._source, self._known, self._attend, self._heed = source, known, attend, heed
        self._problems = _Problems()
        self._is_unreadable, self._ingest = False, ""

    def checks(self) -> Iterator[RecordCheck]:
        """Yield what became of each record, in their order, and of those that are not there.

        Of a file that cannot be read to its end no one knows which are not there.
        """
        message = tr("The ledger lists this record here, but it is not in the file.")
        try:
            with self._source.opened() as file:
                yield from self._checks_in(_Attended(file, self._attend))
        except NotLoaded as error:
            yield self._of_path(Fate.UNREADABLE, str(error))
        except (FileNotFoundError, NotADirectoryError):
            yield self._of_path(Fate.NOT_FOUND, NO_PATH)
            own = WARCS / self._source.name
            message = why_gone(own if self._known.is_own else Path(self._source.path))
        except OSError as error:
            yield self._of_path(Fate.UNREADABLE, why_unreadable(error))
        for capture in () if self._is_unreadable else self._known.missing:
            yield missing(capture, self._source, message, is_own=self._known.is_own)

    def _checks_in(self, file: "_Attended") -> Iterator[RecordCheck]:
        last: _Read | None = None
        stream = cast(BinaryIO, file)
        for record in records(stream, self._problems.note, name=self._source.name):
            is_end_sound = self._problems.are_none
            yield from self._settled(last)
            if last and is_end_sound and self._is_appended(record):
                yield from self._cut_off(last, record.offset, is_file_end=False)
            last = self._read(record)
            if self._is_unreadable:
                break
        if last is None and self._problems.say_no_warc:
            is_empty = file.seek(0, io.SEEK_END) == 0
            what = tr("It is empty.") if is_empty else tr("There is no WARC or ARC record in it.")
            yield self._of_path(Fate.NO_WARC, what)
        else:
            is_end_sound = self._problems.are_none
            yield from self._settled(last)
            if last and is_end_sound and not self._is_unreadable:
                yield from self._cut_off(last, file.seek(0, io.SEEK_END))

    def _is_appended(self, record: RawRecord) -> bool:
        """Say whether another WARC begins with a record: parts of a packed one are known to be
        whole, and of what lies elsewhere no one knows how it was put together."""
        is_packed = self._source.name.startswith(PACKED)
        return record.kind == "warcinfo" and self._known.is_own and not is_packed

    def _cut_off(self, last: _Read, end: int, *, is_file_end: bool = True) -> Iterator[RecordCheck]:
        """Yield that a WARC ends behind a record which an ingest writes another one behind: the
        request behind each response, and its result at the end."""
        what = ""
        if self._ingest and last.kind in EXCHANGES:
            what = no_request(is_file_end=is_file_end)
        elif last.kind == "request" and self._known.lacks_result(self._ingest):
            what = no_result(is_file_end=is_file_end)
        if what:
            check = self._of_path(Fate.DAMAGED, what)
            own = self._known.is_own
            yield replace(check, url=last.check.url, offset=end, is_accompanying=own)

    def _settled(self, last: _Read | None) -> Iterator[RecordCheck]:
        """Yield a record when everything was told of it, and what else was told."""
        problems, unlisted = self._problems.take()
        others = []
        for problem in problems:
            if last and last.is_alone and _is_about(problem, last.check):
                last = replace(last, check=_worse(last.check, problem.message))
            else:
                others.append(self._of_problem(problem))
        if last:
            yield self._of_its_place(last.check)
        yield from others
        if unlisted:
            what = plural(*_UNLISTED, unlisted, count=f"{unlisted:,}")
            yield replace(self._of_path(Fate.DAMAGED, what), offset=problems[-1].offset)

    def _of_its_place(self, check: RecordCheck) -> RecordCheck:
        """Return a check of a damaged record whose fields do not say which one it is as that of
        the record which should stand there."""
        if check.fate is Fate.INTACT or not check.is_accompanying:
            return check
        capture = self._known.take_at(check.offset)
        if capture is None:
            return check
        record_id = capture.record_id
        it = replace(check, url=_clipped(capture.url), record_id=record_id, own_id=record_id)
        return replace(it, is_accompanying=False)

    def _read(self, record: RawRecord) -> _Read:
        """Read a record to the end of its gzip member, and compare it."""
        record_id = record.head.named.get("warc-record-id", "")
        is_own = self._known.is_own_record(record_id)
        if record.kind == "warcinfo":
            self._ingest = ingest_opened(record)
        capture = self._known.take(record_id)
        declared, is_alone = record.block.left, True
        contents: Contents | None = None
        part: Part | None = None
        fate = Fate.DAMAGED
        try:
            part = part_of_raw(record)
            contents = read_contents(record.block, ALWAYS if capture else ())
            is_alone = record.is_reachable
            faults = [*self._differences(record, contents, capture), *contents.faults]
        except InvalidRecord as error:
            faults = [str(error)]
        except OSError as error:
            fate, faults = Fate.UNREADABLE, [why_unreadable(error)]
            self._is_unreadable = True
        compared = contents.compared_with if contents else ()
        if contents and capture:
            compared = (Evidence.LEDGER, *compared)
        check = RecordCheck(
            _clipped(capture.url if capture else record.url),
            self._source.name,
            record.offset,
            (contents.payload.size or 0) if contents else declared - record.block.left,
            fate if faults else Fate.INTACT,
            " ".join(faults),
            path=self._source.path,
            record_id=_clipped(record_id),
            compared_with=compared,
            own_id=record_id if is_own else "",
            is_accompanying=capture is None and self._known.is_own,
            timestamp=record.timestamp if part else "",
            part=None if faults else part,
        )
        self._heed(record, check)
        return _Read(check, is_alone, record.kind)

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
        is_its_file = self._known.is_own and capture.filename == self._source.name
        if is_its_file and capture.offset != record.offset:
            yield tr("The ledger has it at byte {offset}.", offset=capture.offset)

    def _differences_of_revisit(self, record: RawRecord, capture: Capture) -> Iterator[str]:
        """Yield what is wrong with a record that refers to another one for its bytes."""
        digest = record.head.named.get("warc-payload-digest", "")
        if fault := difference_of_revisit(capture, record.kind, digest):
            yield fault
        if not self._known.has_holder(capture):
            yield tr("The record that holds these bytes is not in the ledger.")

    def _of_problem(self, problem: Problem) -> RecordCheck:
        """Return a fault that is about no record that could be read."""
        if problem.kind is ProblemKind.UNREADABLE:
            return self._of_path(Fate.UNREADABLE, and_what_to_do(problem.message))
        check = self._of_path(Fate.DAMAGED, problem.message)
        own = self._known.take_at(problem.offset)
        capture = own or self._known.moved(self._record_id_at(problem.offset))
        url, record_id = (capture.url, capture.record_id) if capture else ("", "")
        own_id = record_id if own and self._known.is_own else ""
        check = replace(check, is_accompanying=capture is None and self._known.is_own)
        return replace(check, url=url, offset=problem.offset, record_id=record_id, own_id=own_id)

    def _record_id_at(self, offset: int) -> str:
        """Return the id that the beginning of a damaged record has, "" if it cannot be read."""
        try:
            with self._source.opened() as file:
                return record_id_at(file, offset)
        except (OSError, NotLoaded):
            return ""

    def _of_path(self, fate: Fate, message: str) -> RecordCheck:
        self._is_unreadable |= fate is Fate.UNREADABLE
        name, path = self._source.name, self._source.path
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
    def are_none(self) -> bool:
        return not self._held

    @property
    def say_no_warc(self) -> bool:
        lacks = (ProblemKind.NO_WARC, ProblemKind.NO_RECORD)
        return not self._unlisted and all(each.kind in lacks for each in self._held)


class _Attended(io.RawIOBase):
    """A file whose reading is attended to: how far it is for the first time, and every step."""

    def __init__(self, file: BinaryIO, attend: Callable[[int], None]) -> None:
        super().__init__()
        self._file, self._attend, self._furthest = file, attend, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def read(self, size: int | None = -1) -> bytes:
        piece = self._file.read(-1 if size is None else size)
        gained = max(0, self.tell() - self._furthest)
        self._furthest += gained
        self._attend(gained)
        return piece


def missing(capture: Capture, source: Source, message: str, *, is_own: bool = False) -> RecordCheck:
    """Return that a record is not there which should be."""
    return RecordCheck(
        capture.url,
        source.name,
        capture.offset,
        capture.size,
        Fate.MISSING,
        message,
        path=source.path,
        record_id=capture.record_id,
        own_id=capture.record_id if is_own else "",
    )


def _is_about(problem: Problem, check: RecordCheck) -> bool:
    is_of_record = problem.kind is not ProblemKind.UNREADABLE
    return is_of_record and problem.offset == check.offset


def _worse(check: RecordCheck, message: str) -> RecordCheck:
    """Return a check with what was told of its record; that it is broken off was known then."""
    known = "" if message.startswith(check.message) else f"{check.message} "
    return replace(check, fate=Fate.DAMAGED, message=f"{known}{message}", part=None)


def _clipped(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}…"
