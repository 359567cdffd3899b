# SPDX-License-Identifier: AGPL-3.0-or-later
"""Setting aside what does not belong in a store, and putting right what was damaged."""

import os
import shutil
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from carrel.dark_archive.store import disk
from carrel.dark_archive.store.file_system import FURNITURE, QUARANTINE, FileSystem
from carrel.dark_archive.store.names import split_path
from carrel.errors import ArchiveError
from carrel.translation import tr

_REASONS = "why.tsv"


def quarantine(ground: FileSystem, path: str, why: str) -> str:
    """Move something out of the way and keep it, with the reason in `quarantine/why.tsv`.

    Returns where it is now, below the root. Raises ArchiveError for what is no path inside of the
    store, FileNotFoundError, OSError.
    """
    source = _inside(ground, path)
    disk.make_folders(ground.root, str(PurePosixPath(QUARANTINE, path).parent))
    for number in chain(("",), (f".{number}" for number in count(2))):
        kept = f"{QUARANTINE}/{path}{number}"
        if not os.path.lexists(ground.root / kept):
            break
    _note(ground, kept, why)
    source.rename(ground.root / kept)
    disk.sync_all([source.parent, (ground.root / kept).parent])
    return kept


def sweep(ground: FileSystem) -> list[str]:
    """Remove what an earlier process left in `.incoming`; none of it was ever placed or journalled.

    Returns what there was. Raises OSError.
    """
    left = sorted(ground.incoming.iterdir())
    for path in left:
        disk.remove(path)
    return [str(PurePosixPath(path.relative_to(ground.root).as_posix())) for path in left]


def mend(ground: FileSystem, path: str, data: BinaryIO) -> str:
    """Put bytes in the place of damaged or missing ones; what is there goes to quarantine.

    Returns where that is now, below the root, "" if nothing was there. Raises ArchiveError for
    what is no object's path, OSError.
    """
    if split_path(path) is None:
        raise ArchiveError(
            tr(
                "“{path}” is not the path of an object in {root}.",
                path=path[:300],
                root=ground.root,
            )
        )
    target, fresh, kept = ground.root / path, ground.fresh("mended"), ""
    try:
        with os.fdopen(os.open(fresh, disk.NEW_FILE, disk.READ_ONLY_MODE), "wb") as file:
            shutil.copyfileobj(data, file, 1024 * 1024)
            file.flush()
            os.fsync(file.fileno())
        parents = disk.make_folders(ground.root, path.rpartition("/")[0])
        if os.path.lexists(target):
            kept = quarantine(ground, path, tr("damaged; sound bytes were put in its place"))
        disk.place(str(fresh), str(target))
    finally:
        disk.remove(fresh)
    disk.sync_all([target.parent, *parents])
    return kept


def _inside(ground: FileSystem, path: str) -> Path:
    """Return where something is that is not one of the store's own parts."""
    parts = path.split("/")
    if parts[0] in FURNITURE or any(part in ("", ".", "..") for part in parts):
        raise ArchiveError(
            tr(
                "“{path}” is not a file in {root} that can be set aside.",
                path=path[:300],
                root=ground.root,
            )
        )
    for folder in _above(ground.root, parts[:-1]):
        if folder.is_symlink():
            raise ArchiveError(tr("{folder} is a link; its target was not changed.", folder=folder))
    place = ground.root.joinpath(*parts)
    place.lstat()
    return place


def _above(root: Path, parts: list[str]) -> Iterator[Path]:
    for end in range(1, len(parts) + 1):
        yield root.joinpath(*parts[:end])


def _note(ground: FileSystem, kept: str, why: str) -> None:
    """Write down a reason. It is a courtesy: the fact stands in the place itself."""
    line = "\t".join(" ".join(text.split()) for text in (kept, why)) + "\n"
    path = ground.quarantine / _REASONS
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | disk.NO_FOLLOW | disk.BINARY
    handle = os.open(path, flags, 0o644)
    try:
        os.write(handle, line.encode(errors="surrogateescape"))
    finally:
        os.close(handle)
