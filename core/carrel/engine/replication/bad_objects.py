# SPDX-License-Identifier: AGPL-3.0-or-later
"""Objects of the dark archive that are damaged or missing here, as far as it matters to a copy:
found, recorded, told."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain

from carrel.archive import Archive
from carrel.dark_archive.place import store_root
from carrel.dark_archive.repair import is_sound
from carrel.dark_archive.store import ObjectStore
from carrel.dark_archive.store_session import StoreSession
from carrel.engine.replication.in_copy import InCopy
from carrel.engine.replication.parts import is_of_dark, name_of_object, store_within
from carrel.engine.replication.register import Register
from carrel.errors import ArchiveError
from carrel.model.dark import Content
from carrel.translation import tr


def bad_objects(archive: Archive, register: Register) -> Mapping[str, Content]:
    """Return by their names in a copy the objects that are damaged or missing here: of those that
    are known to be, and those that the copy has in another size, or has alone. It is recorded.

    Raises ArchiveError.
    """
    if store_within(archive) is None:
        return {}
    contents = archive.ledger.dark.contents
    known = filter(None, map(contents.get, contents.faulty()))
    return _bad(archive, chain(known, _listed(archive, register, _of_other_size(register))))


def note_bad_objects(archive: Archive, register: Register, names: Iterable[str]) -> None:
    """Record which of these, by their names in a copy, are objects that are damaged or missing
    here. Raises ArchiveError."""
    if store_within(archive) is not None:
        _bad(archive, _listed(archive, register, names))


def was_purged(archive: Archive, register: Register, name: str) -> bool:
    """Say whether an object on the copy's list is one whose bytes were purged here, for good."""
    digest = register.digest(name) or ""
    is_gone = is_of_dark(name) and register.part(name) is None
    return is_gone and archive.ledger.dark.contents.is_purged(digest)


def bad_here(there: InCopy) -> str:
    """Return what to do about an object that is damaged or missing here, by how it is in the
    copy."""
    if there is InCopy.INTACT:
        return tr(
            "It is damaged or missing in this archive. The copy has it as it was copied: repair "
            "the archive from the copy."
        )
    return tr(
        "It is damaged or missing in this archive, and the copy does not have it intact either. "
        "“carrel dark rebuild” restores what can be made again."
    )


def _of_other_size(register: Register) -> Iterator[str]:
    for name, _ in register.listed():
        if is_of_dark(name):
            part = register.part(name)
            if part is None or part.size != register.size(name):
                yield name


def _listed(archive: Archive, register: Register, names: Iterable[str]) -> Iterator[Content]:
    """Yield the objects that the ledger has under these names and their digests in the copy."""
    for name in filter(is_of_dark, names):
        content = archive.ledger.dark.contents.get(register.digest(name) or "")
        if content is not None and name_of_object(archive, content) == name:
            yield content


def _bad(archive: Archive, suspected: Iterable[Content]) -> Mapping[str, Content]:
    store = ObjectStore.open(store_root(archive.path), writing=False)
    bad = {name_of_object(archive, each): each for each in suspected if not is_sound(store, each)}
    faulty = archive.ledger.dark.contents.is_faulty
    is_there = {each.sha256: (store.root / each.path).is_file() for each in bad.values()}
    found = {
        sha256: "damaged" if is_file else "missing"
        for sha256, is_file in is_there.items()
        if not faulty(sha256)
    }
    # Where another writes to it, or its journal is damaged, the next verification finds them.
    with suppress(ArchiveError):
        _record(archive, found)
    return bad


def _record(archive: Archive, found: Mapping[str, str]) -> None:
    if not found:
        return
    root = store_root(archive.path)
    with (
        archive.ledger_for_writing() as ledger,
        StoreSession.open(root, ledger.dark) as session,
    ):
        session.note_bad(found)
