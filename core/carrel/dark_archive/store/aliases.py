# SPDX-License-Identifier: AGPL-3.0-or-later
"""Redirects shown in the file manager: small text files with a relative target, or symlinks.

They are a convenience. What redirects where is in the journal; nothing is read by way of them.
"""

import hashlib
import os
from pathlib import Path

from carrel.dark_archive.store import disk
from carrel.dark_archive.store.file_system import FileSystem
from carrel.dark_archive.store.names import (
    LINK_SUFFIX,
    folder_of,
    further_names,
    object_name,
    says_all,
    split_path,
)
from carrel.dark_archive.store.tables import add_names
from carrel.errors import ArchiveError
from carrel.translation import tr

# Every object lies three folders below the root.
_UP = "../../../"


def write_link(
    ground: FileSystem, tist: int, identifier: str, target_path: str, *, symbolic: bool = False
) -> str:
    """Write an alias for an object, and return its path below the root.

    It leads to an object, never to another alias, and never out of the store. One that is there
    already is left. Raises ArchiveError where the target is no object, or every name is taken.
    """
    target = ground.root / target_path
    if split_path(target_path) is None or target.is_symlink() or not target.is_file():
        raise ArchiveError(
            tr(
                "“{target_path}” is not an object that an alias can refer to.",
                target_path=target_path[:300],
            )
        )
    try:
        parents = disk.make_folders(ground.root, folder_of(tist))
        path = _write(ground, tist, identifier, _UP + target_path, symbolic)
        disk.sync_all([ground.root / folder_of(tist), *parents])
    except OSError as error:
        raise disk.trouble(
            error, tr("An alias to {target_path} was not written", target_path=target_path)
        ) from error
    return path


def _write(ground: FileSystem, tist: int, identifier: str, leads_to: str, symbolic: bool) -> str:
    folder, limit = folder_of(tist), ground.name_limit
    own = object_name(identifier, limit)
    digest = hashlib.sha256(leads_to.encode()).hexdigest()
    for name in (own, *further_names(identifier, digest, limit)):
        path = f"{folder}/{name}" if symbolic else f"{folder}/{name}{LINK_SUFFIX}"
        place = ground.root / path
        if not os.path.lexists(place):
            if not says_all(name, identifier):
                add_names(ground, folder, {path.rpartition("/")[2]: identifier})
            _make(ground, place, leads_to, symbolic)
            return path
        if _read(place, symbolic) == leads_to:
            return path
    raise ArchiveError(
        tr("Every name for an alias of {own} is taken in {folder}.", own=own, folder=folder)
    )


def _make(ground: FileSystem, place: Path, leads_to: str, symbolic: bool) -> None:
    fresh = ground.fresh("link")
    try:
        if symbolic:
            place.symlink_to(leads_to)
        else:
            disk.write_new(str(fresh), f"{leads_to}\n".encode(), synced=True)
            disk.place(str(fresh), str(place))
    finally:
        disk.remove(fresh)


def _read(place: Path, symbolic: bool) -> str | None:
    """Return where an alias leads, None for anything else."""
    if place.is_symlink():
        return os.readlink(place) if symbolic else None
    return None if symbolic else place.read_text(encoding="utf-8", errors="replace").strip()
