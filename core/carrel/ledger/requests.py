# SPDX-License-Identifier: AGPL-3.0-or-later
"""Requests in the ledger: each once, however often it was made."""

import json
from typing import TYPE_CHECKING

from carrel.ledger.connection import Connection
from carrel.model import IngestRequest

if TYPE_CHECKING:
    from sqlite_utils import Database


def request_id(connection: Connection, db: "Database", request: IngestRequest, created: str) -> int:
    """Return the number of a request, which is added if it was never made before."""
    body = json.dumps(request.to_json(), sort_keys=True)
    key = {"ingest_type": request.ingest_type, "base_url": request.base_url, "request": body}
    found = connection.column(
        "SELECT id FROM requests WHERE ingest_type = :ingest_type AND base_url = :base_url"
        " AND request = :request",
        key,
    )
    if found:
        return int(found[0])
    db.table("requests").insert({**key, "created": created})
    return int(connection.column("SELECT last_insert_rowid()")[0])
