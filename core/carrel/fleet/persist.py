# SPDX-License-Identifier: AGPL-3.0-or-later
"""The persist worker: results from Kafka into Postgres, each batch before its offsets.

One thread does all of it. While the database is away it goes on polling, so that its partitions
stay, and reads nothing. What Postgres refuses goes to the rejects; nothing is skipped.
"""

import logging
import threading
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from carrel.errors import NoDatabase, Stuck, Unusable
from carrel.fleet.consumer import Consumption, Partition
from carrel.fleet.persist_metrics import PersistMetrics
from carrel.fleet.postgres.database import Database
from carrel.fleet.postgres.rows import Delivery, ResultRows, rows_of
from carrel.fleet.postgres.store import LARGEST_BATCH, Reject
from carrel.fleet.rejects import rejected
from carrel.fleet.sender import Completion, Sender
from carrel.fleet.service_manager import notify
from carrel.fleet.settings import Topics
from carrel.ledger.deliveries import Coordinates
from carrel.translation import tr

if TYPE_CHECKING:
    from confluent_kafka import Message

log = logging.getLogger(__name__)

_GATHERS_S = 1.0
_POLLS_S = 0.5
# A client that is silently idle after its broker came back (librdkafka, issue 5153).
_STUCK_AFTER_S = 600.0
_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 60.0


@dataclass(frozen=True, slots=True)
class Place:
    """Who stores: the cluster whose offsets are meant, this worker's name, and the topics."""

    cluster: str
    name: str
    topics: Topics


class Persistence:
    """Batches of results, stored one after the other, until `stop` is set."""

    def __init__(
        self, database: Database, place: Place, metrics: PersistMetrics, stop: threading.Event
    ) -> None:
        self._database, self._place, self._metrics, self._stop = database, place, metrics, stop
        self._batch: list[Delivery] = []
        # What came while the batch waited for the database, of partitions that were new.
        self._next: list[Delivery] = []
        self.polled_at = self._moved_at = time.monotonic()

    def run(self, consumption: Consumption, sender: Sender) -> None:
        """Store results until it is told to stop; what is not stored then comes again."""
        topics = self._place.topics
        consumption.subscribe([topics.results, topics.file_results])
        notify("READY=1")
        try:
            while not self._stop.is_set():
                self._gather(consumption)
                if self._batch:
                    self._persist(consumption, sender)
                self._tick(consumption)
        finally:
            notify("STOPPING=1")
            consumption.commit(at_once=True)

    def withdraw(self, partitions: Collection[Partition], in_order: bool) -> None:
        """Forget what came of partitions that another worker has now: it stores that."""
        lost = set(partitions)
        for deliveries in (self._batch, self._next):
            deliveries[:] = [each for each in deliveries if _partition(each) not in lost]

    def _gather(self, consumption: Consumption) -> None:
        """Read until the batch is full, or a second after it was begun."""
        self._batch, self._next = self._next, []
        until = time.monotonic() + _GATHERS_S
        while len(self._batch) < LARGEST_BATCH and not self._stop.is_set():
            left = until - time.monotonic()
            if left <= 0:
                return
            if message := consumption.poll(min(left, _POLLS_S)):
                self._batch.append(self._delivery(message))

    def _persist(self, consumption: Consumption, sender: Sender) -> None:
        began = time.monotonic()
        rows, rejects = _read(self._batch)
        stored = self._stored(consumption, rows)
        if stored is None:
            return
        for reject in (*rejects, *stored):
            self._set_aside(sender, reject)
        while not sender.flush(_POLLS_S):
            if self._stop.is_set():
                return
            self._poll(consumption)
        for each in self._batch:
            consumption.end(_partition(each), each.offset)
        consumption.commit()
        self._metrics.stored(rows, time.monotonic() - began)

    def _stored(
        self, consumption: Consumption, rows: Sequence[ResultRows]
    ) -> Sequence[Reject] | None:
        """Store rows, however long the database is away; return what it refused, None where it is
        still away when we are told to stop."""
        wait_s = _FIRST_WAIT_S
        while not self._stop.is_set():
            ours = {_partition(each) for each in self._batch}
            try:
                rejects = self._database.store(
                    [each for each in rows if _partition(each.delivery) in ours]
                )
            except NoDatabase as error:
                log.warning("%s It is tried again in %.0f s.", error, wait_s)
            else:
                self._metrics.reached(True)
                consumption.hold(False)
                return rejects
            self._metrics.reached(False)
            consumption.hold(True)
            self._wait(consumption, wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)
        return None

    def _wait(self, consumption: Consumption, wait_s: float) -> None:
        until = time.monotonic() + wait_s
        while not self._stop.is_set() and time.monotonic() < until:
            self._poll(consumption)

    def _poll(self, consumption: Consumption) -> None:
        """Stay a member of the group; what comes all the same waits for the next batch."""
        self._tick(consumption)
        if message := consumption.poll(_POLLS_S):
            self._next.append(self._delivery(message))

    def _tick(self, consumption: Consumption) -> None:
        """Commit what is done, and look whether all is well."""
        consumption.steer()
        consumption.commit()
        lags = consumption.lags()
        self._metrics.consumed(lags)
        notify("WATCHDOG=1")
        now = self.polled_at = time.monotonic()
        if self._batch or not (any(lags.values()) and consumption.is_reading):
            self._moved_at = now
        if now - self._moved_at > _STUCK_AFTER_S:
            seconds = now - self._moved_at
            words = tr("Results are there, and none came for {seconds:.0f} s.", seconds=seconds)
            raise Stuck(words)

    def _set_aside(self, sender: Sender, reject: Reject) -> None:
        came = reject.delivery
        at = Coordinates(self._place.cluster, came.topic, came.partition, came.offset)
        log.warning("%s goes to the rejects: %s", at, reject.reason)
        self._metrics.rejected(reject.sqlstate or "unusable")
        message = rejected(
            self._place.topics.rejects,
            (came.key, came.value),
            at,
            reason=reject.reason,
            worker=self._place.name,
            sqlstate=reject.sqlstate or "",
        )
        sender.send(Completion(at, [message]))

    def _delivery(self, message: "Message") -> Delivery:
        return delivery_of(message, self._place.topics)


def delivery_of(message: "Message", topics: Topics) -> Delivery:
    """Return a message of one of the topics of results."""
    _, sent_ms = message.timestamp()
    headers = {
        name: value.decode("utf-8", "replace")
        for name, value in dict(message.headers() or ()).items()
        if isinstance(value, bytes)
    }
    topic, partition, offset = message.topic(), message.partition(), message.offset()
    assert topic is not None and partition is not None and offset is not None  # noqa: S101, PT018 - as all that arrive
    key = message.key()
    return Delivery(
        message.value() or b"",
        topic,
        partition,
        offset,
        datetime.fromtimestamp(max(sent_ms, 0) / 1000, UTC),
        headers,
        key=key.encode() if isinstance(key, str) else key,
        is_of_file=topic == topics.file_results,
    )


def _read(deliveries: Sequence[Delivery]) -> tuple[Sequence[ResultRows], Sequence[Reject]]:
    """Return the rows of results, and the messages that are none."""
    rows, rejects = [], []
    for each in deliveries:
        try:
            if (read := rows_of(each)) is not None:
                rows.append(read)
        except Unusable as error:
            rejects.append(Reject(each, str(error)))
    return rows, rejects


def _partition(delivery: Delivery) -> Partition:
    return delivery.topic, delivery.partition
