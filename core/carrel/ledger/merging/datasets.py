# SPDX-License-Identifier: AGPL-3.0-or-later
"""Datasets that two ledgers know: one here, with the attempts, tags and notes of both."""

from itertools import groupby
from operator import itemgetter

from sqlite_utils import Database

from carrel.ledger.connection import Connection
from carrel.ledger.datasets import assign
from carrel.ledger.merging import attempts

_REMOVED = """
SELECT p.target_id, d.removed, p.target_id > ? AS is_new FROM paired AS p
JOIN source.datasets AS d ON d.dataset_id = p.source_id
"""
_REMOVE = "UPDATE datasets SET removed = ? WHERE dataset_id = ?"
_NOTE = """
UPDATE datasets SET note = trim(note || char(10) || ?, char(10)) WHERE dataset_id = ?
"""


class Pairing:
    """Which dataset of the source is which one here."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def assign(self, db: Database) -> list[int]:
        """Note which datasets the attempts of the chunk are at, and return these."""
        column = self._connection.column
        (before,) = column("SELECT coalesce(max(dataset_id), 0) FROM main.datasets")
        for ingest_id in column("SELECT ingest_id FROM chunk ORDER BY number"):
            assign(db, ingest_id)
        db.execute(attempts.PAIRED)
        self._note_removed(db, before)
        self.curate(db)
        self._put_in_order(db)
        return column("SELECT DISTINCT target_id FROM paired ORDER BY target_id")

    def curate(self, db: Database) -> list[int]:
        """Bring tags and notes of the paired datasets along; return which have new ones."""
        last = "SELECT coalesce(max(number), 0) FROM unjournaled"
        (before,) = self._connection.column(last)
        db.execute(attempts.TAGS)
        for row in self._connection.rows(attempts.NOTES):
            db.execute(_NOTE, [row["note"], row["target_id"]])
        changed = (
            "SELECT DISTINCT json_extract(key, '$[0]') FROM unjournaled WHERE number > ?"
            " AND tab IN ('datasets', 'dataset_tags')"
        )
        return self._connection.column(changed, [before])

    def pair_all(self, db: Database) -> None:
        """Pair all datasets of the source that people added something to."""
        db.execute("DELETE FROM paired")
        db.execute(attempts.ALL_PAIRED)

    def _note_removed(self, db: Database, before: int) -> None:
        """Have a dataset removed only if it is in both, where both know it."""
        for row in self._connection.rows(_REMOVED, [before]):
            if row["is_new"] or row["removed"] is None:
                db.execute(_REMOVE, [row["removed"], row["target_id"]])

    def _put_in_order(self, db: Database) -> None:
        """Have the newest attempt at a dataset that others are at, too, stand last: what is held of
        it follows from their order."""
        rows = self._connection.rows(attempts.INTERLEAVED)
        for _, group in groupby(rows, key=itemgetter("dataset_id")):
            some = list(group)
            numbers = [row["number"] for row in some]
            if numbers != sorted(numbers):
                self._renumber(db, [row["ingest_id"] for row in some])

    def _renumber(self, db: Database, ingest_ids: list[str]) -> None:
        for ingest_id in ingest_ids:
            db.execute(
                "UPDATE main.results SET rowid = (SELECT max(rowid) + 1 FROM main.results)"
                " WHERE ingest_id = ?",
                [ingest_id],
            )
