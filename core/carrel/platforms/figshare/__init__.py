# SPDX-License-Identifier: AGPL-3.0-or-later
"""Figshare and Djehuty: what their addresses ask for, and what their interface answers."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.platforms.figshare.figshare import Figshare

__getattr__ = offering(
    __name__,
    {
        "figshare": ["Figshare"],
    },
)
__all__ = ["Figshare"]
