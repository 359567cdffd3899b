# SPDX-License-Identifier: AGPL-3.0-or-later
"""A thread that takes the blocks of one stream in order, so that steps run beside each other.

Hashing, compressing and writing let go of the interpreter's lock: on two cores a stream with its
steps in threads is nearly twice as fast as one that takes them in turn.
"""

import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Block = bytes | bytearray
T = TypeVar("T")

_QUEUED_BLOCKS = 4


class BlockWorker(Generic[T]):
    """Applies `work` to each block, of whatever kind; `most` may wait for their turn.

    One thread feeds it, and ends it with `finish` or `abandon`.
    """

    def __init__(
        self, work: Callable[[T], object], name: str, *, most: int = _QUEUED_BLOCKS
    ) -> None:
        self._work = work
        self._blocks: queue.Queue[T | None] = queue.Queue(most)
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, block: T) -> None:
        """Hand over a block, which must not change afterwards; waits while the worker lags.

        Raises what `work` raised on an earlier block.
        """
        if self._error is not None:
            raise self._error
        self._blocks.put(block)

    def finish(self) -> None:
        """Wait until every block is done. Raises what `work` raised."""
        self.abandon()
        if self._error is not None:
            raise self._error

    def abandon(self) -> None:
        """End the thread, whatever became of the blocks. Harmless when called again."""
        if self._thread.is_alive():
            self._blocks.put(None)
            self._thread.join()

    def _run(self) -> None:
        while (block := self._blocks.get()) is not None:
            if self._error is None:
                try:
                    self._work(block)
                except Exception as error:  # carried to the thread that feeds us
                    self._error = error
