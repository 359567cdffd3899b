# SPDX-License-Identifier: AGPL-3.0-or-later
"""InvenioRDM with Zenodo: what its addresses ask for, and what its interface answers."""

from carrel.platforms.inveniordm.inveniordm import InvenioRdm

__all__ = ["InvenioRdm"]
