# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the faces call platforms."""

from carrel.platforms.titles import title_of

__all__ = ["title_of"]
