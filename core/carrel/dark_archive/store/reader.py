# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bytes of objects, read from inside the store alone: no link is followed, nothing blocks."""

import errno
import hashlib
import os
import stat
from pathlib import Path
from typing import BinaryIO

from carrel.dark_archive.store.disk import BINARY, NO_FOLLOW
from carrel.dark_archive.store.names import split_path
from carrel.translation import tr

_BLOCK_BYTES = 1024 * 1024
# A pipe in the place of an object would keep its reader forever.
_READING = os.O_RDONLY | NO_FOLLOW | BINARY | getattr(os, "O_NONBLOCK", 0)
_FOLDER = os.O_RDONLY | NO_FOLLOW | getattr(os, "O_DIRECTORY", 0)


def open_object(root: Path, path: str) -> BinaryIO:
    """Return an object's bytes, open for reading, unbuffered.

    Raises OSError where there is no regular file, FileNotFoundError also for what is no object's
    path.
    """
    parts = split_path(path)
    if parts is None:
        raise FileNotFoundError(errno.ENOENT, tr("this is not the path of an object"), path)
    handle = _opened(root, *parts)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, tr("this is not a regular file"), path)
        return os.fdopen(handle, "rb", buffering=0)
    except BaseException:
        os.close(handle)
        raise


def fixity(root: Path, path: str) -> tuple[str, int]:
    """Return the SHA-256 of what is stored, in hex, and its size. Raises as `open_object`."""
    digest, size = hashlib.sha256(), 0
    with open_object(root, path) as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
            size += len(block)
    return digest.hexdigest(), size


def _opened(root: Path, folder: str, name: str) -> int:
    if os.open not in os.supports_dir_fd:
        return _opened_by_path(root, folder, name)
    handle = os.open(root, os.O_RDONLY)
    for part in folder.split("/"):
        handle = _step(handle, part, _FOLDER)
    return _step(handle, name, _READING)


def _step(folder: int, name: str, flags: int) -> int:
    try:
        return os.open(name, flags, dir_fd=folder)
    finally:
        os.close(folder)


def _opened_by_path(root: Path, folder: str, name: str) -> int:
    """Return the same where a system opens by whole paths only (Windows)."""
    path = root.joinpath(*folder.split("/"), name)
    if path.resolve() != root.resolve().joinpath(*folder.split("/"), name):
        raise OSError(errno.ELOOP, tr("there is a link on the path"), str(path))
    return os.open(path, _READING)
