# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel persist` as a whole: the database, the clients of Kafka, and the numbers about them."""

import logging
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from carrel.errors import NameTaken
from carrel.fleet import kafka
from carrel.fleet.consumer import Consumption
from carrel.fleet.metrics import served
from carrel.fleet.persist_metrics import PersistMetrics
from carrel.fleet.postgres.connection import connection_settings, session
from carrel.fleet.postgres.store import LARGEST_BATCH
from carrel.fleet.sender import Sender
from carrel.fleet.settings import FleetSettings
from carrel.fleet.start import Start
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.fleet.persist import Persistence

log = logging.getLogger(__name__)

# A batch is ready when the one before is stored; a worker, whose requests take long, wants few.
_PREFETCH = {"queued.min.messages": 2 * LARGEST_BATCH, "queued.max.messages.kbytes": 65_536}
_POLLS_WITHIN_S = 30.0
_CLOSES_WITHIN_S = 10.0


def prepare_database(db: str) -> Sequence[str]:
    """Make the tables, or adopt those that are there; return the names of the steps.

    Raises UsageError, NoDatabase and OtherDatabase.
    """
    from carrel.fleet.postgres.migrations import apply_migrations

    with session(db) as connection:
        return apply_migrations(connection)


def persist_results(
    db: str,
    settings: FleetSettings,
    name: str,
    start: Start,
    metrics: str | None,
    stop: threading.Event,
) -> None:
    """Store results until `stop` is set.

    Raises UsageError, NoDatabase, OtherDatabase, NoBroker and NoTopic before anything is read,
    Stuck, NameTaken and NoOffset later.
    """
    kafka.need_kafka()
    parameters = connection_settings(db)
    from carrel.fleet.persist import Persistence, Place
    from carrel.fleet.postgres.database import Database

    database = Database(parameters)
    try:
        database.check()
        topics = settings.topics
        kafka.partitions_of(settings, [topics.results, topics.file_results, topics.rejects])
        counted = PersistMetrics()
        place = Place(kafka.cluster_id(settings), name, topics)
        persistence = Persistence(database, place, counted, stop)
        with served(metrics, counted.registry, lambda: _unhealthy(persistence)):
            _consume(persistence, settings, name, start, counted)
    finally:
        database.close()


def _consume(
    persistence: "Persistence",
    settings: FleetSettings,
    name: str,
    start: Start,
    metrics: PersistMetrics,
) -> None:
    group = settings.groups.persist
    said = kafka.consumer_settings(settings, group=group, name=name)
    outages = kafka.Outages()
    told = {"error_cb": outages.note}
    consumer = kafka.open_consumer({**said, **_PREFETCH, **settings.kafka, **told})
    producer = kafka.open_producer(kafka.producer_settings(settings, name=name))
    consumption = Consumption(consumer, persistence.withdraw, metrics, start=start)
    try:
        persistence.run(consumption, Sender(producer, lambda at: None))
    except NameTaken as error:
        raise outages.judged(error) from error
    finally:
        _close(consumption)


def _close(consumption: Consumption) -> None:
    """Leave the group; with its broker away, that could take for ever."""
    thread = threading.Thread(target=consumption.close, name="closing", daemon=True)
    thread.start()
    thread.join(_CLOSES_WITHIN_S)
    if thread.is_alive():
        log.warning("Kafka did not answer at the end; nothing is lost.")


def _unhealthy(persistence: "Persistence") -> str:
    silent_s = time.monotonic() - persistence.polled_at
    if silent_s <= _POLLS_WITHIN_S:
        return ""
    return tr("Kafka was not polled for {seconds:.0f} s.", seconds=silent_s)
