# SPDX-License-Identifier: AGPL-3.0-or-later
"""EPrints repositories, at any host."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.platforms.eprints.eprints import EPrints

__getattr__ = offering(
    __name__,
    {
        "eprints": ["EPrints"],
    },
)
__all__ = ["EPrints"]
