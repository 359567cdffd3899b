# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARC files that are written whole: each has its name only when it is on the disk."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from carrel.capture.digests import Digester
from carrel.capture.folder_sync import sync_folder
from carrel.capture.gzip_member import PatchedMember
from carrel.capture.records import RECORD_END, Record
from carrel.model import Fixity
from carrel.translation import tr


class Head(Protocol):
    """A record's head, of one length whether its payload is known or not."""

    def bytes_for(self, fixity: Fixity | None) -> bytes: ...


class WarcFile:
    """A file that is being written beside the `path` it will have. All raise OSError."""

    def __init__(self, path: Path, info: Record) -> None:
        self.path = path
        self._fresh = path.with_name(f".{path.name}.tmp")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._fresh.open("x+b")
        self._file.write(info.member())
        self._beginning = self._file.tell()

    @property
    def size(self) -> int:
        """How many bytes there are so far."""
        return self._file.tell()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing behind the record that opens the file."""
        return self.size == self._beginning

    @contextmanager
    def whole_or_nothing(self) -> Iterator[None]:
        """Have the records that are written meanwhile be there all, or none of them."""
        offset = self.size
        try:
            yield
        except BaseException:
            self._file.seek(offset)
            self._file.truncate()
            raise

    def add(self, record: Record) -> None:
        self._file.write(record.member())

    def stream(self, head: Head, blocks: Iterable[bytes]) -> Fixity:
        """Write a record of any length, and return what its payload turned out to be.

        Raises what the blocks raise; the record is broken then, see `whole_or_nothing`.
        """
        member = PatchedMember.begin(self._file, head.bytes_for(None))
        digester = Digester(("sha1", "sha256"))
        try:
            for block in blocks:
                digester.feed(block)
                member.write(block)
            fixity = digester.fixity()
        finally:
            digester.close()
        member.write(RECORD_END)
        member.finish(head.bytes_for(fixity))
        return fixity

    def finish(self) -> Path | None:
        """Bring the file to the disk and give it its name; None for an empty one, which goes.

        Raises FileExistsError where the name was taken meanwhile.
        """
        if self.is_empty:
            self.discard()
            return None
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        if self.path.exists():
            self.discard()
            raise FileExistsError(
                tr("{path} is already there, and was not touched", path=self.path)
            )
        self._fresh.rename(self.path)
        sync_folder(self.path.parent)
        return self.path

    def discard(self) -> None:
        """Remove the file. Harmless when called again."""
        self._file.close()
        self._fresh.unlink(missing_ok=True)


class RollingWarcFiles:
    """One file after the other, each begun when there is something to write.

    `next_path` gives their paths, `info` the first record of each by its name. One is ended where
    it would get larger than `max_size` bytes; a larger record is alone.
    """

    def __init__(
        self,
        next_path: Callable[[], Path],
        info: Callable[[str], Record],
        max_size: float = float("inf"),
    ) -> None:
        self._next_path, self._info, self._max_size = next_path, info, max_size
        self._file: WarcFile | None = None
        self.finished: list[Path] = []

    def file_for(self, size: int) -> WarcFile:
        """Return the file for a payload of so many bytes. Raises OSError."""
        file = self._file
        if file is not None and not file.is_empty and file.size + size > self._max_size:
            self.finish()
        if self._file is None:
            path = self._next_path()
            self._file = WarcFile(path, self._info(path.name))
        return self._file

    def finish(self) -> None:
        """End the file that is being written, if there is one. Raises OSError."""
        file, self._file = self._file, None
        path = file.finish() if file is not None else None
        if path is not None:
            self.finished.append(path)

    def discard(self) -> None:
        """Remove the file that is not finished."""
        if self._file is not None:
            self._file.discard()
            self._file = None
