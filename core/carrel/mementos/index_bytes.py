# SPDX-License-Identifier: AGPL-3.0-or-later
"""The bytes of an index file as they were when it was opened, and the lines in them.

They are read in place, never mapped into memory: reading a mapped page that another program has
cut off in the meantime kills the process (SIGBUS), and no check before it closes that gap. A
positioned read costs a microsecond more, answers short instead, and leaves the pages that were
looked at to the system's cache and not to this process.
"""

import errno
import os
import stat
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

from carrel.errors import SourceTrouble
from carrel.mementos.cdx_lines import LONGEST_LINE_BYTES
from carrel.model.memento import SourceState
from carrel.translation import tr

_FIRST_READ_BYTES = 4 * 1024
_READ_BYTES = 64 * 1024
_PROBE_BYTES = 1024
_SEARCHED_BYTES = 1024 * 1024
# What is cut short of a line that is too long: enough to see where it stands.
_KEPT_BYTES = 256
_NO_INDEX_AFTER_BYTES = 64 * LONGEST_LINE_BYTES
_PADDING = b"\0\r\n\t "

Stamp = tuple[int, int, int, int]


class IndexChanged(SourceTrouble):
    """A file became shorter while it was read."""


class IndexBytes:
    """An open file. `stamp` tells it from what stands at its path later; `end` is where its last
    line ends. Threads may share it; it closes when no one holds it. Raises SourceTrouble."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise unreadable(path, error) from error
        weakref.finalize(self, os.close, self._file)
        status = os.fstat(self._file)
        self.stamp = _stamp(status)
        self.size = status.st_size
        self.end = self.size
        self.end = self._end_of_content()

    def read(self, position: int, count: int) -> bytes:
        """Return so many bytes. Raises SourceTrouble, IndexChanged if they are there no longer."""
        try:
            found = _read_at(self._file, count, position)
        except OSError as error:
            raise unreadable(self.path, error) from error
        if len(found) < count:
            raise IndexChanged(
                SourceState.WRONG_ANSWER,
                tr(
                    "{path} became shorter while it was read. Try again when the program that "
                    "writes it is done.",
                    path=self.path,
                ),
            )
        return found

    def line_after(self, position: int, limit: int) -> int:
        """Return where the first line begins whose line break is at `position` or later.

        `limit` if none begins before it. Raises SourceTrouble for what can be no index.
        """
        scanned, step = 0, _PROBE_BYTES
        while position < limit:
            block = self.read(position, min(step, limit - position))
            found = block.find(b"\n")
            if found >= 0:
                return min(position + found + 1, limit)
            scanned, step = scanned + len(block), _READ_BYTES
            if scanned > _NO_INDEX_AFTER_BYTES:
                raise self._no_index(position)
            position = self._after_hole(position + len(block))
        return limit

    def lines(self, position: int) -> Iterator[bytes]:
        """Yield the lines from where one begins, to the end. Of one too long, its beginning."""
        for block in self.blocks_of_lines(position):
            yield from block

    def blocks_of_lines(self, position: int) -> Iterator[list[bytes]]:
        """Yield the same lines, many at a time."""
        rest, step = b"", _FIRST_READ_BYTES
        while position < self.end:
            block = self.read(position, min(step, self.end - position))
            position, step = position + len(block), _READ_BYTES
            lines = (rest + block).split(b"\n")
            rest = lines.pop()
            yield lines
            if len(rest) > LONGEST_LINE_BYTES:
                yield [rest[:_KEPT_BYTES]]
                rest, position = b"", self.line_after(position, self.end)
        if rest:
            yield [rest]

    def lines_before(self, position: int, first: int) -> Iterator[bytes]:
        """Yield the lines between two places where lines begin, the last one first."""
        rest, step = b"", _FIRST_READ_BYTES
        if position <= first:
            return
        if position < self.end:
            position -= 1
        while position > first:
            count = min(step, position - first)
            position, step = position - count, _READ_BYTES
            lines = (self.read(position, count) + rest).split(b"\n")
            yield from reversed(lines[1:])
            rest = lines[0] if len(lines[0]) <= LONGEST_LINE_BYTES else b""
        yield rest

    def lines_with(self, text: bytes) -> Iterator[bytes]:
        """Yield the lines that have a text without line breaks in them."""
        rest, position = b"", 0
        while position < self.end:
            block = rest + self.read(position, min(_SEARCHED_BYTES, self.end - position))
            position += _SEARCHED_BYTES
            cut = block.rfind(b"\n") + 1 if position < self.end else len(block)
            rest = block[cut:]
            yield from _lines_with(text, block[:cut])
            if len(rest) > LONGEST_LINE_BYTES:
                rest, position = b"", self.line_after(position, self.end)

    def without_last_line(self, line: bytes) -> None:
        """Leave out the last line, which is this one."""
        self.end = max(self.end - len(line) - 1, 0)

    def last_line(self) -> tuple[bytes, bool]:
        """Return the last line, and whether a line break says that it is whole."""
        line = next(self.lines_before(self.end, 0), b"")
        tail = self.read(self.end, min(self.size - self.end, _READ_BYTES))
        return line, b"\n" in tail

    def _end_of_content(self) -> int:
        """Return where the last line ends: line breaks, and the zeros of a crash, come after it."""
        end, scanned = self.size, 0
        while end:
            count = min(end, _READ_BYTES)
            block = self.read(end - count, count).rstrip(_PADDING)
            if block:
                return end - count + len(block)
            scanned += count
            if scanned > _NO_INDEX_AFTER_BYTES:
                raise self._no_index(end)
            end = min(end - count, self._end_of_data())
        return 0

    def _end_of_data(self) -> int:
        """Return where a file with holes has its last data, its size where no one can say."""
        low, high = 0, self.size
        while low < high:
            middle = (low + high) // 2
            if self._after_hole(middle) < self.size:
                low = middle + 1
            else:
                high = middle
        return low

    def _after_hole(self, position: int) -> int:
        """Return where the next data is, which is `position` where the system does not tell."""
        if not hasattr(os, "SEEK_DATA") or position >= self.size:
            return position
        try:
            return os.lseek(self._file, position, os.SEEK_DATA)
        except OSError as error:
            return self.size if error.errno == errno.ENXIO else position

    def _no_index(self, position: int) -> SourceTrouble:
        return SourceTrouble(
            SourceState.WRONG_ANSWER,
            tr(
                "{path} is not an index: around byte {position} it has no line for more than "
                "{no_index_after_bytes} MiB.",
                path=self.path,
                position=position,
                no_index_after_bytes=_NO_INDEX_AFTER_BYTES >> 20,
            ),
        )


def stamp_of(path: Path) -> Stamp:
    """Return what tells the file that is at a path now from others. Raises SourceTrouble."""
    try:
        status = os.stat(path)
    except OSError as error:
        raise unreadable(path, error) from error
    if not stat.S_ISREG(status.st_mode):
        raise SourceTrouble(SourceState.UNREACHABLE, tr("{path} is not a file.", path=path))
    return _stamp(status)


def unreadable(path: Path, error: OSError) -> SourceTrouble:
    """Return the trouble with a file that cannot be read."""
    if isinstance(error, FileNotFoundError):
        message = tr("There is no index at {path}. Its drive may not be connected.", path=path)
    else:
        message = tr(
            "The index {path} cannot be read: {strerror}.",
            path=path,
            strerror=error.strerror or error,
        )
    return SourceTrouble(SourceState.UNREACHABLE, message)


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _lines_with(text: bytes, block: bytes) -> Iterator[bytes]:
    """Yield the lines of a block of whole lines that have a text in them."""
    found = block.find(text)
    while found >= 0:
        end = block.find(b"\n", found)
        end = end if end >= 0 else len(block)
        yield block[block.rfind(b"\n", 0, found) + 1 : end]
        found = block.find(text, end)


_turn = threading.Lock()


def _read_in_turn(file: int, count: int, position: int) -> bytes:
    """Read where the system knows no positioned reads (Windows)."""
    with _turn:
        os.lseek(file, position, os.SEEK_SET)
        return os.read(file, count)


_read_at = getattr(os, "pread", _read_in_turn)
