# SPDX-License-Identifier: AGPL-3.0-or-later
"""Putting onto the list what was pasted or read, and having each looked at."""

import asyncio
from collections import deque

from PySide6.QtCore import QItemSelectionModel, QObject

from carrel.engine.batches import Batch
from carrel.errors import CarrelError
from carrel.model import IngestFilesetResult, Paste
from carrel.model.events import Event, StageEntered
from carrel.translation import forms, tr
from carrel_desktop import quantities, words
from carrel_desktop.session import Session
from carrel_desktop.views.archive.layout import ArchiveLayout
from carrel_desktop.views.archive.model import (
    Detection,
    DetectionModel,
    State,
    identifier_of,
    not_understood,
    title,
)

AT_ONCE = 4
RUN = "preview-"
LOOKED_AT_AGAIN = (State.REFUSED, State.HELD, State.DONE, State.FAILED)


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


class Listing(QObject):
    """Lists each dataset once; what is listed already is looked at again where that may help."""

    def __init__(self, session: Session, model: DetectionModel, ui: ArchiveLayout) -> None:
        super().__init__(ui)
        self._session, self._model, self._ui = session, model, ui
        self._looks = Looks(session, model)
        self._count = 0
        session.side_events.connect(self._on_events)

    async def list_text(self, text: str) -> None:
        """List every identifier in a text, and the lines without any."""
        paste = await self._session.read(lambda engine: engine.understand(text))
        known = [self._model.find_url(found.url) for found in paste.identifiers]
        self._list(self._detections(paste), [row for row in known if row])

    def list_batch(self, batch: Batch, most: int | None) -> None:
        """List the datasets of a batch, so many at most, and the lines that hold none."""
        rows, known = [], []
        for number, request in enumerate(batch.requests[:most], 1):
            if row := self._model.find_url(request.base_url):
                known.append(row)
            else:
                found = identifier_of(request, number)
                rows.append(Detection(self._key(), number, found.value, found, given=request))
        if most is None:
            rows += [not_understood(self._key(), it.line, it.text) for it in batch.problems]
        self._list(rows, known)

    def look_again(self) -> None:
        """Look again at what could not be had."""
        for row in list(self._model):
            if row.state is State.REFUSED and row.identifier:
                self._look_again(row)

    def clear(self) -> None:
        """Empty the list; running previews are given up."""
        self._looks.give_up()
        self._model.clear()

    def _list(self, detections: list[Detection], known: list[Detection]) -> None:
        """List what was found, choose the first, and look at each; say what was listed already."""
        self._model.append(detections)
        for row in [*detections, *known][:1]:
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            index = self._model.index_of(row)
            self._ui.list.selectionModel().setCurrentIndex(index, flag)
            self._ui.list.scrollTo(index)
            self._ui.list.setFocus()
        for row in detections:
            if row.identifier:
                self._looks.start(row)
        if known:
            self._tell_known(known)

    def _tell_known(self, known: list[Detection]) -> None:
        """Say which were listed already; look again where that may show something else."""
        again = [row for row in known if row.state in LOOKED_AT_AGAIN]
        if len(known) == 1:
            text = tr("{name} is already in the list.")
            sentences = [text.format(name=title(known[0]))]
        else:
            text = tr("{count} of these are already in the list.")
            sentences = [text.format(count=quantities.number(len(known)))]
        if again:
            words = (
                forms("It is checked again.", "{count} are checked again.")
                if len(known) == 1
                else forms("1 is checked again.", "{count} are checked again.")
            )
            sentences.append(quantities.counted(len(again), *words))
        for row in again:
            self._look_again(row)
        self._ui.told.say(" ".join(sentences))

    def _look_again(self, row: Detection) -> None:
        self._model.look_again(row)
        self._looks.start(row)

    def _detections(self, paste: Paste) -> list[Detection]:
        rows = [
            Detection(self._key(), found.line, found.value, found)
            for found in paste.identifiers
            if not self._model.holds(found.url)
        ]
        return rows + [
            not_understood(self._key(), line, text) for line, text in paste.not_understood
        ]

    def _key(self) -> str:
        self._count += 1
        return f"{RUN}{self._count}"

    def _on_events(self, events: list[Event]) -> None:
        for event in events:
            row = self._model.find(event.ingest_id)
            if row and row.state is State.LOOKING and isinstance(event, StageEntered):
                row.doing = event.detail or words.stage(event.stage)
                self._model.changed(row)
