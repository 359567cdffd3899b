# SPDX-License-Identifier: AGPL-3.0-or-later
"""ReDIF, RePEc's format of templates, read as it is found: every encoding, every flaw."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.dark_archive.redif.encodings import Encoding
    from carrel.dark_archive.redif.flaws import Flaw, Problem
    from carrel.dark_archive.redif.folders import redif_files
    from carrel.dark_archive.redif.reader import Reading, read
    from carrel.dark_archive.redif.surveying import Survey, survey
    from carrel.dark_archive.redif.template import Template

__getattr__ = offering(
    __name__,
    {
        "encodings": ["Encoding"],
        "flaws": ["Flaw", "Problem"],
        "folders": ["redif_files"],
        "reader": ["Reading", "read"],
        "surveying": ["Survey", "survey"],
        "template": ["Template"],
    },
)
__all__ = [
    "Encoding",
    "Flaw",
    "Problem",
    "Reading",
    "Survey",
    "Template",
    "read",
    "redif_files",
    "survey",
]
