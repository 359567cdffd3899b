# SPDX-License-Identifier: AGPL-3.0-or-later
"""Recognising a dataset, however it is requested, among those that are held."""

import json
from collections.abc import Collection
from dataclasses import dataclass

from carrel.ledger.attempts import KEPT, confirmed
from carrel.ledger.connection import Connection

# Whether an address `asked` is that of the DOI of a holding `h`, however that was requested.
HAS_DOI = """
asked.value LIKE 'https://doi.org/10.%' AND h.identifier = substr(asked.value, 17) COLLATE NOCASE
"""
# Every way in has an index. Of what is found, the platform's own word comes before an address, and
# the version looked for before others; then as everywhere else: the newest that succeeded, or else
# what kept most. Results of earlier days may have a DOI's address as their identifier.
_NEWEST = f"""
WITH sought AS (
    SELECT held.rowid AS number, 0 AS is_named FROM json_each(:addresses) AS asked
    CROSS JOIN results AS held ON held.base_url = asked.value
    UNION ALL
    SELECT held.rowid, 0 FROM json_each(:addresses) AS asked
    CROSS JOIN holdings AS h ON {HAS_DOI}
    JOIN results AS held ON held.ingest_id = h.ingest_id
    UNION ALL
    SELECT rowid, 1 FROM results
    WHERE platform_name = :name AND platform_domain = :domain
        AND platform_id IN (:id, 'https://doi.org/' || :id)
), attempts AS (
    SELECT r.rowid AS number, r.hit AS hit,
        max(is_named) AS is_named, r.platform_version IS :version AS is_version,
        {KEPT} AS kept
    FROM sought CROSS JOIN results AS r ON r.rowid = sought.number
    WHERE r.finished IS NOT NULL
    GROUP BY r.rowid
)
SELECT number FROM attempts WHERE kept > 0
ORDER BY is_named DESC, is_version DESC, hit DESC, kept DESC, number DESC LIMIT 1
"""  # noqa: S608
_ID = "SELECT ingest_id FROM results WHERE rowid = ?"


@dataclass(frozen=True, slots=True)
class Marks:
    """What a dataset is recognised by: addresses that it was requested by or leads to, and what
    its platform calls it, as far as that is known. `version` comes before others."""

    addresses: Collection[str]
    platform_name: str | None = None
    platform_domain: str | None = None
    platform_id: str | None = None
    version: str | None = None


def newest_holding(connection: Connection, marks: Marks) -> str | None:
    """Return the id of the attempt that keeps what is held of a dataset, None if nothing is.

    Raises ArchiveError where the ledger cannot be read.
    """
    values = {
        "addresses": json.dumps(list(marks.addresses)),
        "name": marks.platform_name,
        "domain": marks.platform_domain,
        "id": marks.platform_id,
        "version": marks.version,
    }
    for row in connection.rows(_NEWEST, values):
        number = row["number"]
        number = confirmed(connection, [number]).get(number, number)
        return str(connection.rows(_ID, [number])[0]["ingest_id"])
    return None
