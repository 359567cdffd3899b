# SPDX-License-Identifier: AGPL-3.0-or-later
"""Small WARCs that are part of a packed one are removed once ledger and index say so."""

import logging

from carrel.archive import Archive
from carrel.capture.digests import sha256_of
from carrel.capture.folder_sync import sync_folder
from carrel.capture.stored import Damaged, member_pieces
from carrel.model.packed import WarcPart

log = logging.getLogger(__name__)


def remove_former(archive: Archive) -> None:
    """Remove the files of WARCs that were packed, and note that they are gone.

    Each is compared once more with the part that it became: whatever is not the same stays, and is
    noted as one that was never packed away. Raises ArchiveError and OSError.
    """
    packed = archive.ledger.packed
    while parts := packed.left():
        for part in parts:
            _remove(archive, part)
        sync_folder(archive.warcs)
        packed.note_removed(part.name for part in parts)


def _remove(archive: Archive, part: WarcPart) -> None:
    former = archive.warcs / part.name
    if not former.exists():
        return
    try:
        is_same = former.stat().st_size == part.length and sha256_of(
            member_pieces(former, 0, part.length)
        ) == sha256_of(member_pieces(archive.warcs / part.filename, part.offset, part.length))
    except (Damaged, FileNotFoundError) as error:
        log.warning("%s was packed and stays: %s", former, error)
        return
    if is_same and not archive.ledger.captures.count_in([part.name]):
        former.unlink()
    else:
        log.warning("%s stays: it is not the same as in %s", former, part.filename)
