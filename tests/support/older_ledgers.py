# SPDX-License-Identifier: AGPL-3.0-or-later
"""Ledgers as they are after each step, with one dataset in them: tests/core/ledger/schemas.

It writes those that are not there:

    PYTHONPATH=tests .venv/bin/python tests/support/older_ledgers.py

Files that are there stay as they are: what was once written by a Carrel is what people have.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from carrel.ledger.schema import migrations

SCHEMAS = Path(__file__).parents[1] / "core" / "ledger" / "schemas"
DATASET = """
INSERT INTO requests (id, ingest_type, base_url, created, request)
VALUES (1, 'dataset', 'https://doi.org/10.5072/older', '2026-01-02T03:04:05Z', '{}');
INSERT INTO results (ingest_id, request_id, base_url, started, finished, hit, status, result)
VALUES ('older', 1, 'https://doi.org/10.5072/older', '2026-01-02T03:04:05Z',
        '2026-01-02T03:04:06Z', 1, 'success',
        '{"ingest_id": "older", "status": "success", "hit": true, "file_count": 0, "kept_count": 0,
          "started": "2026-01-02T03:04:05Z", "finished": "2026-01-02T03:04:06Z",
          "request": {"ingest_type": "dataset", "base_url": "https://doi.org/10.5072/older"}}');
"""


def steps() -> list[str]:
    """Return the names of all steps, in their order."""
    nothing = Database(memory=True, execute_plugins=False)
    return [each.name for each in migrations.pending(nothing)]


def schema(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Return what a ledger is made of: kind, name and statement of each table, index and so on."""
    rows = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"
    )
    return [(kind, name, " ".join(sql.split())) for kind, name, sql in rows]


def after(step: str) -> sqlite3.Connection:
    """Return a ledger in memory that was made and filled by its first step and went to `step`."""
    names = steps()
    later = names[names.index(step) + 1 :]
    connection = sqlite3.connect(":memory:")
    db = Database(connection, execute_plugins=False)
    connection.create_function("extension_of", 1, lambda name: None, deterministic=True)
    migrations.apply(db, stop_before=names[1])
    connection.executescript(DATASET)
    migrations.apply(db, stop_before=later[0]) if later else migrations.apply(db)
    connection.execute("UPDATE _sqlite_migrations SET applied_at = '2026-01-02 03:04:05+00:00'")
    connection.commit()
    return connection


def write_as_then(step: str, path: Path) -> None:
    """Make a ledger of a file that was written when `step` was the newest one."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((SCHEMAS / f"{step}.sql").read_text(encoding="utf-8"))


def dumped(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the statements that make a ledger again, its full text as it is: Python dumps the
    tables in which that stands as well, which would be made a second time with it."""
    for statement in connection.iterdump():
        if statement.startswith("CREATE VIRTUAL TABLE"):
            name = statement.split()[3]
            made = statement.removesuffix(";").replace("'", "''")
            yield "PRAGMA writable_schema=ON;"
            yield (
                "INSERT INTO sqlite_master(type,name,tbl_name,rootpage,sql)"
                f"VALUES('table','{name}','{name}',0,'{made}');"
            )
        elif statement == "COMMIT;":
            yield "PRAGMA writable_schema=OFF;"
            yield statement
        else:
            yield statement


def main() -> None:
    """Write the files that are not there."""
    for step in steps():
        path = SCHEMAS / f"{step}.sql"
        if not path.exists():
            with closing(after(step)) as connection:
                path.write_text("\n".join(dumped(connection)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
