# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fixity in the ledger: how each record was when it was last read, and what was read in whole."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from carrel import __version__
from carrel.ledger.absent_tables import answerable
from carrel.ledger.accompanying import Accompanying, AccompanyingChecks
from carrel.ledger.connection import Connection, Row
from carrel.ledger.last_verified import here_since_sql, last_verified
from carrel.ledger.repaired import Repaired, repaired_since
from carrel.ledger.resting import FAILED_FILES, FAILED_RECORDS, FAULTS, FILES_ON
from carrel.model import FailedRecord, Fate

if TYPE_CHECKING:
    from sqlite_utils import Database

_NOTE = """
INSERT INTO record_fixity (record_id, checked, fate, message) VALUES (?, ?, ?, ?)
ON CONFLICT (record_id) DO UPDATE SET
    checked = excluded.checked, fate = excluded.fate, message = excluded.message
"""
_WERE_BAD = """
SELECT record_id, fate FROM record_fixity WHERE fate <> 'intact'
    AND record_id IN (SELECT value FROM json_each(?))
"""
_EVENT = """
INSERT INTO fixity_events (record_id, at, fate, message, remedy, software, filename, offset)
SELECT record_id, ?, ?, ?, ?, ?, filename, offset FROM captures WHERE record_id = ?
"""
# Of one attempt those at the same dataset, of the whole archive all that was here. What is held is
# verified only if all of it was here then.
_ARCHIVE_VERIFIED = f"""
UPDATE holdings SET verified = :started
WHERE coalesce(added, archived) <= :started AND (verified IS NULL OR verified < :started)
    AND {here_since_sql("archived", of="holdings")} <= :started
"""  # noqa: S608
_HELD_OF_DATASET = """
SELECT ingest_id FROM holdings
WHERE dataset_id = (SELECT dataset_id FROM results WHERE ingest_id = ?)
"""
_NO_FAULTS = """
UPDATE holdings SET failed = 0, missing = 0, twinned = 0, earlier = 0 WHERE failed > 0
"""
_NOTE_FAULTS = """
UPDATE holdings SET failed = ?, missing = ?, twinned = ?, earlier = ? WHERE ingest_id = ?
"""
_DAMAGED_WARCS = """
SELECT c.filename FROM record_fixity AS x JOIN captures AS c USING (record_id)
WHERE x.fate <> 'intact'
UNION SELECT filename FROM accompanying_fixity WHERE fate <> 'intact'
"""
_SOFTWARE = f"Carrel {__version__}"
# As many as a report of a verification lists.
_MOST_LISTED = 1000


@dataclass(frozen=True, slots=True)
class RecordFixity:
    """How one record was when it was last read; `checked` is in UTC, ISO 8601."""

    record_id: str
    checked: str
    fate: Fate
    message: str = ""


@dataclass(frozen=True, slots=True)
class RunFixity:
    """A run over all that an attempt rests on, or over all of the archive (no `ingest_id`).

    Moments are UTC, ISO 8601. It read `bytes` of payload in `records`, of which `failed` were not
    intact, and compared them with what `compared` names.
    """

    ingest_id: str | None
    started: str
    records: int
    failed: int
    finished: str | None = None
    bytes: int | None = None
    compared: str | None = None
    software: str | None = None


@dataclass(frozen=True, slots=True)
class IngestFixity:
    """How the records that an attempt rests on were when each was last read.

    `verified` is when a run over all that was here of it last began (UTC, ISO 8601), None if there
    was none; `is_added_to` says that files came since then, which were read back on arrival. Of
    `failed` records `missing` are gone and the others damaged, the last of them found so at
    `found`; of `twinned` ones another record has the bytes intact, and `earlier` ones are lost that
    only other attempts at the dataset rest on. `message` is what was wrong with one of them. What
    the last run found and is intact again is `repaired`, None if that is nothing or was not asked.
    """

    verified: str | None = None
    is_added_to: bool = False
    failed: int = 0
    missing: int = 0
    twinned: int = 0
    earlier: int = 0
    found: str | None = None
    message: str = ""
    repaired: Repaired | None = None

    @property
    def fate(self) -> Fate | None:
        """The worst that is known; None if that is nothing, and not all was read."""
        if self.failed:
            return Fate.MISSING if self.missing else Fate.DAMAGED
        return Fate.INTACT if self.verified and not self.is_added_to else None

    def to_json(self) -> dict[str, Any]:
        return {
            "fate": self.fate,
            "verified": self.verified,
            "is_added_to": self.is_added_to or None,
            "repaired": asdict(self.repaired) if self.repaired else None,
            "failed": self.failed,
            "found": self.found,
            "message": self.message or None,
        }


class Fixity:
    """What fixity runs found. Threads may share it.

    A ledger that an older Carrel wrote, open for reading, has nothing of it.
    """

    def __init__(self, connection: Connection, accompanying: Accompanying) -> None:
        self._connection = connection
        self.accompanying = accompanying

    def note(self, checks: Iterable[RecordFixity], remedy: str = "") -> None:
        """Note how records were, all or none, instead of how they were before.

        Each record is one that the ledger has a capture of. What is damaged now, or not any more,
        is noted for good; `remedy` says what was done before, where that is known.
        """
        # In their order in the table, which is a fifth faster.
        rows = sorted(
            {
                it.record_id: (it.record_id, it.checked, it.fate, it.message) for it in checks
            }.values(),
            key=itemgetter(0),
        )
        with self._connection.writing() as db:
            asked = [json.dumps([row[0] for row in rows])]
            found = self._connection.rows(_WERE_BAD, asked)
            were_bad = {row["record_id"]: row["fate"] for row in found}
            db.conn.executemany(_NOTE, rows)
            if were_bad or any(each[2] != Fate.INTACT for each in rows):
                changed = (row for row in rows if row[2] != were_bad.get(row[0], Fate.INTACT))
                events = [
                    (*row[1:], remedy if row[2] == Fate.INTACT else "", _SOFTWARE, row[0])
                    for row in changed
                ]
                db.conn.executemany(_EVENT, events)
                self.note_faults(db)

    def note_accompanying(self, checks: AccompanyingChecks) -> None:
        """Note how records were that are no captures."""
        with self._connection.writing() as db:
            self.accompanying.note(db, checks)
            self.note_faults(db)

    def note_run(self, run: RunFixity) -> None:
        """Note a run that read all that an attempt rests on, or all of the archive."""
        row = {**asdict(run), "software": run.software or _SOFTWARE}
        with self._connection.writing() as db:
            db.table("verifications").insert(row)
            if run.ingest_id is None:
                db.execute(_ARCHIVE_VERIFIED, {"started": run.started})
                return
            held = self._connection.column(_HELD_OF_DATASET, [run.ingest_id])
            for ingest_id, it in last_verified(self._connection, held).items():
                sql = "UPDATE holdings SET verified = ? WHERE ingest_id = ?"
                db.execute(sql, [it.of_all, ingest_id])

    def note_faults(self, db: "Database") -> None:
        """Have the catalogue say which holdings are damaged by now, within a transaction of the
        caller."""
        db.execute(_NO_FAULTS)
        faults = (
            (it.failed, it.missing, it.twinned, it.earlier, ingest_id)
            for ingest_id, it in self.faults().items()
        )
        db.conn.executemany(_NOTE_FAULTS, faults)

    def of_record(self, record_id: str) -> RecordFixity | None:
        """Return how a record was when it was last read, None if it never was."""
        if not self._is_there():
            return None
        sql = "SELECT record_id, checked, fate, message FROM record_fixity WHERE record_id = ?"
        for row in self._connection.rows(sql, [record_id]):
            return RecordFixity(**{**row, "fate": Fate(row["fate"])})
        return None

    def of_ingests(self, ingest_ids: Collection[str]) -> dict[str, IngestFixity]:
        """Return, by attempt, how what it rests on was; a few questions, however many there are.

        Attempts that the ledger has no end of are left out.
        """
        if not self._is_there():
            return {}
        found = self.verified(ingest_ids)
        asked = json.dumps(list(ingest_ids))
        for row in self._connection.rows(self._asking(FAULTS), [asked, asked]):
            ingest_id = row.pop("ingest_id")
            if ingest_id in found:
                found[ingest_id] = replace(found[ingest_id], **row)
        return found

    def with_repairs(self, ingest_ids: Collection[str]) -> dict[str, IngestFixity]:
        """Return as `of_ingests`, and what the last run found of each that is intact again: of the
        few of which it may be something, one by one."""
        found = self.of_ingests(ingest_ids)
        verified = {each: it.verified for each, it in found.items() if it.verified}
        for ingest_id, repaired in repaired_since(self._connection, verified).items():
            found[ingest_id] = replace(found[ingest_id], repaired=repaired)
        return found

    def verified(self, ingest_ids: Collection[str]) -> dict[str, IngestFixity]:
        """Return, by attempt, when each was last verified; what was found is not asked: that is
        sought from all that is known to be damaged, however few attempts there are."""
        if not self._is_there():
            return {}
        return {
            ingest_id: IngestFixity(it.started, it.is_added_to)
            for ingest_id, it in last_verified(self._connection, ingest_ids).items()
        }

    def faults(self) -> dict[str, IngestFixity]:
        """Return, by attempt, what is known to be damaged or missing; when it was all read is not
        asked. Attempts that have all that they rest on, as far as known, are left out.
        """
        if not self._is_there():
            return {}
        rows = self._connection.rows(self._asking(FAULTS), [None, None])
        return {row.pop("ingest_id"): IngestFixity(**row) for row in rows}

    def damaged_warcs(self) -> Sequence[str]:
        """Return the WARCs in which records are known to be damaged or missing."""
        return self._connection.column(_DAMAGED_WARCS) if self._is_there() else []

    def failures(self, ingest_id: str, most: int = _MOST_LISTED) -> list[FailedRecord]:
        """Return what an attempt rests on that is known to be damaged or missing, record by record;
        and of those before it at the same dataset what no other record has.

        Those that its files rest on come first, each part by WARC and offset. No more than `most`
        are listed; how many there are in all is the `failed` of the attempt.
        """
        if not self._is_there():
            return []
        asked = {"ingest_id": ingest_id, "most": most}
        rows = self._connection.rows(self._asking(FAILED_RECORDS), asked)
        files: dict[str, list[str]] = defaultdict(list)
        for row in self._failed_files(ingest_id) if rows else ():
            files[row["record_id"]].append(row["path"])
        return [
            FailedRecord(**{**row, **_typed(row)}, files=tuple(files[row["record_id"]]))
            for row in rows
        ]

    def file_fates(self, ingest_id: str, *, with_twins: bool = False) -> dict[str, Fate]:
        """Return, by its path, what became of each file of an attempt whose bytes no record is
        known to have intact: missing where any of the records behind it is, else damaged.

        `with_twins` those are among them whose own record is not intact, though another one is.
        """
        fates: dict[str, Fate] = {}
        for row in self._failed_files(ingest_id) if self._is_there() else ():
            is_told = with_twins or not row["has_twin"]
            if is_told and fates.get(row["path"]) is not Fate.MISSING:
                fates[row["path"]] = Fate(row["fate"])
        return fates

    def files_on(self, ingest_id: str, record_ids: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield the path of each file of an attempt whose bytes only these records have, with the
        one of them that its own record rests on."""
        asked = {"ingest_id": ingest_id, "records": json.dumps(list(record_ids))}
        for row in self._connection.rows(FILES_ON, asked) if self._is_there() else ():
            yield row["path"], row["record_id"]

    def _failed_files(self, ingest_id: str) -> list[Row]:
        """Return a row a file and record behind it, which are no more than a manifest twice."""
        return self._connection.rows(FAILED_FILES, {"ingest_id": ingest_id})

    def last_whole_run(self) -> str | None:
        """Return when the last run over the whole archive began, None if there was none."""
        if not self._is_there():
            return None
        sql = "SELECT max(started) AS started FROM verifications WHERE ingest_id IS NULL"
        rows: Sequence[dict[str, str | None]] = self._connection.rows(sql)
        return rows[0]["started"]

    def _asking(self, sql: str) -> str:
        return answerable(self._connection, sql)

    def _is_there(self) -> bool:
        return self._connection.has_table("verifications")


def _typed(row: Row) -> dict[str, Any]:
    flags = {name: bool(row[name]) for name in ("has_twin", "is_earlier")}
    return {"fate": Fate(row["fate"]), **flags}
