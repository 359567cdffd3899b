# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs that someone changed who knows the format: all digests in them are right."""

import gzip
import hashlib
import re
import uuid
import zlib
from collections.abc import Iterator, Mapping

from support.warcs import sha1_of

Words = Mapping[bytes, bytes]


def edited_warc(content: bytes, words: Words) -> bytes:
    """Return a WARC with other words in it, each as long as the one in whose place it is."""
    assert all(len(old) == len(new) for old, new in words.items())
    return b"".join(gzip.compress(_edited(each, words), mtime=0) for each in records_of(content))


def other_payload(old: bytes, new: bytes) -> Words:
    """Return the words for a payload and for its digests, wherever they stand."""
    digests = {
        hashlib.new(name, old).hexdigest().encode(): hashlib.new(name, new).hexdigest().encode()
        for name in ("md5", "sha1", "sha256")
    }
    return {old: new, sha1_of(old).encode(): sha1_of(new).encode(), **digests}


def other_ids(content: bytes) -> Words:
    """Return the words for other ids of all records."""
    found = re.findall(rb"WARC-Record-ID: <urn:uuid:([^>]+)>", b"".join(records_of(content)))
    return {each: str(uuid.uuid5(uuid.NAMESPACE_URL, each.decode())).encode() for each in found}


def records_of(content: bytes) -> Iterator[bytes]:
    """Yield what is in each gzip member."""
    while content:
        inflate = zlib.decompressobj(31)
        yield inflate.decompress(content)
        content = inflate.unused_data


def _edited(record: bytes, words: Words) -> bytes:
    changed = record
    for old, new in words.items():
        changed = changed.replace(old, new)
    before, after = (each.partition(b"\r\n\r\n")[2][:-4] for each in (record, changed))
    return changed.replace(sha1_of(before).encode(), sha1_of(after).encode())
