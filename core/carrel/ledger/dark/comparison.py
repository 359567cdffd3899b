# SPDX-License-Identifier: AGPL-3.0-or-later
"""The dark tables beside those that the journal makes: what differs was not written by it."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from carrel.errors import ArchiveError
from carrel.ledger.connection import Connection, Row
from carrel.ledger.dark.schema import DERIVED, TABLES
from carrel.translation import tr

_SHOWN = 3
_MOST_CHARS = 200  # of each
_MADE = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"


@dataclass(frozen=True, slots=True)
class TableDifference:
    """`lacking` rows should be in a table and are not; `strange` ones are and should not be;
    `changed` ones have other values beside their keys than they should."""

    table: str
    lacking: int
    strange: int
    examples: str
    changed: int = 0


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
        changed, third = _changed(connection, table) if lacking and strange else (0, [])
    except ArchiveError as error:
        return TableDifference(table, 0, 0, str(error))
    if not lacking and not strange:
        return None
    lacking, strange = lacking - changed, strange - changed
    examples = [*third, *first * bool(lacking), *second * bool(strange)]
    return TableDifference(table, lacking, strange, "; ".join(examples[:_SHOWN]), changed)


def _less(connection: Connection, one: str, other: str) -> tuple[int, list[str]]:
    """Return how many rows of a table another lacks, and some of them."""
    both = _beyond(one, other)
    count = int(connection.rows(f"SELECT count(*) AS n FROM {both}")[0]["n"])  # noqa: S608
    if not count:
        return 0, []
    rows = connection.rows(f"SELECT * FROM {both} LIMIT {_SHOWN}")  # noqa: S608
    return count, [_told(row) for row in rows]


def _changed(connection: Connection, table: str) -> tuple[int, list[str]]:
    """Return how many rows of a table have other values than they should, and what in some."""
    columns = connection.rows("SELECT name, pk FROM pragma_table_info(?)", [table])
    keys = [row["name"] for row in columns if row["pk"]]
    if not keys:
        return 0, []
    right, main = f"right.{table}", f"main.{table}"
    by = ", ".join(f'"{name}"' for name in keys)
    pairs = f"{_beyond(right, main)} AS a JOIN {_beyond(main, right)} AS b USING ({by})"
    count = int(connection.rows(f"SELECT count(*) AS n FROM {pairs}")[0]["n"])  # noqa: S608
    others = [row["name"] for row in columns if not row["pk"]]
    values = (f'a."{name}" AS right_{name}, b."{name}" AS main_{name}' for name in others)
    wanted = ", ".join([by, *values])
    rows = connection.rows(f"SELECT {wanted} FROM {pairs} LIMIT {_SHOWN}")  # noqa: S608
    return count, [_told_change(row, keys, others) for row in rows]


def _beyond(one: str, other: str) -> str:
    return f"(SELECT * FROM {one} EXCEPT SELECT * FROM {other})"  # noqa: S608 - names of ours


def _told(row: Row) -> str:
    """Return the values of a row, but for those that are empty."""
    told = ", ".join(f"{name} {value}" for name, value in row.items() if value is not None)
    return told[:_MOST_CHARS]


def _told_change(row: Row, keys: Sequence[str], others: Sequence[str]) -> str:
    """Return which values of a row are other ones than they should be."""
    changes = [
        tr(
            "{column} is {found}, should be {right}",
            column=name,
            found=_value(row[f"main_{name}"]),
            right=_value(row[f"right_{name}"]),
        )
        for name in others
        if row[f"main_{name}"] != row[f"right_{name}"]
    ]
    place = _told({name: row[name] for name in keys})
    return tr("{row} ({changes})", row=place, changes=", ".join(changes))[:_MOST_CHARS]


def _value(value: object) -> object:
    return tr("empty") if value is None else value
