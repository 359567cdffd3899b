# SPDX-License-Identifier: AGPL-3.0-or-later
"""The hours in which the queue archives: outside of them no job begins, and those that run end.

What runs when the hours end ends the files that it has begun, and goes back into the queue.
"""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING
from weakref import WeakSet

from carrel.engine.queue_waits import held_back_words
from carrel.model.events import Emit, QueueHeldBack
from carrel.model.hours import Hours

if TYPE_CHECKING:
    from carrel.engine.ingest import Ingest

Clock = Callable[[], datetime]
# A clock may be set, and a computer may sleep: the hour is looked at so often, in seconds.
_LOOK_EVERY_S = 30.0


def utc_now() -> datetime:
    return datetime.now(UTC)


class HoursGate:
    """Belongs to the loop of one queue; `wake` has it look whether a job may begin.

    `clock` is the one on the wall, `zone` where it hangs, None for here. `quiet` is set while jobs
    are held back and none runs.
    """

    def __init__(
        self,
        hours: str,
        wake: Callable[[], None],
        emit: Emit,
        clock: Clock = utc_now,
        zone: tzinfo | None = None,
    ) -> None:
        self.hours, self.clock = Hours(hours, zone), clock
        self._wake, self._emit = wake, emit
        self._running: WeakSet[Ingest] = WeakSet()
        self._watching: asyncio.Task[None] | None = None
        self._is_held = self._was_open = False
        self.quiet = asyncio.Event()

    @property
    def is_open(self) -> bool:
        """Whether it is within the hours."""
        return self.hours.include(self.clock())

    @property
    def reason(self) -> str:
        """Why no job begins, and when one will, for people; "" within the hours."""
        return "" if self.is_open else held_back_words(self.hours, self.clock())

    def begin(self) -> None:
        """Watch the clock, where there are hours to keep."""
        if not self.hours.are_all and self._watching is None:
            self._watching = asyncio.get_running_loop().create_task(self._watch())

    def end(self) -> None:
        """Watch it no longer."""
        watching, self._watching = self._watching, None
        if watching is not None:
            watching.cancel()
        self.note(is_held=False, is_quiet=False)

    def attend(self, ingest: "Ingest") -> None:
        """Have an ingest that begins end its files when the hours do."""
        if not self.hours.are_all:
            self._running.add(ingest)

    def note(self, *, is_held: bool, is_quiet: bool) -> None:
        """Take note whether jobs are held back, and whether none runs; tell the first."""
        (self.quiet.set if is_held and is_quiet else self.quiet.clear)()
        if is_held is not self._is_held:
            self._is_held = is_held
            now = self.clock()
            until = self.hours.next_change(now) if is_held else None
            reason = held_back_words(self.hours, now) if is_held else ""
            self._emit(QueueHeldBack("", until, reason))

    def look(self) -> None:
        """See what time it is: at the end of the hours what runs winds down, at their beginning
        the queue goes on."""
        is_open = self.is_open
        if is_open is not self._was_open:
            self._was_open = is_open
            if not is_open:
                for ingest in list(self._running):
                    ingest.wind_down()
            self._wake()

    async def _watch(self) -> None:
        self._was_open = self.is_open
        while True:
            now = self.clock()
            change = self.hours.next_change(now)
            left_s = (change - now).total_seconds() if change else _LOOK_EVERY_S
            await asyncio.sleep(max(0.0, min(left_s, _LOOK_EVERY_S)))
            self.look()
