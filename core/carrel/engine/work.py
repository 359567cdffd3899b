# SPDX-License-Identifier: AGPL-3.0-or-later
"""Long work in a thread: it tells how far it is, and ends soon when no one waits for it."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from carrel.access.holding_files import HoldingFile
from carrel.hosts.pauses import Cancelled
from carrel.model.access import SavedFile
from carrel.model.events import Emit, Event, FileSaved, SavingProgress

T = TypeVar("T")
_TELL_EVERY_BYTES = 1024 * 1024


class Work:
    """Work on the files of holdings, told to the loop that it was made on.

    `ingest_id` is the attempt that keeps those that are being read.
    """

    def __init__(self, ingest_id: str, emit: Emit) -> None:
        self._id, self._emit = ingest_id, emit
        self._loop = asyncio.get_running_loop()
        self._is_stopped = threading.Event()
        self._total = self._done = self._told = 0

    def expect(self, files: Sequence[HoldingFile]) -> None:
        """Note what there is to read: records, and bundles with what is in them."""
        bundles = {held.captures[0] for held in files if held.captures and held.member is not None}
        own = [held.captures[0].size for held in files if held.captures and held.member is None]
        members = [held.file.size or 0 for held in files if held.captures and held.member]
        self._total = sum(own) + sum(members) + sum(each.size for each in bundles)

    def begin(self, ingest_id: str, total: int) -> None:
        """Go on with another holding, of which so many bytes are to be read."""
        self._id, self._total = ingest_id, total
        self._done = self._told = 0

    def attend(self, count: int) -> None:
        """Note that so many more bytes were read. Raises Cancelled when no one waits any more."""
        if self._is_stopped.is_set():
            raise Cancelled
        self._done += count
        if self._done - self._told >= _TELL_EVERY_BYTES:
            self._told = self._done
            self.tell(SavingProgress(self._id, self._done, self._whole))

    def tell_saved(self, file: SavedFile) -> None:
        self.tell(FileSaved(self._id, file, self._done, self._whole))

    async def done(self, work: Callable[[], T]) -> T:
        """Return what work in a thread returns; when this is cancelled, it ends soon after."""
        try:
            return await asyncio.to_thread(work)
        finally:
            self._is_stopped.set()

    @property
    def _whole(self) -> int:
        return max(self._total, self._done)

    def tell(self, event: Event) -> None:
        """Have an event told on the loop, from whichever thread."""
        self._loop.call_soon_threadsafe(self._emit, event)
