# SPDX-License-Identifier: AGPL-3.0-or-later
"""Waiting in short turns, so that a wish to stop ends any wait at once."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from carrel.errors import ControlFlow

# How long a wait for a turn may last before the wish to stop is looked at, in seconds.
LOOK_UP_S = 0.2


# Is told, for people, what a turn waits for; "" once it has come.
Waits = Callable[[str], None]


class Cancelled(ControlFlow):
    """The transfer was stopped because the person wished so."""


def stop_if(is_cancelled: Callable[[], bool]) -> None:
    """Raise Cancelled if the person wishes to stop."""
    if is_cancelled():
        raise Cancelled


@contextmanager
def held(
    places: "threading.Lock | threading.Semaphore",
    is_cancelled: Callable[[], bool],
    waits: Callable[[], None] = lambda: None,
) -> Iterator[None]:
    """Wait for one of the places, and keep it meanwhile; `waits` is told that none is free.

    Raises Cancelled.
    """
    while not places.acquire(timeout=LOOK_UP_S):
        stop_if(is_cancelled)
        waits()
    try:
        yield
    finally:
        places.release()


def wait(
    seconds: Callable[[], float], is_cancelled: Callable[[], bool], sleep: Callable[[float], None]
) -> None:
    """Wait while there are seconds left, as asked anew after each short sleep. Raises Cancelled."""
    while (left_s := seconds()) > 0:
        stop_if(is_cancelled)
        sleep(min(left_s, LOOK_UP_S))
