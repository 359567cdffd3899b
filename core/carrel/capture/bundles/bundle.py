# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which kind of bundle it is, by its content, and its members."""

import gzip
import zlib
from collections.abc import Iterator
from enum import StrEnum
from itertools import chain
from typing import BinaryIO, cast

from carrel.capture.bundles.members import Allowance, Member, Reading, UnreadableBundle
from carrel.capture.bundles.tar_members import BLOCK_BYTES, is_tar, tar_members
from carrel.capture.bundles.zip_members import zip_members
from carrel.capture.exchange import CannotDecode, ContentDecoder
from carrel.translation import tr

# As much as `format_of` wants to see: a compressed tar's first header is in it, whatever its name.
HEAD_BYTES = 64 * 1024
_ZIP_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
_GZIP_MARK = b"\x1f\x8b"


class Format(StrEnum):
    """A kind of bundle; the value is the usual ending of its name."""

    ZIP = "zip"
    TAR = "tar"
    TAR_GZ = "tar.gz"


def format_of(head: bytes) -> Format | None:
    """Return what a bundle is, from its first bytes; None if it is nothing that we know."""
    if head.startswith(_ZIP_MARKS):
        return Format.ZIP
    if head.startswith(_GZIP_MARK):
        return Format.TAR_GZ if is_tar(_inflated_start(head)) else None
    return Format.TAR if is_tar(head) else None


def format_within(payload: Iterator[bytes]) -> Format | None:
    """Return what a payload is, with or without the content coding that a server may put on it."""
    start = _start(payload)[0]
    return format_of(start) or format_of(_gunzipped(start))


def archive_bytes(payload: Iterator[bytes], allowance: Allowance) -> Iterator[bytes]:
    """Yield the archive in a payload, with the content coding gzip undone if there is one.

    A compressed tar is left alone: there the gzip is the archive's own. Raises CannotDecode,
    Refused and Cancelled.
    """
    start, payload = _start(payload)
    if format_of(start) is not None or format_of(_gunzipped(start)) is None:
        yield from payload
        return
    decoder = ContentDecoder("gzip")
    for block in payload:
        for piece in decoder.feed(block):
            allowance.take(len(piece))
            yield piece


def members_of(file: BinaryIO, reading: Reading) -> Iterator[Member]:
    """Yield the files in a bundle one after the other, hashed, and those that are refused by name.

    `file` is seekable. Raises UnreadableBundle where nothing more can be read, OSError, Cancelled.
    """
    file.seek(0)
    kind = format_of(file.read(HEAD_BYTES))
    file.seek(0)
    if kind is Format.ZIP:
        yield from zip_members(file, reading)
    elif kind is Format.TAR:
        yield from tar_members(file, reading)
    elif kind is Format.TAR_GZ:
        with gzip.GzipFile(fileobj=file, mode="rb") as stream:
            yield from tar_members(cast(BinaryIO, stream), reading)
    else:
        raise UnreadableBundle(tr("it is neither a zip nor a tar"))


def _start(blocks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the first bytes, enough to know a format by, and all bytes again."""
    read: list[bytes] = []
    for block in blocks:
        read.append(block)
        if sum(map(len, read)) >= HEAD_BYTES:
            break
    return b"".join(read), chain(read, blocks)


def _gunzipped(start: bytes) -> bytes:
    """Return the content of a gzip's beginning, nothing if it is none."""
    if not start.startswith(_GZIP_MARK):
        return b""
    try:
        return next(ContentDecoder("gzip").feed(start), b"")
    except CannotDecode:
        return b""


def _inflated_start(head: bytes) -> bytes:
    try:
        return zlib.decompressobj(31).decompress(head, BLOCK_BYTES)
    except zlib.error:
        return b""
