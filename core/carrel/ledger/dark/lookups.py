# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a gathering run asks of the ledger. Long lists come in pages, so that memory stays flat."""

from collections.abc import Iterator
from dataclasses import dataclass

from carrel.ledger.connection import Connection
from carrel.model.dark import ContainerState, ObiKind

_PAGE = 1000
_DOUBLES = """
WITH several AS (SELECT obi_id FROM occurrence GROUP BY obi_id HAVING count(*) > 1),
standing AS (
    SELECT obi_id, o.reading, c.path, first_value(c.path) OVER places AS first,
        row_number() OVER places AS rank
    FROM several JOIN occurrence AS o USING (obi_id) JOIN container AS c USING (container_id)
    WHERE c.scope = :scope AND c.state = 'read'
    WINDOW places AS (PARTITION BY obi_id ORDER BY c.path, o.position))
SELECT ident_n, ident, path, first FROM standing JOIN obi USING (obi_id)
WHERE rank > 1 AND reading <> :reading ORDER BY path, ident_n
"""


@dataclass(frozen=True, slots=True)
class KnownObi:
    """`state` is unseen, present or lost; `text_md5` and `sha256` are those of the last version.

    `since` is the run that first missed it, None if it is not pending; `moment` the time that run
    spoke for.
    """

    obi_id: int
    state: str
    text_md5: str | None
    since: int | None = None
    moment: int | None = None


@dataclass(frozen=True, slots=True)
class KnownContainer:
    """`sha256` is None for one that was not read to its end."""

    container_id: int
    path: str
    state: str
    sha256: str | None


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Where a template stands, or stood when its container was last readable; `sha256` is that of
    the container."""

    path: str
    position: int
    text_md5: str
    sha256: str | None
    state: ContainerState | str

    @property
    def is_readable(self) -> bool:
        return self.state != ContainerState.UNREADABLE


@dataclass(frozen=True, slots=True)
class Pending:
    """An object that was missed; `moment` is the time that the run `since` spoke for.

    Of one that only a backfill named it is when that was; `named` is the date of the data then.
    """

    obi_id: int
    kind: ObiKind
    ident_n: str
    archive: str | None
    since: int | None
    moment: int
    cause: str
    named: int | None = None


@dataclass(frozen=True, slots=True)
class DueText:
    """A full text to ask for. `format` is what a template says it is, `media` and `size` what is
    held of it. `is_closed` says that a restriction forbids it."""

    obi_id: int
    url: str
    archive: str | None
    series: str | None
    format: str | None
    media: str | None
    size: int | None
    is_closed: bool = False


@dataclass(frozen=True, slots=True)
class Double:
    """A template that does not speak, as its handle stands in the container `first` as well."""

    ident_n: str
    ident: str
    path: str
    first: str


class Lookups:
    def __init__(self, connection: Connection) -> None:
        self._rows = connection.rows

    def last_tist(self) -> int:
        """Return the highest number that was ever given to a run, 0 if none was."""
        return int(self._rows("SELECT coalesce(max(tist), 0) AS last FROM run")[0]["last"])

    def unfinished(self) -> list[int]:
        """Return the numbers of the last run, if it was not ended."""
        rows = self._rows(
            "SELECT tist FROM run WHERE finished IS NULL"
            " AND run = (SELECT run FROM run ORDER BY tist DESC LIMIT 1) ORDER BY tist"
        )
        return [row["tist"] for row in rows]

    def last_source_tist(self, scope: str) -> int | None:
        """Return the date of the newest data that was read in its turn, None if none was."""
        rows = self._rows(
            "SELECT max(source_tist) AS last FROM run WHERE scope = ? AND source <> 'backfill'",
            [scope],
        )
        last = rows[0]["last"]
        return None if last is None else int(last)

    def obi(self, kind: ObiKind, ident_n: str) -> KnownObi | None:
        rows = self._rows(
            "SELECT obi_id, state, text_md5, p.since, r.moment FROM obi LEFT JOIN pending AS p "
            "USING (obi_id) LEFT JOIN run AS r ON r.tist = p.since WHERE kind = ? AND ident_n = ?",
            [str(kind), ident_n],
        )
        return KnownObi(**rows[0]) if rows else None

    def last_sha256(self, obi_id: int) -> str | None:
        """Return the digest of the last version's bytes, None if there is none."""
        rows = self._rows(
            "SELECT sha256 FROM version WHERE obi_id = ? ORDER BY tist DESC LIMIT 1", [obi_id]
        )
        return rows[0]["sha256"] if rows else None

    def last_outcome(self, obi_id: int) -> str | None:
        """Return what came of the last look at a full text, None before the first."""
        rows = self._rows(
            "SELECT outcome FROM probe WHERE obi_id = ? ORDER BY first DESC LIMIT 1", [obi_id]
        )
        return rows[0]["outcome"] if rows else None

    def has_text(self, obi_id: int, text_md5: str, moment: int) -> bool:
        """Say whether any version of an object had this text, at this time or before."""
        rows = self._rows(
            "SELECT 1 AS one FROM version WHERE obi_id = ? AND text_md5 = ?"
            " AND coalesce(src_tist, tist) <= ? LIMIT 1",
            [obi_id, text_md5, moment],
        )
        return bool(rows)

    def containers(self, scope: str) -> Iterator[KnownContainer]:
        """Yield the containers that are not gone, by path in the order of their code points."""
        after = ""
        while True:
            page = self._rows(
                "SELECT container_id, path, state, sha256 FROM container WHERE scope = ?"
                " AND path > ? AND state <> 'gone' ORDER BY path LIMIT ?",
                [scope, after, _PAGE],
            )
            yield from (KnownContainer(**row) for row in page)
            if len(page) < _PAGE:
                return
            after = page[-1]["path"]

    def container_count(self, scope: str, folder: str) -> int:
        """Return how many containers are known in a folder, and in none within it; "" is that
        which holds all."""
        below = f"{folder}/" if folder else ""
        rows = self._rows(
            "SELECT count(*) AS n FROM container WHERE scope = ? AND path >= ? AND path < ?"
            " AND state <> 'gone' AND instr(substr(path, ?), '/') = 0",
            [scope, below, f"{below}􏿿", len(below) + 1],
        )
        return int(rows[0]["n"])

    def places_before(
        self, obi_id: int, scope: str, path: str, position: int, reading: int
    ) -> list[tuple[str, int]]:
        """Return where templates with this handle stand before a place: the containers, and which
        readings saw them there.

        Of the very container that is being read only what this `reading` saw counts, and none that
        cannot be read now: it would be silent about its templates forever.
        """
        rows = self._rows(
            "SELECT c.path, o.reading FROM occurrence AS o JOIN container AS c"
            " USING (container_id) WHERE o.obi_id = ? AND c.scope = ?"
            " AND (c.state NOT IN ('gone', 'unreadable') OR o.reading = ?)"
            " AND (c.path < ? OR (c.path = ? AND o.reading = ? AND o.position < ?))",
            [obi_id, scope, reading, path, path, reading, position],
        )
        return [(row["path"], row["reading"]) for row in rows]

    def paths_after(self, obi_id: int, scope: str, path: str) -> list[str]:
        """Return in which containers behind this one templates with this handle stand."""
        rows = self._rows(
            "SELECT DISTINCT c.path FROM occurrence AS o JOIN container AS c USING (container_id)"
            " WHERE o.obi_id = ? AND c.scope = ? AND c.state = 'read' AND c.path > ?"
            " ORDER BY c.path",
            [obi_id, scope, path],
        )
        return [row["path"] for row in rows]

    def standing_doubles(self, scope: str, reading: int) -> list[Double]:
        """Return the templates whose handle stands further up as well, in containers that were not
        read anew in this `reading`, by handle and place."""
        rows = self._rows(_DOUBLES, {"scope": scope, "reading": reading})
        return [Double(row["ident_n"], row["ident"], row["path"], row["first"]) for row in rows]

    def first_occurrence(self, obi_id: int, scope: str) -> Occurrence | None:
        """Return the place whose template speaks for an object, None if there is none."""
        rows = self._rows(
            "SELECT c.path, o.position, o.text_md5, c.sha256, c.state FROM occurrence AS o"
            " JOIN container AS c USING (container_id) WHERE o.obi_id = ? AND c.scope = ?"
            " AND c.state <> 'gone' ORDER BY c.path, o.position LIMIT 1",
            [obi_id, scope],
        )
        return Occurrence(**rows[0]) if rows else None

    def pending(self, scope: str, kind: ObiKind) -> Iterator[Pending]:
        """Yield what was missed and not yet concluded."""
        after = 0
        while True:
            page = self._rows(
                # Only older data named what a backfill doubts: no one has missed it yet.
                "SELECT obi_id, ident_n, archive, p.cause, iif(r.source = 'backfill', NULL, "
                "p.since) AS since, iif(r.source = 'backfill', r.tist, r.moment) AS moment, iif("
                "r.source = 'backfill', coalesce(r.source_tist, r.moment), NULL) AS named FROM "
                "pending AS p JOIN obi USING (obi_id) JOIN run AS r ON r.tist = p.since WHERE "
                "p.scope = ? AND obi.kind = ? AND obi_id > ? ORDER BY obi_id LIMIT ?",
                [scope, str(kind), after, _PAGE],
            )
            yield from (Pending(**{**row, "kind": kind}) for row in page)
            if len(page) < _PAGE:
                return
            after = page[-1]["obi_id"]

    def has_readable(self, scope: str, archive: str | None) -> bool:
        """Say whether a readable container names anything of an archive.

        RePEc's central folder "all" does not count: it has copies of what every archive says of
        itself, whether the archive is there or not.
        """
        return bool(
            self._rows(
                "SELECT 1 AS one FROM obi JOIN occurrence USING (obi_id) JOIN container AS c USING "
                "(container_id) WHERE obi.archive IS ? AND c.scope = ? AND c.state = ? AND '/' || "
                "lower(c.path) NOT LIKE '%/all/%' LIMIT 1",
                [archive, scope, str(ContainerState.READ)],
            )
        )

    def has_page_instead(self, scope: str, obi_id: int) -> bool:
        """Say whether a file of the name in which an object stood last lies elsewhere now, and
        cannot be read, and never could: the object may stand in it. So it is where the folder that
        is read is another one than before."""
        rows = self._rows(
            "SELECT c.path FROM version AS v JOIN container AS c USING (container_id)"
            " WHERE v.obi_id = ? ORDER BY v.tist DESC LIMIT 1",
            [obi_id],
        )
        if not rows:
            return False
        name = rows[0]["path"].rpartition("/")[2]
        found = self._rows(
            "SELECT 1 AS one FROM container AS c WHERE scope = :scope AND state = 'unreadable' AND "
            "(path = :name OR substr(path, -length(:name) - 1) = '/' || :name) AND NOT EXISTS "
            "(SELECT 1 FROM occurrence AS o WHERE o.container_id = c.container_id) LIMIT 1",
            {"scope": scope, "name": name},
        )
        return bool(found)

    def stood_in_readable(self, obi_id: int) -> bool:
        """Say whether the container that the last version was read from can be read now."""
        rows = self._rows(
            "SELECT c.state FROM version AS v JOIN container AS c USING (container_id)"
            " WHERE v.obi_id = ? ORDER BY v.tist DESC LIMIT 1",
            [obi_id],
        )
        return bool(rows) and rows[0]["state"] == ContainerState.READ

    def archives_below(self, scope: str, prefix: str) -> frozenset[str | None]:
        """Return of which archives templates stand, or ever stood, in containers whose paths begin
        so."""
        rows = self._rows(
            "SELECT obi.archive FROM container AS c JOIN occurrence USING (container_id) JOIN obi "
            "USING (obi_id) WHERE c.scope = :scope AND c.path >= :prefix AND c.path < :prefix || "
            "char(0x10ffff) AND c.state <> 'gone' UNION SELECT obi.archive FROM pending AS p JOIN "
            "obi USING (obi_id) JOIN version AS v USING (obi_id) JOIN container AS c USING "
            "(container_id) WHERE p.scope = :scope AND c.path >= :prefix AND c.path < :prefix || "
            "char(0x10ffff)",
            {"scope": scope, "prefix": prefix},
        )
        return frozenset(row["archive"] for row in rows)

    def knows_archive(self, archive: str) -> bool:
        return bool(self._rows("SELECT 1 AS one FROM obi WHERE archive = ? LIMIT 1", [archive]))

    def unnamed_since(self, run: int) -> int:
        """Return how many full texts were let go of by the last template that named them, in a run
        or after it."""
        rows = self._rows(
            "SELECT count(*) AS n FROM (SELECT fobi_id FROM refipo WHERE fobi_id IS NOT NULL"
            " GROUP BY fobi_id HAVING count(*) = count(until) AND max(until) >= ?)",
            [run],
        )
        return int(rows[0]["n"])

    def unrequestable(self, scope: str, most: int) -> tuple[int, list[tuple[str, str]]]:
        """Return how many addresses of full texts, given by templates now, no one can request, and
        the first of them, each with its template's handle. Empty ones are no addresses."""
        (row,) = self._rows(f"SELECT count(*) AS n FROM {_UNREQUESTABLE}", [scope])  # noqa: S608
        first = self._rows(
            f"SELECT t.ident, r.raw_url FROM {_UNREQUESTABLE} ORDER BY t.ident_n, r.seq LIMIT ?",  # noqa: S608
            [scope, most],
        )
        return int(row["n"]), [(each["ident"], each["raw_url"]) for each in first]

    def due_texts(self, scope: str, asked_before: int | None) -> Iterator[DueText]:
        """Yield the full texts that a living template names, and whether a restriction closes them.

        With `asked_before`, only those that were last asked for before that tist. A restriction on
        the file, its template, series or archive closes, whichever template says so.
        """
        after = 0
        while True:
            page = self._rows(_DUE, {"scope": scope, "after": after, "most": _PAGE})
            for row in page:
                after = row["obi_id"]
                last = row.pop("last")
                is_closed = bool(row.pop("closed"))
                if asked_before is None or last is None or last < asked_before:
                    yield DueText(**row, is_closed=is_closed)
            if len(page) < _PAGE:
                return


_UNREQUESTABLE = (
    "refipo AS r JOIN obi AS t ON t.obi_id = r.tobi_id WHERE r.fobi_id IS NULL"
    " AND r.until IS NULL AND r.raw_url <> '' AND t.scope = ?"
)

_DUE = """
SELECT f.obi_id, f.ident AS url, min(t.archive) AS archive, min(t.series) AS series,
    max(r.format) AS format, c.media, c.size,
    (SELECT max(last) FROM probe AS p WHERE p.obi_id = f.obi_id) AS last,
    max(r.restriction IS NOT NULL OR t.restriction IS NOT NULL OR EXISTS (
        SELECT 1 FROM obi AS s WHERE s.kind = 'tobi' AND s.state = 'present'
        AND s.restriction IS NOT NULL AND s.ident_n IN
        ('RePEc:' || t.archive, 'RePEc:' || t.archive || ':' || t.series))) AS closed
FROM (SELECT obi_id, ident FROM obi WHERE +kind = 'fobi' AND obi_id > :after
        AND EXISTS (SELECT 1 FROM refipo AS x JOIN obi AS y ON y.obi_id = x.tobi_id
            WHERE x.fobi_id = obi.obi_id AND x.until IS NULL AND y.scope = :scope)
        ORDER BY obi_id LIMIT :most) AS f
JOIN refipo AS r ON r.fobi_id = f.obi_id AND r.until IS NULL
JOIN obi AS t ON t.obi_id = r.tobi_id
LEFT JOIN version AS v ON v.obi_id = f.obi_id
    AND v.tist = (SELECT max(tist) FROM version AS w WHERE w.obi_id = f.obi_id)
LEFT JOIN content AS c ON c.sha256 = v.sha256
GROUP BY f.obi_id ORDER BY f.obi_id
"""
