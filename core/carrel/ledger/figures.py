# SPDX-License-Identifier: AGPL-3.0-or-later
"""How an archive stands, counted in the catalogue, the queue and the dark archive."""

import json
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import reduce
from operator import add
from typing import TypeVar

from carrel.ledger.connection import Asking, Row, if_json
from carrel.ledger.dark.bad_copies import DAMAGED_COPIES
from carrel.ledger.dark.clocks import DATA_DATE, LACKED_BY
from carrel.ledger.dark.losses import Losses
from carrel.ledger.dark.renames import Renames
from carrel.ledger.formats import format_totals
from carrel.ledger.jobs import OVERCOME
from carrel.model import JobState
from carrel.model.figures import Amount, Figures, Month
from carrel.model.figures import Losses as LostIn
from carrel.model.holdings import CHECKED_WITHIN_DAYS, Checked
from carrel.model.job import HINDRANCES
from carrel.model.licenses import UNKNOWN

K = TypeVar("K", bound=Hashable)
RECENT_DAYS = 30

# Each is answered by sums that are kept, or by an index alone, whatever the number of holdings.
_SUMS = "sum(datasets) AS datasets, sum(files) AS files, sum(size) AS size FROM holding_totals"
_BY_PLATFORM = f"SELECT platform_name AS name, {_SUMS} GROUP BY 1 ORDER BY 2 DESC, 1"
_BY_MONTH = "SELECT month, datasets, in_year, first, files, size FROM month_totals ORDER BY month"
_RECENT = """
SELECT count(DISTINCT dataset_id) AS datasets, coalesce(sum(files), 0) AS files,
    coalesce(sum(size), 0) AS size
FROM holding_days WHERE is_removed = 0 AND day >= ?
"""
# The planner would rather read an index of all holdings than these of the few that are meant.
_OF = "SELECT count(*) FROM holdings INDEXED BY {index} WHERE is_removed = 0 AND {condition}"
_FAULTS = {
    "damaged": _OF.format(index="holdings_failed", condition="failed > 0 AND failed > twinned"),
    "twinned": _OF.format(index="holdings_failed", condition="failed > 0 AND failed <= twinned"),
    "incomplete": _OF.format(index="holdings_incomplete", condition="is_complete = 0"),
    "unproven": _OF.format(index="holdings_unproven", condition="proof <> 'digest'"),
}
# Nothing tells whether a checksum was published of files that nothing tells of.
_UNKNOWN = _OF.format(
    index="holdings_license", condition=f"license = '{UNKNOWN}' AND file_count = 0"
)
_VERIFIED = _OF.format(index="holdings_verified", condition="verified >= ")
_BUT_DAMAGED = _OF.format(index="holdings_failed", condition="failed > 0 AND verified >= ")
_SINCE = "strftime('%Y-%m-%dT%H:%M:%SZ', :now, :days)"
_EVER = f"SELECT ({_VERIFIED} '') - ({_BUT_DAMAGED} '')"
_WITHIN = f"SELECT ({_VERIFIED} {_SINCE}) - ({_BUT_DAMAGED} {_SINCE})"
_JOBS = "SELECT state, status, count(*) AS n FROM jobs GROUP BY state, status"
# Captures that are not intact and belong to no holding, which would tell of it.
_DAMAGED_CAPTURES = """
SELECT count(*) FROM record_fixity AS x JOIN captures AS c USING (record_id)
WHERE x.fate <> 'intact' AND NOT EXISTS (SELECT 1 FROM results AS r
    JOIN holdings AS h USING (dataset_id) WHERE r.ingest_id = c.ingest_id)
"""
_HARVESTS = "SELECT count(*) FROM run WHERE source <> 'watch'"
# A later check confirms that a watched dataset is gone: it counts from the one that found it so.
_LOST_AT = f"""
CASE WHEN r.source = 'watch' THEN coalesce(i.since, r.tist)
    WHEN o.kind = 'tobi' THEN coalesce(
        (SELECT coalesce({DATA_DATE}, r.tist) FROM run AS r WHERE r.tist = {LACKED_BY}),
        {DATA_DATE}, r.tist) ELSE r.tist END
"""  # noqa: S608 - expressions of ours
_LOSSES = f"""
SELECT strftime('%Y-%m', {_LOST_AT}, 'unixepoch') AS name,
    CASE WHEN r.source = 'watch' THEN 'watched' WHEN o.kind = 'tobi' THEN 'templates'
    ELSE 'full_texts' END AS what, count(*) AS n,
    json_group_array(o.obi_id) FILTER (WHERE o.kind = 'tobi' AND r.source <> 'watch') AS templates
FROM run AS r JOIN incidence AS i ON i.tist = r.tist AND i.kind = 'deletion'
JOIN obi AS o USING (obi_id) WHERE o.state = 'lost' AND NOT EXISTS (SELECT 1 FROM incidence AS y
    WHERE y.obi_id = i.obi_id AND y.kind = 'deletion' AND y.tist > i.tist) GROUP BY 1, 2 ORDER BY 1
"""  # noqa: S608 - an expression of ours
# What checks found gone: whole datasets, of which the dark archive does not tell where it never saw
# them, and files that were not published again since. An earlier Carrel noted how many.
_LOST_BEFORE = f"""
WITH checked AS (SELECT {if_json("state")} AS state,
        json_extract({if_json("seen")}, '$.sight') IS 'gone' AS is_gone,
        EXISTS (SELECT 1 FROM obi AS o JOIN incidence AS i USING (obi_id)
            WHERE o.kind = 'tobi' AND o.ident_n = lower('dataset:' || w.base_url)
                AND o.state = 'lost' AND i.kind = 'deletion') AS is_told
    FROM watched AS w)
SELECT strftime('%Y-%m', json_extract(state, '$.lost'), 'unixepoch') AS name,
    iif(is_gone, 'watched', 'files') AS what,
    sum(iif(is_gone, NOT is_told, json_extract(state, '$.gone'))) AS n
FROM checked WHERE json_extract(state, '$.lost') IS NOT NULL
    AND (is_gone OR json_type(state, '$.losses') IS NULL) GROUP BY 1, 2
UNION ALL
SELECT strftime('%Y-%m', lost.value, 'unixepoch'), 'files', count(*)
FROM checked, json_each(state, '$.losses') AS lost GROUP BY 1
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Ended:
    """How many jobs are in a state, and ended with, or were stopped by, this status."""

    state: JobState
    status: str | None
    count: int

    @property
    def is_on_hold(self) -> bool:
        """Whether they wait for what the archivist has to see to."""
        is_open = self.state in (JobState.QUEUED, JobState.PAUSED)
        return is_open and self.status in HINDRANCES


def figures_of(connection: Asking, watched: Mapping[str, int], now: str) -> Figures:
    """Return how an archive stands at `now` (UTC, ISO 8601); how many of the `watched` stand how is
    given.

    Raises ArchiveError where the ledger cannot be read.
    """
    platforms = {row["name"]: _amount(row) for row in connection.rows(_BY_PLATFORM)}
    held = reduce(add, platforms.values(), Amount())
    first = (datetime.fromisoformat(now) - timedelta(days=RECENT_DAYS)).date().isoformat()
    faults = {name: connection.column(sql)[0] for name, sql in _FAULTS.items()}
    faults["unknown"] = connection.column(_UNKNOWN)[0]
    faults["unproven"] -= faults["unknown"]
    jobs = [
        Ended(JobState(row["state"]), row["status"], row["n"]) for row in connection.rows(_JOBS)
    ]
    return Figures(
        taken=now,
        held=held,
        recent=_amount(connection.rows(_RECENT, [first])[0]),
        recent_from=first,
        platforms=platforms,
        months=[
            Month(row["month"], _amount(row), row["first"], row["in_year"])
            for row in connection.rows(_BY_MONTH)
        ],
        checked=_checked(connection, now, held.datasets, faults["damaged"] + faults["twinned"]),
        **faults,
        has_captures=bool(connection.column("SELECT EXISTS (SELECT 1 FROM captures)")[0]),
        damaged_captures=connection.column(_DAMAGED_CAPTURES)[0],
        queue=_counted((job.state, job.count) for job in jobs if not job.is_on_hold),
        on_hold=sum(job.count for job in jobs if job.is_on_hold),
        overcome=len(connection.rows(OVERCOME)),
        watched=watched,
        harvests=connection.column(_HARVESTS)[0],
        dark_lost=Losses(connection).count_new(),
        dark_damaged=connection.column(DAMAGED_COPIES)[0],
        lost=_losses([*_but_renamed(connection), *connection.rows(_LOST_BEFORE)]),
        formats=format_totals(connection),
    )


def _counted(counts: Iterable[tuple[K, int]]) -> Mapping[K, int]:
    """Return the sum of the counts of each."""
    sums: Counter[K] = Counter()
    for key, count in counts:
        sums[key] += count
    return sums


def _amount(row: Row) -> Amount:
    return Amount(row["datasets"], row["files"], row["size"])


def _checked(connection: Asking, now: str, datasets: int, damaged: int) -> Mapping[Checked, int]:
    """Return each dataset once, where the questions count it within every longer time as well."""
    within = [
        connection.column(_WITHIN, {"now": now, "days": f"-{days} days"})[0]
        for days in CHECKED_WITHIN_DAYS.values()
    ]
    up_to = [*within, connection.column(_EVER)[0], datasets - damaged, datasets]
    steps = zip(Checked, [0, *up_to[:-1]], up_to, strict=True)
    return {each: more - less for each, less, more in steps}


def _but_renamed(connection: Asking) -> Iterator[Row]:
    """Yield what is lost by month and kind, without the templates that are probably renamed."""
    rows = [(row, json.loads(row["templates"])) for row in connection.rows(_LOSSES)]
    renamed = Renames(connection).of([each for _, templates in rows for each in templates])
    for row, templates in rows:
        yield {**row, "n": row["n"] - sum(each in renamed for each in templates)}


def _losses(rows: Sequence[Row]) -> Sequence[LostIn]:
    months: dict[str, LostIn] = {}
    for row in rows:
        name, what = row["name"], row["what"]
        known = months.get(name, LostIn(name))
        months[name] = replace(known, **{what: getattr(known, what) + (row["n"] or 0)})
    found = [each for each in months.values() if each.is_any]
    return sorted(found, key=lambda each: each.name)
