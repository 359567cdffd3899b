# SPDX-License-Identifier: AGPL-3.0-or-later
"""Lists that were dropped or opened: read aside, short ones listed, long ones offered whole.

Each long list is an object of its own from the moment it is read, beside those before it.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import count
from operator import attrgetter
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from carrel.engine.batch_register import free_name
from carrel.engine.batches import Batch, Columns, Kind, head_of_file, read_file
from carrel.errors import CarrelError
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.foreign import shown
from carrel_desktop.session import Session
from carrel_desktop.undoing import Done
from carrel_desktop.views.archive.batch_card import BatchCard
from carrel_desktop.views.archive.counting import Counting
from carrel_desktop.views.archive.detection import Detection
from carrel_desktop.views.archive.lines_dialog import LinesDialog
from carrel_desktop.views.archive.offer import Correction, Offer
from carrel_desktop.widgets.actions import Actions, Entry

SHORT = 20  # datasets that are looked at one by one without asking
FIRST = 50  # of a long list, on demand
BARE = Batch("", Kind.PLAIN, ())


def offer_actions() -> Sequence[Entry | None]:
    """Return what can be done with the list that is on offer, as its card has them."""
    forecast = tr("Preview every dataset to estimate files, size and time; nothing is queued")
    return (
        Entry(
            "add",
            tr("Add all to the &queue"),
            "Ctrl+Shift+A",
            tr("Add every dataset of the list to the queue without a preview"),
            writes=True,
        ),
        Entry(
            "look",
            tr("P&review the first {count}", count=FIRST),
            tip=tr("Preview them before the rest is added"),
        ),
        Entry("count", tr("Sho&w forecast"), tip=forecast),
        Entry(
            "open_lines",
            tr("Col&umns and lines…"),
            tip=tr("Choose the columns, and review and correct the lines without a dataset"),
        ),
        Entry("leave", tr("Remove &list"), tip=tr("Discard this list; nothing is added")),
        None,  # what has a button only
        Entry(
            "add_again",
            tr("Archive all again"),
            tip=tr(
                "Add every dataset, archived before or not; intact files with a published checksum "
                "are not downloaded again"
            ),
            writes=True,
        ),
        Entry("show_queue", tr("Show queue")),
    )


class BatchOffers(QObject):
    """`listed` carries the number of a list, its Batch, and how many of its datasets to look at, at
    most (None: all).

    `relisted` carries the number of a list that was listed, and the Batch that it is now; without
    requests if there are too many to be listed. `changed` says that the card shows something else,
    or nothing; `reading` carries in words that one more list is being read, `has_read` the same
    once it was. `read_anew` carries an Offer of which other columns were read, or a line was
    corrected. `wants_queue` is emitted when the person wants to see how a list that was added goes
    on. `done` carries a Done, which can be taken back.
    """

    done = Signal(object)
    listed = Signal(int, object, object)
    relisted = Signal(int, object)
    changed = Signal()
    reading = Signal(str)
    has_read = Signal(str)
    read_anew = Signal(object)
    wants_queue = Signal()

    def __init__(self, session: Session, make_card: Callable[[Sequence[QAction]], BatchCard]):
        super().__init__()
        self._session = session
        self.offers: list[Offer] = []
        self._at = 0
        self._numbers = count(1)
        self._wanted_columns: dict[int, Columns] = {}  # by the numbers of their lists
        self._reading = 0
        self._counting: asyncio.Task[None] | None = None
        self.actions: Actions = Actions(self, offer_actions())
        self.actions.bind(self)
        *ways, leave = self.actions.groups[0]
        self.card = make_card([*ways, *self.actions.groups[1], leave])
        self.card.chosen.connect(self.choose)
        self._allow(is_offered=False, can_leave=False)

    @property
    def current(self) -> Offer | None:
        """The list that is on offer, None if there is none."""
        return self.offers[self._at] if self.offers else None

    @property
    def waiting(self) -> Set[str]:
        """The addresses that are on offer, and were neither added nor archived before."""
        lists = [it for it in self.offers if it.added is None]
        urls = (it.base_url for each in lists for it in each.wanted.requests)
        return set(urls).difference(*(each.archived for each in lists))

    def choose(self, number: int) -> None:
        """Show another of the opened lists."""
        self._at = max(0, min(number, len(self.offers) - 1))
        self._show()

    def read(self, paths: Sequence[Path]) -> None:
        """Read lists, one after the other."""
        self._session.start(self._read(list(paths)), is_asked=True)

    def add(self) -> None:
        """Put what of the list was not archived before into the queue."""
        if self.current and self.current.added is None:
            self._session.start(self._add(self.current), is_asked=True)

    def add_again(self) -> None:
        """Put all of the list into the queue."""
        if offer := self.current:
            everything = replace(offer, archived=frozenset())
            self._session.start(self._add(everything), is_asked=True)

    def show_queue(self) -> None:
        self.wants_queue.emit()

    def look(self) -> None:
        """Look at its first datasets; the list stays on offer."""
        if self.current:
            self.listed.emit(self.current.number, self.current.wanted, FIRST)

    def leave(self) -> None:
        """Put the list away, and show another if there is one; what was not added comes back."""
        self.stop_counting()
        offer = self.current
        if offer is not None:
            del self.offers[self._at]
        self.choose(self._at)
        if offer is not None and offer.added is None:
            name = shown(offer.name)
            removed = tr("Removed the list “{name}”.", name=name)
            sentence = tr("Closed the list “{name}”.", name=name) if offer.is_listed else removed
            self.done.emit(Done(sentence, partial(self.reopen, [offer])))

    def close_listed(self) -> Sequence[Offer]:
        """Put the lists away whose datasets are all listed; return them for `reopen`."""
        shown, closed = self.current, [it for it in self.offers if it.is_listed]
        self.offers = [it for it in self.offers if not it.is_listed]
        self.choose(self.offers.index(shown) if shown in self.offers else 0)
        return closed

    def reopen(self, closed: Sequence[Offer]) -> None:
        """Have lists be there again that were put away."""
        self.offers = sorted([*self.offers, *closed], key=attrgetter("number"))
        self.choose(self.offers.index(closed[0]) if closed else self._at)

    def count(self) -> None:
        """Preview every dataset of the list and say what it comes to; a second time, stop that."""
        if self._counting is not None:
            self.stop_counting()
        elif self.current:
            counting = Counting(self._session, self.card.show_forecast)
            self._counting = self._session.start(counting.run(self.current.wanted.requests))
            if self._counting:
                self._counting.add_done_callback(self._on_counted)
            self._show()

    def stop_counting(self) -> None:
        """Stop the forecast; what it knows by then is told as that."""
        if self._counting is not None:
            self._counting.cancel()

    def open_lines(self) -> None:
        """Show the columns of the list, and its lines without a dataset."""
        if self.current:
            dialog = LinesDialog(self.card.window(), self.card.theme, self._session, self.current)
            dialog.read_by.connect(self._read_again)
            dialog.corrected.connect(self.correct)
            self.read_anew.connect(dialog.show_offer)
            dialog.open()

    def correct(self, number: int, correction: Correction) -> None:
        """Have a line of a list be corrected; nothing happens where the list is not open any more,
        or was added."""
        offer = self._find(number)
        if offer is not None and offer.added is None:
            self._replace(offer.corrected(correction))

    def leave_out(self, rows: Sequence[Detection]) -> None:
        """Have rows that the person removed not be added with their lists, nor listed again."""
        for offer, urls, lines in self._by_offer(rows):
            removed, dropped = offer.removed | urls, offer.dropped | lines
            self._replace(replace(offer, removed=removed, dropped=dropped))

    def take_in(self, rows: Sequence[Detection]) -> None:
        """Have rows that were put back be added with their lists again."""
        for offer, urls, lines in self._by_offer(rows):
            removed, dropped = offer.removed - urls, offer.dropped - lines
            self._replace(replace(offer, removed=removed, dropped=dropped))

    def _by_offer(self, rows: Sequence[Detection]) -> Iterator[tuple[Offer, Set[str], Set[int]]]:
        """Yield the lists that rows come from and that were not added, with their addresses, and
        with the lines of those that have none."""
        for number in {row.list_number for row in rows if row.list_number is not None}:
            of_list = [row for row in rows if row.list_number == number]
            urls = {row.identifier.url for row in of_list if row.identifier}
            lines = {row.line for row in of_list if not row.identifier}
            offer = self._find(number)
            if offer is not None and offer.added is None:
                yield offer, urls, lines

    def _read_again(self, offer: Offer, columns: Columns) -> None:
        self._wanted_columns[offer.number] = columns
        self._session.start(self._read_by(offer, columns), is_asked=True)

    async def _read_by(self, offer: Offer, columns: Columns) -> None:
        batch = await self._session.aside(partial(read_file, columns=columns), offer.path)
        other = (self._find(offer.number) or offer).read_again(batch, columns)
        archived = await self._session.read(lambda engine: engine.batches.archived(other.batch))
        now = self._find(offer.number)  # a line may have been corrected meanwhile
        if now is not None and self._wanted_columns[offer.number] == columns:
            self._replace(_listed(replace(now.read_again(batch, columns), archived=archived)))

    def _find(self, number: int) -> Offer | None:
        """Return a list as it is by now, None where it is not open any more."""
        return next((it for it in self.offers if it.number == number), None)

    def _replace(self, other: Offer) -> None:
        """Have a list be as it is by now; another of the same file stays."""
        before = self._find(other.number)
        if before is None:
            return
        self.offers[self.offers.index(before)] = other
        is_other = (before.batch, before.is_listed) != (other.batch, other.is_listed)
        if is_other and (before.is_listed or other.is_listed):
            self.relisted.emit(other.number, other.listed if other.is_listed else BARE)
        if is_other:
            self.read_anew.emit(other)
        self._show()

    def _on_counted(self, _task: "asyncio.Task[None]") -> None:
        self._counting = None
        self._show()

    async def _read(self, paths: Sequence[Path]) -> None:
        self._reading += 1
        try:
            for path in paths:
                doing = tr("Reading {name}…", name=shown(path.name))
                if self.offers:  # the card stays that of the list that is on show
                    self.reading.emit(doing)
                try:
                    await self._read_one(path)
                finally:
                    self.has_read.emit(doing)
        finally:
            self._reading -= 1
            if not self._reading:
                self._show()

    async def _read_one(self, path: Path) -> None:
        if not self.offers:
            self.card.show_reading(path.name)
            self._allow(is_offered=False, can_leave=False)
        try:
            batch = await self._session.aside(read_file, path)
            head = await self._session.aside(head_of_file, path)
        except CarrelError as error:
            self._session.troubled.emit(str(error))  # the other lists are read anyway
            return
        if batch.is_bare:
            self._session.troubled.emit(tr("{name} contains no dataset.", name=path.name))
            return
        archived = await self._session.read(lambda engine: engine.batches.archived(batch))
        number = next(self._numbers)
        offer = _listed(Offer(number, path, batch, head, archived=archived))
        has_card = head is not None or not offer.is_listed  # else there is nothing to choose
        if offer.is_listed:  # and its card, if it has one, tells of lines that repeat others
            told = replace(batch, duplicates=()) if has_card else batch
            self.listed.emit(number, told, None)
        if has_card:
            self.offers.append(offer)
            self.choose(len(self.offers) - 1)

    async def _add(self, offer: Offer) -> None:
        self._allow(is_offered=False, can_leave=False)
        try:
            added = await self._session.call(
                lambda engine: engine.batches.add(offer.wanted, archived_before=offer.archived)
            )
        except BaseException:
            self._show()
            raise
        name = (added[0].batch if added else None) or offer.batch.name
        self._replace(replace(offer, added=len(added), queued_as=name))

    def _show(self) -> None:
        offer = self.current
        is_offered = offer is not None and offer.added is None
        self._allow(is_offered=is_offered, can_leave=offer is not None)
        self.card.show_lists(self._names(), self._at)
        if offer is None:
            self.card.hide()
        elif offer.added is None:
            counts = offer.archived_count, offer.removed_count
            self.card.show_batch(offer.name, offer.wanted, *counts)
        else:
            known = offer.others - offer.added
            told = self.card.left_out(offer.batch, offer.archived_count, offer.removed_count)
            if offer.queued_as != offer.batch.name:
                told.append(tr("They are the batch “{name}”.", name=shown(offer.queued_as)))
            self.card.show_added(offer.name, offer.added, known, told)

    def _names(self) -> Sequence[str]:
        """Return the names of the lists, each its own, also where one file was opened twice."""
        names: list[str] = []
        for offer in self.offers:
            names.append(free_name(offer.name, names))
        return names

    def _allow(self, *, is_offered: bool, can_leave: bool) -> None:
        archived = self.current.archived_count if self.current else 0
        count = len(self.current.wanted.requests) - archived if self.current else 0
        self.actions.add.setEnabled(is_offered and count > 0)
        self.actions.add.setText(
            quantities.counted(
                count,
                *forms("Add the other one to the &queue", "Add the other {count} to the &queue"),
            )
            if archived
            else tr("Add all to the &queue")
        )
        self.actions.add_again.setEnabled(is_offered and archived > 0)
        is_added = self.current is not None and self.current.added is not None
        self.actions.show_queue.setEnabled(is_added)
        is_listed = self.current is not None and self.current.is_listed
        self.actions.look.setEnabled(is_offered and not is_listed)
        is_long = self.current is not None and len(self.current.batch.requests) > FIRST
        self.actions.look.setText(
            tr("P&review the first {count}", count=FIRST) if is_long else tr("P&review all")
        )
        is_counting = self._counting is not None
        self.actions.count.setEnabled((is_offered and not is_listed) or is_counting)
        self.actions.count.setText(
            tr("Stop the forecast of the &whole list") if is_counting else tr("Sho&w forecast")
        )
        self.actions.open_lines.setEnabled(can_leave)
        self.actions.leave.setEnabled(can_leave)
        is_waiting = is_offered and not is_listed
        self.actions.leave.setText(tr("Remove &list") if is_waiting else tr("C&lose"))
        leaves = tr("Discard this list; nothing is added")
        self.actions.leave.setStatusTip(leaves if is_waiting else tr("Close this list"))
        self.changed.emit()


def _listed(offer: Offer) -> Offer:
    """Return a list with whether it is short enough to be listed below."""
    return replace(offer, is_listed=len(offer.batch.requests) <= SHORT)
