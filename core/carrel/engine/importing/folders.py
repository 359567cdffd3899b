# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which folders are no dataset: archives, and those that are full of packages."""

import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from carrel.archive import COPY_LIST_NAME, LEDGER_NAME, Archive
from carrel.engine.packages.names import CRATES, DECLARATION
from carrel.engine.packages.package import RESULT
from carrel.engine.packages.tree import Tree
from carrel.errors import NotLoaded
from carrel.model.names import readable
from carrel.translation import tr

_MOST_TOLD = 5
_COLLECTIONS = "collections"  # the folder, or the list beside it


def has_packages(path: Path) -> bool:
    """Say whether a folder has bags, crates and exports of Carrel's, and nothing else."""
    parts = list(path.iterdir())
    return bool(parts) and all(not each.is_symlink() and _is_packed(each) for each in parts)


def refuse_own(archive: Archive, path: Path) -> None:
    """Raise NotLoaded for a folder that is the archive itself, is in it, or has it in it."""
    own, real = archive.path.resolve(), path.resolve()
    if own == real:
        raise NotLoaded(
            str(path),
            tr("It is the archive that you import into: nothing in it is to be imported."),
        )
    if real.is_relative_to(own):
        raise NotLoaded(
            str(path), tr("It is in the archive that you import into, and belongs to that.")
        )
    if own.is_relative_to(real):
        words = tr(
            "The archive that you import into is in it, as {name}: import what is beside that.",
            name=own.relative_to(real),
        )
        raise NotLoaded(str(path), words)


def refuse_archives(archive: Archive, path: Path, files: Iterable[str]) -> None:
    """Raise NotLoaded for a folder that is an archive, or has one among its `files`, by its path
    there."""
    if (place := _archive_in(files)) is None:
        return
    if (path / place / COPY_LIST_NAME).exists():
        raise NotLoaded(str(path), _second_copy(archive, path / place))
    merge = shlex.join(
        ["carrel", "archive", "merge", str(path / place), "--into", str(archive.path)]
    )
    if not place:
        words = tr(
            "It is a Carrel archive. While no window has either open, “{merge}” adds what is "
            "in it.",
            merge=merge,
        )
    else:
        words = tr(
            "It has a Carrel archive in it, {place}. While no window has either open, "
            "“{merge}” adds what is in that; import what is beside it by itself.",
            place=place.rstrip("/"),
            merge=merge,
        )
    raise NotLoaded(str(path), words)


def empty_folders(tree: Tree) -> Iterator[str]:
    """Yield that a dataset has files only, and which folders it does not have for that."""
    if not tree.empty:
        return
    empty = sorted(tree.empty)
    names = ", ".join(map(readable, empty[:_MOST_TOLD]))
    names += tr(" and {count:,} more", count=more) if (more := len(empty) - _MOST_TOLD) > 0 else ""
    yield tr("Empty folders are not part of a dataset, and were left out: {names}.", names=names)


def _second_copy(archive: Archive, copy: Path) -> str:
    """Return what helps in place of importing a copy, which merging refuses, too."""
    repair = shlex.join(["carrel", "repair", "--from", str(copy), "--archive", str(archive.path)])
    return tr(
        "{copy} is a second copy of an archive, and is not imported. If it is that of this "
        "archive, “{repair}” brings back what is damaged or missing. Else merge the archive that "
        "it is a copy of; if that is lost, remove {name} from the copy and merge it: it is an "
        "archive like any other then.",
        copy=copy,
        repair=repair,
        name=COPY_LIST_NAME,
    )


def _archive_in(files: Iterable[str]) -> str | None:
    """Return where an archive is among files, "" for all of it, None if there is none."""
    paths = set(files)
    places = sorted(
        path.removesuffix(LEDGER_NAME) for path in paths if f"/{path}".endswith(f"/{LEDGER_NAME}")
    )
    for place in places:
        if any(path.startswith(f"{place}{_COLLECTIONS}") for path in paths):
            return place
    return None


def _is_packed(folder: Path) -> bool:
    # `Path` raises PermissionError for what may not be entered, which is told of it as a folder.
    return any(os.path.isfile(folder / name) for name in (DECLARATION, CRATES[0], RESULT))
