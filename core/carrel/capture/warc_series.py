# SPDX-License-Identifier: AGPL-3.0-or-later
"""The WARCs of one ingest: written in staging, renamed into the collection when they are whole.

No reader ever sees half a record: what lies in the collection was closed, verified and synced
before it got its name there. Small records share a file up to a size, a large payload has been
written to a file of its own (`Part`) and is moved or copied, never compressed twice.
"""

import os
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from isal import igzip
from isal.igzip_lib import IsalError

from carrel.capture.exchange import Exchange
from carrel.capture.gzip_member import MEBIBYTE, compress_member
from carrel.capture.part import Part
from carrel.capture.records import Record, warcinfo
from carrel.capture.stored import Damaged

# From this size on a payload keeps the file it was written to, which becomes a WARC of its own.
_ALONE_FROM_BYTES = 128 * MEBIBYTE


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record's gzip member stands: file name, offset and length in bytes."""

    filename: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class WarcNaming:
    """What goes into WARC names and heads (ISO 28500:2017, Annex C.1).

    A name is prefix, 14-digit time, serial and host, joined by hyphens. `next_serial` never gives
    the same number twice while the archive is open; `is_taken` knows the names of earlier times.
    """

    prefix: str
    host: str
    operator: str
    user_agent: str
    next_serial: Callable[[], int]
    is_taken: Callable[[str], bool] = lambda name: False

    def name(self) -> str:
        """Return a name that no other WARC of the collection has."""
        while True:
            now = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
            name = f"{self.prefix}-{now}-{self.next_serial():05}-{self.host}.warc.gz"
            if not self.is_taken(name):
                return name


class WarcSeries:
    """The WARC files of one ingest, in a staging folder of its own. Threads may share it."""

    def __init__(self, staging: Path, naming: WarcNaming, max_size: int) -> None:
        staging.mkdir(parents=True, exist_ok=True)
        self.staging = staging
        self._naming, self._max_size = naming, max_size
        self._lock = threading.Lock()
        self._names: list[str] = []
        self._file: BinaryIO | None = None

    def append(self, record: Record, *companions: Record) -> Place:
        """Write a record, and such as belong to it, behind the others; return where it stands.

        What was written is read again. Raises OSError and Damaged, and leaves nothing then.
        """
        contents = [each.content() for each in (record, *companions)]
        members = [compress_member(content) for content in contents]
        written = b"".join(members)
        with self._lock:
            file = self._open_for(len(written))
            with _whole_or_nothing(file) as offset:
                file.write(written)
                file.flush()
                _check(_read(file, offset, len(written)), contents)
            return Place(self._names[-1], offset, len(members[0]))

    def start_part(self, exchange: Exchange) -> Part:
        """Begin a record for a payload of any length."""
        path = self.staging / self._naming.name()
        return Part(path, self._naming.operator, self._naming.user_agent, exchange)

    def adopt(self, part: Part) -> Place:
        """Take a finished part into the series and return where its record stands.

        A copy is compared with its original. Raises OSError and Damaged, and leaves nothing then.
        """
        with self._lock:
            if part.length >= min(_ALONE_FROM_BYTES, self._max_size):
                self._names.insert(0, part.path.name)
                return Place(part.path.name, part.offset, part.length)
            file = self._open_for(part.length)
            with _whole_or_nothing(file):
                offset = _copy(part, file)
            part.path.unlink()
            return Place(self._names[-1], offset, part.length)

    def seal(self, collection: Path) -> list[Path]:
        """Sync every file and rename it into the collection; return the new paths.

        The order is: contents to disk, names, names to disk. A kill in between leaves whole WARCs
        that the index does not know yet, never an index that knows more than there is.
        """
        with self._lock:
            self._close()
            sealed: list[Path] = []
            try:
                for name in self._names:
                    _sync(self.staging / name)
                for name in self._names:
                    sealed.append(_moved(self.staging / name, collection / name))
                _sync(collection)
            except OSError:
                for path in sealed:
                    path.rename(self.staging / path.name)
                raise
            self._names = []
        return sealed

    def discard(self) -> None:
        """Remove everything of this series that was not sealed, and its staging folder."""
        with self._lock:
            self._close()
            if self.staging.exists():
                shutil.rmtree(self.staging)

    def _open_for(self, length: int) -> BinaryIO:
        """Return the file to append to, a new one if this length would make it too large."""
        if self._file is not None and self._file.tell() + length > self._max_size:
            self._close()
        if self._file is None:
            name = self._naming.name()
            self._file = (self.staging / name).open("x+b")
            self._names.append(name)
            info = warcinfo(name, self._naming.operator, self._naming.user_agent)
            self._file.write(info.member())
        return self._file

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


@contextmanager
def _whole_or_nothing(file: BinaryIO) -> Iterator[int]:
    """Give the offset of what is written next; if that fails, the file ends there as before."""
    offset = file.tell()
    try:
        yield offset
    except (OSError, Damaged):
        file.truncate(offset)
        file.seek(offset)
        raise


def _read(file: BinaryIO, offset: int, length: int) -> bytes:
    """Return what stands at this place; the file is left at its end."""
    file.seek(offset)
    found = file.read(length)
    file.seek(0, os.SEEK_END)
    return found


def _check(found: bytes, contents: Sequence[bytes]) -> None:
    """Raise Damaged unless these gzip members hold what they were made of."""
    try:
        is_intact = bool(igzip.decompress(found) == b"".join(contents))  # type: ignore[no-untyped-call]
    except (IsalError, OSError, EOFError):  # type: ignore[misc]  # its stub is wrong
        is_intact = False
    if not is_intact:
        raise Damaged("what is stored is not what was written")


def _copy(part: Part, target: BinaryIO) -> int:
    """Append a part's record and return where it stands now. Raises Damaged."""
    start = target.tell()
    with part.path.open("rb") as file:
        file.seek(part.offset)
        left = part.length
        while left > 0 and (block := file.read(min(left, MEBIBYTE))):
            offset = target.tell()
            target.write(block)
            target.flush()
            if _read(target, offset, len(block)) != block:
                raise Damaged(f"the copy of {part.path.name} is not like it")
            left -= len(block)
    if left:
        raise Damaged(f"{part.path.name} is {left} bytes shorter than what was written to it")
    return start


def _moved(source: Path, target: Path) -> Path:
    if target.exists():
        raise FileExistsError(f"{target} exists already and was not touched")
    return source.rename(target)


def _sync(path: Path) -> None:
    """Bring a file or a folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
