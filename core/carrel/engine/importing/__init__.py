# SPDX-License-Identifier: AGPL-3.0-or-later
"""Captures from elsewhere, and datasets in bags, crates and folders, become part of an archive."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.engine.importing.describing import Given
    from carrel.engine.importing.imported import Imported, Tell
    from carrel.engine.importing.importing import import_files, link_files
    from carrel.engine.importing.running import import_in_background

__getattr__ = offering(
    __name__,
    {
        "describing": ["Given"],
        "imported": ["Imported", "Tell"],
        "importing": ["import_files", "link_files"],
        "running": ["import_in_background"],
    },
)
__all__ = ["Given", "Imported", "Tell", "import_files", "import_in_background", "link_files"]
