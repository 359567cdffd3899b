# SPDX-License-Identifier: AGPL-3.0-or-later
"""Digests as people paste them: bare, or with the name of their algorithm as tools write it."""

import base64
import re
from dataclasses import dataclass

# Of those that platforms publish; each goes by the name of its standard (FIPS 180-4, RFC 1321).
_NAMES = {
    "md5": "MD5",
    "sha1": "SHA-1",
    "sha256": "SHA-256",
    "sha384": "SHA-384",
    "sha512": "SHA-512",
}
LENGTHS = {"md5": 32, "sha1": 40, "sha256": 64}  # hexadecimal digits
_DIGEST = re.compile(r"(?:(md5|sha-?1|sha-?256)\s*[:= ]\s*)?([0-9a-f]+)", re.IGNORECASE)
# As in WARC-Payload-Digest and in CDX files (WARC 1.1, section 5.8): 32 digits of RFC 4648.
_BASE32_SHA1 = re.compile(r"sha-?1:([a-z2-7]{32})", re.IGNORECASE)


def algorithm_name(algorithm: str) -> str:
    """Return how people write an algorithm: "SHA-256" for "sha256"; one that is not known as it
    is."""
    return _NAMES.get(algorithm, algorithm)


@dataclass(frozen=True, slots=True)
class Digest:
    """An algorithm and a digest in lower-case hexadecimal digits."""

    algorithm: str
    value: str


def digest_in(text: str) -> Digest | None:
    """Return the digest that a text is, None if it is another text."""
    text = text.strip()
    if found := _BASE32_SHA1.fullmatch(text):
        return Digest("sha1", base64.b32decode(found[1].upper()).hex())
    found = _DIGEST.fullmatch(text)
    if found is None:
        return None
    value = found[2].lower()
    named = (found[1] or "").lower().replace("-", "")
    algorithm = next((name for name, length in LENGTHS.items() if length == len(value)), None)
    return Digest(algorithm, value) if algorithm and named in ("", algorithm) else None
