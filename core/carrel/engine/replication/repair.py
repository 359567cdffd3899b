# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel repair`: WARCs with damaged or missing records are put right from a copy.

What the copy gives is proven twice before it takes its place: by the copy's own list, and record by
record by the ledger. What was damaged is kept beside it.
"""

import hashlib
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from carrel.archive import Archive
from carrel.capture.folder_sync import sync_folder
from carrel.engine.replication.copy_list import LIST_NAME, read_list
from carrel.engine.replication.digests import unnoted
from carrel.engine.replication.replication import damage_in
from carrel.engine.replication.store import Store
from carrel.engine.verification import verify, verify_paths
from carrel.errors import ArchiveError
from carrel.model import Fate
from carrel.model.events import Emit, Event, RecordVerified, ignore
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class Repaired:
    """What became of one WARC. `kept_as` is what the damaged one is called now, "" if there was
    none; `trouble` says why it could not be repaired, "" if it was."""

    name: str
    kept_as: str = ""
    trouble: str = ""


async def repair(archive: Archive, store: Store, emit: Emit = ignore) -> AsyncIterator[Repaired]:
    """Verify the archive, and repair each WARC in which something is not intact.

    The archive must be open for writing. What was found, and that what was repaired is intact, is
    recorded in the ledger. Raises ArchiveError where there is no copy, OSError where it cannot be
    read.
    """
    listed = read_list(store)
    if listed is None:
        raise ArchiveError(
            tr("There is no copy of an archive: {name} is not there.", name=LIST_NAME)
        )
    damaged: set[str] = set()

    def note(event: Event) -> None:
        emit(event)
        if isinstance(event, RecordVerified) and event.check.fate is not Fate.INTACT:
            path = Path(event.check.path)
            if path.name and path.parent == archive.warcs:
                damaged.add(path.name)

    await verify(archive, None, note)
    for name in sorted(damaged):
        done = _repair(archive, store, listed, name)
        if not done.trouble:
            await verify_paths([archive.warcs / name], archive)
        yield done


def _repair(archive: Archive, store: Store, listed: dict[str, str], name: str) -> Repaired:
    path = archive.warcs / name
    object_name = path.relative_to(archive.path).as_posix()
    if object_name not in listed:
        return Repaired(name, trouble=tr("It is not in the copy."))
    try:
        with _fetched(archive, store, object_name) as (staged, sha256):
            if sha256 != listed[object_name]:
                return Repaired(name, trouble=tr("It is damaged in the copy, too."))
            if faults := damage_in(archive, staged, unnoted):
                trouble = tr("In the copy, too: {fault}", fault=faults[0])
                return Repaired(name, trouble=trouble)
            kept_as = _set_aside(path)
            staged.replace(path)
            sync_folder(path.parent)
    except FileNotFoundError:
        return Repaired(name, trouble=tr("It is gone from the copy."))
    except OSError as error:
        reason = error.strerror or error
        return Repaired(name, trouble=tr("It cannot be repaired: {reason}.", reason=reason))
    return Repaired(name, kept_as)


@contextmanager
def _fetched(archive: Archive, store: Store, name: str) -> Iterator[tuple[Path, str]]:
    """Give an object of the copy as a file that has reached the disk, with its SHA-256."""
    folder = archive.staging / "repair"
    shutil.rmtree(folder, ignore_errors=True)  # what a kill left
    folder.mkdir(parents=True)
    try:
        digest, staged = hashlib.sha256(), folder / name.rpartition("/")[2]
        with staged.open("xb") as file:
            for piece in store.read(name):
                digest.update(piece)
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        yield staged, digest.hexdigest()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _set_aside(path: Path) -> str:
    """Give a damaged file a second name beside it, and return that; "" if there is no file."""
    if not path.exists():
        return ""
    names = (f"{path.name}.damaged{f'-{number}' if number > 1 else ''}" for number in count(1))
    kept = next(each for each in map(path.with_name, names) if not each.exists())
    try:
        os.link(path, kept)
    except OSError:  # a file system without links
        shutil.copy2(path, kept)
    return kept.name
