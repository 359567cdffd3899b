# SPDX-License-Identifier: AGPL-3.0-or-later
"""The worker of the ingest proposal: a request in JSON a line in, a result in JSON a line out.

As the proposal has it, the result of a dataset of a single file is followed by that of its file.
"""

import asyncio
import concurrent.futures
import contextlib
import os
import sys
import threading
from pathlib import Path

from carrel.cli.ingest import unheard
from carrel.cli.interruption import stopped_by_signals
from carrel.cli.presentation import print_result_json
from carrel.cli.waits import Waits
from carrel.engine import Engine, IngestOptions
from carrel.engine.batches import Line, Lines, Problem, read_request, refused_request
from carrel.errors import ArchiveError, CarrelError
from carrel.model import IngestFilesetResult

_STOP_AGAIN_S = 0.2


async def work(archive: Path, options: IngestOptions) -> bool:
    """Archive what standard input asks for until it ends, some at a time.

    Return whether all of it succeeded. A further line is read when there is room for it and the
    results so far were taken. A signal ends the reading and what runs, and each that had begun has
    its result. Raises CarrelError.
    """
    async with Engine.open(archive, Waits().show) as engine:
        shared = _Shared(engine, options)
        with stopped_by_signals(shared.stopping.set):
            _start_reader(shared.lines)
            stopper = asyncio.create_task(shared.stop_when_asked())
            workers = [shared.serve() for _ in range(engine.archive.settings.network.ingests)]
            ends = await asyncio.gather(*workers, return_exceptions=True)
            stopper.cancel()
    for fault in (*ends, shared.fault):
        if fault is not None:
            raise fault
    return shared.is_clear and not shared.stopping.is_set()


class _Shared:
    """What the workers share: the lines that wait, and the way out.

    `fault` is why the lines could not be read to their end.
    """

    def __init__(self, engine: Engine, options: IngestOptions) -> None:
        self._engine, self._options = engine, options
        self.lines: asyncio.Queue[Line | Exception | None] = asyncio.Queue(maxsize=1)
        self.stopping = asyncio.Event()
        self._over = asyncio.Event()
        self._writing = asyncio.Lock()
        self.fault: Exception | None = None
        self.is_clear = True

    async def serve(self) -> None:
        """Answer one line after the other until there is none, or the work is to stop."""
        while (line := await self._next()) is not None:
            result = await self._answer(line)
            self.is_clear = self.is_clear and result.hit
            async with self._writing:
                await self._write(result)

    async def stop_when_asked(self) -> None:
        """Once someone wishes so, end what runs and what is just about to."""
        await self.stopping.wait()
        self._over.set()
        while True:
            self._engine.queue.cancel_all()
            await asyncio.sleep(_STOP_AGAIN_S)

    async def _write(self, result: IngestFilesetResult) -> None:
        try:
            await asyncio.to_thread(print_result_json, result)
        except OSError:
            self.stopping.set()  # no one reads any more
            raise

    async def _next(self) -> Line | None:
        """Return the next line that is not empty, None when there is none or no more is to be."""
        while not self._over.is_set():
            getting = asyncio.ensure_future(self.lines.get())
            over = asyncio.ensure_future(self._over.wait())
            await asyncio.wait({getting, over}, return_when=asyncio.FIRST_COMPLETED)
            over.cancel()
            if not getting.done():
                getting.cancel()
                return None
            got = getting.result()
            if not isinstance(got, Line):
                self.fault = got
                self._over.set()
            elif got.text.strip() and not self.stopping.is_set():
                return got
        return None

    async def _answer(self, line: Line) -> IngestFilesetResult:
        request = read_request(line)
        if isinstance(request, Problem):
            return refused_request(line, request)
        try:
            return await self._engine.ingest(request, self._options)
        except ArchiveError as error:
            return unheard(request, error)


def _start_reader(lines: "asyncio.Queue[Line | Exception | None]") -> None:
    """Read standard input in a thread of its own, line by line as there is room.

    A thread that waits for input cannot be ended, so it must not be waited for; and it reads past
    Python's own buffer, which it would hold on to when the program ends.
    """
    loop = asyncio.get_running_loop()
    descriptor = sys.stdin.fileno()

    def give(what: Line | Exception | None) -> None:
        asyncio.run_coroutine_threadsafe(lines.put(what), loop).result()

    def read() -> None:
        # The work is over, and no one listens any more.
        with contextlib.suppress(concurrent.futures.CancelledError, RuntimeError):
            try:
                for line in Lines(lambda size: os.read(descriptor, size)):
                    give(line)
                give(None)
            except (OSError, CarrelError) as error:
                give(error)

    threading.Thread(target=read, name="standard-input", daemon=True).start()
