# SPDX-License-Identifier: AGPL-3.0-or-later
"""A ledger that may be damaged, or gone: opened as far as it goes, or replaced by a sound one."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from carrel.archive import LEDGER_NAME, Archive
from carrel.aside_name import aside_name
from carrel.dark_archive.place import dark_folder
from carrel.errors import (
    ArchiveError,
    ArchiveFull,
    ArchiveLocked,
    LedgerDamaged,
    LedgerLost,
    NotAnArchive,
)
from carrel.ledger.dark.ledger import DarkLedger
from carrel.ledger.salvage import salvage
from carrel.model.counts import counted
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class FoundLedger:
    """`dark` is None where the ledger cannot be opened. `problem` says why, or why it cannot be
    written to though its disk can.

    `is_writing` says that no one else writes to the archive meanwhile.
    """

    dark: DarkLedger | None
    problem: str = ""
    is_writing: bool = False


@contextmanager
def found_ledger(archive: Path) -> Iterator[FoundLedger]:
    """Open the ledger of an archive as far as it goes. Raises NotAnArchive."""
    if not (archive / LEDGER_NAME).exists():
        if not dark_folder(archive).is_dir():
            raise NotAnArchive(
                tr(
                    "There is no archive at {archive}: it has no {ledger_name}.",
                    archive=archive,
                    ledger_name=LEDGER_NAME,
                )
            )
        yield FoundLedger(None, tr("It is missing."))
        return
    try:
        opened, problem = _opened(archive)
    except ArchiveError as error:
        yield FoundLedger(None, str(error))
        return
    with opened:
        is_writing = problem is None
        yield FoundLedger(opened.ledger.dark, problem or "", is_writing=is_writing)


def _opened(archive: Path) -> tuple[Archive, str | None]:
    """Open an archive; return too why it cannot be written to: None if it can, "" if that is as it
    should be."""
    if not is_writable(archive):
        return Archive.open_for_reading(archive), ""
    try:
        return Archive.create_or_open(archive), None
    except ArchiveLocked:
        return Archive.open_for_reading(archive), ""
    except ArchiveError as error:
        return Archive.open_for_reading(archive), str(error)


def is_writable(archive: Path) -> bool:
    """Say whether the disk and the person's rights let the archive be written to."""
    ledger = archive / LEDGER_NAME
    return os.access(archive, os.W_OK) and (not ledger.exists() or os.access(ledger, os.W_OK))


@contextmanager
def sound_archive(archive: Path) -> Iterator[tuple[Archive, list[str]]]:
    """Open an archive for writing; a damaged ledger is set aside for one with what can be read.

    Gives the archive, and in words what was done. Raises ArchiveLocked, ArchiveError.
    """
    if not dark_folder(archive).is_dir():
        raise NotAnArchive(tr("There is no dark archive at {archive}.", archive=archive))
    if not is_writable(archive):
        raise ArchiveError(
            tr(
                "{archive} is read-only. Copy it to a writable location, or mount the disk for "
                "writing, to rebuild anything.",
                archive=archive,
            )
        )
    opened, done = _sound(archive)
    with opened:
        yield opened, done


def _sound(archive: Path) -> tuple[Archive, list[str]]:
    try:
        opened = Archive.create_or_open(archive)
    except (ArchiveLocked, ArchiveFull):
        raise  # nothing is wrong with the ledger
    except LedgerLost as error:
        is_missing = not isinstance(error, LedgerDamaged)
        return _begun_anew(archive) if is_missing else _replaced(archive)
    except ArchiveError:
        if not (archive / LEDGER_NAME).is_file():
            raise
        return _replaced(archive)
    with ExitStack() as undone:
        undone.enter_context(opened)
        if not opened.ledger.dark.faults_of_file():
            undone.pop_all()
            return opened, []
    return _replaced(archive)


def _begun_anew(archive: Path) -> tuple[Archive, list[str]]:
    from carrel.engine.rebuilding import rebuild  # it makes the dark archive's part again, too

    made = rebuild(archive, lambda done, total: None)
    return Archive.create_or_open(archive), [
        tr(
            "ledger: it was missing; made again from {captures} and {entries} of the archive's "
            "journal",
            captures=counted(made.captures, "capture"),
            entries=counted(made.entries, "entry"),
        )
    ]


def _replaced(archive: Path) -> tuple[Archive, list[str]]:
    damaged = aside_name(archive / LEDGER_NAME, "damaged")
    for suffix in ("", "-wal", "-shm"):
        part = archive / f"{LEDGER_NAME}{suffix}"
        if part.exists():
            part.rename(f"{damaged}{suffix}")
    with ExitStack() as undone:
        opened = undone.enter_context(Archive.create_or_open(archive, with_new_ledger=True))
        carried = salvage(damaged, archive / LEDGER_NAME)
        opened.ledger.catalogue.make()
        undone.pop_all()
    rows = sum(carried.values())
    return opened, [
        tr(
            "ledger: set aside as {name}; {rows:,} rows of its other tables kept",
            name=damaged.name,
            rows=rows,
        )
    ]
