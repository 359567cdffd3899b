# SPDX-License-Identifier: AGPL-3.0-or-later
"""A topic from where a group has come to up to where it ends now, for who only looks."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from carrel.errors import NoBroker
from carrel.fleet import kafka
from carrel.fleet.settings import FleetSettings
from carrel.translation import tr

if TYPE_CHECKING:
    from confluent_kafka import Consumer, KafkaError, Message, TopicPartition

_ANSWERS_WITHIN_S = 30.0


class TopicReader:
    """Reads as a group, without being a member of it: no one is rebalanced. For one thread."""

    def __init__(self, consumer: "Consumer", settings: FleetSettings) -> None:
        self._consumer, self._settings = consumer, settings

    @classmethod
    @contextmanager
    def of_group(cls, settings: FleetSettings, group: str) -> Iterator["TopicReader"]:
        """Give a reader. Raises UsageError and SettingsError."""
        said = kafka.consumer_settings(settings, group=group, name="carrel-reader")
        del said["group.instance.id"]
        reader = cls(kafka.open_consumer(said), settings)
        try:
            yield reader
        finally:
            reader._consumer.close()

    def standing(self, topic: str) -> "list[tuple[TopicPartition, int, int]]":
        """Return what the group committed of each partition, and its first and next offsets.

        Raises NoBroker and NoTopic.
        """
        from confluent_kafka import KafkaException, TopicPartition

        count = kafka.partitions_of(self._settings, [topic])[topic]
        asked = [TopicPartition(topic, number) for number in range(count)]
        try:
            known = self._consumer.committed(asked, timeout=_ANSWERS_WITHIN_S)
            return [(each, *self._ends(each)) for each in known]
        except KafkaException as error:
            raise _silent(error.args[0]) from error

    def messages(self, topic: str, *, from_first: bool = False) -> "Iterator[Message]":
        """Yield the messages that the group has not committed, or all; as many as there are now.

        Raises NoBroker and NoTopic.
        """
        for committed, first, end in self.standing(topic):
            begins = first if from_first else max(first, committed.offset)
            if begins < end:
                yield from self._between(committed, begins, end)

    def settle(self, topic: str, ends: Mapping[int, int]) -> None:
        """Commit that everything below these offsets of partitions is done. Raises NoBroker."""
        from confluent_kafka import KafkaException, TopicPartition

        said = [TopicPartition(topic, number, offset) for number, offset in ends.items()]
        try:
            self._consumer.commit(offsets=said, asynchronous=False)
        except KafkaException as error:
            raise _silent(error.args[0]) from error

    def _ends(self, each: "TopicPartition") -> tuple[int, int]:
        first, end = self._consumer.get_watermark_offsets(each, timeout=_ANSWERS_WITHIN_S)
        return first, end

    def _between(self, each: "TopicPartition", begins: int, end: int) -> "Iterator[Message]":
        from confluent_kafka import TopicPartition

        self._consumer.assign([TopicPartition(each.topic, each.partition, begins)])
        while True:
            message = self._consumer.poll(_ANSWERS_WITHIN_S)
            if message is None or message.error():
                raise _silent(message.error() if message else None)
            yield message
            if (message.offset() or 0) + 1 >= end:
                return


def _silent(error: "KafkaError | None") -> NoBroker:
    reason = error.str() if error else tr("nothing came in time")
    return NoBroker(tr("Kafka cannot be read: {reason}.", reason=reason.rstrip(".")))
