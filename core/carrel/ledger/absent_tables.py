# SPDX-License-Identifier: AGPL-3.0-or-later
"""Questions about what a ledger which an older Carrel wrote, open for reading, has not."""

from carrel.ledger.connection import Connection

_COLUMNS = {
    "accompanying_fixity": "filename, offset, ingest_id, found, checked, fate, message, remedy",
    "imports": "ingest_id, at, source",
    "fixity_events": "id, record_id, at, fate, message, remedy, software, filename, offset",
}
# Columns of a table that older ones have without them, as questions name them.
_LATER_COLUMNS = {
    ("verifications", "compared"): ("m.compared", "v.compared", "v.finished"),
    ("fixity_events", "filename"): ("e.filename", "e.offset"),
}


def answerable(connection: Connection, sql: str) -> str:
    """Return a question as one that any ledger can answer: of a table, or of what is noted of a
    verification, that is not there, none."""
    for table, columns in _COLUMNS.items():
        if table in sql and not connection.has_table(table):
            nothing = ", ".join("1" for _ in columns.split(","))
            stripped = sql.strip()
            rest = stripped.removeprefix("WITH ")
            between = " " if rest == stripped else ", "
            sql = f"WITH {table} ({columns}) AS (SELECT {nothing} WHERE false){between}{rest}"
    for (table, column), names in _LATER_COLUMNS.items():
        if any(each in sql for each in names) and not _has_column(connection, table, column):
            for each in names:
                sql = sql.replace(each, "NULL")
    return sql


def _has_column(connection: Connection, table: str, column: str) -> bool:
    sql = "SELECT 1 FROM pragma_table_info(?) WHERE name = ?"
    return bool(connection.column(sql, [table, column]))
