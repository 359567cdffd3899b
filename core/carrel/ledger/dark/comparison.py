# SPDX-License-Identifier: AGPL-3.0-or-later
"""The dark tables beside those that the journal makes: what differs was not written by it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from carrel.errors import ArchiveError
from carrel.ledger.connection import Connection
from carrel.ledger.dark.schema import DERIVED, TABLES

_SHOWN = 3
_MADE = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"


@dataclass(frozen=True, slots=True)
class TableDifference:
    """`lacking` rows should be in a table and are not; `strange` ones are and should not be."""

    table: str
    lacking: int
    strange: int
    examples: str


def differences(connection: Connection, right: Path) -> Iterator[TableDifference]:
    """Yield which tables differ from those of the ledger at `right`."""
    connection.db.execute("ATTACH DATABASE ? AS right", [str(right)])
    try:
        for table in DERIVED:
            difference = _difference(connection, table)
            if difference is not None:
                yield difference
    finally:
        connection.db.execute("DETACH DATABASE right")


def faults_of_file(connection: Connection) -> list[str]:
    """Return what SQLite itself finds wrong with the file, nothing if it is sound."""
    try:
        rows = connection.rows("PRAGMA integrity_check(20)")
    except ArchiveError as error:
        return [str(error)]
    told = [str(next(iter(row.values()))) for row in rows]
    return [each for each in told if each != "ok"] + _faults_of_schema(connection)


def _faults_of_schema(connection: Connection) -> list[str]:
    """Return which tables, indexes and views of the dark archive are not made as they should be."""
    with closing(sqlite3.connect(":memory:")) as made:
        made.executescript(TABLES)
        wanted = made.execute(_MADE).fetchall()
    found = {(row["type"], row["name"], row["sql"]) for row in connection.rows(_MADE)}
    return [
        f"The {kind} {name} was changed."
        for kind, name, sql in wanted
        if (kind, name, sql) not in found
    ]


def _difference(connection: Connection, table: str) -> TableDifference | None:
    try:
        lacking, first = _less(connection, f"right.{table}", f"main.{table}")
        strange, second = _less(connection, f"main.{table}", f"right.{table}")
    except ArchiveError as error:
        return TableDifference(table, 0, 0, str(error))
    if not lacking and not strange:
        return None
    return TableDifference(table, lacking, strange, "; ".join([*first, *second][:_SHOWN]))


def _less(connection: Connection, one: str, other: str) -> tuple[int, list[str]]:
    """Return how many rows of a table another lacks, and some of them."""
    both = f"(SELECT * FROM {one} EXCEPT SELECT * FROM {other})"  # noqa: S608 - names of ours
    count = int(connection.rows(f"SELECT count(*) AS n FROM {both}")[0]["n"])  # noqa: S608
    if not count:
        return 0, []
    rows = connection.rows(f"SELECT * FROM {both} LIMIT {_SHOWN}")  # noqa: S608
    return count, [
        ", ".join(f"{name} {value}" for name, value in row.items())[:200] for row in rows
    ]
