# SPDX-License-Identifier: AGPL-3.0-or-later
"""Folders of an archive's staging for one piece of work, and copies that are made there."""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def folder_for(staging: Path, purpose: str) -> Iterator[Path]:
    """Give an empty folder, and remove it with what is left in it. Raises OSError."""
    folder = staging / purpose
    shutil.rmtree(folder, ignore_errors=True)  # what a kill left
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def staged_copy(
    staging: Path, purpose: str, name: str, pieces: Iterable[bytes]
) -> Iterator[tuple[Path, str]]:
    """Give these bytes as a file that has reached the disk, with its SHA-256. Raises OSError."""
    with folder_for(staging, purpose) as folder:
        sha256 = stage(folder / name, pieces)
        yield folder / name, sha256


@contextmanager
def staged_link(staging: Path, purpose: str, source: Path, name: str) -> Iterator[Path]:
    """Give a file from elsewhere under a second name: a hard link. Raises OSError, as where it is
    on another file system."""
    with folder_for(staging, purpose) as folder:
        (folder / name).hardlink_to(source.resolve())
        yield folder / name


def stage(path: Path, pieces: Iterable[bytes]) -> str:
    """Write a new file to the disk, and return its SHA-256. Raises OSError."""
    digest = hashlib.sha256()
    with path.open("xb") as file:
        for piece in pieces:
            digest.update(piece)
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def attended(pieces: Iterable[bytes], attend: Callable[[int], None]) -> Iterator[bytes]:
    """Yield pieces, and tell of the bytes of each when it was taken."""
    for piece in pieces:
        yield piece
        attend(len(piece))
