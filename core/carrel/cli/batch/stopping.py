# SPDX-License-Identifier: AGPL-3.0-or-later
"""Being stopped from outside: the first Ctrl+C ends the work in good order, the second at once."""

import asyncio
import contextlib
import signal
from collections.abc import Iterator


@contextlib.contextmanager
def stopped_by_signals(stopping: asyncio.Event) -> Iterator[None]:
    """Have the first signal to stop set an event; the next one does what it always does."""
    loop = asyncio.get_running_loop()
    signals = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP"):  # the terminal was closed; no such thing on Windows
        signals.append(signal.SIGHUP)

    def stop() -> None:
        stopping.set()
        release()

    def release() -> None:
        for each in signals:
            with contextlib.suppress(NotImplementedError):
                loop.remove_signal_handler(each)

    for each in signals:
        with contextlib.suppress(NotImplementedError):  # no such thing on Windows
            loop.add_signal_handler(each, stop)
    try:
        yield
    finally:
        release()
