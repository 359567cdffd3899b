# SPDX-License-Identifier: AGPL-3.0-or-later
"""Objects of the dark archive that are damaged or missing, repaired from a copy.

Each must be as its journal has it, by its SHA-256; the list in the copy alone proves nothing.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from carrel.archive import Archive
from carrel.dark_archive.place import store_root
from carrel.dark_archive.repair import is_sound
from carrel.dark_archive.store import ObjectStore
from carrel.dark_archive.store_session import StoreSession
from carrel.engine.replication.parts import name_of_object, store_within
from carrel.engine.replication.register import Register
from carrel.engine.replication.repaired import DAMAGED_IN_COPY, Repaired, not_repaired
from carrel.engine.replication.replication import Tell
from carrel.engine.replication.store import Store
from carrel.engine.staging import staged_copy
from carrel.errors import ArchiveError, JournalDamaged
from carrel.model.dark import Content
from carrel.translation import tr


def repair_objects(
    archive: Archive, store: Store, register: Register, tell: Tell
) -> Iterator[Repaired]:
    """Yield what became of each object that is not as the ledger has it. Reads all of them.

    What is intact by the end, and was not before or not known to be, is recorded as repaired.
    `tell` is called before each, with how many there are, and may raise. Raises ArchiveError where
    the object store cannot be opened.
    """
    root = store_within(archive)
    if root is None:
        return
    objects = ObjectStore.open(root, writing=True)
    contents = archive.ledger.dark.contents
    count, faulty, mended = contents.count(), set(contents.faulty()), list[str]()
    try:
        for number, content in enumerate(contents.all(), 1):
            tell(number, count)
            if is_sound(objects, content):
                if content.sha256 in faulty:  # repaired by one that was killed, or by hand
                    mended.append(content.sha256)
                continue
            name = name_of_object(archive, content)
            done = _repair(archive, objects, content, name, (store, register))
            if done.is_repaired:
                mended.append(content.sha256)
            yield done
    finally:
        _note_repaired(archive, mended)


def _note_repaired(archive: Archive, mended: Sequence[str]) -> None:
    """Record, by their SHA-256, the objects that are intact again. Raises ArchiveError."""
    if not mended:
        return
    root, dark = store_root(archive.path), archive.ledger.dark
    # A damaged journal is not written to: the next verification finds them intact.
    with suppress(JournalDamaged), StoreSession.open(root, dark) as session:
        session.note_mended(mended)


def _repair(
    archive: Archive,
    objects: ObjectStore,
    content: Content,
    name: str,
    copy: tuple[Store, Register],
) -> Repaired:
    store, register = copy
    if register.digest(name) is None:
        return Repaired(name, trouble=tr("It is not in the copy."))
    try:
        with staged_copy(archive.staging, "repair", "object", store.read(name)) as (staged, sha256):
            if sha256 != content.sha256:
                return Repaired(name, trouble=DAMAGED_IN_COPY)
            kept = _mend(objects, content, staged)
    except (ArchiveError, OSError) as error:
        return not_repaired(name, error)
    root = objects.root.relative_to(archive.path)
    return Repaired(name, (root / kept).as_posix() if kept else "")


def _mend(objects: ObjectStore, content: Content, staged: Path) -> str:
    with staged.open("rb") as file:
        return objects.mend(content.path, file)
