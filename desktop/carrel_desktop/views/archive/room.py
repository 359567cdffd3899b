# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether the archive's disk has room for what is to be archived."""

from carrel.engine import RESERVE_BYTES
from carrel.translation import tr
from carrel_desktop import quantities


def lack_of_room(needed_bytes: int, free_bytes: int | None) -> str:
    """Return in a sentence that there is too little room, "" if there is enough or no one knows."""
    if free_bytes is None or needed_bytes <= max(0, free_bytes - RESERVE_BYTES):
        return ""
    return tr(
        "Not enough disk space: {needed} needed, {free} free. Carrel keeps {reserve} free.",
        needed=quantities.size(needed_bytes),
        free=quantities.size(free_bytes),
        reserve=quantities.size(RESERVE_BYTES),
    )
