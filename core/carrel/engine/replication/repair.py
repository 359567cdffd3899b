# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel repair`: what is damaged or missing here, and sound in a copy, comes back from there.

What the copy gives is proven twice before it takes its place: by the copy's own list, and by what
the archive knows of it: a WARC record by record by the ledger, a journal by its chain, an object of
the dark archive by its digest. What was damaged is kept beside it. The index is made anew from the
ledger whenever the archive is opened.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from carrel.archive import Archive
from carrel.capture.folder_sync import sync_folder
from carrel.engine.recovery import recover
from carrel.engine.replication.register import Register, list_of
from carrel.engine.replication.repair_journal import repair_journals
from carrel.engine.replication.repair_objects import repair_objects
from carrel.engine.replication.repair_papers import repair_papers
from carrel.engine.replication.repaired import (
    DAMAGED_IN_COPY,
    Repaired,
    not_repaired,
    place_for_damaged,
)
from carrel.engine.replication.replication import damage_in
from carrel.engine.replication.store import Store
from carrel.engine.staging import staged_copy
from carrel.engine.verification import verify, verify_paths
from carrel.model import Fate
from carrel.model.events import Emit, Event, RecordVerified, ignore
from carrel.translation import tr


async def repair(
    path: Path, store: Store, emit: Emit = ignore, *, place: str = ""
) -> Sequence[Repaired]:
    """Verify the archive in a folder, and repair what is damaged or missing and sound in a copy.

    `place` is what the copy is called where it is recorded.

    No one may have it open for writing. What was found, and that what was repaired is intact, is
    recorded in the ledger. Raises ArchiveError where there is no copy, ArchiveLocked, OSError where
    the copy cannot be read.
    """
    with list_of(store) as register:
        done = [*repair_papers(path, store, register), *repair_journals(path, store, register)]
        with Archive.create_or_open(path) as archive:
            recover(archive)
            remedy = tr("Repaired from the second copy in {place}.", place=place)
            done += await _repair_warcs(archive, store, register, emit, remedy)
            done += repair_objects(archive, store, register)
    return done


async def _repair_warcs(
    archive: Archive, store: Store, register: Register, emit: Emit, remedy: str
) -> Sequence[Repaired]:
    damaged: set[Path] = set()

    def note(event: Event) -> None:
        emit(event)
        if isinstance(event, RecordVerified) and event.check.fate is not Fate.INTACT:
            damaged.add(Path(event.check.path))

    await verify(archive, None, note)
    done = [_repair(archive, store, register, path) for path in sorted(damaged)]
    if repaired := [archive.path / each.name for each in done if not each.trouble]:
        await verify_paths(repaired, archive, remedy=remedy)
    return done


def _repair(archive: Archive, store: Store, register: Register, path: Path) -> Repaired:
    name = path.relative_to(archive.path).as_posix()
    listed = register.digest(name)
    if listed is None:
        return Repaired(name, trouble=tr("It is not in the copy."))
    try:
        copy = staged_copy(archive.staging, "repair", path.name, store.read(name))
        with copy as (staged, sha256):
            if sha256 != listed:
                return Repaired(name, trouble=DAMAGED_IN_COPY)
            if faults := damage_in(archive, staged, lambda count: None):
                trouble = tr("In the copy, too: {fault}", fault=faults[0])
                return Repaired(name, trouble=trouble)
            kept_as = _set_aside(path)
            staged.replace(path)
            sync_folder(path.parent)
    except OSError as error:
        return not_repaired(name, error)
    return Repaired(name, kept_as)


def _set_aside(path: Path) -> str:
    """Give a damaged file a second name beside it, and return that; "" if there is no file."""
    if not path.exists():
        return ""
    kept = place_for_damaged(path)
    try:
        os.link(path, kept)
    except OSError:  # a file system without links
        shutil.copy2(path, kept)
    return kept.name
