# SPDX-License-Identifier: AGPL-3.0-or-later
"""Putting onto the list what was pasted or read, and having each looked at."""

import asyncio
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from PySide6.QtCore import QItemSelectionModel, QObject, Signal
from PySide6.QtWidgets import QWidget

from carrel.engine.batches import Batch
from carrel.engine.held import beside_held
from carrel.errors import CarrelError
from carrel.model import IngestFilesetResult, Paste
from carrel.model.caption import Caption
from carrel.model.events import Event, StageEntered
from carrel.model.manifest import files_of
from carrel.translation import forms, tr
from carrel_desktop import quantities, words
from carrel_desktop.session import Session
from carrel_desktop.views.archive.detection import (
    HELD,
    Detection,
    State,
    identifier_of,
    not_understood,
    title,
)
from carrel_desktop.views.archive.layout import ArchiveLayout
from carrel_desktop.views.archive.model import DetectionModel
from carrel_desktop.views.archive.offer import Correction
from carrel_desktop.views.archive.same_datasets import SameDatasets, state_of

AT_ONCE = 4
RUN = "preview-"
MOST_QUOTED = 60  # characters of a line that was not understood
LOOKED_AT_AGAIN = (State.REFUSED, *HELD, State.SAME, State.DONE, State.FAILED, State.STOPPED)


class Looks:
    """Rows wait for their look in the order in which they came; what it shows goes to the model."""

    def __init__(self, session: Session, model: DetectionModel) -> None:
        self._session = session
        self._model = model
        self.same = SameDatasets(model)
        self._waiting: deque[Detection] = deque()
        self._looks: dict[str, asyncio.Task[None]] = {}

    def start(self, row: Detection) -> None:
        """Look at a row as soon as it is its turn."""
        self._waiting.append(row)
        self._begin()

    def stop(self, rows: Sequence[Detection]) -> None:
        """Look at these rows no more; they can be looked at again."""
        stopped = [row for row in rows if row.state is State.LOOKING]
        keys = {row.key for row in stopped}
        self._waiting = deque(row for row in self._waiting if row.key not in keys)
        for row in stopped:
            self._model.set_state(row, State.STOPPED)
            if look := self._looks.pop(row.key, None):
                look.cancel()
        self._begin()

    def _begin(self) -> None:
        """Begin as many looks as there is room for."""
        while self._waiting and len(self._looks) < AT_ONCE:
            row = self._waiting.popleft()
            look = self._session.start(self._preview(row))
            if look is None:
                return
            self._looks[row.key] = look
            look.add_done_callback(partial(self._on_ended, row.key))

    def _on_ended(self, key: str, look: "asyncio.Task[None]") -> None:
        if self._looks.get(key) is look:
            del self._looks[key]
            self._begin()

    async def _preview(self, row: Detection) -> None:
        try:
            emit = self._session.reporting(row.key)
            row.result = await self._session.call(
                lambda engine: engine.preview(row.request, row.options, emit)
            )
        except (CarrelError, OSError) as error:
            row.trouble = str(error)
            self._settle(row, State.REFUSED)
            return
        await self._ask_what_is_held(row, row.result)
        self._settle(row, state_of(row, row.result))

    def _settle(self, row: Detection, state: State) -> None:
        """Say what the look came to, unless the queue knows more by now."""
        if row.state is State.LOOKING:
            self.same.settle(row, state)
        else:
            self._model.set_state(row, row.state)
        self.same.reconsider()

    async def _ask_what_is_held(self, row: Detection, previewed: IngestFilesetResult) -> None:
        """A preview does without, where the archive cannot be asked."""
        try:
            row.held = await self._session.read(lambda engine: engine.holdings.held(previewed))
        except CarrelError as error:
            row.held_trouble = str(error)
            return
        row.result = beside_held(previewed, row.held)
        if row.held and row.held.is_as_published:
            row.kept = await self._session.read_result(row.held.ingest_id, files_of)


class Listing(QObject):
    """Lists each dataset once; what is listed already is looked at again where that may help.

    `corrected` carries the number of an opened list, and a Correction of a line of it.
    """

    corrected = Signal(int, object)

    def __init__(self, session: Session, model: DetectionModel, ui: ArchiveLayout) -> None:
        super().__init__(ui)
        self._session, self._model, self._ui = session, model, ui
        self._looks = Looks(session, model)
        self._count = 0
        session.side_events.connect(self._on_events)
        session.pauses.changed.connect(self._on_pauses)
        model.rewritten.connect(self.rewrite)

    async def list_text(self, text: str) -> None:
        """List every identifier in a text, and the lines without any."""
        paste = await self._session.read(lambda engine: engine.understand(text))
        known = [self._model.find_url(found.url) for found in paste.identifiers]
        rows = [row for row in known if row]
        self._list(self._detections(paste), rows, len(paste.repeated))

    def list_batch(self, number: int, batch: Batch, most: int | None) -> None:
        """List the datasets of a batch, so many at most, and the lines that hold none, each where
        it stands in the list."""
        rows, known = [], []
        for line, request in islice(batch.numbered(), most):
            if row := self._model.find_url(request.base_url):
                known.append(row)
            else:
                found = identifier_of(request, line)
                caption = batch.captions.get(request.base_url, Caption())
                row = Detection(
                    self._key(), line, found.value, found, given=request, caption=caption
                )
                rows.append(row)
        if most is None:
            rows += [
                not_understood(self._key(), it.line, it.text, it.message) for it in batch.problems
            ]
        for row in rows:
            row.list_number = number
        rows.sort(key=_line)
        self._list(rows, known, len(batch.duplicates) if most is None else 0)

    def list_other(self, number: int, batch: Batch) -> None:
        """List a batch in place of what its list was before; what is in both stays as it is."""
        urls = {request.base_url for request in batch.requests}
        problems = {(it.line, it.message): it for it in batch.problems}
        listed = [row for row in self._model if row.list_number == number]
        gone = [row for row in listed if row.can_be_edited and not _is_in(row, urls, problems)]
        self.remove(gone)
        for row in listed:
            problems.pop((row.line, row.reason), None)
            if row.identifier and row.identifier.url in urls:
                row.caption = batch.captions.get(row.request.base_url, Caption())
                self._model.changed(row)
        new = [each for each in batch.numbered() if not self._model.holds(each[1].base_url)]
        lines, requests = tuple(line for line, _ in new), tuple(request for _, request in new)
        rest = replace(batch, requests=requests, lines=lines, problems=tuple(problems.values()))
        # Its card tells of lines that repeat others.
        self.list_batch(number, replace(rest, duplicates=()), None)

    @property
    def window(self) -> QWidget:
        """The window that it is listed in."""
        return self._ui.window()

    def look_again(self, rows: Iterable[Detection] | None = None) -> None:
        """Look again at these rows, as far as they can be; at what could not be had if none are
        given."""
        failed = [row for row in self._model if row.state in (State.REFUSED, State.STOPPED)]
        for row in failed if rows is None else rows:
            if row.identifier and row.is_checked:
                self._look_again(row)

    def stop(self, rows: Iterable[Detection]) -> None:
        """Look at these rows no more."""
        self._looks.stop(list(rows))

    def remove(self, rows: Sequence[Detection]) -> None:
        """Take rows off the list."""
        self._model.remove(rows)
        self._looks.stop(rows)  # of which no one is told row by row any more
        self._looks.same.reconsider()

    def restore(self, rows: Sequence[Detection]) -> None:
        """Put rows back that were removed; each stands again for its dataset, or not."""
        self._model.restore(rows)
        for row in rows:
            self._looks.same.settle(row, row.state)
        self._looks.same.reconsider()

    def rewrite(self, row: Detection, text: str) -> None:
        """Have a row be what the person wrote in place of its text, and look at it."""
        self._session.start(self._rewrite(row, text), is_asked=True)

    async def _rewrite(self, row: Detection, text: str) -> None:
        paste = await self._session.read(lambda engine: engine.understand(text))
        if not paste.identifiers:
            row.text = text
            self._model.changed(row)
            message = tr(
                "“{text}” has no DOI, Handle, ARK or web address.", text=text[:MOST_QUOTED]
            )
            self._ui.told.say(message)
            return
        first, *others = paste.identifiers
        known = self._model.find_url(first.url)
        is_other = known is None or known is row
        before = row.identifier
        if is_other:
            self._looks.stop([row])
            self._model.identify(row, first)
            self._looks.start(row)
        if row.list_number is not None and (is_other or before is None):
            correction = Correction(row.line, paste.identifiers, before.url if before else "")
            self.corrected.emit(row.list_number, correction)
        if known is not None and not is_other:
            self._ui.told.say(tr("{name} is already in the list.", name=title(known)))
            return
        new = [each for each in others if not self._model.holds(each.url)]
        if new:
            self._list([Detection(self._key(), row.line, it.value, it) for it in new], [])

    def _list(self, detections: list[Detection], known: list[Detection], repeated: int = 0) -> None:
        """List what was found, choose the first, and look at each; say what was listed already,
        and how many lines were left out since they repeat others."""
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
        sentences = self._known(known) if known else []
        if repeated:
            text = forms("1 line repeats another.", "{count} lines repeat others.")
            sentences.append(quantities.counted(repeated, *text))
        if sentences:
            self._ui.told.say(" ".join(sentences))

    def _known(self, known: list[Detection]) -> list[str]:
        """Return which were listed already; look again where that may show something else."""
        again = [row for row in known if row.state in LOOKED_AT_AGAIN]
        if len(known) == 1:
            sentences = [tr("{name} is already in the list.", name=title(known[0]))]
        else:
            text = tr("{count} of these are already in the list.")
            sentences = [text.format(count=quantities.number(len(known)))]
        if len(known) == len(again):
            words = forms("It is checked again.", "They are checked again.")
            sentences.append(quantities.counted(len(again), *words))
        elif again:
            words = forms("1 of them is checked again.", "{count} of them are checked again.")
            sentences.append(quantities.counted(len(again), *words))
        for row in again:
            self._look_again(row)
        return sentences

    def _look_again(self, row: Detection) -> None:
        self._model.look_again(row)
        self._looks.start(row)

    def _detections(self, paste: Paste) -> list[Detection]:
        rows = [
            Detection(self._key(), found.line, found.value, found)
            for found in paste.identifiers
            if not self._model.holds(found.url)
        ]
        rows += [not_understood(self._key(), line, text) for line, text in paste.not_understood]
        return sorted(rows, key=_line)

    def _key(self) -> str:
        self._count += 1
        return f"{RUN}{self._count}"

    def _on_events(self, events: list[Event]) -> None:
        for event in events:
            row = self._model.find(event.ingest_id)
            if row and row.state is State.LOOKING and isinstance(event, StageEntered):
                row.doing = event.detail or words.stage(event.stage)
                row.waits = self._why_waits(row)
                self._model.changed(row)

    def _on_pauses(self) -> None:
        """Say of what is being checked that it waits for its host, or does so no more."""
        for row in self._model:
            if row.state is State.LOOKING and row.waits != (waits := self._why_waits(row)):
                row.waits = waits
                self._model.changed(row)

    def _why_waits(self, row: Detection) -> str:
        return self._session.pauses.why(row.identifier.url) if row.identifier else ""


def _line(row: Detection) -> int:
    return row.line


def _is_in(row: Detection, urls: Collection[str], problems: Collection[tuple[int, str]]) -> bool:
    """Say whether a row stands for one of these datasets, or these lines without one."""
    if row.identifier is None:
        return (row.line, row.reason) in problems
    return row.identifier.url in urls
