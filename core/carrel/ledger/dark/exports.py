# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an export takes out of the dark archive, page by page, so that memory stays flat."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from carrel.ledger.connection import Connection, Row
from carrel.ledger.dark.search import STATE
from carrel.model.dark import ObiKind, Redirect
from carrel.model.dark_views import ExportOrder, ObiState

_PAGE = 200
# A landing page may be named by a hundred thousand.
_MOST_HANDLES = 20

# What a version (v) of an object (o) must be for an order, and what a template (t).
_VERSION_WANTED = """
(:since IS NULL OR v.tist >= :since)
AND (NOT :last OR v.tist = (SELECT max(w.tist) FROM version AS w WHERE w.obi_id = v.obi_id))
"""
_TEMPLATE_WANTED = """
(:archive IS NULL OR t.archive IS nullif(:archive, ''))
AND (:series IS NULL OR t.series IS nullif(:series, ''))
"""

_FULL_TEXTS = f"""
SELECT o.obi_id FROM obi AS o WHERE +o.kind = 'fobi' AND o.obi_id > :after
AND (NOT :lost OR o.state = 'lost')
AND EXISTS (SELECT 1 FROM version AS v WHERE v.obi_id = o.obi_id AND {_VERSION_WANTED})
AND (coalesce(:archive, :series) IS NULL OR EXISTS (
    SELECT 1 FROM refipo AS r JOIN obi AS t ON t.obi_id = r.tobi_id
    WHERE r.fobi_id = o.obi_id AND {_TEMPLATE_WANTED}))
ORDER BY o.obi_id LIMIT :most
"""  # noqa: S608 - conditions of ours

_HANDLES = f"""
SELECT t.obi_id, t.ident, t.archive, t.series FROM obi AS t
WHERE +t.kind = 'tobi' AND t.obi_id > :after AND {_TEMPLATE_WANTED}
AND EXISTS (SELECT 1 FROM refipo AS r JOIN obi AS o ON o.obi_id = r.fobi_id
    JOIN version AS v ON v.obi_id = o.obi_id
    WHERE r.tobi_id = t.obi_id AND (NOT :lost OR o.state = 'lost') AND {_VERSION_WANTED})
ORDER BY t.obi_id LIMIT :most
"""  # noqa: S608 - conditions of ours

_NAMED = """
SELECT DISTINCT o.obi_id FROM refipo AS r JOIN obi AS o ON o.obi_id = r.fobi_id
WHERE r.tobi_id = :tobi AND (NOT :lost OR o.state = 'lost') AND o.obi_id > :after
ORDER BY o.obi_id LIMIT :most
"""

_VERSIONS = f"""
SELECT v.obi_id, o.kind, o.ident_n, {STATE} AS state, v.tist, v.sha256, c.size, c.path, c.media,
    v.exchange,
    CASE o.state WHEN 'lost' THEN (
        SELECT coalesce(i.since, i.tist) FROM incidence AS i WHERE i.obi_id = o.obi_id
        AND i.kind = 'deletion' ORDER BY i.tist DESC, i.seq DESC LIMIT 1) ELSE p.since END AS since,
    (SELECT max(b.last) FROM probe AS b WHERE b.obi_id = o.obi_id) AS asked,
    (SELECT b.outcome FROM probe AS b WHERE b.obi_id = o.obi_id
        ORDER BY b.first DESC LIMIT 1) AS outcome,
    (SELECT max(b.last) FROM probe AS b WHERE b.obi_id = o.obi_id AND b.outcome = 'ok')
    AS delivered,
    (SELECT json_group_array(ident) FROM (SELECT DISTINCT t.ident FROM refipo AS r
        JOIN obi AS t ON t.obi_id = r.tobi_id WHERE r.fobi_id = o.obi_id
        ORDER BY t.ident_n LIMIT :handles)) AS handles,
    EXISTS (SELECT 1 FROM version AS w WHERE w.sha256 = v.sha256
        AND (w.obi_id <> v.obi_id OR w.tist <> v.tist)) AS is_shared,
    c.purged, g.reason AS purge_reason
FROM json_each(:ids) AS j JOIN obi AS o ON o.obi_id = j.value
LEFT JOIN pending AS p ON p.obi_id = o.obi_id
JOIN version AS v ON v.obi_id = o.obi_id
JOIN content AS c ON c.sha256 = v.sha256
LEFT JOIN purge AS g ON g.sha256 = v.sha256
WHERE {_VERSION_WANTED} ORDER BY o.obi_id, v.tist
"""  # noqa: S608 - conditions of ours

_REDIRECTS = """
SELECT v.obi_id, v.tist, d.status, d.to_url FROM json_each(:ids) AS j
JOIN version AS v ON v.obi_id = j.value JOIN redirect AS d USING (obi_id, tist)
ORDER BY v.obi_id, v.tist, d.hop
"""


@dataclass(frozen=True, slots=True)
class ExportedVersion:
    """A version of a full text (or template), as an export needs it.

    `ident_n` is the address that templates name; `redirects` led on from there, and `exchange` is
    the head of the last request and its answer (`asking.heads.told`), None where none was kept.
    `state_since` is when it was first missed, `asked` when it was last asked for, with which
    `outcome`, and `delivered` when it last came; all but the outcome are tists.
    `handles` are some of those that ever named it. `is_shared` says that another version has the
    same bytes. `purged` is when the bytes were taken out, None where they are there.
    """

    kind: ObiKind
    ident_n: str
    tist: int
    sha256: str
    size: int
    path: str
    media: str | None
    state: ObiState
    state_since: int | None
    asked: int | None
    outcome: str | None
    delivered: int | None
    handles: Sequence[str]
    redirects: Sequence[Redirect]
    exchange: Mapping[str, Any] | None
    is_shared: bool
    purged: int | None
    purge_reason: str | None


@dataclass(frozen=True, slots=True)
class ExportedHandle:
    """A template that names, or named, full texts which are to be exported."""

    obi_id: int
    ident: str
    archive: str | None
    series: str | None


class Exports:
    def __init__(self, connection: Connection) -> None:
        self._rows = connection.rows

    def full_texts(self, order: ExportOrder) -> Iterator[ExportedVersion]:
        """Yield the versions of full texts that an order is about, each object's in their order."""
        yield from self._versions(self._pages(_FULL_TEXTS, order), order)

    def handles(self, order: ExportOrder) -> Iterator[ExportedHandle]:
        """Yield the templates that ever named a full text which the order is about."""
        for page in self._pages(_HANDLES, order):
            for row in page:
                yield ExportedHandle(**row)

    def full_texts_of(
        self, handle: ExportedHandle, order: ExportOrder
    ) -> Iterator[ExportedVersion]:
        """Yield the versions of those full texts that one template ever named."""
        yield from self._versions(self._pages(_NAMED, order, tobi=handle.obi_id), order)

    def templates_of(self, handle: ExportedHandle, order: ExportOrder) -> Iterator[ExportedVersion]:
        """Yield the versions of a template."""
        yield from self._versions([[{"obi_id": handle.obi_id}]], order)

    def count(self, order: ExportOrder) -> int:
        """Return how many full texts an order is about, or for a vault how many handles."""
        counted = f"SELECT count(*) AS n FROM ({_HANDLES if order.vault else _FULL_TEXTS})"  # noqa: S608 - ours
        rows = self._rows(counted, {**_asked(order), "after": 0, "most": -1})
        return int(rows[0]["n"])

    def _pages(self, sql: str, order: ExportOrder, **named: int) -> Iterator[list[Row]]:
        asked = {**_asked(order), **named, "after": 0, "most": _PAGE}
        while page := self._rows(sql, asked):
            yield page
            if len(page) < _PAGE:
                return
            asked["after"] = page[-1]["obi_id"]

    def _versions(
        self, pages: Iterable[list[Row]], order: ExportOrder
    ) -> Iterator[ExportedVersion]:
        for page in pages:
            ids = json.dumps([row["obi_id"] for row in page])
            redirects = _by_version(self._rows(_REDIRECTS, {"ids": ids}))
            asked = {**_asked(order), "ids": ids, "handles": _MOST_HANDLES}
            for row in self._rows(_VERSIONS, asked):
                yield _version(row, redirects)


def _asked(order: ExportOrder) -> dict[str, Any]:
    return {
        "archive": order.archive,
        "series": order.series,
        "lost": int(order.lost),
        "since": order.since,
        "last": int(order.last),
    }


def _key(row: Row) -> tuple[int, int]:
    return row["obi_id"], row["tist"]


def _by_version(rows: Iterable[Row]) -> dict[tuple[int, int], list[Redirect]]:
    return {
        key: [Redirect(row["status"], row["to_url"]) for row in group]
        for key, group in groupby(rows, key=_key)
    }


def _version(row: Row, redirects: Mapping[tuple[int, int], Sequence[Redirect]]) -> ExportedVersion:
    return ExportedVersion(
        kind=ObiKind(row["kind"]),
        ident_n=row["ident_n"],
        tist=row["tist"],
        sha256=row["sha256"],
        size=row["size"],
        path=row["path"],
        media=row["media"],
        state=ObiState(row["state"]),
        state_since=row["since"],
        asked=row["asked"],
        outcome=row["outcome"],
        delivered=row["delivered"],
        handles=json.loads(row["handles"]),
        redirects=redirects.get(_key(row), ()),
        exchange=json.loads(row["exchange"]) if row["exchange"] else None,
        is_shared=bool(row["is_shared"]),
        purged=row["purged"],
        purge_reason=row["purge_reason"],
    )
