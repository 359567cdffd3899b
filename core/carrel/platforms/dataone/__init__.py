# SPDX-License-Identifier: AGPL-3.0-or-later
"""DataONE and the repositories that are members of it."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.platforms.dataone.dataone import DataOne

__getattr__ = offering(
    __name__,
    {
        "dataone": ["DataOne"],
    },
)
__all__ = ["DataOne"]
