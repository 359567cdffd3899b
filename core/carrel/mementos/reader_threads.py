# SPDX-License-Identifier: AGPL-3.0-or-later
"""The threads in which local indexes and records are read.

They are many, since most of them wait for a disk, and are no one else's: a question that goes
through a whole index keeps neither the others nor the rest of the program waiting.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_THREADS = ThreadPoolExecutor(max_workers=32, thread_name_prefix="carrel-reading")


async def reading(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Return what some blocking work returns, done in a thread for reading."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_THREADS, lambda: work(*given, **named))
