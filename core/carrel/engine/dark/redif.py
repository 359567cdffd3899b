# SPDX-License-Identifier: AGPL-3.0-or-later
"""What stands in ReDIF files, for those who look before anything is gathered."""

from carrel.dark_archive.redif import Flaw, Problem, Survey, read, redif_files, survey

__all__ = ["Flaw", "Problem", "Survey", "read", "redif_files", "survey"]
