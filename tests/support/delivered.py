# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results as Kafka delivers them, and what the tables have of them."""

import itertools
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import psycopg

from carrel.fleet.postgres.rows import Delivery

SENT = datetime(2026, 3, 1, tzinfo=UTC)
TOPIC, FILE_TOPIC = "dev.results", "dev.file-results"
_TABLES = {
    "ingest_request": "link_source, link_source_id, ingest_type, base_url",
    "ingest_file_result": "ingest_type, base_url",
    "ingest_fileset_platform": "ingest_type, base_url",
    "carrel_attempt": "ingest_id",
}
_offsets: Iterator[int] = itertools.count()


def result(number: int = 1, *, second: int = 5, **fields: Any) -> dict[str, Any]:
    """Return a result of dataset `number` that ended at a second of a minute; None leaves out."""
    said = {
        "hit": True,
        "status": "success",
        "request": {"ingest_type": "dataset", "base_url": f"https://doi.org/10.5072/{number}"},
        "hops": [],
        "terminal": {
            "terminal_url": f"https://zenodo.example/records/{number}",
            "terminal_dt": "20260201120000",
            "terminal_status_code": 200,
            "terminal_sha1hex": "a" * 40,
        },
        "ingest_id": f"ingest-{number}-{second}",
        "started": "2026-02-01T12:00:00Z",
        "finished": f"2026-02-01T12:00:{second:02}Z",
        "platform_name": "zenodo",
        "platform_domain": "zenodo.example",
        "platform_id": str(number),
        "ingest_strategy": "web-fileset",
        "file_count": 2,
        "total_size": 300,
        "manifest": [
            {"path": "a.csv", "size": 100, "md5": "b" * 32, "status": "success"},
            {"path": "b.csv", "size": 200, "md5": "c" * 32, "status": "success"},
        ],
    }
    return {name: value for name, value in {**said, **fields}.items() if value is not None}


def file_result(number: int = 1) -> dict[str, Any]:
    """Return the result of the one file of a dataset."""
    whole = result(number)
    request = {**whole["request"], "ingest_type": "dataset-file"}
    names = ("hit", "hops", "terminal")
    return {"status": "success", "request": request, **{name: whole[name] for name in names}}


def delivery(
    content: dict[str, Any] | bytes, *, is_of_file: bool = False, **headers: str
) -> Delivery:
    """Return a message with a result, or with any bytes."""
    return Delivery(
        content if isinstance(content, bytes) else json.dumps(content).encode(),
        FILE_TOPIC if is_of_file else TOPIC,
        0,
        next(_offsets),
        SENT,
        {name.replace("_", "-"): value for name, value in headers.items()},
        is_of_file=is_of_file,
    )


def fingerprint(connection: psycopg.Connection) -> dict[str, tuple[int, str]]:
    """Return of each table how many rows it has, and a digest of all of them."""
    found = {}
    for table, key in _TABLES.items():
        digest = f"md5(coalesce(string_agg(t::text, '' ORDER BY {key}), ''))"
        row = connection.execute(f"SELECT count(*), {digest} FROM {table} t".encode()).fetchone()
        assert row is not None
        found[table] = (int(row[0]), str(row[1]))
    return found


def statuses(connection: psycopg.Connection, table: str = "ingest_file_result") -> list[str]:
    """Return the statuses in a table, by key."""
    rows = connection.execute(f"SELECT status FROM {table} ORDER BY ingest_type, base_url".encode())
    return [status for (status,) in rows]
