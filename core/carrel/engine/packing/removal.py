# SPDX-License-Identifier: AGPL-3.0-or-later
"""Small WARCs that are part of a packed one are removed once ledger and index say so."""

import logging
import os
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from carrel.archive import Archive
from carrel.capture.digests import sha256_of
from carrel.capture.folder_sync import sync_folder
from carrel.capture.stored import Damaged, member_pieces
from carrel.model.packed import WarcPart

# Each waits for the file system to give the room back.
_AT_ONCE = 8
log = logging.getLogger(__name__)


def remove_former(archive: Archive, proven: Collection[str] = ()) -> None:
    """Remove the files of WARCs that were packed, and note that they are gone.

    Each is compared once more with the part that it became, unless it is among those just `proven`:
    whatever is not the same stays. Raises ArchiveError and OSError.
    """
    packed, folder = archive.ledger.packed, str(archive.warcs)
    while parts := packed.left():
        removable = (each for each in parts if each.name in proven or _is_removable(archive, each))
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for _ in pool.map(_remove, (f"{folder}{os.sep}{each.name}" for each in removable)):
                pass
        sync_folder(archive.warcs)
        packed.note_removed(part.name for part in parts)


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def _is_removable(archive: Archive, part: WarcPart) -> bool:
    former = archive.warcs / part.name
    return former.exists() and _is_same(archive, former, part)


def _is_same(archive: Archive, former: Path, part: WarcPart) -> bool:
    """Say whether a file is what a part of a packed one is, and nothing in the ledger is in it."""
    now = archive.warcs / part.filename
    try:
        is_same = former.stat().st_size == part.length and (
            sha256_of(member_pieces(former, 0, part.length))
            == sha256_of(member_pieces(now, part.offset, part.length))
        )
    except (Damaged, FileNotFoundError):
        is_same = False
    if not is_same or archive.ledger.captures.count_in([part.name]):
        log.warning("%s stays: it is not the same as in %s", former, part.filename)
        return False
    return True
