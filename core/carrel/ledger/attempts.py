# SPDX-License-Identifier: AGPL-3.0-or-later
"""Several attempts at one dataset: how much each kept, and which only confirmed another.

An attempt that fetched nothing, because all that it kept was here already, says of what is held
nothing that an earlier one did not say. It is how the last attempt ended, and not what is held.
"""

import json
from collections.abc import Collection

from carrel.ledger.connection import Connection, Row

_COMPARED = ("size", "md5", "sha1", "sha256")
# How much an attempt `r` kept: one that succeeded kept everything, so its files are not counted.
KEPT = """
CASE WHEN r.hit THEN 1 ELSE (
    SELECT count(*) FROM files AS f WHERE f.ingest_id = r.ingest_id AND f.status LIKE 'success%')
END
"""
# Whether an attempt `r` brought anything here. Of successes the status tells, but for uploads of
# what was fetched anew, which have records of their own.
BROUGHT = """
CASE WHEN r.hit THEN r.status <> 'success-existing'
    OR EXISTS (SELECT 1 FROM captures AS c WHERE c.ingest_id = r.ingest_id)
ELSE EXISTS (SELECT 1 FROM files AS f WHERE f.ingest_id = r.ingest_id
    AND f.status LIKE 'success%' AND f.status <> 'success-existing') END
"""
_IDLE = f"""
SELECT r.rowid AS number FROM json_each(?) AS asked
CROSS JOIN results AS r ON r.rowid = asked.value WHERE NOT {BROUGHT}
"""  # noqa: S608
# Whether attempts `i` and `r` list the same files in the same order and keep the same bytes of
# each; what one of them does not tell is no difference.
_DIFFERENT = " OR ".join(f"a.{name} <> b.{name}" for name in _COMPARED)
_SAME = f"""
(SELECT max(position) FROM files WHERE ingest_id = i.ingest_id)
    IS (SELECT max(position) FROM files WHERE ingest_id = r.ingest_id)
AND NOT EXISTS (
    SELECT 1 FROM files AS a LEFT JOIN files AS b
        ON b.ingest_id = r.ingest_id AND b.position = a.position
    WHERE a.ingest_id = i.ingest_id AND (b.path IS NOT a.path
        OR (a.status LIKE 'success%') IS NOT (b.status LIKE 'success%')
        OR (a.status LIKE 'success%' AND ({_DIFFERENT}))))
"""  # noqa: S608
# Attempts `r` whose holding an idle one may confirm: at the same version of the same dataset, with
# as good an end. First the newest that brought something, then the oldest that did not.
_EARLIER = f"""
SELECT i.rowid AS idle, i.ingest_id AS idle_id, r.rowid AS number, r.ingest_id AS ingest_id,
    {BROUGHT} AS has_brought, {_SAME} AS is_same
FROM json_each(?) AS asked
CROSS JOIN results AS i ON i.rowid = asked.value
CROSS JOIN results AS r ON r.dataset_id = i.dataset_id
WHERE r.rowid < i.rowid AND r.finished IS NOT NULL
    AND r.hit = i.hit AND r.platform_version IS i.platform_version
ORDER BY i.rowid, has_brought DESC, CASE WHEN has_brought THEN -r.rowid ELSE r.rowid END
"""  # noqa: S608
_FILES = """
SELECT path, status LIKE 'success%' AS is_kept, size, md5, sha1, sha256
FROM files WHERE ingest_id = ? ORDER BY path, position
"""


def confirmed(connection: Connection, numbers: Collection[int]) -> dict[int, int]:
    """Return which of these attempts fetched nothing, with the earlier one whose holding each
    confirms: the same version, with the same files. Attempts go by their row numbers.
    """
    idle = [row["number"] for row in connection.rows(_IDLE, [json.dumps(list(numbers))])]
    pairs = connection.rows(_EARLIER, [json.dumps(idle)])
    found: dict[int, int] = {}
    for row in pairs:
        if row["is_same"]:
            found.setdefault(row["idle"], row["number"])
    for row in pairs:  # where a platform lists its files in another order than before
        if row["idle"] not in found and _is_same(connection, row["idle_id"], row["ingest_id"]):
            found[row["idle"]] = row["number"]
    return found


def _is_same(connection: Connection, one: str, other: str) -> bool:
    first, second = connection.rows(_FILES, [one]), connection.rows(_FILES, [other])
    return len(first) == len(second) and all(map(_is_same_file, first, second))


def _is_same_file(one: Row, other: Row) -> bool:
    if (one["path"], one["is_kept"]) != (other["path"], other["is_kept"]):
        return False
    known = [(one[name], other[name]) for name in _COMPARED if None not in (one[name], other[name])]
    return not one["is_kept"] or all(first == second for first, second in known)
