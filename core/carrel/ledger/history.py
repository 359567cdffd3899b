# SPDX-License-Identifier: AGPL-3.0-or-later
"""What happened to one dataset in this archive: every ingest of it, and every fixity run."""

from carrel.ledger.attempts import BROUGHT
from carrel.ledger.connection import Connection
from carrel.ledger.fixity_history import damages_of
from carrel.model.holdings import Attempt, Check, History
from carrel.model.status import Status

_ATTEMPTS = f"""
SELECT r.ingest_id, r.base_url, r.started, r.finished, r.status, r.platform_version AS version,
    (SELECT count(*) FROM files AS f WHERE f.ingest_id = r.ingest_id) AS file_count,
    (SELECT count(*) FROM files AS f
        WHERE f.ingest_id = r.ingest_id AND f.status LIKE 'success%') AS kept_count,
    (SELECT coalesce(sum(size), 0) FROM files AS f
        WHERE f.ingest_id = r.ingest_id AND f.status LIKE 'success%') AS kept_size,
    {BROUGHT} AS brought,
    (SELECT count(*) FROM files AS f WHERE f.ingest_id = r.ingest_id
        AND f.status LIKE 'success%' AND f.status <> 'success-existing') AS brought_count,
    r.ingest_id = (SELECT h.ingest_id FROM holdings AS h WHERE h.dataset_id = r.dataset_id)
        AS is_held
FROM results AS r WHERE r.dataset_id = ? AND r.finished IS NOT NULL
ORDER BY r.started, r.rowid
"""  # noqa: S608
_CHECKS = """
SELECT started, records, failed, ingest_id IS NULL AS is_of_all FROM verifications AS v
WHERE v.ingest_id IN (SELECT ingest_id FROM results WHERE dataset_id = :dataset_id)
    OR v.ingest_id IS NULL AND v.started >= (
        SELECT min(finished) FROM results WHERE dataset_id = :dataset_id)
ORDER BY started
"""


def history_of(connection: Connection, dataset_id: int) -> History:
    """Return what happened to a dataset. Raises ArchiveError where the ledger cannot be read."""
    attempts = connection.rows(_ATTEMPTS, [dataset_id])
    checks = connection.rows(_CHECKS, {"dataset_id": dataset_id})
    return History(
        [Attempt(**{**row, **_typed(row)}) for row in attempts],
        [Check(**{**row, "is_of_all": bool(row["is_of_all"])}) for row in checks],
        damages_of(connection, attempts[-1]["ingest_id"]) if attempts else (),
    )


def _typed(row: dict[str, object]) -> dict[str, object]:
    is_held, brought = bool(row["is_held"]), bool(row["brought"])
    return {"status": Status(str(row["status"])), "is_held": is_held, "brought": brought}
