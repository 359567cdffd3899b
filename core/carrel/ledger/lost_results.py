# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results that were lost with the WARC that they stood in, when the ledger was made again.

The journal tells that the attempt ended, and how; what it says of its files comes back with the
WARC.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from carrel.ledger.adoption import add_files, note_earlier_platform, settle_attempt
from carrel.ledger.catalogue import Catalogue
from carrel.ledger.connection import Connection
from carrel.ledger.datasets import assign
from carrel.model.standing import LostRecord

if TYPE_CHECKING:
    from sqlite_utils import Database

# The planner would rather read all results than the index of the few that are meant.
_LOST = """
SELECT ingest_id, base_url FROM results INDEXED BY results_lost
WHERE finished IS NOT NULL AND result IS NULL
ORDER BY rowid
"""
_WARCS = """
SELECT DISTINCT c.filename FROM results AS r CROSS JOIN captures AS c ON c.ingest_id = r.ingest_id
WHERE r.finished IS NOT NULL AND r.result IS NULL ORDER BY c.filename
"""
# Of a dataset that is listed no one misses a result, nor of one that was archived again by another
# address. An attempt that failed is settled by any later one: it may have archived nothing. That of
# which only captures tell has the status of one whose bytes cannot be read back.
_UNLISTED = """
SELECT r.base_url AS address,
    coalesce((SELECT min(j.title) FROM jobs AS j WHERE j.base_url = r.base_url), '') AS title,
    coalesce(
        (SELECT max(c.filename) FROM captures AS c WHERE c.ingest_id = r.ingest_id), '') AS warc
FROM results AS r INDEXED BY results_lost
WHERE r.finished IS NOT NULL AND r.result IS NULL
    AND NOT EXISTS (SELECT 1 FROM holdings AS h WHERE h.dataset_id = r.dataset_id)
    AND NOT EXISTS (
        SELECT 1 FROM captures AS c JOIN results AS o ON o.ingest_id = c.ingest_id
        WHERE c.url = r.base_url AND o.hit = 1 AND o.result IS NOT NULL)
    AND (r.hit = 1 OR r.status = 'store-damaged' OR NOT EXISTS (
        SELECT 1 FROM results AS o
        WHERE o.dataset_id = r.dataset_id AND o.rowid > r.rowid AND o.result IS NOT NULL))
GROUP BY r.dataset_id ORDER BY r.rowid
"""
# The row of what was found of a dataset lacks its manifest, which is that of the attempt then; of
# several that ended in one second, of the last.
_DESCRIBED = """
SELECT p.rowid FROM results AS own JOIN requests AS q ON q.id = own.request_id
JOIN ingest_fileset_platform AS p ON p.base_url = own.base_url AND p.ingest_type = q.ingest_type
WHERE own.ingest_id = ? AND p.updated = own.finished AND NOT EXISTS (
    SELECT 1 FROM results AS r JOIN requests AS s ON s.id = r.request_id
    WHERE r.base_url = p.base_url AND r.finished = p.updated AND s.ingest_type = p.ingest_type
        AND r.rowid > own.rowid)
"""
_MANIFEST = "UPDATE ingest_fileset_platform SET manifest = ? WHERE rowid = ?"
# How an attempt ended that only captures tell of is known from its result alone.
_FROM_WARCS = """
SELECT 1 FROM results
WHERE ingest_id = ? AND finished IS NOT NULL AND result IS NULL AND status = 'store-damaged'
"""
# Which attempt holds what Holdings lists of a dataset at which such an attempt was.
_LISTED = """
SELECT r.ingest_id, h.ingest_id AS held FROM results AS r INDEXED BY results_lost
JOIN holdings AS h ON h.dataset_id = r.dataset_id
WHERE r.finished IS NOT NULL AND r.result IS NULL
"""
_BROUGHT_BACK = "UPDATE results SET result = ? WHERE ingest_id = ? AND result IS NULL"


class LostResults:
    """Threads may share it. Raises ArchiveError."""

    def __init__(self, connection: Connection, catalogue: Catalogue) -> None:
        self._connection, self._catalogue = connection, catalogue

    def addresses(self) -> Mapping[str, str]:
        """Return the address that was requested in each attempt whose result is lost, by its id."""
        return {row["ingest_id"]: row["base_url"] for row in self._connection.rows(_LOST)}

    def listed(self) -> Mapping[str, str]:
        """Return, by the id of such an attempt, that of the one by which Holdings lists its
        dataset; those that it does not list are left out."""
        return {row["ingest_id"]: row["held"] for row in self._connection.rows(_LISTED)}

    def warcs(self) -> list[str]:
        """Return the names of the WARCs with captures of such attempts."""
        return self._connection.column(_WARCS)

    def datasets(self) -> list[LostRecord]:
        """Return the datasets that are not listed, since nothing but such an attempt tells of
        their files."""
        return [LostRecord(**row) for row in self._connection.rows(_UNLISTED)]

    def bring_back(self, results: Mapping[str, Mapping[str, Any]]) -> None:
        """Put results back, each by the id of its attempt; all or none."""
        dataset_ids = set()
        with self._connection.writing() as db:
            for ingest_id, result in results.items():
                text = json.dumps(result)
                if self._connection.rows(_FROM_WARCS, [ingest_id]):
                    settle_attempt(self._connection, db, ingest_id, text)
                    note_earlier_platform(db, result)
                elif not db.execute(_BROUGHT_BACK, [text, ingest_id]).rowcount:
                    continue
                add_files(self._connection, db, ingest_id, text, None)
                self._describe(db, ingest_id, result)
                dataset_ids.add(assign(db, ingest_id))
            self._catalogue.update(db, dataset_ids)

    def _describe(self, db: "Database", ingest_id: str, result: Mapping[str, Any]) -> None:
        for number in self._connection.column(_DESCRIBED, [ingest_id]):
            db.execute(_MANIFEST, [json.dumps(result["manifest"]), number])
