# SPDX-License-Identifier: AGPL-3.0-or-later
"""How the runs of an archive are configured, for the faces."""

from carrel.dark_archive.config import GatheringConfig

__all__ = ["GatheringConfig"]
