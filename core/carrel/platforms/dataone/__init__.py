# SPDX-License-Identifier: AGPL-3.0-or-later
"""DataONE and the repositories that are members of it."""

from carrel.platforms.dataone.dataone import DataOne

__all__ = ["DataOne"]
