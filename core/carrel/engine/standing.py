# SPDX-License-Identifier: AGPL-3.0-or-later
"""How an archive stands: its figures, its disk, and what it requests."""

import shutil
from pathlib import Path

from carrel.archive import Archive
from carrel.model.iso_time import iso_now
from carrel.model.standing import Room, Standing
from carrel.settings.copies import copies_of


def standing_of(archive: Archive) -> Standing:
    """Return how an archive stands now. It blocks, and raises ArchiveError where the ledger cannot
    be read."""
    figures = archive.ledger.figures(iso_now())
    requests = len(archive.settings.undecided)
    return Standing(figures, _room(archive.path), requests, copies_of(archive.path))


def _room(folder: Path) -> Room | None:
    try:
        usage = shutil.disk_usage(folder)
    except OSError:
        return None  # some network disks do not say
    return Room(usage.free, usage.total)
