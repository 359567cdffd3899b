# SPDX-License-Identifier: AGPL-3.0-or-later
"""The ways from one page to another: what one asks for is shown, or done, on the other."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from carrel_desktop.page import Page
from carrel_desktop.pages import Pages


class Navigation(QObject):
    """`open_page` opens a page; pages do not know each other."""

    def __init__(self, pages: Pages, open_page: Callable[[Page], None], parent: QObject) -> None:
        super().__init__(parent)
        self._pages, self._open = pages, open_page
        pages.archive.commands.wants_holding.connect(self._show_holding)
        pages.archive.commands.wants_job.connect(self._show_job)
        pages.queue.wants_archive.connect(self._show_archive)
        holdings = pages.holdings.commands
        holdings.wants_archive.connect(self._show_archive)
        holdings.wants_to_archive.connect(self._look_at)
        holdings.wants_mementos.connect(self._show_mementos)
        holdings.wants_watch.connect(self._watch)
        holdings.wants_other_archive.connect(pages.settings.open_other_archive)
        pages.mementos.wants_to_archive.connect(self._look_at)
        pages.mementos.wants_archives.connect(self._show_archives)
        pages.watch.ingest_wanted.connect(self._look_at)

    def find_holding(self) -> None:
        """Go to the search among the holdings."""
        self._open(self._pages.holdings)
        self._pages.holdings.go_to_search()

    def _show_archive(self) -> None:
        self._open(self._pages.archive)

    def _show_archives(self) -> None:
        self._open(self._pages.archives)

    def _show_holding(self, base_url: str) -> None:
        """Show what is held of a dataset."""
        self._open(self._pages.holdings)
        self._pages.holdings.show_dataset(base_url)

    def _show_job(self, base_url: str) -> None:
        """Show how a dataset arrives."""
        self._open(self._pages.queue)
        self._pages.queue.show_dataset(base_url)

    def _show_mementos(self, ingest_id: str, url: str) -> None:
        """Show which parts of a dataset are held where."""
        self._open(self._pages.mementos)
        self._pages.mementos.show_dataset(ingest_id, url)

    def _watch(self, base_url: str) -> None:
        """Watch a dataset from now on, and show it among those that are."""
        self._open(self._pages.watch)
        self._pages.watch.watch([base_url])

    def _look_at(self, url: str) -> None:
        """Have the Archive page look at a URL, which may then be archived."""
        self._pages.archive.look_at(url)
        self._open(self._pages.archive)
