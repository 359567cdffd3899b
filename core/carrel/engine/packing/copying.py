# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs put one behind the other into a file: each read once, unpacked to its end and compared with
its checksums on the way, and read back from there.

Small ones, of which there are thousands, are read whole, by two threads: most of that is reading,
unpacking and hashing, which all let go of the interpreter's lock.
"""

import hashlib
import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from gzip import BadGzipFile
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING, BinaryIO

from isal import igzip
from isal.igzip_lib import IsalError

from carrel.capture.digests import sha256_of
from carrel.capture.gzip_member import why_broken
from carrel.capture.stored import Damaged, member_pieces
from carrel.model.packed import WarcPart
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Attend = Callable[[int], None]

_THREADS = 2
_WHOLE_BYTES = 4 * MEBIBYTE
# Of what is read whole, so much is held in memory at once.
_HELD_BYTES = 32 * MEBIBYTE
_UNPACKED_BYTES = MEBIBYTE


@dataclass(frozen=True, slots=True)
class Copied:
    """A WARC that is a part of a file now, and its SHA-256; or, with no part, what is `broken` in
    it."""

    name: str
    part: WarcPart | None = None
    sha256: str = ""
    broken: str = ""


@dataclass(frozen=True, slots=True)
class _Whole:
    """A small WARC as it was read; nothing was read of a large one."""

    content: bytes = b""
    sha256: str = ""
    broken: str = ""


class Copying:
    """From a folder to the end of a file. `is_wanted` says of a WARC, given its name, whether it is
    copied; `attend` is told how many bytes are done since it was told last."""

    def __init__(self, folder: Path, is_wanted: Callable[[str], bool], attend: Attend) -> None:
        self._folder, self._is_wanted, self._attend = str(folder), is_wanted, attend
        self._buffers = local()

    def copy(self, warcs: Sequence[WarcPart], path: Path) -> Iterator[Copied]:
        """Write WARCs to a new file, and bring it to the disk. Raises OSError."""
        with path.open("xb") as file, ThreadPoolExecutor(_THREADS) as pool:
            for some in _portions(warcs):
                wanted = [warc for warc in some if self._is_wanted(warc.name)]
                for warc, whole in zip(wanted, pool.map(self._read, wanted), strict=True):
                    yield self._append(warc, whole, file, path.name)
            file.flush()
            os.fsync(file.fileno())

    def _read(self, warc: WarcPart) -> _Whole:
        if warc.length > _WHOLE_BYTES:
            return _Whole()
        with open(self._path(warc), "rb", buffering=0) as file:
            content = file.readall()
        try:
            self._unpack(io.BytesIO(content))
        except Damaged as error:
            return _Whole(broken=str(error))
        return _Whole(content, hashlib.sha256(content).hexdigest())

    def _append(self, warc: WarcPart, whole: _Whole, file: BinaryIO, filename: str) -> Copied:
        offset = file.tell()
        if whole.broken:
            return Copied(warc.name, broken=whole.broken)
        try:
            sha256 = whole.sha256 or self._stream(warc, file)
        except Damaged as error:
            file.seek(offset)
            file.truncate()
            return Copied(warc.name, broken=str(error))
        if whole.sha256:
            file.write(whole.content)
            self._attend(len(whole.content))
        return Copied(
            warc.name, WarcPart(warc.name, filename, offset, file.tell() - offset), sha256
        )

    def _stream(self, warc: WarcPart, file: BinaryIO) -> str:
        """Copy a large WARC piece by piece; return its SHA-256. Raises Damaged and OSError."""
        with open(self._path(warc), "rb", buffering=0) as source:
            passing = _Passing(source, file, self._attend)
            self._unpack(passing)
            return passing.sha256

    def _unpack(self, source: io.BytesIO | io.RawIOBase) -> None:
        """Read gzip members to their ends. Raises Damaged where one is not what its checksum says,
        and OSError."""
        try:
            with igzip.IGzipFile(fileobj=source, mode="rb") as members:  # type: ignore[no-untyped-call]
                while members.readinto(self._buffer):
                    pass
        except (EOFError, BadGzipFile, IsalError) as error:  # type: ignore[misc]  # wrong stub
            what = tr("a record is damaged: {why}", why=why_broken(error))
            raise Damaged(what) from error

    @property
    def _buffer(self) -> bytearray:
        """What is unpacked goes to one place of each thread: new memory costs more than that."""
        try:
            buffer: bytearray = self._buffers.buffer
        except AttributeError:
            buffer = self._buffers.buffer = bytearray(_UNPACKED_BYTES)
        return buffer

    def _path(self, warc: WarcPart) -> str:
        return f"{self._folder}{os.sep}{warc.name}"


def prove(path: Path, copies: Iterable[Copied], attend: Attend) -> None:
    """Read parts of a file back, and compare them with what they were copied from.

    Raises OSError where one is another.
    """

    def is_same(copied: tuple[WarcPart, str]) -> bool:
        part, sha256 = copied
        return sha256_of(member_pieces(path, part.offset, part.length)) == sha256

    parts = [(each.part, each.sha256) for each in copies if each.part]
    with ThreadPoolExecutor(_THREADS) as pool:
        for (part, _), same in zip(parts, pool.map(is_same, parts), strict=True):
            if not same:
                raise OSError(5, tr("what was written reads back differently"), str(path))
            attend(part.length)


def _portions(warcs: Sequence[WarcPart]) -> Iterator[Sequence[WarcPart]]:
    """Yield them so that those of one portion that are read whole fit into memory."""
    some, held = list[WarcPart](), 0
    for warc in warcs:
        size = warc.length if warc.length <= _WHOLE_BYTES else 0
        if some and held + size > _HELD_BYTES:
            yield some
            some, held = [], 0
        some.append(warc)
        held += size
    if some:
        yield some


class _Passing(io.RawIOBase):
    """A file that is copied into another one while it is read; `sha256` is that of all of it."""

    def __init__(self, source: io.RawIOBase, target: BinaryIO, attend: Attend) -> None:
        super().__init__()
        self._source, self._target, self._attend = source, target, attend
        self._digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        piece = memoryview(buffer)[: self._source.readinto(buffer)]
        self._digest.update(piece)
        self._target.write(piece)
        self._attend(len(piece))
        return len(piece)

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()
