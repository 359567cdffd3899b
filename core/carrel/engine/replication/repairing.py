# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel repair`: what is damaged or missing here, and sound in a copy, comes back from there.

What the copy gives is proven twice before it takes its place: by the copy's own list, and by what
the archive knows of it: a WARC record by record by the ledger, a journal by its chain, an object of
the dark archive by its digest. What was damaged is kept beside it. The index is made anew from the
ledger.
"""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

from carrel.archive import LEDGER_NAME, Archive
from carrel.engine.recovery import recover
from carrel.engine.replication.register import list_of
from carrel.engine.replication.repair_journal import (
    repair_dark_journal,
    repair_journal,
    repair_journals,
)
from carrel.engine.replication.repair_objects import repair_objects
from carrel.engine.replication.repair_papers import repair_papers
from carrel.engine.replication.repair_warcs import Warcs
from carrel.engine.replication.repaired import Repaired, not_repaired
from carrel.engine.replication.replication import Tell
from carrel.engine.replication.store import Store
from carrel.engine.replication.whose import refuse_stranger
from carrel.ledger import Ledger
from carrel.model.events import Emit, ignore


async def repair(
    path: Path, store: Store, emit: Emit = ignore, *, place: str = ""
) -> Sequence[Repaired]:
    """Verify the archive in a folder, and repair what is damaged or missing and sound in a copy.

    `place` is what the copy is called where it is recorded.

    No one may have it open for writing. What was found, and that what was repaired is intact, is
    recorded in the ledger. Raises ArchiveError where there is no copy, or that of another archive,
    ArchiveLocked, OSError where the copy cannot be read.
    """
    with list_of(store) as register:
        with Ledger(path / LEDGER_NAME, writing=False) as ledger:  # the settings may be gone
            refuse_stranger(path, ledger, store, register)
        done = [*repair_papers(path, store, register), *repair_journals(path, store, register)]
        with Archive.create_or_open(path) as archive:
            done += repair_index(archive)
            recover(archive)
            done += await Warcs(archive, store, register, _untold).repaired(emit, place)
            done += repair_objects(archive, store, register, _untold)
    return done


def repair_in_use(
    archive: Archive, store: Store, tell: Tell, *, place: str = ""
) -> Sequence[Repaired]:
    """As `repair`, of an archive that is open for writing here, but for its dark archive. Blocks.

    What `tell` raises ends it; it is called on the thread of the caller.
    """
    with list_of(store) as register:
        refuse_stranger(archive.path, archive.ledger, store, register)
        done = [*repair_papers(archive.path, store, register)]
        with archive.journal_at_rest():
            done += repair_journal(archive, archive.ledger, store, register)
        done += repair_index(archive)
        warcs = Warcs(archive, store, register, tell)
        return [*done, *asyncio.run(warcs.repaired(warcs.tell_or_end, place))]


def repair_dark_in_use(archive: Archive, store: Store, tell: Tell) -> Sequence[Repaired]:
    """Repair the dark archive of an archive that is open for writing here. Blocks.

    No one else may do anything to the dark archive meanwhile. What `tell` raises ends it.
    """
    with list_of(store) as register:
        refuse_stranger(archive.path, archive.ledger, store, register)
        done = [*repair_dark_journal(archive, store, register)]
        return [*done, *repair_objects(archive, store, register, tell)]


def repair_index(archive: Archive) -> Iterator[Repaired]:
    """Make the index anew where it does not say what the ledger does; yield what became of it."""
    name = archive.index.cdxj.path.relative_to(archive.path).as_posix()
    try:
        if archive.index.mend():
            yield Repaired(name)
    except OSError as error:
        yield not_repaired(name, error)


def _untold(_done: int, _total: int) -> None:
    """How far it is with what is copied is told no one."""
