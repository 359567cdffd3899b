# SPDX-License-Identifier: AGPL-3.0-or-later
"""Work on many files, a few at a time, in threads of their own."""

import asyncio
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor


async def in_turns(
    indices: Iterable[int], width: int, work: Callable[[int], None], end: Callable[[], None]
) -> None:
    """Call `work` with each index, `width` of them at once, and return when all are done.

    When one raises, or the task is cancelled, `end` is called to tell the others and they are
    waited for.
    """
    turns, lock = iter(indices), threading.Lock()

    def take_turns() -> None:
        while True:
            with lock:
                index = next(turns, None)
            if index is None:
                return
            work(index)

    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(width, thread_name_prefix="turn") as threads:
        workers = [loop.run_in_executor(threads, take_turns) for _ in range(width)]
        try:
            await asyncio.gather(*workers)
        except BaseException:
            end()
            raise
