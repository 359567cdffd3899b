# SPDX-License-Identifier: AGPL-3.0-or-later
"""Renamed rather than lost: another, living template points to the same file."""

import json
from collections.abc import Sequence

from carrel.ledger.connection import Asking, Connection

# Landing pages and shared data are named by many: they say nothing of who was renamed.
_MOST_SHARERS = 5
_PAGE = 1000
# Of each file of each missing template: by how many it was named when this one let go of it, and
# by how many it is named now. Only so does a file that went through many hands one after another
# still count. Counting ends at one too many: a file may have a hundred thousand.
_TWINS = """
WITH file AS MATERIALIZED (
    SELECT a.tobi_id, a.fobi_id, max(coalesce(a.until, 9223372036854775807)) AS until
    FROM json_each(:missing) AS missing JOIN refipo AS a ON a.tobi_id = missing.value
    WHERE a.fobi_id IS NOT NULL GROUP BY a.tobi_id, a.fobi_id
), telling AS MATERIALIZED (
    SELECT * FROM file WHERE
    (SELECT count(*) FROM (SELECT DISTINCT x.tobi_id FROM refipo AS x
        WHERE x.fobi_id = file.fobi_id AND x.until IS NULL LIMIT :most + 1)) <= :most
    AND (SELECT count(*) FROM (
        SELECT * FROM (SELECT DISTINCT x.tobi_id FROM refipo AS x WHERE x.fobi_id = file.fobi_id
            AND x.until >= file.until AND x.since < file.until LIMIT :most + 1)
        UNION SELECT * FROM (SELECT DISTINCT x.tobi_id FROM refipo AS x
            WHERE x.fobi_id = file.fobi_id AND x.until IS NULL AND x.since < file.until
            LIMIT :most + 1))) <= :most
)
SELECT DISTINCT telling.tobi_id, living.ident, living.ident_n FROM telling
JOIN refipo AS b ON b.fobi_id = telling.fobi_id AND b.until IS NULL
    AND b.tobi_id <> telling.tobi_id
JOIN obi AS living ON living.obi_id = b.tobi_id AND living.state = 'present'
ORDER BY telling.tobi_id, living.ident_n
"""


class Renames:
    def __init__(self, connection: Connection | Asking) -> None:
        self._rows = connection.rows

    def of(self, missing: Sequence[int]) -> dict[int, list[str]]:
        """Return the living handles that point to a file of these templates, by template.

        `missing` are ids of templates that are lost or suspect. A file that more than five share
        tells nothing. Those with no such twin are left out.
        """
        found: dict[int, list[str]] = {}
        for start in range(0, len(missing), _PAGE):
            page = json.dumps(missing[start : start + _PAGE])
            for row in self._rows(_TWINS, {"missing": page, "most": _MOST_SHARERS}):
                found.setdefault(row["tobi_id"], []).append(row["ident"])
        return found
