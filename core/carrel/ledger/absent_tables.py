# SPDX-License-Identifier: AGPL-3.0-or-later
"""Questions about what a ledger which an older Carrel wrote, open for reading, has not."""

from carrel.ledger.connection import Connection

_COLUMNS = {
    "accompanying_fixity": "filename, offset, ingest_id, found, checked, fate, message, remedy",
    "imports": "ingest_id, at, source",
}
# A column of a table that the oldest have without it, as questions name it.
_COMPARED = "m.compared"


def answerable(connection: Connection, sql: str) -> str:
    """Return a question as one that any ledger can answer: of a table, or of what a verification
    compared with, that is not there, none."""
    for table, columns in _COLUMNS.items():
        if table in sql and not connection.has_table(table):
            nothing = ", ".join("1" for _ in columns.split(","))
            stripped = sql.strip()
            rest = stripped.removeprefix("WITH ")
            between = " " if rest == stripped else ", "
            sql = f"WITH {table} ({columns}) AS (SELECT {nothing} WHERE false){between}{rest}"
    if _COMPARED in sql and not _is_compared_noted(connection):
        sql = sql.replace(_COMPARED, "NULL")
    return sql


def _is_compared_noted(connection: Connection) -> bool:
    sql = "SELECT 1 FROM pragma_table_info('verifications') WHERE name = 'compared'"
    return bool(connection.column(sql))
