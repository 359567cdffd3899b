# SPDX-License-Identifier: AGPL-3.0-or-later
"""Since when what an attempt keeps is here: each file since its own record was written.

An attempt that finds a file here rests on the record of an earlier one, so its own end says nothing
of when the file came.
"""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from carrel.ledger.connection import Connection, Row
from carrel.ledger.resting import HOLDER_FIRST
from carrel.model.accession import Accession


def _moment(timestamp: str) -> str:
    """Return the SQL for a WARC's moment of 14 digits in ISO 8601."""
    parts = ((1, 4, "-"), (5, 2, "-"), (7, 2, " "), (9, 2, ":"), (11, 2, ":"), (13, 2, ""))
    digits = " || ".join(
        f"substr({timestamp}, {at}, {count}) || '{sign}'" for at, count, sign in parts
    )
    return f"strftime('%Y-%m-%dT%H:%M:%SZ', {digits})"


_NOT_BAD = """
    NOT EXISTS (SELECT 1 FROM record_fixity AS x
        WHERE x.record_id = {record}.record_id AND x.fate <> 'intact')
"""
# When the first attempt ended that kept a file `p` of its dataset with these bytes.
_FIRST_KEPT = """
    SELECT min(e.finished) FROM files AS g JOIN results AS e USING (ingest_id)
    WHERE g.platform_url = p.platform_url AND g.status LIKE 'success%'
        AND e.dataset_id = p.dataset_id AND e.finished IS NOT NULL
        AND (g.md5 = p.md5 OR g.sha1 = p.sha1 OR g.sha256 = p.sha256)
"""
# Each file `f` that an attempt keeps, with the record that holds its bytes: its own or, where the
# same address was fetched again and gave the same bytes, the first one that is not known to be
# damaged, or the first of all if each is: a loss is no accession. What has no record here, as at
# archive.org, is here since an earlier attempt noted it so. Bytes that came with another dataset
# `o`, or in a WARC of none, are held of this one only since it was archived. What was mended is
# here since the first record of it that is not known to be damaged; the dataset has been here since
# its bytes were `kept_first`.
_DATED = f"""
WITH placed AS (
    SELECT h.ingest_id, h.dataset_id, h.platform_version, h.finished AS ended, f.position, f.path,
        f.size, f.status, f.platform_url, f.md5, f.sha1, f.sha256,
        coalesce(first.ingest_id, own.ingest_id) AS source,
        coalesce(first.timestamp, own.timestamp) AS timestamp,
        (SELECT {_moment("min(i.timestamp)")} FROM captures AS i
            WHERE i.sha256 = own.sha256 AND i.size = own.size AND NOT i.is_revisit
            AND {_NOT_BAD.format(record="i")}) AS intact_since,
        EXISTS (SELECT 1 FROM captures AS b JOIN record_fixity AS x USING (record_id)
            WHERE b.sha256 = own.sha256 AND b.size = own.size AND x.fate <> 'intact') AS was_bad
    FROM json_each(?) AS asked
    CROSS JOIN results AS h ON h.ingest_id = asked.value
    CROSS JOIN files AS f ON f.ingest_id = h.ingest_id AND f.status LIKE 'success%'
    LEFT JOIN captures AS own ON own.record_id = f.capture_id
    LEFT JOIN captures AS first ON own.is_revisit AND first.record_id = (
        SELECT o.record_id FROM captures AS o
        WHERE o.sha256 = own.sha256 AND o.size = own.size AND o.url = own.url AND NOT o.is_revisit
        ORDER BY {_NOT_BAD.format(record="o")} DESC, o.timestamp, o.rowid LIMIT 1)
), held AS (
    SELECT p.*, r.ingest_id IS NULL OR r.platform_version IS p.platform_version AS is_of_version,
        coalesce(r.finished,
            CASE WHEN p.source IS NOT NULL AND o.ingest_id IS NULL
                THEN {_moment("p.timestamp")} END,
            CASE WHEN p.status = 'success-existing' THEN ({_FIRST_KEPT}) END,
            p.ended) AS since
    FROM placed AS p
    LEFT JOIN results AS r ON r.ingest_id = p.source AND r.finished IS NOT NULL
        AND r.dataset_id IS p.dataset_id
    LEFT JOIN results AS o ON o.ingest_id = p.source AND o.dataset_id IS NOT p.dataset_id
), dated AS (
    SELECT p.ingest_id, p.position, p.path, p.size, p.is_of_version,
        CASE WHEN p.was_bad AND p.intact_since BETWEEN p.since AND p.ended
            THEN p.intact_since ELSE p.since END AS archived,
        coalesce(CASE WHEN p.was_bad AND p.intact_since IS NOT NULL THEN ({_FIRST_KEPT}
            AND e.platform_version IS p.platform_version) END, p.since) AS kept_first
    FROM held AS p
)
"""  # noqa: S608
# Those of attempts that keep anything that was here before them, be it damaged since.
_MIXED = """
SELECT h.ingest_id FROM json_each(?) AS asked
CROSS JOIN results AS h ON h.ingest_id = asked.value
WHERE EXISTS (SELECT 1 FROM files WHERE ingest_id = h.ingest_id AND status = 'success-existing')
    OR EXISTS (SELECT 1 FROM captures WHERE ingest_id = h.ingest_id AND is_revisit)
    OR h.ingest_id IN (SELECT f.ingest_id FROM record_fixity AS x
        CROSS JOIN captures AS bad USING (record_id)
        CROSS JOIN captures AS own ON own.sha256 = bad.sha256 AND own.size = bad.size
        CROSS JOIN files AS f ON f.capture_id = own.record_id
        WHERE x.fate <> 'intact')
"""
_WHOLE = f"""
{_DATED}
SELECT ingest_id, min(CASE WHEN is_of_version THEN kept_first END) AS first,
    max(archived) AS last, min(archived) AS oldest, max(kept_first) AS complete
FROM dated GROUP BY ingest_id
"""  # noqa: S608
_FILES = f"""
{_DATED}
SELECT position, path, archived, is_of_version, kept_first FROM dated ORDER BY position
"""  # noqa: S608
_DAYS = f"""
{_DATED}
SELECT ingest_id, substr(archived, 1, 10) AS day, count(*) AS files,
    CAST(total(size) AS INTEGER) AS size
FROM dated GROUP BY 1, 2
"""  # noqa: S608
# The WARCs of the records that an attempt rests on, those with the bytes of its revisits first. For
# a record that is not intact the best one with its bytes stands, if there is any; one that is
# missing is nowhere. A revisit stores nothing where no record with its bytes is intact, and records
# without bytes, as redirects are, stand for no other one.
_WARCS = f"""
WITH own AS MATERIALIZED (
    SELECT * FROM captures WHERE ingest_id = :ingest_id OR record_id IN (
        SELECT capture_id FROM files WHERE ingest_id = :ingest_id AND status LIKE 'success%')
), others AS (
    SELECT h.filename, row_number() OVER (PARTITION BY r.record_id
        ORDER BY {_NOT_BAD.format(record="h")} DESC, {HOLDER_FIRST}) AS place
    FROM own AS r JOIN captures AS h
        ON h.sha256 = r.sha256 AND h.size = r.size AND h.size > 0 AND NOT h.is_revisit
    WHERE (r.is_revisit OR NOT {_NOT_BAD.format(record="r")})
        AND NOT EXISTS (SELECT 1 FROM record_fixity AS x
            WHERE x.record_id = h.record_id AND x.fate = 'missing')
)
SELECT filename FROM (
    SELECT filename, 1 AS turn FROM others WHERE place = 1
    UNION ALL SELECT r.filename, 2 FROM own AS r WHERE {_NOT_BAD.format(record="r")}
        AND (NOT r.is_revisit OR r.size = 0 OR EXISTS (SELECT 1 FROM captures AS h
            WHERE h.sha256 = r.sha256 AND h.size = r.size AND NOT h.is_revisit
            AND {_NOT_BAD.format(record="h")}))
) GROUP BY filename ORDER BY min(turn), filename
"""  # noqa: S608
# Files of the same dataset whose bytes were found damaged or missing: in a record of theirs, or in
# one that a revisit of theirs rests on.
_FOUND_DAMAGED = """
SELECT DISTINCT f.path FROM record_fixity AS x JOIN captures AS bad USING (record_id)
JOIN captures AS own ON own.sha256 = bad.sha256 AND own.size = bad.size
JOIN files AS f ON f.capture_id = own.record_id AND f.status LIKE 'success%'
JOIN results AS r ON r.ingest_id = f.ingest_id
WHERE x.fate <> 'intact'
    AND r.dataset_id = (SELECT dataset_id FROM results WHERE ingest_id = ?)
"""


@dataclass(frozen=True, slots=True)
class Arrived:
    """How much came."""

    files: int = 0
    size_bytes: int = 0


def accessions(connection: Connection, ingest_ids: Collection[str]) -> dict[str, Accession]:
    """Return since when what these attempts keep is here; of those that lack, all that they keep,
    if anything, came when they ended.
    """
    rows = connection.rows(_WHOLE, [json.dumps(_mixed(connection, ingest_ids))])
    return {row["ingest_id"]: _whole(row) for row in rows if row["last"]}


def arrivals(connection: Connection, ingest_ids: Collection[str]) -> dict[str, dict[str, Arrived]]:
    """Return how much of what these attempts keep came on which day (UTC, ISO 8601); of those that
    lack, all came on the day when they ended.
    """
    found: dict[str, dict[str, Arrived]] = {}
    for row in connection.rows(_DAYS, [json.dumps(_mixed(connection, ingest_ids))]):
        days = found.setdefault(row["ingest_id"], {})
        days[row["day"]] = Arrived(row["files"], row["size"])
    return found


def _mixed(connection: Connection, ingest_ids: Collection[str]) -> list[str]:
    return connection.column(_MIXED, [json.dumps(list(ingest_ids))])


def file_moments(connection: Connection, ingest_id: str) -> Iterator[tuple[int, str | None]]:
    """Yield the position and the time of each file that an attempt keeps, in their order."""
    for row in connection.each(_FILES, [json.dumps([ingest_id])]):
        yield row["position"], row["archived"]


def accession(connection: Connection, ingest_id: str) -> Accession | None:
    """Return since when what an attempt keeps is here, file by file; None if it keeps nothing."""
    rows = connection.rows(_FILES, [json.dumps([ingest_id])])
    moments = [row["archived"] for row in rows if row["archived"]]
    if not moments:
        return None
    first = min((row["kept_first"] for row in rows if _is_first(row)), default=None)
    whole = _accession(first, max(moments))
    files = {row["path"]: row["archived"] for row in rows if row["archived"]}
    warcs = tuple(warcs_of(connection, ingest_id))
    found = Accession(whole.archived, whole.added, files, warcs)
    if not found.later:
        return found
    damaged = connection.column(_FOUND_DAMAGED, [ingest_id])
    return replace(found, repaired=tuple(path for path in found.later if path in set(damaged)))


def warcs_of(connection: Connection, ingest_id: str) -> list[str]:
    """Return the WARCs that have what an attempt rests on, as far as they are there."""
    return connection.column(_WARCS, {"ingest_id": ingest_id})


def _is_first(row: Row) -> bool:
    return bool(row["is_of_version"] and row["archived"])


def _whole(row: Row) -> Accession:
    return replace(
        _accession(row["first"], row["last"]), oldest=row["oldest"], complete=row["complete"]
    )


def _accession(first: str | None, last: str) -> Accession:
    """`first` is of the files that came in this version: None where it only names others anew."""
    archived = last if first is None else first
    return Accession(archived, last if last > archived else None)
