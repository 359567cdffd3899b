# SPDX-License-Identifier: AGPL-3.0-or-later
"""Opening one record by its bytes, wherever they come from.

    open_record(pieces: Iterator[bytes], name: str) -> Record

`pieces` are the bytes of the file from the record's offset on, up to its length or beyond it: a
gzip member, or the record as it stands in a plain file. `pieces_of` has them for a local file, the
body of a range answer for a remote one. `name` is the file's, for whoever is told of a fault.
"""

from collections.abc import Iterator
from pathlib import Path

from carrel.errors import NotLoaded
from carrel.mementos.loading.record import Fields, Record
from carrel.mementos.warc.block import Block, begin
from carrel.mementos.warc.feed import PIECE_BYTES, Feed
from carrel.mementos.warc.members import GZIP_MARK, Content, Member, Plain
from carrel.mementos.warc.problems import InvalidRecord
from carrel.translation import tr

# Line breaks at the end of a member, read so that its checksum is looked at.
_TAIL_MAX_BYTES = 64 * 1024


def open_record(pieces: Iterator[bytes], name: str) -> Record:
    """Return the record that these bytes begin with, its payload to be read from them.

    An ARC record comes out as the WARC record that it would be. Its block is as it was stored,
    chunks of HTTP included; only a head without an empty line gets one. Closing the record closes
    `pieces` where they are a generator. Raises NotLoaded for what is no record, and so does reading
    the payload of one that is broken; whatever `pieces` raise comes through.
    """
    feed = Feed(pieces)
    is_packed = feed.peek(len(GZIP_MARK)).startswith(GZIP_MARK)
    content = Content(Member(feed) if is_packed else Plain(feed))
    close = getattr(pieces, "close", lambda: None)
    try:
        block = begin(content)
        http_head = block.http_head()
    except InvalidRecord as error:
        close()
        raise NotLoaded(name, f"{name}: {error}") from error
    whole_head = _completed(http_head)
    length = block.left + len(whole_head)
    return Record(
        fields=_with_length(block.head.fields, length),
        http_head=whole_head,
        payload=_payload(block, content if is_packed else None, name),
        payload_length=block.left,
        close=close,
    )


def pieces_of(path: Path, offset: int, length: int) -> Iterator[bytes]:
    """Yield a stretch of a file. Raises NotLoaded when it cannot be read or ends too early."""
    left = length
    try:
        with path.open("rb") as file:
            file.seek(offset)
            while left > 0:
                piece = file.read(min(left, PIECE_BYTES))
                if not piece:
                    raise NotLoaded(
                        path.name,
                        tr(
                            "{name} ends {left:,} bytes before the end of this record.",
                            name=path.name,
                            left=left,
                        ),
                    )
                left -= len(piece)
                yield piece
    except OSError as error:
        reason = error.strerror or str(error)
        raise NotLoaded(
            path.name, tr("{name} cannot be read: {reason}.", name=path.name, reason=reason)
        ) from error


def _payload(block: Block, packed: Content | None, name: str) -> Iterator[bytes]:
    try:
        yield from block.pieces()
        if packed is not None:
            packed.skip(_TAIL_MAX_BYTES)
    except InvalidRecord as error:
        raise NotLoaded(name, f"{name}: {error}") from error


def _completed(http_head: bytes) -> bytes:
    if not http_head or http_head.endswith((b"\n\r\n", b"\n\n")):
        return http_head
    return http_head.rstrip(b"\r\n") + b"\r\n\r\n"


def _with_length(fields: Fields, length: int) -> Fields:
    """Return the fields of a record with one Content-Length, that of its block."""
    kept = tuple((name, value) for name, value in fields if name.lower() != "content-length")
    return (*kept, ("Content-Length", str(length)))
