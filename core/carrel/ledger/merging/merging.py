# SPDX-License-Identifier: AGPL-3.0-or-later
"""Another ledger's attempts, brought into this one a portion at a time, each in one transaction.

Before a portion is put in, its WARCs are in the collection: who is killed has a ledger that tells
of whole attempts, and goes on with those that it lacks.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from carrel import __version__
from carrel.ledger.beside import datasets_beside
from carrel.ledger.connection import Connection, Row
from carrel.ledger.fixity import Fixity, RecordFixity
from carrel.ledger.last_verified import MERGED
from carrel.ledger.merging import attempts, notes
from carrel.ledger.merging.agreement import refuse_contradictions
from carrel.ledger.merging.columns import Columns
from carrel.ledger.merging.dark import common_ground
from carrel.ledger.merging.datasets import Pairing
from carrel.ledger.merging.rest import Rest
from carrel.ledger.merging.same_records import SharedWarc, shared_warcs
from carrel.ledger.not_imported import IS_NOT_IMPORTED, let_go_of_found
from carrel.model import Capture, Fate
from carrel.model.iso_time import iso_now
from carrel.model.remedies import as_of_another

_MOST_ATTEMPTS, _MOST_BYTES, _MOST_CAPTURES = 500, 2 * 1024**3, 20_000
# Digests go all over their indexes: with the 2 MiB that SQLite has, each row reads pages anew.
_CACHE = "PRAGMA cache_size = -65536"
_SOFTWARE = f"Carrel {__version__}"
_EXTENT = """
SELECT (SELECT count(*) FROM source.results AS s WHERE s.finished IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM main.results AS t WHERE t.ingest_id = s.ingest_id)) AS attempts,
    (SELECT count(*) FROM source.results AS s WHERE s.finished IS NULL) AS unfinished,
    (SELECT count(*) FROM source.verifications WHERE ingest_id IS NULL) AS whole_runs,
    count(*) AS captures, coalesce(sum(c.length), 0) AS bytes FROM source.captures AS c
WHERE NOT EXISTS (SELECT 1 FROM main.captures AS t WHERE t.record_id = c.record_id)
"""
# What a packed WARC was packed of is not beside it here.
_PACKED = """
INSERT OR IGNORE INTO main.packed_warcs (name, filename, offset, length, is_removed)
SELECT s.name, :target, s.offset, s.length, 1 FROM source.packed_warcs AS s
WHERE s.filename = :name
"""
# WARCs here that have records in common with the source, and which are known to be bad.
_SHARED = """
SELECT DISTINCT t.filename FROM main.captures AS t JOIN source.captures AS s USING (record_id)
WHERE t.filename > ? ORDER BY t.filename LIMIT 1000
"""
_BAD = """
SELECT c.filename FROM main.record_fixity AS x JOIN main.captures AS c USING (record_id)
WHERE x.fate <> 'intact'
UNION SELECT filename FROM main.accompanying_fixity WHERE fate <> 'intact'
"""
_PROVEN = "INSERT OR REPLACE INTO proven VALUES (?, ?)"
_TAKEN = """
SELECT 1 FROM main.captures WHERE filename = :name
UNION SELECT 1 FROM main.packed_warcs WHERE name = :name LIMIT 1
"""
# By capture that is asked for: where the source has it, NULL if not, or not intact.
_GOOD = """
SELECT (SELECT s.filename FROM source.captures AS s
    WHERE s.record_id = a.value ->> 0 AND s.size = a.value ->> 1 AND s.sha256 = a.value ->> 2
    AND NOT EXISTS (SELECT 1 FROM main.record_fixity AS x
        WHERE x.record_id = s.record_id AND x.fate <> 'intact')
    AND NOT EXISTS (SELECT 1 FROM source.record_fixity AS x
        WHERE x.record_id = s.record_id AND x.fate <> 'intact'))
FROM json_each(?) AS a
"""
_LISTED = """
SELECT 1 FROM source.captures WHERE filename = :name
UNION SELECT 1 FROM source.packed_warcs WHERE name = :name LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """What of a ledger is not in this one yet: finished `attempts`, `captures` and the `bytes` of
    their records, and `open_jobs`; `removed_jobs` are listed here, and were removed there. It has
    `unfinished` attempts, which stay where they are, and `whole_runs` of verification, which are
    about it alone."""

    attempts: int
    captures: int
    bytes: int
    open_jobs: int
    removed_jobs: int
    unfinished: int
    whole_runs: int


@dataclass(frozen=True, slots=True)
class Portion:
    """So many attempts and captures that are to be put in, once these WARCs are placed. They rest
    on those WARCs `here`, too, which this merging has not read yet."""

    attempts: int
    captures: int
    warcs: Sequence[str]
    here: Sequence[str]


class Merging:
    """Fills a ledger from others, one after the other. `update` makes the rows of datasets in the
    catalogue anew. Raises ArchiveError."""

    def __init__(self, connection: Connection, fixity: Fixity, update: Callable[..., None]) -> None:
        self._connection, self._fixity, self._update = connection, fixity, update
        self._columns = Columns(connection)
        self._pairing = Pairing(connection)
        self._rest = Rest(connection, self._columns, self._pairing, update)
        self._has_begun = False
        self._remedies = "{}"

    @contextmanager
    def beside(self, path: Path, archive: Path) -> Iterator[None]:
        """Have the ledger of another archive at hand as the source, which no one writes to
        meanwhile.

        Raises ArchivesDiffer where both say different things of one attempt or record.
        """
        with self._connection.attached(path, "source"):
            refuse_contradictions(self._connection, archive)
            yield

    @contextmanager
    def source(self, path: Path, archive: Path, name: str) -> Iterator[None]:
        """Do so for a source of this name whose rows are put in. Raises as `beside`."""
        with self.beside(path, archive):
            self._remedies = self._as_of_another(name)
            self._connection.db.conn.execute(_CACHE)
            with self._connection.writing() as db:
                for sql in filter(str.strip, attempts.WORKING.split(";\n")):
                    db.execute(sql)
                for table in ("placed", "found", *(() if self._has_begun else ("proven",))):
                    db.execute(f"DELETE FROM {table}")  # noqa: S608
                self._has_begun = True
            yield

    def counts(self) -> Counts:
        """Return what of the source is not here yet."""
        (row,) = self._connection.rows(_EXTENT)
        (open_jobs,) = self._connection.column(notes.OPEN_JOBS)
        (removed,) = self._connection.column(notes.REMOVED_SINCE)
        return Counts(open_jobs=open_jobs, removed_jobs=removed, **row)

    def common_dark_ground(self) -> str:
        """Return what the dark archives of both tell of, "" where each tells of other things."""
        return common_ground(self._connection)

    def dark_path(self, sha256: str) -> str:
        """Return where the source has bytes of its dark archive, "" if it does not."""
        sql = "SELECT path FROM source.content WHERE sha256 = ? AND purged IS NULL"
        return next(iter(self._connection.column(sql, [sha256])), "")

    def missing_warcs(self) -> Iterator[str]:
        """Yield the names of the WARCs of the source that have captures which are not here; of
        those that the source never had there are none."""
        last = ""
        sql = (
            "SELECT DISTINCT c.filename FROM source.captures AS c WHERE c.filename > ?"  # noqa: S608
            f" AND NOT c.{IS_NOT_IMPORTED} AND NOT EXISTS ("
            "SELECT 1 FROM main.captures AS t WHERE t.record_id = c.record_id)"
            " ORDER BY c.filename LIMIT 1000"
        )
        while names := self._connection.column(sql, [last]):
            yield from names
            last = names[-1]

    def warcs_in_common(self) -> Iterator[str]:
        """Yield what the WARCs with records of both are called here."""
        last = ""
        while names := self._connection.column(_SHARED, [last]):
            yield from names
            last = names[-1]

    def shared_warcs(self, here: str) -> Sequence[SharedWarc]:
        """Return in which WARCs of the source the records of one here are, and where."""
        return list(shared_warcs(self._connection, here))

    def bad_warcs(self) -> frozenset[str]:
        """Return the names of the WARCs here with records that are damaged or missing."""
        return frozenset(self._connection.column(_BAD))

    def captures_in(self, warc: str) -> Iterator[Row]:
        """Yield what the source has in a WARC, by its place, however much it is."""
        after = -1
        sql = (
            "SELECT record_id, url, offset, length, size, sha256, is_revisit FROM source.captures"
            " WHERE filename = ? AND offset > ? ORDER BY offset LIMIT 1000"
        )
        while rows := self._connection.rows(sql, [warc, after]):
            yield from rows
            after = rows[-1]["offset"]

    def knows_warc(self, name: str) -> bool:
        """Say whether the source's ledger has captures in a WARC of this name, or had, before they
        were packed."""
        return bool(self._connection.rows(_LISTED, {"name": name}))

    def good_warcs_with(self, captures: Iterable[Capture]) -> frozenset[str] | None:
        """Return in which WARCs the source has these captures, with the same bytes and none of them
        known to be bad; None if it does not have all of them so."""
        asked = [(each.record_id, each.size, each.sha256) for each in captures]
        names = self._connection.column(_GOOD, [json.dumps(asked)])
        return frozenset(names) if None not in names else None

    def is_taken(self, name: str) -> bool:
        """Say whether this ledger has captures in a WARC of this name, or had."""
        return bool(self._connection.rows(_TAKEN, {"name": name}))

    def knows_attempts(self, ingest_ids: Iterable[str]) -> bool:
        """Say whether the source's ledger knows the ends of all these attempts."""
        asked = json.dumps([*ingest_ids])
        return not self._connection.rows(
            "SELECT 1 FROM json_each(?) AS a WHERE NOT EXISTS (SELECT 1 FROM source.results AS s"
            " WHERE s.ingest_id = a.value AND s.finished IS NOT NULL)",
            [asked],
        )

    def place(self, places: Iterable[tuple[str, str]]) -> None:
        """Note what WARCs of the source are called here, which were just read: pairs of their names
        there and here."""
        read = iso_now()
        with self._connection.writing() as db:
            for name, target in places:
                db.execute("INSERT OR REPLACE INTO placed VALUES (?, ?)", [name, target])
                db.execute(_PACKED, {"name": name, "target": target})
                db.execute(_PROVEN, [target, read])

    def note_read(self, warc: str) -> None:
        """Note that all of a WARC that was here was just read, and what is bad in it noted."""
        with self._connection.writing() as db:
            db.execute(_PROVEN, [warc, iso_now()])

    def find(self, found: Iterable[tuple[str, Fate, str]]) -> None:
        """Note which records of the source are bad: their ids, and how."""
        with self._connection.writing() as db:
            db.conn.executemany("INSERT OR REPLACE INTO found VALUES (?, ?, ?)", found)

    def portions(self) -> Iterator[Portion]:
        """Yield what is not here yet, a portion at a time; each is put in before the next."""
        while portion := self._next_unowned():
            yield portion
        after = 0
        while (number := self._next_attempts(after)) is not None:
            after = number
            yield self._portion()

    def put_in(self, started: str) -> None:
        """Put the portion in whose WARCs are placed, all or nothing. They, and those here on which
        it rests, were read since `started` (UTC, ISO 8601)."""
        with self._connection.writing() as db:
            db.execute("PRAGMA defer_foreign_keys = ON")
            self._put_rows(db.execute)
            dataset_ids = self._pairing.assign(db)
            self._note_read(started)
            values = {"started": started, "finished": iso_now()}
            db.execute(attempts.VERIFIED, values | {"compared": MERGED, "software": _SOFTWARE})
            self._update(db, dataset_ids)

    def put_rest(self) -> None:
        """Put in what belongs to no new attempt: the queue's history, lists, what is watched. What
        came may have the bytes of what is damaged, too: the catalogue says so."""
        self._rest.put_in()
        with self._connection.writing() as db:
            let_go_of_found(self._connection, db)
            self._fixity.note_faults(db)

    def datasets_beside(self) -> int:
        """Return of how many datasets what is held here lacks files that another attempt at the
        same version archived."""
        return datasets_beside(self._connection)

    def put_formats(self) -> None:
        """Put in which formats contents have, before what is summed up of them."""
        self._rest.put_formats()

    def _put_rows(self, execute: Callable[..., object]) -> None:
        columns = self._columns
        execute(attempts.REQUESTS)
        execute(columns.fill(attempts.RESULTS, "results", but=("request_id", "dataset_id")))
        execute(columns.fill(attempts.CAPTURES, "captures", but=("ingest_id", "filename")))
        execute(attempts.CLAIM)
        execute(columns.fill(attempts.FILES, "files", but=("capture_id",)))
        for table in ("ingest_file_results", "imports"):
            execute(columns.fill(attempts.BY_ATTEMPT, table))
        key = ("ingest_type", "base_url")
        sql = columns.fill(notes.PLATFORMS, "ingest_fileset_platform", key=key)
        execute(sql.replace("{from}", notes.PLATFORMS_OF_CHUNK))
        execute(notes.RECORD_FIXITY)
        execute(notes.EVENTS, {"remedies": self._remedies})
        execute(columns.fill(notes.VERIFICATIONS, "verifications", but=("id",)))

    def _as_of_another(self, name: str) -> str:
        """Return, for what was done to records in the source, how it is said here (JSON)."""
        said = {each: as_of_another(each, name) for each in self._connection.column(notes.REMEDIES)}
        return json.dumps({there: here for there, here in said.items() if there != here})

    def _note_read(self, started: str) -> None:
        """Note how each record was that was read since then, as a run of verification does."""
        self._fixity.note(
            RecordFixity(row["record_id"], row["read"], Fate(row["fate"]), row["message"])
            for row in self._connection.rows(attempts.READ, {"started": started})
        )

    def _next_unowned(self) -> Portion | None:
        with self._connection.writing() as db:
            self._empty(db.execute)
            db.execute(attempts.UNOWNED, {"most": _MOST_CAPTURES})
        portion = self._portion()
        return portion if portion.captures else None

    def _next_attempts(self, after: int) -> int | None:
        """Choose the next attempts; return the number of the last, None if there are none."""
        values = {"after": after, "most": _MOST_ATTEMPTS, "bytes": _MOST_BYTES}
        with self._connection.writing() as db:
            self._empty(db.execute)
            db.execute(attempts.NEXT, values)
            (last,) = self._connection.column("SELECT max(number) FROM chunk")
            while db.conn.execute(attempts.ALONG).rowcount > 0:
                pass
            db.execute(attempts.WANTED)
        return None if last is None else int(last)

    def _portion(self) -> Portion:
        (row,) = self._connection.rows(
            "SELECT (SELECT count(*) FROM chunk) AS attempts,"
            " (SELECT count(*) FROM wanted) AS captures"
        )
        column = self._connection.column
        return Portion(**row, warcs=column(attempts.WARCS), here=column(attempts.UNPROVEN))

    def _empty(self, execute: Callable[..., object]) -> None:
        for table in ("chunk", "wanted", "paired"):
            execute(f"DELETE FROM {table}")  # noqa: S608
