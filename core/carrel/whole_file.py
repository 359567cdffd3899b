# SPDX-License-Identifier: AGPL-3.0-or-later
"""A file that is there when all of it is, and not before."""

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import BinaryIO

from carrel.model.unwritten import is_full

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

PRIVATE, FOR_READING = 0o600, 0o400
"""Permissions: of a file for its owner alone, and of one that not even its owner writes to."""
_USUAL = 0o666
# Every file system takes names of so many bytes; the rest is for what stands beside the name.
_MOST_NAME = 100


class WholeFile:
    """Is written to as `file`, and takes its place at `path` by `commit`; else nothing is left.

    `mode` are its permissions; without it they are those of the file that it replaces, or as the
    system has them. Without `may_replace`, a file that is at the path already stays. What someone
    put beside it, a link for instance, is neither followed nor written over. Raises OSError, whose
    file name is that of the path.
    """

    def __init__(self, path: Path, *, mode: int | None = None, may_replace: bool = True) -> None:
        self.path = path
        self._mode, self._may_replace = mode, may_replace
        self._part = path.with_name(f".{path.name[:_MOST_NAME]}.{token_hex(8)}.part")
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        try:
            descriptor = os.open(self._part, flags, _USUAL if mode is None else PRIVATE)
        except OSError as error:
            raise self._named(error) from error
        self.file: BinaryIO = os.fdopen(descriptor, "w+b")
        self._is_open = True

    def check_room(self, size: int) -> None:
        """Raise OSError where there is no room for so many bytes, as far as the system says."""
        _check_room(self.path, size, size)

    def commit(self, *, is_synced: bool = True) -> None:
        """Put it in its place. Raises FileExistsError, and OSError.

        Unless it `is_synced` a power cut may leave it empty: that is for what can be made again.
        """
        try:
            self.file.flush()
            if is_synced:
                os.fsync(self.file.fileno())
            self.file.close()
            self._set_permissions()
            if self._may_replace:
                self._part.replace(self.path)
            else:
                move_beside(self._part, self.path)
            self._is_open = False
        except OSError as error:
            raise self._named(error) from error
        finally:
            self.discard()

    def discard(self) -> None:
        """Leave nothing of it, if it is not in its place by now."""
        if not self._is_open:
            return
        self._is_open = False
        with contextlib.suppress(OSError):  # what cannot be written is said by who wrote
            self.file.close()
        with contextlib.suppress(OSError):
            self._part.unlink()

    def __enter__(self) -> "WholeFile":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.discard()
        if isinstance(error, OSError) and is_full(error) and error.filename is None:
            raise self._named(error) from error

    def _set_permissions(self) -> None:
        mode = _mode_of(self.path) if self._mode is None else self._mode
        if mode is not None:
            self._part.chmod(mode)

    def _named(self, error: OSError) -> OSError:
        return type(error)(error.errno, error.strerror, str(self.path))


def try_room(folder: Path, sizes: Sequence[int] = ()) -> None:
    """Raise OSError if a folder, made if need be, takes no file, or has no room for files of these
    sizes in bytes, as far as the system says; nothing is left there."""
    folder.mkdir(parents=True, exist_ok=True)
    with WholeFile(folder / "room") as trial:
        _check_room(trial.path, sum(sizes), max(sizes, default=0))


def _check_room(path: Path, whole: int, largest: int) -> None:
    """Raise OSError where the disk of a path has no room for so many bytes, or no file may have so
    many as the largest. To set the room aside would have some file systems write all of it."""
    free, most = _free_bytes(path.parent), _most_in_a_file()
    if free is not None and free < whole:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
    if most is not None and most < largest:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))


def _free_bytes(folder: Path) -> int | None:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None  # some network disks do not say


def _most_in_a_file() -> int | None:
    """Return how many bytes a file of this process may have, None for any (`ulimit -f`)."""
    if resource is None:
        return None
    most, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    return None if most == resource.RLIM_INFINITY else most


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Give a file that takes this path once all of it is written; what was there stays until then.

    A link is followed, and what is no regular file is written into. Raises OSError with the path.
    """
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                yield file
            return
        with WholeFile(target) as whole:
            yield whole.file
            whole.commit()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def replace_file(
    path: Path, content: bytes, *, is_private: bool = False, is_synced: bool = True
) -> None:
    """Have a file hold these bytes, as `WholeFile` does; a link there gives way to it.

    Raises OSError with the path.
    """
    with WholeFile(path, mode=PRIVATE if is_private else None) as whole:
        whole.file.write(content)
        whole.commit(is_synced=is_synced)


def _mode_of(path: Path) -> int | None:
    """Return the permissions of a regular file, None where there is none."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    return stat.S_IMODE(found.st_mode) if stat.S_ISREG(found.st_mode) else None


def move_beside(part: Path, path: Path) -> None:
    """Have a file take a place where none is. Raises FileExistsError."""
    try:
        os.link(part, path)  # the one move that never replaces
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError(17, os.strerror(17), str(path)) from None
        part.replace(path)
    else:
        part.unlink()
