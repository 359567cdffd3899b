# SPDX-License-Identifier: AGPL-3.0-or-later
"""The members of a tar (POSIX.1-2017, pax, "ustar Interchange Format"; and GNU's long names).

The standard library parses each header block. The walk from one to the next is ours: that of the
library takes a damaged header for the end, and reads extended headers of any size into memory.
"""

import re
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from carrel.capture.bundles.members import (
    PIECE_BYTES,
    Allowance,
    Member,
    Reading,
    Refusal,
    Refused,
    UnreadableBundle,
    counted,
    refused,
    relative_path,
)
from carrel.translation import tr

BLOCK_BYTES = 512
# Names of any length fit into this, and so do the attributes that some systems put beside them.
_EXTENDED_MAX_BYTES = 256 * 1024
# A long name, a long link, a few of pax: no member has more of them.
_EXTENDED_MOST = 16
_EXTENDED = frozenset(
    (
        tarfile.XHDTYPE,
        tarfile.XGLTYPE,
        tarfile.SOLARIS_XHDTYPE,
        tarfile.GNUTYPE_LONGNAME,
        tarfile.GNUTYPE_LONGLINK,
    )
)
_LINKS = frozenset((tarfile.LNKTYPE, tarfile.SYMTYPE))
_PLAIN = frozenset((tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE))
# Whatever size their headers tell, no bytes stand behind these.
_BODILESS = _LINKS | {tarfile.DIRTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE}
_LARGEST = 2**63
_SECONDS = re.compile(r"-?[0-9]{1,18}(?=\Z|\.)")
# Where GNU's header of a file with holes says that more of their map follows it.
_MORE_HOLES = 482
# After one of these the place of the next header is not known, or may not be read.
_ENDING = frozenset((Refusal.TRUNCATED, Refusal.OVER_BUDGET))


def tar_members(stream: BinaryIO, reading: Reading) -> Iterator[Member]:
    """Yield every file in a tar, in its order; folders are left out.

    Of several members with one name the first is read and each other is refused. Raises
    UnreadableBundle where the rest is not valid, and Cancelled.
    """
    yield from counted(_members(Blocks(stream, reading.allowance), reading), reading.most_members)


def is_tar(block: bytes) -> bool:
    """Say whether a tar begins with these bytes."""
    try:
        tarfile.TarInfo.frombuf(block[:BLOCK_BYTES], "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return False
    return True


@dataclass(slots=True)
class Header:
    """What the header blocks before a member say of it.

    `link` is what a link leads to. `modified` is in seconds, and any number.
    """

    info: tarfile.TarInfo
    name: str
    size: int
    is_sparse: bool
    link: str
    modified: int


@dataclass(slots=True)
class _Extended:
    """What extended headers say of the member that follows them."""

    records: dict[str, str] = field(default_factory=dict)
    name: str | None = None
    link: str | None = None
    count: int = 0


def _members(blocks: "Blocks", reading: Reading) -> Iterator[Member]:
    seen: set[str] = set()
    while (header := next_header(blocks)) is not None:
        blocks.begin(header.size)
        member = _member(header, blocks, reading, seen)
        if member is not None:
            yield member
            if member.refusal in _ENDING:
                raise UnreadableBundle(
                    tr("reading stopped at one of its members: {why}", why=member.why)
                )
        blocks.skip()
    blocks.drain()


def _member(header: Header, blocks: "Blocks", reading: Reading, seen: set[str]) -> Member | None:
    """Return what a header and the bytes behind it are, None for a folder."""
    name = header.name
    try:
        path = relative_path(name)
    except Refused as why:
        if header.info.isdir() and why.refusal is Refusal.NAMELESS:
            return None  # the folder that all of it is in, "./"
        return refused(name, why.refusal, size=header.size)
    if header.info.isdir():
        reading.notes_folder(path)
        return None
    refusal = _unfit(header) or (Refusal.DUPLICATE if path in seen else None)
    seen.add(path)
    if refusal is not None:
        return refused(name, refusal, path, header.size)
    return reading.member(name, path, header.size, blocks.pieces())


def _unfit(header: Header) -> Refusal | None:
    if header.info.type in _LINKS:
        return Refusal.LINK
    if header.is_sparse:
        return Refusal.SPARSE
    return None if header.info.type in _PLAIN else Refusal.SPECIAL


def next_header(blocks: "Blocks") -> Header | None:
    """Return what comes next, None at the mark of the archive's end. Raises UnreadableBundle."""
    extended = _Extended()
    while True:
        block = blocks.header()
        if not block.strip(b"\0"):
            return None
        try:
            info = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except (tarfile.HeaderError, ValueError) as error:
            raise UnreadableBundle(
                tr("a header in it is damaged ({error})", error=error)
            ) from error
        if info.type not in _EXTENDED:
            if info.type == tarfile.GNUTYPE_SPARSE and block[_MORE_HOLES]:
                raise UnreadableBundle(tr("a file in it is a sparse file with too many holes"))
            return _combined(info, extended)
        _read_extended(blocks, info, extended)


def _read_extended(blocks: "Blocks", info: tarfile.TarInfo, extended: _Extended) -> None:
    extended.count += 1
    if extended.count > _EXTENDED_MOST:
        raise UnreadableBundle(
            tr("a member in it has more than {most:,} headers", most=_EXTENDED_MOST)
        )
    if not 0 <= info.size <= _EXTENDED_MAX_BYTES:
        raise UnreadableBundle(tr("a header in it has {size} bytes", size=info.size))
    blocks.begin(info.size)
    try:
        content = b"".join(blocks.pieces())
    except Refused as why:
        raise UnreadableBundle(tr("a header in it cannot be read: {why}", why=why)) from why
    blocks.skip()
    if info.type == tarfile.GNUTYPE_LONGNAME:
        extended.name = _text(content.rstrip(b"\0"))
    elif info.type == tarfile.GNUTYPE_LONGLINK:
        extended.link = _text(content.rstrip(b"\0"))
    elif info.type in (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE):
        extended.records.update(_pax_records(content))
    # A global header speaks of all members, hence of nothing that tells them apart.


def _pax_records(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield the records "LENGTH KEY=VALUE\\n", whose length counts all of it."""
    position = 0
    while position < len(content):
        blank = content.find(b" ", position, position + 20)
        digits = content[position:blank] if blank > 0 else b""
        end = position + (int(digits) if digits.isdigit() else 0)
        key, sign, value = content[blank + 1 : end - 1].partition(b"=")
        if not blank < end <= len(content) or not sign or content[end - 1 : end] != b"\n":
            raise UnreadableBundle(tr("a header in it is damaged (it has no proper records)"))
        yield _text(key), _text(value)
        position = end


def _combined(info: tarfile.TarInfo, extended: _Extended) -> Header:
    records = extended.records
    size = info.size
    if (told := records.get("size")) is not None:
        if not (told.isascii() and told.isdigit() and len(told) < 20):
            raise UnreadableBundle(tr("a header in it has a size that is not a number"))
        size = int(told)
    if not 0 <= size < _LARGEST:
        raise UnreadableBundle(tr("a header in it has a size of {size} bytes", size=size))
    is_sparse = info.type == tarfile.GNUTYPE_SPARSE or any(
        key.startswith("GNU.sparse.") for key in records
    )
    name = records.get("GNU.sparse.name") or records.get("path") or extended.name or info.name
    link = records.get("linkpath") or extended.link or info.linkname
    body = 0 if info.type in _BODILESS else size
    return Header(info, name, body, is_sparse, link, _modified(info, records))


def _modified(info: tarfile.TarInfo, records: dict[str, str]) -> int:
    told = _SECONDS.match(records.get("mtime", ""))
    return int(told[0]) if told else int(info.mtime)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


class Blocks:
    """The 512-byte blocks of a tar, read in their order and each counted."""

    def __init__(self, stream: BinaryIO, allowance: Allowance) -> None:
        self._stream, self._allowance = stream, allowance
        self._left = self._padding = 0

    def header(self) -> bytes:
        """Return the next block. Raises UnreadableBundle if it is not all there."""
        try:
            block = self._read(BLOCK_BYTES)
        except Refused as why:
            raise UnreadableBundle(tr("it cannot be read further: {why}", why=why)) from why
        if len(block) < BLOCK_BYTES:
            raise UnreadableBundle(tr("it ends too early"))
        return block

    def begin(self, size: int) -> None:
        """Say how many bytes belong to the header that was just read."""
        self._left, self._padding = size, -size % BLOCK_BYTES

    def pieces(self) -> Iterator[bytes]:
        """Yield these bytes. Raises Refused."""
        while self._left > 0:
            piece = self._read(min(self._left, PIECE_BYTES))
            if not piece:
                raise Refused(Refusal.TRUNCATED)
            self._left -= len(piece)
            yield piece

    def skip(self) -> None:
        """Go on to the next header. Raises UnreadableBundle."""
        self._left += self._padding
        self._padding = 0
        try:
            for _ in self.pieces():
                pass
        except Refused as why:
            raise UnreadableBundle(tr("it cannot be read further: {why}", why=why)) from why

    def drain(self) -> None:
        """Read to the very end, so that a checksum that stands there is compared."""
        try:
            while self._read(PIECE_BYTES):
                pass
        except Refused as why:
            raise UnreadableBundle(tr("its end cannot be read: {why}", why=why)) from why

    def _read(self, size: int) -> bytes:
        """Return the bytes, fewer only at the end of the stream."""
        try:
            block = self._stream.read(size)
        except (EOFError, zlib.error) as error:
            raise Refused(
                Refusal.TRUNCATED, tr("its gzip data ends too early ({error})", error=error)
            ) from error
        except OSError as error:
            if error.errno is not None:
                raise
            raise Refused(
                Refusal.BROKEN, tr("its gzip is damaged ({error})", error=error)
            ) from error
        self._allowance.take(len(block))
        return block
