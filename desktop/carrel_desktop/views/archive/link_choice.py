# SPDX-License-Identifier: AGPL-3.0-or-later
"""Choosing among the links of a page that no platform knows: by hand, never by rule."""

import asyncio
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from carrel.errors import CarrelError
from carrel_desktop.session import Session
from carrel_desktop.views.archive.detection import Detection
from carrel_desktop.views.archive.listing import Listing
from carrel_desktop.views.archive.page_links_dialog import PageLinksDialog


class LinkChoice(QObject):
    """Shows the links of a page, and has the dataset looked at again as those that were chosen."""

    def __init__(
        self, session: Session, listing: Listing, current: Callable[[], Detection | None]
    ) -> None:
        super().__init__(listing)
        self._session, self._listing, self._current = session, listing, current
        self._reading: asyncio.Task[None] | None = None
        self.dialog: PageLinksDialog | None = None

    def choose_links(self) -> None:
        """Show the links of the page of the chosen dataset."""
        row = self._current()
        if row is None or not row.has_links_to_choose:
            return
        dialog = PageLinksDialog(self._listing.window, row.request.base_url, row.page_links)
        dialog.chosen.connect(lambda urls: self._take(row, urls))
        dialog.finished.connect(self._on_finished)
        self.dialog = dialog
        dialog.open()
        self._reading = self._session.start(self._read(row, dialog))

    async def _read(self, row: Detection, dialog: PageLinksDialog) -> None:
        try:
            links = await self._session.call(lambda engine: engine.page_links(row.request))
        except (CarrelError, OSError) as error:
            dialog.show_trouble(str(error))
        else:
            dialog.show_links(links)

    def _take(self, row: Detection, urls: Sequence[str]) -> None:
        row.page_links = tuple(urls)
        self._listing.look_again([row])

    def _on_finished(self) -> None:
        self.dialog = None
        if self._reading is not None:
            self._reading.cancel()  # no one waits for it
