# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a worker consumes: its partitions, how far each is done, and what is committed of that.

All of it belongs to the thread that polls. A rebalance comes within a poll: what is taken away is
withdrawn first (`on_withdraw`), so that no one works on what another worker is given.
"""

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from carrel.errors import NameTaken, NoOffset, Stuck
from carrel.fleet.progress import WINDOW, Progress
from carrel.fleet.start import EARLIEST, LATEST, Start
from carrel.translation import tr

if TYPE_CHECKING:
    from confluent_kafka import Consumer, KafkaError, Message, TopicPartition

log = logging.getLogger(__name__)

Partition = tuple[str, int]
_COMMIT_EVERY_S = 1.0
_ENDS_EVERY_S, _ENDS_WITHIN_S = 30.0, 2.0
_ASKS_WITHIN_S = 30.0


class CommitMetrics(Protocol):
    """Who counts the commits that were refused."""

    def commit_failed(self, reason: str) -> None:
        """Count one, by the name of the error."""


class Consumption:
    """The partitions that this member of the group has at present.

    `on_withdraw` is called with partitions that are taken away, and whether in good order; it
    returns when no one works on them any more.
    """

    def __init__(
        self,
        consumer: "Consumer",
        on_withdraw: Callable[[Collection[Partition], bool], None],
        metrics: CommitMetrics,
        *,
        start: Start | None = None,
        window: int = WINDOW,
    ) -> None:
        self._consumer, self._on_withdraw, self._metrics = consumer, on_withdraw, metrics
        self._start, self._window = start, window
        self._progress: dict[Partition, Progress] = {}
        self._positions: dict[Partition, int] = {}
        self._dirty: set[Partition] = set()
        self._paused: set[Partition] = set()
        self._full: set[Partition] = set()
        self._ends: dict[Partition, int] = {}
        self._is_held = False
        self._looked_at = self._committed_at = 0.0
        self._fault: Exception | None = None

    def subscribe(self, topics: Sequence[str]) -> None:
        """Become a member of the group."""
        self._consumer.subscribe(
            list(topics),
            on_assign=self._assigned,
            on_revoke=self._revoked,
            on_lost=self._lost,
        )

    def poll(self, timeout_s: float) -> "Message | None":
        """Return the next message that is to be done by someone, None if none came in time.

        Raises NoOffset, NameTaken and Stuck.
        """
        message = self._consumer.poll(timeout_s)
        if self._fault is not None:
            raise self._fault
        if message is None:
            return None
        if error := message.error():
            self._concern(error)
            return None
        return message if self._take(message) else None

    def end(self, partition: Partition, offset: int) -> None:
        """Note that a message is done; of a partition that was taken away, nothing."""
        if progress := self._progress.get(partition):
            progress.end(offset)
            self._dirty.add(partition)

    def hold(self, is_held: bool) -> None:
        """Read nothing at all, or go on reading."""
        self._is_held = is_held

    def steer(self) -> None:
        """Pause what is not to be read now and resume what is: each once, when that changes.

        Pausing throws away what was fetched beforehand.
        """
        for partition, progress in self._progress.items():
            if progress.is_full:
                self._full.add(partition)
            elif progress.has_room_again:
                self._full.discard(partition)
        wanted = set(self._progress) if self._is_held else self._full & set(self._progress)
        if paused := wanted - self._paused:
            self._consumer.pause(_named(paused))
        if resumed := (self._paused - wanted) & set(self._progress):
            self._consumer.resume(_named(resumed))
        self._paused = wanted

    def commit(self, *, at_once: bool = False) -> None:
        """Commit what was done since, at most once a second; what is refused is tried again."""
        now = time.monotonic()
        if not self._dirty or (now - self._committed_at < _COMMIT_EVERY_S and not at_once):
            return
        self._committed_at = now
        self._commit([partition for partition in self._dirty if partition in self._progress])

    def committed(self, partitions: Collection[Partition]) -> Mapping[Partition, Progress]:
        """Return how far the group has come in these partitions, whoever has them."""
        asked = self._consumer.committed(_named(partitions), timeout=_ASKS_WITHIN_S)
        return {
            (each.topic, each.partition): Progress.from_commit(each.offset, each.metadata)
            for each in asked
            if each.error is None and each.offset >= 0
        }

    def lags(self) -> Mapping[Partition, int]:
        """Return how many messages of each partition are not below its low watermark."""
        self._look_for_ends()
        lags = {}
        for partition, progress in self._progress.items():
            (named,) = _named([partition])
            _, high = self._consumer.get_watermark_offsets(named, cached=True)
            if (end := max(high, self._ends.get(partition, -1))) >= 0:
                lags[partition] = max(0, end - progress.low)
        return lags

    def _look_for_ends(self) -> None:
        """Ask the broker now and then where partitions end.

        A client knows that of what it fetched: of one that is silently idle, or paused, it does not
        change.
        """
        from confluent_kafka import KafkaException

        now = time.monotonic()
        if now - self._looked_at < _ENDS_EVERY_S:
            return
        self._looked_at = now
        try:
            for partition in self._progress:
                (named,) = _named([partition])
                _, high = self._consumer.get_watermark_offsets(named, timeout=_ENDS_WITHIN_S)
                self._ends[partition] = high
        except KafkaException as error:  # the broker is away: next time
            log.debug("Ends are not known: %s", error)

    @property
    def in_flight(self) -> int:
        """How many messages were taken and are not done."""
        return sum(len(progress.taken) for progress in self._progress.values())

    @property
    def is_reading(self) -> bool:
        """Whether there are partitions, and one of them is not paused."""
        return bool(set(self._progress) - self._paused)

    @property
    def is_settled(self) -> bool:
        """Whether all that is done is committed."""
        return not self._dirty

    def close(self) -> None:
        """Leave; a static member's partitions wait for it. What remains is withdrawn."""
        self._consumer.close()

    def _take(self, message: "Message") -> bool:
        partition, offset = _place(message)
        progress = self._progress.get(partition)
        if progress is None:  # taken away while it was on its way
            return False
        self._positions[partition] = offset + 1
        is_new = progress.take(offset)
        if not is_new:
            self._dirty.add(partition)  # what was done already lets `low` rise
        return is_new

    def _assigned(self, consumer: "Consumer", partitions: "list[TopicPartition]") -> None:
        try:
            for each in consumer.committed(partitions, timeout=_ASKS_WITHIN_S):
                if each.error:
                    raise Stuck(_unanswered(each.error.str()))
                self._begin(each)
            begun = {key: self._progress[key].low for key in map(_key, partitions)}
            consumer.incremental_assign(_named(begun, begun))
        except Exception as error:  # raised again by `poll`; here it would end in C
            self._fault = self._fault or error

    def _begin(self, each: "TopicPartition") -> None:
        """Know where to begin in a partition, and what above it is done."""
        key = _key(each)
        first, end = self._consumer.get_watermark_offsets(each, timeout=_ASKS_WITHIN_S)
        if each.offset >= first:
            self._progress[key] = Progress.from_commit(each.offset, each.metadata, self._window)
        else:
            self._progress[key] = Progress(self._started(each, first, end), self._window)
            self._dirty.add(key)
        self._positions[key] = self._progress[key].low
        log.info("%s/%d: begins at %d", *key, self._progress[key].low)

    def _started(self, each: "TopicPartition", first: int, end: int) -> int:
        match self._start:
            case None:
                raise NoOffset(_no_offset(each, first))
            case Start(at) if at == EARLIEST:
                return first
            case Start(at) if at == LATEST:
                return end
        return self._first_since(each, end)

    def _first_since(self, each: "TopicPartition", end: int) -> int:
        moment = self._start.moment if self._start else None
        asked = _named(
            [_key(each)], {_key(each): round(moment.timestamp() * 1000) if moment else 0}
        )
        (found,) = self._consumer.offsets_for_times(asked, timeout=_ASKS_WITHIN_S)
        return found.offset if found.offset >= 0 else end

    def _revoked(self, consumer: "Consumer", partitions: "list[TopicPartition]") -> None:
        self._leave(consumer, partitions, in_order=True)

    def _lost(self, consumer: "Consumer", partitions: "list[TopicPartition]") -> None:
        log.warning("Partitions were lost: %s", [_key(each) for each in partitions])
        self._leave(consumer, partitions, in_order=False)

    def _leave(
        self, consumer: "Consumer", partitions: "list[TopicPartition]", *, in_order: bool
    ) -> None:
        keys = [_key(each) for each in partitions]
        try:
            self._on_withdraw(keys, in_order)
            if in_order:
                self._commit([key for key in keys if key in self._progress])
        except Exception as error:  # as above
            self._fault = self._fault or error
        for key in keys:
            self._progress.pop(key, None)
            self._ends.pop(key, None)
            for known in (self._dirty, self._paused, self._full):
                known.discard(key)
        consumer.incremental_unassign(partitions)

    def _commit(self, partitions: Collection[Partition]) -> None:
        from confluent_kafka import KafkaException, TopicPartition

        for key in partitions:
            self._progress[key].settle(self._positions[key])
        said = [
            TopicPartition(*key, self._progress[key].low, metadata=self._progress[key].metadata)
            for key in partitions
        ]
        if not said:
            return
        try:
            answered = self._consumer.commit(offsets=said, asynchronous=False) or []
        except KafkaException as error:
            # A rebalance goes on, the broker is away: normal, and tried again after the next poll.
            self._metrics.commit_failed(error.args[0].name())
            log.info("Not committed yet: %s", error.args[0].str())
            return
        for each in answered:
            if each.error:
                self._metrics.commit_failed(each.error.name())
            else:
                self._dirty.discard(_key(each))

    def _concern(self, error: "KafkaError") -> None:
        """Raise what ends the worker; note what passes."""
        from confluent_kafka import KafkaError

        if _is_fenced(error):
            raise NameTaken(
                tr(
                    "Another worker goes by the same name, and has its partitions now. Give each a "
                    "name of its own."
                )
            )
        if error.code() == KafkaError._AUTO_OFFSET_RESET:
            raise NoOffset(
                tr(
                    "Kafka has removed requests before they were done: {reason}. Say with "
                    "--from where to resume.",
                    reason=error.str(),
                )
            )
        if error.fatal() or error.code() == KafkaError._FATAL:
            raise Stuck(tr("Kafka's client cannot go on: {reason}.", reason=error.str()))
        log.warning("Kafka: %s", error.str())


def done_elsewhere(progress: Progress | None, offset: int) -> bool:
    """Say whether a group has done a message, by what it has committed of its partition."""
    return progress is not None and (offset < progress.low or offset in progress.done)


def _is_fenced(error: "KafkaError") -> bool:
    """Say whether another member goes by our name.

    As an event it is a fatal error whose reason is in its words alone (rdkafka.h, `ERR__FATAL`).
    """
    from confluent_kafka import KafkaError

    fenced = KafkaError(KafkaError.FENCED_INSTANCE_ID)
    is_told = error.code() == KafkaError._FATAL and fenced.str() in error.str()
    return is_told or error.code() in (KafkaError._FENCED, KafkaError.FENCED_INSTANCE_ID)


def _key(each: "TopicPartition") -> Partition:
    return each.topic, each.partition


def _place(message: "Message") -> tuple[Partition, int]:
    topic, partition, offset = message.topic(), message.partition(), message.offset()
    if topic is None or partition is None or offset is None:  # only before it is sent
        raise ValueError("a message without a place")
    return (topic, partition), offset


def _named(
    partitions: Collection[Partition], offsets: Mapping[Partition, int] | None = None
) -> "list[TopicPartition]":
    from confluent_kafka import OFFSET_INVALID, TopicPartition

    known = offsets or {}
    return [TopicPartition(*key, known.get(key, OFFSET_INVALID)) for key in partitions]


def _no_offset(each: "TopicPartition", first: int) -> str:
    if each.offset < 0:
        return tr(
            "Kafka does not know how far this group has come in {topic}/{partition}: it is new, or "
            "was away for so long that this was forgotten. Say where to begin with --from "
            "earliest, --from latest, or a time.",
            topic=each.topic,
            partition=each.partition,
        )
    return tr(
        "{topic}/{partition}: this group had come to {offset}, but Kafka has removed everything "
        "before {first}: those requests were never done. Start with --from earliest, and submit "
        "them again.",
        topic=each.topic,
        partition=each.partition,
        offset=each.offset,
        first=first,
    )


def _unanswered(reason: str) -> str:
    return tr("Kafka did not say how far this group has come: {reason}.", reason=reason)
