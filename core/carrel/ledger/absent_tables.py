# SPDX-License-Identifier: AGPL-3.0-or-later
"""Questions about tables that a ledger which an older Carrel wrote, open for reading, has not."""

from carrel.ledger.connection import Connection

_COLUMNS = {
    "accompanying_fixity": "filename, offset, ingest_id, found, checked, fate, message, remedy",
    "imports": "ingest_id, at, source",
}


def answerable(connection: Connection, sql: str) -> str:
    """Return a question as one that any ledger can answer: of a table that is not there, none."""
    for table, columns in _COLUMNS.items():
        if table in sql and not connection.has_table(table):
            nothing = ", ".join("1" for _ in columns.split(","))
            stripped = sql.strip()
            rest = stripped.removeprefix("WITH ")
            between = " " if rest == stripped else ", "
            sql = f"WITH {table} ({columns}) AS (SELECT {nothing} WHERE false){between}{rest}"
    return sql
