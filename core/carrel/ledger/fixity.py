# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fixity in the ledger: how each record was when it was last read, and what was read in whole."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from carrel.ledger.connection import Connection
from carrel.model import Fate

_NOTE = """
INSERT INTO record_fixity (record_id, checked, fate, message) VALUES (?, ?, ?, ?)
ON CONFLICT (record_id) DO UPDATE SET
    checked = excluded.checked, fate = excluded.fate, message = excluded.message
"""
# From the few records that are not intact to the attempts that rest on them: those whose files do,
# or that fetched them, by themselves or by a revisit that has its bytes there.
_FAULTS = """
WITH bad AS MATERIALIZED (
    SELECT x.record_id, x.checked, x.fate, x.message, c.ingest_id, c.sha256, c.size, c.is_revisit
    FROM record_fixity AS x JOIN captures AS c USING (record_id) WHERE x.fate <> 'intact'
), behind AS MATERIALIZED (
    SELECT record_id, record_id AS bad_id, ingest_id FROM bad
    UNION
    SELECT r.record_id, bad.record_id, r.ingest_id
    FROM bad JOIN captures AS r ON r.sha256 = bad.sha256 AND r.size = bad.size AND r.is_revisit
    WHERE NOT bad.is_revisit AND bad.record_id = (
        SELECT h.record_id FROM captures AS h
        WHERE h.sha256 = bad.sha256 AND h.size = bad.size AND NOT h.is_revisit
        ORDER BY h.timestamp LIMIT 1)
), resting AS (
    SELECT ingest_id, bad_id FROM behind
    UNION
    SELECT f.ingest_id, b.bad_id FROM behind AS b JOIN files AS f ON f.capture_id = b.record_id
)
SELECT resting.ingest_id AS ingest_id, count(*) AS failed,
    sum(bad.fate = 'missing') AS missing, max(bad.checked) AS found, min(bad.message) AS message
FROM resting JOIN bad ON bad.record_id = resting.bad_id
WHERE ? IS NULL OR resting.ingest_id IN (SELECT value FROM json_each(?))
GROUP BY resting.ingest_id
"""
_VERIFIED = """
SELECT asked.value AS ingest_id, max(
    coalesce((SELECT max(v.started) FROM verifications AS v WHERE v.ingest_id = asked.value), ''),
    coalesce((SELECT max(v.started) FROM verifications AS v
        WHERE v.ingest_id IS NULL AND v.started >= r.finished), '')) AS verified
FROM json_each(?) AS asked JOIN results AS r ON r.ingest_id = asked.value
"""


@dataclass(frozen=True, slots=True)
class RecordFixity:
    """How one record was when it was last read; `checked` is in UTC, ISO 8601."""

    record_id: str
    checked: str
    fate: Fate
    message: str = ""


@dataclass(frozen=True, slots=True)
class IngestFixity:
    """How the records that an attempt rests on were when each was last read.

    `verified` is when a run over all of them last began (UTC, ISO 8601), None if there was none. Of
    `failed` records `missing` are gone and the others damaged, the last of them found so at
    `found`; `message` is what was wrong with one of them.
    """

    verified: str | None = None
    failed: int = 0
    missing: int = 0
    found: str | None = None
    message: str = ""

    @property
    def fate(self) -> Fate | None:
        """The worst that is known; None if that is nothing, and not all was read."""
        if self.failed:
            return Fate.MISSING if self.missing else Fate.DAMAGED
        return Fate.INTACT if self.verified else None

    def to_json(self) -> dict[str, Any]:
        return {
            "fate": self.fate,
            "verified": self.verified,
            "failed": self.failed,
            "found": self.found,
            "message": self.message or None,
        }


class Fixity:
    """What fixity runs found. Threads may share it.

    A ledger that an older Carrel wrote, open for reading, has nothing of it.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def note(self, checks: Iterable[RecordFixity]) -> None:
        """Note how records were, all or none, instead of how they were before.

        Each record is one that the ledger has a capture of.
        """
        # In their order in the table, which is a fifth faster.
        rows = sorted(
            ((each.record_id, each.checked, each.fate, each.message) for each in checks),
            key=itemgetter(0),
        )
        with self._connection.writing() as db:
            db.conn.executemany(_NOTE, rows)

    def note_run(self, ingest_id: str | None, started: str, records: int, failed: int) -> None:
        """Note a run that read all that an attempt rests on, or all of the archive (None)."""
        row = {"ingest_id": ingest_id, "started": started, "records": records, "failed": failed}
        with self._connection.writing() as db:
            db.table("verifications").insert(row)

    def of_record(self, record_id: str) -> RecordFixity | None:
        """Return how a record was when it was last read, None if it never was."""
        if not self._is_there():
            return None
        sql = "SELECT record_id, checked, fate, message FROM record_fixity WHERE record_id = ?"
        for row in self._connection.rows(sql, [record_id]):
            return RecordFixity(**{**row, "fate": Fate(row["fate"])})
        return None

    def of_ingests(self, ingest_ids: Collection[str]) -> dict[str, IngestFixity]:
        """Return, by attempt, how what it rests on was; two questions, however many there are.

        Attempts that the ledger has no end of are left out.
        """
        if not self._is_there():
            return {}
        asked = [json.dumps(list(ingest_ids))]
        found = {
            row["ingest_id"]: IngestFixity(verified=row["verified"] or None)
            for row in self._connection.rows(_VERIFIED, asked)
        }
        for row in self._connection.rows(_FAULTS, asked * 2):
            ingest_id = row.pop("ingest_id")
            if ingest_id in found:
                found[ingest_id] = replace(found[ingest_id], **row)
        return found

    def faults(self) -> dict[str, IngestFixity]:
        """Return, by attempt, what is known to be damaged or missing; when it was all read is not
        asked. Attempts that have all that they rest on, as far as known, are left out.
        """
        if not self._is_there():
            return {}
        rows = self._connection.rows(_FAULTS, [None, None])
        return {row.pop("ingest_id"): IngestFixity(**row) for row in rows}

    def last_whole_run(self) -> str | None:
        """Return when the last run over the whole archive began, None if there was none."""
        if not self._is_there():
            return None
        sql = "SELECT max(started) AS started FROM verifications WHERE ingest_id IS NULL"
        rows: Sequence[dict[str, str | None]] = self._connection.rows(sql)
        return rows[0]["started"]

    def _is_there(self) -> bool:
        named = "SELECT 1 AS one FROM sqlite_master WHERE type = 'table' AND name = 'verifications'"
        return bool(self._connection.rows(named))
