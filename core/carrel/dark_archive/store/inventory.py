# SPDX-License-Identifier: AGPL-3.0-or-later
"""What lies in a store: objects, and what does not belong there. No link is followed."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from carrel.dark_archive.store.file_system import FURNITURE, OF_THE_SYSTEM
from carrel.dark_archive.store.names import LINK_SUFFIX, NAMES_TABLE, is_object_name

# The folders below the root, one expression a level; the last holds the objects.
_LEVELS = tuple(re.compile(text) for text in ("[0-9]{3}", "[0-9]{3}", "[0-9]+"))


def objects_in(root: Path, folder: str) -> Iterator[str]:
    """Yield the paths of the objects in one folder, sorted; none where there is no such folder."""
    try:
        entries = _entries(root / folder)
    except (FileNotFoundError, NotADirectoryError):
        return
    for entry in entries:
        if _is_object(entry):
            yield f"{folder}/{entry.name}"


def all_objects(root: Path) -> Iterator[str]:
    """Yield the paths of all objects, folder by folder. Raises OSError."""
    for folder in _folders(root):
        yield from objects_in(root, folder)


def strays(root: Path) -> Iterator[str]:
    """Yield the paths of what is neither an object nor a part of the store. Raises OSError."""
    for entry in _entries(root):
        if entry.name not in FURNITURE:
            yield from _strays_at(entry, entry.name, 0)


def _strays_at(entry: "os.DirEntry[str]", path: str, level: int) -> Iterator[str]:
    if entry.name in OF_THE_SYSTEM:
        return
    if level == len(_LEVELS):
        if not (_is_object(entry) or _is_companion(entry)):
            yield path
    elif not _is_folder(entry, level):
        yield path
    else:
        for each in _entries(Path(entry.path)):
            yield from _strays_at(each, f"{path}/{each.name}", level + 1)


def _folders(root: Path, below: str = "", level: int = 0) -> Iterator[str]:
    for entry in _entries(root / below):
        if _is_folder(entry, level):
            path = f"{below}/{entry.name}" if below else entry.name
            if level + 1 == len(_LEVELS):
                yield path
            else:
                yield from _folders(root, path, level + 1)


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _is_folder(entry: "os.DirEntry[str]", level: int) -> bool:
    return entry.is_dir(follow_symlinks=False) and bool(_LEVELS[level].fullmatch(entry.name))


def _is_object(entry: "os.DirEntry[str]") -> bool:
    return entry.is_file(follow_symlinks=False) and is_object_name(entry.name)


def _is_companion(entry: "os.DirEntry[str]") -> bool:
    """Say whether this is a table of names or an alias, as a text file or as a link."""
    if entry.is_symlink():
        return is_object_name(entry.name)
    is_named_so = entry.name == NAMES_TABLE or entry.name.endswith(LINK_SUFFIX)
    return is_named_so and entry.is_file(follow_symlinks=False)
