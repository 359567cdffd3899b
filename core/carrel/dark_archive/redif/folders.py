# SPDX-License-Identifier: AGPL-3.0-or-later
"""The ReDIF files below a folder."""

import os
from collections.abc import Callable, Iterator

_ENDINGS = (".rdf", ".redif")


def redif_files(folder: str, tell: Callable[[OSError], None]) -> Iterator[str]:
    """Yield the paths of all .rdf and .redif files (in any case) below a folder, sorted as texts.

    They begin with `folder` as it is given. A link to a file is followed if it does not leave the
    folder; one to a folder is not: what it leads to is met at its own place. `tell` is told of
    folders that cannot be listed.
    """
    root = os.path.realpath(folder)
    walk = [_listed(folder, tell)]
    while walk:
        entry = next(walk[-1], None)
        if entry is None:
            walk.pop()
        elif entry.is_dir(follow_symlinks=False):
            walk.append(_listed(entry.path, tell))
        elif entry.name.lower().endswith(_ENDINGS) and _may_be_read(entry, root):
            yield entry.path


def _listed(folder: str, tell: Callable[[OSError], None]) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listing:
            entries = {entry.name + _ending(entry): entry for entry in listing}
    except OSError as error:
        tell(error)
        return iter(())
    return iter([entries[name] for name in sorted(entries)])


def _ending(entry: os.DirEntry[str]) -> str:
    """Return what makes a folder sort as the paths below it do."""
    return os.sep if entry.is_dir(follow_symlinks=False) else ""


def _may_be_read(entry: os.DirEntry[str], root: str) -> bool:
    if not entry.is_symlink():
        return entry.is_file(follow_symlinks=False)
    place = os.path.realpath(entry.path)
    if not place.startswith(os.path.join(root, "")):
        return False
    # One that leads nowhere is named, and then told of as missing.
    return os.path.isfile(place) or not os.path.lexists(place)
