# SPDX-License-Identifier: AGPL-3.0-or-later
"""The numbered SQL files, each applied once, and the table of ours that notes which were.

They are applied by the owner of the tables (`carrel persist --init`); whoever writes results needs
SELECT, INSERT and UPDATE only, and checks that it has them.
"""

import hashlib
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from carrel.errors import OtherDatabase
from carrel.fleet.postgres.adoption import ADOPTED, refuse_others
from carrel.translation import tr

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger(__name__)

# Of all programs only Carrel uses this number for a lock.
_LOCK = int.from_bytes(b"carrelDB", "big") >> 1
_TABLE = """
CREATE TABLE IF NOT EXISTS carrel_migration (
    number  INT PRIMARY KEY,
    name    TEXT NOT NULL,
    sha256  TEXT NOT NULL,
    applied TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL
)
"""
# Attempts are only added.
_NEEDED = (
    *((table, right) for table in ADOPTED for right in ("SELECT", "INSERT", "UPDATE")),
    *(("carrel_attempt", right) for right in ("SELECT", "INSERT")),
)


@dataclass(frozen=True, slots=True)
class Migration:
    """A file of statements, with its number."""

    number: int
    name: str
    statements: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.statements.encode()).hexdigest()


def migrations() -> Sequence[Migration]:
    """Return all files, in their order."""
    folder = resources.files("carrel.fleet.postgres") / "sql"
    found = (file for file in folder.iterdir() if re.fullmatch(r"\d{4}-[\w-]+\.sql", file.name))
    read = (
        Migration(int(file.name[:4]), file.name, file.read_text(encoding="utf-8")) for file in found
    )
    return sorted(read, key=lambda each: each.number)


def apply_migrations(connection: "psycopg.Connection") -> Sequence[str]:
    """Apply what is not applied yet; return the names of those files.

    Raises OtherDatabase, and changes nothing, where tables of these names have other columns.
    """
    connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
    try:
        return list(_applied(connection))
    finally:
        connection.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])


def _applied(connection: "psycopg.Connection") -> Iterator[str]:
    noted = _noted(connection)
    for migration in migrations():
        if noted.get(migration.number) == migration.sha256:
            continue
        with connection.transaction():
            if migration.number == 1:
                refuse_others(connection, migration.statements)
            connection.execute(_TABLE)
            connection.execute(migration.statements.encode())
            connection.execute(
                "INSERT INTO carrel_migration (number, name, sha256) VALUES (%s, %s, %s)",
                [migration.number, migration.name, migration.sha256],
            )
        log.info("applied %s", migration.name)
        yield migration.name


def check_prepared(connection: "psycopg.Connection") -> None:
    """Raise OtherDatabase if a file was not applied, or this role may not write results."""
    noted = _noted(connection)
    if lacking := [each.name for each in migrations() if each.number not in noted]:
        words = tr(
            "The database is not prepared for results ({names}). Prepare it, as the owner of the "
            "tables, with “carrel persist --init --db …”.",
            names=", ".join(lacking),
        )
        raise OtherDatabase(words)
    if denied := list(_denied(connection, _NEEDED)):
        raise _not_allowed(denied)


def _noted(connection: "psycopg.Connection") -> dict[int, str]:
    """Return the digests of the files that were applied.

    Raises OtherDatabase for a file that was applied with another content, or by a newer Carrel.
    """
    if connection.execute("SELECT to_regclass('carrel_migration')").fetchone() == (None,):
        return {}
    if denied := list(_denied(connection, [("carrel_migration", "SELECT")])):
        raise _not_allowed(denied)
    noted: dict[int, str] = dict(
        connection.execute("SELECT number, sha256 FROM carrel_migration").fetchall()
    )
    known = {each.number: each.sha256 for each in migrations()}
    if others := sorted(number for number in noted if known.get(number) != noted[number]):
        words = tr(
            "The database was prepared by another version of Carrel (steps {numbers}). Use a "
            "version that is at least as new.",
            numbers=", ".join(map(str, others)),
        )
        raise OtherDatabase(words)
    return noted


def _denied(connection: "psycopg.Connection", wanted: Iterable[tuple[str, str]]) -> Iterator[str]:
    for table, right in wanted:
        asked = connection.execute("SELECT has_table_privilege(%s, %s)", [table, right])
        if asked.fetchone() != (True,):
            yield f"{right} ({table})"


def _not_allowed(rights: Sequence[str]) -> OtherDatabase:
    words = tr("The database does not allow {rights} to this role.", rights=", ".join(rights))
    return OtherDatabase(words)
