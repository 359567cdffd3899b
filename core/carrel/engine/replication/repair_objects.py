# SPDX-License-Identifier: AGPL-3.0-or-later
"""Objects of the dark archive that are damaged or missing, repaired from a copy.

Each must be as its journal has it, by its SHA-256; the list in the copy alone proves nothing.
"""

from collections.abc import Iterator
from pathlib import Path

from carrel.archive import Archive
from carrel.dark_archive.place import dark_folder, store_root
from carrel.dark_archive.store import ObjectStore
from carrel.engine.replication.register import Register
from carrel.engine.replication.repaired import DAMAGED_IN_COPY, Repaired, not_repaired
from carrel.engine.replication.replication import Tell
from carrel.engine.replication.store import Store
from carrel.engine.staging import staged_copy
from carrel.errors import ArchiveError
from carrel.model.dark import Content
from carrel.translation import tr


def repair_objects(
    archive: Archive, store: Store, register: Register, tell: Tell
) -> Iterator[Repaired]:
    """Yield what became of each object that is not as the ledger has it. Reads all of them.

    `tell` is called before each, with how many there are, and may raise. Raises ArchiveError where
    the object store cannot be opened.
    """
    root = store_root(archive.path)
    if not root.is_dir() or not root.is_relative_to(dark_folder(archive.path)):
        return
    objects = ObjectStore.open(root, writing=True)
    contents = archive.ledger.dark.contents
    count = contents.count()
    for number, content in enumerate(contents.all(), 1):
        tell(number, count)
        if not _is_sound(objects, content):
            name = (root / content.path).relative_to(archive.path).as_posix()
            yield _repair(archive, objects, content, name, (store, register))


def _is_sound(objects: ObjectStore, content: Content) -> bool:
    try:
        sha256, _ = objects.fixity(content.path)
    except OSError:
        return False
    return sha256 == content.sha256


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
    was_there = (objects.root / content.path).is_file()
    try:
        with staged_copy(archive.staging, "repair", "object", store.read(name)) as (staged, sha256):
            if sha256 != content.sha256:
                return Repaired(name, trouble=DAMAGED_IN_COPY)
            _mend(objects, content, staged)
    except (ArchiveError, OSError) as error:
        return not_repaired(name, error)
    return Repaired(name, tr("one of the dark archive's quarantine") if was_there else "")


def _mend(objects: ObjectStore, content: Content, staged: Path) -> None:
    with staged.open("rb") as file:
        objects.mend(content.path, file)
