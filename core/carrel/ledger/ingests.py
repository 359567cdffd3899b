# SPDX-License-Identifier: AGPL-3.0-or-later
"""Attempts as they begin, as they end, and as they come from elsewhere."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from carrel.ledger.adoption import (
    add_attempt,
    add_files,
    claim,
    note_earlier_platform,
    note_platform,
    rest_files_on,
)
from carrel.ledger.captures import Captures
from carrel.ledger.catalogue import Catalogue
from carrel.ledger.connection import Connection, insert_many
from carrel.ledger.datasets import assign, list_again
from carrel.ledger.not_imported import let_go_of_found, note_not_imported
from carrel.ledger.requests import request_id
from carrel.model import Capture, IngestFilesetResult, IngestRequest, ManifestFile
from carrel.model.iso_time import iso_now

_OWN_BESIDE = """
SELECT own.finished, f.path FROM results AS r
JOIN results AS own ON own.dataset_id = r.dataset_id AND own.finished IS NOT NULL
    AND own.platform_version IS r.platform_version
    AND own.ingest_id NOT IN (SELECT ingest_id FROM imports)
JOIN files AS f ON f.ingest_id = r.ingest_id AND f.status LIKE 'success%'
JOIN files AS o ON o.ingest_id = own.ingest_id AND o.path = f.path AND o.status LIKE 'success%'
    AND o.sha256 <> f.sha256
WHERE r.ingest_id = :ingest_id ORDER BY own.rowid DESC, f.position
"""


class Ingests:
    """Writes attempts, each whole or not at all."""

    def __init__(self, connection: Connection, captures: Captures, catalogue: Catalogue) -> None:
        self._connection, self._rows = connection, connection.rows
        self._captures, self._catalogue = captures, catalogue

    def start(self, ingest_id: str, request: IngestRequest, started: str) -> None:
        """Note that an attempt began; a row without `finished` is one that was interrupted.

        One that was interrupted goes on under its own id, and began when it began.
        """
        with self._connection.writing() as db:
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
        with self._connection.writing() as db:
            rows = ({**each.to_fields(), "ingest_id": ingest_id} for each in captures)
            insert_many(db, "captures", rows, ignore=True)
            let_go_of_found(self._connection, db)
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
            self._catalogue.update(db, [dataset_id])

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
        lacking: Mapping[str, Sequence[Capture]] = MappingProxyType({}),
    ) -> tuple[int, Sequence[str]]:
        """Add captures that came in a file from elsewhere, by its name, and the attempts that they
        belong to, by id; all or nothing.

        The captures are those of `owner`, if that attempt is known then, else of the first that is
        added; so are the records `described` that belong to none yet. `owners` has by record the
        attempt that part of a packed WARC belongs to. `parts` are WARCs whose
        captures belong to an attempt that is added. `resting` says which records its files rest on,
        by their positions, None to find them; `lacking` has by attempt the
        records that are not here. Returns how many captures were not known, and the ids
        of the attempts that were not. Raises KeyError, TypeError and ValueError for a document that
        is none of ours.
        """
        new: dict[str, str] = {}
        with self._connection.writing() as db:
            before = self._captures.count()
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
            added = self._captures.count() - before
            claim(db, {**dict.fromkeys(described, owns), **owns_each}, parts)
            if owns is None:
                rest_files_on(self._connection, db, captures)
            let_go_of_found(self._connection, db)
            note_not_imported(db, {each: lacking.get(each, ()) for each in new})
            for ingest_id, body in new.items():
                add_files(self._connection, db, ingest_id, body, resting)
                note_earlier_platform(db, documents[ingest_id])
                row = {"ingest_id": ingest_id, "at": iso_now(), "source": came_in}
                db.table("imports").insert(row)
            # With no attempt, too: captures alone may have the bytes of what is damaged.
            self._catalogue.update(db, {assign(db, each) for each in new})
            return added, list(new)

    def differing_from_own(self, ingest_id: str) -> tuple[str, Sequence[str]]:
        """Return which files of an attempt have other bytes than those of the same names that this
        archive itself downloaded of the same version, and when that ended (UTC, ISO 8601); "" and
        none where there are none."""
        rows = self._rows(_OWN_BESIDE, {"ingest_id": ingest_id})
        ended = rows[0]["finished"] if rows else ""
        return ended, [row["path"] for row in rows if row["finished"] == ended]

    def move(self, captures: Iterable[Capture]) -> None:
        """Have captures that the ledger knows be where these are."""
        with self._connection.writing() as db:
            rows = ((it.filename, it.offset, it.length, it.record_id) for it in captures)
            sql = "UPDATE captures SET filename = ?, offset = ?, length = ? WHERE record_id = ?"
            db.conn.executemany(sql, rows)

    def _known_owners(self, owners: Mapping[str, str]) -> Mapping[str, str | None]:
        """Return which attempt each record belongs to, None for one that is not known."""
        sql = "SELECT value FROM json_each(?) WHERE value IN (SELECT ingest_id FROM results)"
        known = set(self._connection.column(sql, [json.dumps(sorted(set(owners.values())))]))
        return {record_id: each if each in known else None for record_id, each in owners.items()}

    def close_interrupted(self, ingest_id: str, body: Mapping[str, Any], finished: str) -> None:
        """Give an interrupted attempt its end, so that every row is true."""
        row = {
            "finished": finished,
            "hit": 0,
            "status": body["status"],
            "result": json.dumps(body),
        }
        with self._connection.writing() as db:
            db.table("results").update(ingest_id, row)
            self._catalogue.update(db, [assign(db, ingest_id)])


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
