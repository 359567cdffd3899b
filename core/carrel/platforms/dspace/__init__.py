# SPDX-License-Identifier: AGPL-3.0-or-later
"""DSpace repositories, at any host: versions 5 and 6 by REST, from 7 on by HAL."""

from carrel.platforms.dspace.dspace import DSpace

__all__ = ["DSpace"]
