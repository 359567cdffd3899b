# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results that were lost with the WARC that they stood in, when the ledger was made again.

The journal tells that the attempt ended, and how; what it says of its files comes back with the
WARC.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from carrel.ledger.adoption import add_files
from carrel.ledger.catalogue import Catalogue
from carrel.ledger.connection import Connection
from carrel.ledger.datasets import assign

if TYPE_CHECKING:
    from sqlite_utils import Database

_LOST = """
SELECT ingest_id, base_url FROM results WHERE finished IS NOT NULL AND result IS NULL
ORDER BY rowid
"""
_WARCS = """
SELECT DISTINCT c.filename FROM results AS r CROSS JOIN captures AS c ON c.ingest_id = r.ingest_id
WHERE r.finished IS NOT NULL AND r.result IS NULL ORDER BY c.filename
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
_BROUGHT_BACK = "UPDATE results SET result = ? WHERE ingest_id = ? AND result IS NULL"


class LostResults:
    """Threads may share it. Raises ArchiveError."""

    def __init__(self, connection: Connection, catalogue: Catalogue) -> None:
        self._connection, self._catalogue = connection, catalogue

    def addresses(self) -> Mapping[str, str]:
        """Return the address that was requested in each attempt whose result is lost, by its id."""
        return {row["ingest_id"]: row["base_url"] for row in self._connection.rows(_LOST)}

    def warcs(self) -> list[str]:
        """Return the names of the WARCs with captures of such attempts."""
        return self._connection.column(_WARCS)

    def bring_back(self, results: Mapping[str, Mapping[str, Any]]) -> None:
        """Put results back, each by the id of its attempt; all or none."""
        with self._connection.writing() as db:
            for ingest_id, result in results.items():
                text = json.dumps(result)
                if db.execute(_BROUGHT_BACK, [text, ingest_id]).rowcount:
                    add_files(self._connection, db, ingest_id, text, None)
                    self._describe(db, ingest_id, result)
                    self._catalogue.update(db, [assign(db, ingest_id)])

    def _describe(self, db: "Database", ingest_id: str, result: Mapping[str, Any]) -> None:
        for number in self._connection.column(_DESCRIBED, [ingest_id]):
            db.execute(_MANIFEST, [json.dumps(result["manifest"]), number])
