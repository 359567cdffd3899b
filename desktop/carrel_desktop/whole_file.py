# SPDX-License-Identifier: AGPL-3.0-or-later
"""Writing the files that a person asks the window for."""

from errno import EIO
from pathlib import Path

from PySide6.QtCore import QIODevice, QSaveFile


def write_whole(path: Path, text: str) -> None:
    """Write a text so that the file is whole, or as it was before. Raises OSError."""
    file = QSaveFile(str(path))
    content = text.encode()
    is_written = file.open(QIODevice.OpenModeFlag.WriteOnly) and file.write(content) == len(content)
    if not (is_written and file.commit()):
        raise OSError(EIO, file.errorString(), str(path))
