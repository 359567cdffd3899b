# SPDX-License-Identifier: AGPL-3.0-or-later
"""Waiting without going deaf: a wish to stop ends any wait within about a second.

What is read is read in short turns, with a look at the wish between them. Looking a name up,
connecting and shaking hands cannot be taken in turns, so a thread of its own does that and is left
to itself when no one waits for it any more.
"""

import queue
import threading
from collections.abc import Callable
from typing import Protocol, TypeVar

from carrel.hosts.pauses import Cancelled

# How long a wait may last before the wish to stop is looked at.
LOOK_UP_S = 0.5


class _Closable(Protocol):
    def close(self) -> None: ...


_Made = TypeVar("_Made", bound=_Closable)


def awaited(make: Callable[[], _Made], is_cancelled: Callable[[], bool]) -> _Made:
    """Return what `make` makes, in a thread of its own. Raises what it raises, and Cancelled.

    What is made when no one waits for it any more is closed.
    """
    found: queue.SimpleQueue[_Made | BaseException] = queue.SimpleQueue()
    handing_over = threading.Lock()
    is_left = False

    def work() -> None:
        try:
            outcome: _Made | BaseException = make()
        except BaseException as error:  # carried to the thread that waits
            outcome = error
        with handing_over:
            if is_left and not isinstance(outcome, BaseException):
                outcome.close()
            found.put(outcome)

    threading.Thread(target=work, name="connect", daemon=True).start()
    while True:
        try:
            outcome = found.get(timeout=LOOK_UP_S)
            break
        except queue.Empty:
            if not is_cancelled():
                continue
        with handing_over:
            is_left = True
            if not found.empty():
                _close(found.get())
        raise Cancelled
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _close(outcome: _Closable | BaseException) -> None:
    if not isinstance(outcome, BaseException):
        outcome.close()
