# SPDX-License-Identifier: AGPL-3.0-or-later
"""A zip of stored entries of any size, the same bytes for the same contents.

Readers of WACZ seek in the archive by its own heads: ReplayWeb.page (wabac.js 2.27) finds no entry
whose head has an extra field that the table does not have. Python's zipfile writes such heads for
entries of 1.9 to 2 GiB, so they are written here: with the field in both, from 4 GiB on.
"""

import struct
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from isal import isal_zlib

from carrel.capture.digests import Digester

Write = Callable[[bytes], object]
SHA256 = "sha256"
FULL_FIELD = 0xFFFFFFFF
_VERSION, _VERSION_64 = 20, 45
_NAMES_ARE_UTF8 = 0x0800
_DATE = 0x21  # the first day that a zip can say: 1980-01-01
_HEAD = struct.Struct("<4s5H3L2H")
_TABLE_ROW = struct.Struct("<4s6H3L5H2L")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in the zip: its SHA-256 in hex, and where its head is."""

    name: str
    size: int
    sha256: str
    crc: int
    offset: int
    is_large: bool


class _Taken:
    """What was written of an entry so far."""

    def __init__(self, digester: Digester) -> None:
        self.size = self.crc = 0
        self._digester = digester

    def add(self, piece: bytes) -> None:
        self.size += len(piece)
        self.crc = isal_zlib.crc32(piece, self.crc)
        self._digester.feed(piece)


class ZipFile:
    """Is written into a file that can be sought. `entries` are those that are there by now."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.entries: list[Entry] = []

    @contextmanager
    def entry(self, name: str, most: int) -> Iterator[Write]:
        """Give what takes the pieces of a file of at most so many bytes. Raises OSError."""
        offset, is_large = self._file.tell(), most >= FULL_FIELD
        self._file.write(_head(name, 0, 0, is_large=is_large))
        with closing(Digester([SHA256])) as digester:
            taken = _Taken(digester)

            def write(piece: bytes) -> None:
                taken.add(piece)
                self._file.write(piece)

            yield write
            sha256 = digester.fixity().digests[SHA256]
        end = self._file.tell()
        self._file.seek(offset)
        self._file.write(_head(name, taken.size, taken.crc, is_large=is_large))
        self._file.seek(end)
        self.entries.append(Entry(name, taken.size, sha256, taken.crc, offset, is_large))

    def add(self, name: str, content: bytes) -> None:
        """Add a small file. Raises OSError."""
        with self.entry(name, len(content)) as write:
            write(content)

    def finish(self) -> None:
        """Write the table of all entries."""
        start = self._file.tell()
        self._file.writelines(map(_table_row, self.entries))
        size = self._file.tell() - start
        self._file.write(_end(len(self.entries), start, size))


def _head(name: str, size: int, crc: int, *, is_large: bool) -> bytes:
    encoded = name.encode()
    extra = struct.pack("<HHQQ", 1, 16, size, size) if is_large else b""
    told = FULL_FIELD if is_large else size
    version = _VERSION_64 if is_large else _VERSION
    fields = version, _NAMES_ARE_UTF8, 0, 0, _DATE, crc, told, told, len(encoded), len(extra)
    return _HEAD.pack(b"PK\x03\x04", *fields) + encoded + extra


def _table_row(entry: Entry) -> bytes:
    encoded = entry.name.encode()
    is_far = entry.offset >= FULL_FIELD
    large = [entry.size, entry.size] if entry.is_large else []
    large += [entry.offset] if is_far else []
    extra = struct.pack(f"<HH{len(large)}Q", 1, 8 * len(large), *large) if large else b""
    version = _VERSION_64 if large else _VERSION
    told = FULL_FIELD if entry.is_large else entry.size
    row = _TABLE_ROW.pack(
        *(b"PK\x01\x02", version, version, _NAMES_ARE_UTF8, 0, 0, _DATE, entry.crc, told, told),
        *(len(encoded), len(extra), 0, 0, 0, 0, FULL_FIELD if is_far else entry.offset),
    )
    return row + encoded + extra


def _end(count: int, start: int, size: int) -> bytes:
    end = struct.pack(
        "<4s4H2LH",
        *(b"PK\x05\x06", 0, 0, min(count, 0xFFFF), min(count, 0xFFFF)),
        *(min(size, FULL_FIELD), min(start, FULL_FIELD), 0),
    )
    if count < 0xFFFF and start < FULL_FIELD and size < FULL_FIELD:
        return end
    large = struct.pack(
        "<4sQ2H2L4Q",
        *(b"PK\x06\x06", 44, _VERSION_64, _VERSION_64, 0, 0, count, count, size, start),
    )
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, start + size, 1)
    return large + locator + end
