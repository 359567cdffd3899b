# SPDX-License-Identifier: AGPL-3.0-or-later
"""The end of the journal, found from behind: where it stands, and what an append left unfinished.

What lies behind the last commit never happened. It is not thrown away, only set aside.
"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import BinaryIO

from carrel.capture.folder_sync import sync_folder
from carrel.journal import lines
from carrel.journal.groups import (
    BEGINNING,
    Head,
    head_after,
    is_torn,
    read_lines,
)

_BLOCK = 1024**2
# Longer than any commit line.
_AHEAD = 512


def find_head(files: Sequence[Path]) -> Head | None:
    """Return the head of the journal in these files, oldest first; None if its end is damaged.

    Only the last group and what lies behind it are read. Raises OSError.
    """
    if not files:
        return BEGINNING
    *older, newest = files
    end = _last_commit(newest)
    head = _checked(newest, end, older) if end else _whole_end(older)
    if head is None or not all(is_torn(rest, head) for rest in read_lines(newest, end)):
        return None
    return head


def head_at(path: Path, end: int) -> Head | None:
    """Return the head that the commit line before a byte of a file states; None if none is there.

    Raises OSError.
    """
    commit = _commit_at(path, end)
    if commit is None:
        return None
    line, said = commit
    return Head(said.all, lines.digest(line), path.name, end)


def last_said(path: Path) -> Head | None:
    """Return the head that the last sound commit line of a file states, wherever it stands.

    Raises OSError.
    """
    return head_at(path, _last_commit(path))


def is_held(folder: Path, known: Head) -> bool:
    """Return whether the journal still has this head. Raises OSError."""
    return known.lines == 0 or head_at(folder / known.file, known.end) == known


def set_aside(path: Path, end: int, moment: datetime) -> Path | None:
    """Move what lies behind a byte of a file into a file of its own, and return that.

    Nothing behind it leaves none. A file of which nothing stays is removed. Raises OSError.
    """
    size = path.stat().st_size
    kept = copy_aside(path, end, size, "torn", moment) if size > end else None
    if end:
        with path.open("r+b") as file:
            file.truncate(end)
            os.fsync(file.fileno())
    else:
        path.unlink()
    sync_folder(path.parent)
    return kept


def copy_aside(path: Path, begin: int, end: int, why: str, moment: datetime) -> Path:
    """Copy some bytes of a file into a new one beside it, and return that. Raises OSError."""
    stem = f"{why}-{moment.astimezone(UTC):%Y-%m-%dT%H%M%SZ}"
    names = (f"{stem}.bin" if number == 1 else f"{stem}-{number}.bin" for number in count(1))
    kept = next(each for each in map(path.with_name, names) if not each.exists())
    try:
        with path.open("rb") as source, kept.open("xb") as target:
            copy_bytes(source, target, begin, end)
            target.flush()
            os.fsync(target.fileno())
    except BaseException:
        kept.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
    return kept


def copy_bytes(source: BinaryIO, target: BinaryIO, begin: int, end: int) -> None:
    """Copy so much as there is of these bytes. Raises OSError."""
    source.seek(begin)
    while begin < end and (block := source.read(min(end - begin, _BLOCK))):
        begin += target.write(block)


def _whole_end(files: Sequence[Path]) -> Head | None:
    """Return the head at the end of files behind which nothing may lie."""
    if not files:
        return BEGINNING
    *older, newest = files
    return _checked(newest, newest.stat().st_size, older)


def _checked(path: Path, end: int, older: Sequence[Path]) -> Head | None:
    """Return the head that a commit states, None if the group it closes is not as it was."""
    commit = _commit_at(path, end)
    if commit is None:
        return None
    line, said = commit
    start = _lines_back(path, end - len(line) - 1, said.lines)
    if start:
        before = head_at(path, start)
    else:
        before = head_at(older[-1], older[-1].stat().st_size) if older else BEGINNING
    head = before and head_after(next(read_lines(path, start)), before)
    return head if head and head.end == end else None


def _commit_at(path: Path, end: int) -> tuple[bytes, lines.Commit] | None:
    """Return the commit line that ends, with its line end, at a byte, and what it says."""
    if end == 0 or not path.exists() or path.stat().st_size < end:
        return None
    with path.open("rb") as file:
        block = _read(file, max(0, end - _AHEAD), end)
    if not block.endswith(b"\n"):
        return None
    line = block[:-1].rpartition(b"\n")[2]
    commit = lines.read_commit(line)
    return (line, commit) if commit else None


def _last_commit(path: Path) -> int:
    """Return where the last commit line that is as it was written ends, 0 if there is none."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        while end > 0:
            begin = max(0, end - _BLOCK)
            block = _read(file, begin, end + _AHEAD)
            found = block.rfind(lines.COMMIT_BEGINS)
            while found >= 0:
                line, line_end, _ = block[found : found + _AHEAD].partition(b"\n")
                if line_end and lines.read_commit(line):
                    return begin + found + len(line) + 1
                found = block.rfind(lines.COMMIT_BEGINS, 0, found)
            end = begin
    return 0


def _lines_back(path: Path, end: int, number: int) -> int:
    """Return where so many lines begin, the last of which ends at a byte; 0 if they are fewer."""
    left = number + 1
    with path.open("rb") as file:
        while end > 0:
            begin = max(0, end - _BLOCK)
            block = _read(file, begin, end)
            if (held := block.count(b"\n")) >= left:
                at = len(block)
                for _ in range(left):
                    at = block.rindex(b"\n", 0, at)
                return begin + at + 1
            left, end = left - held, begin
    return 0


def _read(file: BinaryIO, begin: int, end: int) -> bytes:
    file.seek(begin)
    return file.read(end - begin)
