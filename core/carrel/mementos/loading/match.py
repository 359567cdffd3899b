# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether what was found is what a row of an index stands for: the address, and the payload."""

import base64
import binascii
import hashlib

from carrel.errors import NotLoaded
from carrel.mementos.loading.record import Record
from carrel.model import Memento
from carrel.model.surt import surt
from carrel.translation import tr

_SIZES = {"sha1": 20, "sha256": 32, "sha512": 64, "md5": 16}


def check(record: Record, memento: Memento, name: str) -> None:
    """Raise NotLoaded when a record is of another address than its row, or no capture at all."""
    found = record.field("WARC-Target-URI").strip("<>")
    if not is_same_key(found, memento):
        message = tr(
            "Another record is in “{name}” where the index has {url}: {found}.",
            name=name,
            url=memento.url[:300],
            found=found[:300] or tr("one without an address"),
        )
        raise NotLoaded(name, message)
    if record.field("WARC-Type") in ("request", "warcinfo") and memento.status:
        message = tr(
            "The record in “{name}” where the index has {url} is not a response.",
            name=name,
            url=memento.url[:300],
        )
        raise NotLoaded(name, message)


def is_same_key(url: str, memento: Memento) -> bool:
    """Say whether a URL is that of a row, or has the same key."""
    if url == memento.url:
        return True
    try:
        return surt(url) == (surt(memento.url) if memento.url else memento.urlkey)
    except ValueError:
        return False


def agree(one: str, other: str) -> bool:
    """Say whether two digests may be of the same bytes: only two of one kind can differ."""
    first, second = _understood(one), _understood(other)
    return first is None or second is None or first[0] != second[0] or first == second


def is_of_nothing(digest: str) -> bool:
    """Say whether a digest is that of an empty payload."""
    understood = _understood(digest)
    return understood is not None and hashlib.new(understood[0]).digest() == understood[1]


def _understood(digest: str) -> tuple[str, bytes] | None:
    """Return the algorithm and the bytes of `sha1:BASE32`, `sha-256:hex` and their like."""
    label, _, text = digest.strip().rpartition(":")
    algorithm = label.lower().replace("-", "") or "sha1"
    size = _SIZES.get(algorithm, 0)
    try:
        if len(text) == 2 * size:
            return algorithm, bytes.fromhex(text)
        raw = base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    except (ValueError, binascii.Error):
        return None
    return (algorithm, raw) if len(raw) == size else None
