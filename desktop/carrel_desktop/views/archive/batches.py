# SPDX-License-Identifier: AGPL-3.0-or-later
"""Lists that were dropped or opened: read aside, short ones listed, long ones offered whole."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from carrel.engine import IngestOptions
from carrel.engine.batches import Batch, read_file
from carrel.errors import CarrelError
from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.views.archive.batch_card import BatchCard
from carrel_desktop.widgets.actions import make_action

SHORT = 20  # datasets that are looked at one by one without asking
FIRST = 50  # of a long list, on demand


@dataclass(frozen=True, slots=True)
class Offer:
    """A list that waits for what shall become of it."""

    name: str
    batch: Batch


class BatchOffers(QObject):
    """`listed` carries a Batch to look at, and how many of its datasets at most (None: all).

    `changed` says that the card shows something else, or nothing.
    """

    listed = Signal(object, object)
    changed = Signal()

    def __init__(
        self, session: Session, make_card: Callable[[QAction, QAction, QAction], BatchCard]
    ):
        super().__init__()
        self._session = session
        self._waiting: deque[Offer] = deque()
        self._reading = 0
        self.add_action = make_action(self, tr("Add all to the q&ueue"), self.add, "Ctrl+Shift+A")
        self.add_action.setStatusTip(
            tr("Add every dataset of the list to the queue without a preview")
        )
        text = tr("Preview the fir&st {count}", count=FIRST)
        self.look_action = make_action(self, text, self.look)
        self.look_action.setStatusTip(tr("Preview them before the rest is added"))
        self.leave_action = make_action(self, tr("R&emove list"), self.leave)
        self.leave_action.setStatusTip(tr("Discard this list; nothing is added"))
        self.actions_in_menu = [self.add_action, self.look_action, self.leave_action]
        self.card = make_card(*self.actions_in_menu)
        self._allow(is_offered=False, can_leave=False)

    @property
    def current(self) -> Offer | None:
        """The list that is on offer, None if there is none."""
        return self._waiting[0] if self._waiting else None

    def read(self, paths: Sequence[Path]) -> None:
        """Read lists, one after the other."""
        self._session.start(self._read(list(paths)), is_asked=True)

    def add(self) -> None:
        """Put all of the list into the queue."""
        if self.current:
            self._session.start(self._add(self.current), is_asked=True)

    def look(self) -> None:
        """Look at its first datasets; the list stays on offer."""
        if self.current:
            self.listed.emit(self.current.batch, FIRST)

    def leave(self) -> None:
        """Put the list away, and show the next if there is one."""
        if self._waiting:
            self._waiting.popleft()
        self._show()

    async def _read(self, paths: Sequence[Path]) -> None:
        self._reading += 1
        try:
            for path in paths:
                await self._read_one(path)
        finally:
            self._reading -= 1
            if not self._waiting and not self._reading:
                self._show()

    async def _read_one(self, path: Path) -> None:
        if not self._waiting:
            self.card.show_reading(path.name)
            self._allow(is_offered=False, can_leave=False)
        try:
            batch = await self._session.aside(read_file, path)
        except CarrelError as error:
            self._session.troubled.emit(str(error))  # the other lists are read anyway
            return
        if batch.is_bare:
            text = tr("{name} contains no dataset.")
            self._session.troubled.emit(text.format(name=path.name))
            return
        if len(batch.requests) <= SHORT:
            self.listed.emit(batch, None)
            return
        self._waiting.append(Offer(path.name, batch))
        if len(self._waiting) == 1:
            self._show()

    async def _add(self, offer: Offer) -> None:
        self._allow(is_offered=False, can_leave=False)
        try:
            requests = offer.batch.requests
            added = await self._session.call(
                lambda engine: engine.queue.add(requests, IngestOptions(), offer.batch.name)
            )
        except BaseException:
            self._show()
            raise
        self.card.show_added(offer.name, len(added), len(requests) - len(added))
        self._allow(is_offered=False, can_leave=True)

    def _show(self) -> None:
        offer = self.current
        self._allow(is_offered=offer is not None, can_leave=offer is not None)
        if offer is None:
            self.card.hide()
        else:
            self.card.show_batch(offer.name, offer.batch)

    def _allow(self, *, is_offered: bool, can_leave: bool) -> None:
        self.add_action.setEnabled(is_offered)
        self.look_action.setEnabled(is_offered)
        self.leave_action.setEnabled(can_leave)
        self.leave_action.setText(tr("R&emove list") if is_offered else tr("Clos&e"))
        self.changed.emit()
