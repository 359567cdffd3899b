# SPDX-License-Identifier: AGPL-3.0-or-later
"""The loop of the window's thread, which ends when what it runs has ended, and not before.

Qt ends its own loop at other times, too: where the system has the program quit, and where the
display server is gone, with an exit status that is not 0 then (QXcbConnection::processXcbEvents).
What is open has to be closed all the same, which takes a few turns more.
"""

import asyncio
import time
from typing import Any

import qasync

TURN_S = 0.01  # between turns, in which Qt waits for nothing any more


class WindowLoop(qasync.QEventLoop):  # type: ignore[misc]  # qasync has no types
    """Cancels what it runs once the display `is_lost`, and turns on until that has ended."""

    def __init__(self, app: object) -> None:
        super().__init__(app)
        self.is_lost = self._is_stopped = False
        self._work: asyncio.Future[Any] | None = None

    def run_until_complete(self, future: Any) -> Any:
        self._work = asyncio.ensure_future(future, loop=self)
        return super().run_until_complete(self._work)

    def run_forever(self) -> None:
        """Run until it is stopped, however often Qt ends before that."""
        self._is_stopped = False
        while not self._is_stopped:
            status = super().run_forever()
            if status and not self.is_lost:
                self._lose()
            if self.is_lost:
                time.sleep(TURN_S)

    def stop(self) -> None:
        self._is_stopped = True
        super().stop()

    def _lose(self) -> None:
        self.is_lost = True
        if self._work is not None:
            self._work.cancel()
