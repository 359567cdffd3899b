# SPDX-License-Identifier: AGPL-3.0-or-later
"""Zips and tars, plain or packed: their members, one of them, or what a packed file unpacks to.

How they are read is the same as for bundles (`carrel.capture.bundles`); here more packings are
known, as this process has limits of its own.
"""

import bz2
import gzip
import io
import lzma
import time
import zlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO, cast

from carrel.access.renditions.source import HEAD_BYTES, NotShown, Source
from carrel.capture.bundles.members import (
    Allowance,
    Member,
    Reading,
    Refusal,
    UnreadableBundle,
)
from carrel.capture.bundles.tar_members import is_tar, tar_members
from carrel.capture.bundles.zip_members import zip_members
from carrel.hosts.pauses import Cancelled
from carrel.model.counts import counted
from carrel.model.names import in_utf8
from carrel.model.prose import shortlist
from carrel.model.rendition import MemberEntry, Members, Rendition
from carrel.model.sizes import GIBIBYTE, MEBIBYTE, in_words
from carrel.translation import tr

MOST_LISTED = 10_000
MOST_MEMBERS = 10 * MOST_LISTED
MOST_OF_A_MEMBER = 64 * MEBIBYTE
MOST_UNPACKED = 64 * GIBIBYTE  # time ends sooner
_LISTING_S = 8.0
_ZIP_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
_PACKINGS = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz"}
_FOREIGN = {b"7z\xbc\xaf'\x1c": "7z", b"Rar!\x1a\x07": "RAR"}
_ENDINGS = (".gz", ".bz2", ".xz", ".tgz")
_BROKEN = (EOFError, OSError, zlib.error, lzma.LZMAError)
_Packed = gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile


def packing_of(head: bytes) -> str:
    """Return the name of what a file is packed with, "" if it is not."""
    return next((name for mark, name in _PACKINGS.items() if head.startswith(mark)), "")


def foreign_archive(head: bytes) -> str:
    """Return the name of the format of an archive that is for other programs, "" for all else."""
    return next((name for mark, name in _FOREIGN.items() if head.startswith(mark)), "")


def is_archive(source: Source) -> bool:
    """Say whether a file is a zip, or a tar, be it packed."""
    head = source.head()
    return head.startswith(_ZIP_MARKS) or is_tar(head) or is_tar(_unpacked_head(source, head))


def as_members(source: Source) -> Rendition:
    """Return the list of an archive's members. Raises NotShown."""
    entries: list[MemberEntry] = []
    doubles: list[str] = []
    notes: list[str] = []
    deadline = time.monotonic() + _LISTING_S
    try:
        for member in members_in(source, _listing(deadline)):
            if len(entries) + len(doubles) == MOST_LISTED:
                notes.append(tr("The first {count:,} members are shown.", count=MOST_LISTED))
                break
            if member.refusal is Refusal.DUPLICATE:
                doubles.append(in_utf8(member.name))
                continue
            # One that is no text is refused: nothing is opened by the name that is shown.
            entries.append(MemberEntry(in_utf8(member.name), member.size, member.why or ""))
    except Cancelled:
        words = tr("The first {count:,} members are shown: listing all would take too long.")
        notes.append(words.format(count=len(entries) + len(doubles)))
    except UnreadableBundle as error:
        if not entries and not doubles:
            raise NotShown(tr("It cannot be read: {error}.", error=error)) from error
        notes.append(tr("It cannot be read to its end: {error}.", error=error))
    if not notes:
        notes.append(f"{counted(len(entries) + len(doubles), 'member')}.")
    if refused := sum(bool(entry.why_not) for entry in entries):
        words = tr("{refused:,} of them cannot be opened; the list marks which.")
        notes.append(words.format(refused=refused))
    if doubles:
        words = tr("Of several members with one name the first is opened: {names}.")
        notes.append(words.format(names=shortlist(dict.fromkeys(doubles))))
    return Rendition(_kind(source), Members(tuple(entries)), tuple(notes), source.size)


def member_of(source: Source, name: str) -> Source:
    """Return a member, or its beginning if it is large. Raises NotShown."""
    if not is_archive(source):
        raise NotShown(tr("It has no members."))
    content = io.BytesIO()

    def take(piece: bytes) -> None:
        content.write(piece[: MOST_OF_A_MEMBER - content.tell()])
        if content.tell() >= MOST_OF_A_MEMBER:
            raise Cancelled  # what follows is not looked at

    reading = Reading(
        Allowance(MOST_UNPACKED),
        algorithms=(),
        wants=lambda stored: stored == name,
        takes=lambda stored: take,
        most_members=MOST_MEMBERS,
    )
    size: int | None = None
    try:
        member = member_called(name, members_in(source, reading))
        if member is None:
            raise NotShown(tr("It has no member {name}.", name=name[:200]))
        if member.fixity is None:
            raise NotShown(tr("It cannot be opened: {why}.", why=member.why))
        size = member.fixity.size
    except Cancelled:
        pass
    except UnreadableBundle as error:
        raise NotShown(tr("It cannot be read: {error}.", error=error)) from error
    is_whole = size is not None
    return Source(content, size, name.rpartition("/")[2], is_whole=is_whole)


def member_called(name: str, members: Iterable[Member]) -> Member | None:
    """Return the member of a name, the first of several; None if there is none."""
    double = None
    for member in members:
        if member.name == name and member.refusal is not Refusal.DUPLICATE:
            return member
        double = member if member.name == name else double
    return double


def unpacked(source: Source) -> Source:
    """Return what a packed file unpacks to, or its beginning if that is large, or if the rest of it
    is missing or damaged. Raises NotShown."""
    stream = _stream(source, packing_of(source.head(16)))
    try:
        content = stream.read(MOST_OF_A_MEMBER + 1)
    except _BROKEN as error:
        content = _as_far_as_it_goes(source, MOST_OF_A_MEMBER)
        start, name = io.BytesIO(content), _bare(source.name)
        if _is_behind_the_end(error):
            fault = tr("after its end there are other bytes")
            return Source(start, len(content), name, fault=fault)
        fault = (Refusal.TRUNCATED if isinstance(error, EOFError) else Refusal.BROKEN).why
        if not content:
            raise NotShown(tr("It cannot be unpacked: {error}.", error=fault)) from error
        return Source(start, None, name, is_whole=False, fault=fault)
    is_whole = len(content) <= MOST_OF_A_MEMBER
    kept = content[:MOST_OF_A_MEMBER]
    return Source(
        io.BytesIO(kept), len(kept) if is_whole else None, _bare(source.name), "", is_whole
    )


def on_packing(source: Source, content: Source) -> str:
    """Return that what is shown was unpacked: to which size, or why only in part."""
    packing = packing_of(source.head(16))
    if content.fault and content.size is not None:
        return tr(
            "Decompressed from {packing} to {size}; {why}.",
            packing=packing,
            size=in_words(content.size),
            why=content.fault,
        )
    if content.fault:
        words = tr("Decompressed from {packing} as far as it goes: {why}.")
        return words.format(packing=packing, why=content.fault)
    if content.size is None:
        return tr("Decompressed from {packing}.", packing=packing)
    size = in_words(content.size)
    return tr("Decompressed from {packing} to {size}.", packing=packing, size=size)


def _listing(deadline: float) -> Reading:
    allowance = Allowance(MOST_UNPACKED, lambda: time.monotonic() > deadline)
    return Reading(allowance, algorithms=(), wants=lambda name: False, most_members=MOST_MEMBERS)


def members_in(source: Source, reading: Reading) -> Iterator[Member]:
    """Yield the members of an archive as `reading` says. Raises UnreadableBundle and NotShown."""
    source.file.seek(0)
    head = source.head()
    source.file.seek(0)
    if head.startswith(_ZIP_MARKS):
        yield from zip_members(source.file, reading)
    elif packing := packing_of(head):
        yield from tar_members(cast(BinaryIO, _Steady(_stream(source, packing))), reading)
    else:
        yield from tar_members(source.file, reading)


def _kind(source: Source) -> str:
    head = source.head()
    if head.startswith(_ZIP_MARKS):
        return "ZIP"
    packing = packing_of(head)
    return f"tar, {packing}" if packing else "tar"


def _stream(source: Source, packing: str) -> _Packed:
    source.file.seek(0)
    match packing:
        case "gzip":
            return gzip.GzipFile(fileobj=source.file, mode="rb")
        case "bzip2":
            return bz2.BZ2File(source.file)
        case "xz":
            return lzma.LZMAFile(source.file)
    raise NotShown(tr("It is not compressed."))


def _unpacked_head(source: Source, head: bytes) -> bytes:
    packing = packing_of(head)
    if not packing:
        return b""
    try:
        return _stream(source, packing).read(HEAD_BYTES)
    except _BROKEN:
        return _as_far_as_it_goes(source, HEAD_BYTES)


def _as_far_as_it_goes(source: Source, most: int) -> bytes:
    """Return what can be unpacked of a broken or cut file."""
    stream, content = _stream(source, packing_of(source.head(16))), bytearray()
    try:
        # What was unpacked before the fault is lost where one read goes on beyond it.
        while len(content) < most and (piece := stream.read1(HEAD_BYTES)):
            content += piece
    except _BROKEN:
        pass
    return bytes(content)


def _is_behind_the_end(error: Exception) -> bool:
    """Say whether all was unpacked, and what follows is no gzip: that it begins with one is known,
    so this is said only of what comes after a whole one."""
    return isinstance(error, gzip.BadGzipFile) and str(error).startswith("Not a gzipped file")


class _Steady(io.RawIOBase):
    """A packed stream, whose reader knows what gzip raises and nothing else."""

    def __init__(self, stream: _Packed) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        try:
            return self._stream.read(size)
        except lzma.LZMAError as error:
            raise EOFError(str(error)) from error


def _bare(name: str) -> str:
    ending = next((each for each in _ENDINGS if name.lower().endswith(each)), "")
    return name[: -len(ending)] if ending else name
