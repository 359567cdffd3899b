# SPDX-License-Identifier: AGPL-3.0-or-later
"""Writing to the ledger what became of ingests, and asking it."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from carrel.errors import ArchiveError
from carrel.ledger.accessions import accession
from carrel.ledger.accompanying import Accompanying
from carrel.ledger.adoption import (
    add_attempt,
    add_files,
    claim,
    note_earlier_platform,
    note_platform,
    rest_files_on,
)
from carrel.ledger.batches import Batches
from carrel.ledger.capture_index import CaptureIndex
from carrel.ledger.captures import Captures
from carrel.ledger.catalogue import Catalogue
from carrel.ledger.connection import Connection, insert_many
from carrel.ledger.curation import Curation
from carrel.ledger.datasets import assign, list_again
from carrel.ledger.deliveries import Deliveries
from carrel.ledger.figures import figures_of
from carrel.ledger.fixity import Fixity
from carrel.ledger.fixity_history import FixityHistory
from carrel.ledger.formats import Formats
from carrel.ledger.history import history_of
from carrel.ledger.holdings import Holdings, unreadable
from carrel.ledger.index_files import IndexFiles
from carrel.ledger.inventory import Inventory
from carrel.ledger.jobs import Jobs
from carrel.ledger.lost_results import LostResults
from carrel.ledger.packed import PackedWarcs
from carrel.ledger.recognition import Marks, newest_holding
from carrel.ledger.requests import request_id
from carrel.ledger.schedule import Schedules
from carrel.ledger.unjournaled import Unjournaled
from carrel.ledger.watched import Watched
from carrel.model import Capture, IngestFilesetResult, IngestRequest, ManifestFile
from carrel.model.accession import Accession
from carrel.model.figures import Figures
from carrel.model.holdings import History
from carrel.model.iso_time import iso_now

if TYPE_CHECKING:
    from carrel.ledger.dark.ledger import DarkLedger
    from carrel.ledger.merging import Merging
    from carrel.ledger.rebuilding import Rebuilding


class Ledger:
    """The catalogue of one archive. Raises ArchiveError when the file is no ledger of ours."""

    def __init__(self, path: Path, *, writing: bool) -> None:
        self._connection = Connection.open(path, writing=writing)
        self._rows = self._connection.rows
        self._writing = self._connection.writing
        self.jobs = Jobs(self._connection)
        self.batches = Batches(self._connection)
        self.deliveries = Deliveries(self._connection)
        self.captures = Captures(self._connection)
        self.capture_index = CaptureIndex(self._connection)
        self.watched = Watched(self._connection)
        self.packed = PackedWarcs(self._connection)
        accompanying = Accompanying(self._connection, self.packed)
        self.fixity = Fixity(self._connection, accompanying)
        self.fixity_history = FixityHistory(self._connection)
        self.holdings = Holdings(self._connection, self.fixity, self.packed)
        self.catalogue = Catalogue(self._connection, self.holdings)
        self.lost_results = LostResults(self._connection, self.catalogue)
        self.schedules = Schedules(self._connection)
        self.curation = Curation(self._connection, self.catalogue)
        if self._connection.is_writable and not self.catalogue.is_current:
            self.catalogue.make()
        self.inventory = Inventory(self._connection)
        self.formats = Formats(self._connection)
        self.unjournaled = Unjournaled(self._connection)
        self.index_files = IndexFiles(self._connection)

    @classmethod
    def scratch(cls, path: Path) -> "Ledger":
        """Return a ledger that is only to be compared with: fast, and lost with the process."""
        ledger = cls(path, writing=True)
        ledger._connection.db.execute("PRAGMA synchronous = OFF")
        return ledger

    def version(self) -> int:
        """Return a number that is another one once other programs have written to the ledger."""
        return self._connection.version()

    @contextmanager
    def standing_still(self) -> Iterator["Ledger"]:
        """Give the ledger as it is now, for one long reading of one thread.

        What is written meanwhile is not in it, and does not wait for it.
        """
        with Ledger(self._connection.path, writing=False) as copy, copy._connection.still():
            yield copy

    def copy_to(self, path: Path) -> None:
        """Write what the ledger says now into a new file. Raises ArchiveError."""
        self._connection.copy_to(path)

    def call_when(
        self,
        *,
        written: Callable[[], None] | None = None,
        damaged: Callable[[str], None] | None = None,
    ) -> None:
        """Have something called after each transaction, or with the reason each time that the file
        proves to be damaged; by the thread that wrote it, or came upon it. None leaves it as it is.
        """
        self._connection.when_written = written or self._connection.when_written
        self._connection.when_damaged = damaged or self._connection.when_damaged

    def rebuilding(self) -> "Rebuilding":
        """Return what fills this ledger, if nothing is in it yet."""
        from carrel.ledger.rebuilding import Rebuilding  # only for who has lost something

        return Rebuilding(self._connection, self.catalogue.make)

    def merging(self) -> "Merging":
        """Return what brings the rows of other ledgers into this one."""
        from carrel.ledger.merging import Merging  # only for who joins archives

        return Merging(self._connection, self.fixity, self.catalogue.update)

    @cached_property
    def dark(self) -> "DarkLedger":
        """The dark archive's part."""
        from carrel.ledger.dark.ledger import DarkLedger  # a tenth of the start, for few who start

        return DarkLedger(self._connection)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def start(self, ingest_id: str, request: IngestRequest, started: str) -> None:
        """Note that an attempt began; a row without `finished` is one that was interrupted.

        One that was interrupted goes on under its own id, and began when it began.
        """
        with self._writing() as db:
            if self._rows("SELECT 1 FROM results WHERE ingest_id = ?", [ingest_id]):
                return
            row = {
                "ingest_id": ingest_id,
                "request_id": request_id(self._connection, db, request, started),
                "base_url": request.base_url,
                "started": started,
            }
            db.table("results").insert(row)

    def finish(
        self,
        result: IngestFilesetResult,
        captures: Iterable[Capture],
        capture_of: Mapping[int, str],
    ) -> None:
        """Store how an attempt ended, with its captures and files, all or nothing.

        `capture_of` gives the record id of the capture of the file at an index of the manifest.
        """
        body = result.to_json()
        ingest_id = _known(result.ingest_id)
        with self._writing() as db:
            rows = ({**each.to_fields(), "ingest_id": ingest_id} for each in captures)
            insert_many(db, "captures", rows, ignore=True)
            db.table("results").update(ingest_id, _result_row(result, body))
            files = (
                _file_row(ingest_id, position, entry, capture_of.get(position))
                for position, entry in enumerate(result.files)
            )
            insert_many(db, "files", files)
            if result.item:
                note_platform(db, body)
            if file_result := result.to_file_result_json():
                row = {
                    "ingest_id": ingest_id,
                    "base_url": result.request.base_url,
                    "sha1": file_result["file_meta"]["sha1hex"],
                    "result": json.dumps(file_result),
                }
                db.table("ingest_file_results").insert(row)
            dataset_id = assign(db, ingest_id)
            if result.hit:
                list_again(db, dataset_id)
            self.catalogue.update(db, [dataset_id])

    def adopt(
        self,
        captures: Sequence[Capture],
        documents: Mapping[str, Mapping[str, Any]],
        *,
        came_in: str,
        owner: str = "",
        owners: Mapping[str, str] = MappingProxyType({}),
        described: Collection[str] = (),
        parts: Mapping[str, str] = MappingProxyType({}),
        resting: Mapping[str, str] | None = None,
    ) -> tuple[int, Sequence[str]]:
        """Add captures that came in a file from elsewhere, by its name, and the attempts that they
        belong to, by id; all or nothing.

        The captures are those of `owner`, if that attempt is known then, else of the first that is
        added; so are the records `described` that belong to none yet. `owners` has by record the
        attempt that part of a packed WARC belongs to. `parts` are WARCs whose
        captures belong to an attempt that is added. `resting` says which records its files rest on,
        by their positions, None to find them. Returns how many captures were not known, and the ids
        of the attempts that were not. Raises KeyError, TypeError and ValueError for a document that
        is none of ours.
        """
        new: dict[str, str] = {}
        with self._writing() as db:
            before = self.captures.count()
            for ingest_id, document in documents.items():
                if not self._rows("SELECT 1 FROM results WHERE ingest_id = ?", [ingest_id]):
                    new[ingest_id] = json.dumps(document)
                    add_attempt(self._connection, db, ingest_id, new[ingest_id])
            is_known = self._rows("SELECT 1 FROM results WHERE ingest_id = ?", [owner])
            owns = owner if is_known else next(iter(documents), None)
            owns_each = self._known_owners(owners)
            rows = (
                {**each.to_fields(), "ingest_id": owns_each.get(each.record_id, owns)}
                for each in captures
            )
            insert_many(db, "captures", rows, ignore=True)
            claim(db, {**dict.fromkeys(described, owns), **owns_each}, parts)
            if owns is None:
                rest_files_on(self._connection, db, captures)
            for ingest_id, body in new.items():
                add_files(self._connection, db, ingest_id, body, resting)
                note_earlier_platform(db, documents[ingest_id])
                row = {"ingest_id": ingest_id, "at": iso_now(), "source": came_in}
                db.table("imports").insert(row)
                self.catalogue.update(db, [assign(db, ingest_id)])
            return self.captures.count() - before, list(new)

    def _known_owners(self, owners: Mapping[str, str]) -> Mapping[str, str | None]:
        """Return which attempt each record belongs to, None for one that is not known."""
        sql = "SELECT value FROM json_each(?) WHERE value IN (SELECT ingest_id FROM results)"
        known = set(self._connection.column(sql, [json.dumps(sorted(set(owners.values())))]))
        return {record_id: each if each in known else None for record_id, each in owners.items()}

    def interrupted(self) -> list[str]:
        """Return the ids of attempts that began and never ended."""
        rows = self._rows("SELECT ingest_id FROM results WHERE finished IS NULL")
        return [row["ingest_id"] for row in rows]

    def close_interrupted(self, ingest_id: str, body: Mapping[str, Any], finished: str) -> None:
        """Give an interrupted attempt its end, so that every row is true."""
        row = {
            "finished": finished,
            "hit": 0,
            "status": body["status"],
            "result": json.dumps(body),
        }
        with self._writing() as db:
            db.table("results").update(ingest_id, row)
            self.catalogue.update(db, [assign(db, ingest_id)])

    def request_of(self, ingest_id: str) -> IngestRequest:
        """Return what was requested in an attempt. Raises KeyError for an unknown id."""
        sql = (
            "SELECT request FROM requests JOIN results ON requests.id = request_id"
            " WHERE ingest_id = ?"
        )
        for row in self._rows(sql, [ingest_id]):
            return IngestRequest.from_json(json.loads(row["request"]))
        raise KeyError(ingest_id)

    def knows(self, ingest_id: str) -> bool:
        """Say whether there was such an attempt."""
        return bool(self._rows("SELECT 1 FROM results WHERE ingest_id = ?", [ingest_id]))

    def started(self, ingest_id: str) -> str:
        """Return when an attempt began. Raises KeyError for an unknown id."""
        for row in self._rows("SELECT started FROM results WHERE ingest_id = ?", [ingest_id]):
            return str(row["started"])
        raise KeyError(ingest_id)

    def result(self, ingest_id: str) -> dict[str, Any] | None:
        """Return the whole result object of an attempt, None if it never ended or is unknown.

        Raises ArchiveError where it is damaged.
        """
        rows = self._rows("SELECT result FROM results WHERE ingest_id = ?", [ingest_id])
        for row in rows:
            try:
                return None if row["result"] is None else _parsed(row["result"])
            except ValueError as error:
                raise ArchiveError(unreadable(ingest_id)) from error
        return None

    def has_ended(self, ingest_id: str) -> bool:
        """Say whether an attempt has a result, however large that is."""
        sql = "SELECT 1 FROM results WHERE ingest_id = ? AND result IS NOT NULL"
        return bool(self._rows(sql, [ingest_id]))

    def holding_of(self, marks: Marks) -> str | None:
        """Return the id of the attempt that keeps what is held of a dataset, None if none does."""
        return newest_holding(self._connection, marks)

    def accession(self, ingest_id: str) -> Accession | None:
        """Return since when what an attempt keeps is here, None if it keeps nothing."""
        return accession(self._connection, ingest_id)

    def history(self, dataset_id: int) -> History:
        """Return what happened to a dataset here: ingests and fixity runs."""
        return history_of(self._connection, dataset_id)

    def figures(self, now: str) -> Figures:
        """Return how the archive stands at `now` (UTC, ISO 8601)."""
        watched = self.watched.counts()
        with self._connection.apart() as ask:
            return figures_of(ask, watched, now)

    def platform_rows(self) -> list[dict[str, Any]]:
        """Return the rows of `ingest_fileset_platform`, by dataset."""
        return self._rows("SELECT * FROM ingest_fileset_platform ORDER BY base_url")

    def datasets_with(self, algorithm: str, digest: str) -> list[dict[str, Any]]:
        """Return which datasets hold a file with this md5, sha1 or sha256.

        Either as it was published, or as it is stored, where that is in a content coding.
        """
        if algorithm not in ("md5", "sha1", "sha256"):
            raise ValueError(f"files are not found by {algorithm}")
        sql = (
            "SELECT DISTINCT base_url, platform_name, platform_domain, platform_id, path"  # noqa: S608
            f" FROM files AS f JOIN results USING (ingest_id) WHERE (f.{algorithm} = ?"
            f" OR capture_id IN (SELECT record_id FROM captures WHERE {algorithm} = ?))"
            " AND f.status LIKE 'success%' ORDER BY base_url, path"
        )
        return self._rows(sql, [digest, digest])

    def kept_addresses(self, job_id: str) -> frozenset[str]:
        """Return the addresses of the files that the attempts of a job kept."""
        sql = (
            "SELECT DISTINCT platform_url FROM files WHERE status LIKE 'success%'"
            " AND (ingest_id = ? OR ingest_id GLOB ? || '.*')"
        )
        rows = self._rows(sql, [job_id, job_id])
        return frozenset(row["platform_url"] for row in rows if row["platform_url"])


def _known(ingest_id: str | None) -> str:
    if ingest_id is None:
        raise ValueError("a preview has no place in the ledger")
    return ingest_id


def _result_row(result: IngestFilesetResult, body: Mapping[str, Any]) -> dict[str, Any]:
    item = result.item or result.asked
    return {
        "finished": result.finished,
        "hit": int(result.hit),
        "status": str(result.status),
        "platform_name": item and item.platform_name,
        "platform_domain": item and item.platform_domain,
        "platform_id": item and item.platform_id,
        "platform_version": result.item and result.item.platform_version,
        "terminal_url": result.hops[-1] if result.hops else None,
        "result": json.dumps(body),
    }


def _file_row(
    ingest_id: str, position: int, entry: ManifestFile, capture_id: str | None
) -> dict[str, Any]:
    return {
        "ingest_id": ingest_id,
        "position": position,
        "path": entry.path,
        "status": entry.status and str(entry.status),
        "size": entry.size,
        "md5": entry.digest("md5"),
        "sha1": entry.digest("sha1"),
        "sha256": entry.digest("sha256"),
        "mimetype": entry.mimetype,
        "platform_url": entry.platform_url,
        "terminal_url": entry.terminal_url,
        "terminal_dt": entry.terminal_dt,
        "capture_id": capture_id,
    }


def _parsed(text: str) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(text)
    return parsed
