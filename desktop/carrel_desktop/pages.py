# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pages of the window, in the order of the side bar. A page more is a property here."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar, cast

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from carrel_desktop.page import Page
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.archive.view import ArchiveView
from carrel_desktop.views.archives.view import ArchivesView
from carrel_desktop.views.dark.view import DarkView
from carrel_desktop.views.holdings.view import HoldingsView
from carrel_desktop.views.mementos.view import MementosView
from carrel_desktop.views.overview.view import OverviewView
from carrel_desktop.views.queue.view import QueueView
from carrel_desktop.views.settings.view import SettingsView
from carrel_desktop.views.watch.view import WatchView

P = TypeVar("P", bound=Page)


class Pages(QObject):
    """Each page by its name, and all in their order; the settings come last.

    A page is made when it is first asked for: no start waits for pages that nobody opens. `made`
    carries it then.
    """

    made = Signal(object)

    def __init__(
        self, session: Session, theme: Theme, open_folder: QAction, other_archive: QAction
    ) -> None:
        super().__init__()
        self._makers: Mapping[type[Page], Callable[[Session, Theme], Page]] = {
            OverviewView: OverviewView,
            ArchiveView: ArchiveView,
            QueueView: QueueView,
            HoldingsView: HoldingsView,
            MementosView: MementosView,
            ArchivesView: ArchivesView,
            DarkView: DarkView,
            WatchView: WatchView,
            SettingsView: partial(SettingsView, folder=open_folder, other_archive=other_archive),
        }
        self._session, self._theme = session, theme
        self._there: dict[type[Page], Page] = {}

    @property
    def kinds(self) -> Sequence[type[Page]]:
        """What pages there are, in their order, whether they were made or not."""
        return list(self._makers)

    @property
    def there(self) -> Sequence[Page]:
        """The pages that were made by now, in the order in which they were."""
        return list(self._there.values())

    def refresh(self) -> None:
        """Have each page that was made read again what it shows of the archive."""
        for page in self.there:
            page.refresh()

    @property
    def overview(self) -> OverviewView:
        return self._one(OverviewView)

    @property
    def archive(self) -> ArchiveView:
        return self._one(ArchiveView)

    @property
    def queue(self) -> QueueView:
        return self._one(QueueView)

    @property
    def holdings(self) -> HoldingsView:
        return self._one(HoldingsView)

    @property
    def mementos(self) -> MementosView:
        return self._one(MementosView)

    @property
    def archives(self) -> ArchivesView:
        return self._one(ArchivesView)

    @property
    def dark(self) -> DarkView:
        return self._one(DarkView)

    @property
    def watch(self) -> WatchView:
        return self._one(WatchView)

    @property
    def settings(self) -> SettingsView:
        return self._one(SettingsView)

    def __iter__(self) -> Iterator[Page]:
        """Yield every page; those that were not made yet are made for it."""
        return map(self._one, self.kinds)

    def __getitem__(self, number: int) -> Page:
        return self._one(self.kinds[number])

    def _one(self, kind: type[P]) -> P:
        """Return the page of a kind, which is made if it is not there."""
        page = self._there.get(kind)
        if page is None:
            page = self._there[kind] = self._makers[kind](self._session, self._theme)
            self.made.emit(page)
        return cast(P, page)
