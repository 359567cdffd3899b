# SPDX-License-Identifier: AGPL-3.0-or-later
"""InvenioRDM with Zenodo: what its addresses ask for, and what its interface answers."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.platforms.inveniordm.inveniordm import InvenioRdm

__getattr__ = offering(
    __name__,
    {
        "inveniordm": ["InvenioRdm"],
    },
)
__all__ = ["InvenioRdm"]
