# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a page asks of the window that it stands in."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from carrel.settings import InForce
from carrel_desktop.page import Page
from carrel_desktop.views.holdings.view import HoldingsView
from carrel_desktop.views.mementos.view import MementosView
from carrel_desktop.views.overview.view import OverviewView
from carrel_desktop.views.settings.view import SettingsView
from carrel_desktop.widgets.requests_bar import RequestsBar


@dataclass(frozen=True, slots=True)
class PageWishes:
    """Follows each page from when it is made, with what the window does then."""

    open_folder: Callable[[], None]
    show_copies: Callable[[], None]
    on_trouble_over: Callable[[str], None]
    go_to: Callable[[Path], None]
    ask: Callable[[InForce], None]
    bar: RequestsBar
    note: Callable[[str], None]

    def take_up(self, page: Page) -> None:
        match page:
            case OverviewView():
                page.wants_folder.connect(self.open_folder)
                page.wants_copies.connect(self.show_copies)
                page.noted.connect(self.note)
            case HoldingsView():
                page.commands.wants_copies.connect(self.show_copies)
            case MementosView():
                page.trouble_over.connect(self.on_trouble_over)
            case SettingsView():
                page.wants_archive.connect(self.go_to)
                page.requested.connect(self.ask)
                self.bar.asks.connect(page.requests.follow_question)
                page.requests.follow_question(not self.bar.isHidden())
