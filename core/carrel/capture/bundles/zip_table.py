# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a zip says of its members, in its table of contents and before each (PKWARE APPNOTE 6.3)."""

import io
import struct
from dataclasses import dataclass
from typing import BinaryIO
from zipfile import BadZipFile, ZipFile, ZipInfo

from carrel.errors import CarrelError
from carrel.translation import tr

# Far more than any honest table of contents: some 100,000 members with long names.
_TABLE_MAX_BYTES = 16 * 1024 * 1024
_LOCAL_HEAD = struct.Struct("<4s5H3L2H")
_LOCAL_MARK = b"PK\x03\x04"
# Flags of a member (APPNOTE 4.4.4): the two ways of encryption, a patch, a name in UTF-8.
ENCRYPTED, PATCHED, UTF8 = 0x1 | 0x40, 0x20, 0x800
LOCAL_HEAD_BYTES = _LOCAL_HEAD.size
# What the standard library raises for a table of contents that is not valid.
UNREADABLE_TABLE = (
    BadZipFile,
    NotImplementedError,
    ValueError,
    struct.error,
    OSError,
    EOFError,
)


class TableTooLong(CarrelError, BadZipFile):
    """A table of contents would fill the memory; `str` says how long it is."""


def table_of_contents(file: BinaryIO) -> list[ZipInfo]:
    """Return all members, folders too, without their bytes. Raises UNREADABLE_TABLE."""
    with ZipFile(_Bounded(file)) as archive:
        return archive.infolist()


@dataclass(frozen=True, slots=True)
class LocalHead:
    """What stands before a member's bytes, once more. `size` is that of the head, its name and all.

    `is_marked` says whether it is the head of a member at all.
    """

    is_marked: bool
    flags: int
    method: int
    raw_name: bytes
    size: int

    @classmethod
    def read(cls, file: BinaryIO, info: ZipInfo) -> "LocalHead | None":
        """Return the head of a member, None where the file ends before it does."""
        file.seek(info.header_offset)
        fixed = file.read(_LOCAL_HEAD.size)
        if len(fixed) < _LOCAL_HEAD.size:
            return None
        mark, _, flags, method, *_, name_size, extra_size = _LOCAL_HEAD.unpack(fixed)
        size = _LOCAL_HEAD.size + int(name_size) + int(extra_size)
        return cls(mark == _LOCAL_MARK, int(flags), int(method), file.read(name_size), size)


class _Bounded(io.RawIOBase):
    """A file of which no one reads a table of contents that would fill the memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def read(self, size: int = -1) -> bytes:
        if size < 0 or size > _TABLE_MAX_BYTES:
            here = self._file.tell()
            size = self._file.seek(0, io.SEEK_END) - here
            self._file.seek(here)
        if size > _TABLE_MAX_BYTES:
            raise TableTooLong(tr("its table of contents has {size} bytes", size=size))
        return self._file.read(size)
