# SPDX-License-Identifier: AGPL-3.0-or-later
"""CKAN: the software of most portals of open data, and of some research repositories."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.platforms.ckan.ckan import Ckan

__getattr__ = offering(
    __name__,
    {
        "ckan": ["Ckan"],
    },
)
__all__ = ["Ckan"]
