# SPDX-License-Identifier: AGPL-3.0-or-later
"""Each series in numbers: what it has, what went, what is held of that, what never came.

Watched datasets have a scope of their own, and are of no series.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from carrel.ledger.connection import Connection, Row
from carrel.ledger.dark.bad_copies import BAD
from carrel.ledger.dark.renames import Renames
from carrel.model.dark_views import SeriesRow

_TEMPLATES = """
SELECT coalesce(archive, '') AS archive, coalesce(series, '') AS series, count(*) AS templates,
    sum(state = 'lost') AS templates_lost
FROM obi WHERE kind = 'tobi' AND scope IS NOT 'watch' GROUP BY archive, series
"""

# A full text counts once in each series that ever named it; what no template named, in none.
_FULL_TEXTS = f"""
WITH {BAD}, pair AS (
    SELECT DISTINCT t.archive, t.series, r.fobi_id FROM refipo AS r
    JOIN obi AS t ON t.obi_id = r.tobi_id WHERE r.fobi_id IS NOT NULL
    UNION ALL SELECT NULL, NULL, obi_id FROM obi AS f WHERE kind = 'fobi'
    AND NOT EXISTS (SELECT 1 FROM refipo AS r WHERE r.fobi_id = f.obi_id)
)
SELECT coalesce(pair.archive, '') AS archive, coalesce(pair.series, '') AS series,
    count(*) AS full_texts, sum(f.state = 'lost') AS full_texts_lost,
    sum(f.state = 'lost' AND EXISTS (SELECT 1 FROM version AS v WHERE v.obi_id = f.obi_id
        AND v.sha256 NOT IN (SELECT sha256 FROM unreadable))) AS lost_but_held,
    sum(NOT EXISTS (SELECT 1 FROM version AS v WHERE v.obi_id = f.obi_id)) AS never_captured
FROM pair JOIN obi AS f ON f.obi_id = pair.fobi_id GROUP BY 1, 2
"""  # noqa: S608 - a table of ours

_SUSPECTS = """
SELECT coalesce(archive, '') AS archive, coalesce(series, '') AS series, count(*) AS pending FROM (
    SELECT DISTINCT p.obi_id, t.archive, t.series FROM pending AS p JOIN obi AS o USING (obi_id)
    LEFT JOIN refipo AS r ON o.kind = 'fobi' AND r.fobi_id = o.obi_id
    LEFT JOIN obi AS t ON t.obi_id = iif(o.kind = 'tobi', o.obi_id, r.tobi_id)
    WHERE o.scope IS NOT 'watch'
) GROUP BY 1, 2
"""

_NOT_REQUESTED = """
SELECT coalesce(t.archive, '') AS archive, coalesce(t.series, '') AS series,
    count(*) AS not_requested FROM refipo AS r JOIN obi AS t ON t.obi_id = r.tobi_id
WHERE r.fobi_id IS NULL AND r.until IS NULL AND r.raw_url <> '' AND t.scope IS NOT 'watch'
GROUP BY 1, 2
"""

_LOST_TEMPLATES = """
SELECT obi_id, coalesce(archive, '') AS archive, coalesce(series, '') AS series FROM obi
WHERE kind = 'tobi' AND state = 'lost' AND scope IS NOT 'watch'
"""

_COUNTS = (
    "templates",
    "templates_lost",
    "renamed",
    "pending",
    "full_texts",
    "full_texts_lost",
    "lost_but_held",
    "never_captured",
    "not_requested",
)


class SeriesInNumbers:
    def __init__(self, connection: Connection) -> None:
        self._rows = connection.rows
        self._renames = Renames(connection)

    def all(self) -> list[SeriesRow]:
        """Return a row for each archive and series, by name.

        The series "" is that of templates which belong to none, the archive "" that of full texts
        which no template ever named.
        """
        counted: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for sql in (_TEMPLATES, _FULL_TEXTS, _SUSPECTS, _NOT_REQUESTED):
            for row in self._rows(sql):
                counted[row.pop("archive"), row.pop("series")].update(row)
        for place in self._renamed(self._rows(_LOST_TEMPLATES)):
            counted[place]["renamed"] += 1
            counted[place]["templates_lost"] -= 1
        return [
            SeriesRow(archive, series, **{name: counts[name] for name in _COUNTS})
            for (archive, series), counts in sorted(counted.items())
        ]

    def _renamed(self, lost: Sequence[Row]) -> list[tuple[str, str]]:
        """Return where those of the lost templates were that have a living twin."""
        twins = self._renames.of([row["obi_id"] for row in lost])
        return [(row["archive"], row["series"]) for row in lost if row["obi_id"] in twins]
