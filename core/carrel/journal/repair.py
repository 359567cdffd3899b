# SPDX-License-Identifier: AGPL-3.0-or-later
"""Putting the right bytes of a group back into a file of the journal."""

import json
import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from carrel.capture.folder_sync import sync_folder
from carrel.errors import ArchiveError
from carrel.journal import lines
from carrel.journal.groups import (
    BEGINNING,
    Head,
    Lines,
    head_after,
    is_month_file,
    month_files,
)
from carrel.journal.tail import (
    copy_aside,
    copy_bytes,
    head_at,
    last_said,
)
from carrel.translation import tr

_OBJECT = b'{"entry":"'


def forks(here: Sequence[Path], there: Sequence[Path]) -> bool:
    """Say whether two journals prove to be two: behind the same lines, or from the first on, both
    go on, and each otherwise. A line that was damaged proves nothing: the next one names what it
    was. Raises OSError."""
    prev = lines.NOTHING
    for (line, following), other in zip(pairwise(_lines_of(here)), _lines_of(there), strict=False):
        if line != other:
            is_sound = lines.named_before(following) == lines.digest(line)
            return is_sound and lines.named_before(line) == prev
        prev = lines.digest(line)
    return False


def _lines_of(files: Sequence[Path]) -> Iterator[bytes]:
    for path in files:
        with path.open("rb") as file:
            while line := file.readline(lines.LONGEST_LINE):
                yield line.removesuffix(b"\n")


def put_back(folder: Path, name: str, offset: int, data: bytes, moment: datetime) -> None:
    """Have a group stand at a byte of a file, and behind it what followed it there.

    What stood in its place is copied to a file of its own. Raises ArchiveError if the bytes are no
    group, or do not follow what stands before them; OSError. Nothing is changed then.
    """
    if not is_month_file(name):
        raise ArchiveError(tr("{name!r} is not a journal file.", name=name))
    path = folder / name
    group = _group(name, offset, data)
    head = head_after(group, _head_before(folder, path, offset))
    if head is None:
        raise ArchiveError(
            tr(
                "The {data:,} bytes for {name} do not follow the data before byte {offset:,} "
                "there: repair earlier parts of the journal first.",
                data=len(data),
                name=name,
                offset=offset,
            )
        )
    rest = _rest(folder, path, offset, head)
    if path.exists():
        if rest == group.end and holds(path, offset, data):
            return
        if (end := min(rest, path.stat().st_size)) > offset:
            copy_aside(path, offset, end, "replaced", moment)
    _replace(path, offset, data, rest)
    sync_folder(folder)


def holds(path: Path, offset: int, data: bytes) -> bool:
    """Return whether a file has these bytes at a byte of it. Raises OSError."""
    if not path.exists():
        return False
    with path.open("rb") as file:
        file.seek(offset)
        return file.read(len(data)) == data


def _group(name: str, offset: int, data: bytes) -> Lines:
    found = [line + b"\n" for line in data.split(b"\n")]
    if found.pop() != b"\n" or not found:
        raise ArchiveError(
            tr(
                "The {data:,} bytes for {name} are not lines of the journal.",
                data=len(data),
                name=name,
            )
        )
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
            tr(
                "Repair the data before byte {offset:,} of {name} first.",
                offset=offset,
                name=path.name,
            )
        )
    return head


def _rest(folder: Path, path: Path, offset: int, head: Head) -> int:
    """Return where in a file that goes on which follows the group that is put back at a byte."""
    if not path.exists():
        return 0
    if _line_after(path, head.end, head.sha256) == head.end:
        return head.end
    newer = [each for each in month_files(folder) if each.name > path.name]
    if newer and _line_after(newer[0], 0, head.sha256) == 0:
        return path.stat().st_size
    follower = _line_after(path, offset, head.sha256, is_far=True)
    if follower is not None:
        return follower
    # What follows is damaged too. It can be repaired in its turn, if it is not only rubbish.
    last = last_said(path)
    return head.end if last and last.lines > head.lines else path.stat().st_size


def _line_after(path: Path, start: int, last: str, *, is_far: bool = False) -> int | None:
    """Return where the line begins that says it follows a digest, None if none does.

    The line at `start` is looked at; if it may be far, those behind it too.
    """
    with path.open("rb") as file:
        file.seek(start)
        while line := file.readline(lines.LONGEST_LINE):
            if lines.follows(line.removesuffix(b"\n"), last):
                begin = line.rfind(_OBJECT) if _is_broken(line) else 0
                return file.tell() - len(line) + begin if begin >= 0 else None
            if not is_far:
                break
    return None


def _is_broken(line: bytes) -> bool:
    """Return whether a line is not one object: rubbish may stand before it, with no line end."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return True
    return False


def _replace(path: Path, offset: int, data: bytes, rest: int) -> None:
    fresh = path.with_name(f"{path.name}.tmp")
    fresh.unlink(missing_ok=True)  # it may be a link to anywhere
    try:
        with fresh.open("xb") as target:
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
        copy_bytes(source, target, 0, offset)
        target.write(data)
        copy_bytes(source, target, rest, path.stat().st_size)
