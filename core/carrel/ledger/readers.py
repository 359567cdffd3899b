# SPDX-License-Identifier: AGPL-3.0-or-later
"""Connections that only read, for questions that take long at a million holdings.

They wait for no one who writes, nor for each other, and no short question waits for them. Each sees
what was written before it began, and nothing of what is being written.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# An answer that no one waits for any more ends within so many steps of SQLite's, some milliseconds.
_STEPS = 200_000
_MOST_IDLE = 4


class Readers:
    """Makes connections as they are needed and keeps a few. Threads may share it."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect, self._lock = connect, threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._is_closed = False

    @contextmanager
    def one(self, is_wanted: Callable[[], bool]) -> Iterator[sqlite3.Connection]:
        """Give a connection of one's own on which the ledger stands still.

        Once it is not wanted any more, what is asked ends with an OperationalError.
        """
        reader = self._taken()
        try:
            reader.execute("BEGIN")
            reader.set_progress_handler(lambda: not is_wanted(), _STEPS)
            yield reader
        finally:
            reader.set_progress_handler(None, 0)
            reader.rollback()
            self._put_back(reader)

    def close(self) -> None:
        """Close those that are not in use now, and each other one as soon as it is not."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for reader in idle:
            reader.close()

    def _taken(self) -> sqlite3.Connection:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        reader = self._connect()
        reader.execute("PRAGMA query_only = ON")
        return reader

    def _put_back(self, reader: sqlite3.Connection) -> None:
        with self._lock:
            if not self._is_closed and len(self._idle) < _MOST_IDLE:
                self._idle.append(reader)
                return
        reader.close()
