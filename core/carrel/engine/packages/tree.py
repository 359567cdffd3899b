# SPDX-License-Identifier: AGPL-3.0-or-later
"""The files of a package by their paths: in a folder of the disk.

No link is followed: it could lead to what no one meant to hand on, and the same again later would
be something else.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import BinaryIO, Protocol

from carrel.capture.digests import Digester
from carrel.engine.packages.package import NO_FILE, Fault
from carrel.model import Fate, Fixity
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

Attend = Callable[[int], None]
MOST_PAPER_BYTES = 256 * MEBIBYTE
"""As much of a list, or of a description, is read; a list of a million files has about half."""


class Tree(Protocol):
    """Files by path, with slashes between folders. `faults` are the entries that are no files,
    `empty` the folders with nothing in them."""

    @property
    def path(self) -> Path: ...

    @property
    def sizes(self) -> Mapping[str, int]: ...

    @property
    def faults(self) -> Sequence[Fault]: ...

    @property
    def empty(self) -> Sequence[str]: ...

    def content(self, path: str) -> bytes:
        """Return a small file. Raises OSError, and ValueError for one that is not small."""
        ...

    def read(
        self, algorithms: Iterable[str], attend: Attend
    ) -> Iterator[tuple[str, Fixity | Fault]]:
        """Yield what each file turns out to be, in the order in which they are stored.

        `attend` is told of the bytes that were read; what it raises ends the reading.
        """
        ...

    def unpacked(self, folder: Path, attend: Attend) -> AbstractContextManager["FolderTree"]:
        """Give the same files where each can be read by itself. Raises OSError."""
        ...


class FolderTree:
    """A folder. `names` are the files to see in it where these are not all, by their paths there
    and what they are called. Raises OSError where the folder cannot be listed.
    """

    def __init__(self, path: Path, names: Mapping[str, str] | None = None) -> None:
        self.path = path
        self.sizes: dict[str, int] = {}
        self.faults: list[Fault] = []
        self.empty: list[str] = []
        self._places: Mapping[str, str] = {}
        if names is None:
            self._list()
        else:
            self._places = {name: place for place, name in names.items()}
            for place, name in names.items():
                self._add(name, os.stat(path / place, follow_symlinks=False))
        self.sizes = dict(sorted(self.sizes.items()))

    def content(self, path: str) -> bytes:
        if self.sizes[path] > MOST_PAPER_BYTES:
            raise ValueError(tr("{path} is too long to be read.", path=path))
        with self.open(path) as file:
            return file.read(MOST_PAPER_BYTES)

    def open(self, path: str) -> BinaryIO:
        """Return a file that is open for reading. Raises OSError, also for one that is a link."""
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(self.path / self._places.get(path, path), flags)
        return os.fdopen(descriptor, "rb", buffering=0)

    def blocks(self, path: str, attend: Attend) -> Iterator[bytes]:
        """Yield the bytes of a file. Raises OSError."""
        with self.open(path) as file:
            while block := file.read(MEBIBYTE):
                attend(len(block))
                yield block

    def read(
        self, algorithms: Iterable[str], attend: Attend
    ) -> Iterator[tuple[str, Fixity | Fault]]:
        names = tuple(algorithms)
        for path in self.sizes:
            yield path, self._fixity(path, names, attend)

    def unpacked(self, folder: Path, attend: Attend) -> AbstractContextManager["FolderTree"]:
        return nullcontext(self)

    def _fixity(self, path: str, algorithms: Sequence[str], attend: Attend) -> Fixity | Fault:
        try:
            with closing(Digester(algorithms)) as digester:
                for block in self.blocks(path, attend):
                    digester.feed(block)
                return digester.fixity()
        except OSError as error:
            reason = error.strerror or str(error)
            return Fault(path, Fate.UNREADABLE, tr("It cannot be read: {reason}.", reason=reason))

    def _list(self) -> None:
        above = [""]
        while above:
            folder = above.pop()
            try:
                with os.scandir(self.path / folder) as entries:
                    inside = list(entries)
                for entry in inside:
                    self._take(entry, f"{folder}{entry.name}", above)
                if folder and not inside:
                    self.empty.append(folder)
            except OSError as error:
                if not folder:
                    raise
                reason = error.strerror or str(error)
                message = tr("The folder cannot be read: {reason}.", reason=reason)
                self.faults.append(Fault(folder, Fate.UNREADABLE, message))

    def _take(self, entry: "os.DirEntry[str]", path: str, folders: list[str]) -> None:
        if entry.is_dir(follow_symlinks=False):
            folders.append(f"{path}/")
        else:
            self._add(path, entry.stat(follow_symlinks=False))

    def _add(self, path: str, found: os.stat_result) -> None:
        if stat.S_ISREG(found.st_mode):
            self.sizes[path] = found.st_size
            return
        is_link = stat.S_ISLNK(found.st_mode)
        what = tr("It is a link, which is not followed.") if is_link else NO_FILE
        self.faults.append(Fault(path, Fate.REFUSED, what))
