# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files that what is held of a dataset lacks, and that another attempt at the same version has.

An attempt lists what is here already as that, so this is the case only where archives were merged
whose attempts knew nothing of each other.
"""

from carrel.ledger.connection import Connection, Row
from carrel.ledger.resting import BUNDLE, IS_ELSEWHERE

# Where no version is told, a published digest has to say that it is the same file. What is known to
# be lost is not here, by itself or with its bundle. The bare column is that of the first attempt
# that has it.
_LOST = f"""
    EXISTS (SELECT 1 FROM captures AS c JOIN record_fixity AS x USING (record_id)
        WHERE (c.record_id = o.capture_id OR o.capture_id IS NULL
            AND c.sha256 = {BUNDLE.format(ingest_id="o.ingest_id")})
        AND x.fate <> 'intact' AND NOT {IS_ELSEWHERE})
"""  # noqa: S608
_BESIDE = f"""
WITH lacking AS MATERIALIZED (
    SELECT f.position, f.path, f.size, f.md5, f.sha1, f.sha256 FROM files AS f
    WHERE f.ingest_id = :ingest_id AND coalesce(f.status, '') NOT LIKE 'success%'
        AND EXISTS (SELECT 1 FROM holdings AS h WHERE h.ingest_id = f.ingest_id)
), others AS MATERIALIZED (
    SELECT r.ingest_id, r.rowid AS number, r.platform_version IS NOT NULL AS is_told,
        o.path, o.size, o.md5, o.sha1, o.sha256
    FROM results AS own JOIN results AS r ON r.dataset_id = own.dataset_id
        AND r.ingest_id <> own.ingest_id AND r.platform_version IS own.platform_version
    JOIN files AS o ON o.ingest_id = r.ingest_id
    WHERE own.ingest_id = :ingest_id AND r.finished IS NOT NULL AND o.status LIKE 'success%'
        AND EXISTS (SELECT 1 FROM lacking)
        AND NOT {_LOST}
)
SELECT f.position, f.path, o.ingest_id, min(o.number) AS number
FROM lacking AS f JOIN others AS o ON o.path = f.path
    AND coalesce(o.size = f.size, 1) AND coalesce(o.md5 = f.md5, 1)
    AND coalesce(o.sha1 = f.sha1, 1) AND coalesce(o.sha256 = f.sha256, 1)
    AND (o.is_told OR o.md5 = f.md5 OR o.sha1 = f.sha1 OR o.sha256 = f.sha256)
GROUP BY f.position ORDER BY f.position
"""  # noqa: S608
_INCOMPLETE = """
SELECT ingest_id FROM holdings WHERE is_complete = 0 AND is_removed = 0 AND attempts > 1
"""


def files_beside(connection: Connection, ingest_id: str) -> list[Row]:
    """Return the `position` and `path` of each file that an attempt lacks which is what is held,
    and the `ingest_id` of the other one that has it."""
    if not connection.has_table("record_fixity"):
        return []
    rows = connection.rows(_BESIDE, {"ingest_id": ingest_id})
    return [{name: row[name] for name in ("position", "path", "ingest_id")} for row in rows]


def datasets_beside(connection: Connection) -> int:
    """Return of how many datasets what is held lacks such files."""
    held = connection.column(_INCOMPLETE)
    return sum(bool(files_beside(connection, each)) for each in held)
