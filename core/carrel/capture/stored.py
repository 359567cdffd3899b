# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading a stored record again, to prove that it holds what it should.

This is a second, independent way to the bytes: from the gzip member through the WARC and HTTP
heads to the payload, as any reader goes, and with nothing carried over from the writing.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from io import SEEK_END
from pathlib import Path
from typing import BinaryIO

from isal import isal_zlib
from isal.igzip_lib import IsalError

from carrel.capture.digests import Digester
from carrel.capture.gzip_member import has_reserved_flags, why_broken
from carrel.errors import CarrelError
from carrel.model import Capture, Fixity
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

_HEAD_MAX_BYTES = 8 * MEBIBYTE
# Never more content at once, however well it was compressed; it fits into the processor's cache.
_PIECE_BYTES = 256 * 1024
_RESOURCE = re.compile(rb"\r\nWARC-Type:[ \t]*resource[ \t]*\r\n", re.IGNORECASE)
# zlib's number for the largest window, in gzip's wrapping.
_GZIP = 31
# All of the bytes where it stands are there: a stretch that is not is told by `pieces_of`.
_NO_END = tr("the record is damaged: its compressed data does not end where the record does")


class Damaged(CarrelError):
    """A stored record is not what it should be; `str` says how.

    Of several that were read, the one `at` this offset in them.
    """

    def __init__(self, words: str, at: int = 0) -> None:
        super().__init__(words)
        self.at = at


def payload_blocks(path: Path, offset: int, length: int) -> Iterator[bytes]:
    """Yield the payload of the response or resource record in this gzip member, in blocks.

    A revisit record has none. Raises Damaged when the member, its checksum or the record's
    structure is broken, or the file ends early; FileNotFoundError when there is no file.
    """
    return payload_in(member_pieces(path, offset, length))


def payload_in(packed: Iterable[bytes]) -> Iterator[bytes]:
    """Yield as `payload_blocks` the payload of the record that is in these pieces of a member."""
    blocks = _inflated(packed)
    head, rest = _split_head(blocks, b"")
    if not head.startswith(b"WARC/1."):
        raise Damaged(tr("there is no WARC record at this offset"))
    left = _content_length(head)
    if not _is_resource(head):
        http_head, rest = _split_head(blocks, rest)
        left -= len(http_head)
    while left > 0:
        if not rest:
            rest = next(blocks, b"")
            if not rest:
                raise Damaged(tr("the record ends {left:,} bytes too early", left=left))
        piece, rest = rest[:left], rest[left:]
        left -= len(piece)
        yield piece
    tail = rest + b"".join(blocks)
    if tail != b"\r\n\r\n":
        raise Damaged(tr("the record does not end where it says"))


def content_coding(path: Path, offset: int, length: int) -> str:
    """Return the content coding that a response (or revisit) record declares, "" if none.

    Raises Damaged and FileNotFoundError.
    """
    coding = http_header(path, offset, length, "content-encoding").lower()
    return "" if coding == "identity" else coding


def http_header(path: Path, offset: int, length: int, name: str) -> str:
    """Return a header (its name in lower case) of a response or revisit record, "" if it has none.

    Raises Damaged and FileNotFoundError.
    """
    blocks = _inflated(member_pieces(path, offset, length))
    head, rest = _split_head(blocks, b"")
    if _is_resource(head):
        return ""
    http_head, _ = _split_head(blocks, rest)
    for line in http_head.split(b"\r\n")[1:]:
        field, _, value = line.partition(b":")
        if field.strip().lower() == name.encode():
            return _as_text(value.strip())
    return ""


def revisit_fault(path: Path, known: Capture) -> str:
    """Return how a stored revisit record differs from what the ledger knows of it, "" if it does
    not. It is read to its end.

    Raises Damaged, FileNotFoundError and OSError.
    """
    packed = b"".join(member_pieces(path, known.offset, known.length))
    head, _ = _split_head(_inflated([packed]), b"")
    for _ in payload_in([packed]):  # it has none; its structure and checksum are read
        pass
    kind, digest = _field(head, b"warc-type"), _field(head, b"warc-payload-digest")
    return difference_of_revisit(known, kind, digest)


def difference_of_revisit(known: Capture, kind: str, digest: str) -> str:
    """Return how a record of this kind that refers to a payload with this digest differs from the
    revisit that the ledger knows, "" if it does not."""
    if kind != "revisit":
        return tr("It is a {kind} record; the ledger has a revisit.", kind=kind[:40])
    sha1 = f"sha1:{known.sha1b32}"
    if digest.lower() == sha1.lower():
        return ""
    return tr(
        "It refers to a payload with the digest {declared} and not {known}.",
        declared=digest[:160],
        known=sha1,
    )


def _field(head: bytes, name: bytes) -> str:
    """Return a field of a WARC head (its name in lower case), "" where it has none."""
    for line in head.split(b"\r\n")[1:]:
        field, _, value = line.partition(b":")
        if field.strip().lower() == name:
            return _as_text(value.strip())
    return ""


def _as_text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def payload_fixity(
    path: Path,
    offset: int,
    length: int,
    algorithms: Iterable[str],
    attend: Callable[[int], None] = lambda count: None,
) -> Fixity:
    """Return size and digests of a stored payload. Raises Damaged and FileNotFoundError.

    `attend` is told how many bytes were read since it was told last; what it raises ends the work.
    """
    digester = Digester(algorithms)
    try:
        for block in payload_blocks(path, offset, length):
            attend(len(block))
            digester.feed(block)
        return digester.fixity()
    finally:
        digester.close()


def difference(known: Capture, found: Fixity) -> str:
    """Return how a payload differs from what the ledger knows of it, "" if it does not.

    SHA-256 is compared always, MD5 and SHA-1 where they were computed.
    """
    if found.size != known.size:
        return tr(
            "The payload has {found} bytes instead of {expected}.",
            found=found.size,
            expected=known.size,
        )
    digests = {"md5": known.md5, "sha1": known.sha1, "sha256": known.sha256}
    for algorithm, digest in digests.items():
        if algorithm not in found.digests and algorithm != "sha256":
            continue
        if found.digests[algorithm] != digest:
            return tr(
                "The payload's {algorithm} is {digests} instead of {digest}.",
                algorithm=algorithm,
                digests=found.digests[algorithm],
                digest=digest,
            )
    return ""


def member_pieces(path: Path, offset: int, length: int) -> Iterator[bytes]:
    """Yield a stretch of a file as it stands there. Raises Damaged where the file ends before it,
    FileNotFoundError and OSError.
    """
    with path.open("rb") as file:
        yield from pieces_of(file, offset, length)


def pieces_of(file: BinaryIO, offset: int, length: int) -> Iterator[bytes]:
    """Yield a stretch of an open file. Raises Damaged where it ends before it, and OSError."""
    file.seek(offset)
    left = length
    while left > 0:
        packed = file.read(min(left, _PIECE_BYTES))
        if not packed:
            left = offset + length - file.seek(0, SEEK_END)
            raise Damaged(
                tr("the file ends {left:,} bytes before the end of this record", left=left)
            )
        left -= len(packed)
        yield packed


def check_members(pieces: Iterable[bytes]) -> None:
    """Read gzip members that follow each other to their ends. Raises Damaged with its place."""
    begin = 0
    try:
        for end in _member_ends(pieces):
            begin = end
    except Damaged as error:
        raise Damaged(str(error), begin) from error


def member_length(path: Path, offset: int, length: int) -> int:
    """Return how long the gzip member is that begins in a stretch of so many bytes. Raises Damaged
    where it does not end there as it began, FileNotFoundError and OSError."""
    for end in _member_ends(member_pieces(path, offset, length)):
        return end
    raise Damaged(_NO_END)


def _member_ends(pieces: Iterable[bytes]) -> Iterator[int]:
    """Yield where gzip members that follow each other end. Raises Damaged."""
    inflate = isal_zlib.decompressobj(_GZIP)
    is_between, read = True, 0
    for packed in pieces:
        read += len(packed)
        while packed:
            if is_between and has_reserved_flags(packed):
                raise Damaged(
                    tr("the record is damaged: it does not begin as gzip does (RFC 1952)")
                )
            is_between = False
            _inflate(inflate, packed)
            packed = inflate.unconsumed_tail
            if inflate.eof:
                packed, inflate = inflate.unused_data, isal_zlib.decompressobj(_GZIP)
                is_between = True
                yield read - len(packed)
    if not is_between:
        raise Damaged(_NO_END)


def _inflated(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the content of one gzip member, checked against its CRC and length (RFC 1952)."""
    inflate = isal_zlib.decompressobj(_GZIP)
    is_begun = False
    for packed in pieces:
        if not is_begun and has_reserved_flags(packed):
            raise Damaged(tr("the record is damaged: it does not begin as gzip does (RFC 1952)"))
        is_begun = True
        while packed:
            if inflate.eof:
                raise Damaged(tr("the record is shorter than the index says"))
            if content := _inflate(inflate, packed):
                yield content
            if inflate.unused_data:
                raise Damaged(tr("the record is shorter than the index says"))
            packed = inflate.unconsumed_tail
    if not inflate.eof:
        raise Damaged(_NO_END)


def _inflate(inflate: "isal_zlib.Decompress", packed: bytes) -> bytes:
    try:
        return inflate.decompress(packed, _PIECE_BYTES)
    except (IsalError, EOFError) as error:  # type: ignore[misc]  # its stub is wrong
        what = tr("the record is damaged: {why_broken}", why_broken=why_broken(error))
        raise Damaged(what) from error


def _split_head(blocks: Iterator[bytes], start: bytes) -> tuple[bytes, bytes]:
    """Return what stands up to and with the first empty line, and what was read beyond it."""
    head = start
    while (end := head.find(b"\r\n\r\n")) < 0:
        block = next(blocks, b"")
        if not block or len(head) > _HEAD_MAX_BYTES:
            raise Damaged(tr("the record's head has no end"))
        head += block
    return head[: end + 4], head[end + 4 :]


def _is_resource(head: bytes) -> bool:
    """Say whether a record has its payload with nothing of HTTP before it (ISO 28500, 6.4)."""
    return _RESOURCE.search(head) is not None


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    raise Damaged(tr("the record does not say how long it is"))
