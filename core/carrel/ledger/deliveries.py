# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which attempt answers which message of Kafka.

It is no part of the journal: where it is lost, a message that comes again is ingested again, which
finds everything here.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from carrel.ledger.connection import Connection, Row
from carrel.model import IngestRequest

_OPEN = "ingest_id NOT IN (SELECT ingest_id FROM results WHERE finished IS NOT NULL)"


@dataclass(frozen=True, slots=True)
class Coordinates:
    """Where a message stands: in all clusters no two have the same."""

    cluster: str
    topic: str
    partition: int
    offset: int

    def __str__(self) -> str:
        return f"{self.topic}/{self.partition}/{self.offset}"


@dataclass(frozen=True, slots=True)
class Delivery:
    """A request that came in a message, and the attempt that answers it.

    `worker` is who was given it first, `tries` how often the attempt was begun and neither ended
    nor was put aside in good order.
    """

    at: Coordinates
    ingest_id: str
    worker: str
    request: IngestRequest
    tries: int = 0


class Deliveries:
    """Every message that this archive was given. Threads may share it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, at: Coordinates) -> Delivery | None:
        """Return the delivery with these coordinates, None if it never came."""
        sql = (
            "SELECT * FROM deliveries "
            "WHERE cluster = ? AND topic = ? AND partition = ? AND offset = ?"
        )
        rows = self._connection.rows(sql, [at.cluster, at.topic, at.partition, at.offset])
        return _delivery(rows[0]) if rows else None

    def open(self) -> Sequence[Delivery]:
        """Return the deliveries whose attempts have not ended."""
        sql = f"SELECT * FROM deliveries WHERE {_OPEN}"  # noqa: S608
        return [_delivery(row) for row in self._connection.rows(sql)]

    def file_result(self, ingest_id: str) -> Mapping[str, Any] | None:
        """Return the ingest file result of an attempt that archived one file, else None."""
        sql = "SELECT result FROM ingest_file_results WHERE ingest_id = ?"
        rows = self._connection.rows(sql, [ingest_id])
        return json.loads(rows[0]["result"]) if rows else None

    def begin(self, delivery: Delivery) -> Delivery:
        """Note that an attempt begins or goes on, before it does; return it with this try."""
        begun = replace(delivery, tries=delivery.tries + 1)
        self._store(begun)
        return begun

    def put_aside(self, delivery: Delivery) -> Delivery:
        """Note that an attempt was put aside in good order: it was no try."""
        aside = replace(delivery, tries=max(0, delivery.tries - 1))
        self._store(aside)
        return aside

    def _store(self, delivery: Delivery) -> None:
        at = delivery.at
        values = (at.cluster, at.topic, at.partition, at.offset, delivery.ingest_id)
        request = json.dumps(delivery.request.to_json(), sort_keys=True)
        with self._connection.writing() as db:
            db.execute(
                "INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET tries = excluded.tries",
                [*values, delivery.worker, request, delivery.tries],
            )


def _delivery(row: Row) -> Delivery:
    at = Coordinates(row["cluster"], row["topic"], row["partition"], row["offset"])
    request = IngestRequest.from_json(json.loads(row["request"]))
    return Delivery(at, row["ingest_id"], row["worker"], request, row["tries"])
