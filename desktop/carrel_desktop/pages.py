# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pages of the window, in the order of the side bar. A page more is a property here."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from carrel_desktop.page import Page
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme

if TYPE_CHECKING:
    from carrel_desktop.views.archive.view import ArchiveView
    from carrel_desktop.views.archives.view import ArchivesView
    from carrel_desktop.views.dark.view import DarkView
    from carrel_desktop.views.holdings.view import HoldingsView
    from carrel_desktop.views.mementos.view import MementosView
    from carrel_desktop.views.overview.view import OverviewView
    from carrel_desktop.views.queue.view import QueueView
    from carrel_desktop.views.settings.view import SettingsView
    from carrel_desktop.views.watch.view import WatchView


LOADING = "carrel-loading"
"""The name of the thread on which pages are loaded ahead."""


def _room(kind: PageKind) -> str:
    return f"carrel_desktop.views.{kind}.view"


def _load(rooms: Sequence[str]) -> None:
    for room in rooms:
        with suppress(ImportError):  # whoever opens the page says so
            import_module(room)


def _page(kind: PageKind) -> Any:
    return property(lambda pages: pages.of(kind))


class Pages(QObject):
    """Each page by its name, and all in their order; the settings come last.

    A page is made when it is first asked for: no start waits for pages that nobody opens, and a
    window that only stands there has no memory taken for them. `made` carries it then.
    """

    made = Signal(object)
    overview: "OverviewView" = _page(PageKind.OVERVIEW)
    archive: "ArchiveView" = _page(PageKind.ARCHIVE)
    queue: "QueueView" = _page(PageKind.QUEUE)
    holdings: "HoldingsView" = _page(PageKind.HOLDINGS)
    mementos: "MementosView" = _page(PageKind.MEMENTOS)
    archives: "ArchivesView" = _page(PageKind.ARCHIVES)
    dark: "DarkView" = _page(PageKind.DARK)
    watch: "WatchView" = _page(PageKind.WATCH)
    settings: "SettingsView" = _page(PageKind.SETTINGS)

    def __init__(
        self, session: Session, theme: Theme, open_folder: QAction, other_archive: QAction
    ) -> None:
        super().__init__()
        self._session, self._theme = session, theme
        # What a page is given beside these.
        self._more: dict[PageKind, dict[str, QAction]] = {
            PageKind.SETTINGS: {"folder": open_folder, "other_archive": other_archive}
        }
        self._there: dict[PageKind, Page] = {}
        self._is_loaded = False

    def load_ahead(self) -> None:
        """Load what the pages are made of on a thread of its own, once: somebody is about to open
        one, and would wait longer for that than for the page to be made."""
        if not self._is_loaded:
            self._is_loaded = True
            rooms = [_room(kind) for kind in PageKind if kind not in self._there]
            threading.Thread(target=_load, args=(rooms,), name=LOADING).start()

    @property
    def there(self) -> Sequence[Page]:
        """The pages that were made by now, in the order in which they were."""
        return list(self._there.values())

    def refresh(self) -> None:
        """Have each page that was made read again what it shows of the archive."""
        for page in self.there:
            page.refresh()

    def __iter__(self) -> Iterator[Page]:
        """Yield every page; those that were not made yet are made for it."""
        return map(self.of, PageKind)

    def __getitem__(self, number: int) -> Page:
        return self.of(list(PageKind)[number])

    def of(self, kind: PageKind) -> Page:
        """Return the page of a kind, which is loaded and made if it is not there."""
        if kind not in self._there:
            view = getattr(import_module(_room(kind)), f"{kind.title()}View")
            self._there[kind] = view(self._session, self._theme, **self._more.get(kind, {}))
            self.made.emit(self._there[kind])
        return self._there[kind]
