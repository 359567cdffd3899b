# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs with nothing but records that the archive has, as exports have of what earlier ingests
archived: kept once more, such a file would be one of which the ledger knows nothing."""

import hashlib
from collections.abc import Callable, Sequence

from carrel.archive import Archive
from carrel.capture.stored import Damaged
from carrel.errors import NotRead
from carrel.exports.wacz.records import RecordCopies
from carrel.model import Capture


def is_excerpt(
    archive: Archive, sha256: str, captures: Sequence[Capture], attend: Callable[[int], None]
) -> bool:
    """Say whether a WARC with this SHA-256 and these captures is what an export of the archive has
    of them, with what accompanies them: all of it is here then, and intact. Raises OSError."""
    known = [archive.ledger.captures.get(each.record_id) for each in captures]
    there = [each for each in known if each is not None]
    if not there or there != known:
        return False
    digest = hashlib.sha256()
    try:
        RecordCopies(archive, attend).copy_earlier(there, digest.update)
    except (Damaged, NotRead):
        return False
    return digest.hexdigest() == sha256
