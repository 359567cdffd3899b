# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the system hands over to be opened: DOIs and addresses to preview, files to import."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QUrl

from carrel_desktop.main_window import MainWindow


def open_items(window: MainWindow, items: Sequence[str]) -> None:
    """Preview what names a dataset, and import what is a file or a folder here."""
    paths = [path for path in map(_path, items) if path is not None]
    names = [each for each in items if _path(each) is None]
    if names:
        window.show_page(window.pages.archive)
        window.pages.archive.ui.paste.take_text("\n".join(names))
    if paths:
        window.importing.begin(paths)


def _path(item: str) -> Path | None:
    """Return the file or folder that an item is, None for one that is a name or an address."""
    url = QUrl(item)
    path = Path(url.toLocalFile()) if url.isLocalFile() else Path(item)
    return path.absolute() if path.exists() else None
