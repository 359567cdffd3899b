# SPDX-License-Identifier: AGPL-3.0-or-later
"""Figshare and Djehuty: what their addresses ask for, and what their interface answers."""

from carrel.platforms.figshare.figshare import Figshare

__all__ = ["Figshare"]
