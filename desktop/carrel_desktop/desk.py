# SPDX-License-Identifier: AGPL-3.0-or-later
"""What all pages share: the open engine, its events, and the tasks of the window."""

import asyncio
import shutil
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from carrel.credentials import Credentials, Keys, Token, is_in_environment
from carrel.engine import Engine, IngestOptions
from carrel.engine.batches import Batch, read_file
from carrel.errors import ArchiveError, CarrelError, SettingsError
from carrel.model import (
    Answer,
    FailedRecord,
    Fate,
    Held,
    IngestFilesetResult,
    IngestRequest,
    Job,
    Paste,
    VerificationReport,
)
from carrel.model.accession import Accession
from carrel.model.events import Emit
from carrel.settings import Answer as SettingsAnswer
from carrel.settings import Answers, InForce, Settings, in_force
from carrel.settings.editing import editable, save_changes
from carrel_desktop.bridge import Bridge
from carrel_desktop.dark_desk import DarkDesk
from carrel_desktop.engine_thread import EngineThread
from carrel_desktop.memento_desk import MementoDesk
from carrel_desktop.source_desk import SourceDesk
from carrel_desktop.whole_file import write_whole

T = TypeVar("T")
OpenEngine = Callable[[Path, Emit], Engine]


@dataclass(frozen=True, slots=True)
class StoredKeys:
    """The names under which keys are stored; `trouble` says why that is not known, if it is not.

    `is_in_environment` holds where the keys for archive.org come from there.
    """

    names: Sequence[str] = ()
    is_in_environment: bool = False
    trouble: str | None = None


def free_on_disk(folder: Path) -> int:
    """Return how many bytes the disk of a folder still takes."""
    return shutil.disk_usage(folder).free


class Desk(QObject):
    """The pages' way to the engine: every method returns at once, or is awaited.

    `events` carries what the queue reports, `side_events` what previews and verifications report
    under the ids they were given. `troubled` carries a sentence for the notice bar; `succeeded`
    says that something the person asked for went well, with no trouble since it began. `measured`
    says that `free_bytes`, what the archive's disk still takes (None until known), was read anew.
    `not_opened` carries why the archive could not be opened, which `troubled` says in a sentence;
    `try_again` may help then. `requested` carries what the archive asks for that is the person's to
    decide (an InForce), once it was opened, or could not be.
    """

    opened = Signal()
    not_opened = Signal(str)
    troubled = Signal(str)
    succeeded = Signal()
    measured = Signal()
    requested = Signal(object)

    def __init__(
        self,
        archive: Path,
        open_engine: OpenEngine = Engine.open,
        free_on: Callable[[Path], int] = free_on_disk,
        credentials: Credentials | None = None,
    ) -> None:
        super().__init__()
        self.archive = archive
        self._credentials = credentials or Credentials()
        self._free_on = free_on
        self._bridge = Bridge(self)
        self._side_bridge = Bridge(self)
        self.events = self._bridge.arrived
        self.side_events = self._side_bridge.arrived
        self._holds: InForce | None = None
        self._open_archive = partial(self._open_asking, open_engine)
        self._thread = EngineThread(self._open_archive)
        self._opening: asyncio.Task[None] | None = None
        self._is_away = False
        self._engine: Engine | None = None
        self.mementos = MementoDesk(self._open_engine, self._call, self._aside)
        self.sources = SourceDesk(self._open_engine, self._call, self._aside)
        self.dark = DarkDesk(self._open_engine, self._call, self._aside)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.free_bytes: int | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._troubles = 0
        self.troubled.connect(self._on_troubled)

    @property
    def is_open(self) -> bool:
        return self._engine is not None

    async def open(self) -> bool:
        """Open the archive; what stands in the way is shown in the window, not raised."""
        self._loop = asyncio.get_running_loop()
        try:
            self._engine = await self._thread.start()
        except (CarrelError, OSError, NotImplementedError) as error:
            await self._thread.close()
            self._thread = EngineThread(self._open_archive)  # none can be started twice
            reason = str(error) or type(error).__name__
            self.not_opened.emit(reason)
            self.troubled.emit(self._not_opened_because(reason))
            self._tell_requests()
            return False
        self.opened.emit()
        self._tell_requests()
        return True

    def try_again(self) -> None:
        """Open the archive once more after it could not be opened."""
        is_trying = self._opening is not None and not self._opening.done()
        if self._loop is not None and not self.is_open and not is_trying:
            self._opening = self._loop.create_task(self._open_again())

    async def close(self) -> None:
        """Stop the window's tasks, then the engine."""
        if self._opening is not None:
            await self._opening  # half an opening can not be taken back
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._engine = None
        await self._thread.close()

    def start(
        self, work: Coroutine[Any, Any, None], *, is_asked: bool = False
    ) -> "asyncio.Task[None] | None":
        """Run a coroutine of the window; a named trouble goes to the notice bar.

        `is_asked` marks what the person did, whose success takes an older trouble away.
        Returns None, and runs nothing, while there is no open archive.
        """
        if not self.is_open or self._loop is None:
            work.close()
            return None
        task = self._loop.create_task(self._guarded(work, is_asked))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _task: work.close())  # it may be cancelled before it began
        return task

    async def understand(self, text: str) -> Paste:
        return await self._aside(self._open_engine().understand, text)

    async def preview(
        self, request: IngestRequest, options: IngestOptions, run: str
    ) -> IngestFilesetResult:
        emit = self._side_bridge.named(run)
        return await self._call(lambda engine: engine.preview(request, options, emit))

    async def held(self, previewed: IngestFilesetResult) -> Held | None:
        """Return what is held of a previewed dataset, None if nothing is. Raises ArchiveError."""
        return await self._aside(self._open_engine().held, previewed)

    async def add(
        self, requests: Sequence[IngestRequest], options: IngestOptions, batch: str | None = None
    ) -> list[Job]:
        """Put datasets into the queue; return the jobs that are new there."""
        return await self._call(lambda engine: engine.add(requests, options, batch))

    async def read_batch(self, path: Path, column: str | None = None) -> Batch:
        """Read a list of datasets. Raises UsageError for what is none."""
        return await self._aside(partial(read_file, path, column=column))

    async def jobs(self) -> list[Job]:
        """Return every job of the queue in the order in which they run, closed ones last."""
        return await self._aside(self._open_engine().jobs)

    @property
    def is_queue_running(self) -> bool:
        return self._engine is not None and self._engine.is_queue_running

    async def start_queue(self) -> None:
        async def start(engine: Engine) -> None:
            engine.start_queue()  # which belongs onto the engine's loop

        await self._call(start)

    async def stop_queue(self) -> None:
        """Let no job begin; return when those that ran wait again."""
        await self._call(lambda engine: engine.stop_queue())

    async def pause(self, job_ids: Sequence[str]) -> None:
        await self._call(lambda engine: engine.pause(job_ids))

    async def resume(self, job_ids: Sequence[str]) -> None:
        await self._call(lambda engine: engine.resume(job_ids))

    async def retry(self, job_ids: Sequence[str]) -> None:
        await self._call(lambda engine: engine.retry(job_ids))

    async def cancel(self, job_ids: Sequence[str]) -> None:
        await self._call(lambda engine: engine.cancel(job_ids))

    async def remove(self, job_ids: Sequence[str]) -> None:
        await self._call(lambda engine: engine.remove(job_ids))

    async def move(self, job_ids: Sequence[str], before: str | None) -> None:
        """Have jobs run before another, or last."""
        await self._call(lambda engine: engine.move(job_ids, before))

    async def prioritise(self, job_ids: Sequence[str], priority: int) -> None:
        await self._call(lambda engine: engine.prioritise(job_ids, priority))

    async def answer(self, job_id: str, answer: Answer) -> None:
        await self._call(lambda engine: engine.answer(job_id, answer))

    async def write_file(self, path: Path, text: str) -> None:
        """Write a text file that the person asked for, whole or not at all."""
        await self._aside(write_whole, path, text)

    async def verify(self, ingest_id: str | None, run: str) -> VerificationReport:
        emit = self._side_bridge.named(run)
        return await self._call(lambda engine: engine.verify(ingest_id, emit))

    async def read_results(
        self, shape: Callable[[dict[str, Any]], T], of: Collection[str] | None = None
    ) -> list[T]:
        """Return what is held of each dataset in the shape a page needs, made off the window's
        thread and one by one, as whole results of many datasets would fill the memory; the last
        attempt where nothing is. With `of`, only of these requests' addresses.
        """
        engine = self._open_engine()

        def read() -> list[T]:
            return [shape(fields) for fields in engine.overview(of)]

        return await self._aside(read)

    async def read_result(self, ingest_id: str, shape: Callable[[dict[str, Any]], T]) -> T | None:
        """Return one result in the shape a page needs, None if there is none."""
        engine = self._open_engine()

        def read() -> T | None:
            fields = engine.result(ingest_id)
            return None if fields is None else shape(fields)

        return await self._aside(read)

    async def datasets_with(self, algorithm: str, digest: str) -> Set[str]:
        """Return the addresses of the datasets that hold a file with this digest."""
        return await self._aside(self._open_engine().datasets_with, algorithm, digest)

    async def read_accession(self, ingest_id: str) -> Accession | None:
        """Return since when what an attempt keeps is here, None if it keeps nothing."""
        return await self._aside(self._open_engine().accession, ingest_id)

    async def read_fixity(self, ingest_id: str) -> dict[str, Any]:
        """Return how what an attempt rests on was when it was last read, empty if never."""
        return await self._aside(self._open_engine().fixity, ingest_id)

    async def read_failures(self, ingest_id: str) -> Sequence[FailedRecord]:
        """Return the first of the records that were damaged or missing when they were last read."""
        return await self._aside(self._open_engine().failures, ingest_id)

    async def read_file_fates(self, ingest_id: str) -> Mapping[str, Fate]:
        """Return what became of each file that rests on such a record, by its path."""
        return await self._aside(self._open_engine().file_fates, ingest_id)

    async def read_settings(self) -> Settings:
        """Return the settings as they may be changed. Raises SettingsError."""
        return await self._aside(editable, self.archive)

    async def save_settings(self, changes: Mapping[str, Mapping[str, Any]]) -> Settings:
        """Write changes, each into its file, and return the settings as they are then.

        Raises SettingsError.
        """
        return await self._aside(save_changes, self.archive, changes)

    async def read_requests(self) -> InForce:
        """Return what holds for the archive and what it asks for. Raises SettingsError."""
        return await self._aside(in_force, self.archive)

    def remember(self, holds: InForce, answer: SettingsAnswer, then: Callable[[], None]) -> None:
        """Remember the answer to what was shown, then do something; a trouble is told instead."""
        give = partial(Answers().give, self.archive, holds.requests, answer)

        async def aside() -> None:
            await self._aside(give)
            then()

        if self.is_open:
            self.start(aside(), is_asked=True)
            return
        try:
            give()  # no other thread is there, and it is one small file
        except SettingsError as error:
            self.troubled.emit(str(error))
        else:
            then()

    async def stored_keys(self) -> StoredKeys:
        """Return for what keys are stored, never what they are."""
        return await self._aside(stored_keys, self._credentials)

    async def set_key(self, name: str, credential: Keys | Token) -> None:
        """Store what opens a host. Raises UsageError, and NoKeyring."""
        await self._aside(self._credentials.set, name, credential)

    async def remove_key(self, name: str) -> None:
        """Forget what opens a host. Raises NoKeyring."""
        await self._aside(self._credentials.remove, name)

    async def measure_free(self) -> None:
        """Read the free space of the archive's disk, which a network disk takes its time for.

        Raises ArchiveError when the archive is not there any more, once until it is again.
        """
        try:
            await self._aside(self._open_engine().check_place)
        except ArchiveError:
            was_away, self._is_away = self._is_away, True
            if was_away:
                return
            raise
        self._is_away = False
        self.free_bytes = await self._aside(self._free_on, self.archive)
        self.measured.emit()

    def _open_asking(self, open_engine: OpenEngine) -> Engine:
        """Open the archive, and find out what it asks for, also where it cannot be opened."""
        try:
            self._holds = in_force(self.archive)
        except SettingsError:
            self._holds = None  # the engine ends with the same, and says it
        return open_engine(self.archive, self._bridge.publish)

    def _tell_requests(self) -> None:
        if self._holds is None:
            return
        if self._holds.trouble:
            self.troubled.emit(self._holds.trouble)
        if self._holds.undecided:
            self.requested.emit(self._holds)

    async def _open_again(self) -> None:
        if await self.open():
            self.succeeded.emit()

    def _not_opened_because(self, reason: str) -> str:
        """Return a sentence that does not say again which folder it is."""
        if str(self.archive) in reason:
            return self.tr("The archive can not be opened: {reason}").format(reason=reason)
        return self.tr("The archive {folder} can not be opened: {reason}").format(
            folder=self.archive, reason=reason
        )

    def _open_engine(self) -> Engine:
        if self._engine is None:
            raise CarrelError(self.tr("No archive is open."))
        return self._engine

    async def _call(self, ask: Callable[[Engine], Coroutine[Any, Any, T]]) -> T:
        return await self._thread.call(ask(self._open_engine()))

    async def _aside(self, work: Callable[..., T], *given: object) -> T:
        return await self._thread.call(asyncio.to_thread(work, *given))

    def _on_troubled(self) -> None:
        self._troubles += 1

    async def _guarded(self, work: Coroutine[Any, Any, None], is_asked: bool) -> None:
        before = self._troubles
        try:
            await work
            if is_asked and self._troubles == before:
                self.succeeded.emit()
        except CarrelError as error:
            self.troubled.emit(str(error))
        except OSError as error:
            text = self.tr("{place} can not be used: {reason}")
            place, reason = error.filename or self.archive, error.strerror or error
            self.troubled.emit(text.format(place=place, reason=reason))


def stored_keys(credentials: Credentials) -> StoredKeys:
    """Read the names of what is stored; a keyring that can not be read is told."""
    from_environment = is_in_environment() and credentials.archiveorg() is not None
    trouble = credentials.unusable()
    names = () if trouble else credentials.names()
    return StoredKeys(names, from_environment, trouble)
