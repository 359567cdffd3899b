# SPDX-License-Identifier: AGPL-3.0-or-later
"""Finding an object store, or making one: its root, its description, the ground it stands on."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carrel.dark_archive.store import description, disk, file_system_probe
from carrel.dark_archive.store.file_system import (
    DESCRIPTION,
    FURNITURE,
    INCOMING,
    JOURNAL,
    OF_THE_SYSTEM,
    QUARANTINE,
    FileSystem,
    name_limit,
    reachable,
)
from carrel.dark_archive.store.names import SHORTEST_LIMIT
from carrel.errors import ArchiveError
from carrel.translation import tr

_LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class Found:
    """A store as it was found. `problem` is a sentence about a bad `store.json`, else None."""

    ground: FileSystem
    probed: Mapping[str, Any]
    is_new: bool
    problem: str | None


def find(root: Path, *, writing: bool, force: bool) -> Found:
    """Return the store at `root`, made or put right if it is opened for writing.

    Raises ArchiveError for a folder of other things, for FAT unless forced, and where there is no
    store to read; OSError.
    """
    root = reachable(root)
    if not writing and not root.is_dir():
        raise ArchiveError(tr("There is no object store at {root}.", root=root))
    probed, problem = _read(root / DESCRIPTION)
    is_new = probed is None and not _holds_a_store(root)
    if probed is None:
        _refuse_foreign(root, is_new)
        if not writing and is_new:
            raise ArchiveError(
                tr(
                    "There is no object store at {root}: it has no {description}.",
                    root=root,
                    description=DESCRIPTION,
                )
            )
    if writing:
        probed = _ready(root, probed, force)
    return Found(_ground(root, probed or {}), probed or {}, is_new, None if is_new else problem)


def _read(path: Path) -> tuple[Mapping[str, Any] | None, str | None]:
    """Return what was probed, or None and what is wrong."""
    try:
        return description.read(path.read_bytes()), None
    except FileNotFoundError:
        return None, tr("{path} is missing; the store is complete without it.", path=path)
    except (description.BadDescription, IsADirectoryError):
        return None, tr("{path} is damaged; the store is complete without it.", path=path)


def _holds_a_store(root: Path) -> bool:
    """Say whether objects were kept here, or told of, or a description lies here."""
    if not root.is_dir():
        return False
    has_objects = any(len(path.name) == 3 and path.name.isdigit() for path in root.iterdir())
    return has_objects or (root / DESCRIPTION).exists() or any(root.glob(f"{JOURNAL}/*.jsonl"))


def _refuse_foreign(root: Path, is_new: bool) -> None:
    if not is_new or not root.exists():
        return
    ours = FURNITURE | OF_THE_SYSTEM
    foreign = sorted(path.name for path in root.iterdir() if path.name not in ours)
    if foreign:
        raise ArchiveError(
            tr(
                "{root} contains other files ({foreign} …) and no object store. Choose an empty "
                "or a new folder.",
                root=root,
                foreign=foreign[0],
            )
        )


def _ready(root: Path, probed: Mapping[str, Any] | None, force: bool) -> Mapping[str, Any]:
    """Make what is missing; return what was probed, now if it is not known."""
    is_made = not root.exists()
    root.mkdir(exist_ok=True)  # never its parents: there a disk may be missing
    disk.make_folders(root, QUARANTINE)
    disk.make_folders(root, INCOMING)
    if probed is None:
        ground = _ground(root, {})
        probed = file_system_probe.probe(root, ground.fresh("probe"))
        _refuse_unfit(root, probed, force)
        _set_aside(ground)
        disk.replace(root / DESCRIPTION, description.written(probed), ground.fresh("store"))
    disk.sync_all([root, root.parent] if is_made else [root])
    return probed


def _set_aside(ground: FileSystem) -> None:
    """Keep a damaged description; it may yet tell something."""
    path = ground.root / DESCRIPTION
    if os.path.lexists(path):
        path.rename(ground.quarantine / ground.fresh(DESCRIPTION).name)


def _refuse_unfit(root: Path, probed: Mapping[str, Any], force: bool) -> None:
    if name_limit(probed["longest_name"]) < SHORTEST_LIMIT:
        raise ArchiveError(
            tr(
                "{root} is on a file system with names of at most {longest_name} bytes; "
                "the names of objects do not fit. Choose another disk.",
                root=root,
                longest_name=probed["longest_name"],
            )
        )
    if probed["is_fat"] and not force:
        raise ArchiveError(
            tr(
                "{root} is on a FAT file system ({file_system}): a crash "
                "can damage objects stored long ago, and files of 4 GB are impossible. Choose "
                "another disk, or force it if there is none.",
                root=root,
                file_system=probed["file_system"] or "by its times",
            )
        )


def _ground(root: Path, probed: Mapping[str, Any]) -> FileSystem:
    """Return what can be relied upon now: a store may have been copied to another system."""
    longest = int(probed.get("longest_name", _LONGEST_NAME))
    if hasattr(os, "pathconf") and root.exists():
        longest = min(longest, os.pathconf(root, "PC_NAME_MAX"))
    kind = file_system_probe.file_system(root) if root.exists() else ""
    return FileSystem(
        root=root,
        name_limit=name_limit(longest),
        ignores_case=bool(probed.get("case_insensitive")) or (root / DESCRIPTION.upper()).exists(),
        whole_sync=disk.whole_sync() if file_system_probe.syncs_whole(kind) else None,
    )
