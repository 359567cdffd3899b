# SPDX-License-Identifier: AGPL-3.0-or-later
"""Clients of Kafka, as everyone in a fleet configures them.

The names are librdkafka's (its CONFIGURATION.md). What `[kafka]` in fleet.toml says comes last,
but for what keeps the promise that nothing is lost: that cannot be changed there.
"""

import logging
import math
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from carrel.errors import NameTaken, NoBroker, NoTopic, SettingsError, Stuck, UsageError
from carrel.fleet.secrets import kafka_password
from carrel.fleet.settings import FleetSettings
from carrel.translation import tr

if TYPE_CHECKING:
    from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer
    from confluent_kafka.admin import AdminClient
    from confluent_kafka.admin._metadata import ClusterMetadata

client_log = logging.getLogger("carrel.fleet.librdkafka")

Value = str | int | float | bool
# sandcrawler's limit of a message; its brokers take 50 MB. Counted before compression.
LARGEST_MESSAGE = 30_000_000
_ASKS_WITHIN_S = 15.0
_RECENT_S = 300.0
_CONSUMER: Mapping[str, Value] = {
    # How long the partitions of a dead worker wait, and how long a restart may take.
    "session.timeout.ms": 300_000,
    "max.poll.interval.ms": 300_000,
    # Pausing throws away what was fetched beforehand: 64 MB and 100,000 messages, by default.
    "queued.max.messages.kbytes": 4096,
    "queued.min.messages": 100,
    "fetch.message.max.bytes": LARGEST_MESSAGE,
    "statistics.interval.ms": 10_000,
}
_CONSUMER_FIXED: Mapping[str, Value] = {
    # Only what has a delivered result is committed.
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    # "latest" skips in silence, "earliest" does everything again when a group's offsets expired.
    "auto.offset.reset": "error",
}
_PRODUCER: Mapping[str, Value] = {
    "message.max.bytes": LARGEST_MESSAGE,
    "compression.type": "zstd",
    "linger.ms": 20,
}
_PRODUCER_FIXED: Mapping[str, Value] = {
    "enable.idempotence": True,
    # As every Java producer has it, so that a key lands on the same partition; not CRC32.
    "partitioner": "murmur2_random",
    # Nothing is given up: until it is delivered, its request stays uncommitted.
    "delivery.timeout.ms": 0,
}


class Outages:
    """When no broker answered last. One that is back from a crash may know an older process by a
    member's name, and take the member itself for a stranger."""

    def __init__(self) -> None:
        self._noted_at = -math.inf

    def note(self, error: "KafkaError") -> None:
        """Take what librdkafka tells (its `error_cb`)."""
        from confluent_kafka import KafkaError

        if error.code() == KafkaError._ALL_BROKERS_DOWN:
            self._noted_at = time.monotonic()

    def judged(self, fault: Exception) -> Exception:
        """Return a fault as it is to be told: whose name is taken after an outage starts again."""
        if not isinstance(fault, NameTaken) or time.monotonic() - self._noted_at > _RECENT_S:
            return fault
        words = tr(
            "Kafka was away, and knows another member by this name now. It has to be started again."
        )
        return Stuck(words)


def consumer_settings(settings: FleetSettings, *, group: str, name: str) -> dict[str, Value]:
    """Return the configuration of a consumer, a static member of its group by this name.

    A restart within the session gets its partitions back with no rebalance. Raises SettingsError
    for what `[kafka]` may not change.
    """
    usual, own = dict(_CONSUMER), {"group.id": group, "group.instance.id": name}
    fixed: dict[str, Value] = {**own, **_CONSUMER_FIXED}
    if settings.kafka.get("group.protocol") == "consumer":  # KIP-848: the broker sees to these
        del usual["session.timeout.ms"]
    else:  # only what moves stops in a rebalance
        fixed["partition.assignment.strategy"] = "cooperative-sticky"
    return {**_common(settings, name), **usual, **_given(settings, fixed)}


def producer_settings(settings: FleetSettings, *, name: str) -> dict[str, Value]:
    """Return the configuration of a producer. Raises SettingsError as above."""
    return {**_common(settings, name), **_PRODUCER, **_given(settings, _PRODUCER_FIXED)}


def open_consumer(settings: Mapping[str, object]) -> "Consumer":
    """Return a consumer that subscribes to nothing yet; callbacks are settings as well.

    Raises UsageError and SettingsError.
    """
    need_kafka()
    from confluent_kafka import Consumer, KafkaException

    try:
        return Consumer(dict(settings), logger=_logger())
    except KafkaException as error:
        raise _not_valid(error) from error


def open_producer(settings: Mapping[str, Value]) -> "Producer":
    """Return a producer. Raises UsageError and SettingsError."""
    need_kafka()
    from confluent_kafka import KafkaException, Producer

    try:
        return Producer(dict(settings), logger=_logger())
    except KafkaException as error:
        raise _not_valid(error) from error


def open_admin(settings: FleetSettings) -> "AdminClient":
    """Return what asks the cluster, and makes topics. Raises UsageError and SettingsError."""
    need_kafka()
    from confluent_kafka import KafkaException
    from confluent_kafka.admin import AdminClient

    try:
        return AdminClient({**_common(settings, "carrel"), **settings.kafka}, logger=_logger())
    except KafkaException as error:
        raise _not_valid(error) from error


def partitions_of(settings: FleetSettings, topics: Iterable[str]) -> Mapping[str, int]:
    """Return how many partitions each of these topics has.

    Raises NoBroker where none answers, NoTopic with the names of those that are missing.
    """
    known = known_topics(settings)
    wanted = list(topics)
    if missing := [name for name in wanted if name not in known]:
        words = tr(
            "Kafka at {brokers} has no topic {names}. Make it with “carrel fleet topics --create”.",
            brokers=settings.brokers,
            names=", ".join(missing),
        )
        raise NoTopic(words)
    return {name: known[name] for name in wanted}


def known_topics(settings: FleetSettings) -> Mapping[str, int]:
    """Return all topics of the cluster with the number of their partitions. Raises NoBroker."""
    listed = _described(settings).topics
    return {name: len(topic.partitions) for name, topic in listed.items() if not topic.error}


def cluster_id(settings: FleetSettings) -> str:
    """Return the name of the cluster, which tells its offsets from those of another one.

    Raises NoBroker.
    """
    return str(_described(settings).cluster_id or "")


def headers_of(message: "Message") -> list[tuple[str, str | bytes | None]]:
    """Return the headers of a message as they came."""
    said = message.headers() or []
    return list(said.items()) if isinstance(said, dict) else said


def need_kafka() -> None:
    """Raise UsageError where the extra is not installed."""
    try:
        import confluent_kafka  # noqa: F401
    except ImportError as error:
        words = tr(
            "More than one machine needs a client of Kafka: install Carrel with “pip install "
            "carrel[fleet]”."
        )
        raise UsageError(words) from error


def _common(settings: FleetSettings, name: str) -> dict[str, Value]:
    said: dict[str, Value] = {"bootstrap.servers": settings.brokers, "client.id": name}
    if password := kafka_password():
        said["sasl.password"] = password
    return {**said, "allow.auto.create.topics": False}


def _given(settings: FleetSettings, fixed: Mapping[str, Value]) -> dict[str, Value]:
    """Return what `[kafka]` says, and what it may not say otherwise."""
    for key in fixed.keys() & settings.kafka.keys():
        if settings.kafka[key] != fixed[key]:
            words = tr("“{key}” under [kafka] cannot be changed: Carrel sets it itself.", key=key)
            raise SettingsError(words)
    return {**settings.kafka, **fixed}


def _described(settings: FleetSettings) -> "ClusterMetadata":
    from confluent_kafka import KafkaException

    try:
        return open_admin(settings).list_topics(timeout=_ASKS_WITHIN_S)
    except KafkaException as error:
        words = tr(
            "Kafka at {brokers} does not answer: {reason}. Check the addresses under “brokers”, "
            "and whether it runs.",
            brokers=settings.brokers,
            reason=error.args[0].str().rstrip("."),
        )
        raise NoBroker(words) from error


def _not_valid(error: "KafkaException") -> SettingsError:
    reason = error.args[0].str().rstrip(".")
    return SettingsError(tr("What [kafka] says is not valid: {reason}.", reason=reason))


def _logger() -> logging.Logger:
    if not client_log.filters:
        client_log.addFilter(_concerns_us)
    return client_log


def _concerns_us(record: logging.LogRecord) -> bool:
    """Leave out that what is for the consumer is not for the producer, and the other way round."""
    return "will be ignored by this" not in record.getMessage()
