# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where a copy of an archive lies. Its objects have names with slashes, as paths have."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from carrel.capture.folder_sync import sync_folder
from carrel.credentials import Credentials
from carrel.engine.replication.bucket import BucketStore
from carrel.errors import ArchiveError, UsageError
from carrel.model.sizes import MEBIBYTE
from carrel.model.store_address import S3, SFTP, sftp_address
from carrel.translation import tr
from carrel.whole_file import WholeFile


class Store(Protocol):
    """Holds objects by name. Every call may raise OSError, and ArchiveError for what leads out of
    the copy."""

    def objects(self) -> Iterator[tuple[str, int]]:
        """Yield name and size in bytes of each object, in any order."""
        ...

    def read(self, name: str) -> Iterator[bytes]:
        """Yield the bytes of an object as the medium has them. FileNotFoundError without one."""
        ...

    def write(self, name: str, pieces: Callable[[], Iterable[bytes]]) -> None:
        """Have an object hold these bytes: all of them, or what it held before.

        `pieces` may be called again, and gives the same bytes, where a connection broke.
        """
        ...

    def remove(self, name: str) -> None:
        """Remove an object that is there under another name as well."""
        ...

    def free(self) -> int | None:
        """Return how many bytes there is room for, None if that is not known."""
        ...

    def close(self) -> None:
        """End what is open to it."""
        ...


def store_at(place: str, archive: Path, credentials: Credentials | None = None) -> Store:
    """Return the store that a destination names: a folder, s3://BUCKET/PREFIX, or
    sftp://USER@HOST/PATH.

    Raises UsageError for one that is none.
    """
    if place.startswith(S3):
        return BucketStore(place, credentials or Credentials())
    if place.startswith(SFTP):
        return _sftp_store(place, credentials or Credentials())
    if "://" in place:
        raise UsageError(
            tr(
                "{place} is neither a folder nor s3://BUCKET/PREFIX nor sftp://HOST/PATH. A folder "
                "may be on another disk, or on a share that is connected to this computer.",
                place=place,
            )
        )
    folder, root = Path(place).resolve(), archive.resolve()
    if folder == root:
        raise UsageError(
            tr(
                "{folder} is the archive itself. Give another folder, best on another disk.",
                folder=folder,
            )
        )
    if folder.is_relative_to(root) or root.is_relative_to(folder):
        raise UsageError(
            tr(
                "{folder} and the archive {archive} are one inside the other. Give another folder, "
                "best on another disk.",
                folder=folder,
                archive=root,
            )
        )
    if folder.exists() and not folder.is_dir():
        raise UsageError(tr("{folder} is a file; a copy is made in a folder.", folder=folder))
    return FolderStore(folder)


def _sftp_store(place: str, credentials: Credentials) -> Store:
    address = sftp_address(place)
    if address is None:
        raise UsageError(
            tr(
                "{place} does not have the form sftp://HOST/PATH. Your name there may stand before "
                "the host, with an @, and a port behind it, with a colon. A password is not part "
                "of it: “carrel credentials set sftp://HOST” stores one.",
                place=place,
            )
        )
    try:
        from carrel.engine.replication.sftp import SftpStore
    except ImportError:
        words = tr("For a copy by SFTP, install Carrel with “pip install carrel[copies]”.")
        raise UsageError(words) from None
    return SftpStore(address, credentials)


class FolderStore:
    """A copy in a folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def objects(self) -> Iterator[tuple[str, int]]:
        for folder, _, names in os.walk(self._root, onerror=_raise):
            for name in names:
                path = Path(folder, name)
                if not path.is_symlink():
                    yield path.relative_to(self._root).as_posix(), path.stat().st_size

    def read(self, name: str) -> Iterator[bytes]:
        with self._path(name).open("rb") as file:
            # What was only just written would be read from memory, which proves nothing.
            if hasattr(os, "posix_fadvise"):
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            yield from iter(lambda: file.read(MEBIBYTE), b"")

    def write(self, name: str, pieces: Callable[[], Iterable[bytes]]) -> None:
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with WholeFile(path) as whole:
            for piece in pieces():
                whole.file.write(piece)
            whole.commit()
        sync_folder(path.parent)

    def remove(self, name: str) -> None:
        path = self._path(name)
        path.unlink()
        sync_folder(path.parent)

    def free(self) -> int | None:
        there = next(each for each in (self._root, *self._root.parents) if each.exists())
        return shutil.disk_usage(there).free

    def close(self) -> None:
        """Nothing is open."""

    def _path(self, name: str) -> Path:
        path = self._root / name
        if not path.parent.resolve().is_relative_to(self._root.resolve()):
            raise ArchiveError(
                tr(
                    "{path} leads out of the copy through a link. Remove the link, then try again.",
                    path=path,
                )
            )
        return path


def _raise(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error
