# SPDX-License-Identifier: AGPL-3.0-or-later
"""Watched datasets for both faces: the list, looks at it, and what the dark archive keeps."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from carrel.archive import Archive
from carrel.capture.client import Client
from carrel.engine.watch.checks import Looking, Preview
from carrel.engine.watch.watch_list import WatchList
from carrel.model.dark_views import FileDifference, RunReport, TellRun, WatchedRow

if TYPE_CHECKING:
    from carrel.engine.watch.source import WatchSource

Gather = Callable[["WatchSource", TellRun], Awaitable[RunReport]]


class Watching:
    """Coroutines of the engine's loop; what blocks is done aside. One look at a time.

    `preview` asks platforms, `client` asks for files' heads, `gather` makes a run of the dark
    archive over what was seen.
    """

    def __init__(self, archive: Archive, preview: Preview, client: Client, gather: Gather) -> None:
        self._list = WatchList(archive)
        self._looking = Looking(self._list, preview, client, archive.settings)
        self._gather = gather
        self._turn = asyncio.Lock()
        self._stop = threading.Event()

    async def watched(self) -> Sequence[WatchedRow]:
        """Return how the watched datasets stood at their last look, in the order of adding."""
        return await asyncio.to_thread(self._list.rows)

    async def watch(self, base_urls: Sequence[str]) -> int:
        """Watch datasets by address or identifier; return how many are new. Raises UsageError."""
        return await asyncio.to_thread(self._list.add, base_urls)

    async def unwatch(self, base_urls: Sequence[str]) -> None:
        """Watch datasets no more; what was noted of them stays. Raises UsageError."""
        await asyncio.to_thread(self._list.remove, base_urls)

    async def look(
        self,
        base_urls: Sequence[str],
        tell: TellRun,
        *,
        check_files: bool = True,
        is_shown: bool = True,
    ) -> Sequence[WatchedRow]:
        """Look at these datasets, or at all, and return how those that were looked at stand.

        Each look is noted at once; then the dark archive keeps the manifests that changed. `tell`
        is called on any thread. Where it `is_shown`, someone waits for what is found and so is told
        of it. Raises UsageError, and ArchiveError.
        """
        async with self._turn:
            self._stop.clear()
            looks = await self._looking.look(
                base_urls, tell, self._stop.is_set, check_files=check_files
            )
            if any(look.is_plain for look in looks):
                from carrel.engine.watch.source import WatchSource  # only looks need it

                known = await asyncio.to_thread(self._list.known)
                await self._gather(WatchSource(looks, known), tell)
        seen = {look.base_url for look in looks}
        if is_shown:
            untold = await self.untold()
            await self.note_told({url: it for url, it in untold.items() if url in seen})
        return [row for row in await self.watched() if row.base_url in seen]

    async def untold(self) -> Mapping[str, str]:
        """Return, by base URL, what differs of watched datasets and no one was told yet."""
        return await asyncio.to_thread(self._list.untold)

    async def note_told(self, differences: Mapping[str, str]) -> None:
        """Note that someone was told of these, which `untold` gave."""
        await asyncio.to_thread(self._list.note_told, differences)

    async def differences(self, base_url: str) -> Sequence[FileDifference]:
        """Return what became of each file of a watched dataset. Raises UsageError."""
        return await asyncio.to_thread(self._list.differences, base_url)

    def stop(self) -> None:
        """Have a look come to its end; what was seen by then is noted. From any thread."""
        self._stop.set()
