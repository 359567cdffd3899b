# SPDX-License-Identifier: AGPL-3.0-or-later
"""One look-up at a time: what was asked, what each source said, and the captures as they come."""

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, Signal

from carrel.errors import CarrelError
from carrel.model import Memento, SourceReport, SourceState
from carrel.model.events import IngestFinished
from carrel.model.memento_views import CollectionInfo, Found
from carrel.translation import forms, plural, tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.timers import Crossing
from carrel_desktop.views.mementos.columns import MementosModel
from carrel_desktop.views.mementos.rows import Row, Sources, merged_rows, rows_of

DRAIN_MS = 60
SLICE = 2000  # captures; shaping and sorting in more of them would hold up the painting


class Stream(Crossing):
    """`arrived` carries a report and captures, many of one source in several portions.

    The report comes with the last portion of its captures.
    """

    arrived = Signal(object, object)  # not list: Qt would turn each of its items over

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, DRAIN_MS)
        self._told: deque[tuple[SourceReport, Sequence[Memento], int]] = deque()

    def tell(self, report: SourceReport, mementos: Sequence[Memento]) -> None:
        """Take what a source answered, from any thread."""
        with self._taking():
            self._told.append((report, mementos, 0))

    def drain(self) -> None:
        """Hand over a slice, and the rest after a breath."""
        room = SLICE
        while room > 0 and not self._is_closed and (portion := self._next(room)):
            report, mementos = portion
            room -= max(1, len(mementos))
            self.arrived.emit(report, mementos)
        with self._lock:
            self._is_woken = bool(self._told)
        if self._is_woken and not self._is_closed:
            self._timer.start(0)
        else:
            self._timer.setInterval(DRAIN_MS)

    def _next(self, room: int) -> tuple[SourceReport | None, Sequence[Memento]] | None:
        with self._lock:
            if not self._told:
                return None
            report, mementos, done = self._told.popleft()
            portion = mementos[done : done + room]
            if done + len(portion) < len(mementos):
                self._told.appendleft((report, mementos, done + len(portion)))
                return None, portion
        return report, portion


class LookUp(QObject):
    """Asks all sources of a collection for a URL.

    `started` says that another URL is looked up; `told` that a source said something; `arrived`
    carries rows; `ended` carries all rows, merged, that take the place of those which arrived.
    `failed` carries the sentence why it could not be asked at all, which the notice bar tells.
    It `is_outdated` once more was archived here since it began.
    """

    started = Signal()
    told = Signal()
    arrived = Signal(object)  # not list: Qt would turn each of its items over
    ended = Signal(object)
    failed = Signal(str)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._stream: Stream | None = None
        self._task: asyncio.Task[None] | None = None
        self.asked = ""
        self.url = ""
        self.collection = ""
        self.is_running = False
        self.has_ended = False
        self.sources = Sources()
        self.reports: dict[int, SourceReport] = {}
        self._shaped: dict[int, Row] = {}  # what has come, by the id of its memento
        self.is_outdated = False
        session.events.connect(self._on_events)

    def start(self, text: str, collection: CollectionInfo) -> None:
        """Look a URL or DOI up; what was being looked up before is given up."""
        self.stop()
        self.asked = self.url = text
        self.collection = collection.name
        self.is_running, self.has_ended, self.is_outdated = True, False, False
        self.sources = Sources.of(collection.sources)
        self.reports = {}
        self._shaped = {}
        self._stream = Stream(self)
        self._stream.arrived.connect(self._on_arrived)
        self.started.emit()
        self._task = self._session.start(self._ask(self._stream), is_asked=True)
        if self._task is None:
            self.stop()

    def stop(self) -> None:
        """Give up what is being looked up; what has come stays."""
        if self._stream is not None:
            self._stream.close()
            self._stream.deleteLater()
            self._stream = None
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if self.is_running:
            self.is_running = False
            asked = [at for at, it in self.reports.items() if it.state is SourceState.ASKED]
            for number in asked:
                del self.reports[number]
            self.told.emit()

    async def settled(self) -> None:
        """Return when nothing is being looked up."""
        while self.is_running and self._task is not None:
            await asyncio.wait([self._task])

    def _on_events(self, events: Sequence[object]) -> None:
        more = (isinstance(event, IngestFinished) and event.has_archived for event in events)
        self.is_outdated = self.is_outdated or (self.has_ended and any(more))

    @property
    def unanswered(self) -> int:
        """How many sources are asked and have not said anything yet."""
        states = [report.state for report in self.reports.values()]
        silent = len(self.sources) - len(states) if self.is_running else 0
        return silent + states.count(SourceState.ASKED)

    @property
    def troubled(self) -> int:
        """Of how many sources nothing is known."""
        return sum(report.is_trouble for report in self.reports.values())

    @property
    def kept_private(self) -> int:
        """How many sources were not asked, so that a private address stays here."""
        return sum(report.is_kept_private for report in self.reports.values())

    @property
    def answered(self) -> int:
        """How many sources said what they have."""
        return len(self.reports) - self.troubled - self.kept_private

    async def _ask(self, stream: Stream) -> None:
        try:
            found = await self._session.call(
                lambda engine: engine.mementos.find(self.asked, self.collection, stream.tell)
            )
            stream.close()
            shaped = self._shaped
            rows = await self._session.aside(merged_rows, found.mementos, self.sources, shaped)
        except (CarrelError, OSError) as error:
            if stream is self._stream:
                self.is_running = False
                self.failed.emit(str(error))
            raise
        if stream is self._stream:  # else it was given up
            self._end(found, rows)

    def _end(self, found: Found, rows: Sequence[Row]) -> None:
        self.url = found.url
        for report in found.reports:
            self._take(report)
        self.is_running, self.has_ended = False, True
        self._shaped = {}
        self.ended.emit(rows)

    def _on_arrived(self, report: SourceReport | None, mementos: Sequence[Memento]) -> None:
        if mementos:
            rows = rows_of(mementos, self.sources)
            self._shaped.update(zip(map(id, mementos), rows, strict=True))
            self.arrived.emit(rows)
        if report is not None:
            self._take(report)
            self.told.emit()

    def _take(self, report: SourceReport) -> None:
        self.reports[self.sources.number(report.source, report.source_type)] = report


def sum_of(model: MementosModel, look_up: LookUp) -> str:
    """Return how many captures are listed, of how many, and who is still asked."""
    shown, total = model.rowCount(), model.total
    captures = quantities.counted(total, "1 capture", "{count} captures")
    captures = captures if total else tr("No captures")
    if shown != total:
        captures = tr("{shown} of {captures}", shown=quantities.number(shown), captures=captures)
    waiting = look_up.unanswered
    if look_up.is_running and waiting:
        asked = tr("{count} still querying", count=quantities.number(waiting))
        return f"{captures} · {asked}" if total else asked
    return " · ".join(filter(None, (captures, silent_of(look_up))))


def silent_of(look_up: LookUp) -> str:
    """Return of how many archives nothing is known, which may stand out of sight; "" for none."""
    if not (look_up.has_ended and look_up.troubled):
        return ""
    count, all_ = map(quantities.number, (look_up.troubled, len(look_up.sources)))
    return tr("{count} of {all} archives did not answer", count=count, all=all_)


def nobody(look_up: LookUp) -> tuple[str, str]:
    """Return heading and sentence for a look-up that found no capture."""
    if not look_up.has_ended:
        return tr("Stopped"), tr("Not every archive has answered. Choose Look up to query again.")
    if not look_up.troubled and not look_up.kept_private:
        text = tr("All archives of the collection answered; none has a capture of {url}")
        return tr("No captures found"), text.format(url=look_up.url)
    heading = tr("Not found in the archives that answered")
    if not look_up.answered:
        heading = tr("No archive was queried")
    return heading, " ".join(_unknown(look_up))


def _unknown(look_up: LookUp) -> Iterator[str]:
    """Yield a sentence about those that answered, and each kind of those that did not."""
    if look_up.answered:
        text = forms(
            "1 archive answered; it has no capture of {url}.",
            "{count} archives answered; none has a capture of {url}.",
        )
        count = quantities.number(look_up.answered)
        yield plural(*text, look_up.answered, count=count, url=look_up.url)
    if look_up.kept_private:
        text = forms(
            "1 was not queried: private addresses are not sent to other archives.",
            "{count} were not queried: private addresses are not sent to other archives.",
        )
        yield quantities.counted(look_up.kept_private, *text)
    if look_up.troubled:
        count = quantities.number(look_up.troubled)
        yield tr("{count} could not be queried and may have captures.", count=count)
