# SPDX-License-Identifier: AGPL-3.0-or-later
"""GBIF: prepared downloads of occurrences, and the archives of published datasets."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.platforms.gbif.gbif import Gbif

__getattr__ = offering(
    __name__,
    {
        "gbif": ["Gbif"],
    },
)
__all__ = ["Gbif"]
