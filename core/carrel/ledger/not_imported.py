# SPDX-License-Identifier: AGPL-3.0-or-later
"""Records that imported results rest on, and that no WARC that was imported has.

Each is listed as a capture that is missing, so that whoever asks for a file of it is told. Once any
record has its bytes the files rest on that one, and the ledger lists it no longer.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from carrel.ledger.connection import Connection, insert_many
from carrel.model import Capture, Fate
from carrel.model.iso_time import iso_now
from carrel.model.not_imported import NOT_IMPORTED, WAS_NOT_IMPORTED

if TYPE_CHECKING:
    from sqlite_utils import Database

IS_NOT_IMPORTED = f"filename GLOB '{NOT_IMPORTED}*'"
# The newest of those records that has the place that the result tells, else the newest.
_HERE_BY_NOW = f"""
WITH lacking AS MATERIALIZED (SELECT * FROM captures WHERE {IS_NOT_IMPORTED}), ranked AS (
    SELECT lacking.record_id, lacking.ingest_id, h.record_id AS found_id,
        row_number() OVER (PARTITION BY lacking.record_id ORDER BY
            h.url = lacking.url AND h.timestamp = lacking.timestamp DESC, h.timestamp DESC) AS place
    FROM lacking CROSS JOIN captures AS h ON h.sha256 = lacking.sha256
        AND h.size = lacking.size AND NOT h.is_revisit AND NOT h.{IS_NOT_IMPORTED}
)
SELECT record_id, ingest_id, found_id FROM ranked WHERE place = 1
"""  # noqa: S608
# The journal tells of an attempt with its captures, of one of no attempt by itself: so does it tell
# that this one is there no longer.
_LET_GO = (
    "UPDATE files SET capture_id = :found_id WHERE capture_id = :record_id",
    """
    UPDATE captures SET ingest_id = :ingest_id WHERE record_id = :found_id AND ingest_id IS NULL
        AND (url, timestamp) = (SELECT url, timestamp FROM captures WHERE record_id = :record_id)
    """,
    "UPDATE captures SET ingest_id = NULL WHERE record_id = :record_id",
    "DELETE FROM record_fixity WHERE record_id = :record_id",
    "DELETE FROM fixity_events WHERE record_id = :record_id",
    "DELETE FROM captures WHERE record_id = :record_id",
    "UPDATE results SET finished = finished WHERE ingest_id = :ingest_id",
)


def note_not_imported(db: "Database", lacking: Mapping[str, Iterable[Capture]]) -> None:
    """Note records that attempts rest on and that are not here, by the attempts' ids."""
    for ingest_id, captures in lacking.items():
        rows: Sequence[Mapping[str, Any]] = [
            {**each.to_fields(), "ingest_id": ingest_id} for each in captures
        ]
        insert_many(db, "captures", rows, ignore=True)
        noted = (
            {
                "record_id": row["record_id"],
                "checked": iso_now(),
                "fate": Fate.MISSING,
                "message": WAS_NOT_IMPORTED,
            }
            for row in rows
        )
        insert_many(db, "record_fixity", noted, ignore=True)


def let_go_of_found(connection: Connection, db: "Database") -> None:
    """Have files rest on the records with their bytes that came since, whoever brought them."""
    for row in connection.rows(_HERE_BY_NOW):
        for sql in _LET_GO:
            db.execute(sql, row)
