# SPDX-License-Identifier: AGPL-3.0-or-later
"""The thread on which the engine lives, with an asyncio loop of its own."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from carrel.engine import Engine

T = TypeVar("T")


class EngineThread:
    """Runs one engine from `start` to `close`; callers live on another thread's loop."""

    def __init__(self, open_engine: Callable[[], Engine]) -> None:
        self._open_engine = open_engine
        self._opened: Future[Engine] = Future()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._callers: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._calls: set[asyncio.Task[Any]] = set()
        self._thread = threading.Thread(target=self._run, name="carrel-engine")

    def start(self) -> Awaitable[Engine]:
        """Start the thread; the awaitable gives the open engine or raises why there is none."""
        self._callers = asyncio.get_running_loop()
        self._thread.start()
        return asyncio.wrap_future(self._opened, loop=self._callers)

    def call(self, work: Coroutine[Any, Any, T]) -> "asyncio.Future[T]":
        """Run a coroutine on the engine's loop; cancelling the awaitable cancels it there."""
        if self._loop is None or not self._thread.is_alive():
            work.close()
            raise RuntimeError("the engine is not running")
        future: Future[T] = Future()
        self._loop.call_soon_threadsafe(self._begin, work, future)
        # By name: qasync lets tasks take steps while no loop counts as running.
        return asyncio.wrap_future(future, loop=self._callers)

    async def close(self) -> None:
        """Cancel what was called, leave the engine, end its loop and join the thread."""
        if self._loop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        while self._thread.is_alive():
            # The loop of the window keeps turning, so that last events still cross.
            await asyncio.sleep(0.02)
        if self._thread.ident is not None:
            self._thread.join()

    def _begin(self, work: Coroutine[Any, Any, T], future: "Future[T]") -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._calls.add(task)
        task.add_done_callback(partial(self._end, future))
        future.add_done_callback(partial(self._withdraw, task))

    def _end(self, future: "Future[T]", task: "asyncio.Task[T]") -> None:
        self._calls.discard(task)
        error = None if task.cancelled() else task.exception()
        if task.cancelled():
            future.cancel()
        elif future.set_running_or_notify_cancel():  # else the caller has withdrawn meanwhile
            if error is None:
                future.set_result(task.result())
            else:
                future.set_exception(error)

    def _withdraw(self, task: "asyncio.Task[T]", future: "Future[T]") -> None:
        """Cancel on the engine's loop what the caller has cancelled on another thread."""
        if future.cancelled() and self._loop and not task.done():
            self._loop.call_soon_threadsafe(task.cancel)

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
