# SPDX-License-Identifier: AGPL-3.0-or-later
"""The queue: ingests wait for their turn, a bounded number runs at once."""

import asyncio
from collections.abc import Awaitable, Callable

from carrel.engine.ingest import Ingest
from carrel.model import IngestFilesetResult

Run = Callable[[Ingest], Awaitable[IngestFilesetResult]]


class Queue:
    """Runs ingests in order, `width` at a time. Belongs to one loop."""

    def __init__(self, width: int, run: Run) -> None:
        self._room = asyncio.Semaphore(width)
        self._run = run
        self._ingests: dict[str, Ingest] = {}
        self._passing: dict[str, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, ingest: Ingest) -> None:
        """Put an ingest at the end."""
        self._ingests[ingest.ingest_id] = ingest
        task = asyncio.get_running_loop().create_task(self._take_turn(ingest))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def run_now(self, ingest: Ingest) -> IngestFilesetResult:
        """Run an ingest past the queue; it can be stopped as those in it."""
        self._ingests[ingest.ingest_id] = ingest
        try:
            return await self._run(ingest)
        finally:
            self._ingests.pop(ingest.ingest_id, None)

    def cancel(self, ingest_id: str) -> None:
        """Stop an ingest, waiting or running; unknown and finished ones are let be."""
        ingest = self._ingests.get(ingest_id)
        if ingest is not None:
            ingest.cancel()
            self._let_pass(ingest_id)

    def cancel_all(self) -> None:
        """Ask everything to stop."""
        for ingest_id in list(self._ingests):
            self.cancel(ingest_id)

    async def stop(self) -> None:
        """Stop everything and wait until it has stopped."""
        self.cancel_all()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _let_pass(self, ingest_id: str) -> None:
        """Have a waiting ingest that was stopped end now, not when its turn comes."""
        if passing := self._passing.get(ingest_id):
            passing.set()

    async def _take_turn(self, ingest: Ingest) -> None:
        passing = self._passing[ingest.ingest_id] = asyncio.Event()
        turn = asyncio.ensure_future(self._room.acquire())
        stopped = asyncio.ensure_future(passing.wait())
        try:
            await asyncio.wait({turn, stopped}, return_when=asyncio.FIRST_COMPLETED)
            await self.run_now(ingest)
        finally:
            del self._passing[ingest.ingest_id]
            stopped.cancel()
            # A turn that was never taken is not waited for; one that was goes to the next.
            if not turn.cancel():
                self._room.release()
