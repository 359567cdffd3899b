# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive whose ledger is lost or damaged: made again from journal and WARCs, then opened."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPushButton

from carrel.engine.stoppable import stoppable
from carrel.errors import CarrelError
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.viewing.progress import shown_progress
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.running_card import RunningCard

if TYPE_CHECKING:
    from carrel.engine.rebuilding import Rebuilt

_MOST_NAMED = 5


class RebuildCard(RunningCard):
    """Offers to make the ledger again, shows how far that is, and how it ended."""

    def __init__(self, theme: Theme) -> None:
        self.go = named(QPushButton(tr("Rebuild ledger")), "rebuild_ledger")
        self.go.setProperty("role", "primary")
        said = tr("Rebuilding the ledger")
        self.again = QPushButton(tr("Try again"))  # no letter of it is free on every page
        self.again.setToolTip(tr("Reopen the archive, for instance after restoring the ledger"))
        super().__init__(theme, "rebuild", said, self.go, self.again, margins=(6, 0, 6, 3))

    def offer(self, reason: str) -> None:
        """Say what can be done about a ledger that is lost or damaged, and why it is."""
        self._show_ways()
        words = tr(
            "What was archived is in the WARC files and the journal, and stays there. Rebuild "
            "makes the ledger again from these, which reads all of them. A damaged ledger is kept "
            "beside the new one."
        )
        self.card.show_caution(tr("The ledger of this archive can be rebuilt"), words, reason)

    def show_progress(self, done: int, total: int) -> None:
        """Show how many bytes were read, of how many."""
        self.show_bytes("verify", tr("Rebuilding the ledger…"), done, total)

    def show_done(self, done: "Rebuilt") -> None:
        """Say what the ledger was made of, and name what it lacks."""
        from carrel.engine.rebuilding import lacks_of  # who rebuilt has it by now

        self.show_ended()
        captures = quantities.counted(done.captures, "1 capture", "{count} captures")
        entries = quantities.counted(
            done.entries, "1 entry of the journal", "{count} entries of the journal"
        )
        said = tr("From {captures} and {entries}.", captures=captures, entries=entries)
        if done.kept_as:
            said += " " + tr("The old one is now {name}.", name=done.kept_as)
        lacks = quantities.listed(list(lacks_of(done)), _MOST_NAMED)
        if done.is_whole:
            self.card.show_success(tr("The ledger is rebuilt"), "\n".join([said, lacks]).strip())
        else:
            heading = tr("The ledger is rebuilt, but not all of it could be")
            self.card.show_caution(heading, said, lacks)

    def show_trouble(self, reason: str) -> None:
        self._show_ways()
        self.card.show_trouble(tr("The ledger was not rebuilt"), reason)

    def _show_ways(self) -> None:
        """Show what can be done; until something was, this is all that there is to show."""
        self.show_ended(has_ways=True)
        self.close_card.hide()


class Rebuilding(QObject):
    """Rebuilds the ledger of an archive that is not open for that reason, and has it opened."""

    def __init__(self, session: Session, card: RebuildCard) -> None:
        super().__init__(card)
        self._session, self.card = session, card
        self._task: asyncio.Task[None] | None = None
        session.ledger_lost.connect(card.offer)
        card.go.clicked.connect(self.begin)
        card.again.clicked.connect(session.try_again)
        session.opened.connect(self._on_opened)
        card.stop.clicked.connect(self.stop)

    def begin(self) -> None:
        """Begin, unless it runs, or the archive is open by now."""
        if self._task is None and not self._session.is_open:
            self._task = asyncio.get_running_loop().create_task(self._rebuild())
            self._task.add_done_callback(self._on_ended)

    def stop(self) -> None:
        """Stop: the archive is as it was."""
        if self._task is not None:
            self._task.cancel()

    async def ended(self) -> None:
        """Stop, and return when nothing is written any more."""
        self.stop()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _rebuild(self) -> None:
        from carrel.engine.rebuilding import rebuild  # few ever need it

        archive = self._session.archive
        self.card.show_progress(0, 0)
        try:
            with (
                shown_progress(self, self.card.show_progress) as tell,
                ThreadPoolExecutor(1) as threads,  # no engine lends one
            ):
                done = await stoppable(lambda go_on: rebuild(archive, go_on), tell, threads)
        except (CarrelError, OSError) as error:
            self.card.show_trouble(str(error))
        else:
            self.card.show_done(done)
            self._session.try_again()

    def _on_opened(self) -> None:
        """Withdraw the offer where the ledger was restored in another way."""
        if self.card.go.isVisibleTo(self.card):
            self.card.hide()

    def _on_ended(self, task: "asyncio.Task[None]") -> None:
        self._task = None
        if task.cancelled():
            self.card.show_trouble(tr("It was stopped. The archive is as it was."))
        elif (error := task.exception()) is not None:
            self.card.show_trouble(tr("Something went wrong in Carrel. The archive is as it was."))
            told = {"message": "rebuilding", "exception": error}
            task.get_loop().call_exception_handler(told)
