# SPDX-License-Identifier: AGPL-3.0-or-later
"""Items on archive.org: what its interface answers, and what that makes a dataset."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.platforms.archiveorg.archiveorg import ArchiveOrg, is_housekeeping

__getattr__ = offering(
    __name__,
    {
        "archiveorg": ["ArchiveOrg", "is_housekeeping"],
    },
)
__all__ = ["ArchiveOrg", "is_housekeeping"]
