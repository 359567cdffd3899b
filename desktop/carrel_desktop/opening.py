# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the system hands over to be opened: DOIs and addresses to preview, files to import."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QUrl

from carrel_desktop.page import Page
from carrel_desktop.pages import Pages
from carrel_desktop.session import Session


class Opening:
    """Opens it once the archive is open."""

    def __init__(
        self,
        session: Session,
        pages: Pages,
        show_page: Callable[[Page], None],
        import_files: Callable[[Sequence[Path]], None],
    ) -> None:
        self._session, self._pages = session, pages
        self._show_page, self._import = show_page, import_files

    def open(self, items: Sequence[str]) -> None:
        """Preview what names a dataset, and import what is a file or a folder here."""
        if not self._session.is_open:
            once = Qt.ConnectionType.SingleShotConnection
            self._session.opened.connect(partial(self.open, items), once)
            return
        paths = [path for path in map(_path, items) if path is not None]
        names = [each for each in items if _path(each) is None]
        if names:
            self._show_page(self._pages.archive)
            self._pages.archive.look_at("\n".join(names))
        if paths:
            self._import(paths)


def _path(item: str) -> Path | None:
    """Return the file or folder that an item is, None for one that is a name or an address."""
    url = QUrl(item)
    path = Path(url.toLocalFile()) if url.isLocalFile() else Path(item)
    return path.absolute() if path.exists() else None
