# SPDX-License-Identifier: AGPL-3.0-or-later
"""What can still be read of a damaged ledger, carried over into a new one."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from carrel.ledger.dark.schema import DERIVED

# These follow from the dark archive's journal and are made again from it. Not so the copy of it: of
# a journal that is damaged too it may be all there is.
_NOT_CARRIED = frozenset({*DERIVED, "_sqlite_migrations", "sqlite_sequence"})


def salvage(damaged: Path, fresh: Path) -> dict[str, int]:
    """Copy every row that can be read into the tables of a new ledger; return how many, by table.

    A damaged page hides the rows on it and no others: each table is read from both ends. A row
    whose parent was lost is carried over too: it may be all that is left.
    """
    carried: dict[str, int] = {}
    with sqlite3.connect(fresh) as target:
        named = "SELECT name FROM sqlite_master WHERE type = 'table'"
        tables = [name for (name,) in target.execute(named) if name not in _NOT_CARRIED]
        for table in tables:
            before = target.total_changes
            for row in _rows(damaged, table):
                marks = ", ".join("?" * len(row))
                target.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)  # noqa: S608
            carried[table] = target.total_changes - before
    target.close()
    return carried


def _rows(damaged: Path, table: str) -> Iterator[tuple[object, ...]]:
    for order in ("", " ORDER BY rowid DESC"):
        connection = sqlite3.connect(f"{damaged.absolute().as_uri()}?mode=ro", uri=True)
        try:
            yield from connection.execute(f"SELECT * FROM {table}{order}")  # noqa: S608
            return
        except sqlite3.DatabaseError:
            continue  # up to here; the rest from the other end
        finally:
            connection.close()
