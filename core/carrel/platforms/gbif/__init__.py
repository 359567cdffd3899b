# SPDX-License-Identifier: AGPL-3.0-or-later
"""GBIF: prepared downloads of occurrences, and the archives of published datasets."""

from carrel.platforms.gbif.gbif import Gbif

__all__ = ["Gbif"]
