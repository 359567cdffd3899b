# SPDX-License-Identifier: AGPL-3.0-or-later
"""Signals from outside: Ctrl+C in the terminal, the end of the session. They close the window."""

import asyncio
import contextlib
import signal

_SIGNALS = [signal.SIGINT, signal.SIGTERM]
if hasattr(signal, "SIGHUP"):  # the terminal was closed; no such thing on Windows
    _SIGNALS.append(signal.SIGHUP)
_BASE = 128  # what shells add to the number of a signal


class Signals:
    """While it is entered, the first signal sets `closed`; the next does what it always does.

    `status` is the exit status that tells of it, 0 while there was none.
    """

    def __init__(self) -> None:
        self.closed = asyncio.Event()
        self.status = 0
        self._loop = asyncio.get_running_loop()

    def __enter__(self) -> "Signals":
        for each in _SIGNALS:
            with contextlib.suppress(NotImplementedError):  # no such thing on Windows
                self._loop.add_signal_handler(each, self._on_signal, each)
        return self

    def __exit__(self, *_error: object) -> None:
        self._release()

    def _on_signal(self, number: signal.Signals) -> None:
        self.status = _BASE + number
        self.closed.set()
        self._release()

    def _release(self) -> None:
        for each in _SIGNALS:
            with contextlib.suppress(NotImplementedError):
                self._loop.remove_signal_handler(each)
