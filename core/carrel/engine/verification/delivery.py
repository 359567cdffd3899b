# SPDX-License-Identifier: AGPL-3.0-or-later
"""Events on their way from the thread that reads to the loop on which they are shown."""

import asyncio
from collections import deque

from carrel.model.events import Emit, Event

# To wake the loop for each small record takes a third as long as reading it.
_GATHERED_S = 0.02
# How many events may wait for a loop that is slower than the reading.
_MOST_WAITING = 256


class Delivery:
    """Has `emit` called on the loop that this is made on, with each event in its turn."""

    def __init__(self, emit: Emit) -> None:
        self._emit, self._loop = emit, asyncio.get_running_loop()
        self._events: deque[Event] = deque()
        self._is_due = False

    def send(self, event: Event) -> None:
        """Take an event, in the thread that reads. It waits when the loop lags, for flat memory."""
        self._events.append(event)
        if not self._is_due:
            self._is_due = True
            self._loop.call_soon_threadsafe(self._loop.call_later, _GATHERED_S, self._deliver)
        if len(self._events) >= _MOST_WAITING:
            asyncio.run_coroutine_threadsafe(self.finish(), self._loop).result()

    async def finish(self) -> None:
        """Return when all that was sent has been told."""
        self._deliver()
        await asyncio.sleep(0)

    def _deliver(self) -> None:
        self._is_due = False  # before counting: what is sent from here on asks for another turn
        for _ in range(len(self._events)):
            self._loop.call_soon(self._emit, self._events.popleft())
