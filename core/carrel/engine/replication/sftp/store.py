# SPDX-License-Identifier: AGPL-3.0-or-later
"""A copy in a folder of a server: whole files under their names, and nothing outside of it."""

import errno
import hashlib
import logging
import posixpath
import re
import socket
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TypeVar

from carrel.credentials import Credentials
from carrel.engine.replication.sftp.operations import Files
from carrel.engine.replication.sftp.session import Session, named_errors
from carrel.errors import ArchiveError
from carrel.hosts.retry import doubled
from carrel.model.store_address import SftpAddress
from carrel.translation import tr

log = logging.getLogger(__name__)

T = TypeVar("T")

_TRIES, _LONGEST_PAUSE_S = 5, 60.0
# What is being written, and what waits for the name of an older one.
_PART, _WHOLE = re.compile(r"\.[0-9a-f]{16}\.part"), re.compile(r"\.(.+)\.carrel-whole")
# No archive has folders within folders so deep.
_DEEPEST = 60
_FULL = 64 * 1024


class SftpStore:
    """The files below a folder of a server. A connection that breaks is made anew.

    Links in the folder are not followed. A file is written under another name, and what an
    interrupted run left of one is compared and continued.
    """

    def __init__(
        self, address: SftpAddress, credentials: Credentials, first_pause_s: float = 1.0
    ) -> None:
        self._address, self._credentials = address, credentials
        self._first_pause_s = first_pause_s
        self._session: Session | None = None
        self._folders: set[str] = set()

    def objects(self) -> Iterator[tuple[str, int]]:
        left = [""]
        while left:
            folder = left.pop()
            names = self._again(lambda files, at=folder: self._listed(files, at))  # type: ignore[misc]  # bound now
            for name, size in names.items():
                if size is None:
                    left.append(name)
                else:
                    yield name, size

    def read(self, name: str) -> Iterator[bytes]:
        at = failures = 0
        while True:
            try:
                with named_errors():
                    files = self._files()
                    for piece in files.blocks(self._existing(files, name), at):
                        at, failures = at + len(piece), 0
                        yield piece
                return
            except OSError as error:
                failures += 1
                self._rest_after(error, failures)

    def write(self, name: str, pieces: Callable[[], Iterable[bytes]]) -> None:
        self._again(lambda files: self._write(files, name, iter(pieces())))

    def remove(self, name: str) -> None:
        self._again(lambda files: files.remove(self._existing(files, name)))

    def free(self) -> int | None:
        return self._again(self._free)

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
        self._session = None

    # A connection

    def _files(self) -> Files:
        if self._session is None:
            self._session = Session(self._address, self._credentials)
            self._folders.clear()
        return self._session.files

    def _again(self, work: Callable[[Files], T]) -> T:
        """Do something, once more after each time that the connection breaks. Raises OSError."""
        failures = 0
        while True:
            try:
                with named_errors():
                    return work(self._files())
            except OSError as error:
                failures += 1
                self._rest_after(error, failures)

    def _rest_after(self, error: OSError, failures: int) -> None:
        """Wait before another try, or raise the error where none may help."""
        is_cut = isinstance(error, ConnectionError | TimeoutError)
        if isinstance(error, socket.gaierror) and error.errno == socket.EAI_NONAME:
            raise error  # there is no server of this name
        if not is_cut and self._session is not None and self._session.is_alive:
            raise error
        self.close()
        if failures >= _TRIES:
            raise error
        pause_s = doubled(self._first_pause_s, failures - 1, _LONGEST_PAUSE_S)
        log.info("%s: %s; trying again in %g s", self._address.name, error, pause_s)
        time.sleep(pause_s)

    # Listing

    def _listed(self, files: Files, folder: str) -> dict[str, int | None]:
        """Return the names in a folder with the sizes of files, None for another folder."""
        found: dict[str, int | None] = {}
        try:
            entries = files.listdir_attr(self._place(folder))
        except FileNotFoundError:
            return {}
        names = {each.filename for each in entries}
        for each in entries:
            name = _checked(each.filename, folder)
            waiting = _WHOLE.fullmatch(each.filename)
            if _PART.fullmatch(each.filename) or (waiting and waiting[1] in names):
                continue
            kind = stat.S_IFMT(each.st_mode or 0) or files.kind(self._place(name))
            if kind == stat.S_IFDIR:
                found[name] = None
            elif kind == stat.S_IFREG:
                found[_in(folder, waiting[1]) if waiting else name] = each.st_size or 0
        return found

    # Reading and writing one file

    def _existing(self, files: Files, name: str) -> str:
        """Return where a file is. Raises FileNotFoundError, and ArchiveError for a link."""
        self._check_folders(files, name, may_make=False)
        path = self._place(name)
        for each in (path, _whole(path)):
            kind = files.kind(each)
            if kind == stat.S_IFREG:
                return each
            if kind is not None:
                raise _leads_away(each)
        raise FileNotFoundError(errno.ENOENT, tr("it is not there"))

    def _write(self, files: Files, name: str, pieces: Iterator[bytes]) -> None:
        self._check_folders(files, name, may_make=True)
        path = self._place(name)
        part = _part(path)
        try:
            start, rest = self._begun(files, part, pieces)
            files.append(part, start, rest)
        except OSError as error:
            if error.errno is None and self._is_full(files):
                raise OSError(errno.ENOSPC, tr("its disk is full")) from error
            raise
        _put_in_place(files, part, path)

    def _begun(
        self, files: Files, part: str, pieces: Iterator[bytes]
    ) -> tuple[int, Iterator[bytes]]:
        """Return how many bytes of the pieces are in a part already, and the other pieces."""
        kind = files.kind(part)
        if kind is not None and kind != stat.S_IFREG:
            files.remove(part)  # a link that someone put there
            kind = None
        if kind is None:
            files.open(part, "xb").close()
            return 0, pieces
        return _common(_Reading(files.blocks(part)), pieces)

    def _is_full(self, files: Files) -> bool:
        free = self._free(files)
        return free is not None and free < _FULL

    def _free(self, files: Files) -> int | None:
        path = self._address.path
        while True:
            try:
                return files.free(path)
            except FileNotFoundError:
                if path in ("/", "."):
                    raise
                path = posixpath.dirname(path) or "."

    # Folders

    def _check_folders(self, files: Files, name: str, *, may_make: bool) -> None:
        """Make the folders that a file is in. Raises ArchiveError for one that is a link."""
        folders = [posixpath.dirname(name)]
        while folders[-1]:
            folders.append(posixpath.dirname(folders[-1]))
        for folder in reversed([each for each in folders if each not in self._folders]):
            self._check_folder(files, folder, may_make=may_make)

    def _check_folder(self, files: Files, folder: str, *, may_make: bool) -> None:
        path = self._place(folder)
        kind = files.kind(path) if folder else None
        if kind not in (None, stat.S_IFDIR):
            raise _leads_away(path)
        if kind is None and not may_make:
            return
        if kind is None:
            _make_folders(files, path)
        self._folders.add(folder)

    def _place(self, name: str) -> str:
        return posixpath.join(self._address.path, name) if name else self._address.path


class _Reading:
    """Bytes that come in blocks, taken in pieces of any size."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks, self._left = blocks, b""

    def take(self, size: int) -> bytes:
        """Return the next bytes, fewer at the end."""
        while len(self._left) < size and (block := next(self._blocks, b"")):
            self._left += block
        taken, self._left = self._left[:size], self._left[size:]
        return taken


def _common(reading: _Reading, pieces: Iterator[bytes]) -> tuple[int, Iterator[bytes]]:
    """Return how many bytes of the pieces come first in what is read, and the other pieces."""
    size = 0
    for piece in pieces:
        if reading.take(len(piece)) != piece:
            return size, chain([piece], pieces)
        size += len(piece)
    return size, iter(())


def _put_in_place(files: Files, part: str, path: str) -> None:
    """Give a file its name, in place of an older one. A kill leaves one of the two to be read."""
    try:
        files.posix_rename(part, path)
        return
    except OSError as error:
        if error.errno != errno.EOPNOTSUPP:
            raise
    if files.kind(path) is None:
        files.rename(part, path)
        return
    whole = _whole(path)
    if files.kind(whole) is not None:
        files.remove(whole)
    files.rename(part, whole)
    files.remove(path)
    files.rename(whole, path)


def _make_folders(files: Files, path: str) -> None:
    """Make a folder, with those that it is in; links on the way to the copy are the person's."""
    missing = []
    while path not in ("/", ".", ""):
        try:
            if not stat.S_ISDIR(files.stat(path).st_mode or 0):
                raise NotADirectoryError(errno.ENOTDIR, tr("{path} is no folder", path=path))
            break
        except FileNotFoundError:
            missing.append(path)
            path = posixpath.dirname(path)
    for each in reversed(missing):
        files.mkdir(each)


def _checked(name: str, folder: str) -> str:
    """Return the name of a file with its folders. Raises OSError for one that no file has."""
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        raise OSError(errno.EBADMSG, tr("the server lists the name {name!r}", name=name[:100]))
    if folder.count("/") >= _DEEPEST:
        raise OSError(errno.ELOOP, tr("{folder} is too deep", folder=folder[:100]))
    return _in(folder, name)


def _in(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _part(path: str) -> str:
    folder, name = posixpath.split(path)
    return posixpath.join(folder, f".{hashlib.sha256(name.encode()).hexdigest()[:16]}.part")


def _whole(path: str) -> str:
    folder, name = posixpath.split(path)
    return posixpath.join(folder, f".{name}.carrel-whole")


def _leads_away(path: str) -> ArchiveError:
    return ArchiveError(
        tr(
            "{path} leads out of the copy through a link. Remove the link, then try again.",
            path=path,
        )
    )
