# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files and folders so that a loss of power, a full disk and a second writer do no harm.

Nothing here overwrites an object, and what is told to be on the disk is there, as far as the system
keeps its word.
"""

import ctypes
import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from carrel.capture.folder_sync import sync_folder
from carrel.errors import ArchiveError, ArchiveFull
from carrel.model.unwritten import is_full
from carrel.translation import tr

# Flags that not every system has.
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
BINARY = getattr(os, "O_BINARY", 0)
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | BINARY
READ_ONLY_MODE = 0o444

_REFUSED = {errno.EACCES, errno.EPERM, errno.EROFS}
# What file systems answer that have no hard links, or no more of them.
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EINVAL}


def trouble(error: OSError, what: str) -> ArchiveError:
    """Return what a person is told of an error of the file system; `what` could not be done."""
    if is_full(error):
        return ArchiveFull(
            tr(
                "{what}: the disk is full. Make room there and try again; stored objects are "
                "unaffected.",
                what=what,
            )
        )
    hint = tr(" Check that you have write permission there.") if error.errno in _REFUSED else ""
    return ArchiveError(f"{what}: {error.strerror or error}.{hint}")


def whole_sync() -> Callable[[int], None] | None:
    """Return what brings a whole file system to the disk, by a handle that was opened before it was
    written to. None where there is no such call, or it keeps errors to itself (Linux before 5.8).
    """
    if not sys.platform.startswith("linux"):
        return None
    release = os.uname().release.split(".")
    numbers = tuple(int(part) for part in release[:2] if part.isdigit())
    try:
        call = ctypes.CDLL(None, use_errno=True).syncfs
    except (OSError, AttributeError):
        return None
    if numbers < (5, 8):
        return None

    def sync(handle: int) -> None:
        if call(ctypes.c_int(handle)) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))

    return sync


def write_new(path: str, data: bytes, folder: int | None = None, *, synced: bool) -> None:
    """Write a read-only file that was not there; `folder` is a handle that `path` is relative to.

    Of what could not be written whole nothing is left. Raises OSError.
    """
    handle = os.open(path, NEW_FILE, READ_ONLY_MODE, dir_fd=folder)
    try:
        try:
            written = os.write(handle, data)
            while written < len(data):
                written += os.write(handle, data[written:])
            if synced:
                os.fsync(handle)
        finally:
            os.close(handle)
    except BaseException:
        _allow_removal(path)
        os.unlink(path, dir_fd=folder)
        raise


def make_read_only(path: Path, *, synced: bool) -> None:
    """Take away the right to write, from everybody; bring the bytes to the disk first if asked."""
    if synced:
        handle = os.open(path, os.O_RDWR | NO_FOLLOW | BINARY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    path.chmod(stat.S_IMODE(path.lstat().st_mode) & READ_ONLY_MODE)


def place(source: str, target: str, *, linking: bool = True) -> None:
    """Move a file to its final name. Raises FileExistsError if something is there, and OSError.

    Without hard links the name is taken first, empty, and then filled in one stroke.
    """
    if os.name == "nt":
        os.rename(source, target)  # never overwrites there
        return
    if linking:
        try:
            os.link(source, target)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
        else:
            os.unlink(source)
            return
    os.close(os.open(target, NEW_FILE, READ_ONLY_MODE))
    os.replace(source, target)


def replace(path: Path, data: bytes, by_way_of: Path) -> None:
    """Write a small file anew, all of it or nothing, by way of a name on the same file system."""
    remove(by_way_of)
    handle = os.open(by_way_of, NEW_FILE, 0o644)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    by_way_of.replace(path)
    sync_folder(path.parent)


def make_folders(root: Path, below: str) -> list[Path]:
    """Make the folders of a path below `root`; return those that have a new entry, deepest first.

    Raises OSError, NotADirectoryError where a link or a file stands in the way.
    """
    changed: list[Path] = []
    folder = root
    for part in below.split("/"):
        parent, folder = folder, folder / part
        try:
            folder.mkdir()
            changed.insert(0, parent)
        except FileExistsError:
            if not stat.S_ISDIR(folder.lstat().st_mode):
                message = tr("a link or a file is in place of a folder of the store")
                raise NotADirectoryError(errno.ENOTDIR, message, str(folder)) from None
    return changed


def remove(path: Path) -> None:
    """Remove a file or a folder with all that is in it, read-only or not; links are not followed.

    Does nothing if there is none. Raises OSError.
    """
    try:
        is_folder = stat.S_ISDIR(path.lstat().st_mode)
    except FileNotFoundError:
        return
    if is_folder:
        for each in list(path.iterdir()):
            remove(each)
        path.rmdir()
        return
    _allow_removal(path)
    path.unlink()


def _allow_removal(path: str | Path) -> None:
    """Windows removes no file that is read-only."""
    if os.name == "nt":
        os.chmod(path, stat.S_IWRITE)


def sync_all(folders: Iterable[Path]) -> None:
    for folder in dict.fromkeys(folders):
        sync_folder(folder)
