# SPDX-License-Identifier: AGPL-3.0-or-later
"""Directory listings of web servers, THREDDS catalogs and buckets."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.platforms.directory.directory import Directory

__getattr__ = offering(
    __name__,
    {
        "directory": ["Directory"],
    },
)
__all__ = ["Directory"]
