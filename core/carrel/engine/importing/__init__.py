# SPDX-License-Identifier: AGPL-3.0-or-later
"""Captures from elsewhere become part of an archive."""

from carrel.engine.importing.importing import Imported, import_files

__all__ = ["Imported", "import_files"]
