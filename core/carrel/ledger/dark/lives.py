# SPDX-License-Identifier: AGPL-3.0-or-later
"""One object from its first finding until now: its events, its versions, what it belongs to."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from carrel.ledger.connection import Connection, Row
from carrel.ledger.dark.changes import NEWEST_FIRST
from carrel.ledger.dark.clocks import DATA_DATE, LACKED_BY, MISSED_DATE, NOT_IN_DATA, Dates
from carrel.ledger.dark.renames import Renames
from carrel.ledger.dark.search import FAULT, STATE
from carrel.model.dark import NOT_SENT, REPEC, IncidenceKind, ObiKind, Redirect, RunSource
from carrel.model.dark_views import Life, LifeEvent, ObiState, VersionRow
from carrel.model.iso_time import iso_time

_WORDS = {
    IncidenceKind.APPEARANCE: "noted",
    IncidenceKind.CHANGE: "changed",
    IncidenceKind.DELETION: "lost",
    IncidenceKind.REAPPEARANCE: "found again",
}

_OBJECT = f"""
SELECT o.*, {STATE} AS standing, m.tist AS missed, p.cause FROM obi AS o
LEFT JOIN pending AS p USING (obi_id)
LEFT JOIN run AS m ON m.tist = p.since AND m.source <> 'backfill'
WHERE o.kind IN ('tobi', 'fobi') AND o.ident_n = :ident_n AND (:kind IS NULL OR o.kind = :kind)
"""  # noqa: S608 - an expression of ours

_VERSIONS = f"""
SELECT v.tist, v.src_tist AS source_tist, v.sha256, v.text_md5, c.size, c.media, c.path,
    g.at AS purged, g.reason AS purge_reason, r.source = 'backfill' AS is_backfill,
    {FAULT.format(sha256="v.sha256")} AS fault, coalesce(v.exchange ->> '$.flags', (
    SELECT json_array(p.detail) FROM probe AS p WHERE p.obi_id = v.obi_id AND p.outcome = 'ok'
    AND v.tist = (SELECT max(x.tist) FROM version AS x WHERE x.obi_id = v.obi_id)
    ORDER BY p.first DESC LIMIT 1), '[]') AS flags
FROM version AS v JOIN content AS c USING (sha256) LEFT JOIN purge AS g USING (sha256)
JOIN run AS r ON r.tist = v.tist
WHERE v.obi_id = ? ORDER BY v.tist
"""  # noqa: S608 - an expression of ours

_CURRENT = f"""
SELECT v.tist FROM version AS v JOIN run AS r ON r.tist = v.tist
WHERE v.obi_id = :obi_id AND (:at IS NULL OR v.tist <= :at) ORDER BY {NEWEST_FIRST} LIMIT 1
"""  # noqa: S608 - an order of ours

_INCIDENCES = f"""
SELECT i.tist, i.kind, i.since, i.cause, w.text_md5, (
    SELECT v.text_md5 FROM version AS v JOIN run AS r ON r.tist = v.tist
    WHERE v.obi_id = i.obi_id AND v.tist < i.tist ORDER BY {NEWEST_FIRST} LIMIT 1) AS text_before
FROM incidence AS i LEFT JOIN version AS w USING (obi_id, tist)
WHERE i.obi_id = ? ORDER BY i.tist, i.seq
"""  # noqa: S608 - an order of ours

# What a backfill adds to an object that is known befalls no one.
_ADDED = """
SELECT v.tist, r.source, r.source_ref, EXISTS (SELECT 1 FROM version AS x
    WHERE x.obi_id = v.obi_id AND x.text_md5 = v.text_md5 AND x.tist <> v.tist) AS is_same
FROM version AS v JOIN run AS r USING (tist)
WHERE v.obi_id = ? AND NOT EXISTS (SELECT 1 FROM incidence AS i
    WHERE i.obi_id = v.obi_id AND i.tist = v.tist)
"""

# The runs over old data, with the dates of what they found in these, and of what they missed.
_OLD_DATA = f"""
SELECT r.tist, {DATA_DATE} AS dated, {MISSED_DATE} AS missed FROM run AS r
WHERE r.source IN ('tarball', 'backfill')
"""  # noqa: S608 - expressions of ours

# Which data did not have what only backfills name, and when that was.
_LACKED = f"""
SELECT {DATA_DATE} AS dated, coalesce({DATA_DATE}, r.tist) AS placed
FROM obi AS o JOIN run AS r ON r.tist = {LACKED_BY} WHERE o.obi_id = ?
"""  # noqa: S608 - expressions of ours

# Of checks of our copies: each result that is another than the one before it.
_CHECKS = """
SELECT at, result, lag(result, 1, 'ok') OVER (PARTITION BY sha256 ORDER BY at) AS before
FROM fixity WHERE sha256 IN (SELECT sha256 FROM version WHERE obi_id = ?) ORDER BY at
"""

# Until when something is known of a template, by the data, and of a full text, by requests.
_KNOWN = {
    ObiKind.TOBI: f"""SELECT max(coalesce({DATA_DATE}, r.tist)) AS known FROM run AS r
        WHERE r.scope = :scope AND r.scope_ok AND r.source <> 'backfill'""",  # noqa: S608
    ObiKind.FOBI: "SELECT max(last) AS known FROM probe WHERE obi_id = :obi_id",
}

_ARCHIVE_MISSED = """
SELECT r.run FROM archive_missed AS m JOIN run AS r USING (tist)
WHERE m.scope = :scope AND m.archive = :archive AND 'deletion' <> (
    SELECT i.kind FROM incidence AS i WHERE i.obi_id = :obi_id AND i.tist < m.tist
    ORDER BY i.tist DESC, i.seq DESC LIMIT 1)
"""

# The files of a template, or the templates of a file: those of now, or if there are none, the last.
_FILES = """
SELECT DISTINCT coalesce(f.ident, r.raw_url) AS name, f.obi_id IS NULL AS is_none FROM refipo AS r
LEFT JOIN obi AS f ON f.obi_id = r.fobi_id WHERE r.tobi_id = :obi_id
AND r.until IS (SELECT iif(count(*) = count(until), max(until), NULL) FROM refipo
    WHERE tobi_id = :obi_id) ORDER BY r.seq
"""
_TEMPLATES = """
SELECT DISTINCT t.ident AS name FROM refipo AS r JOIN obi AS t ON t.obi_id = r.tobi_id
WHERE r.fobi_id = :obi_id AND r.until IS (SELECT iif(count(*) = count(until), max(until), NULL)
    FROM refipo WHERE fobi_id = :obi_id) ORDER BY t.ident_n LIMIT :most
"""

_SPANS = "SELECT DISTINCT since, until FROM refipo WHERE fobi_id = ? ORDER BY since"

_PROBES = """
SELECT outcome, "first", "last", n, detail, EXISTS (SELECT 1 FROM redirect AS d
    WHERE d.obi_id = p.obi_id AND d.tist BETWEEN p."first" AND p."last") AS was_led
FROM probe AS p WHERE obi_id = ? ORDER BY "first"
"""

_REDIRECTS = """
SELECT status, to_url FROM redirect WHERE obi_id = :obi_id
AND tist = (SELECT max(tist) FROM redirect WHERE obi_id = :obi_id)
AND NOT EXISTS (SELECT 1 FROM probe AS p WHERE p.obi_id = :obi_id AND p.outcome = 'ok'
    AND p.last > redirect.tist) ORDER BY hop
"""

_DEEDS = """
SELECT at, deed, reason, occasion FROM opening WHERE obi_id = :obi_id UNION ALL
SELECT DISTINCT g.at, 'purged', g.reason, NULL FROM version AS v JOIN purge AS g USING (sha256)
WHERE v.obi_id = :obi_id ORDER BY at
"""

# A landing page may be named by a hundred thousand.
_MOST_NAMES = 1000


class Lives:
    def __init__(self, connection: Connection) -> None:
        self._rows = connection.rows
        self._renames = Renames(connection)

    def life(self, kind: ObiKind | None, ident_n: str) -> Life | None:
        """Return everything about an object, None if there is none; of either kind for None."""
        row = self._object(kind, ident_n)
        if row is None:
            return None
        obi_id, kind = row["obi_id"], ObiKind(row["kind"])
        versions = self._versions(obi_id)
        state = ObiState(row["standing"])
        home = row if kind is ObiKind.TOBI else self._home(obi_id)
        is_missing = state in (ObiState.LOST, ObiState.SUSPECT)
        twins = self._renames.of([obi_id]) if kind is ObiKind.TOBI and is_missing else {}
        is_renamed = bool(twins) and state is ObiState.LOST
        events = self._dated(row, kind, versions)
        names = self._names(obi_id, kind)
        return Life(
            kind,
            row["ident"],
            ObiState.RENAMED if is_renamed else state,
            _found(kind, versions),
            home["archive"],
            home["series"],
            row["ttype"],
            tuple(_with_rename(events) if is_renamed else events),
            tuple(versions),
            tuple(row["name"] for row in names),
            tuple(Redirect(**each) for each in self._rows(_REDIRECTS, {"obi_id": obi_id})),
            tuple(twins.get(obi_id, ())),
            tuple(_deed(each) for each in self._rows(_DEEDS, {"obi_id": obi_id})),
            self._known_until(row, kind, is_lost=state is ObiState.LOST),
            not_requested=tuple(row["name"] for row in names if row.get("is_none")),
            **self._last_request(obi_id),
        )

    def _known_until(self, row: Row, kind: ObiKind, *, is_lost: bool) -> int | None:
        """Return until when something is known; of what only backfills name, and is not confirmed
        as lost, no data in turn tell anything."""
        is_of_backfill = (row["scope"] or "").startswith("backfill:")
        scope = REPEC if is_lost and is_of_backfill else row["scope"]
        asked = {"obi_id": row["obi_id"], "scope": scope}
        known: int | None = self._rows(_KNOWN[kind], asked)[0]["known"]
        return known

    def _last_request(self, obi_id: int) -> dict[str, Any]:
        """Return how the last request for a full text ended, and when one last delivered it."""
        probes = self._rows(_PROBES, [obi_id])
        if not probes:
            return {}
        last = probes[-1]
        delivered = [each["last"] for each in probes if each["outcome"] == "ok"]
        return {
            "outcome": last["outcome"],
            "requested": last["last"],
            "delivered": max(delivered, default=None),
        }

    def versions(self, kind: ObiKind | None, ident_n: str) -> list[VersionRow]:
        """Return the versions of an object, as they were noted; none of one that is not known."""
        row = self._object(kind, ident_n)
        return [] if row is None else self._versions(row["obi_id"])

    def version_at(
        self, kind: ObiKind | None, ident_n: str, at: int | None = None
    ) -> VersionRow | None:
        """Return the version that was current at a tist, or is now; None if none was noted yet.

        What a backfill added is older than what was read in its turn, whenever it was noted.
        """
        row = self._object(kind, ident_n)
        if row is None:
            return None
        current = self._rows(_CURRENT, {"obi_id": row["obi_id"], "at": at})
        by_tist = {version.tist: version for version in self._versions(row["obi_id"])}
        return by_tist[current[0]["tist"]] if current else None

    def _object(self, kind: ObiKind | None, ident_n: str) -> Row | None:
        rows = self._rows(_OBJECT, {"kind": kind and str(kind), "ident_n": ident_n})
        return rows[0] if rows else None

    def _versions(self, obi_id: int) -> list[VersionRow]:
        return [
            VersionRow(
                **{
                    **row,
                    "is_backfill": bool(row["is_backfill"]),
                    "flags": _flags(json.loads(row["flags"])),
                }
            )
            for row in self._rows(_VERSIONS, [obi_id])
        ]

    def _home(self, obi_id: int) -> Row:
        """Return the archive and series of a template that names a file, or named it last."""
        rows = self._rows(
            "SELECT t.archive, t.series FROM refipo AS r JOIN obi AS t ON t.obi_id = r.tobi_id"
            " WHERE r.fobi_id = ? ORDER BY r.until IS NOT NULL, r.until DESC, t.archive, t.series"
            " LIMIT 1",
            [obi_id],
        )
        return rows[0] if rows else {"archive": None, "series": None}

    def _names(self, obi_id: int, kind: ObiKind) -> Sequence[Row]:
        sql = _FILES if kind is ObiKind.TOBI else _TEMPLATES
        asked = {"obi_id": obi_id, "most": _MOST_NAMES}
        return self._rows(sql, asked)

    def _events(self, row: Row) -> Iterator[LifeEvent]:
        obi_id = row["obi_id"]
        incidences = self._rows(_INCIDENCES, [obi_id])
        for probe in self._rows(_PROBES, [obi_id]):  # what comes of a request is told after it
            yield LifeEvent(probe["first"], _asked(probe), _answer(probe), probe["last"])
        for tist, cause in self._missed(row, incidences).items():
            yield LifeEvent(tist, "missed", cause)
        for gap in _gaps(self._rows(_SPANS, [obi_id])):
            yield LifeEvent(gap[0], "missed", NOT_IN_DATA, gap[1])
        for incidence in incidences:
            yield _befell(incidence)
        for added in self._rows(_ADDED, [obi_id]):
            is_old = added["source"] == RunSource.BACKFILL
            text = "same text in older data" if added["is_same"] else "older text"
            yield LifeEvent(added["tist"], "noted", f"{text}, {added['source_ref']}" * is_old)
        yield from _of_checks(self._rows(_CHECKS, [obi_id]))

    def _dated(
        self, row: Row, kind: ObiKind, versions: Sequence[VersionRow]
    ) -> Sequence[LifeEvent]:
        """Return the events in the order of the clock that the object goes by, each with the date
        of the data that it was read from."""
        runs = self._rows(_OLD_DATA)
        dates = Dates(
            {each["tist"]: each["dated"] for each in runs},
            {each["tist"]: each["missed"] for each in runs},
        )
        events = sorted(self._events(row), key=lambda each: each.tist)
        if kind is ObiKind.TOBI:
            made = self._lost_earlier(row, dates.of_template(events, versions))
        else:
            made = [dates.of_full_text(each) for each in events]
        return sorted(made, key=lambda each: (each.at, each.tist))

    def _lost_earlier(self, row: Row, events: Iterable[LifeEvent]) -> list[LifeEvent]:
        """Return events with the loss of what only backfills name where the data had it no more."""
        lacked = self._rows(_LACKED, [row["obi_id"]])
        if not lacked:
            return list(events)
        dated, placed = lacked[0]["dated"], lacked[0]["placed"]
        return [
            replace(it, dated=it.dated if dated is None else dated, placed=placed)
            if it.what == "lost"
            else it
            for it in events
        ]

    def _missed(self, row: Row, incidences: Sequence[Row]) -> dict[int, str]:
        """Return which runs missed an object and did not yet say that it is lost, with the cause.

        Of what was seen again nothing is left but the misses of its whole archive.
        """
        missed = {
            each["since"]: each["cause"]
            for each in incidences
            if each["since"] is not None and each["since"] < each["tist"]
        }
        if row["missed"] is not None:
            missed[row["missed"]] = row["cause"]
        if row["archive"] is not None:
            whole = "nothing of the whole archive could be read"
            missed |= {each["run"]: whole for each in self._rows(_ARCHIVE_MISSED, row)}
        return missed


def _befell(incidence: Row) -> LifeEvent:
    kind = IncidenceKind(incidence["kind"])
    text, before = incidence["text_md5"], incidence["text_before"]
    is_weak = kind is IncidenceKind.CHANGE and text is not None and text == before
    detail = "same text, other bytes" if is_weak else ""
    if kind is IncidenceKind.REAPPEARANCE and text is not None and text != before:
        detail = "other bytes than before"
    return LifeEvent(incidence["tist"], _WORDS[kind], incidence["cause"] or detail)


def _with_rename(events: Sequence[LifeEvent]) -> Iterator[LifeEvent]:
    """Yield events of which the last loss was none: the template goes under another handle."""
    last = max((each.tist for each in events if each.what == "lost"), default=None)
    for each in events:
        is_it = each.what == "lost" and each.tist == last
        yield replace(each, what="renamed") if is_it else each


def _of_checks(checks: Iterable[Row]) -> Iterator[LifeEvent]:
    """Yield when our copies were found bad, and good again; equal ones of a moment once."""
    told = {
        (each["at"], each["result"]): None for each in checks if each["result"] != each["before"]
    }
    for at, result in told:
        is_good = result == "ok"
        yield LifeEvent(at, "repaired" if is_good else "damaged", "" if is_good else result)


def _gaps(spans: Iterable[Row]) -> Iterator[tuple[int, int | None]]:
    """Yield when no template named a file, between those that did and after the last."""
    end: int | None = None
    is_first = True
    for span in spans:
        if not is_first and end is not None and span["since"] > end:
            yield end, span["since"]
        if is_first:
            end = span["until"]
        elif end is not None:
            end = None if span["until"] is None else max(end, span["until"])
        is_first = False
    if end is not None:
        yield end, None


def _asked(probe: Row) -> str:
    """Return whether a request was sent: one that was led on was, whatever forbade the next."""
    return "not asked" if probe["outcome"] in NOT_SENT and not probe["was_led"] else "asked"


def _answer(probe: Row) -> str:
    times = f", {probe['n']} times" if probe["n"] > 1 else ""
    detail = probe["detail"] or ""
    if probe["outcome"] == "ok":  # of a file that came older runs said so in a sentence, too
        detail = "; ".join(_flags([detail]))
    return f"{probe['outcome']}{times}" + (f": {detail}" if detail else "")


def _flags(told: Iterable[str | None]) -> tuple[str, ...]:
    """Return flags, which earlier runs told of the last version alone, in one text."""
    each = (flag for text in told for flag in (text or "").split("; "))
    return tuple(flag for flag in each if flag and " " not in flag)


def _found(kind: ObiKind, versions: Sequence[VersionRow]) -> int | None:
    """Return the time of first finding: of a template by the data's own date, of a full text the
    run that first got a copy (Fort Lee paper, "tist found")."""
    is_dated = kind is ObiKind.TOBI
    return min(
        (
            each.tist if not is_dated or each.source_tist is None else each.source_tist
            for each in versions
        ),
        default=None,
    )


def _deed(row: Row) -> str:
    when = iso_time(datetime.fromtimestamp(row["at"], UTC))
    occasion = f" ({row['occasion']})" if row["occasion"] else ""
    return f"{when} {row['deed']}: {row['reason']}{occasion}"
