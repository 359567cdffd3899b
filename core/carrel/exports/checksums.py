# SPDX-License-Identifier: AGPL-3.0-or-later
"""Lists of checksums that sha256sum, and the readers of bags, check files by."""

from collections.abc import Iterable, Mapping

from carrel.exports.payload import CopiedFile


def payload_list(copied: Iterable[CopiedFile], algorithm: str) -> bytes:
    """Return the list of all files of a dataset, by their paths in the export."""
    return checksum_list({each.path: each.fixity.digests[algorithm] for each in copied})


def checksum_list(digests: Mapping[str, str]) -> bytes:
    """Return a list of digests by path, sorted."""
    return "".join(f"{digests[path]}  {path}\n" for path in sorted(digests)).encode()
