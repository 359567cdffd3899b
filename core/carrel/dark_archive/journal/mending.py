# SPDX-License-Identifier: AGPL-3.0-or-later
"""Putting the right bytes of a group back into a file of the journal."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from carrel.dark_archive.journal import lines
from carrel.dark_archive.journal.ending import head_at, sync_folder
from carrel.dark_archive.journal.groups import BEGINNING, Head, Lines, head_after, month_files
from carrel.errors import ArchiveError

_BLOCK = 1024**2


def put_back(folder: Path, name: str, offset: int, data: bytes) -> None:
    """Have a group stand at a byte of a file, and behind it what followed it there.

    What stood between the line before and the line after it goes. Raises ArchiveError if the bytes
    are no group, or do not follow what stands before them; OSError. Nothing is changed then.
    """
    path = folder / name
    group = _group(name, offset, data)
    if head_after(group, _head_before(folder, path, offset)) is None:
        raise ArchiveError(
            f"The {len(data):,} bytes for {name} do not follow what stands before byte {offset:,}"
            " there: what comes earlier in the journal must be put right first."
        )
    last = lines.digest(group.lines[-1][:-1])
    rest = _rest(folder, path, offset, last)
    _replace(path, offset, data, len(data) + offset if rest is None else rest)
    sync_folder(folder)


def _group(name: str, offset: int, data: bytes) -> Lines:
    found = [line + b"\n" for line in data.split(b"\n")]
    if found.pop() != b"\n" or not found:
        raise ArchiveError(f"The {len(data):,} bytes for {name} are no lines of the journal.")
    return Lines(name, 1, offset, found, is_closed=True)


def _head_before(folder: Path, path: Path, offset: int) -> Head:
    """Return the head before a byte, as the line before it states."""
    if offset:
        head = head_at(path, offset)
    else:
        older = [each for each in month_files(folder) if each.name < path.name]
        head = head_at(older[-1], older[-1].stat().st_size) if older else BEGINNING
    if head is None:
        raise ArchiveError(
            f"What stands before byte {offset:,} of {path.name} must be put right first."
        )
    return head


def _rest(folder: Path, path: Path, offset: int, last: str) -> int | None:
    """Return where in a file the line that follows a digest begins: at its end, if that line is in
    the next file. None if there is no such line."""
    newer = [each for each in month_files(folder) if each.name > path.name]
    if newer and next(_followers(newer[0], 0, last, most=1), None) == 0:
        return path.stat().st_size if path.exists() else offset
    return next(_followers(path, offset, last), None) if path.exists() else None


def _followers(path: Path, offset: int, last: str, most: int | None = None) -> Iterator[int]:
    """Yield where lines begin that say they follow a digest; of the first `most` lines."""
    number = 0
    with path.open("rb") as file:
        file.seek(offset)
        while number != most and (line := file.readline(lines.LONGEST_LINE)):
            if lines.follows(line[:-1], last):
                yield file.tell() - len(line)
            number += 1


def _replace(path: Path, offset: int, data: bytes, rest: int) -> None:
    fresh = path.with_name(f"{path.name}.tmp")
    try:
        with fresh.open("wb") as target:
            if path.exists():
                _copy(path, target, offset, data, rest)
            else:
                target.write(data)
            target.flush()
            os.fsync(target.fileno())
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _copy(path: Path, target: BinaryIO, offset: int, data: bytes, rest: int) -> None:
    with path.open("rb") as source:
        left = offset
        while left and (block := source.read(min(left, _BLOCK))):
            left -= target.write(block)
        target.write(data)
        source.seek(rest)
        shutil.copyfileobj(source, target, _BLOCK)
