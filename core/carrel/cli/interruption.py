# SPDX-License-Identifier: AGPL-3.0-or-later
"""Being stopped from outside: the first Ctrl+C ends the work in good order, the second at once."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Have the first signal to stop call this; the next one does what it always does."""
    loop = asyncio.get_running_loop()
    signals = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP"):  # the terminal was closed; no such thing on Windows
        signals.append(signal.SIGHUP)

    def stop_once() -> None:
        release()
        stop()

    def release() -> None:
        for each in signals:
            with contextlib.suppress(NotImplementedError):
                loop.remove_signal_handler(each)

    for each in signals:
        with contextlib.suppress(NotImplementedError):  # no such thing on Windows
            loop.add_signal_handler(each, stop_once)
    try:
        yield
    finally:
        release()
