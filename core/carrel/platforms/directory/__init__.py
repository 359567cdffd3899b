# SPDX-License-Identifier: AGPL-3.0-or-later
"""Directory listings of web servers, THREDDS catalogs and buckets."""

from carrel.platforms.directory.directory import Directory

__all__ = ["Directory"]
