# SPDX-License-Identifier: AGPL-3.0-or-later
"""A connection to the database, whose password is never on a command line."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carrel.errors import NoDatabase, OtherDatabase, UsageError
from carrel.fleet.secrets import secret
from carrel.translation import tr

if TYPE_CHECKING:
    import psycopg

# A dead network is noticed before Kafka gives our partitions to others (5 minutes).
_USUAL: Mapping[str, Any] = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
    "client_encoding": "UTF8",
    "options": "-c lock_timeout=60s -c statement_timeout=120s -c timezone=UTC",
}


def connection_settings(db: str) -> dict[str, Any]:
    """Return libpq's parameters of a URL (`postgresql://…`) or of `name=value …`.

    The password comes from the service manager (`postgres-password`, or a whole `pgpass`), else
    libpq finds it itself: PGPASSFILE, ~/.pgpass, a service file. Raises UsageError for what cannot
    be read, or has a password in it: every user of the machine sees those (`ps`).
    """
    need_psycopg()
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        given = conninfo_to_dict(db)
    except ProgrammingError as error:
        words = tr("“--db” is not an address of Postgres, like postgresql://HOST/DATABASE.")
        raise UsageError(words) from error
    if "password" in given:
        words = tr(
            "“--db” contains a password, which others on this machine can see. Put it into a file "
            "that PGPASSFILE names, a service file, or “postgres-password” of the service manager."
        )
        raise UsageError(words)
    return {**_USUAL, "application_name": "carrel", **given, **_secrets()}


def connect(settings: Mapping[str, Any]) -> "psycopg.Connection":
    """Return a connection, each statement of which is a transaction unless one is begun.

    Raises NoDatabase if it cannot be had, OtherDatabase if its texts are not UTF-8.
    """
    import psycopg

    try:
        connection = psycopg.connect(**settings, autocommit=True)
    except psycopg.Error as error:
        raise no_database(settings, error) from error
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        connection.close()
        words = tr("The database has the encoding {encoding}; it must be UTF8.", encoding=encoding)
        raise OtherDatabase(words)
    _compress_quickly(connection)
    return connection


@contextmanager
def session(db: str) -> "Iterator[psycopg.Connection]":
    """Give a connection to the database at an address, for a block.

    Raises UsageError and OtherDatabase, and NoDatabase for whatever fails in the block.
    """
    settings = connection_settings(db)
    import psycopg

    with connect(settings) as connection:
        try:
            yield connection
        except psycopg.Error as error:
            raise no_database(settings, error) from error


def _compress_quickly(connection: "psycopg.Connection") -> None:
    """Have manifests compressed by lz4 where the server was built with it, not by pglz, which takes
    as long as all else of a row."""
    known = connection.execute(
        "SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression'"
    ).fetchone()
    if known == (True,):
        connection.execute("SET default_toast_compression TO lz4")


def no_database(settings: Mapping[str, Any], error: Exception) -> NoDatabase:
    """Return what to say of a database that cannot be reached."""
    reason = " ".join(str(error).split()).rstrip(".")
    words = tr(
        "The database {name} cannot be used: {reason}.", name=database_name(settings), reason=reason
    )
    return NoDatabase(words)


def database_name(settings: Mapping[str, Any]) -> str:
    """Return what a database is called for people, without a user's name."""
    where = settings.get("host") or settings.get("service") or "localhost"
    return f"{settings.get('dbname', '')}@{where}".lstrip("@")


def need_psycopg() -> None:
    """Raise UsageError where the extra is not installed."""
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        words = tr(
            "Results in Postgres need a client of it: install Carrel with “pip install "
            "carrel[fleet]”."
        )
        raise UsageError(words) from error


def _secrets() -> Mapping[str, str]:
    if password := secret("postgres-password"):
        return {"password": password}
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    if folder and "PGPASSFILE" not in os.environ and (Path(folder) / "pgpass").exists():
        return {"passfile": str(Path(folder) / "pgpass")}
    return {}
