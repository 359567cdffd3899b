# SPDX-License-Identifier: AGPL-3.0-or-later
"""When what an attempt keeps was last verified: all that was here then, by one run.

What came later at the same dataset, as a file that was archived again, was read back when it
arrived. It takes nothing from what was read before. What was imported or merged has the dates of
the archive that it came from: no run of this one read it before it came in.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass

from carrel.ledger.absent_tables import answerable
from carrel.ledger.accessions import accessions
from carrel.ledger.connection import Connection
from carrel.model.accession import Accession

MERGED = "ledger (sha256), on merging"
"""What a run compared with that read an attempt in its new place, as its archive was merged."""
# Whether run `v` over attempt `read` read all of attempt `h`: over another one it read nothing of
# what had come behind that at the dataset; an attempt that brought nothing takes nothing from it.
# One on merging read only what came with its own attempt.
_READ_ALL = f"""
(read.ingest_id = h.ingest_id OR v.compared IS NOT '{MERGED}' AND NOT EXISTS (
    SELECT 1 FROM results AS later
    WHERE later.dataset_id = h.dataset_id AND later.rowid > read.rowid
    AND later.finished <= v.started AND EXISTS (SELECT 1 FROM captures AS c
        WHERE c.ingest_id = later.ingest_id)))
"""  # noqa: S608

# When what attempt {of} rests on was imported or merged, "" if it was captured here. A revisit
# rests on any record with its bytes.
_CAME_IN = f"""
coalesce((SELECT max(coalesce((SELECT max(i.at) FROM imports AS i
            WHERE i.ingest_id = came.ingest_id), ''),
        coalesce((SELECT max(m.started) FROM verifications AS m
            WHERE m.ingest_id = came.ingest_id AND m.compared = '{MERGED}'), '')) AS at
    FROM results AS came WHERE came.dataset_id = {{of}}.dataset_id AND (
        came.ingest_id = {{of}}.ingest_id OR EXISTS (
        SELECT 1 FROM files AS f JOIN captures AS c ON c.record_id = f.capture_id
        WHERE f.ingest_id = {{of}}.ingest_id AND (c.ingest_id = came.ingest_id
            OR c.is_revisit AND EXISTS (SELECT 1 FROM captures AS o WHERE o.sha256 = c.sha256
                AND o.size = c.size AND o.ingest_id = came.ingest_id))))
    ORDER BY at DESC LIMIT 1), '')
"""  # noqa: S608
# When the last run before {until} began that read attempt `h`, here since {archived}; "" for none.
# It was over the archive, or over an attempt at the dataset: the last of that time, or a later one
# than `h`.
_VERIFIED = f"""
max(coalesce((SELECT max(v.started) FROM verifications AS v
        WHERE v.ingest_id IS NULL AND v.started >= {{archived}} AND v.started < {{until}}), ''),
    coalesce((SELECT max(v.started) FROM results AS read
        CROSS JOIN verifications AS v ON v.ingest_id = read.ingest_id
        WHERE read.dataset_id = h.dataset_id AND v.started >= {{archived}}
        AND v.started < {{until}} AND {_READ_ALL}), ''))
"""  # noqa: S608
_END_OF_TIME = "'9999'"


def here_since_sql(archived: str, of: str = "h") -> str:
    """Return SQL for since when all that an attempt rests on is here, which it `archived`, be it
    elsewhere; `of` has its `ingest_id` and `dataset_id`."""
    return f"max({archived}, {_CAME_IN.format(of=of)})"


def verified_sql(archived: str, until: str = _END_OF_TIME) -> str:
    """Return SQL for when an attempt `h` of `results`, `archived` then, was last verified before
    `until`: in UTC, ISO 8601; "" if it was not."""
    return _VERIFIED.format(archived=here_since_sql(archived), until=until)


def read_all_sql(since: str) -> str:
    """Return SQL for whether a run `v`, over attempt `read` or else over the archive, read all of
    an attempt `h` at the dataset, all of which was archived by `since`."""
    return f"v.started >= {here_since_sql(since)} AND (v.ingest_id IS NULL OR {_READ_ALL})"


_OF_ATTEMPTS = f"""
SELECT h.ingest_id, {verified_sql("coalesce(asked.value, h.finished)")} AS verified
FROM json_each(?) AS asked JOIN results AS h ON h.ingest_id = asked.key
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class LastVerified:
    """When the last run began (UTC, ISO 8601), None if there was none; and whether files of the
    attempt came since then."""

    started: str | None
    is_added_to: bool

    @property
    def of_all(self) -> str | None:
        """When the last run began that read all that the attempt keeps now, None if none did."""
        return None if self.is_added_to else self.started


def last_verified(connection: Connection, ingest_ids: Collection[str]) -> dict[str, LastVerified]:
    """Return, by attempt, when each was last verified; one that has not ended is left out."""
    came = accessions(connection, ingest_ids)
    archived = {each: _here_since(came[each]) if each in came else None for each in ingest_ids}
    added = {each: it.added for each, it in came.items() if it.added}
    return {
        row["ingest_id"]: LastVerified(
            row["verified"] or None,
            is_added_to=bool(row["verified"]) and added.get(row["ingest_id"], "") > row["verified"],
        )
        for row in connection.rows(answerable(connection, _OF_ATTEMPTS), [json.dumps(archived)])
    }


def _here_since(came: Accession) -> str:
    """Return since when anything is here of what an attempt keeps: where all of it was archived
    again, no run before that read any of it."""
    return max(came.archived, came.oldest or "")
