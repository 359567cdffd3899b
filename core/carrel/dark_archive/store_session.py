# SPDX-License-Identifier: AGPL-3.0-or-later
"""Object store, journal and ledger as one: the only way in which anything is kept.

Bytes come first, then the journal, then the ledger: a kill at any moment leaves harmless extras,
which the next opening sets aside, and nothing that is named is missing.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from carrel.dark_archive.entries import ENTRIES
from carrel.dark_archive.store import Batch, ObjectStore
from carrel.errors import ArchiveError, ArchiveLocked
from carrel.journal import Group, Head, Journal
from carrel.ledger.dark.ledger import DarkLedger
from carrel.ledger.dark.mirror import GroupCopy
from carrel.model.dark import Entry, FixityChecked, StoreMade
from carrel.model.iso_time import iso_time
from carrel.translation import tr

Now = Callable[[], datetime]
# Of a store that was lost this is said of all objects; no line of the journal may grow so long.
_MOST_A_LINE = 10_000


class StoreSession:
    """The dark archive, open for writing by one process at a time.

    `set_aside` names what an earlier process left unfinished and was moved out of the way.
    """

    def __init__(
        self,
        store: ObjectStore,
        journal: Journal[Entry],
        ledger: DarkLedger,
        lock: FileLock,
        now: Now,
    ) -> None:
        self.store, self.journal, self.ledger = store, journal, ledger
        self._lock, self.now = lock, now
        self.set_aside: Sequence[str] = ()
        self._is_behind = False

    @classmethod
    def open(
        cls, root: Path, ledger: DarkLedger, now: Now = lambda: datetime.now(UTC)
    ) -> "StoreSession":
        """Open the store at `root`, made if there is none in a folder that is there, and bring it
        to a true state.

        Raises ArchiveLocked, JournalDamaged where the journal is not what it was, and ArchiveError.
        """
        if not (root / "journal").is_dir() and ledger.mirror.head() is not None:
            raise ArchiveError(away(root))
        _begin(root)
        lock = _taken(root)
        try:
            store = ObjectStore.open(root, writing=True)
            last = ledger.mirror.head()
            known = head_of(last) if last else None
            journal = Journal.open(root / "journal", ENTRIES, writing=True, now=now, known=known)
            keeping = cls(store, journal, ledger, lock, now)
            keeping._recover(known)
        except BaseException:
            lock.release()
            raise
        return keeping

    def next_tist(self) -> int:
        """Return a number for a run: the time, or one more than the last if that is not later."""
        return max(int(self.now().timestamp()), self.ledger.lookups.last_tist() + 1)

    def wall_clock(self) -> str:
        return iso_time(self.now())

    def commit(self, entries: Sequence[Entry], batch: Batch | None = None) -> None:
        """Keep objects and what is to be said of them, all or nothing. Raises ArchiveError."""
        if self._is_behind:
            raise ArchiveError(
                tr(
                    "The ledger could not be updated from the journal in {root}. Open the "
                    "archive again: it is then updated.",
                    root=self.store.root,
                )
            )
        if batch is not None:
            batch.place()
        if entries:
            self.ledger.keep(entries, lambda: self._journalled(entries))
            self._is_behind = False

    def note_mended(self, mended: Sequence[str]) -> None:
        """Record, by their SHA-256, objects that are intact again. Raises ArchiveError."""
        at = int(self.now().timestamp())
        for start in range(0, len(mended), _MOST_A_LINE):
            some = mended[start : start + _MOST_A_LINE]
            self.commit([FixityChecked(at, 0, 0, {}, some)])

    def note_bad(self, found: Mapping[str, str]) -> None:
        """Record, by their SHA-256, how objects are bad that other work came upon. Raises
        ArchiveError."""
        at, bad = int(self.now().timestamp()), list(found.items())
        for start in range(0, len(bad), _MOST_A_LINE):
            self.commit([FixityChecked(at, 0, 0, dict(bad[start : start + _MOST_A_LINE]))])

    def close(self) -> None:
        try:
            self.journal.close()
        finally:
            self._lock.release()

    def __enter__(self) -> "StoreSession":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _journalled(self, entries: Sequence[Entry]) -> GroupCopy:
        try:
            group = self.journal.append(entries)
        except ValueError as error:
            raise ArchiveError(
                tr("{root} cannot store this: {error}.", root=self.store.root, error=error)
            ) from error
        self._is_behind = True  # until the ledger has it for good
        return copy_of(group)

    def _recover(self, known: Head | None) -> None:
        """Replay what the ledger lacks; set aside what the journal does not name."""
        for group in self.journal.groups(known):
            self.ledger.apply(group.entries, copy_of(group))
        self.set_aside = [*self.store.sweep(), *self._strangers()]
        for path in self.ledger.contents.purged_paths():
            self.store.remove(path)  # a kill may have come before
        if self.journal.head.lines == 0:
            self.commit([StoreMade(dict(self.store.probed))])

    def _strangers(self) -> list[str]:
        """Set aside the objects of an unfinished run that no journal line names."""
        moved: list[str] = []
        for tist in self.ledger.lookups.unfinished():
            named = self.ledger.contents.paths_of(tist)
            for path in [each for each in self.store.files_of(tist) if each not in named]:
                moved.append(self.store.quarantine(path, tr("no line of the journal lists it")))
        return moved


def away(root: Path) -> str:
    """Return what is told of a store that is not where it was."""
    return tr(
        "The object store of this archive is not at {root}. Is its disk connected? If it is "
        "lost, create the folder {folder}: “carrel dark rebuild” then restores the "
        "journal and lists what is lost.",
        root=root,
        folder=root / "journal",
    )


def copy_of(group: Group[Entry]) -> GroupCopy:
    """Return a group as the ledger keeps it."""
    return GroupCopy(group.head.lines, group.head.sha256, group.file, group.offset, group.data)


def head_of(copy: GroupCopy) -> Head:
    """Return where the journal stood after a group."""
    return Head(copy.lines, copy.sha256, copy.file, copy.offset + len(copy.data))


def _begin(root: Path) -> None:
    """Make the folder of the store, but none above it: there a disk may be missing."""
    try:
        root.mkdir(exist_ok=True)
    except FileNotFoundError as error:
        raise ArchiveError(
            tr(
                "The object store cannot be created at {root}: {parent} does not exist. Connect "
                "its disk if it is missing; otherwise create that folder first.",
                root=root,
                parent=root.parent,
            )
        ) from error
    except OSError as error:
        message = tr(
            "The object store cannot be at {root}: {strerror}.",
            root=root,
            strerror=error.strerror or error,
        )
        raise ArchiveError(message) from error


def _taken(root: Path) -> FileLock:
    lock = FileLock(root / ".lock", timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise ArchiveLocked(tr("{root} is in use by another process.", root=root)) from error
    return lock
