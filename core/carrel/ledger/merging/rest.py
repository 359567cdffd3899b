# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a ledger says that belongs to no single attempt: the queue and its lists, what is watched,
formats, and what people added to datasets since their attempts were merged."""

from collections.abc import Callable
from itertools import count

from sqlite_utils import Database

from carrel.ledger.connection import Connection, Row, insert_many
from carrel.ledger.formats import sum_up
from carrel.ledger.merging import attempts, notes
from carrel.ledger.merging.columns import Columns
from carrel.ledger.merging.datasets import Pairing
from carrel.translation import tr

_SLICE = 500


class Rest:
    """Each part can be put in again: what is here stays as it is."""

    def __init__(
        self,
        connection: Connection,
        columns: Columns,
        pairing: Pairing,
        update: Callable[..., None],
    ) -> None:
        self._connection, self._columns, self._pairing = connection, columns, pairing
        self._update = update

    def put_formats(self) -> None:
        """Put in the formats of contents; the one that was identified last counts."""
        with self._connection.writing() as db:
            dataset_ids = self._connection.column(notes.NEWER_FORMATS)
            db.execute(self._columns.fill(notes.FORMATS, "formats", key=("sha256", "extension")))
            for dataset_id in dataset_ids:
                sum_up(db, dataset_id)

    def put_in(self) -> None:
        """Put in all the others, at once."""
        with self._connection.writing() as db:
            key = ("ingest_type", "base_url")
            sql = self._columns.fill(notes.PLATFORMS, "ingest_fileset_platform", key=key)
            db.execute(sql.replace("{from}", notes.ALL_PLATFORMS))
            self._put_batches(db)
            self._put_jobs(db)
            db.execute(self._columns.fill(notes.WATCHED, "watched"))
            db.execute(notes.STILL_WATCHED)
            self._pairing.pair_all(db)
            made_there = self._connection.column(attempts.MADE_THERE)
            db.execute(attempts.NOT_IMPORTED)
            changed = [*made_there, *self._pairing.curate(db)]
            for start in range(0, len(changed), _SLICE):
                self._update(db, changed[start : start + _SLICE])

    def _put_batches(self, db: Database) -> None:
        """Put in the lists; one whose name another list has here gets a number."""
        db.execute(notes.BATCH_NAMES)
        db.execute("DELETE FROM batch_names")
        for row in self._connection.rows("SELECT * FROM source.batches ORDER BY added, name"):
            name = self._free_name(row)
            pair = [row["name"], name]
            db.execute("INSERT INTO batch_names VALUES (?, ?)", pair)
            insert_many(db, "batches", [{**row, "name": name}], ignore=True)

    def _free_name(self, row: Row) -> str:
        """Return what a list is called here: as there, unless another one is called so."""
        for number in count(1):
            name = f"{row['name']} ({number})" if number > 1 else str(row["name"])
            there = self._connection.rows("SELECT * FROM main.batches WHERE name = ?", [name])
            if not there or {**there[0], "name": row["name"]} == row:
                return name
        raise AssertionError("numbers do not end")

    def _put_jobs(self, db: Database) -> None:
        (last,) = self._connection.column("SELECT coalesce(max(position), 0) FROM main.jobs")
        but = ("position", "batch", "ingest_id")
        as_merged = (*but, *("state", "question", "finished", "status", "message"))
        counts = ("kept_count", "kept_size")
        sql = self._columns.fill(notes.JOBS, "jobs", but=(*as_merged, *counts))
        said = {
            "paused": tr("Paused when its archive was merged into this one."),
            "begun": tr("Its unfinished downloads stayed in the source archive."),
        }
        sql = sql.replace("{open}", notes.OPEN).replace("{new}", notes.NEW)
        db.execute(sql, {"last": last, **said})
        sql = self._columns.fill(notes.REMOVED_JOBS, "removed_jobs", but=but)
        db.execute(sql, {"last": last})
        for sql in (notes.REMOVED_ALONE, notes.REMOVE, *notes.NOT_REMOVED):
            db.execute(sql)
