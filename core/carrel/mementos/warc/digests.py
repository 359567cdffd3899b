# SPDX-License-Identifier: AGPL-3.0-or-later
"""The digests that a record claims to have, and those that it has."""

import base64
import binascii
import hashlib
from collections.abc import Iterable

from carrel.mementos.warc.heads import Head
from carrel.mementos.warc.problems import InvalidRecord, ProblemKind
from carrel.translation import tr

_ALGORITHMS = {
    "md5": "md5",
    "sha1": "sha1",
    "sha-1": "sha1",
    "sha256": "sha256",
    "sha-256": "sha256",
    "sha512": "sha512",
    "sha-512": "sha512",
}


def sha1_label(payload: Iterable[bytes]) -> str:
    """Return the digest of a payload as WARCs and indexes write it."""
    digest = hashlib.sha1()
    for piece in payload:
        digest.update(piece)
    return "sha1:" + base64.b32encode(digest.digest()).decode()


def verify(head: Head, http_head: bytes, payload: Iterable[bytes]) -> None:
    """Read a payload and raise InvalidRecord unless it, and the block, have the digests they claim.

    What a record does not claim, or not in a way that is known, holds. So does the payload of a
    revisit, which is elsewhere, and one in chunks, whose digest may be that of what was in them.
    """
    claims = [block_claim(head)]
    if head.kind != "revisit" and b"chunked" not in http_head.lower():
        claims.append(payload_claim(head))
    claims[0].update(http_head)
    for piece in payload:
        for claim in claims:
            claim.update(piece)
    for claim in claims:
        claim.check()


def block_claim(head: Head) -> "Claim":
    return Claim("block", head.named.get("warc-block-digest", ""))


def payload_claim(head: Head) -> "Claim":
    return Claim("payload", head.named.get("warc-payload-digest", ""))


class Claim:
    """A digest that is said to be that of some bytes: `sha1:` and base 32, or in hexadecimals.

    `algorithm` is its name in hashlib, None for a label that is not there or not understood.
    """

    def __init__(self, what: str, label: str) -> None:
        algorithm, _, self._value = label.strip().partition(":")
        self.algorithm = _ALGORITHMS.get(algorithm.lower())
        self._what, self._label = what, label
        self._digest = hashlib.new(self.algorithm) if self.algorithm else None

    def update(self, piece: bytes) -> None:
        if self._digest is not None:
            self._digest.update(piece)

    def check(self) -> None:
        """Raise InvalidRecord unless what it was updated with has the digest."""
        if fault := self.fault():
            raise InvalidRecord(ProblemKind.WRONG_DIGEST, fault)

    def fault(self) -> str:
        """Return how the digest of what it was updated with differs, "" if it does not."""
        return "" if self._digest is None else self.fault_of(self._digest.digest())

    def fault_of(self, found: bytes) -> str:
        """Return how a digest differs from the one that is claimed, "" if it does not."""
        if found in (_from_base32(self._value), _from_hex(self._value)):
            return ""
        label = f"{self._label.partition(':')[0]}:{base64.b32encode(found).decode()}"
        return tr(
            "The {what} of a record has the digest {found} and not {expected}.",
            what=self._what,
            found=label,
            expected=self._label[:160],
        )


def _from_base32(text: str) -> bytes:
    try:
        return base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    except (binascii.Error, ValueError):
        return b""


def _from_hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
