# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the last verification of an attempt found that is intact by now: a run that found damage did
not find all intact, whatever was brought back since."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from carrel.ledger.absent_tables import answerable
from carrel.ledger.connection import Connection
from carrel.ledger.fixity_history import damages_of
from carrel.model.holdings import Damage

# Those of the attempts asked for that records may be behind which are intact again since then: few,
# of which each is looked at by itself.
_CANDIDATES = """
WITH mended AS MATERIALIZED (
    SELECT DISTINCT c.sha256, c.size FROM fixity_events AS e
    JOIN captures AS c ON c.record_id = e.record_id WHERE e.fate = 'intact' AND e.at >= :since
), same AS MATERIALIZED (
    SELECT k.record_id, k.ingest_id FROM mended JOIN captures AS k
        ON k.sha256 = mended.sha256 AND k.size = mended.size
), near AS (
    SELECT ingest_id FROM same
    UNION SELECT f.ingest_id FROM same JOIN files AS f ON f.capture_id = same.record_id
    UNION SELECT ingest_id FROM accompanying_fixity WHERE fate = 'intact' AND checked >= :since
)
SELECT DISTINCT h.ingest_id FROM near JOIN results AS r ON r.ingest_id = near.ingest_id
JOIN results AS h ON h.dataset_id = r.dataset_id
WHERE h.ingest_id IN (SELECT value FROM json_each(:asked))
"""
_RUN = """
SELECT max(coalesce(v.finished, v.started)) AS ended, max(v.failed) AS failed
FROM verifications AS v WHERE v.started = ?
"""


@dataclass(frozen=True, slots=True)
class Repaired:
    """How many records a run found that were not intact, and are again; the last since `at`."""

    records: int
    at: str


def repaired_since(connection: Connection, verified: Mapping[str, str]) -> dict[str, Repaired]:
    """Return, by attempt, what the run found that began when it was last `verified`, and that is
    intact again. Attempts of which that is nothing are left out. Raises ArchiveError."""
    if not verified or not connection.has_table("fixity_events"):
        return {}
    asked = {"since": min(verified.values()), "asked": json.dumps(list(verified))}
    candidates = connection.rows(answerable(connection, _CANDIDATES), asked)
    ids = [row["ingest_id"] for row in candidates]
    found = {each: _repaired(connection, each, verified[each]) for each in ids}
    return {each: it for each, it in found.items() if it is not None}


def _repaired(connection: Connection, ingest_id: str, started: str) -> Repaired | None:
    (run,) = connection.rows(answerable(connection, _RUN), [started])
    damages = damages_of(connection, ingest_id) if run["failed"] else []
    mended = {
        each.record: each.mended
        for each in damages
        if each.mended and _was_found_by(each, started, run["ended"])
    }
    return Repaired(len(mended), max(mended.values())) if mended else None


def _was_found_by(damage: Damage, started: str, ended: str) -> bool:
    """Say whether a record was not intact yet when a run read it: what the run itself found intact
    again, nothing was done to."""
    mended = damage.mended or ""
    return damage.found <= ended and (
        mended > ended or (mended >= started and bool(damage.mended_by))
    )
