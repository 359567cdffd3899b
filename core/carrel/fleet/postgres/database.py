# SPDX-License-Identifier: AGPL-3.0-or-later
"""The database as something that may go away: a connection that is made anew when it is needed."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from carrel.fleet.postgres.connection import connect, no_database
from carrel.fleet.postgres.migrations import check_prepared
from carrel.fleet.postgres.rows import ResultRows
from carrel.fleet.postgres.store import Reject, store

if TYPE_CHECKING:
    import psycopg


class Database:
    """One connection at a time; it belongs to one thread."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._settings = settings
        self._connection: psycopg.Connection | None = None

    def check(self) -> None:
        """Raise NoDatabase or OtherDatabase unless results can be stored."""
        import psycopg

        try:
            check_prepared(self._opened())
        except psycopg.Error as error:
            raise no_database(self._settings, error) from error

    def store(self, results: Sequence[ResultRows]) -> Sequence[Reject]:
        """Store results; return those that are refused.

        Raises NoDatabase where the database is at fault: all of it is to be stored again.
        """
        import psycopg

        try:
            return store(self._opened(), results)
        except psycopg.Error as error:
            self.close()
            raise no_database(self._settings, error) from error

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _opened(self) -> "psycopg.Connection":
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._settings)
        return self._connection
