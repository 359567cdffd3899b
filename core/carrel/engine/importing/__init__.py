# SPDX-License-Identifier: AGPL-3.0-or-later
"""Captures from elsewhere, and datasets in bags, crates and folders, become part of an archive."""

from carrel.engine.importing.describing import Given
from carrel.engine.importing.imported import Imported
from carrel.engine.importing.importing import import_files

__all__ = ["Given", "Imported", "import_files"]
