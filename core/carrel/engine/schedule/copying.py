# SPDX-License-Identifier: AGPL-3.0-or-later
"""A second copy that is brought up to date by itself: it gives way, and can be stopped."""

import asyncio
import threading
from collections.abc import Callable
from time import monotonic

from carrel.archive import Archive
from carrel.engine.copying import bring_up_to_date, trouble_of
from carrel.engine.stoppable import stoppable
from carrel.errors import CarrelError
from carrel.hosts.pauses import LOOK_UP_S, Cancelled, stop_if
from carrel.translation import tr

_TELL_EVERY_S = 1.0


async def copy_by_itself(
    archive: Archive,
    destination: str,
    tell: Callable[[str], None],
    is_stopping: Callable[[], bool],
    may_go_on: threading.Event | None,
) -> str | None:
    """Bring a copy up to date on a thread; return why it is not complete, "" if it is, None if it
    was stopped.

    It waits while `may_go_on` is cleared, if that is given. What was copied stays, and is known in
    the next run.
    """
    loop, told = asyncio.get_running_loop(), [0.0]

    def attend(done: int, total: int) -> None:
        while may_go_on is not None and not (may_go_on.wait(LOOK_UP_S) or is_stopping()):
            pass
        stop_if(is_stopping)
        if monotonic() - told[0] >= _TELL_EVERY_S:
            told[0] = monotonic()
            loop.call_soon_threadsafe(tell, _words(destination, done, total))

    tell(tr("Copying to {destination}", destination=destination))
    try:
        done = await stoppable(lambda go_on: bring_up_to_date(archive, destination, go_on), attend)
    except CarrelError as error:
        return str(error)
    except Cancelled:
        return None
    return trouble_of(done)


def _words(destination: str, done: int, total: int) -> str:
    percent = min(99, 100 * done // total) if total else 0
    return tr("Copying to {destination}, {percent} %", destination=destination, percent=percent)
