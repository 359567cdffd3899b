# SPDX-License-Identifier: AGPL-3.0-or-later
"""The columns of tables, filled into SQL that is written for any."""

from collections.abc import Collection, Sequence

from carrel.ledger.connection import Connection


class Columns:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def fill(
        self, sql: str, table: str, *, but: Collection[str] = (), key: Collection[str] = ()
    ) -> str:
        """Return a statement with the names of a table's columns, `but` some that it names itself,
        and with what an update of all but the `key` says."""
        names = self._of(table, but)
        updates = ", ".join(f"{name} = excluded.{name}" for name in names if name not in key)
        filled = {
            "{table}": table,
            "{columns}": ", ".join(names),
            "{s_columns}": ", ".join(f"s.{name}" for name in names),
            "{updates}": updates,
        }
        for mark, text in filled.items():
            sql = sql.replace(mark, text)
        return sql

    def _of(self, table: str, but: Collection[str]) -> Sequence[str]:
        sql = "SELECT name FROM pragma_table_info(?) ORDER BY cid"
        return [name for name in self._connection.column(sql, [table]) if name not in but]
