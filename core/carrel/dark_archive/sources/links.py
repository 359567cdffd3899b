# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the links of a folder lead, and which of them are followed."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from carrel.dark_archive.sources.omissions import Omissions
from carrel.dark_archive.sources.source import is_redif
from carrel.model.names import readable
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link leads: a plain file or a folder. `path` is its place, free of links."""

    path: str
    is_folder: bool

    def stat(self, *, follow_symlinks: bool) -> os.stat_result:
        return os.stat(self.path, follow_symlinks=follow_symlinks)


class Links:
    """The links below one root, as they are met in a walk.

    A folder is entered through one link at most: links that cross each other would else make more
    paths than there are files in the world.
    """

    def __init__(self, root: str, omissions: Omissions) -> None:
        self._root, self._omissions = root, omissions
        self._entered: set[str] = set()

    def follow(self, entry: os.DirEntry[str], below: str) -> Target | None:
        """Return where a link leads, None if it is not followed. `below` is its folder's path."""
        path = below + readable(entry.name)
        try:
            place = os.path.realpath(entry.path, strict=True)
            mode = os.lstat(place).st_mode
        except OSError:
            self._miss(tr("Broken links"), path, may_be_folder(entry.name))
            return None
        is_folder = stat.S_ISDIR(mode)
        if not is_folder and not is_redif(entry.name):
            return None
        if not _is_below(place, self._root):
            what = tr("Links that lead out of the folder and were not followed")
            self._miss(what, path, is_folder)
            return None
        if not is_folder and not stat.S_ISREG(mode):
            self._omissions.note(tr("Links to special files"), path)
            return None
        return self._entering(place, entry, path) if is_folder else Target(place, is_folder)

    def _entering(self, place: str, entry: os.DirEntry[str], path: str) -> Target | None:
        if _is_below(os.path.dirname(entry.path), place):
            self._omissions.note(tr("Links that lead back into their own folder"), path)
            return None
        if any(each in self._entered for each in _with_folders_above(place)):
            self._omissions.note(tr("Links to folders that another link led to before"), path)
            return None
        self._entered.add(place)
        return Target(place, is_folder=True)

    def _miss(self, what: str, path: str, is_folder: bool) -> None:
        """Note a link whose target is not seen. What is known below it may well be there."""
        self._omissions.note(what, path)
        if is_folder:
            self._omissions.miss(path + "/")
        elif is_redif(path.rpartition("/")[2]):
            self._omissions.miss(path)


def may_be_folder(name: str) -> bool:
    """Say whether a link may stand for a folder of archives or series: their names hold no dot."""
    return "." not in name


def _with_folders_above(place: str) -> Iterator[str]:
    above = ""
    while place != above:
        yield place
        above, place = place, os.path.dirname(place)


def _is_below(place: str, folder: str) -> bool:
    """Say whether a place is a folder or below it; both are free of links."""
    return place == folder or place.startswith(folder.rstrip(os.sep) + os.sep)
