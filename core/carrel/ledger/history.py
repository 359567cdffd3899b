# SPDX-License-Identifier: AGPL-3.0-or-later
"""What happened to one dataset in this archive: every ingest of it, and every fixity run."""

from carrel.ledger.absent_tables import answerable
from carrel.ledger.attempts import BROUGHT, KEPT
from carrel.ledger.connection import Connection
from carrel.ledger.fixity_history import damages_of
from carrel.ledger.last_verified import here_since_sql, read_all_sql
from carrel.model.holdings import Attempt, Check, History
from carrel.model.status import Status

# In the order in which they came into this archive: what was imported has the dates of another one.
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
        AS is_held,
    (SELECT i.at FROM imports AS i WHERE i.ingest_id = r.ingest_id) AS imported
FROM results AS r WHERE r.dataset_id = ? AND r.finished IS NOT NULL
ORDER BY r.rowid
"""  # noqa: S608
# Of the whole archive those since something of the dataset is here.
_CHECKS = f"""
SELECT v.started, v.records, v.failed, v.ingest_id IS NULL AS is_of_all,
    nullif(read.platform_version, held.platform_version) AS version,
    held.ingest_id IS NULL OR v.ingest_id IS h.ingest_id
        OR {read_all_sql("coalesce(held.added, held.archived)")} AS is_of_held
FROM verifications AS v LEFT JOIN results AS read ON read.ingest_id = v.ingest_id
LEFT JOIN holdings AS held ON held.dataset_id = :dataset_id
LEFT JOIN results AS h ON h.ingest_id = held.ingest_id
WHERE v.ingest_id IN (SELECT ingest_id FROM results WHERE dataset_id = :dataset_id)
    OR v.ingest_id IS NULL AND v.started >= (
        SELECT min({here_since_sql("r.finished", of="r")}) FROM results AS r
        WHERE r.dataset_id = :dataset_id AND {KEPT} > 0)
ORDER BY v.started
"""  # noqa: S608


def history_of(connection: Connection, dataset_id: int) -> History:
    """Return what happened to a dataset. Raises ArchiveError where the ledger cannot be read."""
    attempts = connection.rows(answerable(connection, _ATTEMPTS), [dataset_id])
    checks = connection.rows(answerable(connection, _CHECKS), {"dataset_id": dataset_id})
    return History(
        [Attempt(**{**row, **_typed(row)}) for row in attempts],
        [Check(**{**row, **_flags(row)}) for row in checks],
        damages_of(connection, attempts[-1]["ingest_id"]) if attempts else (),
    )


def _flags(row: dict[str, object]) -> dict[str, bool]:
    return {name: bool(row[name]) for name in ("is_of_all", "is_of_held")}


def _typed(row: dict[str, object]) -> dict[str, object]:
    is_held, brought = bool(row["is_held"]), bool(row["brought"])
    return {"status": Status(str(row["status"])), "is_held": is_held, "brought": brought}
