# SPDX-License-Identifier: AGPL-3.0-or-later
"""An import in a worker thread, which ends soon after no one waits for it any more."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

from carrel.archive import Archive
from carrel.engine.importing.describing import Given
from carrel.engine.importing.imported import Imported, Tell
from carrel.engine.importing.importing import import_files
from carrel.errors import ControlFlow


class _Stopped(ControlFlow):
    """No one waits for the import any more."""


async def import_in_background(
    archive: Archive, paths: Sequence[Path], tell: Tell, given: Given
) -> Sequence[Imported]:
    """Import files and folders; what is complete when this is cancelled stays.

    `tell` is called in the thread. Raises ArchiveError.
    """
    is_stopped = threading.Event()

    def told(done: int, total: int) -> None:
        if is_stopped.is_set():
            raise _Stopped
        tell(done, total)

    def run() -> Sequence[Imported]:
        return list(import_files(archive, paths, told, given))

    work = asyncio.create_task(asyncio.to_thread(run))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        is_stopped.set()
        await asyncio.wait([work])  # the archive must not be closed before
        work.exception()
        raise
