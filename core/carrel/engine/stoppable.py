# SPDX-License-Identifier: AGPL-3.0-or-later
"""Work that blocks, on a thread: told how far it is, and ended once no one waits for it."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from typing import TypeVar

from carrel.errors import CarrelError
from carrel.hosts.pauses import Cancelled, stop_if

T = TypeVar("T")


async def stoppable(
    work: Callable[[Callable[[int, int], None]], T],
    attend: Callable[[int, int], None],
    executor: Executor | None = None,
) -> T:
    """Return what some work on a thread comes to, which calls what it is given as it goes on.

    The thread is one of the `executor`, or of the loop's own.

    `attend` is called so, and may raise to end it. When no one waits any more it ends as well, and
    is waited for: the archive is closed only when no thread reads it.
    """
    is_left = threading.Event()

    def go_on(done: int, total: int) -> None:
        stop_if(is_left.is_set)
        attend(done, total)

    running = asyncio.get_running_loop().run_in_executor(executor, work, go_on)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        is_left.set()
        with suppress(Cancelled, CarrelError, OSError):
            await running
        raise
