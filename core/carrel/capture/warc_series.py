# SPDX-License-Identifier: AGPL-3.0-or-later
"""The WARCs of one ingest: written in staging, renamed into the collection when they are whole.

No reader ever sees half a record: what lies in the collection was closed, verified and synced
before it got its name there. Small records share a file up to a size, a large payload has been
written to a file of its own (`Part`) and is moved or copied, never compressed twice.

A journal beside the files says what is whole. A series that a killed process left is taken up from
it: what the journal does not name is cut off, and nothing that it names is fetched again. A part
that its transfer can resume from is kept too, for the one who fetches that address again.
"""

import os
import shutil
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Any

from isal import igzip
from isal.igzip_lib import IsalError

from carrel.capture.annotations import warcinfo
from carrel.capture.exchange import Exchange
from carrel.capture.folder_sync import sync_folder
from carrel.capture.gzip_member import compress_member
from carrel.capture.journal import Journal, JournalEntry
from carrel.capture.leftovers import Leftovers
from carrel.capture.part import Part
from carrel.capture.records import Record
from carrel.capture.stored import Damaged
from carrel.capture.unfinished import Beginning, Unfinished, unfinished_in
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

# From this size on a payload keeps the file it was written to, which becomes a WARC of its own.
_ALONE_FROM_BYTES = 128 * MEBIBYTE
_JOURNAL_NAME = "journal.jsonl"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record's gzip member stands: file name, offset and length in bytes."""

    filename: str
    offset: int
    length: int


# What the writer of a record wants to be reminded of, given where the record stands now.
Note = Callable[[Place], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class WarcNaming:
    """What goes into WARC names and heads (ISO 28500:2017, Annex C.1).

    A name is prefix, 14-digit time, serial and host, joined by hyphens. `next_serial` never gives
    the same number twice while the archive is open; `is_taken` knows the names of earlier times.
    `ingest_id` is that of the ingest that the files belong to.
    """

    prefix: str
    host: str
    operator: str
    user_agent: str
    next_serial: Callable[[], int]
    is_taken: Callable[[str], bool] = lambda name: False
    ingest_id: str = ""

    def warcinfo(self, name: str) -> Record:
        """Return the record that opens a file of this name."""
        return warcinfo(name, self.operator, self.user_agent, self.ingest_id)

    def name(self) -> str:
        """Return a name that no other WARC of the collection has."""
        while True:
            now = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
            name = f"{self.prefix}-{now}-{self.next_serial():05}-{self.host}.warc.gz"
            if not self.is_taken(name):
                return name


def is_sealed(staging: Path, collection: Path) -> bool:
    """Say whether a file of an interrupted series is in the collection already.

    Such a series is to be taken up, whatever else: no ledger knows that file yet.
    """
    entries = Journal(staging / _JOURNAL_NAME).entries()
    names = {name for entry in entries for name in entry.ends}
    return any((collection / name).exists() for name in names)


class WarcSeries:
    """The WARC files of one ingest, in a staging folder of its own. Threads may share it.

    Where the folder is there already, an earlier process began: `notes` are those of its records
    that are still there, `taken_up_bytes` is what its files take on the disk. Parts that are not
    whole at the end go to the `leftovers`, and such as are there are gone on with.
    """

    def __init__(
        self,
        staging: Path,
        collection: Path,
        naming: WarcNaming,
        max_size: int,
        leftovers: Leftovers | None = None,
    ) -> None:
        staging.mkdir(exist_ok=True)  # never its parents: the archive may have been taken away
        self.staging, self._collection = staging, collection
        self._naming, self._max_size, self._leftovers = naming, max_size, leftovers
        self._lock = threading.Lock()
        self._ends: dict[str, int] = {}
        self._name = ""
        self._file: FileIO | None = None
        self._journal = Journal(staging / _JOURNAL_NAME)
        self._unfinished: list[Unfinished] = []
        self.notes = self._take_up()
        self.taken_up_bytes = sum(path.stat().st_size for path in staging.iterdir())

    def append(self, record: Record, *companions: Record, note: Note | None = None) -> Place:
        """Write a record, and such as belong to it, behind the others; return where it stands.

        What was written is read again, then noted. Raises OSError and Damaged, and leaves nothing
        then.
        """
        written = _Written.of(record, *companions)
        with self._lock:
            file = self._open_for(len(written.data))
            with self._whole_or_nothing(file) as offset:
                self._write(file, written)
                place = Place(self._name, offset, written.first_length)
                self._note({place.filename: file.tell()}, place, note)
            return place

    def start_part(self, exchange: Exchange, beginning: Beginning | None = None) -> Part:
        """Begin a record for a payload of any length.

        With a `beginning` it can be gone on with later.
        """
        naming = self._naming
        path = self.staging / naming.name()
        # It may be another ingest that completes it, so its file says nothing of this one. Where it
        # stays alone, its request is in another file, as none is told to be missing here for that.
        info = replace(naming, ingest_id="").warcinfo(path.name)
        return Part.begin(path, info, exchange, beginning)

    def unfinished(self, url: str) -> Unfinished | None:
        """Return a part that an earlier process or ingest had begun of what is at an address.

        None if there is none. It is the caller's from now on.
        """
        with self._lock:
            found = next((each for each in self._unfinished if each.beginning.url == url), None)
            if found is not None:
                self._unfinished.remove(found)
            elif self._leftovers is not None:
                found = self._leftovers.take(url, self.staging)
            return found

    def left_of(self, url: str) -> int:
        """Return how many bytes of what is at an address wait to be gone on with.

        Those of a server that has not said that it gives parts count for nothing: it may well begin
        at zero.
        """
        left = (
            each
            for each in unfinished_in(self.staging)
            if each.beginning.url == url and each.is_of_parts
        )
        return max((each.marks[-1].received for each in left), default=0)

    def adopt(self, part: Part, *companions: Record, note: Note | None = None) -> Place:
        """Take a finished part, and records that belong to it, into the series.

        Returns where the part's record stands. A copy is compared with its original. Raises OSError
        and Damaged, and leaves nothing then but the part.
        """
        is_alone = part.length >= min(_ALONE_FROM_BYTES, self._max_size)
        written = _Written.of(*companions)
        with self._lock:
            file = self._open_for(len(written.data) + (0 if is_alone else part.length))
            with self._whole_or_nothing(file) as offset:
                if is_alone:
                    place = Place(part.path.name, part.offset, part.length)
                else:
                    _copy(part, file)
                    place = Place(self._name, offset, part.length)
                self._write(file, written)
                ends = {part.path.name: part.offset + part.length} if is_alone else {}
                self._note({**ends, self._name: file.tell()}, place, note)
            if is_alone:
                part.forget()
            else:
                part.discard()
            return place

    def forget(self, filename: str) -> None:
        """Drop a file that was taken up and turned out damaged, with all that stood in it."""
        with self._lock:
            kept = [entry for entry in self._journal.entries() if filename not in entry.ends]
            self._journal.rewrite(kept)
            if self._ends.pop(filename, None) is not None:
                (self.staging / filename).unlink()

    def seal(self) -> list[Path]:
        """Sync every file and rename it into the collection; return the new paths.

        The order is: contents to disk, names, names to disk. A kill in between leaves whole WARCs
        that the index does not know yet, never an index that knows more than there is. What a
        record that failed left behind the others, and could not be cut off then, is cut off now.
        """
        with self._lock:
            self._close()
            for name, end in self._ends.items():
                path = self.staging / name
                if path.stat().st_size > end:
                    os.truncate(path, end)
                _sync(path)
            sealed = []
            for name in list(self._ends):
                sealed.append(_moved(self.staging / name, self._collection))
                del self._ends[name]
            sync_folder(self._collection)
        return sealed

    def close(self) -> None:
        """Let go of the files and leave everything as it is, to be taken up later."""
        with self._lock:
            self._close()

    def discard(self, kept: Collection[str] = ()) -> None:
        """Remove everything of this series that was not sealed, and its staging folder.

        Parts that can be gone on with are left for others, but for those of `kept` addresses.
        """
        with self._lock:
            self._close()
            if self._leftovers is not None:
                for each in unfinished_in(self.staging):
                    if each.marks[-1].received and each.beginning.url not in kept:
                        self._leftovers.leave(each)
            if self.staging.exists():
                shutil.rmtree(self.staging)

    def _take_up(self) -> list[Mapping[str, Any]]:
        """Bring the folder to what its journal says, and return the notes of what is there.

        Files that were sealed already stay where they are.
        """
        entries = self._journal.entries()
        whole = [entry for entry in entries if self._reach(entry.ends)]
        ends: dict[str, int] = {}
        for entry in whole:
            ends.update(entry.ends)
        begun = [each for each in unfinished_in(self.staging) if each.path.name not in ends]
        kept = {name for each in begun for name in each.names}
        if entries:  # one that says nothing would hide what is written behind it
            kept.add(_JOURNAL_NAME)
        for path in self.staging.iterdir():
            if path.name in ends:
                os.truncate(path, ends[path.name])
                self._ends[path.name] = ends[path.name]
            elif path.name not in kept:
                path.unlink()
        self._unfinished = begun
        if entries:
            self._journal.rewrite(whole)
        return [entry.note for entry in whole if entry.note]

    def _reach(self, ends: Mapping[str, int]) -> bool:
        """Say whether all of these files are there and reach that far."""
        for name, end in ends.items():
            path = self.staging / name
            path = path if path.exists() else self._collection / name
            if not path.exists() or path.stat().st_size < end:
                return False
        return True

    @contextmanager
    def _whole_or_nothing(self, file: FileIO) -> Iterator[int]:
        """Give the offset of what is written next; if that fails, the file ends there as before.

        A file that cannot be cut off there is not written to any more.
        """
        offset = file.tell()
        try:
            yield offset
        except BaseException:
            try:
                file.truncate(offset)
                file.seek(offset)
            except OSError:
                self._file = None
                file.close()
            raise

    def _write(self, file: FileIO, written: "_Written") -> None:
        """Append members and read them again. Raises OSError and Damaged."""
        offset = file.tell()
        _append(file, written.data)
        written.check(_read(file, offset, len(written.data)))

    def _note(self, ends: Mapping[str, int], place: Place, note: Note | None) -> None:
        self._journal.add(JournalEntry(ends, note(place) if note else {}))
        self._ends.update(ends)

    def _open_for(self, length: int) -> FileIO:
        """Return the file to append to, a new one if this length would make it too large."""
        if self._file is not None and self._file.tell() + length > self._max_size:
            self._close()
        if self._file is None:
            self._name = self._naming.name()
            self._file = self._begun(self._name)
            self._ends[self._name] = self._file.tell()
        return self._file

    def _begun(self, name: str) -> FileIO:
        """Return a new file that opens with who writes it. Raises OSError, and leaves none then."""
        path = self.staging / name
        file = path.open("x+b", buffering=0)
        try:
            _append(file, self._naming.warcinfo(name).member())
        except OSError:
            file.close()
            path.unlink()
            raise
        return file

    def _close(self) -> None:
        self._journal.close()
        if self._file is not None:
            self._file.close()
            self._file = None


def _append(file: FileIO, data: bytes) -> None:
    """Write all of it. Raises OSError: what comes short of the whole finds the disk full."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def _read(file: FileIO, offset: int, length: int) -> bytes:
    """Return what stands there, up to the end of the file, which is left at its end."""
    file.seek(offset)
    return file.read(length)


@dataclass(frozen=True, slots=True)
class _Written:
    """Records as gzip members, one behind the other, and how to tell that they are intact."""

    contents: Sequence[bytes]
    data: bytes
    first_length: int

    @classmethod
    def of(cls, *records: Record) -> "_Written":
        contents = [each.content() for each in records]
        members = [compress_member(content) for content in contents]
        return cls(contents, b"".join(members), len(members[0]) if members else 0)

    def check(self, found: bytes) -> None:
        """Raise Damaged unless these bytes hold the records."""
        try:
            content = igzip.decompress(found)  # type: ignore[no-untyped-call]
        except (IsalError, OSError, EOFError):  # type: ignore[misc]  # its stub is wrong
            content = None
        if content != b"".join(self.contents):
            raise Damaged(tr("the stored bytes differ from those written"))


def _copy(part: Part, target: FileIO) -> None:
    """Append a part's record. Raises Damaged."""
    with part.path.open("rb") as file:
        file.seek(part.offset)
        left = part.length
        while left > 0 and (block := file.read(min(left, MEBIBYTE))):
            offset = target.tell()
            _append(target, block)
            if _read(target, offset, len(block)) != block:
                raise Damaged(tr("the copy of {name} differs from it", name=part.path.name))
            left -= len(block)
    if left:
        raise Damaged(
            tr(
                "{name} is {left:,} bytes shorter than what was written to it",
                name=part.path.name,
                left=left,
            )
        )


def _moved(source: Path, folder: Path) -> Path:
    target = folder / source.name
    if target.exists():
        raise FileExistsError(tr("{target} exists already and was not touched", target=target))
    return source.rename(target)


def _sync(path: Path) -> None:
    """Bring the bytes of a file to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
