# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is lost, in its three kinds, each with the evidence for it.

A reference: RePEc no longer names it. A resource: its address no longer gives it. A copy: our own
bytes cannot be read, which is our fault and no deletion of anything.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import unquote

from carrel.ledger.connection import Asking, Connection, Row
from carrel.ledger.dark.bad_copies import BAD, COLUMNS, COPIES
from carrel.ledger.dark.clocks import LACKED_BY, MISSED_DATE
from carrel.ledger.dark.renames import Renames
from carrel.ledger.dark.search import STATE
from carrel.model.dark import LossKind, ObiKind, RunSource
from carrel.model.dark_views import STOPPED, LossRow, ObiState

# That nothing of a whole archive could be read is no cause any more where it came back without one.
_DELETED = f"""
SELECT {COLUMNS}, iif(o.kind = 'tobi' OR i.cause = 'not-in-data', 'reference', 'resource') AS what,
    coalesce(i.since, i.tist) AS since, i.tist AS confirmed,
    iif(i.cause = 'archive-not-in-data' AND EXISTS (SELECT 1 FROM obi AS a WHERE a.kind = 'tobi'
        AND a.archive = o.archive AND a.state = 'present'), 'not-in-data', i.cause) AS cause
FROM obi AS o JOIN incidence AS i ON i.seq = (SELECT y.seq FROM incidence AS y
    WHERE y.obi_id = o.obi_id AND y.kind = 'deletion' ORDER BY y.tist DESC LIMIT 1)
WHERE o.state = 'lost'
"""  # noqa: S608 - columns of ours

_SUSPECT = f"""
SELECT {COLUMNS}, iif(o.kind = 'tobi' OR p.cause = 'not-in-data', 'reference', 'resource') AS what,
    p.since, NULL AS confirmed, p.cause
FROM pending AS p JOIN obi AS o USING (obi_id)
"""  # noqa: S608 - columns of ours

# Files that were named once, and that no template names any more.
_UNNAMED = f"""
SELECT {COLUMNS}, 'reference' AS what, r.until AS since, r.until AS confirmed,
    'not-in-data' AS cause
FROM (SELECT fobi_id, max(until) AS until FROM refipo WHERE fobi_id IS NOT NULL
    GROUP BY fobi_id HAVING count(*) = count(until)) AS r
JOIN obi AS o ON o.obi_id = r.fobi_id
"""  # noqa: S608 - columns of ours

# A full text belongs to the series of a template that names it, or named it last.
_LOSSES = """
WITH {bad}, found AS ({found})
SELECT f.*, h.archive, h.series, iif(f.what = 'reference', coalesce(
    (SELECT {date} FROM obi AS o JOIN run AS r ON r.tist = {lacked_by}
        WHERE o.obi_id = f.obi_id AND f.confirmed IS NOT NULL),
    (SELECT {date} FROM run AS r WHERE r.tist = coalesce(f.confirmed, f.since))), NULL) AS dated,
    (SELECT {state} FROM obi AS o LEFT JOIN pending AS p USING (obi_id)
        WHERE o.obi_id = f.obi_id) AS standing,
    EXISTS (SELECT 1 FROM version AS v WHERE v.obi_id = f.obi_id
    AND v.sha256 NOT IN (SELECT sha256 FROM unreadable)) AS held,
    f.what = 'copy' OR EXISTS (SELECT 1 FROM version AS v WHERE v.obi_id = f.obi_id)
    AS was_captured
FROM found AS f LEFT JOIN obi AS h ON h.obi_id = iif(f.kind = 'tobi', f.obi_id, (
    SELECT r.tobi_id FROM refipo AS r JOIN obi AS t ON t.obi_id = r.tobi_id
    WHERE r.fobi_id = f.obi_id AND (:archive IS NULL OR coalesce(t.archive, '') = :archive)
    AND (:series IS NULL OR coalesce(t.series, '') = :series)
    ORDER BY r.until IS NOT NULL, r.until DESC, t.archive, t.series LIMIT 1))
WHERE (:since IS NULL OR f.since >= :since) AND (:what IS NULL OR f.what = :what)
AND (:archive IS NULL OR coalesce(h.archive, '') = :archive)
AND (:series IS NULL OR coalesce(h.series, '') = :series)
AND (coalesce(:archive, :series) IS NULL OR h.obi_id IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM refipo AS r WHERE r.fobi_id = f.obi_id))
ORDER BY f.since, f.ident_n, f.what
"""

# As RunRow.determined_losses has it.
_LAST_RUNS = f"""
SELECT scope, max(run) AS run FROM run WHERE run = tist AND scope_ok AND source <> 'backfill'
AND finished IS NOT NULL AND json_type(coalesce(counts, '{{}}'), '$.{STOPPED}') IS NULL
GROUP BY scope
"""  # noqa: S608 - a name of ours


# Those that are new, by the runs that missed them first or confirmed them, without reading others.
# How watched datasets stand is told of each.
_NEW = """
SELECT o.obi_id, o.kind, 1 AS is_lost FROM json_each(:runs) AS asked
CROSS JOIN incidence AS i ON i.tist = asked.value AND i.kind = 'deletion'
JOIN obi AS o USING (obi_id)
WHERE o.state = 'lost' AND o.ident NOT LIKE 'dataset:%' AND NOT EXISTS (SELECT 1
    FROM incidence AS y WHERE y.obi_id = i.obi_id AND y.kind = 'deletion' AND y.tist > i.tist)
UNION ALL
SELECT o.obi_id, o.kind, 0 FROM pending AS p JOIN obi AS o USING (obi_id)
WHERE p.since IN (SELECT value FROM json_each(:runs)) AND o.ident NOT LIKE 'dataset:%'
"""


class Losses:
    def __init__(self, connection: Asking | Connection) -> None:
        self._rows = connection.rows
        self._renames = Renames(connection)

    def find(
        self,
        *,
        since: int | None = None,
        archive: str | None = None,
        series: str | None = None,
        what: LossKind | None = None,
        pending: bool = True,
    ) -> list[LossRow]:
        """Return what is lost, by when it was first missed; with suspects, if `pending`.

        `since` is the first moment that counts; an `archive` or `series` of "" is none at all.
        """
        sources = _sources(what, pending=pending)
        rows = self._rows(
            _LOSSES.format(
                bad=BAD,
                date=MISSED_DATE,
                lacked_by=LACKED_BY,
                state=STATE,
                found="\nUNION ALL\n".join(sources),
            ),
            {"since": since, "archive": archive, "series": series, "what": what and str(what)},
        )
        missing = [row["obi_id"] for row in rows if _is_missing_template(row)]
        renamed = self._renames.of(missing)
        news = self._news()
        checked = self._rows("SELECT max(at) AS at FROM fixity_run")[0]["at"]
        return [
            _loss(
                row,
                renamed.get(row["obi_id"], ()) if _is_missing_template(row) else (),
                is_new=row["since"] == checked
                if row["what"] == LossKind.COPY
                else news.has(row["confirmed"] or row["since"]),
            )
            for row in rows
        ]

    def count_new(self) -> int:
        """Return how many templates and full texts the last run that determined losses missed
        first, or confirmed as lost; without those that are probably renamed.
        """
        rows = self._rows(_NEW, {"runs": json.dumps(list(self._news().numbers))})
        templates = [
            row["obi_id"] for row in rows if row["is_lost"] and row["kind"] == ObiKind.TOBI
        ]
        return len(rows) - len(self._renames.of(templates))

    def _news(self) -> "_News":
        return _News(self._rows("SELECT tist, run, scope, source FROM run"), self._last_runs())

    def _last_runs(self) -> list[Row]:
        return self._rows(_LAST_RUNS)


class _News:
    """What the last run of a scope that determined losses missed first or confirmed as lost, or one
    after it that was cut short.

    One that concludes nothing makes nothing old: a backfill, and a source that was not read whole.
    What a backfill alone named is in doubt, and nothing has missed it yet.
    """

    def __init__(self, runs: Iterable[Row], last: Iterable[Row]) -> None:
        self._runs = {
            row["tist"]: (row["run"], row["scope"])
            for row in runs
            if row["source"] != RunSource.BACKFILL
        }
        self._last = {row["scope"]: row["run"] for row in last}

    @property
    def numbers(self) -> Iterator[int]:
        """The numbers of these runs."""
        return filter(self.has, self._runs)

    def has(self, tist: int) -> bool:
        run, scope = self._runs.get(tist, (-1, ""))
        return bool(run >= self._last.get(scope, 0))


def _sources(what: LossKind | None, *, pending: bool) -> list[str]:
    sources = []
    if what is not LossKind.COPY:
        sources.append(_DELETED)
        if pending:
            sources.append(_SUSPECT)
    if what in (None, LossKind.REFERENCE):
        sources.append(_UNNAMED)
    if what in (None, LossKind.COPY):
        sources.append(COPIES)
    return sources


def _is_missing_template(row: Row) -> bool:
    return bool(row["kind"] == ObiKind.TOBI and row["what"] == LossKind.REFERENCE)


def _loss(row: Row, renamed_to: Sequence[str], *, is_new: bool) -> LossRow:
    kind, ident = row["kind"], row["ident"]
    if row["obi_id"] is None:  # a file of templates, or evidence of a loss, which are no objects
        ident = unquote(ident.rpartition("/")[2]) if ident == row["ident_n"] else ident
        kind = ObiKind.TOBI if ident.startswith("redif:") else ObiKind.FOBI
    return LossRow(
        LossKind(row["what"]),
        ObiKind(kind),
        ident,
        row["since"],
        row["confirmed"],
        row["cause"],
        row["archive"],
        row["series"],
        bool(row["held"]),
        bool(row["was_captured"]),
        tuple(renamed_to),
        is_new,
        row["dated"],
        None if row["standing"] is None else ObiState(row["standing"]),
    )
