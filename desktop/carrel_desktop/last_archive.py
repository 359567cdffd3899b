# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which archive was open last: a start that names none goes on with it."""

from pathlib import Path

from PySide6.QtCore import QSettings

_KEY = "window/archive"


def last_archive() -> Path | None:
    """Return the folder of the archive that was opened last, None if it is not there now."""
    folder = _kept()
    return folder if folder and folder.is_dir() else None


def missing_archive() -> Path | None:
    """Return the folder of the archive that was opened last if it is not there now."""
    folder = _kept()
    return folder if folder and not folder.is_dir() else None


def remember_archive(folder: Path) -> None:
    """Have the next start that names no archive open this one."""
    QSettings("Carrel", "Carrel").setValue(_KEY, str(folder))


def _kept() -> Path | None:
    kept = QSettings("Carrel", "Carrel").value(_KEY)
    return Path(str(kept)) if kept else None
