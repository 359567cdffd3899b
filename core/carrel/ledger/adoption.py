# SPDX-License-Identifier: AGPL-3.0-or-later
"""Attempts that a WARC tells of, put into a ledger that does not know them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from carrel.ledger.connection import Connection, Row, insert_many
from carrel.ledger.requests import request_id
from carrel.model import Capture, IngestRequest, Status

if TYPE_CHECKING:
    from sqlite_utils import Database

_NEAREST = """
SELECT record_id FROM captures WHERE url = ? AND timestamp = ?
ORDER BY ingest_id IS ? DESC, record_id LIMIT 1
"""
# The record of a file that came in a package, whose result tells where it was fetched from once.
_OWN = "SELECT record_id FROM captures WHERE ingest_id = ? AND url = ?"
_WAITING = """
SELECT ingest_id, position FROM files WHERE sha256 = ? AND terminal_url = ? AND terminal_dt = ?
    AND capture_id IS NULL AND status LIKE 'success%'
"""
_AGAIN = "UPDATE results SET finished = finished WHERE ingest_id = ?"
REST = "UPDATE files SET capture_id = ? WHERE ingest_id = ? AND position = ?"
_LATER = """
SELECT 1 FROM ingest_fileset_platform
WHERE ingest_type = :ingest_type AND base_url = :base_url AND updated > :finished
"""
_NAMED = ("platform_name", "platform_domain", "platform_id", "platform_version")
_FILE_FIELDS = (
    *("path", "status", "size", "md5", "sha1", "sha256", "mimetype"),
    *("platform_url", "terminal_url", "terminal_dt"),
)


def add_attempt(connection: Connection, db: "Database", ingest_id: str, result: str) -> None:
    """Add the row of an attempt by its result document, which is JSON.

    Raises KeyError, TypeError and ValueError for one that is none of ours.
    """
    db.table("results").insert(_columns_of(connection, db, ingest_id, result))


def settle_attempt(connection: Connection, db: "Database", ingest_id: str, result: str) -> None:
    """Have the row of an attempt that is there say what its result document does. Raises so too."""
    db.table("results").update(ingest_id, _columns_of(connection, db, ingest_id, result))


def add_lost_attempt(
    connection: Connection,
    db: "Database",
    ingest_id: str,
    request: IngestRequest,
    began: str,
    ended: str,
) -> None:
    """Add the row of an attempt whose result is lost, and of which nothing tells how it ended; so
    its status says that what was stored cannot be read back.

    `began` and `ended` are the times of its first and its last capture (ISO 8601).
    """
    row = {
        "ingest_id": ingest_id,
        "request_id": request_id(connection, db, request, began),
        "base_url": request.base_url,
        "started": began,
        "finished": ended,
        "hit": 0,
        "status": Status.STORE_DAMAGED,
    }
    db.table("results").upsert(row, pk="ingest_id")


def _columns_of(connection: Connection, db: "Database", ingest_id: str, result: str) -> Row:
    body = json.loads(result)
    request = IngestRequest.from_json(body["request"])
    columns = {
        "ingest_id": ingest_id,
        "request_id": request_id(connection, db, request, body["started"]),
        "base_url": request.base_url,
        "started": body["started"],
        "finished": body["finished"],
        "hit": int(body["hit"]),
        "status": body["status"],
        "terminal_url": (body.get("hops") or [None])[-1],
        "result": result,
    }
    return {**columns, **{name: body.get(name) for name in _NAMED}}


def add_files(
    connection: Connection,
    db: "Database",
    ingest_id: str,
    result: str,
    resting: Mapping[str, str] | None,
) -> None:
    """Add the files of an attempt by its result document. `resting` says which record each rests
    on, by its position; None to find it by its address and time."""
    manifest = json.loads(result).get("manifest") or []
    if resting is None:
        resting = _found(connection, ingest_id, manifest)
    insert_many(db, "files", _rows(ingest_id, manifest, resting), ignore=True)


def claim(db: "Database", owners: Mapping[str, str | None], parts: Mapping[str, str]) -> None:
    """Have captures that belong to no attempt belong to one: single records, and whole WARCs, by
    their names, to those that `parts` tells."""
    sql = "UPDATE captures SET ingest_id = ? WHERE ingest_id IS NULL AND "
    rows = ((owner, record_id) for record_id, owner in owners.items() if owner is not None)
    db.conn.executemany(f"{sql} record_id = ?", rows)
    rows = ((ingest_id, filename) for filename, ingest_id in parts.items())
    db.conn.executemany(f"{sql} filename = ?", rows)


def rest_files_on(connection: Connection, db: "Database", captures: Iterable[Capture]) -> None:
    """Have files that wait for their record rest on it, where one of these is theirs: of an ingest
    in several WARCs, the one with its result may have come first."""
    for capture in captures:
        place = [capture.sha256, capture.url, capture.timestamp]
        for row in connection.rows(_WAITING, place):
            found = [capture.record_id, row["ingest_id"], row["position"]]
            db.execute(REST, found)
            claim(db, {capture.record_id: row["ingest_id"]}, {})
            # The journal tells of an attempt with the records that its files rest on: once more.
            db.execute(_AGAIN, [row["ingest_id"]])


def note_platform(db: "Database", body: Mapping[str, Any]) -> None:
    """Have `ingest_fileset_platform` say what an attempt found of its dataset, by its result
    document; one that found none changes nothing.
    """
    named = {name: body.get(name) for name in _NAMED[:3]}
    if "manifest" not in body or not all(named.values()):
        return
    row = {
        **_key_in_platforms(body),
        "updated": body["finished"],
        "hit": int(body["hit"]),
        "status": body["status"],
        **named,
        **{name: body.get(name) or None for name in ("ingest_strategy", "archiveorg_item_name")},
        **{name: body.get(name) for name in ("total_size", "file_count")},
        "manifest": json.dumps(body["manifest"]),
    }
    db.table("ingest_fileset_platform").upsert(row, pk=("ingest_type", "base_url"))


def note_earlier_platform(db: "Database", body: Mapping[str, Any]) -> None:
    """Do so for an attempt of any time, unless there was a later one."""
    if not any(db.query(_LATER, {**_key_in_platforms(body), "finished": body["finished"]})):
        note_platform(db, body)


def _key_in_platforms(body: Mapping[str, Any]) -> Row:
    request = IngestRequest.from_json(body["request"])
    return {"ingest_type": request.ingest_type, "base_url": request.base_url}


def _found(
    connection: Connection, ingest_id: str, manifest: Sequence[Mapping[str, Any]]
) -> Mapping[str, str]:
    found = {}
    for position, entry in enumerate(manifest):
        place = [entry.get("terminal_url"), entry.get("terminal_dt"), ingest_id]
        # The address of a file of a bundle is that of the bundle, which is not the file.
        is_member = "bundle_member" in (entry.get("extra") or {})
        record_ids = [] if is_member else connection.column(_NEAREST, place)
        own = f"urn:x-carrel:ingest:{ingest_id}:file:{position}"
        record_ids = record_ids or connection.column(_OWN, [ingest_id, own])
        if record_ids:
            found[str(position)] = record_ids[0]
    return found


def _rows(
    ingest_id: str, manifest: Sequence[Mapping[str, Any]], resting: Mapping[str, str]
) -> Iterable[Row]:
    for position, entry in enumerate(manifest):
        named = {name: entry.get(name) for name in _FILE_FIELDS}
        capture_id = resting.get(str(position))
        yield {"ingest_id": ingest_id, "position": position, **named, "capture_id": capture_id}
