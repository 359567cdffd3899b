# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is known of hosts, in a small file of its own that processes share.

How much of what a host allows is used, which hosts are left alone, and the latest answers. All of
it can be lost without harm. Where someone else holds the file for long, one question goes on
without it; one that is damaged is left as it is, a warning is logged once, and memory takes its
place until the process ends.
"""

import logging
import os
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from sqlite_utils import Database

log = logging.getLogger(__name__)

T = TypeVar("T")

ANSWERS_MAX_BYTES = 200 * 1024**2
ANSWERS_KEPT_S = 24 * 60 * 60
# No one waits longer for the file: a look-up is waiting.
_LOCKED_S = 0.25
_OWNER_ONLY = 0o600


@dataclass(frozen=True, slots=True)
class HostState:
    """How a host, or one of its endpoints, has fared. Moments are in seconds since 1970, 0: none.

    `failures` are those in a row; until `rests_until` it is left alone, for a `reason` that is a
    sentence for people. `patience_s` is the longest that it was waited for in vain; None where it
    was not a matter of time. `refused_as` is the outcome (a word of `Status`) that a request has
    meanwhile which is not worth the wait; None where waiting helps.
    """

    failures: int = 0
    rests_until: float = 0.0
    reason: str = ""
    patience_s: float | None = None
    refused_as: str | None = None


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer as it came, its body compressed by whoever keeps it."""

    answered_at: float
    headers: str
    body: bytes


class HostStore:
    """Threads and processes may share it. `path` is None for what is forgotten with the process."""

    def __init__(self, path: Path | None = None) -> None:
        self._path, self._lock = path, threading.RLock()
        self._db: Database
        try:
            self._adopt(_memory() if path is None else _opened(path))
        except (OSError, sqlite3.Error) as error:
            self._go_on_in_memory(error)

    def close(self) -> None:
        with self._lock:
            self._close()

    def book(
        self, host: str, purpose: str, next_use: Callable[[float], tuple[float, float | None]]
    ) -> float:
        """Take a place in a budget, alone among all processes, and return its moment.

        `next_use` gets until when the budget is used (seconds since 1970, 0 for unused) and returns
        the time of the place, and until when it is used then; None leaves it as it is.
        """

        def take(db: "Database") -> float:
            wanted = "SELECT used_until FROM budgets WHERE host = ? AND purpose = ?"
            found = db.execute(wanted, [host, purpose]).fetchone()
            moment, used_until = next_use(found[0] if found else 0.0)
            if used_until is not None:
                values = [host, purpose, used_until]
                db.execute("INSERT OR REPLACE INTO budgets VALUES (?, ?, ?)", values)
            return moment

        return self._write(take)

    def state(self, address: str) -> HostState | None:
        """Return how a host or an endpoint fared, None if nothing is known against it."""
        return self._surely(lambda: _state(self._db, address))

    def change(self, address: str, change: Callable[[HostState], HostState]) -> HostState:
        """Change what is known of a host or an endpoint, alone among all processes; return it."""

        def put(db: "Database") -> HostState:
            new = change(_state(db, address) or HostState())
            values = [address, *astuple(new)]
            db.execute("INSERT OR REPLACE INTO host_states VALUES (?, ?, ?, ?, ?, ?)", values)
            return new

        return self._write(put)

    def forget(self, address: str) -> None:
        """Know nothing against a host or an endpoint any more."""
        self._write(lambda db: db.execute("DELETE FROM host_states WHERE address = ?", [address]))

    def forget_before(self, moment: float) -> None:
        """Drop what has bound no one since a moment, in seconds since 1970."""

        def drop(db: "Database") -> None:
            db.execute("DELETE FROM budgets WHERE used_until < ?", [moment])
            db.execute("DELETE FROM host_states WHERE rests_until BETWEEN 1 AND ?", [moment])

        self._write(drop)

    def answer(self, url: str) -> KeptAnswer | None:
        """Return what was answered at an address last, None if nothing is kept."""
        wanted = "SELECT answered_at, headers, body FROM answers WHERE url = ?"
        found = self._surely(lambda: self._db.execute(wanted, [url]).fetchone())
        return KeptAnswer(*found) if found else None

    def keep(self, url: str, answer: KeptAnswer) -> None:
        """Keep an answer; drop those that are a day older, and the oldest if it is too much."""
        size = len(answer.body) + len(answer.headers)
        if size > ANSWERS_MAX_BYTES:
            return

        def put(db: "Database") -> None:
            values = [url, answer.answered_at, size, answer.headers, answer.body]
            db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", values)
            oldest = answer.answered_at - ANSWERS_KEPT_S
            db.execute("DELETE FROM answers WHERE answered_at < ?", [oldest])
            _drop_beyond(db, ANSWERS_MAX_BYTES)

        self._write(put)

    def _write(self, change: "Callable[[Database], T]") -> T:
        def write() -> T:
            with _transaction(self._db) as db:
                return change(db)

        return self._surely(write)

    def _surely(self, work: Callable[[], T]) -> T:
        """Do what is to be done; in memory, if the file does not let us."""
        with self._lock:
            try:
                return work()
            except sqlite3.Error as error:
                if _is_held(error):
                    return self._once_in_memory(work)
                self._close()
                self._go_on_in_memory(error)
                return work()

    def _once_in_memory(self, work: Callable[[], T]) -> T:
        kept, spare = self._db, _memory()
        try:
            self._db = _with_tables(spare)
            return work()
        finally:
            self._db = kept
            spare.close()

    def _go_on_in_memory(self, error: Exception) -> None:
        words = "%s cannot be used: %s. What hosts ask for is kept in memory until the end."
        log.warning(words, self._path, error)
        self._adopt(_memory())

    def _adopt(self, connection: sqlite3.Connection) -> None:
        self._db = _with_tables(connection)
        self._close = weakref.finalize(self, connection.close)


def _is_held(error: sqlite3.Error) -> bool:
    """Say whether someone else has the file, who will give it back."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # extended codes begin with the plain one
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)


def _opened(path: Path) -> sqlite3.Connection:
    """Return a connection to the file, made for its owner alone. Raises OSError, sqlite3.Error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, _OWNER_ONLY))
    connection = sqlite3.connect(
        path, timeout=_LOCKED_S, check_same_thread=False, isolation_level=None
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        # What a power cut takes is not missed.
        connection.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _with_tables(connection: sqlite3.Connection) -> "Database":
    """Return the database; two processes may begin it at the same time. Raises sqlite3.Error."""
    from sqlite_utils import Database  # for who asks a host

    from carrel.ledger.hosts_schema import migrations

    db = Database(connection, execute_plugins=False)
    try:
        with _transaction(db):
            migrations.apply(db)
    except sqlite3.Error:
        connection.close()
        raise
    return db


def _state(db: "Database", address: str) -> HostState | None:
    columns = "failures, rests_until, reason, patience_s, refused_as"
    wanted = f"SELECT {columns} FROM host_states WHERE address = ?"  # noqa: S608 - a constant
    found = db.execute(wanted, [address]).fetchone()
    return HostState(*found) if found else None


@contextmanager
def _transaction(db: "Database") -> "Iterator[Database]":
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _drop_beyond(db: "Database", most: int) -> None:
    """Drop the oldest answers until the rest has no more than so many bytes."""
    while db.execute("SELECT coalesce(sum(size), 0) FROM answers").fetchone()[0] > most:
        oldest = "SELECT url FROM answers ORDER BY answered_at LIMIT 1"
        db.execute(f"DELETE FROM answers WHERE url IN ({oldest})")  # noqa: S608 - a constant
