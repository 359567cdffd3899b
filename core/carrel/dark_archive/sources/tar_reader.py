# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading a tarball once, from its beginning to its very end: what holds templates is spooled.

A tarball is hostile until it was read: nothing is unpacked, and a member's path is only a name.
"""

import tarfile
from dataclasses import dataclass
from typing import BinaryIO, cast

from carrel.capture.bundles.members import Allowance, Refused, UnreadableBundle
from carrel.capture.bundles.tar_members import Blocks, Header, is_tar, next_header
from carrel.dark_archive.sources.links import may_be_folder
from carrel.dark_archive.sources.omissions import Omissions
from carrel.dark_archive.sources.source import is_redif
from carrel.dark_archive.sources.spool import Spool
from carrel.dark_archive.sources.tar_members import TarListing
from carrel.dark_archive.sources.tar_names import member_path
from carrel.dark_archive.sources.tar_stream import TarStream
from carrel.model.names import readable
from carrel.model.sizes import in_words
from carrel.translation import tr

_GIB = 1024 * 1024 * 1024
_PLAIN = frozenset((tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE))
# GNU's own: the rest of a file that began in another volume.
_GNU_CONTINUED = b"M"
_LONGEST_PATH = 4096
_LATEST = 2**40


@dataclass(frozen=True, slots=True)
class Limits:
    """What no tarball of templates comes near. The whole of RePEc had 733,000 files in 2017, of
    five GB; the longest file of templates had some MB."""

    members: int = 5_000_000
    member_bytes: int = 2 * _GIB
    total_bytes: int = 64 * _GIB
    path_characters: int = _GIB // 2
    ratio: int = 1_000
    ratio_from: int = 100_000_000


class TarReading:
    """One reading of a tarball. `newest` is the latest modification of a member, None if there are
    no members. Raises UnreadableBundle, ArchiveFull, OSError."""

    def __init__(self, stream: TarStream, spool: Spool, limits: Limits) -> None:
        self._spool, self._limits = spool, limits
        self._stream = stream
        self._bytes = 0
        self.newest: int | None = None
        self.listing = TarListing()
        self.omissions = Omissions()

    def read(self) -> None:
        """Read everything. Nothing is known before this has come to its end."""
        blocks = Blocks(cast(BinaryIO, _Begun(self._stream)), Allowance(2**63))
        members = 0
        while (header := next_header(blocks)) is not None:
            members += 1
            if members > self._limits.members:
                raise UnreadableBundle(
                    tr("it holds more than {members:,} members", members=self._limits.members)
                )
            blocks.begin(header.size)
            self._take(header, blocks)
            blocks.skip()
        self._stream.drain()
        self._spool.finish()
        self._settle()

    def _take(self, header: Header, blocks: Blocks) -> None:
        info = header.info
        if info.type == _GNU_CONTINUED:
            raise UnreadableBundle(tr("it is one volume of several; join them first"))
        self.newest = max(self.newest or 0, _moment(header))
        if info.isdir() or header.name.endswith("/"):
            return
        path = member_path(header.name)
        if path is None or len(path) > _LONGEST_PATH:
            name = readable(header.name)
            self.omissions.note(tr("Members whose names are not valid for a file"), f'"{name}"')
        elif info.type == tarfile.SYMTYPE:
            self._take_link(path, header)
        elif is_redif(path.rpartition("/")[2]):
            self._take_redif(path, header, blocks)
        elif info.type not in _PLAIN and info.type != tarfile.LNKTYPE:
            self.omissions.note(tr("Members that are not regular files"), path)

    def _take_link(self, path: str, header: Header) -> None:
        name = path.rpartition("/")[2]
        self.omissions.note(tr("Links, which are not followed in a tarball"), path)
        if is_redif(name):
            self._add(path, None, header)
        elif may_be_folder(name):
            self.omissions.miss(path + "/")

    def _take_redif(self, path: str, header: Header, blocks: Blocks) -> None:
        if header.info.type == tarfile.LNKTYPE:
            self._take_same(path, header)
        elif header.is_sparse:
            self.omissions.note(tr("Sparse files, which cannot be read"), path)
            self._add(path, None, header)
        elif header.info.type not in _PLAIN:
            self.omissions.note(tr("Members that are not regular files"), path)
            self._add(path, None, header)
        else:
            self._count(header.size)
            self._add(path, self._spool.size, header, header.size)
            self._spool_all(blocks)

    def _take_same(self, path: str, header: Header) -> None:
        """Take a hard link for what it is: a further name of an earlier member."""
        named = member_path(header.link)
        same = self.listing.at(named) if named is not None else None
        if same is None or same.offset is None:
            self.omissions.note(tr("Further names of members whose bytes were not read"), path)
            self._add(path, None, header)
        else:
            self._count(same.size)
            self._add(path, same.offset, header, same.size)

    def _count(self, size: int) -> None:
        if size > self._limits.member_bytes:
            most = in_words(self._limits.member_bytes)
            raise UnreadableBundle(tr("a file of templates in it is larger than {most}", most=most))
        self._bytes += size
        if self._bytes > self._limits.total_bytes:
            most = in_words(self._limits.total_bytes)
            raise UnreadableBundle(
                tr("its files of templates are larger than {most} together", most=most)
            )

    def _add(self, path: str, offset: int | None, header: Header, size: int = 0) -> None:
        self.listing.add(path, offset, size, _moment(header))
        if self.listing.path_characters > self._limits.path_characters:
            raise UnreadableBundle(tr("its paths are too long in total"))

    def _spool_all(self, blocks: Blocks) -> None:
        try:
            for piece in blocks.pieces():
                self._spool.write(piece)
        except Refused as why:
            raise UnreadableBundle(tr("it ends too early")) from why

    def _settle(self) -> None:
        self.listing.sort()
        for path in self.listing.replaced:
            self.omissions.note(tr("Paths that occur more than once; the last was used"), path)
        for each in self.listing:
            if each.offset is None:
                self.omissions.miss(each.path)


def _moment(header: Header) -> int:
    """Return when a member was modified, in seconds; a header can tell any number."""
    return max(0, min(header.modified, _LATEST))


class _Begun:
    """A stream of which the first block was looked at, whether it is one of a tar."""

    def __init__(self, stream: TarStream) -> None:
        self._stream = stream
        self._head = stream.read(tarfile.BLOCKSIZE)
        if not self._head:
            raise UnreadableBundle(tr("it is empty"))
        if self._head.strip(b"\0") and not is_tar(self._head):
            raise UnreadableBundle(tr("it is not a tar file, compressed or not"))

    def read(self, size: int) -> bytes:
        head, self._head = self._head, b""
        return head or self._stream.read(size)
