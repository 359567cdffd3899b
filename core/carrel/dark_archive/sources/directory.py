# SPDX-License-Identifier: AGPL-3.0-or-later
"""A folder of ReDIF as a source, walked one folder at a time: a million files in flat memory."""

import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import BinaryIO

from carrel.dark_archive import redif
from carrel.dark_archive.sources.links import Links, Target
from carrel.dark_archive.sources.omissions import Omissions
from carrel.dark_archive.sources.source import Container, ReadContainer, is_redif
from carrel.errors import UsageError
from carrel.model.dark import RunSource
from carrel.model.names import readable
from carrel.translation import tr

# What was a plain file when it was listed may be a link or a pipe when it is opened.
_OPENING = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder below the root; `place` is free of links, `path` is "" or ends in "/"."""

    place: str
    path: str


# A name as it is shown, and an entry of a folder or where a link led to. A folder's name ends in
# "/", and so sorts as what is below it does.
_Found = tuple[str, os.DirEntry[str] | Target]


class Directory:
    """A folder of ReDIF. Paths are relative to it.

    Links inside it are followed, none that leads out of it, back into itself, or where another
    link led before. Raises UsageError where `root` is no folder that can be listed.
    """

    source = RunSource.DIRECTORY

    def __init__(self, root: Path, *, now: Callable[[], float] = time.time) -> None:
        self._root = os.path.realpath(root)
        self._now = now
        self.reference = readable(os.path.abspath(root))
        self._device = _device(self._root, self.reference)
        self._begin()

    def _begin(self) -> None:
        self._omissions = Omissions()
        self._links = Links(self._root, self._omissions)
        self._newest: int | None = None
        self._has_files = False

    @property
    def date(self) -> int | None:
        return self._newest if self._has_files else None  # folders alone are no data

    @property
    def unread(self) -> Sequence[str]:
        return self._omissions.unread

    @property
    def notes(self) -> Sequence[str]:
        return self._omissions.notes

    def containers(self) -> Iterator[Container]:
        self._begin()
        walk = [self._entries(_Folder(self._root, ""))]
        while walk:
            entry = next(walk[-1], None)
            if entry is None:
                walk.pop()
            elif isinstance(entry, _Folder):
                walk.append(self._entries(entry))
            else:
                yield entry
        self._look_again()

    def read(self, file: BinaryIO, path: str) -> ReadContainer:
        return redif.read(file, path)

    def close(self) -> None:
        """There is nothing to let go of."""

    def _entries(self, folder: _Folder) -> Iterator[Container | _Folder]:
        """Yield what matters in a folder, by path."""
        last, latest = None, int(self._now())
        for name, entry in sorted(self._listed(folder), key=itemgetter(0)):
            path = folder.path + name
            if name == last:
                self._miss(tr("Names that look the same when displayed"), path)
            elif name.endswith("/"):
                yield _Folder(entry.path, path)
            elif (container := self._container(path, entry, latest)) is not None:
                yield container
            last = name

    def _listed(self, folder: _Folder) -> Iterator[_Found]:
        try:
            self._met(int(os.stat(folder.place).st_mtime), int(self._now()))
            with os.scandir(folder.place) as listing:
                for entry in listing:
                    if (found := self._found(folder, entry)) is not None:
                        yield found
        except OSError as error:
            what = tr(
                "Folders that could not be listed ({strerror})", strerror=error.strerror or error
            )
            self._miss(what, folder.path)

    def _found(self, folder: _Folder, entry: os.DirEntry[str]) -> _Found | None:
        """Return an entry if it matters: a folder, or a file of templates."""
        if _is_link(entry):
            to = self._links.follow(entry, folder.path)
            return None if to is None else (readable(entry.name) + "/" * to.is_folder, to)
        if entry.is_dir(follow_symlinks=False):
            return readable(entry.name) + "/", entry
        if not is_redif(entry.name):
            return None
        if not entry.is_file(follow_symlinks=False):
            self._omissions.note(tr("Special files"), folder.path + readable(entry.name))
            return None
        return readable(entry.name), entry

    def _container(
        self, path: str, entry: os.DirEntry[str] | Target, latest: int
    ) -> Container | None:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            self._miss(
                tr("Files that could not be opened ({strerror})", strerror=error.strerror or error),
                path,
            )
            return None
        modified, self._has_files = self._met(int(status.st_mtime), latest), True
        return Container(path, modified, status.st_size, partial(_opened, entry.path))

    def _met(self, modified: int, latest: int) -> int:
        """Return a time of modification as it may be, and keep the newest."""
        modified = max(0, min(modified, latest))
        self._newest = max(self._newest or 0, modified)
        return modified

    def _miss(self, what: str, path: str) -> None:
        self._omissions.note(what, path or tr("the folder itself"))
        self._omissions.miss(path)

    def _look_again(self) -> None:
        """See whether the root is where it was: a share that went away leaves an empty folder."""
        try:
            is_same = _device(self._root, self.reference) == self._device
        except UsageError:
            is_same = False
        if not is_same:
            self._miss(tr("Folders that disappeared while they were read"), "")


def _is_link(entry: os.DirEntry[str]) -> bool:
    """Say whether an entry leads elsewhere; Windows has junctions beside symbolic links."""
    if entry.is_symlink():
        return True
    is_junction: Callable[[], bool] | None = getattr(entry, "is_junction", None)  # Python 3.12
    return is_junction is not None and is_junction()


def _device(root: str, shown: str) -> int:
    """Return on which device a folder is. Raises UsageError where it cannot be listed."""
    try:
        with os.scandir(root):
            status = os.stat(root)
    except NotADirectoryError as error:
        message = tr("{shown} is not a folder. Give the folder of the ReDIF files.", shown=shown)
        raise UsageError(message) from error
    except FileNotFoundError as error:
        message = tr("There is no folder {shown}. Give the folder of the ReDIF files.", shown=shown)
        raise UsageError(message) from error
    except OSError as error:
        message = tr(
            "The folder {shown} cannot be listed: {strerror}. Nothing was concluded.",
            shown=shown,
            strerror=error.strerror,
        )
        raise UsageError(message) from error
    return status.st_dev


def _opened(place: str) -> BinaryIO:
    """Return a file's bytes. Raises OSError, also for what is no plain file any more."""
    file = os.open(place, _OPENING)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(tr("{place} is no longer a regular file", place=place))
        return open(file, "rb")
    except BaseException:
        os.close(file)
        raise
