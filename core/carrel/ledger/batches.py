# SPDX-License-Identifier: AGPL-3.0-or-later
"""The lists that were queued as batches, and how far the jobs of each are."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from carrel.ledger.connection import Connection, Row
from carrel.ledger.jobs import REMOVED_COUNTS
from carrel.ledger.recognition import HAS_DOI
from carrel.ledger.resting import BUNDLE
from carrel.model import IngestOptions, Job, JobState, Status
from carrel.model.batch import BadLine, HostPace, LeftOut, ListedBatch
from carrel.model.iso_time import seconds_between

# More bad lines than this no one corrects; how many there are is kept anyway.
_MOST_PROBLEMS = 10_000
_MERGED = """
INSERT INTO batches (name, source, kind, added, total, problem_count, duplicate_count, problems,
    options, archived_before)
VALUES (:name, :source, :kind, :added, :total, :problem_count, :duplicate_count, :problems,
    :options, :archived_before)
ON CONFLICT (name) DO UPDATE SET source = :source, kind = :kind, added = :added,
    total = total + :total, problem_count = problem_count + :problem_count,
    duplicate_count = duplicate_count + :duplicate_count, problems = :problems, options = :options,
    archived_before = :archived_before
"""
_COUNTS = """
SELECT batch, state, status, count(*) AS number FROM jobs WHERE batch IS NOT NULL
GROUP BY batch, state, status
"""
# The host is what stands between "://" and the next slash.
_PACES = """
WITH by_host AS (
    SELECT batch, state, started, finished,
        substr(base_url, instr(base_url, '://') + 3) || '/' AS place
    FROM jobs WHERE batch IN (SELECT batch FROM jobs WHERE state IN ('queued', 'running')))
SELECT batch, substr(place, 1, instr(place, '/') - 1) AS host,
    sum(state IN ('queued', 'running')) AS waiting,
    sum(finished >= :since AND state IN ('done', 'failed', 'asking')) AS ended,
    min(CASE WHEN finished >= :since OR state = 'running' THEN max(started, :since) END) AS began
FROM by_host GROUP BY 1, 2
"""


_WHOLE = "h.is_complete = 1 AND h.failed = 0 AND h.is_removed = 0"
_ARCHIVED = f"""
SELECT asked.value FROM json_each(?) AS asked
WHERE EXISTS (SELECT 1 FROM results AS r JOIN holdings AS h USING (dataset_id)
        WHERE r.base_url = asked.value AND r.hit = 1 AND {_WHOLE})
    OR EXISTS (SELECT 1 FROM holdings AS h WHERE {HAS_DOI} AND {_WHOLE})
"""  # noqa: S608
# Files in a bundle rest on the record of it: on one that is intact, if there are several.
_KEPT = f"""
WITH asked AS MATERIALIZED (
    SELECT each.value AS ingest_id, (
        SELECT c.record_id FROM captures AS c LEFT JOIN record_fixity AS y USING (record_id)
        WHERE NOT c.is_revisit AND c.sha256 = {BUNDLE.format(ingest_id="each.value")}
        ORDER BY coalesce(y.fate, 'intact') = 'intact' DESC LIMIT 1
    ) AS bundle_id FROM json_each(?) AS each
)
SELECT kept.*, json_extract(r.result, '$.proof.digest') AS compared FROM (
    SELECT f.ingest_id, count(*) AS files, count(f.sha256) AS with_sha256,
        min(x.checked) AS checked, count(x.record_id) AS read_count,
        coalesce(sum(x.fate <> 'intact'), 0) AS faults
    FROM asked CROSS JOIN files AS f ON f.ingest_id = asked.ingest_id
    LEFT JOIN record_fixity AS x ON x.record_id = coalesce(f.capture_id, asked.bundle_id)
    WHERE f.status LIKE 'success%' GROUP BY f.ingest_id
) AS kept LEFT JOIN results AS r USING (ingest_id)
"""  # noqa: S608


# What several attempts brought anew is one file.
_BROUGHT = """
WITH asked AS (SELECT value FROM json_each(?)), attempts AS (
    SELECT r.ingest_id, coalesce(r.dataset_id, r.base_url) AS dataset
    FROM asked CROSS JOIN results AS r ON r.ingest_id = asked.value
    UNION
    SELECT r.ingest_id, coalesce(r.dataset_id, r.base_url) AS dataset
    FROM asked CROSS JOIN results AS r
        ON r.ingest_id > asked.value || '.' AND r.ingest_id < asked.value || '/'
), brought AS (
    SELECT max(f.size) AS size FROM attempts CROSS JOIN files AS f USING (ingest_id)
    WHERE f.status LIKE 'success%' AND f.status <> 'success-existing'
    GROUP BY attempts.dataset, f.path, coalesce(f.sha256, f.ingest_id || '/' || f.position)
)
SELECT count(*) AS files, coalesce(sum(size), 0) AS size FROM brought
"""


@dataclass(frozen=True, slots=True)
class Brought:
    """How many files came that were not here before, and how large these are."""

    files: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class KeptFiles:
    """What an attempt keeps: how many files, how many `compared` equal with a published checksum
    (None: not told), of how many the SHA-256 is recorded, how many are known to be damaged or
    missing, and since when all of them were read again (None: not all)."""

    files: int
    compared: int | None
    with_sha256: int
    faults: int
    checked: str | None


class Batches:
    """Threads may share it. Raises ArchiveError where the ledger cannot be read or written."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, batch: ListedBatch) -> None:
        """Keep what a list was; one of the same name adds to what is kept, the same bad line once.

        `total` of a list that adds is how many of its datasets the batch had not.
        """
        known = self.get(batch.name)
        old = known.problems if known else ()
        new = [each for each in batch.problems if each not in set(old)]
        count = batch.problem_count - (len(batch.problems) - len(new))
        problems = (*old, *new)[:_MOST_PROBLEMS]
        before: dict[str, LeftOut] = {}
        for each in (*(known.archived_before if known else ()), *batch.archived_before):
            before.setdefault(each.base_url, each)
        merged = replace(batch, problem_count=count, archived_before=tuple(before.values()))
        with self._connection.writing() as db:
            db.execute(_MERGED, _row(merged, problems))

    def get(self, name: str) -> ListedBatch | None:
        rows = self._connection.rows("SELECT * FROM batches WHERE name = ?", [name])
        return _batch(rows[0]) if rows else None

    def all(self) -> Sequence[ListedBatch]:
        """Return every list that was queued, the last first, without its bad lines and what was
        archived before."""
        rows = self._connection.rows(
            "SELECT *, '[]' AS problems, '[]' AS archived_before FROM batches"
            " ORDER BY added DESC, name DESC"
        )
        return [_batch(row) for row in rows]

    def forget(self, name: str) -> None:
        """Forget a list, and the jobs of it that were removed; its other jobs stay."""
        with self._connection.writing() as db:
            db.execute("DELETE FROM removed_jobs WHERE batch = ?", [name])
            db.execute("DELETE FROM batches WHERE name = ?", [name])

    def counts(self) -> Mapping[str, Mapping[tuple[JobState, Status | None], int]]:
        """Return, by batch, how many jobs are in which state with which outcome."""
        counts: dict[str, dict[tuple[JobState, Status | None], int]] = {}
        for row in self._connection.rows(_COUNTS):
            status = Status(row["status"]) if row["status"] else None
            counts.setdefault(row["batch"], {})[JobState(row["state"]), status] = row["number"]
        return counts

    def removed_counts(self) -> Mapping[str, Mapping[JobState, int]]:
        """Return, by batch, how many jobs that ended how were removed from the queue's list."""
        counts: dict[str, dict[JobState, int]] = {}
        for row in self._connection.rows(REMOVED_COUNTS):
            counts.setdefault(row["batch"], {})[JobState(row["state"])] = row["number"]
        return counts

    def kept_files(self, ingest_ids: Sequence[str]) -> Mapping[str, KeptFiles]:
        """Return, by attempt, what those that keep something keep."""
        return {
            row["ingest_id"]: KeptFiles(
                row["files"],
                row["compared"],
                row["with_sha256"],
                row["faults"],
                row["checked"] if row["read_count"] == row["files"] else None,
            )
            for row in self._connection.rows(_KEPT, [json.dumps(list(ingest_ids))])
        }

    def brought(self, jobs: Sequence[Job]) -> Brought:
        """Return what all attempts of jobs brought together, each file once."""
        names = ((job.job_id, job.ingest_id) for job in jobs)  # of attempts, and how they begin
        asked = {name for pair in names for name in pair if name}
        (row,) = self._connection.rows(_BROUGHT, [json.dumps(sorted(asked))])
        return Brought(row["files"], row["size"])

    def archived(self, base_urls: Sequence[str]) -> frozenset[str]:
        """Return those of these addresses under which a dataset was archived, or whose DOI it has,
        that is held whole: neither removed nor damaged since."""
        return frozenset(self._connection.column(_ARCHIVED, [json.dumps(list(base_urls))]))

    def paces(self, since: str, now: str) -> Mapping[str, Sequence[HostPace]]:
        """Return, by batch that is not at its end, how it got on at each host between two moments
        (aware UTC, ISO 8601)."""
        paces: dict[str, list[HostPace]] = {}
        for row in self._connection.rows(_PACES, {"since": since}):
            span_s = seconds_between(row["began"], now) if row["began"] else 0.0
            pace = HostPace(row["host"], row["waiting"], row["ended"] or 0, max(0.0, span_s))
            paces.setdefault(row["batch"], []).append(pace)
        return paces


def _row(batch: ListedBatch, problems: Sequence[BadLine]) -> Row:
    return {
        "name": batch.name,
        "source": batch.source,
        "kind": batch.kind,
        "added": batch.added,
        "total": batch.total,
        "problem_count": batch.problem_count,
        "duplicate_count": batch.duplicate_count,
        "problems": json.dumps([[each.line, each.text, each.message] for each in problems]),
        "options": json.dumps(batch.options.to_json()),
        "archived_before": json.dumps([_kept_of(it) for it in batch.archived_before]),
    }


def _batch(row: Row) -> ListedBatch:
    return ListedBatch(
        **{
            **row,
            "problems": tuple(BadLine(*each) for each in json.loads(row["problems"])),
            "options": IngestOptions.from_json(json.loads(row["options"])),
            "archived_before": tuple(map(_left_out, json.loads(row["archived_before"]))),
        }
    )


def _kept_of(left_out: LeftOut) -> list[Any]:
    told = [left_out.base_url, left_out.line]
    return [*told, True] if left_out.was_queued else told


def _left_out(kept: str | list[Any]) -> LeftOut:
    """Return a dataset that was left out; earlier versions of Carrel kept the address alone."""
    return LeftOut(kept) if isinstance(kept, str) else LeftOut(*kept)
