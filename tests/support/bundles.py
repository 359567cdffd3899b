# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bundles for tests, the right ones and such as nobody's library would write."""

import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip as everybody writes it."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


def tarred(*members: tarfile.TarInfo | tuple[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    """Return a tar of files, and of headers without content."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=form) as archive:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                archive.addfile(member)
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                archive.addfile(info, io.BytesIO(member[1]))
    return target.getvalue()


def gzipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def tar_header(name: str, kind: bytes, **fields: str | int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    for key, value in fields.items():
        setattr(info, key, value)
    return info


@dataclass(frozen=True, slots=True)
class RawMember:
    """A member of a zip of which every field can lie. None stands for the truth."""

    name: bytes
    content: bytes = b""
    method: int = 8
    flags: int = 0
    mode: int = 0
    size: int | None = None
    crc: int | None = None
    local_name: bytes | None = None
    packed: bytes | None = None
    offset: int | None = None
    has_descriptor: bool = False
    is_zip64: bool = False


def raw_zip(*members: RawMember) -> bytes:
    """Return a zip put together by hand (APPNOTE 6.3, 4.3)."""
    body, table = b"", b""
    for member in members:
        start = len(body) if member.offset is None else member.offset
        local, central = _heads(member, start)
        body += local
        table += central
    end = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", 0, 0, len(members), len(members), len(table), len(body), 0
    )
    return body + table + end


def _heads(member: RawMember, start: int) -> tuple[bytes, bytes]:
    packed = _packed(member) if member.packed is None else member.packed
    size = len(member.content) if member.size is None else member.size
    crc = zlib.crc32(member.content) if member.crc is None else member.crc
    flags = member.flags | (8 if member.has_descriptor else 0)
    facts = (crc, len(packed), size)
    told = (0, 0, 0) if member.has_descriptor else facts
    extra = b""
    if member.is_zip64:
        extra = struct.pack("<HHQQ", 1, 16, size, len(packed))
        facts = told = (crc, 0xFFFFFFFF, 0xFFFFFFFF)
    name = member.name if member.local_name is None else member.local_name
    local = struct.pack(
        "<4s5H3L2H",
        *(b"PK\x03\x04", 45, flags, member.method, 0, 33),
        *(*told, len(name), len(extra)),
    )
    local += name + extra + packed
    if member.has_descriptor:
        local += struct.pack("<4s3L", b"PK\x07\x08", *facts)
    central = struct.pack(
        "<4s6H3L5H2L",
        *(b"PK\x01\x02", 0x031E, 45, flags, member.method, 0, 33),
        *(*facts, len(member.name), len(extra), 0, 0, 0, member.mode << 16, start),
    )
    return local, central + member.name + extra


def _packed(member: RawMember) -> bytes:
    if member.method != 8:
        return member.content
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return deflate.compress(member.content) + deflate.flush()
