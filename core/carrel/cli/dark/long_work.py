# SPDX-License-Identifier: AGPL-3.0-or-later
"""Long work on the dark archive: how far it is on standard error, and stopped by Ctrl+C."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from carrel.cli.interruption import stopped_by_signals
from carrel.cli.terminal import is_terminal, printable
from carrel.model.dark_views import RunProgress, TellRun

T = TypeVar("T")


@contextmanager
def bar(label: str) -> Iterator[TellRun]:
    """Give what shows how far the work is; silent when standard error is no terminal."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed}"),
    )
    is_silent = not is_terminal(sys.stderr)
    with Progress(*columns, console=console, disable=is_silent, transient=True) as progress:
        task = progress.add_task(label, total=None)

        def tell(told: RunProgress) -> None:
            words = printable(told.words)[: max(20, console.width - 50)]
            progress.update(task, description=words, completed=told.done, total=told.total)

        yield tell


async def stoppable(work: Coroutine[Any, Any, T], stop: Callable[[], None]) -> T:
    """Return what work comes to; the first signal has it `stop` in good order."""
    stopping = asyncio.Event()
    with stopped_by_signals(stopping.set):
        running = asyncio.ensure_future(work)
        waiting = asyncio.ensure_future(stopping.wait())
        await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            stop()
        waiting.cancel()
        return await running
