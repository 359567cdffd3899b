# SPDX-License-Identifier: AGPL-3.0-or-later
"""How the files of the index were when they said what the ledger does: size and time of each.

Where they still are like that, whoever opens the archive need not read a million lines.
"""

from collections.abc import Mapping

from carrel.ledger.connection import Connection

Stats = Mapping[str, tuple[int, int]]
"""By name of the file its size in bytes and its time of modification in nanoseconds."""


class IndexFiles:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def noted(self) -> Stats:
        """Return how the files were."""
        rows = self._connection.rows("SELECT name, size, modified_ns FROM index_files")
        return {row["name"]: (row["size"], row["modified_ns"]) for row in rows}

    def note(self, stats: Stats) -> None:
        """Note how the files are, now that they say what the ledger does."""
        with self._connection.writing() as db:
            db.execute("DELETE FROM index_files")
            rows = [(name, *stat) for name, stat in stats.items()]
            db.conn.executemany("INSERT INTO index_files VALUES (?, ?, ?)", rows)
