# SPDX-License-Identifier: AGPL-3.0-or-later
"""One attempt in full: its files with where their bytes are, its checks, the attempts beside it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from carrel.errors import ArchiveError
from carrel.ledger import stored_results
from carrel.ledger.absent_tables import answerable
from carrel.ledger.accessions import accessions, file_moments, warcs_of
from carrel.ledger.attempts import KEPT
from carrel.ledger.beside import files_beside
from carrel.ledger.connection import Connection, Row
from carrel.ledger.holdings import unreadable
from carrel.ledger.last_verified import here_since_sql, read_all_sql
from carrel.ledger.resting import HOLDER_FIRST
from carrel.ledger.stored_results import Read
from carrel.model import Fate, ManifestFile

T = TypeVar("T")

# What is asked of a result but its files: to take these out would copy all of it.
_HEAD_FIELDS = (
    *("status", "hit", "error_message", "request", "hops", "findings", "carrel_version"),
    *("title", "creators", "published", "doi", "license", "file_count", "kept_count"),
    *("platform_name", "platform_domain", "platform_id", "platform_version"),
    *("ingest_strategy", "strategy_reason", "archiveorg_item_name", "fileset_bundle"),
)
_HEAD = """
SELECT rowid AS number, ingest_id, started, finished FROM results WHERE ingest_id = ?
"""
# Which record `h` a revisit `r` rests on is chosen as a fixity run chooses it.
_HOLDER = f"""
CASE WHEN own.is_revisit THEN coalesce((SELECT h.record_id FROM captures AS r JOIN captures AS h
    ON h.sha256 = r.sha256 AND h.size = r.size AND NOT h.is_revisit
    WHERE r.record_id = own.record_id ORDER BY {HOLDER_FIRST} LIMIT 1
), own.record_id) ELSE own.record_id END
"""  # noqa: S608
# If that is not intact any more, an intact one with the same bytes, if there is any.
_STANDS = f"""
CASE WHEN EXISTS (SELECT 1 FROM record_fixity AS x
    WHERE x.record_id = {_HOLDER} AND x.fate <> 'intact') THEN coalesce((
    SELECT t.record_id FROM captures AS t LEFT JOIN record_fixity AS y USING (record_id)
    WHERE t.sha256 = own.sha256 AND t.size = own.size AND NOT t.is_revisit
        AND coalesce(y.fate, 'intact') = 'intact'
    ORDER BY t.timestamp DESC, t.filename DESC, t.offset DESC LIMIT 1), {_HOLDER})
ELSE {_HOLDER} END
"""  # noqa: S608
_PLACE = """
    h.record_id, h.filename, h.offset, h.length, h.size, h.sha256, h.url, h.timestamp
"""
_FIXITY = ", x.fate, x.checked"
_WITH_FIXITY = "LEFT JOIN record_fixity AS x ON x.record_id = h.record_id"
# By the table's own index: to sort the files would hold all of them.
_PLACES = f"""
SELECT f.position, {_PLACE} {{columns}} FROM files AS f
LEFT JOIN captures AS own ON own.record_id = f.capture_id
LEFT JOIN captures AS h ON h.record_id = {{holder}}
{{joins}}
WHERE f.ingest_id = ? ORDER BY f.position
"""  # noqa: S608
_AT = f"""
SELECT {_PLACE} {{columns}} FROM captures AS own
LEFT JOIN captures AS h ON h.record_id = {{holder}}
{{joins}} WHERE own.filename = ? AND own.offset = ?
"""  # noqa: S608
# Without an import no file is looked at.
_CAME_IN = """
SELECT f.path FROM files AS f JOIN captures AS own ON own.record_id = f.capture_id
JOIN captures AS h ON h.record_id = {holder}
WHERE f.ingest_id = ? AND f.status LIKE 'success%' AND h.url GLOB 'urn:x-carrel:ingest:*:file:*'
    AND EXISTS (SELECT 1 FROM captures WHERE url GLOB 'urn:x-carrel:ingest:*') ORDER BY f.position
"""
# Whatever address the dataset was requested by.
_ATTEMPTS = """
SELECT rowid AS number, ingest_id, base_url, started, finished, status, platform_version
FROM results WHERE finished IS NOT NULL
    AND dataset_id = (SELECT dataset_id FROM results WHERE ingest_id = ?)
ORDER BY started, rowid
"""
_OF_ATTEMPTS = {"kept_count": "kept_count", "file_count": "file_count", "message": "error_message"}
# Of the whole archive those since something of the dataset is here.
_RUNS = f"""
WITH attempts AS (
    SELECT r.ingest_id, {here_since_sql("r.finished", of="r")} AS since, {KEPT} AS kept
    FROM results AS h JOIN results AS r
        ON r.ingest_id = h.ingest_id OR r.dataset_id = h.dataset_id
    WHERE h.ingest_id = :ingest_id AND r.finished IS NOT NULL
)
SELECT v.started, v.finished, v.records, v.failed, v.ingest_id, read.platform_version AS version,
    v.ingest_id IS NULL AS is_of_archive,
    v.ingest_id IS h.ingest_id OR {read_all_sql(":since")} AS is_of_holding,
    v.ingest_id IS NULL AND v.started >= {here_since_sql(":complete")} AS was_whole
FROM results AS h CROSS JOIN verifications AS v
LEFT JOIN results AS read ON read.ingest_id = v.ingest_id
WHERE h.ingest_id = :ingest_id AND (v.ingest_id IN (SELECT ingest_id FROM attempts)
    OR v.ingest_id IS NULL
    AND v.started >= (SELECT min(since) FROM attempts WHERE kept > 0))
ORDER BY v.started, v.id
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """The WARC record that holds a file's bytes, and how it was when it was last read.

    It is an intact one, where several have the same bytes. `offset` and `length` count bytes of the
    WARC `filename`; `size` and `sha256` are of the payload as it is stored there, which was
    captured from `url` at `timestamp` (14 digits, UTC). `checked` is None
    where it was never read again, `fate` None if nothing is known. Where no record has the bytes of
    a revisit, it is the revisit itself.
    """

    record_id: str
    filename: str
    offset: int
    length: int
    size: int
    sha256: str
    url: str | None = None
    timestamp: str | None = None
    fate: Fate | None = None
    checked: str | None = None

    @property
    def fixity(self) -> tuple[int, str]:
        """Size and SHA-256 of the payload."""
        return self.size, self.sha256


@dataclass(frozen=True, slots=True)
class InventoryFile:
    """One file of an attempt; `since` is when it came, `place` where it is, None where neither is
    known here."""

    position: int
    file: ManifestFile
    since: str | None
    place: RecordPlace | None


class Inventory:
    """What the ledger has of single attempts. It is asked of a ledger that stands still, by one
    thread: see `Ledger.standing_still`. Raises ArchiveError."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def head(self, ingest_id: str) -> dict[str, Any] | None:
        """Return the result of an attempt without its files, None if there is none.

        With `archived` and `added` where it keeps anything, as in a row of the holdings.
        """
        for row in self._connection.rows(_HEAD, [ingest_id]):
            if row["finished"] is None:
                return None
            with self._stored(ingest_id, row.pop("number")) as read:
                found = stored_results.head_of(read)
            known = ((name, found.get(name)) for name in _HEAD_FIELDS)
            head = {**row, **{name: value for name, value in known if value is not None}}
            return {**head, **self._came(ingest_id, head)}
        return None

    def files(self, ingest_id: str) -> Iterator[InventoryFile]:
        """Yield the files of an attempt in the order of its manifest, however many there are."""
        rows = self._connection.each(self._with_fixity(_PLACES), [ingest_id])
        places = Following((row["position"], _place(row)) for row in rows)
        moments = Following(file_moments(self._connection, ingest_id))
        number = self._connection.column(
            "SELECT rowid FROM results WHERE ingest_id = ?", [ingest_id]
        )
        with self._stored(ingest_id, number[0]) as read:
            for position, entry in enumerate(stored_results.files_of(read)):
                file = ManifestFile.from_json(entry)
                yield InventoryFile(position, file, moments.at(position), places.at(position))

    def beside(self, ingest_id: str) -> list[Row]:
        """Return the files that an attempt lacks which is what is held, and that another one at the
        same version has: `position`, `path`, and the `ingest_id` of that one."""
        return files_beside(self._connection, ingest_id)

    def files_that_came_in(self, ingest_id: str) -> list[str]:
        """Return the paths of the files of an attempt whose records an import brought."""
        return self._connection.column(self._with_fixity(_CAME_IN), [ingest_id])

    def record_at(self, filename: str, offset: int) -> RecordPlace | None:
        """Return the record at a place, or the one that it refers to; None if none is known."""
        rows = self._connection.rows(self._with_fixity(_AT), [filename, offset])
        return _place(rows[0]) if rows else None

    def attempts(self, ingest_id: str) -> Sequence[Row]:
        """Return every finished attempt at the dataset that one is of, oldest first."""
        rows = self._connection.rows(_ATTEMPTS, [ingest_id])
        for row in rows:
            inside = self._inside(row["ingest_id"], row.pop("number"))
            for name, known in _OF_ATTEMPTS.items():
                row[name] = inside.get(known)
        return rows

    def runs(self, head: Mapping[str, Any]) -> Sequence[Row]:
        """Return every verification of all that an attempt at the same dataset rests on, oldest
        first; `is_of_holding` says that it read all that the attempt of this `head` keeps, and
        `was_whole` all files of that, some of which were archived again since."""
        if not self._has_fixity():
            return []
        since = head.get("added") or head["archived"]
        complete = head.get("complete") or since
        asked = {"ingest_id": head["ingest_id"], "since": since, "complete": complete}
        return self._connection.rows(answerable(self._connection, _RUNS), asked)

    def warcs_of(self, ingest_id: str) -> list[str]:
        """Return the WARCs that have what an attempt rests on, as far as they are there."""
        return warcs_of(self._connection, ingest_id) if self._has_fixity() else []

    def _inside(self, ingest_id: str, number: int) -> dict[str, Any]:
        """Return what a result says but its files; nothing for a damaged one."""
        try:
            with self._stored(ingest_id, number) as read:
                return stored_results.head_of(read)
        except ArchiveError:
            return {}

    @contextmanager
    def _stored(self, ingest_id: str, number: int) -> Iterator[Read]:
        """Give what reads the stored result of an attempt in pieces."""
        try:
            with self._connection.reading("results", "result", number) as read:
                yield read
        except (ValueError, RecursionError) as error:
            raise ArchiveError(unreadable(ingest_id)) from error

    def _came(self, ingest_id: str, head: Mapping[str, Any]) -> dict[str, Any]:
        if came := accessions(self._connection, [ingest_id]).get(ingest_id):
            complete = came.complete or came.archived
            return {"archived": came.archived, "added": came.added, "complete": complete}
        is_held = head.get("kept_count") or head.get("hit")
        return {"archived": head["finished"]} if is_held else {}

    def _with_fixity(self, sql: str) -> str:
        """Return the question with what fixity runs found, where the ledger has anything of it."""
        if not self._has_fixity():
            nothing = ", NULL AS fate, NULL AS checked"
            return sql.format(columns=nothing, holder=_HOLDER, joins="")
        return sql.format(columns=_FIXITY, holder=_STANDS, joins=_WITH_FIXITY)

    def _has_fixity(self) -> bool:
        return self._connection.has_table("record_fixity")


class Following(Generic[T]):
    """What stands at some places, in their order, for who asks in that order as well."""

    def __init__(self, found: Iterator[tuple[int, T]]) -> None:
        self._found = found
        self._next = next(found, None)

    def at(self, place: int) -> T | None:
        """Return what stands at a place, None if nothing does."""
        while self._next is not None and self._next[0] < place:
            self._next = next(self._found, None)
        return self._next[1] if self._next is not None and self._next[0] == place else None


def _place(row: Row) -> RecordPlace | None:
    if row["record_id"] is None:
        return None
    fields = {name: row[name] for name in RecordPlace.__slots__}
    return RecordPlace(**{**fields, "fate": row["fate"] and Fate(row["fate"])})
