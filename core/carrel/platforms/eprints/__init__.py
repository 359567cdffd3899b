# SPDX-License-Identifier: AGPL-3.0-or-later
"""EPrints repositories, at any host."""

from carrel.platforms.eprints.eprints import EPrints

__all__ = ["EPrints"]
