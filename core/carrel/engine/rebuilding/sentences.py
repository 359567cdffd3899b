# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a ledger that was made again lacks, in sentences."""

from collections.abc import Iterator, Sequence
from itertools import islice

from carrel.engine.rebuilding.rebuilding import Rebuilt
from carrel.model.counts import count_of, counted
from carrel.translation import tr

_MOST_SHOWN = 20
_MOST_NAMED = 5


def lacks_of(done: Rebuilt) -> Iterator[str]:
    """Yield what was not found, or is not as it was; of much the first."""
    if done.damage:
        yield done.damage
    if done.salvaged:
        rows = counted(done.salvaged, "row")
        yield tr("{rows} of the damaged ledger could be read and are kept.", rows=rows)
    if done.only_in_warcs:
        ingests = count_of(done.only_in_warcs, "ingest")
        yield tr("{ingests} found in the WARCs alone: not in the journal.", ingests=ingests)
    if done.damaged:
        yield tr(
            "{datasets} with missing or damaged records: {titles}.",
            datasets=count_of(done.damaged, "dataset"),
            titles="; ".join(_first(done.damaged)),
        )
    for ingest_id, url in islice(done.without_result.items(), _MOST_SHOWN):
        yield tr(
            "{url}: the result of ingest {ingest_id} was not found, so Holdings {lacks}. What is "
            "left of it stays in the WARC files: archive it again, and that is not downloaded "
            "again.",
            url=url,
            ingest_id=ingest_id,
            lacks=_lacking(ingest_id, done.listed.get(ingest_id)),
        )
    for warc, count in list(done.not_found.items())[:_MOST_SHOWN]:
        records = counted(count, "record")
        yield tr("{warc}: {records} of the journal not found there.", warc=warc, records=records)
    if done.differing:
        records = counted(done.differing, "record")
        yield tr(
            "{records} not as the journal has them. “carrel verify” tells more.", records=records
        )
    for problem in done.problems[:_MOST_SHOWN]:
        yield str(problem)
    if (more := len(done.problems) - _MOST_SHOWN) > 0:
        yield tr("… and {more:,} more problems in the WARCs", more=more)
    for each in done.differences or ():
        yield tr(
            "{table}: rows only in the old ledger: {lacking:,}; only in the new one: {added:,}.",
            table=each.table,
            lacking=each.lacking,
            added=each.added,
        )


def _lacking(ingest_id: str, listed: str | None) -> str:
    """Return what Holdings lacks of an attempt whose result is lost; the dataset is `listed` by
    this one or by another one, None if it is not."""
    if listed is None:
        return tr("does not list what it archived")
    if listed == ingest_id:
        return tr("lists the dataset, and not which files it has")
    return tr("lists what another ingest archived of the dataset, and not what this one did")


def _first(names: Sequence[str]) -> Sequence[str]:
    """Return the first of many, and how many more there are."""
    if (more := len(names) - _MOST_NAMED) > 0:
        return [*names[:_MOST_NAMED], tr("and {more:,} more", more=more)]
    return names
