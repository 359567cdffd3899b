# SPDX-License-Identifier: AGPL-3.0-or-later
"""DSpace repositories, at any host: versions 5 and 6 by REST, from 7 on by HAL."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.platforms.dspace.dspace import DSpace

__getattr__ = offering(
    __name__,
    {
        "dspace": ["DSpace"],
    },
)
__all__ = ["DSpace"]
