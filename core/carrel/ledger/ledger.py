# SPDX-License-Identifier: AGPL-3.0-or-later
"""Writing to the ledger what became of ingests, and asking it."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carrel.errors import ArchiveError
from carrel.ledger.accessions import accession
from carrel.ledger.connection import Connection
from carrel.ledger.holdings import unreadable
from carrel.model import IngestRequest

if TYPE_CHECKING:
    from carrel.ledger.accompanying import Accompanying
    from carrel.ledger.batches import Batches
    from carrel.ledger.capture_index import CaptureIndex
    from carrel.ledger.captures import Captures
    from carrel.ledger.catalogue import Catalogue
    from carrel.ledger.curation import Curation
    from carrel.ledger.dark.ledger import DarkLedger
    from carrel.ledger.deliveries import Deliveries
    from carrel.ledger.fixity import Fixity
    from carrel.ledger.fixity_history import FixityHistory
    from carrel.ledger.formats import Formats
    from carrel.ledger.holdings import Holdings
    from carrel.ledger.index_files import IndexFiles
    from carrel.ledger.ingests import Ingests
    from carrel.ledger.inventory import Inventory
    from carrel.ledger.jobs import Jobs
    from carrel.ledger.lost_results import LostResults
    from carrel.ledger.merging import Merging
    from carrel.ledger.packed import PackedWarcs
    from carrel.ledger.rebuilding import Rebuilding
    from carrel.ledger.recognition import Marks
    from carrel.ledger.schedule import Schedules
    from carrel.ledger.unjournaled import Unjournaled
    from carrel.ledger.watched import Watched
    from carrel.model.accession import Accession
    from carrel.model.figures import Figures
    from carrel.model.holdings import History


def _room(module: str, name: str, *others: str) -> Any:
    """Return a part of the ledger, loaded and made when it is first asked for.

    It is given the connection, and the `others` of the ledger by their names.
    """

    def furnished(ledger: "Ledger") -> Any:
        made = getattr(import_module(f"carrel.ledger.{module}"), name)
        return made(ledger._connection, *(getattr(ledger, other) for other in others))

    return cached_property(furnished)


class Ledger:
    """The catalogue of one archive. Raises ArchiveError when the file is no ledger of ours."""

    ingests: "Ingests" = _room("ingests", "Ingests", "captures", "catalogue")
    jobs: "Jobs" = _room("jobs", "Jobs")
    batches: "Batches" = _room("batches", "Batches")
    deliveries: "Deliveries" = _room("deliveries", "Deliveries")
    captures: "Captures" = _room("captures", "Captures")
    capture_index: "CaptureIndex" = _room("capture_index", "CaptureIndex")
    watched: "Watched" = _room("watched", "Watched")
    packed: "PackedWarcs" = _room("packed", "PackedWarcs")
    accompanying: "Accompanying" = _room("accompanying", "Accompanying", "packed")
    fixity: "Fixity" = _room("fixity", "Fixity", "accompanying")
    fixity_history: "FixityHistory" = _room("fixity_history", "FixityHistory")
    holdings: "Holdings" = _room("holdings", "Holdings", "fixity", "packed")
    catalogue: "Catalogue" = _room("catalogue", "Catalogue", "holdings", "fixity")
    lost_results: "LostResults" = _room("lost_results", "LostResults", "catalogue")
    schedules: "Schedules" = _room("schedule", "Schedules")
    curation: "Curation" = _room("curation", "Curation", "catalogue")
    inventory: "Inventory" = _room("inventory", "Inventory")
    formats: "Formats" = _room("formats", "Formats")
    unjournaled: "Unjournaled" = _room("unjournaled", "Unjournaled")
    index_files: "IndexFiles" = _room("index_files", "IndexFiles")
    dark: "DarkLedger" = _room("dark.ledger", "DarkLedger")

    def __init__(self, path: Path, *, writing: bool) -> None:
        self._connection = Connection.open(path, writing=writing)
        self._rows = self._connection.rows
        self._writing = self._connection.writing
        try:
            if self._connection.is_writable and not self.catalogue.is_current:
                self.catalogue.make()
        except BaseException:
            self.close()
            raise

    @classmethod
    def scratch(cls, path: Path) -> "Ledger":
        """Return a ledger that is only to be compared with: fast, and lost with the process."""
        ledger = cls(path, writing=True)
        ledger._connection.db.execute("PRAGMA synchronous = OFF")
        return ledger

    @property
    def begun(self) -> str:
        """When it was begun, to the microsecond: it tells ledgers apart that say nothing yet."""
        (row,) = self._rows("SELECT min(applied_at) AS begun FROM _sqlite_migrations")
        return str(row["begun"])

    @property
    def is_copied(self) -> bool:
        """Whether a copy is read, as an older Carrel wrote the file: what is written to that from
        now on is not in it."""
        return self._connection.is_copied

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

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def interrupted(self) -> list[str]:
        """Return the ids of attempts that began and never ended."""
        rows = self._rows("SELECT ingest_id FROM results WHERE finished IS NULL")
        return [row["ingest_id"] for row in rows]

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

    def holding_of(self, marks: "Marks") -> str | None:
        """Return the id of the attempt that keeps what is held of a dataset, None if none does."""
        from carrel.ledger.recognition import newest_holding  # not for who only lists

        return newest_holding(self._connection, marks)

    def accession(self, ingest_id: str) -> "Accession | None":
        """Return since when what an attempt keeps is here, None if it keeps nothing."""
        return accession(self._connection, ingest_id)

    def history(self, dataset_id: int) -> "History":
        """Return what happened to a dataset here: ingests and fixity runs."""
        from carrel.ledger.history import history_of  # not for who only lists

        return history_of(self._connection, dataset_id)

    def figures(self, now: str) -> "Figures":
        """Return how the archive stands at `now` (UTC, ISO 8601)."""
        from carrel.ledger.figures import figures_of  # not for who only lists

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


def _parsed(text: str) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(text)
    return parsed
