# SPDX-License-Identifier: AGPL-3.0-or-later
"""The thread on which the engine lives, with an asyncio loop of its own."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from carrel.engine import Engine

T = TypeVar("T")


class EngineThread:
    """Runs one engine from `start` to `close`; callers live on another thread's loop."""

    def __init__(self, open_engine: Callable[[], Engine]) -> None:
        self._open_engine = open_engine
        self._opened: Future[Engine] = Future()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._calls: set[asyncio.Task[Any]] = set()
        self._thread = threading.Thread(target=self._run, name="carrel-engine")

    def start(self) -> Awaitable[Engine]:
        """Start the thread; the awaitable gives the open engine or raises why there is none."""
        self._thread.start()
        return asyncio.wrap_future(self._opened)

    def call(self, work: Coroutine[Any, Any, T]) -> "asyncio.Future[T]":
        """Run a coroutine on the engine's loop; cancelling the awaitable cancels it there."""
        if self._loop is None or not self._thread.is_alive():
            work.close()
            raise RuntimeError("the engine is not running")
        return asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._kept(work), self._loop))

    async def close(self) -> None:
        """Cancel what was called, leave the engine, end its loop and join the thread."""
        if self._loop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        while self._thread.is_alive():
            # The loop of the window keeps turning, so that last events still cross.
            await asyncio.sleep(0.02)
        if self._thread.ident is not None:
            self._thread.join()

    async def _kept(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.current_task()
        assert task is not None, "a coroutine of a loop always runs in a task"  # noqa: S101
        self._calls.add(task)
        try:
            return await work
        finally:
            self._calls.discard(task)

    def _run(self) -> None:
        try:
            asyncio.run(self._live())
        except BaseException as error:
            if self._opened.done():
                raise
            # Whoever opens the engine is told; there is nobody else to tell yet.
            self._opened.set_exception(error)

    async def _live(self) -> None:
        async with self._open_engine() as engine:
            self._loop = asyncio.get_running_loop()
            self._opened.set_result(engine)
            await self._stop.wait()
            calls = list(self._calls)
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
