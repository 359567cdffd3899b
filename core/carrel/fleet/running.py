# SPDX-License-Identifier: AGPL-3.0-or-later
"""A worker from its start to its end, as a command or a service runs it."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from carrel.engine import Engine
from carrel.fleet.metrics import served
from carrel.fleet.settings import FleetSettings
from carrel.fleet.worker import Place, Worker
from carrel.process_end import INTERRUPTED


async def run_worker(
    archive: Path,
    settings: FleetSettings,
    place: Place,
    *,
    metrics: str | None = None,
) -> None:
    """Run a worker on the archive in a folder until a signal stops it.

    Raises CarrelError as `Worker.run` does, and ArchiveError.
    """
    async with Engine.open(archive) as engine:
        worker = Worker(engine, settings, place)
        with (
            served(metrics, worker.metrics.registry, worker.unhealthy),
            until_signalled(worker.stop),
        ):
            await worker.run()


@contextmanager
def until_signalled(stop: Callable[[], None]) -> Iterator[None]:
    """Have the first signal to stop call this; the second ends the process at once."""
    loop = asyncio.get_running_loop()
    signals = [signal.SIGINT, signal.SIGTERM]

    def first() -> None:
        for each in signals:
            loop.add_signal_handler(each, os._exit, INTERRUPTED)
        stop()

    for each in signals:
        with suppress(NotImplementedError):  # no such thing on Windows
            loop.add_signal_handler(each, first)
    try:
        yield
    finally:
        for each in signals:
            with suppress(NotImplementedError):
                loop.remove_signal_handler(each)
