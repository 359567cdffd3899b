# SPDX-License-Identifier: AGPL-3.0-or-later
"""Work on many files, a few at a time, in threads of their own."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic, thread_time

# Work that lasts for so many times of what it computes waits for a network or a disk, and others
# may go on beside it; so it is then with so many that follow, before it is tried again.
_TIMES = 3.0
_LEAST_S = 0.003
_FOLLOWING = 50


async def in_turns(
    indices: Iterable[int], width: int, work: Callable[[int], None], end: Callable[[], None]
) -> None:
    """Call `work` with each index, `width` of them at once, and return when all are done.

    When one raises, or the task is cancelled, `end` is called to tell the others and they are
    waited for.
    """
    turns, lock, short_work = iter(indices), threading.Lock(), _ShortWork()

    def take_turns() -> None:
        while True:
            with lock:
                index = next(turns, None)
            if index is None:
                return
            with short_work.taken():
                work(index)

    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(width, thread_name_prefix="turn") as threads:
        workers = [loop.run_in_executor(threads, take_turns) for _ in range(width)]
        try:
            await asyncio.gather(*workers)
        except BaseException:
            end()
            raise


class _ShortWork:
    """Where short work is done by one thread at a time.

    Two that compute hand the interpreter to and fro with every small step: for files of a few
    kilobytes from a fast network that takes longer than the files. Who takes long gets company.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since = 0.0
        self._short_s = _LEAST_S
        self._unwatched = 0

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait while the one who is there is quick."""
        is_alone, computed = self._take(), thread_time()
        try:
            yield
        finally:
            if is_alone:
                self._short_s = max(_LEAST_S, _TIMES * (thread_time() - computed))
                self._lock.release()

    def _take(self) -> bool:
        if self._unwatched > 0:
            self._unwatched -= 1
            return False
        while not self._lock.acquire(timeout=self._short_s):
            if monotonic() - self._since > self._short_s:
                self._unwatched = _FOLLOWING
                return False
        self._since = monotonic()
        return True
