# SPDX-License-Identifier: AGPL-3.0-or-later
"""CKAN: the software of most portals of open data, and of some research repositories."""

from carrel.platforms.ckan.ckan import Ckan

__all__ = ["Ckan"]
