# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results that were lost with the WARC that they stood in, when the ledger was made again.

The journal tells that the attempt ended, and how; what it says of its files comes back with the
WARC.
"""

import json
from collections.abc import Mapping
from typing import Any

from carrel.ledger.adoption import add_files, note_earlier_platform
from carrel.ledger.catalogue import Catalogue
from carrel.ledger.connection import Connection
from carrel.ledger.datasets import assign

_LOST = """
SELECT ingest_id, base_url FROM results WHERE finished IS NOT NULL AND result IS NULL
ORDER BY rowid
"""
_WARCS = """
SELECT DISTINCT c.filename FROM results AS r CROSS JOIN captures AS c ON c.ingest_id = r.ingest_id
WHERE r.finished IS NOT NULL AND r.result IS NULL ORDER BY c.filename
"""
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
                    note_earlier_platform(db, result)
                    self._catalogue.update(db, [assign(db, ingest_id)])
