# SPDX-License-Identifier: AGPL-3.0-or-later
"""A ledger made again: first what the journal tells, then what only the WARCs tell.

Of a capture the journal's word goes before that of the WARC: where they differ the record was
damaged since, and who verifies is to be told so.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from carrel.errors import ArchiveError, JournalTooNew
from carrel.ledger.adoption import (
    REST,
    add_attempt,
    add_files,
    add_lost_attempt,
    note_earlier_platform,
)
from carrel.ledger.connection import Connection, Row, insert_many
from carrel.ledger.datasets import assign_all
from carrel.ledger.journaled_tables import KEYS
from carrel.model import Capture, Fate, IngestRequest
from carrel.model.imported import is_imported_record
from carrel.model.iso_time import iso_time
from carrel.model.ledger_entries import Attempt, Intact, LedgerEntry, More, Removed
from carrel.model.ledger_entries import Row as RowEntry
from carrel.model.packed import WarcPart
from carrel.model.surt import surt
from carrel.translation import tr

_WORKING = """
CREATE TEMP TABLE documents (ingest_id TEXT PRIMARY KEY, filename TEXT, part INT, result TEXT);
CREATE TEMP TABLE parts (
    filename TEXT, part INT, ingest_id TEXT, PRIMARY KEY (filename, part)) WITHOUT ROWID;
CREATE TEMP TABLE described (record_id TEXT PRIMARY KEY, filename TEXT, part INT) WITHOUT ROWID;
CREATE TEMP TABLE texts (number INTEGER PRIMARY KEY, result TEXT);
CREATE TEMP TABLE resting (ingest_id TEXT PRIMARY KEY, files TEXT);
CREATE TEMP TABLE read_records (record_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP TABLE elsewhere (
    record_id TEXT PRIMARY KEY, filename TEXT, offset INT, length INT) WITHOUT ROWID;
CREATE TEMP TABLE untold (filename TEXT, part INT, PRIMARY KEY (filename, part)) WITHOUT ROWID;
"""
_RESULTS = """
UPDATE results SET result = coalesce(
    (SELECT t.result FROM texts AS t WHERE t.number = results.rowid),
    (SELECT d.result FROM documents AS d WHERE d.ingest_id = results.ingest_id))
WHERE finished IS NOT NULL AND result IS NULL
"""
_UNKNOWN = """
SELECT ingest_id, result FROM documents
WHERE ingest_id NOT IN (SELECT ingest_id FROM results) ORDER BY ingest_id
"""
# What the journal does not tell of, though it does of all captures beside it, was not believed when
# these were imported.
_FORGET_UNBELIEVED = """
DELETE FROM documents WHERE ingest_id NOT IN (SELECT ingest_id FROM results)
    AND NOT EXISTS (SELECT 1 FROM untold AS u
        WHERE u.filename = documents.filename AND u.part = documents.part)
    AND EXISTS (SELECT 1 FROM captures AS c
        WHERE c.filename = documents.filename AND c.offset >= documents.part
        AND NOT EXISTS (SELECT 1 FROM parts AS n WHERE n.filename = documents.filename
            AND n.part > documents.part AND n.part <= c.offset))
"""
# Of an attempt that began the journal may not tell the end, but its WARC may.
_BEGUN_ALONE = """
DELETE FROM results WHERE finished IS NULL AND ingest_id IN (SELECT ingest_id FROM documents)
"""
# WARCs with captures that the journal does not tell of, of attempts whose result is in none. What
# was requested is the first that is no file of the dataset: only files are described.
_WITHOUT_RESULT = """
SELECT p.ingest_id, q.request AS asked,
    min(c.timestamp) AS began, max(c.timestamp) AS ended,
    (SELECT f.url FROM captures AS f WHERE f.filename = p.filename AND f.offset >= p.part
        ORDER BY f.record_id IN (SELECT record_id FROM described), f.offset LIMIT 1) AS url,
    (SELECT j.request FROM jobs AS j WHERE j.ingest_id = p.ingest_id) AS queued
FROM untold AS u JOIN parts AS p USING (filename, part)
JOIN captures AS c ON c.filename = p.filename AND c.offset >= p.part
LEFT JOIN results AS r ON r.ingest_id = p.ingest_id LEFT JOIN requests AS q ON q.id = r.request_id
WHERE p.ingest_id <> '' AND r.finished IS NULL
    AND p.ingest_id NOT IN (SELECT ingest_id FROM documents)
    AND NOT EXISTS (SELECT 1 FROM parts AS n WHERE n.filename = p.filename
        AND n.part > p.part AND n.part <= c.offset)
GROUP BY p.ingest_id ORDER BY p.filename, p.part
"""
# A WARC, or a part of a packed one, belongs to the ingest that it names, one of earlier days to
# that whose result is in it. What a WARC describes though it stands in another file, as a large
# payload, belongs to the same.
_OWNERS = """
UPDATE parts SET ingest_id = '' WHERE ingest_id NOT IN (SELECT ingest_id FROM results);
INSERT INTO parts SELECT filename, part, ingest_id FROM documents WHERE true
    ON CONFLICT DO UPDATE SET ingest_id = excluded.ingest_id WHERE ingest_id = '';
UPDATE captures SET ingest_id = nullif((
    SELECT p.ingest_id FROM parts AS p
    WHERE p.filename = captures.filename AND p.part <= captures.offset
    ORDER BY p.part DESC LIMIT 1), '')
WHERE ingest_id IS NULL;
UPDATE captures SET ingest_id = nullif((
    SELECT p.ingest_id FROM described AS d JOIN parts AS p USING (filename, part)
    WHERE d.record_id = captures.record_id), '')
WHERE ingest_id IS NULL;
"""
_ELSEWHERE = (
    "INSERT OR IGNORE INTO elsewhere (filename, offset, record_id, length) VALUES (?, ?, ?, ?)"
)
_MOVED = "UPDATE captures SET filename = ?, offset = ? WHERE record_id = ?"
# A record that is at its place stays there, whoever else has it.
_MOVE_TO_WHERE_READ = """
UPDATE captures SET (filename, offset, length) = (
    SELECT e.filename, e.offset, e.length FROM elsewhere AS e
    WHERE e.record_id = captures.record_id)
WHERE record_id IN (SELECT record_id FROM elsewhere)
    AND record_id NOT IN (SELECT record_id FROM read_records)
"""
_READ_ELSEWHERE = "INSERT OR IGNORE INTO read_records SELECT record_id FROM elsewhere"
_NOTED_BEFORE = """
SELECT DISTINCT e.filename FROM elsewhere AS e JOIN captures AS c USING (record_id, filename)
JOIN record_fixity AS x USING (record_id) WHERE x.fate <> 'intact' ORDER BY e.filename
"""
# Both values are of the row as it was before.
_MOVE_UNREAD = """
UPDATE captures SET
    filename = (SELECT p.filename FROM packed_warcs AS p WHERE p.name = captures.filename),
    offset = offset + (SELECT p.offset FROM packed_warcs AS p WHERE p.name = captures.filename)
WHERE record_id NOT IN (SELECT record_id FROM read_records) AND EXISTS (
    SELECT 1 FROM packed_warcs AS p WHERE p.name = captures.filename
    AND captures.offset + captures.length <= p.length)
"""
_LATEST = """
SELECT p.rowid AS number, (
    SELECT r.result FROM results AS r JOIN requests AS q ON q.id = r.request_id
    WHERE r.base_url = p.base_url AND r.finished = p.updated AND q.ingest_type = p.ingest_type
    ORDER BY r.rowid DESC LIMIT 1) AS result
FROM ingest_fileset_platform AS p
"""
_WITH_FILES = """
SELECT r.ingest_id, r.result, q.files FROM results AS r LEFT JOIN resting AS q USING (ingest_id)
WHERE r.result IS NOT NULL ORDER BY r.rowid
"""
_NOT_READ = """
SELECT filename, count(*) AS n FROM captures
WHERE record_id NOT IN (SELECT record_id FROM read_records) GROUP BY filename ORDER BY filename
"""
_WARCS_OF = "SELECT DISTINCT filename FROM parts WHERE ingest_id = ? ORDER BY filename"
_OF_LONE_REVISITS = """
SELECT DISTINCT r.filename FROM captures AS r WHERE r.is_revisit AND NOT EXISTS (
    SELECT 1 FROM captures AS h WHERE h.sha256 = r.sha256 AND h.size = r.size AND NOT h.is_revisit)
"""
# What says the same in two ledgers of one archive.
_COMPARED = (*KEYS, "files", "holdings")
# Of so many rows that differ it is looked whether they mean the same.
_MOST_LOOKED_AT = 10_000


@dataclass(frozen=True, slots=True)
class Difference:
    """How many rows of a table a ledger lacks that another one has, and has that it lacks."""

    table: str
    lacking: int
    added: int


class Rebuilding:
    """Fills a ledger that has nothing in it yet. Raises ArchiveError, JournalTooNew.

    `make_catalogue` makes what follows from the other tables.
    """

    def __init__(self, connection: Connection, make_catalogue: Callable[[], None]) -> None:
        self._connection, self._make_catalogue = connection, make_catalogue
        self._columns: dict[str, frozenset[str]] = {}
        connection.db.conn.execute("PRAGMA foreign_keys = OFF")  # a row may come before its parent
        connection.db.conn.execute("PRAGMA synchronous = OFF")  # thrown away if it is not finished
        connection.db.conn.executescript(_WORKING)

    def replay(self, entries: Sequence[LedgerEntry]) -> None:
        """Do what the journal tells of, in its order."""
        with self._connection.writing() as db:
            for entry in entries:
                try:
                    self._replay(db, entry)
                except (KeyError, TypeError, ValueError) as error:
                    what = f"{type(entry).__name__.lower()} {list(_named(entry))!r:.80}"
                    raise ArchiveError(
                        tr("The archive's journal is not valid at {what}.", what=what)
                    ) from error

    def add_captures(self, part: WarcPart, captures: Sequence[Capture]) -> Sequence[Capture]:
        """Add those captures of a WARC, or of a part of a packed one, that the journal does not
        tell of.

        Returns those of which it says something else. A record may stand in several WARCs, as in
        those of two imports: the journal tells of one of them, at which it stays while it is there.
        Of one that was packed since it tells where it was before.
        """
        differing = []
        with self._connection.writing() as db:
            for capture in captures:
                known = self._known(capture.record_id)
                if known is None:
                    insert_many(db, "captures", [capture.to_fields()])
                    place = [part.filename, part.offset]
                    db.execute("INSERT OR IGNORE INTO untold VALUES (?, ?)", place)
                elif known.filename != capture.filename and _is_copy(capture, known):
                    place = [capture.filename, capture.offset, capture.record_id]
                    if (known.filename, known.offset) != part.former_place(capture):
                        db.execute(_ELSEWHERE, [*place, capture.length])
                        continue
                    db.execute(_MOVED, place)
                elif not _is_same(capture, known):
                    differing.append(capture)
                db.execute("INSERT OR IGNORE INTO read_records VALUES (?)", [capture.record_id])
        return differing

    def add_document(self, part: WarcPart, ingest_id: str, result: Mapping[str, Any]) -> None:
        """Add the result document of an ingest, from the WARC in which it stands."""
        row = [ingest_id, part.filename, part.offset, json.dumps(result)]
        with self._connection.writing() as db:
            db.execute("INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)", row)

    def add_part(self, part: WarcPart, ingest_id: str) -> None:
        """Add which ingest a WARC, or a part of a packed one, says that it belongs to."""
        row = [part.filename, part.offset, ingest_id]
        with self._connection.writing() as db:
            db.execute("INSERT OR REPLACE INTO parts VALUES (?, ?, ?)", row)

    def add_described(self, part: WarcPart, record_ids: Sequence[str]) -> None:
        """Add which records a WARC describes, as those of its own ingest."""
        with self._connection.writing() as db:
            rows = [(record_id, part.filename, part.offset) for record_id in record_ids]
            db.conn.executemany("INSERT OR IGNORE INTO described VALUES (?, ?, ?)", rows)

    def complete(self, unfinished: Collection[str] = ()) -> Sequence[str]:
        """Join what came from both, and make the rest of it.

        Of attempts that are `unfinished` what they wrote so far is still in staging. Returns the
        ids of the attempts that only the WARCs tell of.
        """
        with self._connection.writing() as db:
            with self._unnoted(db):
                db.execute(_RESULTS)
                self._add_manifests(db)
            db.execute(_FORGET_UNBELIEVED)
            db.execute(_BEGUN_ALONE)
            only_in_warcs = [self._add_unknown(db, row) for row in self._connection.rows(_UNKNOWN)]
            self._add_without_result(db, unfinished)
            for sql in filter(str.strip, _OWNERS.split(";")):
                db.execute(sql)
            self._add_files(db)
            assign_all(db)
        self._make_catalogue()
        return only_in_warcs

    def rest_on(
        self, ingest_id: str, captures: Sequence[Capture], resting: Mapping[int, str]
    ) -> None:
        """Have an attempt have these captures too, and files of it rest on records, by their
        positions: the records of what was kept that cannot be read any more."""
        with self._connection.writing() as db:
            rows = ({**each.to_fields(), "ingest_id": ingest_id} for each in captures)
            insert_many(db, "captures", rows, ignore=True)
            found = ((record_id, ingest_id, position) for position, record_id in resting.items())
            db.conn.executemany(REST, found)

    def warcs_of(self, ingest_id: str) -> list[str]:
        """Return the names of the WARCs that an attempt has a part in."""
        return self._connection.column(_WARCS_OF, [ingest_id])

    def warcs_of_lone_revisits(self) -> set[str]:
        """Return the names of the WARCs with revisits of which no record has the bytes."""
        return set(self._connection.column(_OF_LONE_REVISITS))

    def move_unread(self) -> None:
        """Have the captures that the journal tells of, and that are not at their place, be where
        they were read: in a WARC that was renamed, say. Those that were found nowhere are where
        their WARCs were packed: there they are damaged."""
        with self._connection.writing() as db:
            for sql in (_MOVE_TO_WHERE_READ, _READ_ELSEWHERE, _MOVE_UNREAD):
                db.execute(sql, [])

    def found_again(self) -> Sequence[str]:
        """Return the names of the WARCs in which records were read that were missing elsewhere when
        they were last verified."""
        return self._connection.column(_NOTED_BEFORE)

    def not_read(self) -> Mapping[str, int]:
        """Return, by WARC, how many captures the journal tells of that were not found there."""
        return {row["filename"]: row["n"] for row in self._connection.rows(_NOT_READ)}

    def differences(self, other: Path) -> Sequence[Difference]:
        """Return how this ledger differs from another one of the same archive, table by table."""
        with self._attached(other) as db:
            found = [_difference(db, table) for table in _COMPARED]
        return [each for each in found if each.lacking or each.added]

    @contextmanager
    def _attached(self, other: Path) -> Iterator[Database]:
        db = self._connection.db
        db.conn.execute("ATTACH DATABASE ? AS other", [str(other)])
        try:
            yield db
        finally:
            db.conn.execute("DETACH DATABASE other")

    def _replay(self, db: Database, entry: LedgerEntry) -> None:
        match entry:
            case RowEntry():
                self._put(db, entry.table, entry.key, entry.columns)
            case More():
                if (entry.table, entry.column) != ("results", "result"):
                    raise _too_new(f"{entry.table}.{entry.column}")
                piece = [entry.text, *entry.key]
                db.execute("UPDATE texts SET result = result || ? WHERE number = ?", piece)
            case Removed():
                where = " AND ".join(f"{name} = ?" for name in _key(entry.table))
                db.execute(f"DELETE FROM {entry.table} WHERE {where}", list(entry.key))  # noqa: S608
            case Intact():
                columns = {"checked": entry.checked, "fate": Fate.INTACT, "message": ""}
                for record_id in entry.record_ids:
                    self._put(db, "record_fixity", [record_id], columns)
            case Attempt():
                self._put(db, "results", entry.key, {**entry.columns, "result": None})
                text = [*entry.key, entry.result]
                db.execute("INSERT OR REPLACE INTO texts VALUES (?, ?)", text)
                ingest_id = entry.columns["ingest_id"]
                for capture in entry.captures:
                    row = {**capture, "surt": surt(capture["url"]), "ingest_id": ingest_id}
                    self._put(db, "captures", [capture["record_id"]], row)
                resting = [ingest_id, json.dumps(dict(entry.files or {}))]
                db.execute("INSERT OR REPLACE INTO resting VALUES (?, ?)", resting)

    def _put(
        self, db: Database, table: str, key: Sequence[Any], columns: Mapping[str, Any]
    ) -> None:
        row = {**dict(zip(_key(table), key, strict=True)), **columns}
        if unknown := row.keys() - self._columns_of(table):
            raise _too_new(f"{table}.{min(unknown)}")
        marks = ", ".join("?" * len(row))
        sql = f"INSERT OR REPLACE INTO {table} ({', '.join(row)}) VALUES ({marks})"  # noqa: S608
        db.execute(sql, list(row.values()))

    def _columns_of(self, table: str) -> frozenset[str]:
        if table not in self._columns:
            names = self._connection.column("SELECT name FROM pragma_table_info(?)", [table])
            self._columns[table] = frozenset({*names, "rowid"})
        return self._columns[table]

    def _known(self, record_id: str) -> Capture | None:
        rows = self._connection.rows("SELECT * FROM captures WHERE record_id = ?", [record_id])
        for row in rows:
            del row["ingest_id"]
            return Capture(**{**row, "is_revisit": bool(row["is_revisit"])})
        return None

    def _add_unknown(self, db: Database, row: Row) -> str:
        """Add an attempt that only the WARCs tell of: the journal was lost, or is cut off."""
        add_attempt(self._connection, db, row["ingest_id"], row["result"])
        note_earlier_platform(db, json.loads(row["result"]))
        return str(row["ingest_id"])

    def _add_without_result(self, db: Database, unfinished: Collection[str]) -> None:
        """Add the attempts of which there are captures, and neither a result nor an end."""
        for row in self._connection.rows(_WITHOUT_RESULT):
            if row["ingest_id"] in unfinished:
                continue
            asked = row["asked"] or row["queued"]
            request = IngestRequest.from_json(json.loads(asked)) if asked else None
            add_lost_attempt(
                self._connection,
                db,
                row["ingest_id"],
                request or IngestRequest(row["url"]),
                _moment(row["began"]),
                _moment(row["ended"]),
            )

    @contextmanager
    def _unnoted(self, db: Database) -> Iterator[None]:
        """Have changes in here not put into the journal, which leaves out what they bring."""
        (last,) = db.conn.execute("SELECT coalesce(max(number), 0) FROM unjournaled").fetchone()
        yield
        db.execute("DELETE FROM unjournaled WHERE number > ?", [last])

    def _add_manifests(self, db: Database) -> None:
        sql = "UPDATE ingest_fileset_platform SET manifest = ? WHERE rowid = ?"
        for number, result in db.conn.execute(_LATEST):
            if result is not None:
                db.conn.execute(sql, [json.dumps(json.loads(result)["manifest"]), number])

    def _add_files(self, db: Database) -> None:
        for ingest_id, result, resting in db.conn.execute(_WITH_FILES):
            known = json.loads(resting) if resting else None
            add_files(self._connection, db, ingest_id, result, known)


def _moment(timestamp: str) -> str:
    """Return a time of 14 digits as the ledger writes it."""
    return iso_time(datetime.strptime(timestamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC))


def _is_copy(capture: Capture, known: Capture) -> bool:
    """Say whether a record is another one, but for where it stands."""
    place = {name: getattr(known, name) for name in ("filename", "offset", "length")}
    return _is_same(replace(capture, **place), known)


def _is_same(capture: Capture, known: Capture) -> bool:
    """Say whether a record is another one: that of a package has the date of its import, of which
    archives that were merged had one each."""
    if is_imported_record(capture.url):
        capture = replace(capture, timestamp=known.timestamp)
    return capture == known


def _difference(db: Database, table: str) -> Difference:
    here, there = f"SELECT * FROM main.{table}", f"SELECT * FROM other.{table}"  # noqa: S608
    ways = [f"({one} EXCEPT {other})" for one, other in ((there, here), (here, there))]
    counts = [
        int(db.conn.execute(f"SELECT count(*) FROM {way}").fetchone()[0])  # noqa: S608
        for way in ways
    ]
    if all(counts) and sum(counts) <= _MOST_LOOKED_AT:
        lacking, added = (
            Counter(map(_meant, db.conn.execute(f"SELECT * FROM {way}")))  # noqa: S608
            for way in ways
        )
        counts = [(lacking - added).total(), (added - lacking).total()]
    return Difference(table, *counts)


def _meant(row: Sequence[Any]) -> tuple[Any, ...]:
    """Return a row in which JSON is told apart by what it says, and not by the order of names."""
    return tuple(_sorted_json(value) if _is_object(value) else value for value in row)


def _is_object(value: object) -> bool:
    return isinstance(value, str) and value[:1] in ("{", "[")


def _sorted_json(text: str) -> str:
    try:
        return json.dumps(json.loads(text), sort_keys=True)
    except ValueError:
        return text


def _named(entry: LedgerEntry) -> Sequence[Any]:
    """Return what names the row that an entry is about, nothing for one about several."""
    return () if isinstance(entry, Intact) else entry.key


def _key(table: str) -> Sequence[str]:
    if table not in KEYS:
        raise _too_new(table)
    return KEYS[table]


def _too_new(what: str) -> ArchiveError:
    return JournalTooNew(
        tr(
            "The archive's journal tells of {what}, which this version of Carrel does not know: a "
            "newer one wrote it. Rebuild the ledger with that one.",
            what=what[:80],
        )
    )
