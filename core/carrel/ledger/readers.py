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
        self._connect, self._changed = connect, threading.Condition()
        self._idle: list[sqlite3.Connection] = []
        self._in_use = 0
        self._is_closed = False

    @contextmanager
    def one(self, is_wanted: Callable[[], bool]) -> Iterator[sqlite3.Connection]:
        """Give a connection of one's own on which the ledger stands still.

        Once it is not wanted any more, or the ledger is closed, what is asked ends with an
        OperationalError. Of a closed one none is given: ProgrammingError.
        """
        reader = self._taken()
        try:
            reader.execute("BEGIN")
            reader.set_progress_handler(lambda: self._is_closed or not is_wanted(), _STEPS)
            yield reader
        finally:
            try:
                reader.set_progress_handler(None, 0)
                reader.rollback()
            finally:
                self._put_back(reader)

    def close(self) -> None:
        """Close all, when those in use have ended: no file of the ledger is open after that."""
        with self._changed:
            self._is_closed = True
            self._changed.wait_for(lambda: not self._in_use)
            while self._idle:
                self._idle.pop().close()

    def _taken(self) -> sqlite3.Connection:
        with self._changed:
            if self._is_closed:
                raise sqlite3.ProgrammingError("Cannot operate on a closed database.")
            self._in_use += 1
            if self._idle:
                return self._idle.pop()
        try:
            reader = self._connect()
            reader.execute("PRAGMA query_only = ON")
        except BaseException:
            self._end_use()
            raise
        return reader

    def _put_back(self, reader: sqlite3.Connection) -> None:
        with self._changed:
            is_kept = not self._is_closed and len(self._idle) < _MOST_IDLE
            if is_kept:
                self._idle.append(reader)
        if not is_kept:
            reader.close()
        self._end_use()

    def _end_use(self) -> None:
        with self._changed:
            self._in_use -= 1
            self._changed.notify_all()
