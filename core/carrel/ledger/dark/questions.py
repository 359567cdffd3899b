# SPDX-License-Identifier: AGPL-3.0-or-later
"""What people ask of the dark archive. Moments are tists; long answers come bit by bit."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from carrel.ledger.connection import Connection
from carrel.ledger.dark.changes import NEWEST_FIRST, Changes
from carrel.ledger.dark.lives import Lives
from carrel.ledger.dark.losses import Losses
from carrel.ledger.dark.mirror import Mirror
from carrel.ledger.dark.run_remarks import remarks_of
from carrel.ledger.dark.search import Searching
from carrel.ledger.dark.series import SeriesInNumbers
from carrel.model.dark import IncidenceKind, LossKind, ObiKind, RunSource
from carrel.model.dark_views import (
    ChangeRow,
    DarkFigures,
    Hit,
    Life,
    LossRow,
    NotedCheck,
    RunRow,
    SeriesRow,
    VersionRow,
)
from carrel.model.remarks import RunRemarks

_PAGE = 1000

_RUNS = """
SELECT tist, scope, source, source_ref, source_tist, wall_clock AS began, finished AS ended,
    scope_ok, coalesce(counts, '{}') AS counts
FROM run WHERE run = tist ORDER BY tist DESC
"""

_UNREADABLE = "SELECT scope, path FROM container WHERE state = 'unreadable' ORDER BY path"

_AS_OF = f"""
SELECT o.obi_id, o.kind, o.ident, o.archive, o.series, (
    SELECT v.tist FROM version AS v JOIN run AS r ON r.tist = v.tist
    WHERE v.obi_id = o.obi_id AND v.tist <= :at ORDER BY {NEWEST_FIRST} LIMIT 1) AS version
FROM obi AS o
WHERE o.obi_id BETWEEN :first AND :last AND (
    SELECT i.kind FROM incidence AS i WHERE i.obi_id = o.obi_id AND i.tist <= :at
    ORDER BY i.tist DESC, i.seq DESC LIMIT 1) <> 'deletion'
ORDER BY o.obi_id
"""  # noqa: S608 - an order of ours

_NEVER_CAPTURED_COUNT = """
SELECT count(*) AS n FROM obi AS f WHERE +kind = 'fobi'
AND NOT EXISTS (SELECT 1 FROM version AS v WHERE v.obi_id = f.obi_id)
"""

_NEVER_CAPTURED = """
SELECT obi_id FROM obi AS f WHERE +kind = 'fobi'
AND NOT EXISTS (SELECT 1 FROM version AS v WHERE v.obi_id = f.obi_id)
AND (:archive IS NULL OR EXISTS (SELECT 1 FROM refipo AS r JOIN obi AS t ON t.obi_id = r.tobi_id
    WHERE r.fobi_id = f.obi_id AND t.archive IS nullif(:archive, '')))
AND obi_id > :after ORDER BY obi_id LIMIT :most
"""


@dataclass(frozen=True, slots=True)
class AsOfRow:
    """An object that was there at some time; `version` is the tist of the version it had then."""

    kind: ObiKind
    ident: str
    archive: str | None
    series: str | None
    version: int | None


class Questions:
    def __init__(self, connection: Connection) -> None:
        self._rows = connection.rows
        self._losses = Losses(connection)
        self._changes = Changes(connection)
        self._series = SeriesInNumbers(connection)
        self._lives = Lives(connection)
        self._searching = Searching(connection)
        self._mirror = Mirror(connection)

    def runs(self) -> Sequence[RunRow]:
        """Return the runs, newest first; one that has several numbers is one."""
        unreadable: dict[str, list[str]] = {}
        for row in self._rows(_UNREADABLE):
            unreadable.setdefault(row["scope"], []).append(row["path"])
        return [
            RunRow(
                **{
                    **row,
                    "source": RunSource(row["source"]),
                    "scope_ok": bool(row["scope_ok"]),
                    "counts": json.loads(row["counts"]),
                    "unreadable": unreadable.pop(row["scope"], ()),  # the newest of its scope
                }
            )
            for row in self._rows(_RUNS)
        ]

    def remarks(self, tist: int) -> RunRemarks:
        """Return what the run with this number remarked; of an older run that takes a while."""
        return remarks_of(self._mirror, tist)

    def losses(
        self,
        *,
        since: int | None = None,
        archive: str | None = None,
        series: str | None = None,
        what: LossKind | None = None,
        pending: bool = True,
    ) -> Sequence[LossRow]:
        """Return what is lost, in order of when it was first missed, from the tist `since` on.

        With suspects, if `pending`; they have not been `confirmed`. An `archive` or `series` of ""
        is that of what belongs to none.
        """
        return self._losses.find(
            since=since, archive=archive, series=series, what=what, pending=pending
        )

    def changes(
        self,
        *,
        since: int | None = None,
        archive: str | None = None,
        series: str | None = None,
        kind: IncidenceKind | None = None,
    ) -> Sequence[ChangeRow]:
        """Return the log of incidences from the tist `since` on, in its order."""
        return list(self.log(since=since, archive=archive, series=series, kind=kind))

    def log(
        self,
        *,
        since: int | None = None,
        archive: str | None = None,
        series: str | None = None,
        kind: IncidenceKind | None = None,
    ) -> Iterator[ChangeRow]:
        """Yield what `changes` returns, a page at a time: the log may be long."""
        return self._changes.log(since=since, archive=archive, series=series, kind=kind)

    def event_counts(self) -> Mapping[IncidenceKind, int]:
        """Return how many incidences of each kind there are, but for those of watched datasets."""
        return self._changes.counts()

    def series(self) -> Sequence[SeriesRow]:
        """Return each series in numbers, by archive and series."""
        return self._series.all()

    def life(self, kind: ObiKind | None, ident_n: str) -> Life | None:
        """Return everything about one object, None if it is not known; of any kind for None."""
        return self._lives.life(kind, ident_n)

    def versions(self, kind: ObiKind | None, ident_n: str) -> Sequence[VersionRow]:
        """Return the versions of an object in the order in which they were noted."""
        return self._lives.versions(kind, ident_n)

    def version_at(
        self, kind: ObiKind | None, ident_n: str, at: int | None = None
    ) -> VersionRow | None:
        """Return the version that was current at a tist, or is now; None if none was noted yet."""
        return self._lives.version_at(kind, ident_n, at)

    def last_check(self) -> NotedCheck | None:
        """Return the last verification of everything that was journalled, None if none was."""
        rows = self._rows(
            "SELECT at, contents, size, faults AS bad FROM fixity_run ORDER BY at DESC LIMIT 1"
        )
        return NotedCheck(**rows[0]) if rows else None

    def figures(self) -> DarkFigures:
        """Return what there is in numbers, and the last verification."""
        return DarkFigures(self.event_counts(), self.never_captured_count(), self.last_check())

    def has_series(self, archive: str | None, series: str | None) -> bool:
        """Say whether any template is of an archive and series; None is any, "" is none."""
        rows = self._rows(
            "SELECT 1 AS one FROM obi WHERE kind = 'tobi' AND (:archive IS NULL OR archive IS "
            "nullif(:archive, '')) AND (:series IS NULL OR series IS nullif(:series, '')) LIMIT 1",
            {"archive": archive, "series": series},
        )
        return bool(rows)

    def search(self, text: str, most: int) -> Sequence[Hit]:
        """Return up to `most` objects whose handle or URL begins with a text, or has it in it."""
        return self._searching.find(text, most)

    def near(self, ident_n: str, most: int) -> Sequence[Hit]:
        """Return up to `most` objects with identifiers like one that is not known."""
        return self._searching.near(ident_n, most)

    def as_of(self, at: int) -> Iterator[AsOfRow]:
        """Yield the archive as it stood at a tist: what had appeared and was not lost."""
        for first in range(1, self._last_object() + 1, _PAGE):
            asked = {"at": at, "first": first, "last": first + _PAGE - 1}
            for row in self._rows(_AS_OF, asked):
                yield AsOfRow(
                    ObiKind(row["kind"]),
                    row["ident"],
                    row["archive"],
                    row["series"],
                    row["version"],
                )

    def never_captured(self, archive: str | None = None) -> Iterator[Hit]:
        """Yield the full texts that were named, and of which nothing ever came."""
        after = 0
        while True:
            asked = {"archive": archive, "after": after, "most": _PAGE}
            page = [row["obi_id"] for row in self._rows(_NEVER_CAPTURED, asked)]
            yield from self._searching.hits(page)
            if len(page) < _PAGE:
                return
            after = page[-1]

    def never_captured_count(self) -> int:
        """Return how many full texts were named, and never came."""
        return int(self._rows(_NEVER_CAPTURED_COUNT)[0]["n"])

    def same_bytes(self, sha256: str, most: int = 100) -> Sequence[Hit]:
        """Return up to `most` objects that have a version with these bytes."""
        rows = self._rows(
            "SELECT DISTINCT obi_id FROM version WHERE sha256 = ? LIMIT ?", [sha256, most]
        )
        return self._searching.hits([row["obi_id"] for row in rows])

    def _last_object(self) -> int:
        return int(self._rows("SELECT coalesce(max(obi_id), 0) AS last FROM obi")[0]["last"])
