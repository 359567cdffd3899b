# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a page asks of the window that it stands in."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from carrel.settings import InForce
from carrel_desktop.page import Page
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.pages import Pages
from carrel_desktop.widgets.requests_bar import RequestsBar


@dataclass(frozen=True, slots=True)
class PageWishes:
    """Follows each page from when it is made, with what the window does then."""

    pages: Pages
    open_folder: Callable[[], None]
    show_copies: Callable[[], None]
    on_trouble_over: Callable[[str], None]
    go_to: Callable[[Path], None]
    ask: Callable[[InForce], None]
    bar: RequestsBar
    note: Callable[[str], None]

    def take_up(self, page: Page) -> None:
        match page.kind:
            case PageKind.OVERVIEW:
                overview = self.pages.overview
                overview.wants_folder.connect(self.open_folder)
                overview.wants_copies.connect(self.show_copies)
                overview.noted.connect(self.note)
            case PageKind.HOLDINGS:
                holdings = self.pages.holdings
                holdings.commands.wants_copies.connect(self.show_copies)
            case PageKind.MEMENTOS:
                mementos = self.pages.mementos
                mementos.trouble_over.connect(self.on_trouble_over)
            case PageKind.SETTINGS:
                settings = self.pages.settings
                settings.wants_archive.connect(self.go_to)
                settings.requested.connect(self.ask)
                self.bar.asks.connect(settings.requests.follow_question)
                settings.requests.follow_question(not self.bar.isHidden())
