# SPDX-License-Identifier: AGPL-3.0-or-later
"""The thread on which the engine lives, with an asyncio loop of its own.

Whatever belongs to Qt must end on the window's thread. An error that the window awaits gathers the
window's frames in its traceback, and with them its widgets. So the window raises a copy of its own,
and calls go by numbers: no thread of the engine's holds anything that leads to a widget.
"""

import asyncio
import copy
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, TypeVar

from carrel.engine import Engine
from carrel.errors import CarrelError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Outcome:
    """How a call ended on the engine's thread."""

    value: Any = None
    error: BaseException | None = None
    is_cancelled: bool = False

    def settle(self, answer: "asyncio.Future[Any]") -> None:
        if self.is_cancelled:
            answer.cancel()
        elif self.error is not None:
            answer.set_exception(_own_copy(self.error))
        else:
            answer.set_result(self.value)


class EngineThread:
    """Runs one engine from `start` to `close`; callers live on another thread's loop."""

    def __init__(self, open_engine: Callable[[], Engine]) -> None:
        self._open_engine = open_engine
        self._opened: Future[Engine] = Future()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._callers: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._numbers = count()
        self._answers: dict[int, asyncio.Future[Any]] = {}  # the callers' thread only
        self._calls: dict[int, asyncio.Task[Any]] = {}  # the engine's thread only
        self._thread = threading.Thread(target=self._run, name="carrel-engine")

    def start(self) -> Awaitable[Engine]:
        """Start the thread; the awaitable gives the open engine or raises why there is none."""
        self._callers = asyncio.get_running_loop()
        self._opened.set_running_or_notify_cancel()  # half an opening cannot be taken back
        self._thread.start()
        return asyncio.wrap_future(self._opened, loop=self._callers)

    def call(self, work: Coroutine[Any, Any, T]) -> "asyncio.Future[T]":
        """Run a coroutine on the engine's loop; cancelling the awaitable cancels it there."""
        if self._callers is None or self._loop is None or not self._thread.is_alive():
            work.close()
            raise RuntimeError("the engine is not running")
        number = next(self._numbers)
        # By name: qasync lets tasks take steps while no loop counts as running.
        answer: asyncio.Future[T] = self._callers.create_future()
        self._answers[number] = answer
        answer.add_done_callback(partial(self._withdraw, number))
        self._loop.call_soon_threadsafe(self._begin, number, work)
        return answer

    async def close(self) -> None:
        """Cancel what was called, leave the engine, end its loop and join the thread."""
        while self._thread.is_alive():
            if self._loop is not None:  # it may only just be opening
                with suppress(RuntimeError):  # the loop has ended
                    self._loop.call_soon_threadsafe(self._stop.set)
            # The loop of the window keeps turning, so that last events still cross.
            await asyncio.sleep(0.02)
        if self._thread.ident is not None:
            self._thread.join()

    # On the callers' thread

    def _deliver(self, number: int, outcome: _Outcome) -> None:
        answer = self._answers.pop(number, None)
        if answer is not None and not answer.done():
            outcome.settle(answer)

    def _withdraw(self, number: int, answer: "asyncio.Future[Any]") -> None:
        """Cancel on the engine's loop what the caller has cancelled here."""
        if not answer.cancelled() or self._loop is None:
            return
        if self._answers.pop(number, None) is not None:
            with suppress(RuntimeError):  # the loop has ended, and the call with it
                self._loop.call_soon_threadsafe(self._cancel, number)

    # On the engine's thread

    def _begin(self, number: int, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._calls[number] = task
        task.add_done_callback(partial(self._end, number))

    def _cancel(self, number: int) -> None:
        if number in self._calls:
            self._calls[number].cancel()

    def _end(self, number: int, task: "asyncio.Task[Any]") -> None:
        del self._calls[number]
        outcome = _outcome_of(task)
        if self._callers and not self._callers.is_closed():
            self._callers.call_soon_threadsafe(self._deliver, number, outcome)

    def _run(self) -> None:
        try:
            asyncio.run(self._live())
        except BaseException as error:
            if self._opened.done():
                raise
            # Whoever opens the engine is told; there is no one else to tell yet.
            self._opened.set_exception(error)

    async def _live(self) -> None:
        async with self._open_engine() as engine:
            self._loop = asyncio.get_running_loop()
            self._opened.set_result(engine)
            await self._stop.wait()
            calls = list(self._calls.values())
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)


def _outcome_of(task: "asyncio.Task[Any]") -> _Outcome:
    if task.cancelled():
        return _Outcome(is_cancelled=True)
    error = task.exception()
    return _Outcome(error=error) if error is not None else _Outcome(task.result())


def _own_copy(error: BaseException) -> BaseException:
    """Return an error like this one, which it names as its cause, with no traceback yet."""
    if isinstance(error, CarrelError):  # whose fields its constructor may take in another order
        own: BaseException = type(error).__new__(type(error))
        own.args = error.args
        own.__dict__.update(error.__dict__)
    else:
        try:
            own = copy.copy(error)
        except Exception:  # a stranger's error that cannot be made again from its own words
            own = RuntimeError(f"{type(error).__name__}: {error}")
    own.__cause__ = error
    return own
