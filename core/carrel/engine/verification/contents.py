# SPDX-License-Identifier: AGPL-3.0-or-later
"""A record's block, read to its end in one pass, beside the digests that its head claims."""

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from carrel.capture.digests import Digester
from carrel.mementos.loading.content_coding import NotUnpacked, without_chunks
from carrel.mementos.loading.record import http_fields
from carrel.mementos.warc.block import Block
from carrel.mementos.warc.digests import Claim, block_claim, payload_claim
from carrel.mementos.warc.heads import Head
from carrel.model import Evidence, Fixity

# Large enough for threads to pay, small enough to hold.
_GATHERED_BYTES = 1024 * 1024
# What is left of a piece is copied for each chunk in it.
_CHUNKED_PIECE_BYTES = 8 * 1024
# So many chunks of so few bytes are only sent to make work; the digest is not compared then.
_MOST_SMALL_CHUNKS = 100_000
_SMALL_CHUNK_BYTES = 16


@dataclass(frozen=True, slots=True)
class Contents:
    """What was found in a block: its payload, how it differs from its claims, which there were."""

    payload: Fixity
    faults: tuple[str, ...]
    compared_with: tuple[Evidence, ...]


def read_contents(block: Block, algorithms: Iterable[str]) -> Contents:
    """Read a block; its payload's digests are those of `algorithms` at least.

    Raises what reading a block raises: InvalidRecord and OSError.
    """
    of_block, of_payload = block_claim(block.head), payload_claim(block.head)
    http_head = block.http_head()
    of_block.update(http_head)
    claimed = of_payload.algorithm if _has_all_of_it(block.head) else None
    digester = Digester({*algorithms, *([claimed] if claimed else [])})
    try:
        pieces = _passed(block.pieces(), of_block, digester)
        digests: Sequence[bytes] | None = ()
        if claimed and _is_chunked(http_head):
            digests = _digests_without_chunks(pieces, claimed)
        deque(pieces, maxlen=0)
        payload = digester.fixity()
    finally:
        digester.close()
    compared: list[Evidence] = []
    faults: list[str] = []
    if of_block.algorithm:
        compared.append(Evidence.BLOCK_DIGEST)
        faults.append(of_block.fault())
    if claimed and digests is not None:
        compared.append(Evidence.PAYLOAD_DIGEST)
        as_stored = bytes.fromhex(payload.digests[claimed])
        faults.append(_fault(of_payload, [*digests, as_stored]))
    return Contents(payload, tuple(each for each in faults if each), tuple(compared))


def _has_all_of_it(head: Head) -> bool:
    """Say whether the payload that a digest is of is in the record (ISO 28500:2017, 6.7, 6.9)."""
    is_segment = "warc-segment-number" in head.named
    return head.kind not in ("revisit", "continuation") and not is_segment


def _is_chunked(http_head: bytes) -> bool:
    return "chunked" in http_fields(http_head).get("transfer-encoding", "").lower()


def _fault(claim: Claim, found: Iterable[bytes]) -> str:
    """Return how a claim differs from all of these digests, "" if it is one of them.

    What is stored in chunks has two, and some tools write the one, some the other.
    """
    faults = [claim.fault_of(digest) for digest in found]
    return faults[-1] if all(faults) else ""


def _passed(pieces: Iterable[bytes], claim: Claim, digester: Digester) -> Iterator[bytes]:
    for gathered in _gathered(pieces):
        digester.feed(*gathered)
        for piece in gathered:
            claim.update(piece)
            yield piece


def _gathered(pieces: Iterable[bytes]) -> Iterator[Sequence[bytes]]:
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= _GATHERED_BYTES:
            yield held
            held, size = [], 0
    if held:
        yield held


def _digests_without_chunks(pieces: Iterator[bytes], algorithm: str) -> Sequence[bytes] | None:
    """Return the digest of what is in the chunks of HTTP: none if they are damaged.

    None stands for chunks that are too many to be taken apart.
    """
    digest = hashlib.new(algorithm)
    size = 0
    try:
        for count, piece in enumerate(without_chunks(_small(pieces))):
            digest.update(piece)
            size += len(piece)
            if count > _MOST_SMALL_CHUNKS and size < count * _SMALL_CHUNK_BYTES:
                return None
    except NotUnpacked:
        return ()
    return (digest.digest(),)


def _small(pieces: Iterator[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for start in range(0, len(piece), _CHUNKED_PIECE_BYTES):
            yield piece[start : start + _CHUNKED_PIECE_BYTES]
