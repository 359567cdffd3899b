# SPDX-License-Identifier: AGPL-3.0-or-later
"""The journal's files, read as groups of lines: each closed by a commit, else it never happened."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Generic

from carrel.journal import lines
from carrel.journal.codec import E

# What a group may come to in bytes: it is held in memory whole, by whoever reads it too.
LARGEST_GROUP = 128 * 1024**2

_MONTH = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])\.jsonl", re.ASCII)


@dataclass(frozen=True, slots=True)
class Head:
    """Where the journal stands: `lines` in all, the SHA-256 of the last one, and its `file`.

    `end` is the byte behind its line end. Before the first line `file` is empty.
    """

    lines: int
    sha256: str
    file: str
    end: int


BEGINNING = Head(0, lines.NOTHING, "", 0)


@dataclass(frozen=True, slots=True)
class Group(Generic[E]):
    """What one commit wrote: `data`, verbatim, from `offset` of `file` on; `head` is that after it.

    A group lies in one file whole.
    """

    entries: Sequence[E]
    head: Head
    file: str
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a file, with their line ends, as they lie there; nothing is known of them yet.

    `line` is the number of the first one, counted from where reading began, from 1. They are
    `closed` if the last one is whole and is, or was, a commit.
    """

    file: str
    line: int
    offset: int
    lines: Sequence[bytes]
    is_closed: bool

    @property
    def end(self) -> int:
        return self.offset + sum(map(len, self.lines))


def month_files(folder: Path) -> list[Path]:
    """Return the journal's files, oldest first. Raises OSError."""
    if not folder.exists():
        return []
    return sorted(path for path in folder.iterdir() if is_month_file(path.name))


def is_month_file(name: str) -> bool:
    return _MONTH.fullmatch(name) is not None


def month_file(moment: datetime, newest: str) -> str:
    """Return the name of the file to write to; a clock that was set back leads into no older."""
    return max(f"{moment.astimezone(UTC):%Y-%m}.jsonl", newest)


def read_lines(path: Path, offset: int = 0) -> Iterator[Lines]:
    """Yield what lies between commits, from a byte on that begins a line. Raises OSError."""
    with path.open("rb") as file:
        file.seek(offset)
        number, size, found = 1, 0, list[bytes]()
        while line := file.readline(lines.LONGEST_LINE):
            found.append(line)
            size += len(line)
            is_closed = line.endswith(b"\n") and lines.is_like_commit(line[:-1])
            if is_closed or size > LARGEST_GROUP:
                yield Lines(path.name, number, offset, found, is_closed)
                number, offset, size, found = number + len(found), offset + size, 0, []
        if found:
            yield Lines(path.name, number, offset, found, is_closed=False)


def head_after(group: Lines, before: Head) -> Head | None:
    """Return the head after a group, None if it is not, byte for byte, what was written there."""
    if not group.is_closed or len(group.lines) < 2:
        return None
    prev = before.sha256
    for line in group.lines[:-1]:
        if not (line.endswith(b"\n") and lines.follows(line[:-1], prev)):
            return None
        prev = lines.digest(line[:-1])
    total = before.lines + len(group.lines)
    closing = lines.commit_line(len(group.lines) - 1, total, prev)
    if group.lines[-1] != closing + b"\n":
        return None
    return Head(total, lines.digest(closing), group.file, group.end)


def is_torn(rest: Lines, before: Head) -> bool:
    """Return whether lines at the end of the journal are what an append left that was cut short.

    They are not if they look as if a commit had closed them: that was written last, after all the
    others had reached the disk, so they were whole and something has changed them.
    """
    if rest.is_closed or rest.end - rest.offset > LARGEST_GROUP:
        return False
    last = rest.lines[-1]
    if last.endswith(b"\n") or not last.startswith(lines.COMMIT_BEGINS):
        return True
    prev = lines.digest(rest.lines[-2][:-1]) if len(rest.lines) > 1 else before.sha256
    closing = lines.commit_line(len(rest.lines) - 1, before.lines + len(rest.lines), prev)
    # After a loss of power zeros may stand where bytes were to come.
    written = last.rstrip(b"\0")
    return closing.startswith(written) and (last == written or len(written) < len(closing))
