# SPDX-License-Identifier: AGPL-3.0-or-later
"""Looks at what is listed: each row is previewed, a few at once."""

import asyncio
from collections import deque

from carrel.errors import CarrelError
from carrel.model import IngestFilesetResult
from carrel_desktop.session import Session
from carrel_desktop.views.archive.model import Detection, DetectionModel, State

AT_ONCE = 4


class Looks:
    """Rows wait for their look in the order in which they came; what it shows goes to the model."""

    def __init__(self, session: Session, model: DetectionModel) -> None:
        self._session = session
        self._model = model
        self._waiting: deque[Detection] = deque()
        self._lookers: set[asyncio.Task[None]] = set()

    def start(self, row: Detection) -> None:
        """Look at a row as soon as it is its turn."""
        self._waiting.append(row)
        if len(self._lookers) < AT_ONCE:
            looker = self._session.start(self._look_on())
            if looker:
                self._lookers.add(looker)
                looker.add_done_callback(self._lookers.discard)

    def give_up(self) -> None:
        """Look at nothing more; what comes next need not wait for the end of those that run."""
        self._waiting.clear()
        for looker in self._lookers:
            looker.cancel()
        self._lookers.clear()

    async def _look_on(self) -> None:
        while self._waiting:
            await self._preview(self._waiting.popleft())

    async def _preview(self, row: Detection) -> None:
        try:
            emit = self._session.reporting(row.key)
            row.result = await self._session.call(
                lambda engine: engine.preview(row.request, row.options, emit)
            )
        except (CarrelError, OSError) as error:
            row.trouble = str(error)
            self._model.set_state(row, State.REFUSED)
            return
        await self._ask_what_is_held(row, row.result)
        self._model.set_state(row, state_of(row, row.result))

    async def _ask_what_is_held(self, row: Detection, previewed: IngestFilesetResult) -> None:
        """A preview does without, where the archive cannot be asked."""
        try:
            row.held = await self._session.read(lambda engine: engine.holdings.held(previewed))
        except CarrelError as error:
            row.held_trouble = str(error)


def state_of(row: Detection, previewed: IngestFilesetResult) -> State:
    """Return what a look at a dataset comes to."""
    can_be_had = previewed.hit or row.is_partial
    if row.held and row.held.is_as_published and (can_be_had or row.is_beyond_limits):
        return State.HELD
    return State.READY if can_be_had else State.REFUSED
