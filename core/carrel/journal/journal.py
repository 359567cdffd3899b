# SPDX-License-Identifier: AGPL-3.0-or-later
"""A journal: everything that ever happened to what it is about, in order, forever.

Lines of JSON in files by month, appended in groups that count whole or not at all. One writer at a
time: whoever opens it for writing holds the archive's lock.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import datetime
from itertools import chain, repeat
from pathlib import Path
from typing import Generic

from carrel.errors import ArchiveError, ArchiveFull, JournalDamaged
from carrel.journal import lines, repair
from carrel.journal.codec import Codec, E
from carrel.journal.faults import FaultKind, JournalFault, faults_in, find_faults
from carrel.journal.groups import (
    BEGINNING,
    Group,
    Head,
    head_after,
    is_torn,
    month_file,
    month_files,
    read_lines,
)
from carrel.journal.tail import find_head, is_held, set_aside
from carrel.journal.writer import write, written
from carrel.model.unwritten import is_full
from carrel.translation import tr

_BLOCK = 1024**2


class Journal(Generic[E]):
    """The journal in a folder, open for reading, or for writing too. Not for several threads."""

    def __init__(
        self,
        folder: Path,
        codec: Codec[E],
        known: Head,
        now: Callable[[], datetime],
        *,
        is_writing: bool,
    ) -> None:
        self._folder = folder
        self._codec = codec
        self._known = known
        self._now = now
        self._is_writing = is_writing
        self._head: Head | None = None
        # What an append left unfinished, in a file of its own; None if there was nothing.
        self.torn: Path | None = None

    @classmethod
    def open(
        cls,
        folder: Path,
        codec: Codec[E],
        *,
        writing: bool,
        now: Callable[[], datetime],
        known: Head | None = None,
    ) -> "Journal[E]":
        """Open the journal in a folder; for `writing` the folder is made if it is not there.

        `known` is a head that was read of it before: what it covers is damaged if it is not there
        now. `now` gives an aware moment. Opened for writing, what an append left unfinished behind
        the last commit is moved to `torn`. A damaged journal opens, and stays as it is: `head` and
        `append` say so. Raises ArchiveError if the folder cannot be read or written.
        """
        journal = cls(folder, codec, known or BEGINNING, now, is_writing=writing)
        try:
            if writing:
                folder.mkdir(exist_ok=True)  # never its parents, as the store's
                _refuse_links(folder)
            journal._find_end()
        except OSError as error:
            raise _failed(error, folder) from error
        return journal

    @property
    def head(self) -> Head:
        """Where the journal stood when it was opened, or stands since the last append.

        Raises JournalDamaged if its last group, or what is known of it, is not as it was written.
        """
        if self._head is None:
            raise self._damaged()
        return self._head

    @property
    def is_sound_at_its_end(self) -> bool:
        """Whether its last group, and what is known of it, are as they were written. What stands
        before is not looked at."""
        return self._head is not None

    def append(self, entries: Sequence[E]) -> Group[E]:
        """Write entries and the line that commits them, and bring both to the disk.

        The commit follows when the entries have reached it, so one that is there is good. Raises
        ArchiveFull, ArchiveError, JournalDamaged; the journal is then as it was. ValueError for no
        entries, for too many, and for what JSON cannot hold.
        """
        if not self._is_writing:
            raise ValueError("the journal is open for reading only")
        head = self.head
        body, closing = written([self._codec.encode(each) for each in entries], head)
        name = month_file(self._now(), head.file)
        offset = head.end if name == head.file else 0
        try:
            write(self._folder / name, offset, body, closing)
        except OSError as error:
            raise _failed(error, self._folder / name) from error
        data = body + closing
        self._head = Head(
            head.lines + len(entries) + 1, lines.digest(closing[:-1]), name, offset + len(data)
        )
        return Group(entries, self._head, name, offset, data)

    def groups(self, after: Head | None = None) -> Iterator[Group[E]]:
        """Yield every group behind a head, each checked byte for byte; one at a time is in memory.

        Raises JournalDamaged at the first that is not as it was written, or where the journal ends
        before what is known of it; JournalTooNew, ArchiveError.
        """
        try:
            head = yield from self._groups(after or BEGINNING)
            if head.lines < self._known.lines or not is_held(self._folder, self._known):
                raise self._damaged()
        except OSError as error:
            raise _failed(error, self._folder) from error

    def faults(self) -> Iterator[JournalFault]:
        """Yield what is wrong with the journal, from its beginning, beyond the first fault too.

        No one may append meanwhile. Raises ArchiveError if it cannot be read.
        """
        try:
            yield from find_faults(month_files(self._folder), self._codec, self._known)
        except OSError as error:
            raise _failed(error, self._folder) from error

    def holds(self, file: str, offset: int, data: bytes) -> bool:
        """Return whether these bytes stand at a byte of a file. Raises ArchiveError."""
        try:
            return repair.holds(self._folder / file, offset, data)
        except OSError as error:
            raise _failed(error, self._folder / file) from error

    def restore(self, file: str, offset: int, data: bytes) -> None:
        """Put the right bytes of a group back where they were, from a copy; all of it, or nothing.

        What is wrong in its place is copied to a file beside it; if nothing is, nothing is done.
        Several are put back in their order. Raises ArchiveError if the bytes are no group, or do
        not follow what stands before them, ArchiveFull.
        """
        if not self._is_writing:
            raise ValueError("the journal is open for reading only")
        try:
            repair.put_back(self._folder, file, offset, data, self._now())
            self._find_end()
        except OSError as error:
            raise _failed(error, self._folder / file) from error

    def close(self) -> None:
        """Let go of the journal: nothing is written to it any more."""
        self._is_writing = False

    def _find_end(self) -> None:
        """Look where the journal stands; set aside what was left unfinished, if it may be."""
        files = month_files(self._folder)
        head = find_head(files)
        if head and (head.lines < self._known.lines or not is_held(self._folder, self._known)):
            head = None
        self._head = head
        if head is None or not files or not self._is_writing:
            return
        end = head.end if files[-1].name == head.file else 0
        if end == 0 or files[-1].stat().st_size > end:
            self.torn = set_aside(files[-1], end, self._now()) or self.torn

    def _groups(self, head: Head) -> Generator[Group[E], None, Head]:
        if not is_held(self._folder, head):
            raise self._damaged()
        files = [path for path in month_files(self._folder) if path.name >= head.file]
        for path in files:
            start = head.end if path.name == head.file else 0
            for found in read_lines(path, start):
                after = head_after(found, head)
                if after is None:
                    if path == files[-1] and is_torn(found, head):
                        return head
                    is_newest = path == files[-1]
                    faults = faults_in(found, head, self._codec, is_newest=is_newest)
                    raise self._damage(path, start, faults)
                try:
                    entries = list(map(self._read, found.lines[:-1]))
                except ValueError:
                    faults = faults_in(found, head, self._codec, is_newest=False)
                    raise self._damage(path, start, faults) from None
                yield Group(entries, after, path.name, found.offset, b"".join(found.lines))
                head = after
        return head

    def _read(self, line: bytes) -> E:
        return self._codec.decode(lines.read_entry(line[:-1]))

    def _damaged(self) -> JournalDamaged:
        """Return what is wrong first; something is."""
        faults = find_faults(month_files(self._folder), self._codec, self._known)
        fault = next((each for each in faults if each.is_damage), None)
        if fault is None:  # another program put it right meanwhile
            what = tr("it was changed while it was open")
            fault = JournalFault(self._known.file, 1, 0, FaultKind.DAMAGED, what)
        return self._error(fault, fault.line)

    def _damage(self, path: Path, start: int, faults: Iterator[JournalFault]) -> JournalDamaged:
        """Return the first fault of lines that were counted from a byte of their file on."""
        fault = next(each for each in faults if each.is_damage)
        return self._error(fault, _line_ends(path, start) + fault.line)

    def _error(self, fault: JournalFault, line: int) -> JournalDamaged:
        codec = self._codec
        return JournalDamaged(
            codec.journal, fault.file, line, fault.offset, fault.what, codec.advice
        )


def _refuse_links(folder: Path) -> None:
    """Raise ArchiveError for a file that is a link: what it leads to is none of the journal's."""
    for path in folder.iterdir():
        if path.is_symlink():
            raise ArchiveError(
                tr(
                    "{path} is a link; a journal is written to files of its own. Nothing was "
                    "written. Remove the link, then try again.",
                    path=path,
                )
            )


def _line_ends(path: Path, end: int) -> int:
    with path.open("rb") as file:
        whole, rest = divmod(end, _BLOCK)
        sizes = chain(repeat(_BLOCK, whole), [rest])
        return sum(file.read(size).count(b"\n") for size in sizes)


def _failed(error: OSError, path: Path) -> ArchiveError:
    if is_full(error):
        return ArchiveFull(
            tr("There is no room left to write {path}; make room and try again.", path=path)
        )
    return ArchiveError(
        tr(
            "{path} cannot be read or written: {strerror}.",
            path=path,
            strerror=error.strerror or error,
        )
    )
