# SPDX-License-Identifier: AGPL-3.0-or-later
"""Lists of checksums that sha256sum, and the readers of bags, check files by."""

import hashlib
from collections.abc import Iterable, Mapping

from carrel.exports.payload import CopiedFile

MANIFEST = "manifest-sha256.txt"


def whole_list(copied: Iterable[CopiedFile], beside: Mapping[str, bytes]) -> bytes:
    """Return the list of all files of an export but itself: what attests it attests them all."""
    digests = {each.path: each.fixity.digests["sha256"] for each in copied}
    papers = {name: hashlib.sha256(content).hexdigest() for name, content in beside.items()}
    return checksum_list({**digests, **papers})


def payload_list(copied: Iterable[CopiedFile], algorithm: str) -> bytes:
    """Return the list of all files of a dataset, by their paths in the export."""
    return checksum_list({each.path: each.fixity.digests[algorithm] for each in copied})


def checksum_list(digests: Mapping[str, str]) -> bytes:
    """Return a list of digests by path, sorted."""
    return "".join(checksum_line(digests[path], path) for path in sorted(digests)).encode()


def checksum_line(digest: str, path: str) -> str:
    """Return one line of such a list."""
    return f"{digest}  {path}\n"
