# SPDX-License-Identifier: AGPL-3.0-or-later
"""Journals that are not as they were written, repaired from a copy of their beginnings.

A copy of a journal is a beginning of it, and its lines prove each other. Each group of lines that
is not here as it is there is put back; what followed the copied part here stays. What stood in
their place is kept beside it.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from carrel.archive import Archive
from carrel.capture.folder_sync import sync_folder
from carrel.dark_archive.entries import ENTRIES as DARK_ENTRIES
from carrel.dark_archive.place import dark_folder, store_root
from carrel.engine.replication.parts import is_of_journal
from carrel.engine.replication.register import Register
from carrel.engine.replication.repaired import DAMAGED_IN_COPY, Repaired
from carrel.engine.replication.store import Store
from carrel.engine.staging import folder_for, stage
from carrel.errors import ArchiveError
from carrel.journal import Codec, Head, Journal
from carrel.journal.faults import find_faults
from carrel.journal.groups import BEGINNING, month_files
from carrel.journal.repair import forks, holds, put_back
from carrel.journal.tail import find_head, is_held
from carrel.ledger import Ledger
from carrel.ledger_journal import ENTRIES, JOURNAL_NAME
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

_ANOTHER = tr(
    "The copy has another journal, as from before this one was begun. Nothing was taken from it: "
    "begin a new journal from the ledger (“carrel rebuild --journal”, or the page Overview)."
)


def repair_journals(path: Path, store: Store, register: Register) -> Iterator[Repaired]:
    """Yield what became of the journals of an archive that no one has open for writing.

    Raises ArchiveError, ArchiveLocked.
    """
    with Archive.open_for_reading(path) as archive, archive.ledger_for_writing() as ledger:
        yield from repair_journal(archive, ledger, store, register)
        yield from repair_dark_journal(archive, store, register)


def repair_journal(
    archive: Archive, ledger: Ledger, store: Store, register: Register
) -> Iterator[Repaired]:
    """Yield what became of the journal of an archive, to which no one may append meanwhile."""
    position = ledger.unjournaled.position
    known = (
        Head(position.lines, position.sha256, position.file, position.end)
        if position
        else BEGINNING
    )
    folder = archive.path / JOURNAL_NAME
    repair = _Repair(archive, folder, ENTRIES, known)
    yield from repair.run(store, register)
    if ledger.unjournaled.damage:
        ledger.unjournaled.note_damage(repair.fault())


def repair_dark_journal(archive: Archive, store: Store, register: Register) -> Iterator[Repaired]:
    """Yield what became of the journal of a dark archive, to which no one may append meanwhile."""
    root = store_root(archive.path)
    if root.is_relative_to(dark_folder(archive.path)):
        folder = root / JOURNAL_NAME
        yield from _Repair(archive, folder, DARK_ENTRIES, BEGINNING).run(store, register)


class _Repair:
    """The repair of one journal."""

    def __init__(self, archive: Archive, folder: Path, codec: Codec[Any], known: Head) -> None:
        self._archive, self._folder, self._codec, self._known = archive, folder, codec, known
        self._name = folder.relative_to(archive.path).as_posix()

    def run(self, store: Store, register: Register) -> Iterator[Repaired]:
        names = [name for name, _ in register.listed() if self._is_mine(name)]
        gone = [name for name in names if not (self._archive.path / name).exists()]
        if not names or not (gone or self.fault()):
            return
        with folder_for(self._archive.staging, "repair") as copied:
            bad = [name for name in names if not _fetched(store, register, name, copied)]
            if bad:
                yield from (Repaired(each, trouble=DAMAGED_IN_COPY) for each in bad)
                return
            if self._is_another(copied):
                if self.fault():
                    yield Repaired(self._name, trouble=_ANOTHER)
                return
            yield from self._put_back(copied)

    def _put_back(self, copied: Path) -> Iterator[Repaired]:
        self._folder.mkdir(parents=True, exist_ok=True)
        before = {each.name for each in self._folder.iterdir()}
        touched, trouble = set[str](), ""
        try:
            for path in month_files(copied):
                if not (self._folder / path.name).exists():
                    _copy_into(path, self._folder / path.name, copied)
                    touched.add(path.name)
            now = datetime.now(UTC)
            for group in Journal.open(copied, self._codec, writing=False, now=lambda: now).groups():
                if not holds(self._folder / group.file, group.offset, group.data):
                    put_back(self._folder, group.file, group.offset, group.data, now)
                    touched.add(group.file)
        except (ArchiveError, OSError) as error:
            trouble = str(error)
        trouble = trouble or self.fault()
        kept = sorted({each.name for each in self._folder.iterdir()} - before - touched)
        for name in sorted(touched) or [""]:
            whole = f"{self._name}/{name}".rstrip("/")
            yield Repaired(whole, "" if trouble else ", ".join(kept), trouble)

    def _is_another(self, copied: Path) -> bool:
        """Say whether the journal in the copy proves not to be that of this archive, as after a new
        one was begun."""
        there = month_files(copied)
        head = find_head(there)
        if (
            head is not None
            and head.lines >= self._known.lines
            and not is_held(copied, self._known)
        ):
            return True
        return forks(month_files(self._folder), there)

    def fault(self) -> str:
        """Return the first thing that is wrong with the journal, "" if nothing is."""
        found = find_faults(month_files(self._folder), self._codec, self._known)
        return next((str(each) for each in found if each.is_damage), "")

    def _is_mine(self, name: str) -> bool:
        return is_of_journal(name) and name.rpartition("/")[0] == self._name


def _fetched(store: Store, register: Register, name: str, folder: Path) -> bool:
    """Have a file of a copy in a folder; say whether it is as it was copied. Raises OSError."""
    try:
        sha256 = stage(folder / name.rpartition("/")[2], store.read(name))
    except FileNotFoundError:
        return False
    return sha256 == register.digest(name)


def _copy_into(source: Path, target: Path, copied: Path) -> None:
    """Have a file also where none is, whole."""
    part = copied / f"{source.name}.part"
    with source.open("rb") as file:
        stage(part, iter(lambda: file.read(MEBIBYTE), b""))
    part.replace(target)
    sync_folder(target.parent)
