# SPDX-License-Identifier: AGPL-3.0-or-later
"""The ways from one page to another: what one asks for is shown, or done, on the other."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from carrel.model import JobState
from carrel.model.holdings import HoldingsQuery
from carrel_desktop.page import Page
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.pages import Pages

if TYPE_CHECKING:
    from carrel_desktop.views.holdings.commands import HoldingCommands


class Navigation(QObject):
    """`open_page` opens a page; pages do not know each other."""

    def __init__(self, pages: Pages, open_page: Callable[[Page], None], parent: QObject) -> None:
        super().__init__(parent)
        self._pages, self._open = pages, open_page

    def take_up(self, page: Page) -> None:
        """Follow what a page asks of the others, from when it is made."""
        match page.kind:
            case PageKind.OVERVIEW:
                overview = self._pages.overview
                overview.wants_holdings.connect(self._show_holdings)
                overview.wants_jobs.connect(self._show_jobs)
                overview.wants_archive.connect(self._show_archive)
                overview.wants_preview.connect(self._look_at)
                overview.wants_paste.connect(self._paste)
                overview.wants_watch.connect(self._show_watch)
                overview.wants_dark.connect(self._show_dark)
                overview.wants_new_losses.connect(self._show_new_losses)
                overview.wants_decision.connect(self._decide)
                overview.reading.wants_other_archive.connect(self.open_other)
            case PageKind.ARCHIVE:
                archive = self._pages.archive
                archive.commands.wants_holding.connect(self._show_holding)
                archive.commands.wants_job.connect(self._show_job)
                archive.commands.wants_mementos.connect(self._search_mementos)
                archive.batches.wants_queue.connect(self._show_queue)
            case PageKind.QUEUE:
                queue = self._pages.queue
                queue.wants_archive.connect(self._show_archive)
                queue.commands.wants_mementos.connect(self._search_mementos)
                queue.commands.wants_holding.connect(self._show_holding)
                queue.ui.reading.wants_other_archive.connect(self.open_other)
            case PageKind.HOLDINGS:
                holdings = self._pages.holdings
                self._take_up_holdings(holdings.commands)
            case PageKind.MEMENTOS:
                mementos = self._pages.mementos
                mementos.wants_to_archive.connect(self._look_at)
                mementos.wants_archives.connect(self._show_archives)
            case PageKind.WATCH:
                watch = self._pages.watch
                watch.ingest_wanted.connect(self._look_at)
                watch.wants_schedule.connect(self._show_schedule)
                watch.wants_mementos.connect(self._search_mementos)
                watch.reading.wants_other_archive.connect(self.open_other)
            case PageKind.DARK:
                self._pages.dark.ui.reading.wants_other_archive.connect(self.open_other)

    def _take_up_holdings(self, holdings: "HoldingCommands") -> None:
        holdings.wants_archive.connect(self._show_archive)
        holdings.wants_queue.connect(self._show_queue)
        holdings.wants_mementos.connect(self._show_mementos)
        holdings.wants_watch.connect(self._watch)
        holdings.wants_other_archive.connect(self.open_other)

    def add_datasets(self) -> None:
        """Go to where datasets are pasted."""
        self._open(self._pages.archive)
        self._pages.archive.go_to_field()

    def find_holding(self) -> None:
        """Go to the search among the holdings."""
        self._open(self._pages.holdings)
        self._pages.holdings.go_to_search()

    def open_other(self) -> None:
        """Ask for the folder of another archive."""
        self._pages.settings.open_other()

    def _show_archive(self) -> None:
        self._open(self._pages.archive)

    def _paste(self) -> None:
        """Preview what is on the clipboard."""
        self._open(self._pages.archive)
        self._pages.archive.paste()

    def _show_queue(self) -> None:
        self._open(self._pages.queue)

    def _show_archives(self) -> None:
        self._open(self._pages.archives)

    def _show_holdings(self, query: HoldingsQuery) -> None:
        """Show the holdings that a question asks for."""
        self._open(self._pages.holdings)
        self._pages.holdings.show_query(query)

    def _show_jobs(self, state: JobState | None) -> None:
        """Show the jobs in a state, or all, of every batch and whatever was searched for; of those
        that failed the ones whose datasets were not archived since."""
        queue = self._pages.queue
        self._open(queue)
        queue.batches.all_batches()
        queue.ui.search.clear()
        if state is JobState.FAILED:
            queue.ui.causes.choose_outstanding()
        else:
            queue.ui.causes.choose(None)
        queue.ui.places.choose(state)

    def _show_watch(self) -> None:
        self._open(self._pages.watch)

    def _show_dark(self) -> None:
        self._open(self._pages.dark)

    def _show_new_losses(self) -> None:
        self._open(self._pages.dark)
        self._pages.dark.show_new_losses()

    def _decide(self) -> None:
        """Ask once more about what the archive requests."""
        self._open(self._pages.settings)
        self._pages.settings.page_actions.ask.trigger()

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

    def _search_mementos(self, url: str) -> None:
        """Show which captures there are of an address."""
        self._open(self._pages.mementos)
        self._pages.mementos.show_url(url)

    def _watch(self, base_urls: Sequence[str]) -> None:
        """Watch datasets from now on, and show them among those that are."""
        self._open(self._pages.watch)
        self._pages.watch.watch(base_urls)

    def _look_at(self, url: str) -> None:
        """Have the Archive page look at a URL, which may then be archived."""
        self._pages.archive.look_at(url)
        self._open(self._pages.archive)

    def _show_schedule(self) -> None:
        """Show how often what is watched is checked."""
        self._open(self._pages.settings)
        self._pages.settings.show_setting("schedule.watch_days")
