# SPDX-License-Identifier: AGPL-3.0-or-later
"""What all pages share: the open engine, its events, and the tasks of the window."""

import asyncio
import shutil
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from carrel.engine import Engine, IngestOptions
from carrel.errors import CarrelError
from carrel.model import IngestFilesetResult, IngestRequest, Paste, VerificationReport
from carrel.model.events import Emit
from carrel_desktop.bridge import Bridge
from carrel_desktop.engine_thread import EngineThread

T = TypeVar("T")
OpenEngine = Callable[[Path, Emit], Engine]


def free_on_disk(folder: Path) -> int:
    """Return how many bytes the disk of a folder still takes."""
    return shutil.disk_usage(folder).free


class Desk(QObject):
    """The pages' way to the engine: every method returns at once, or is awaited.

    `events` carries what the queue reports, `side_events` what previews and verifications report
    under the ids they were given. `queued` tells which ids were enqueued from here and how.
    `troubled` carries a sentence for the notice bar; `succeeded` says that something the person
    asked for went well, with no trouble since it began. `measured` says that `free_bytes`, what the
    archive's disk still takes (None until known), was read anew.
    """

    opened = Signal()
    troubled = Signal(str)
    succeeded = Signal()
    queued = Signal(str, object, object)
    measured = Signal()

    def __init__(
        self,
        archive: Path,
        open_engine: OpenEngine = Engine.open,
        free_on: Callable[[Path], int] = free_on_disk,
    ) -> None:
        super().__init__()
        self.archive = archive
        self._free_on = free_on
        self._bridge = Bridge(self)
        self._side_bridge = Bridge(self)
        self.events = self._bridge.arrived
        self.side_events = self._side_bridge.arrived
        self._thread = EngineThread(lambda: open_engine(archive, self._bridge.publish))
        self._engine: Engine | None = None
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
            self.troubled.emit(
                self.tr("The archive {folder} can not be opened: {reason}").format(
                    folder=self.archive, reason=str(error) or type(error).__name__
                )
            )
            return False
        self.opened.emit()
        return True

    async def close(self) -> None:
        """Stop the window's tasks, then the engine."""
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
        return await self._thread.call(self._open_engine().preview(request, options, emit))

    async def enqueue(self, request: IngestRequest, options: IngestOptions) -> str:
        """Put a dataset into the queue and tell the pages how; return its id."""
        ingest_id = await self._thread.call(self._open_engine().enqueue(request, options))
        self.queued.emit(ingest_id, request, options)
        return ingest_id

    async def cancel(self, ingest_id: str) -> None:
        await self._thread.call(self._open_engine().cancel(ingest_id))

    async def verify(self, ingest_id: str | None, run: str) -> VerificationReport:
        emit = self._side_bridge.named(run)
        return await self._thread.call(self._open_engine().verify(ingest_id, emit))

    async def read_results(self, shape: Callable[[dict[str, Any]], T]) -> list[T]:
        """Return every latest result in the shape a page needs, made off the window's thread."""
        engine = self._open_engine()
        return await self._aside(lambda: [shape(fields) for fields in engine.results()])

    async def read_result(self, ingest_id: str, shape: Callable[[dict[str, Any]], T]) -> T | None:
        """Return one result in the shape a page needs, None if there is none."""
        engine = self._open_engine()

        def read() -> T | None:
            fields = engine.result(ingest_id)
            return None if fields is None else shape(fields)

        return await self._aside(read)

    async def measure_free(self) -> None:
        """Read the free space of the archive's disk, which a network disk takes its time for."""
        self.free_bytes = await self._aside(self._free_on, self.archive)
        self.measured.emit()

    def _open_engine(self) -> Engine:
        if self._engine is None:
            raise CarrelError(self.tr("No archive is open."))
        return self._engine

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
