# SPDX-License-Identifier: AGPL-3.0-or-later
"""A zip that is read in place: stretches of its members, by their offset."""

import io
import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from carrel.capture.bundles.members import Refused, relative_path
from carrel.capture.bundles.zip_table import (
    ENCRYPTED,
    UNREADABLE_TABLE,
    LocalHead,
    table_of_contents,
)
from carrel.errors import NotLoaded
from carrel.mementos.warc.feed import PIECE_BYTES, Feed, FileFeed
from carrel.translation import tr

# What is packed once more is read from its beginning each time, so it must not be too long; and
# WARCs and indexes do not shrink to a hundredth.
_INFLATED_MAX_BYTES = 4 * 1024**3
_MOST_RATIO = 200
_UNREADABLE = (BadZipFile, OSError, EOFError, struct.error, zlib.error)


class Zip:
    """The members of a zip by name. Raises NotLoaded for one that is no zip, or no honest one."""

    def __init__(self, path: Path) -> None:
        self._members = {info.filename: ZipMember(path, info) for info in _table(path)}

    @property
    def names(self) -> Sequence[str]:
        return list(self._members)

    def member(self, name: str) -> "ZipMember":
        return self._members[name]


class ZipMember:
    """One file in a zip. Each reading opens the zip for itself."""

    def __init__(self, path: Path, info: ZipInfo) -> None:
        _refuse(path, info)
        self._path, self._info = path, info
        self.size = info.file_size

    def pieces(self, offset: int, length: int | None = None) -> Iterator[bytes]:
        """Yield its bytes from an offset on, so many (None for all). Raises NotLoaded."""
        with self.feed() as feed:
            if feed.skip(offset) < offset:
                raise self._fault(tr("ends before byte {offset}", offset=offset))
            left = self.size - offset if length is None else length
            while left > 0:
                piece = feed.take()[:left]
                if not piece:
                    raise self._fault(tr("ends {left:,} bytes too early", left=left))
                left -= len(piece)
                yield piece

    @contextmanager
    def feed(self) -> Iterator[Feed]:
        """Give all its bytes; one that is stored as it is can be gone through by position.

        Raises NotLoaded.
        """
        try:
            with self._path.open("rb") as file:
                if self._info.compress_type == ZIP_STORED:
                    start = self._start(file)
                    yield FileFeed(file, start, start + self.size)
                else:
                    with ZipFile(file) as archive, archive.open(self._info) as inflated:
                        yield Feed(iter(lambda: inflated.read(PIECE_BYTES), b""))
        except _UNREADABLE as error:
            raise self._fault(tr("cannot be read ({error})", error=error)) from error

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Give it as a file; one that is stored as it is can be sought in. Raises NotLoaded."""
        try:
            with self._path.open("rb") as file:
                if self._info.compress_type == ZIP_STORED:
                    yield cast(BinaryIO, Stretch(file, self._start(file), self.size))
                else:
                    with ZipFile(file) as archive, archive.open(self._info) as inflated:
                        yield cast(BinaryIO, inflated)
        except _UNREADABLE as error:
            raise self._fault(tr("cannot be read ({error})", error=error)) from error

    def _start(self, file: BinaryIO) -> int:
        """Return where its bytes begin, behind a head that agrees with the table of contents."""
        head = LocalHead.read(file, self._info)
        is_same = head is not None and head.is_marked and head.method == ZIP_STORED
        if head is None or not is_same or head.flags & ENCRYPTED:
            raise BadZipFile(tr("its two heads do not agree"))
        return self._info.header_offset + head.size

    def _fault(self, what: str) -> NotLoaded:
        name = self._info.filename
        return NotLoaded(
            name, tr("“{name}” in {other} {what}.", name=name, other=self._path.name, what=what)
        )


class Stretch(io.RawIOBase):
    """A stretch of a file, as a file of its own."""

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        super().__init__()
        self._file, self._start, self._size = file, start, size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        return self._at

    def read(self, size: int | None = -1) -> bytes:
        left = max(0, self._size - self._at)
        self._file.seek(self._start + self._at)
        piece = self._file.read(left if size is None or size < 0 else min(size, left))
        self._at += len(piece)
        return piece


def _table(path: Path) -> list[ZipInfo]:
    try:
        with path.open("rb") as file:
            infos = [info for info in table_of_contents(file) if not info.is_dir()]
    except UNREADABLE_TABLE as error:
        reason = getattr(error, "strerror", None) or error
        raise NotLoaded(
            path.name,
            tr("{name} cannot be read as a zip: {reason}.", name=path.name, reason=reason),
        ) from error
    for name, count in Counter(info.filename for info in infos).most_common(1):
        if count > 1:  # which of them is meant differs from reader to reader
            words = tr("{name} has several parts that are called {other}.", name=path.name,
                       other=name[:200])  # fmt: skip
            raise NotLoaded(path.name, words)
    return infos


def _refuse(path: Path, info: ZipInfo) -> None:
    """Raise NotLoaded for a member that no honest WACZ has."""
    why = _objection(info)
    if why:
        name = info.orig_filename[:200]
        message = tr(
            "{name} is not opened, because of “{other}” in it: {why}.",
            name=path.name,
            other=name,
            why=why,
        )
        raise NotLoaded(path.name, message)


def _objection(info: ZipInfo) -> str:
    try:
        relative_path(info.orig_filename)
    except Refused as refused:
        return str(refused)
    if info.header_offset < 0:
        return tr("it stands nowhere")
    if info.flag_bits & ENCRYPTED:
        return tr("it is encrypted")
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return tr("Carrel does not support its compression")
    if info.compress_type == ZIP_STORED:
        return "" if info.compress_size == info.file_size else tr("it tells two sizes")
    if info.file_size > min(_INFLATED_MAX_BYTES, _MOST_RATIO * info.compress_size + 1024 * 1024):
        return tr("it inflates to far too much")
    return ""
