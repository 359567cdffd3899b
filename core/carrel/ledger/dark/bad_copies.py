# SPDX-License-Identifier: AGPL-3.0-or-later
"""Copies of our own that cannot be read: SQL alone, for figures that load nothing else."""

# Bytes whose last check was bad, and since which check.
BAD = """
bad AS MATERIALIZED (
    SELECT f.sha256, f.result, f.at AS last, (SELECT min(g.at) FROM fixity AS g
        WHERE g.sha256 = f.sha256 AND g.at > coalesce((SELECT max(h.at) FROM fixity AS h
            WHERE h.sha256 = f.sha256 AND h.result = 'ok'), 0)) AS first
    FROM fixity AS f WHERE f.result <> 'ok'
    AND f.at = (SELECT max(g.at) FROM fixity AS g WHERE g.sha256 = f.sha256)
    AND f.sha256 NOT IN (SELECT sha256 FROM purge)
), unreadable AS MATERIALIZED (SELECT sha256 FROM bad UNION SELECT sha256 FROM purge)
"""

COLUMNS = "o.obi_id, o.kind, o.ident, o.ident_n"

# One row an object, with the cause of its newest bad version; then what is no version of anything.
COPIES = f"""
SELECT {COLUMNS}, 'copy' AS what, min(bad.first) AS since, max(bad.last) AS confirmed,
    (SELECT b.result FROM version AS w JOIN bad AS b USING (sha256)
        WHERE w.obi_id = o.obi_id ORDER BY w.tist DESC LIMIT 1) AS cause
FROM bad JOIN version AS v USING (sha256) JOIN obi AS o USING (obi_id) GROUP BY o.obi_id
UNION ALL
SELECT NULL, NULL, coalesce(c.identifier, c.path), c.path, 'copy', bad.first, bad.last, bad.result
FROM bad JOIN content AS c USING (sha256)
WHERE NOT EXISTS (SELECT 1 FROM version AS v WHERE v.sha256 = bad.sha256)
"""  # noqa: S608 - columns of ours

# How many copies of our own are known to be unreadable.
DAMAGED_COPIES = f"WITH {BAD} SELECT count(*) FROM ({COPIES})"  # noqa: S608 - as above
