# SPDX-License-Identifier: AGPL-3.0-or-later
"""What can still be read of a damaged ledger, carried over into a new one."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from carrel.ledger.arrival_tables import DERIVED as OF_ARRIVALS
from carrel.ledger.catalogue_tables import DERIVED as OF_CATALOGUE
from carrel.ledger.dark.schema import DERIVED
from carrel.ledger.format_tables import DERIVED as OF_FORMATS

# These follow from the dark archive's journal and are made again from it. Not so the copy of it: of
# a journal that is damaged too it may be all there is.
_NOT_CARRIED = frozenset(
    {*DERIVED, "_sqlite_migrations", "sqlite_sequence", "unjournaled", "journal_head"}
)
# The bytes that say which SQLite may write and read a file, 2 for one with a write-ahead log
# (https://www.sqlite.org/fileformat.html, 1.3.3).
_VERSIONS_AT, _VERSIONS = 18, b"\x02\x02"
_DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)


def salvage(damaged: Path, fresh: Path) -> dict[str, int]:
    """Copy every row that can be read into the tables of a new ledger; return how many, by table.

    A damaged page hides the rows on it and no others: each table is read from both ends. A row
    whose parent was lost is carried over too: it may be all that is left.
    """
    carried: dict[str, int] = {}
    with (
        tempfile.TemporaryDirectory(dir=fresh.parent) as folder,
        closing(sqlite3.connect(fresh)) as target,
    ):
        named = "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
        tables = {name: sql for name, sql in target.execute(named) if not _is_derived(name)}
        copy = _opened_up(damaged, Path(folder), tables)
        for table in tables:
            carried[table] = 0
            for row in _rows(copy, table):
                marks = ", ".join("?" * len(row))
                sql = f"INSERT OR IGNORE INTO {table} VALUES ({marks})"  # noqa: S608
                carried[table] += target.execute(sql, row).rowcount
        target.execute("UPDATE catalogue SET made_by = 0")  # of what was carried over
        target.commit()
    return carried


def _is_derived(table: str) -> bool:
    """Say whether what is in a table is made again: the catalogue too, with its index's tables."""
    return table in _NOT_CARRIED or table.startswith((*OF_CATALOGUE, *OF_FORMATS, *OF_ARRIVALS))


def _opened_up(damaged: Path, folder: Path, tables: dict[str, str]) -> Path:
    """Return a copy with a sound head, and tables described as they are in the new ledger."""
    copy = folder / "damaged.sqlite"
    shutil.copyfile(damaged, copy)
    log = damaged.with_name(f"{damaged.name}-wal")
    if log.exists():
        shutil.copyfile(log, folder / "damaged.sqlite-wal")
    with copy.open("r+b") as file:
        file.seek(_VERSIONS_AT)
        file.write(_VERSIONS)
    with closing(sqlite3.connect(copy)) as connection:
        try:
            connection.execute("PRAGMA writable_schema = ON")
            for name, sql in tables.items():
                connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", [sql, name])
            # An index or a view that is not valid would keep the whole file shut.
            connection.execute("DELETE FROM sqlite_master WHERE type <> 'table'")
            connection.commit()
        except _DAMAGE:
            connection.rollback()  # then it is read as far as it goes
    return copy


def _rows(damaged: Path, table: str) -> Iterator[tuple[object, ...]]:
    for order in ("", " ORDER BY rowid DESC"):
        with closing(sqlite3.connect(damaged)) as connection:
            try:
                yield from connection.execute(f"SELECT * FROM {table}{order}")  # noqa: S608
                return
            except _DAMAGE:
                continue  # up to here; the rest from the other end
