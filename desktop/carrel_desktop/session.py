# SPDX-License-Identifier: AGPL-3.0-or-later
"""One archive, open in the window: the engine on its thread, its events, the window's own tasks."""

import asyncio
import shutil
from collections.abc import Callable, Coroutine, Sequence
from errno import EIO
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QIODevice, QObject, QSaveFile, Signal

from carrel.credentials import Credentials
from carrel.engine import Engine
from carrel.engine.stored_credentials import stored_credentials
from carrel.errors import ArchiveError, CarrelError, LedgerLost, SettingsBroken, SettingsError
from carrel.model.events import Emit, Event, LedgerUnreadable
from carrel.settings import Answer, Answers, InForce, in_force
from carrel.settings.aside import set_aside
from carrel.translation import tr
from carrel_desktop.begun_work import BegunWork
from carrel_desktop.bridge import Bridge
from carrel_desktop.engine_thread import EngineThread
from carrel_desktop.host_pauses import HostPauses

T = TypeVar("T")
OpenEngine = Callable[[Path, Emit], Engine]


def write_whole(path: Path, text: str) -> None:
    """Write a text so that the file is whole, or as it was before. Raises OSError."""
    file = QSaveFile(str(path))
    content = text.encode()
    is_written = file.open(QIODevice.OpenModeFlag.WriteOnly) and file.write(content) == len(content)
    if not (is_written and file.commit()):
        raise OSError(EIO, file.errorString(), str(path))


def free_on_disk(folder: Path) -> int:
    """Return how many bytes the disk of a folder still takes."""
    return shutil.disk_usage(folder).free


class Session(QObject):
    """The one way from the window to the engine, which lives on a thread of its own.

    A page runs a coroutine of its own with `start`, and in it asks the engine: with `call` for what
    the engine awaits, with `order` for what returns at once but belongs onto the engine's loop,
    with `read` for what blocks. None of them stalls the window, and each raises what the engine
    raises.

    `events` carries what the queue reports, `side_events` what previews and verifications report
    under the ids that `reporting` gave them. `troubled` carries a sentence for the notice bar, and
    `all_concerned` follows where it is the archive's, not that of what was done on one page;
    `succeeded` says that something the person asked for went well, with no trouble since it began,
    `went_well` carries the BegunWork of each coroutine that `start` ran to its end, and `broken`
    holds that of those that an unexpected error ended, by the names of their tasks.
    `opened` comes again where another program writes to an archive that is only read here.
    `is_over` carries a sentence of those that `troubled` carried, which is not so any more.
    `measured` says that `free_bytes`, what the archive's disk still takes (None until known), was
    read anew. `not_opened` carries why the archive could not be opened, which `troubled` says in a
    sentence; `try_again` may help then, and `set_settings_aside` where it is for `broken_settings`,
    a file that is not valid. `noted` carries a note of what was done about it. Where it is
    `ledger_lost`, which carries why and is all that is said, rebuilding the ledger does. An open
    ledger that proves damaged ends so, too.
    `requested` carries what the archive asks for that is the person's to decide (an InForce), once
    it was opened, or could not be. `harvested` says that a run of the dark archive ended, `looked`
    that a check of what is watched did, `repaired` that a repair from a second copy repaired some,
    `fixity_noted` that such a repair, or a comparison, ended, or that something came upon damage,
    as an export or a preview: what was damaged may be intact, and the other way round.
    """

    opened = Signal()
    not_opened = Signal(str)
    ledger_lost = Signal(str)
    troubled = Signal(str)
    is_over = Signal(str)
    noted = Signal(str)
    all_concerned = Signal()
    succeeded = Signal()
    went_well = Signal(object)
    measured = Signal()
    requested = Signal(object)
    harvested = Signal()
    looked = Signal()
    repaired = Signal()
    fixity_noted = Signal()

    def __init__(
        self,
        archive: Path,
        open_engine: OpenEngine = Engine.open,
        free_on: Callable[[Path], int] = free_on_disk,
        credentials: Credentials | None = None,
    ) -> None:
        super().__init__()
        self.archive = archive
        self.credentials = credentials or stored_credentials()
        self._free_on = free_on
        self._bridge = Bridge(self)
        self._side_bridge = Bridge(self)
        self.events = self._bridge.arrived
        self.side_events = self._side_bridge.arrived
        self.reporting = self._side_bridge.named
        self._holds: InForce | None = None
        self._open_archive = partial(self._open_asking, open_engine)
        self._thread = EngineThread(self._open_archive)
        self._opening: asyncio.Task[None] | None = None
        self.pauses = HostPauses(self)
        self.events.connect(self.pauses.take)
        self.events.connect(self._on_events)
        self._away_because = ""
        self._engine: Engine | None = None
        self._not_opened = ""  # why, once it could not be
        self.unopened = ""  # that it is not open, and why, in a sentence; "" where it is
        self.broken_settings: Path | None = None  # the file for which it is not open
        self._loop: asyncio.AbstractEventLoop | None = None
        self.free_bytes: int | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._numbers = count(1)
        self.broken: dict[str, BegunWork] = {}
        self._troubles = 0
        self.troubled.connect(self._on_troubled)

    @property
    def is_open(self) -> bool:
        return self._engine is not None

    @property
    def _is_moving(self) -> bool:
        """Whether it is just being opened again, or left."""
        return self._opening is not None and not self._opening.done()

    @property
    def read_only_because(self) -> str:
        """Why the open archive can only be read, "" where it can be written to."""
        return self._engine.read_only_because if self._engine is not None else ""

    @property
    def engine(self) -> Engine:
        """The engine, for what it knows without looking. Raises CarrelError while none is open."""
        if self._engine is None:
            raise CarrelError(tr("No archive is open."))
        return self._engine

    def follow(
        self, on_opened: Callable[[], None], on_not_opened: Callable[[str], None] | None = None
    ) -> None:
        """Have something called when the archive is opened, something else when it could not be.

        Who comes later is told at once how it ended, as those were who were there.
        """
        self.opened.connect(on_opened)
        if self.is_open:
            on_opened()
        if on_not_opened is not None:
            self.not_opened.connect(on_not_opened)
            if self._not_opened and not self.is_open:
                on_not_opened(self._not_opened)

    async def open(self) -> bool:
        """Open the archive; what stands in the way is shown in the window, not raised."""
        self._loop = asyncio.get_running_loop()
        try:
            self._engine = await self._thread.start()
        except (CarrelError, OSError, NotImplementedError) as error:
            await self._thread.close()
            self.broken_settings = error.path if isinstance(error, SettingsBroken) else None
            self._tell_not_opened(str(error) or type(error).__name__, isinstance(error, LedgerLost))
            self._tell_requests()
            return False
        self.unopened, self.broken_settings = "", None
        self.opened.emit()
        self._tell_requests()
        return True

    def try_again(self) -> None:
        """Open the archive once more after it could not be opened."""
        if self._loop is not None and not self.is_open and not self._is_moving:
            self._opening = self._loop.create_task(self._open_again())

    def set_settings_aside(self) -> None:
        """Rename the settings file that is not valid, say so, and open the archive without it."""
        if self.broken_settings is None:
            return
        try:
            name = set_aside(self.broken_settings)  # no other thread is there
        except SettingsError as error:
            self.troubled.emit(str(error))
            return
        if name is not None:
            self.noted.emit(_set_aside_words(self.broken_settings.with_name(name), self.archive))
        self.try_again()

    async def close(self) -> None:
        """Stop the window's tasks, then the engine."""
        if self._opening is not None:
            await self._opening  # half an opening cannot be taken back
        await self._leave()

    async def _leave(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._engine = None
        await self._thread.close()
        for bridge in (self._bridge, self._side_bridge):
            bridge.forget()  # it would be told of the archive that is opened next

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
        what = BegunWork.of(work)
        name = f"{what.name} {next(self._numbers)}"
        task = self._loop.create_task(self._guarded(work, what, name, is_asked), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _task: work.close())  # it may be cancelled before it began
        return task

    async def call(self, ask: Callable[[Engine], Coroutine[Any, Any, T]]) -> T:
        """Await a coroutine of the engine on its loop, where what it needs is made, too: the window
        does not wait for it."""
        engine = self.engine

        async def asked() -> T:
            return await ask(engine)

        return await self._thread.call(asked())

    async def order(self, work: Callable[[Engine], T]) -> T:
        """Do on the engine's loop what returns at once."""

        async def ordered(engine: Engine) -> T:
            return work(engine)

        return await self.call(ordered)

    async def read(self, work: Callable[[Engine], T]) -> T:
        """Do on a thread of its own what blocks, for instance reads the ledger."""
        return await self.aside(work, self.engine)

    async def aside(self, work: Callable[..., T], *given: object) -> T:
        """Do on a thread of its own what blocks and needs no engine."""
        return await self._thread.call(asyncio.to_thread(work, *given))

    async def read_result(self, ingest_id: str, shape: Callable[[dict[str, Any]], T]) -> T | None:
        """Return one result in the shape that a page needs, made off the window's thread, None if
        there is none.
        """

        def read(engine: Engine) -> T | None:
            fields = engine.holdings.result(ingest_id)
            return None if fields is None else shape(fields)

        return await self.read(read)

    async def write_file(self, path: Path, text: str) -> None:
        """Write a text file that the person asked for, whole or not at all."""
        await self.aside(write_whole, path, text)

    def remember(self, holds: InForce, answer: Answer, then: Callable[[], None]) -> None:
        """Remember the answer to what was shown, then do something; a trouble is told instead."""
        give = partial(Answers().give, self.archive, holds.requests, answer)

        async def aside() -> None:
            await self.aside(give)
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

    async def measure_free(self) -> None:
        """Read the free space of the archive's disk, which a network disk takes its time for.

        Raises ArchiveError when the archive is not there any more, once until it is again.
        """
        try:
            has_changed = await self.read(lambda engine: engine.check_place())
        except ArchiveError as error:
            was_away, self._away_because = self._away_because, str(error)
            if was_away:
                return
            raise
        if self._away_because:
            self.is_over.emit(self._away_because)
            self._away_because = ""
        self.free_bytes = await self.aside(self._free_on, self.archive)
        self.measured.emit()
        if has_changed and self.read_only_because:
            self.opened.emit()

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
            self._tell_all(self._holds.trouble)
        if self._holds.undecided:
            self.requested.emit(self._holds)

    def _on_events(self, events: Sequence[Event]) -> None:
        damaged = next((each for each in events if isinstance(each, LedgerUnreadable)), None)
        if damaged is not None and self._loop is not None and self.is_open and not self._is_moving:
            self._opening = self._loop.create_task(self._lose(damaged.reason))

    async def _lose(self, reason: str) -> None:
        """Leave an archive whose ledger cannot be read any more: what is shown of it is not so."""
        await self._leave()
        self._tell_not_opened(reason, is_ledger_lost=True)

    def _tell_not_opened(self, reason: str, is_ledger_lost: bool) -> None:
        self._thread = EngineThread(self._open_archive)  # none can be started twice
        self._not_opened = reason
        self.unopened = "" if is_ledger_lost else self._not_opened_because(reason)
        self.not_opened.emit(reason)
        if is_ledger_lost:
            self.ledger_lost.emit(reason)
        else:
            self._tell_all(self.unopened)

    async def _open_again(self) -> None:
        if await self.open():
            self.succeeded.emit()

    def _not_opened_because(self, reason: str) -> str:
        """Return a sentence that does not say again which folder it is."""
        if str(self.archive) in reason:
            return tr("The archive cannot be opened: {reason}", reason=reason)
        return tr(
            "The archive {folder} cannot be opened: {reason}", folder=self.archive, reason=reason
        )

    def _tell_all(self, sentence: str) -> None:
        self.troubled.emit(sentence)
        self.all_concerned.emit()

    def _on_troubled(self) -> None:
        self._troubles += 1

    async def _guarded(
        self, work: Coroutine[Any, Any, None], what: BegunWork, name: str, is_asked: bool
    ) -> None:
        before = self._troubles
        tell = self.troubled.emit if is_asked else self._tell_all
        try:
            await work
            self.went_well.emit(what)
            if is_asked and self._troubles == before:
                self.succeeded.emit()
        except CarrelError as error:
            tell(str(error))
        except OSError as error:
            place, reason = error.filename or self.archive, error.strerror or error
            tell(tr("{place} cannot be used: {reason}", place=place, reason=reason))
        except Exception:
            self.broken[name] = what
            raise


def _set_aside_words(file: Path, archive: Path) -> str:
    """Return what the settings that were set aside are called now, and what holds instead."""
    if file.parent == archive:
        text = tr("The archive's settings are set aside as {file}. Your own settings are used.")
    else:
        text = tr("Your settings are set aside as {file}. The defaults are used.")
    return text.format(file=file)
