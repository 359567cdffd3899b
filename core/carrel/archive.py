# SPDX-License-Identifier: AGPL-3.0-or-later
"""The folder that an archivist owns. Every part of it opens with other people's tools."""

import json
import logging
import os
import shutil
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from datetime import UTC, datetime
from functools import cached_property
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from carrel import __version__
from carrel.capture.disk_room import DiskRoom
from carrel.capture.folder_sync import sync_folder
from carrel.capture.user_agent import user_agent
from carrel.errors import (
    ArchiveAway,
    ArchiveCopied,
    ArchiveError,
    ArchiveLocked,
    LedgerDamaged,
    LedgerLost,
    NotAnArchive,
)
from carrel.kept_index import KeptIndex
from carrel.ledger import Ledger, is_blank, why_no_ledger
from carrel.model import Capture
from carrel.model.endings import WARC_ENDINGS
from carrel.settings import SETTINGS_NAME, Settings, in_force, settings_of
from carrel.settings.aside import was_set_aside
from carrel.settings.effective import linked_and_not_accepted
from carrel.settings.links import refuse_linked
from carrel.translation import tr
from carrel.whole_file import replace_file

if TYPE_CHECKING:
    from filelock import FileLock

    from carrel.capture.leftovers import Leftovers
    from carrel.capture.warc_series import WarcSeries
    from carrel.ledger_journal import LedgerJournal

log = logging.getLogger(__name__)

README_NAME = "README.txt"
LEDGER_NAME = "carrel.sqlite"
COLLECTIONS_NAME = "collections.yaml"
COLLECTION = "main"
WARCS = Path("collections", COLLECTION, "archive")
"""Where the WARCs of the collection are, in the folder of an archive."""
COPY_LIST_NAME = "copy-sha256.txt"
"""What a second copy of an archive lists its files in; no archive that is written to has it."""
STAGING_NAME = "staging"
_LEFTOVERS = "unfinished"
_HOLDER = "writer.json"  # who writes to an archive, in its staging folder
# What someone may put into a folder before it becomes an archive.
_MADE_BEFOREHAND = (SETTINGS_NAME, COLLECTIONS_NAME)
# A fixity run holds the lock while it notes what it found, for some hundredths of a second.
_WAIT_FOR_LOCK_S = 1.0


class Archive:
    """One archive folder, opened for reading, or for writing by one process at a time."""

    def __init__(self, path: Path, *, writing: bool, lock: "FileLock | None") -> None:
        self.path = path
        self._place = _place_of(path)
        self.settings: Settings = settings_of(path)
        self._lock = lock
        self._serials = count(1)
        with ExitStack() as undone:
            self.ledger = undone.enter_context(Ledger(path / LEDGER_NAME, writing=writing))
            index = path / "collections" / COLLECTION / "indexes"
            self.index = KeptIndex(index, self.ledger, self.staging, writing=writing)
            self.room = DiskRoom(path)
            self._journal = self._journal_of(self.ledger) if writing else None
            undone.pop_all()

    @classmethod
    def create_or_open(cls, path: Path, *, with_new_ledger: bool = False) -> "Archive":
        """Return the archive at this path for writing; an empty or missing folder becomes one.

        `with_new_ledger` is for who makes a lost ledger again from what is there. Raises LedgerLost
        for an archive that has lost its own, ArchiveLocked with who holds it, and ArchiveError if
        the folder holds other things, or only what an archive left that is gone, or cannot be
        written to.
        """
        try:
            if not with_new_ledger:
                _refuse_without_ledger(path)
            _refuse_foreign(path)
            _refuse_copy(path)
            _refuse_linked(path)
            path.mkdir(parents=True, exist_ok=True)
            staging = _make_folders(path)
            lock = _take_lock(path, staging)
            try:
                from carrel.archive_readme import write_readme  # only who writes brings it

                write_readme(path / README_NAME)
                _write_collections(path / COLLECTIONS_NAME)
                return cls(path, writing=True, lock=lock)
            except BaseException:
                _let_go(lock, staging)
                raise
        except OSError as error:
            raise ArchiveError(
                tr("{path} cannot be used: {reason}.", path=path, reason=_reason(path, error))
            ) from error

    @cached_property
    def leftovers(self) -> "Leftovers":
        """The parts of files whose ingest ended early."""
        from carrel.capture.leftovers import Leftovers  # only who fetches has any

        return Leftovers(self.staging / _LEFTOVERS)

    @staticmethod
    def refuse(path: Path) -> None:
        """Raise ArchiveError for a folder that is no archive and cannot become one, or whose ledger
        is lost or cannot be read; nothing is written."""
        try:
            _refuse_without_ledger(path)
            _refuse_foreign(path)
            if (path / LEDGER_NAME).exists():
                Archive.open_for_reading(path).close()
        except OSError as error:
            raise ArchiveError(
                tr("{path} cannot be used: {reason}.", path=path, reason=_reason(path, error))
            ) from error

    @classmethod
    @contextmanager
    def held(cls, path: Path) -> Iterator[Path]:
        """Hold an archive whatever its ledger is like, and give its folder for staging.

        For who makes a new ledger: no one else may write meanwhile. Raises ArchiveLocked, and
        ArchiveError where it cannot be written to.
        """
        _refuse_copy(path)
        _refuse_linked(path)
        try:
            staging = _make_folders(path)
            lock = _take_lock(path, staging)
        except OSError as error:
            reason = _reason(path, error)
            raise ArchiveError(
                tr("{path} cannot be written to: {reason}.", path=path, reason=reason)
            ) from error
        try:
            yield staging
        finally:
            _let_go(lock, staging)

    @classmethod
    def open_for_reading(cls, path: Path) -> "Archive":
        """Return the archive at this path for reading, also while another process writes.

        Raises NotAnArchive, LedgerLost for one that has lost its ledger, and ArchiveError if it
        cannot be read.
        """
        try:
            _refuse_without_ledger(path)
            if not (path / LEDGER_NAME).is_file():
                raise NotAnArchive(
                    tr(
                        "There is no archive at {path}: it has no {ledger_name}.",
                        path=path,
                        ledger_name=LEDGER_NAME,
                    )
                )
            return cls(path, writing=False, lock=None)
        except OSError as error:
            raise ArchiveError(
                tr("{path} cannot be read: {reason}.", path=path, reason=_reason(path, error))
            ) from error

    def is_held(self) -> bool:
        """Say whether a program that writes to it has not let go of it in good order."""
        return (self.staging / _HOLDER).exists()

    @property
    def is_writable(self) -> bool:
        """Whether it was opened for writing, and no one else writes to it until it is closed."""
        return self._lock is not None

    @property
    def is_copy(self) -> bool:
        """Whether it is a second copy of an archive, whose ledger tells of that one."""
        return (self.path / COPY_LIST_NAME).exists()

    @property
    def warcs(self) -> Path:
        """Where the WARCs of the collection are."""
        return self.path / WARCS

    @property
    def staging(self) -> Path:
        return self.path / STAGING_NAME

    def check_place(self) -> None:
        """Raise ArchiveAway if the folder is gone, or is not the one that was opened.

        Folders get moved, and disks taken away: what is written to the same path then would be the
        beginning of another archive, which hides the loss of this one.
        """
        place = _place_of(self.path)
        if place == self._place:
            return
        what = tr("was removed") if place is None else tr("was replaced by another one")
        raise ArchiveAway(
            tr(
                "The archive's folder {path} {what} while it was open. Nothing is written there. "
                "Restore the folder (or reconnect its disk) to continue, or open the archive where "
                "it is now.",
                path=self.path,
                what=what,
            )
        )

    def new_series(self, ingest_id: str) -> "WarcSeries":
        """Return the WARCs that an ingest writes, in a staging folder of its own.

        What an earlier process left of this ingest is taken up. Raises ArchiveError and OSError.
        """
        self.check_place()
        self.staging.mkdir(exist_ok=True)
        warc = self.settings.warc
        from carrel.capture.warc_series import WarcNaming, WarcSeries  # who only reads has none

        naming = WarcNaming(
            prefix=COLLECTION,
            host=warc.host,
            operator=warc.operator,
            user_agent=user_agent(self.settings.network.contact),
            next_serial=self._next_serial,
            is_taken=self._has_warc,
            ingest_id=ingest_id,
        )
        folder = self.staging / ingest_id
        return WarcSeries(folder, self.warcs, naming, warc.max_size, self.leftovers)

    def keep(self, series: "WarcSeries", captures: Iterable[Capture]) -> None:
        """Move a finished series into the collection and index what it holds.

        Threads may call it at once; they take turns. The series is discarded only when the ledger
        knows of it: until then a kill, or a full disk, can be made good from its journal.
        """
        with self.index.adding(captures):
            series.seal()

    def take_in(self, staged: Path | None, name: str, captures: Iterable[Capture]) -> None:
        """Move a WARC that came from elsewhere from staging into the collection, and index it.

        `staged` is None for one that is there already: whoever was killed before the ledger knew of
        it takes it in once more. One of the same name that is there, and of which the ledger does
        not know either, gives way; what the index has of it is mended later. What the ledger knows
        elsewhere already is not indexed here as well. Raises OSError and ArchiveError.
        """
        captures = self.ledger.capture_index.of_their_places(list(captures))
        is_new = staged is None or not (self.warcs / name).exists()
        with self.index.adding(captures, is_new=is_new):
            if staged is not None:
                staged.rename(self.warcs / name)
                sync_folder(self.warcs)

    def holder_of(self, capture: Capture) -> Capture | None:
        """Return the capture whose record holds these bytes: itself, or what a revisit refers to.

        None if the ledger knows of no such record.
        """
        if not capture.is_revisit:
            return capture
        return self.ledger.captures.holder_of(capture)

    def sweep(self, unfinished: Collection[str]) -> None:
        """Remove what lies in staging and belongs to none of these ingests, nor is left over."""
        for folder in self.staging.iterdir():
            if folder.is_dir() and folder.name not in (*unfinished, _LEFTOVERS):
                shutil.rmtree(folder)
        self.leftovers.sweep()

    @contextmanager
    def ledger_for_writing(self) -> Iterator[Ledger]:
        """Give the ledger for a moment of writing, also where the archive is open for reading.

        Raises ArchiveLocked while another process writes to the archive, and ArchiveError where it
        cannot be written to.
        """
        if self._lock is not None:
            yield self.ledger
            return
        self.check_place()
        _refuse_copy(self.path)
        _refuse_linked(self.path)
        try:
            self.staging.mkdir(exist_ok=True)
            lock = _take_lock(self.path, self.staging)
        except OSError as error:
            reason = _reason(self.path, error)
            raise ArchiveError(
                tr("{path} cannot be written to: {reason}.", path=self.path, reason=reason)
            ) from error
        try:
            with Ledger(self.path / LEDGER_NAME, writing=True) as ledger:
                journal = self._journal_of(ledger)
                try:
                    yield ledger
                finally:
                    journal.close()
        finally:
            _let_go(lock, self.staging)

    @contextmanager
    def journal_at_rest(self) -> Iterator[None]:
        """Have nothing appended to the journal while its files are repaired."""
        with self._journal.at_rest() if self._journal is not None else nullcontext():
            yield

    def close(self) -> None:
        """Bring the journal up to date, close the ledger and let go of the lock.

        What raises keeps none of the rest from being closed: who opens it next finds it free.
        """
        with ExitStack() as parts:  # the last is closed first
            if self._lock is not None:
                parts.callback(_let_go, self._lock, self.staging)
            parts.callback(self.ledger.close)
            if self._journal is not None:
                parts.callback(self._journal.close)
            parts.callback(self.index.close)

    def __enter__(self) -> "Archive":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def _journal_of(self, ledger: Ledger) -> "LedgerJournal":
        from carrel.ledger_journal import LedgerJournal  # who only reads has none

        return LedgerJournal(self.path, ledger, self.check_place)

    def _has_warc(self, name: str) -> bool:
        """Say whether a WARC of this name is in the collection, or known to have been, on its way
        there, or packed."""
        is_known = self.ledger.captures.warcs_among([name]) or self.ledger.packed.get(name)
        is_there = (self.warcs / name).exists() or any(self.staging.glob(f"*/{name}"))
        return bool(is_known or is_there)

    def _next_serial(self) -> int:
        return next(self._serials)


def _place_of(path: Path) -> tuple[int, int] | None:
    """Return what tells a folder from others at its path, None if none is there."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def _reason(path: Path, error: OSError) -> str:
    """Return in words why an archive cannot be used, and which of its files is in the way."""
    file = Path(error.filename) if error.filename else path
    if isinstance(error, FileExistsError):
        return tr("{file} should be a folder but is not; move it away, then try again", file=file)
    reason = str(error.strerror or error)
    return reason if file == path else f"{file}: {reason}"


def _make_folders(root: Path) -> Path:
    """Make the folders of an archive, each in one that is there; return that for staging.

    Staging comes last: where it is all there is, no archive was begun, one was taken away.
    """
    collection = root / "collections" / COLLECTION
    staging = root / STAGING_NAME
    inside = (collection / "archive", collection / "indexes")
    for folder in (collection.parent, collection, *inside, staging):
        folder.mkdir(exist_ok=True)
    return staging


def _refuse_foreign(path: Path) -> None:
    """Raise ArchiveError for a folder that holds something else, so that nothing is mixed up."""
    if path.exists() and not path.is_dir():
        raise ArchiveError(tr("{path} is a file; an archive is a folder.", path=path))
    above = next((each for each in path.parents if each.exists()), None)
    if above is not None and not above.is_dir():
        raise ArchiveError(tr("{path} cannot be made: {above} is a file.", path=path, above=above))
    if not path.exists() or (path / LEDGER_NAME).exists() or (path / "collections").is_dir():
        return
    names = {each.name for each in path.iterdir() if not was_set_aside(each.name)}
    if names - {STAGING_NAME, *_MADE_BEFOREHAND}:
        raise ArchiveError(
            tr(
                "{path} contains other files and is not an archive. Choose an archive, or an empty "
                "folder to make one in.",
                path=path,
            )
        )
    if STAGING_NAME in names:
        raise ArchiveError(
            tr(
                "{path} holds only “{staging}”, left by an archive that is no longer here: it was "
                "moved or removed, or its disk is not connected. Nothing was written. Restore the "
                "archive and open it again; for a new archive here, remove “{staging}” first.",
                path=path,
                staging=STAGING_NAME,
            )
        )


def _refuse_copy(path: Path) -> None:
    """Raise ArchiveCopied for a second copy: one that is written to is no longer what it copies."""
    if (path / COPY_LIST_NAME).exists():
        raise ArchiveCopied(
            tr(
                "{path} is a second copy of an archive: it can be read, and “carrel replicate” "
                "writes to it. To make it an archive of its own, because the other one is lost, "
                "remove {name} from it.",
                path=path,
                name=COPY_LIST_NAME,
            )
        )


def _refuse_linked(path: Path) -> None:
    """Raise ArchiveError where parts of an archive would be written to in another place."""
    refuse_linked(path, linked_and_not_accepted(in_force(path)))


def _refuse_without_ledger(path: Path) -> None:
    """Raise LedgerLost for a folder that holds what a ledger of ours had in it, and no ledger.

    A file without any table is none: SQLite would begin a new ledger in it. Raises ArchiveError
    where the ledger is a folder.
    """
    ledger = path / LEDGER_NAME
    if ledger.is_dir():
        raise ArchiveError(
            tr(
                "{ledger} is a folder; in an archive it is the ledger's file. Nothing was written. "
                "Move the folder away, and restore the file from a backup.",
                ledger=ledger,
            )
        )
    if ledger.exists() and not is_blank(ledger):
        _refuse_other_file(path, ledger)
        return
    held = _held_without_ledger(path)
    if held:
        raise LedgerLost(
            tr(
                "{path} has lost its ledger: it contains {held}, and {ledger_name} is {state}. "
                "Nothing was written. The bytes are not in the ledger and can be read without it "
                "(“carrel verify {path}” checks them; {readme} says how). “carrel rebuild "
                "--archive {path}” makes the ledger again from the journal and the WARCs; or "
                "restore it from a backup, or give another folder for a new archive.",
                path=path,
                held=held,
                ledger_name=LEDGER_NAME,
                state="empty" if ledger.exists() else tr("not there"),
                readme=path / README_NAME,
            )
        )


def _refuse_other_file(path: Path, ledger: Path) -> None:
    """Raise LedgerDamaged where a file that is no ledger is in its place and one can be made again,
    ArchiveError where there is nothing that it could be made from."""
    why = why_no_ledger(ledger)
    if not why:
        return
    held = _held_without_ledger(path)
    if not held:
        advice = tr(
            "There are no WARC files and no journal in {path} either. Nothing was written. Give "
            "another folder for a new archive.",
            path=path,
        )
        raise ArchiveError(f"{why} {advice}")
    advice = tr(
        "Nothing was written to it. {path} contains {held}: “carrel rebuild --archive {path}” "
        "makes the ledger again from that and keeps this file beside it; or restore the ledger "
        "from a backup, or give another folder for a new archive.",
        path=path,
        held=held,
    )
    raise LedgerDamaged(f"{why} {advice}")


def _held_without_ledger(path: Path) -> str:
    """Return in words what of an archive is in a folder, "" if nothing is."""
    # Only for who has lost something.
    from carrel.dark_archive.place import dark_folder, store_root
    from carrel.journal.groups import is_month_file
    from carrel.ledger_journal import JOURNAL_NAME

    warcs = sum(
        each.name.lower().endswith(WARC_ENDINGS) for each in path.glob("collections/*/archive/*")
    )
    held = (
        [tr("{warcs} WARC{s} in collections", warcs=warcs, s="s" * (warcs != 1))] if warcs else []
    )
    if any(is_month_file(each.name) for each in (path / JOURNAL_NAME).glob("*.jsonl")):
        held.append(tr("the journal of its ingests"))
    if dark_folder(path).is_dir() and any((store_root(path) / "journal").glob("*.jsonl")):
        held.append(tr("a dark archive (its part comes back, too)"))
    return " and ".join(filter(None, [", ".join(held[:-1]), *held[-1:]]))


def _write_collections(path: Path) -> None:
    """Write where to look for mementos, for the person to change; what is there is theirs."""
    if not path.exists():
        from carrel.mementos.config.default import default_text  # only a new archive needs it

        replace_file(path, default_text().encode(), is_synced=False)


def _take_lock(path: Path, staging: Path) -> "FileLock":
    from filelock import FileLock, Timeout  # who only reads takes no lock

    lock = FileLock(staging / "writer.lock", timeout=_WAIT_FOR_LOCK_S)
    holder = staging / _HOLDER
    try:
        lock.acquire()
    except Timeout as error:
        raise ArchiveLocked(
            tr(
                "{path} is in use by {who}. It can still be read; close the other program "
                "to write.",
                path=path,
                who=_who(holder),
            )
        ) from error
    try:
        _tell_holder(holder)
    except BaseException:  # on a full disk; the one whom it names until now holds nothing either
        _let_go(lock, staging)
        raise
    return lock


def _tell_holder(holder: Path) -> None:
    """Write down who holds an archive, for others to say."""
    since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    told = {"program": f"Carrel {__version__}", "process": os.getpid(), "since": since}
    replace_file(holder, json.dumps(told).encode(), is_synced=False)


def _let_go(lock: "FileLock", staging: Path) -> None:
    try:
        (staging / _HOLDER).unlink(missing_ok=True)
    finally:
        lock.release()


def _who(holder: Path) -> str:
    """Return who holds an archive, for people."""
    try:
        told = json.loads(holder.read_text(encoding="utf-8"))
        return tr(
            "{program} (process {process}, since {since})",
            program=told["program"],
            process=told["process"],
            since=told["since"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return tr("another process")
