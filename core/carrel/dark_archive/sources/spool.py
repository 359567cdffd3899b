# SPDX-License-Identifier: AGPL-3.0-or-later
"""A file without a name that holds the bytes of many, for as long as someone reads them."""

import contextlib
import errno
import io
import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from carrel.capture.disk_room import RESERVE_BYTES
from carrel.errors import ArchiveError, ArchiveFull
from carrel.model.sizes import in_words
from carrel.model.unwritten import is_full
from carrel.translation import tr

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_LOOK_EVERY_BYTES = 16 * 1024 * 1024

FreeBytes = Callable[[Path], int]


def free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


class Spool:
    """Bytes that are written once and then read in any order. Threads may share the reading.

    `what` is spooled, for the words where that fails. Writing raises ArchiveError, ArchiveFull;
    reading raises OSError.
    """

    def __init__(self, folder: Path, what: str, free: FreeBytes = free_bytes) -> None:
        self._folder, self._what, self._free = folder, what, free
        try:
            self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by `close`
        except OSError as error:
            raise self._failed(error) from error
        self._reading = threading.Lock()
        self._looked_at = 0
        self.size = 0

    def write(self, piece: bytes) -> None:
        if self.size + len(piece) >= self._looked_at:
            self._look(len(piece))
        try:
            self._file.write(piece)
        except OSError as error:
            raise self._failed(error) from error
        self.size += len(piece)

    def finish(self) -> None:
        """Have all that was written readable."""
        try:
            self._file.flush()
        except OSError as error:
            raise self._failed(error) from error

    def window(self, offset: int, size: int) -> BinaryIO:
        """Return so many bytes as a file of their own. Raises OSError where the spool is closed."""
        if self._file.closed:
            raise OSError(tr("{what} was closed", what=self._what))
        return cast(BinaryIO, io.BufferedReader(_Window(self, offset, size)))

    def read_at(self, offset: int, size: int) -> bytes:
        with self._reading:
            if self._file.closed:
                raise OSError(tr("{what} was closed", what=self._what))
            self._file.seek(offset)
            return self._file.read(size)

    def close(self) -> None:
        # What could not be written any more is not missed now.
        with self._reading, contextlib.suppress(OSError):
            self._file.close()

    def _look(self, coming: int) -> None:
        """See whether there is room for what comes before the next look."""
        self._looked_at = self.size + max(coming, _LOOK_EVERY_BYTES)
        if self._free(self._folder) < RESERVE_BYTES + max(coming, _LOOK_EVERY_BYTES):
            raise self._full()

    def _failed(self, error: OSError) -> ArchiveError:
        if is_full(error):
            return self._full()
        return ArchiveError(
            tr(
                "{folder} cannot be written to: {strerror}. What {what} "
                "contains is stored there while it is read; nothing was concluded from it.",
                folder=self._folder,
                strerror=error.strerror or error,
                what=self._what,
            )
        )

    def _full(self) -> ArchiveFull:
        left = in_words(self._free(self._folder))
        return ArchiveFull(
            tr(
                "There is no room for what {what} contains: {left} are free in {folder}, "
                "and {size} must stay free. Make room and read it again; nothing "
                "was concluded from it.",
                what=self._what,
                left=left,
                folder=self._folder,
                size=in_words(RESERVE_BYTES),
            )
        )


class _Window(io.RawIOBase):
    def __init__(self, spool: Spool, offset: int, size: int) -> None:
        self._spool, self._offset, self._size = spool, offset, size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        if base + offset < 0:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        piece = self._take(len(view))
        view[: len(piece)] = piece
        return len(piece)

    def readall(self) -> bytes:
        return self._take(self._size)

    def _take(self, size: int) -> bytes:
        left = max(0, self._size - self._at)
        piece = self._spool.read_at(self._offset + self._at, min(size, left)) if left else b""
        self._at += len(piece)
        return piece
