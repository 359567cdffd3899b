# SPDX-License-Identifier: AGPL-3.0-or-later
"""Questions about what a ledger which an older Carrel wrote, open for reading, has not."""

from carrel.ledger.connection import Connection

_COLUMNS = {
    "accompanying_fixity": "filename, offset, ingest_id, found, checked, fate, message, remedy",
    "imports": "ingest_id, at, source",
    "fixity_events": "id, record_id, at, fate, message, remedy, software",
}
# Columns of a table that the oldest have without them, as questions name them.
_OF_RUNS = ("m.compared", "v.finished")


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
    if any(each in sql for each in _OF_RUNS) and not _are_runs_noted(connection):
        for each in _OF_RUNS:
            sql = sql.replace(each, "NULL")
    return sql


def _are_runs_noted(connection: Connection) -> bool:
    sql = "SELECT 1 FROM pragma_table_info('verifications') WHERE name = 'compared'"
    return bool(connection.column(sql))
