# SPDX-License-Identifier: AGPL-3.0-or-later
"""When a queue goes on that stopped because the archive's folder was away: once it is back."""

import asyncio
from collections.abc import Awaitable, Callable

from carrel.errors import ArchiveError

# A disk is reconnected by hand: nobody minds to wait so long for it, in seconds.
_LOOK_EVERY_S = 5.0


class FolderWatch:
    """Belongs to the loop of one queue. `check_place` raises ArchiveError while it is away."""

    def __init__(
        self,
        check_place: Callable[[], None],
        go_on: Callable[[], Awaitable[None]],
        every_s: float = _LOOK_EVERY_S,
    ) -> None:
        self._check_place, self._go_on, self.every_s = check_place, go_on, every_s
        self._watching: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Look for the folder from now on."""
        if self._watching is None:
            self._watching = asyncio.get_running_loop().create_task(self._watch())

    def end(self) -> None:
        """Look no longer: the queue runs, or is to stay as it is."""
        watching, self._watching = self._watching, None
        if watching is not None:
            watching.cancel()

    async def _watch(self) -> None:
        while await asyncio.to_thread(self._is_away):
            await asyncio.sleep(self.every_s)
        self._watching = None  # which a start of the queue would end
        await self._go_on()

    def _is_away(self) -> bool:
        try:
            self._check_place()
        except ArchiveError:
            return True
        return False
