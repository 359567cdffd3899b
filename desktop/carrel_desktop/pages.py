# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pages of the window, in the order of the side bar. A page more is a line here."""

from collections.abc import Iterator

from PySide6.QtGui import QAction

from carrel_desktop.page import Page
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.archive.view import ArchiveView
from carrel_desktop.views.archives.view import ArchivesView
from carrel_desktop.views.dark.view import DarkView
from carrel_desktop.views.holdings.view import HoldingsView
from carrel_desktop.views.mementos.view import MementosView
from carrel_desktop.views.queue.view import QueueView
from carrel_desktop.views.settings.view import SettingsView
from carrel_desktop.views.watch.view import WatchView


class Pages:
    """Each page by its name, and all in their order; the settings come last."""

    def __init__(self, session: Session, theme: Theme, open_folder: QAction) -> None:
        self.archive = ArchiveView(session, theme)
        self.queue = QueueView(session, theme)
        self.holdings = HoldingsView(session, theme)
        self.mementos = MementosView(session, theme)
        self.archives = ArchivesView(session, theme)
        self.dark = DarkView(session, theme)
        self.watch = WatchView(session, theme)
        self.settings = SettingsView(session, theme, open_folder)

    def __iter__(self) -> Iterator[Page]:
        return iter(page for page in vars(self).values() if isinstance(page, Page))

    def __getitem__(self, number: int) -> Page:
        return list(self)[number]
