# SPDX-License-Identifier: AGPL-3.0-or-later
"""A bag as one tar, the same bytes for the same bag: what it is comes first, then its files."""

import os
import tarfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from carrel.access.proof import Attend
from carrel.capture.stored import Damaged
from carrel.exports.payload import DATA
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr


def write_tar(
    target: Path,
    folder: Path,
    name: str,
    *,
    moment: str,
    proven: Mapping[str, str],
    attend: Attend,
) -> None:
    """Write a folder as a tar in which it has a name; all of it is of one moment (ISO 8601).

    `proven` are the SHA-256 of files by path: one that is other bytes by now raises Damaged.
    Raises OSError.
    """
    at = _seconds(moment)
    paths = list(_in_order(folder))  # the tar itself may stand in the folder
    with (
        target.open("xb") as file,
        tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in paths:
            within = path.relative_to(folder).as_posix()
            info = tarfile.TarInfo(f"{name}/{within}" if path != folder else name)
            info.mtime = at
            digest = _add(tar, info, path, attend)
            if within in proven and digest != proven[within]:
                raise Damaged(tr("{file} was changed while it was exported", file=within))
        tar.close()
        file.flush()
        os.fsync(file.fileno())


def _seconds(moment: str) -> int:
    """Return a moment in seconds since the epoch, 0 for none, and for what is none: a result that
    was imported may have any text there."""
    try:
        return max(0, int(datetime.fromisoformat(moment).timestamp()))
    except (ValueError, OverflowError):
        return 0


def document_in(path: Path, name: str) -> bytes | None:
    """Return a file in a tar that stands before the files of the dataset, None if there is none.

    Raises OSError and tarfile.TarError.
    """
    with tarfile.open(path, "r:") as tar:
        while member := tar.next():
            within = member.name.partition("/")[2]
            if within == name and member.isfile() and member.size <= 64 * MEBIBYTE:
                file = tar.extractfile(member)
                return file.read() if file else None
            if within == str(DATA):
                break
    return None


def names_in(path: Path) -> frozenset[str]:
    """Return the paths of the files in a tar, within its folder; none of a damaged one."""
    try:
        with tarfile.open(path, "r:") as tar:
            return frozenset(each.name.partition("/")[2] for each in tar if each.isfile())
    except (OSError, tarfile.TarError):
        return frozenset()


def _add(tar: tarfile.TarFile, info: tarfile.TarInfo, path: Path, attend: Attend) -> str:
    """Add a file or folder, and return the SHA-256 of what was added."""
    if path.is_dir():
        info.type, info.mode = tarfile.DIRTYPE, 0o755
        tar.addfile(info)
        return ""
    info.size = path.stat().st_size
    with path.open("rb") as file:
        reader = _Reader(file, attend)
        tar.addfile(info, reader)  # type: ignore[arg-type]  # it is asked to read, and no more
    return reader.digest.hexdigest()


class _Reader:
    """Reads a file for a tar and hashes it on the way."""

    def __init__(self, file: BinaryIO, attend: Attend) -> None:
        self._file, self._attend = file, attend
        self.digest = sha256()

    def read(self, size: int) -> bytes:
        piece = self._file.read(size)
        self._attend(len(piece))
        self.digest.update(piece)
        return piece


def _in_order(folder: Path) -> Iterator[Path]:
    """Yield a folder and all that is in it, tag files before the payload, by name."""
    payload = folder / DATA
    beside = [path for path in folder.rglob("*") if not path.is_relative_to(payload)]
    yield folder
    yield from sorted(beside)
    yield payload
    yield from sorted(payload.rglob("*"))
