# SPDX-License-Identifier: AGPL-3.0-or-later
"""The members of a zip (PKWARE APPNOTE 6.3).

The table of contents is read by the standard library. The bytes are not: its reader stops silently
at the size in the table, however much more there is, and never asks whether two members share their
bytes.
"""

import zlib
from collections.abc import Iterator
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipInfo

from isal import isal_zlib
from isal.igzip_lib import IsalError

from carrel.capture.bundles.members import (
    PIECE_BYTES,
    Allowance,
    Member,
    Reading,
    Refusal,
    Refused,
    UnreadableBundle,
    refused,
    relative_path,
)
from carrel.capture.bundles.zip_table import (
    ENCRYPTED,
    LOCAL_HEAD_BYTES,
    PATCHED,
    UNREADABLE_TABLE,
    UTF8,
    LocalHead,
    TableTooLong,
    table_of_contents,
)
from carrel.translation import tr

# The types of Unix modes, which stand in the upper half of the external attributes.
_TYPE_MASK, _REGULAR, _FOLDER, _LINK = 0xF000, 0x8000, 0x4000, 0xA000
_UNIX_SYSTEMS = (3, 19)
_METHODS = {
    1: "shrinking",
    6: "imploding",
    9: "Deflate64",
    12: "bzip2",
    14: "LZMA",
    93: "Zstandard",
    95: "XZ",
    98: "PPMd",
    99: tr("AES encryption"),
}


def zip_members(file: BinaryIO, reading: Reading) -> Iterator[Member]:
    """Yield every file in a zip; folders are left out.

    Those whose published size is known come first, so that others cannot use up what they may
    inflate to. Raises UnreadableBundle when the table of contents is not valid, and Cancelled.
    """
    infos = _table(file, reading.most_members)
    overlapping = _overlapping(infos)
    seen: set[str] = set()
    later: list[tuple[ZipInfo, str]] = []
    for info in infos:
        name, is_folder = _name(info), info.orig_filename.endswith("/") and not info.file_size
        try:
            path = relative_path(name)
        except Refused as why:
            if not (is_folder and why.refusal is Refusal.NAMELESS):  # "./" is all of it
                yield refused(name, why.refusal, size=info.file_size)
            continue
        if is_folder:
            reading.notes_folder(path)
            continue
        refusal = _doubt(path, info, seen, overlapping)
        seen.add(path)
        if refusal is not None:
            yield refused(name, refusal, path, info.file_size)
        elif reading.size_of(path) is None:
            later.append((info, path))
        else:
            yield _member(file, info, path, reading)
    for info, path in later:
        yield _member(file, info, path, reading)


def _doubt(path: str, info: ZipInfo, seen: set[str], overlapping: set[int]) -> Refusal | None:
    if path in seen:
        return Refusal.DUPLICATE
    return Refusal.OVERLAP if id(info) in overlapping else None


def _member(file: BinaryIO, info: ZipInfo, path: str, reading: Reading) -> Member:
    pieces = _pieces(file, info, reading.allowance)
    return reading.member(_name(info), path, info.file_size, pieces)


def _table(file: BinaryIO, most: int) -> list[ZipInfo]:
    try:
        infos = table_of_contents(file)
    except TableTooLong as error:
        raise UnreadableBundle(str(error)) from error
    except UNREADABLE_TABLE as error:
        raise UnreadableBundle(
            tr("its table of contents cannot be read ({error})", error=error)
        ) from error
    if len(infos) > most:
        raise UnreadableBundle(tr("it lists more than {most:,} members", most=most))
    return infos


def _name(info: ZipInfo) -> str:
    """Return the name as it was meant: many programs write UTF-8 and do not say so."""
    if info.flag_bits & UTF8:
        return info.orig_filename
    raw = info.orig_filename.encode("cp437")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return info.orig_filename


def _overlapping(infos: list[ZipInfo]) -> set[int]:
    """Return the ids of entries whose bytes begin within those of another."""
    found: set[int] = set()
    end = -1
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < end:
            found.add(id(info))
        name_size = len(info.orig_filename.encode("utf-8" if info.flag_bits & UTF8 else "cp437"))
        end = max(end, info.header_offset + LOCAL_HEAD_BYTES + name_size + info.compress_size)
    return found


def _pieces(file: BinaryIO, info: ZipInfo, allowance: Allowance) -> Iterator[bytes]:
    """Yield the bytes of a member, checked against its size and CRC-32. Raises Refused."""
    _refuse_unfit(info)
    _find_bytes(file, info)
    crc, size = 0, 0
    for piece in _inflated(file, info):
        size += len(piece)
        if size > info.file_size:
            raise Refused(Refusal.LARGER)
        allowance.take(len(piece))
        crc = zlib.crc32(piece, crc)
        yield piece
    if size < info.file_size:
        raise Refused(Refusal.TRUNCATED)
    if crc != info.CRC:
        raise Refused(Refusal.BROKEN, tr("its bytes do not have the CRC-32 that it declares"))


def _refuse_unfit(info: ZipInfo) -> None:
    kind = (info.external_attr >> 16) & _TYPE_MASK if info.create_system in _UNIX_SYSTEMS else 0
    if kind == _LINK:
        raise Refused(Refusal.LINK)
    if kind not in (0, _REGULAR) or info.orig_filename.endswith("/"):
        raise Refused(Refusal.SPECIAL)
    if info.flag_bits & ENCRYPTED:
        raise Refused(Refusal.ENCRYPTED)
    if info.flag_bits & PATCHED or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        method = _METHODS.get(
            info.compress_type, tr("method {compress_type}", compress_type=info.compress_type)
        )
        raise Refused(Refusal.METHOD, f"{Refusal.METHOD.why}: {method}")


def _find_bytes(file: BinaryIO, info: ZipInfo) -> None:
    """Go to where the member's bytes begin, behind a head that says the same as the table."""
    if info.header_offset < 0:
        raise Refused(Refusal.BROKEN, tr("it is nowhere in the bundle"))
    head = LocalHead.read(file, info)
    if head is None:
        raise Refused(Refusal.TRUNCATED)
    if not head.is_marked:
        raise Refused(Refusal.BROKEN, tr("there is no file where the table of contents says"))
    if head.raw_name != info.orig_filename.encode("utf-8" if info.flag_bits & UTF8 else "cp437"):
        raise Refused(Refusal.OTHER_NAME)
    if head.flags & ENCRYPTED:
        raise Refused(Refusal.ENCRYPTED)
    if head.method != info.compress_type:
        raise Refused(Refusal.BROKEN, tr("it declares two compression methods for the same bytes"))
    file.seek(info.header_offset + head.size)


def _inflated(file: BinaryIO, info: ZipInfo) -> Iterator[bytes]:
    """Yield all that a member's stored bytes are, even beyond its declared size."""
    packed_blocks = _stored(file, info.compress_size)
    if info.compress_type == ZIP_STORED:
        yield from packed_blocks
        return
    inflate = isal_zlib.decompressobj(-zlib.MAX_WBITS)
    for block in packed_blocks:
        packed = block
        while packed:
            if inflate.eof:
                raise Refused(Refusal.BROKEN, tr("other bytes follow its end"))
            try:
                piece = inflate.decompress(packed, PIECE_BYTES)
            except (IsalError, EOFError, zlib.error) as error:  # type: ignore[misc]  # wrong stub
                raise Refused(
                    Refusal.BROKEN, tr("it cannot be decompressed ({error})", error=error)
                ) from error
            if piece:
                yield piece
            packed = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
    while not inflate.eof:
        piece = inflate.decompress(b"", PIECE_BYTES)
        if not piece:
            raise Refused(Refusal.TRUNCATED)
        yield piece


def _stored(file: BinaryIO, size: int) -> Iterator[bytes]:
    left = size
    while left > 0:
        block = file.read(min(left, PIECE_BYTES))
        if not block:
            raise Refused(Refusal.TRUNCATED)
        left -= len(block)
        yield block
