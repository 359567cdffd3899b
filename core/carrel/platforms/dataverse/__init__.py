# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dataverse: what its addresses ask for, what its interface answers, what that makes a dataset."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.platforms.dataverse.dataverse import Dataverse

__getattr__ = offering(
    __name__,
    {
        "dataverse": ["Dataverse"],
    },
)
__all__ = ["Dataverse"]
