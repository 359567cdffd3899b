# SPDX-License-Identifier: AGPL-3.0-or-later
"""The two clocks of the dark archive: when a run recorded something, and the date of its data.

A tist is of our clock, always. The data that were read may have a date of their own: that of a
tarball, or of the file in which a template stands. What the live web answers, and what a folder
lacks, is of the moment at which it was asked for.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from carrel.model.dark import REPEC
from carrel.model.dark_views import UNREAD

if TYPE_CHECKING:
    from carrel.model.dark_views import LifeEvent, VersionRow

NOT_IN_DATA = "not-in-data"

# The date that old data speak for, of a run `r`; NULL of one that reads what is so now.
DATA_DATE = "iif(r.source IN ('tarball', 'backfill'), coalesce(r.source_tist, r.moment), NULL)"
# The same of what the data lack: a backfill concludes nothing from that.
MISSED_DATE = "iif(r.source = 'tarball', coalesce(r.source_tist, r.moment), NULL)"
_DATE_OF_LACKING = "iif(q.source = 'tarball', coalesce(q.source_tist, q.moment), q.tist)"
# What only data can say, and no address: by the kind of an object `o`, and the `cause`.
IS_OF_DATA = "(o.kind = 'tobi' OR {cause} IN ('not-in-data', 'archive-not-in-data'))"

# The run that read the earliest data which, though later than all that name an object `o`, did not
# have it, where only backfills name it: none had missed it, as it was not known yet. That run read
# all of its data, of the object's archive too. NULL where there is none.
LACKED_BY = f"""
iif(o.kind = 'tobi' AND o.scope LIKE 'backfill:%' AND NOT EXISTS (SELECT 1 FROM incidence AS y
    JOIN run AS w USING (tist) WHERE y.obi_id = o.obi_id AND y.kind <> 'deletion'
    AND w.source <> 'backfill'), (
SELECT q.tist FROM run AS q WHERE q.scope = '{REPEC}' AND q.source <> 'backfill' AND q.scope_ok
AND q.tist = q.run AND q.tist < (SELECT min(v.tist) FROM version AS v WHERE v.obi_id = o.obi_id)
AND {_DATE_OF_LACKING} > (SELECT max(coalesce(b.source_tist, b.moment)) FROM occurrence AS x
    JOIN container AS c USING (container_id) JOIN run AS b ON b.scope = c.scope
    WHERE x.obi_id = o.obi_id AND b.source = 'backfill')
AND NOT EXISTS (SELECT 1 FROM json_each(q.counts) WHERE value > 0
    AND key IN ({", ".join(f"'{name}'" for name in UNREAD)}))
AND NOT EXISTS (SELECT 1 FROM archive_missed AS m JOIN run AS w USING (tist)
    WHERE w.run = q.run AND m.archive IS o.archive)
AND EXISTS (SELECT 1 FROM obi AS a JOIN version AS v USING (obi_id) JOIN run AS w USING (tist)
    WHERE a.kind = 'tobi' AND a.archive IS o.archive AND w.source <> 'backfill' AND w.run <= q.run
    AND NOT EXISTS (SELECT 1 FROM incidence AS y JOIN run AS z USING (tist)
        WHERE y.obi_id = a.obi_id AND y.kind = 'deletion' AND z.run <= q.run))
ORDER BY {_DATE_OF_LACKING} LIMIT 1), NULL)
"""  # noqa: S608 - names of ours

_OF_VERSIONS = ("noted", "changed", "found again")
_BY_OUR_CLOCK = ("asked", "not asked", "damaged", "repaired")


@dataclass(frozen=True, slots=True)
class Dates:
    """The dates of old data, by the runs that read them: of what was found, and what missed."""

    read: Mapping[int, int | None]
    missed: Mapping[int, int | None]

    def of_full_text(self, event: "LifeEvent") -> "LifeEvent":
        """Return an event of what is requested live: only that no template names it is of data."""
        is_of_data = event.what == "missed" and event.detail == NOT_IN_DATA
        dated = self.missed.get(event.tist) if is_of_data else None
        return event if dated is None else replace(event, dated=dated, placed=event.tist)

    def of_template(
        self, events: Iterable["LifeEvent"], versions: Sequence["VersionRow"]
    ) -> Iterator["LifeEvent"]:
        """Yield events with their dates, and where they stand on the line of the data.

        Versions have dates of their own, which count there unless something had happened after them
        that was read before.
        """
        own, last = {each.tist: each for each in versions}, 0
        for event in events:
            if event.what in _BY_OUR_CLOCK:
                yield event
                continue
            version = own.get(event.tist)
            made = self._of_template(event, version, last)
            if version is None or not version.is_backfill:
                last = max(last, made.at)
            yield made

    def _of_template(
        self, event: "LifeEvent", version: "VersionRow | None", last: int
    ) -> "LifeEvent":
        dates = self.missed if event.what == "missed" else self.read
        of_run = dates.get(event.tist)
        own = version.source_tist if version and event.what in _OF_VERSIONS else None
        dated = of_run if own is None else own
        at = event.tist if of_run is None else of_run
        if version and own is not None and (version.is_backfill or own >= last):
            at = min(own, event.tist)
        made = replace(event, dated=dated)
        return made if made.at == at else replace(made, placed=at)
