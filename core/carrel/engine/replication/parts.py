# SPDX-License-Identifier: AGPL-3.0-or-later
"""What of an archive goes into a copy, and how each part changes over time."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import chain
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from carrel.archive import COLLECTIONS_NAME, LEDGER_NAME, README_NAME, Archive
from carrel.capture.stored import member_pieces
from carrel.dark_archive.entries import ENTRIES as DARK_ENTRIES
from carrel.dark_archive.place import dark_folder, store_root
from carrel.dark_archive.store.file_system import LOCK
from carrel.errors import ArchiveError
from carrel.journal.faults import find_faults
from carrel.journal.groups import is_month_file, month_files
from carrel.journal.tail import find_head
from carrel.ledger_journal import ENTRIES, JOURNAL_NAME
from carrel.model.dark import Content
from carrel.model.endings import WARC_ENDINGS
from carrel.settings import SETTINGS_NAME
from carrel.translation import tr

# The folders of the dark archive's objects begin with three digits of a time.
_OBJECT = re.compile(r"\d{3}/", re.ASCII)

_BEFORE = f"{JOURNAL_NAME}.before-"
_LEDGER_BEFORE = f"{LEDGER_NAME}.before-"


class Change(StrEnum):
    """How a part changes: never, at its end only, or as a whole."""

    NEVER = "never"
    GROWS = "grows"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class Part:
    """A file of an archive. `name` is its path there and in the copy, with slashes.

    The first `size` bytes of `path` are copied: what stands behind them is not finished.
    """

    name: str
    path: Path
    size: int
    change: Change

    @property
    def is_warc(self) -> bool:
        """Whether it is one of the collections' WARC files."""
        return is_of_warcs(self.name)

    def pieces(self) -> Iterator[bytes]:
        """Yield what is copied of it. Raises OSError, and Damaged where it became shorter."""
        return self.beginning(self.size)

    def beginning(self, size: int) -> Iterator[bytes]:
        """Yield so many bytes of it. Raises as `pieces`."""
        return member_pieces(self.path, 0, size)


@contextmanager
def parts_of(archive: Archive) -> Iterator[Iterator[Part]]:
    """Give the parts of an archive in the order in which they are copied.

    The ledger is a copy of this moment, and what it tells of is among the parts: whatever another
    process writes meanwhile comes with the next copy. Raises ArchiveError and OSError.
    """
    with TemporaryDirectory(prefix="carrel-ledger-") as folder:
        ledger = Path(folder) / LEDGER_NAME
        archive.ledger.copy_to(ledger)
        root = archive.path
        state = [*_journal(root, root / JOURNAL_NAME), _part(LEDGER_NAME, ledger, Change.REPLACED)]
        yield chain(_collections(root), _dark(root), _papers(root), state)


def _papers(root: Path) -> Iterator[Part]:
    for name in (README_NAME, SETTINGS_NAME, COLLECTIONS_NAME):
        if (root / name).is_file():
            yield _part(name, root / name, Change.REPLACED)


def _collections(root: Path) -> Iterator[Part]:
    for path in sorted(root.glob("collections/*/archive/*")):
        if path.name.lower().endswith(WARC_ENDINGS):
            yield _part(_name(path, root), path, Change.NEVER)
    for path in sorted(root.glob("collections/*/indexes/*.cdxj")):
        yield _part(_name(path, root), path, Change.REPLACED)


def _journal(root: Path, folder: Path) -> Iterator[Part]:
    """Yield the files of a journal, up to its last commit."""
    files = month_files(folder)
    head = find_head(files)
    if head is None:
        raise _damaged(folder, files, is_dark=folder != root / JOURNAL_NAME)
    for path in files:
        size = head.end if path.name == head.file else path.stat().st_size
        if path.name <= head.file:
            yield Part(_name(path, root), path, size, Change.GROWS)


def _damaged(folder: Path, files: Sequence[Path], *, is_dark: bool) -> ArchiveError:
    """Return that a journal is no good to copy: where it is damaged first, and what helps."""
    anew = tr("“carrel rebuild --journal” begins a new one from the ledger, and keeps the old one.")
    if is_dark:
        anew = tr("“carrel dark rebuild” repairs what the ledger of the dark archive has of it.")
    faults = find_faults(files, DARK_ENTRIES if is_dark else ENTRIES)
    return ArchiveError(
        tr(
            "The journal in {folder} is damaged, so it is neither copied nor compared: a good copy "
            "would be replaced by a bad one. {fault} “carrel repair --from” brings back what a "
            "second copy has of it. If none has it: {anew}",
            folder=folder,
            fault=next((str(each) for each in faults if each.is_damage), ""),
            anew=anew,
        )
    )


def _dark(root: Path) -> Iterator[Part]:
    """Yield what the dark archive has within this folder."""
    dark = dark_folder(root)
    store = store_root(root)
    for folder, below, names in os.walk(dark):
        below.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if path.is_symlink() or name == LOCK or is_of_journal(_name(path, root)):
                continue
            inside = path.is_relative_to(store)
            is_object = inside and _OBJECT.match(path.relative_to(store).as_posix())
            change = Change.NEVER if is_object else Change.REPLACED
            yield _part(_name(path, root), path, change)
    if store.is_relative_to(dark):
        yield from _journal(root, store / JOURNAL_NAME)


def is_of_journal(name: str) -> bool:
    """Say whether an object of a copy is one of the files of a journal."""
    folder, _, file = name.rpartition("/")
    return folder.rpartition("/")[2] == JOURNAL_NAME and is_month_file(file)


def is_of_warcs(name: str) -> bool:
    """Say whether an object of a copy is one of the collections' WARC files."""
    is_in_place = PurePosixPath(name).match("collections/*/archive/*")
    return is_in_place and name.lower().endswith(WARC_ENDINGS)


def is_of_dark(name: str) -> bool:
    """Say whether an object of a copy is of the dark archive, which `verify` does not read."""
    return PurePosixPath(name).is_relative_to(dark_folder(Path()).name)


def verify_command(name: str) -> str:
    """Return what reads an object of a copy here."""
    return "carrel dark verify" if is_of_dark(name) else "carrel verify"


def is_of_index(name: str) -> bool:
    """Say whether an object of a copy is one of the files of the index, which come and go."""
    return PurePosixPath(name).match("collections/*/indexes/*.cdxj")


def name_before(name: str, moment: datetime) -> str:
    """Return what a file of the archive's journal is called in a copy that got a new journal."""
    file = name.rpartition("/")[2]
    return f"{_BEFORE}{moment.astimezone(UTC):%Y-%m-%dT%H%M%SZ}/{file}"


def ledger_name_before(moment: datetime) -> str:
    """Return what the ledger is called in a copy that got one which was made again."""
    return f"{_LEDGER_BEFORE}{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def is_from_before(name: str) -> bool:
    """Say whether an object of a copy is a ledger, or of a journal, that gave way to a new one."""
    return name.startswith((_BEFORE, _LEDGER_BEFORE))


def store_elsewhere(archive: Archive) -> Path | None:
    """Return the dark archive's object store if it is outside of the archive's folder."""
    store = store_root(archive.path)
    is_there = dark_folder(archive.path).is_dir() and store.is_dir()
    return store if is_there and not store.is_relative_to(dark_folder(archive.path)) else None


def store_within(archive: Archive) -> Path | None:
    """Return the dark archive's object store if it is there, within the archive's folder."""
    store = store_root(archive.path)
    is_there = store.is_dir() and store.is_relative_to(dark_folder(archive.path))
    return store if is_there else None


def name_of_object(archive: Archive, content: Content) -> str:
    """Return what an object of such a store is called in a copy."""
    return _name(store_root(archive.path) / content.path, archive.path)


def _part(name: str, path: Path, change: Change) -> Part:
    return Part(name, path, path.stat().st_size, change)


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()
