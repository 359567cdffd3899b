# SPDX-License-Identifier: AGPL-3.0-or-later
"""A worker: it takes requests from Kafka, has the engine ingest them, and sends the results.

One thread polls; the engine works on the loop that this runs on. A request is done when its result
has arrived, and only then.
"""

import asyncio
import contextlib
import json
import logging
import shutil
import threading
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from carrel.engine import RESERVE_BYTES, Engine
from carrel.engine.delivered import MOST_TRIES, Answered
from carrel.errors import ArchiveError, Stuck
from carrel.fleet import kafka
from carrel.fleet.consumer import Partition, done_elsewhere
from carrel.fleet.fair_queue import FairQueue, Item
from carrel.fleet.metrics import WorkerMetrics
from carrel.fleet.polling import Polling
from carrel.fleet.rejects import rejected
from carrel.fleet.requests import Refused, host_of, is_registrant, read_message
from carrel.fleet.results import Outgoing, messages_of
from carrel.fleet.sender import Completion
from carrel.fleet.service_manager import notify
from carrel.fleet.settings import FleetSettings
from carrel.fleet.start import Start
from carrel.ledger.deliveries import Coordinates
from carrel.model.iso_time import seconds_between
from carrel.model.job import HINDRANCES
from carrel.translation import tr

if TYPE_CHECKING:
    from confluent_kafka import Message

log = logging.getLogger(__name__)

_LOOK_EVERY_S, _TIDY_EVERY_S = 1.0, 30.0
_AGAIN_AFTER_S = 10.0
_MOST_FAULTS = 3
_WITHDRAWN_WITHIN_S = 240.0
_ENDS_WITHIN_S, _TIDIED_WITHIN_S = 60.0, 10.0
_POLLED_WITHIN_S = 30.0
# What hinders all requests alike, by the names of the metrics.
_DISK, _ARCHIVE, _BROKER = "disk-full", "archive", "broker"


@dataclass(frozen=True, slots=True)
class Place:
    """Who a worker is: its name in the fleet, where it begins if Kafka does not know, and of how
    many `machines` it is one."""

    name: str
    start: Start | None = None
    machines: int = 1


class Worker:
    """One worker on one engine, which writes its WARCs under the worker's name. For one loop.

    Its methods `take` and `withdraw` are for the thread that polls.
    """

    def __init__(self, engine: Engine, settings: FleetSettings, place: Place) -> None:
        self._engine, self._settings, self._name = engine, settings, place.name
        self._start, self._topics = place.start, settings.topics
        self.metrics = WorkerMetrics()
        self._width = engine.archive.settings.network.ingests
        # One host may have as much at once as on one machine; one more place is for the others.
        self._queue = FairQueue(self._width, self._rests)
        self._tasks: set[asyncio.Task[None]] = set()
        self._hindrances: set[str] = set()
        self._news, self._over = asyncio.Event(), asyncio.Event()
        self._is_stopping = threading.Event()
        self._brokers_up, self._has_begun = True, False
        self._outages = kafka.Outages()
        engine.deliveries.be_one_of(place.machines, place.name)

    def stop(self) -> None:
        """Have it end in good order: what runs is suspended, what ended is sent and committed."""
        self._is_stopping.set()
        self._news.set()

    def unhealthy(self) -> str:
        """Return why this process is to be started again, "" if it is well. From any thread."""
        if not self._has_begun:
            return tr("Kafka has not answered yet.")
        silent_s = time.monotonic() - self._polling.polled_at
        if silent_s > _POLLED_WITHIN_S:
            return tr("Kafka was not polled for {seconds:.0f} seconds.", seconds=silent_s)
        if _ARCHIVE in self._hindrances:
            return tr("The archive cannot be written to.")
        return ""

    async def run(self) -> None:
        """Work until it is stopped. Raises NotReachable, UsageError and Stuck."""
        self._loop = asyncio.get_running_loop()
        self._polling = await asyncio.to_thread(self._opened)
        self._polling.start()
        self._has_begun = True
        notify("READY=1")
        watch = asyncio.create_task(self._watch())
        try:
            while not self._is_stopping.is_set() and not self._over.is_set():
                self._news.clear()
                self._begin()
                await self._news.wait()
        finally:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)
            await self._end()
        if self._polling.fault is not None:
            raise self._outages.judged(self._polling.fault)

    def take(self, message: "Message") -> None:
        topic, partition, offset = message.topic(), message.partition(), message.offset()
        at = Coordinates(self._cluster, str(topic), int(partition or 0), int(offset or 0))
        raw = (message.key(), message.value())
        request = read_message(raw[1])
        if isinstance(request, Refused):
            self._refuse(at, raw, request.reason, kind="unreadable")
            return
        item = Item(at, request, raw, is_urgent=topic == self._topics.priority)
        self._loop.call_soon_threadsafe(self._accept, item)

    def withdraw(self, partitions: Collection[Partition] | None, *, in_order: bool) -> None:
        log.info("Withdrawn: %s", "all" if partitions is None else sorted(partitions))
        asked = asyncio.run_coroutine_threadsafe(self._withdraw(partitions), self._loop)
        asked.result(_WITHDRAWN_WITHIN_S)

    def _opened(self) -> Polling:
        """Return the thread that polls; first see whether Kafka is there, and all topics."""
        topics = self._topics
        needed = [topics.requests, topics.results, topics.file_results, topics.rejects]
        kafka.partitions_of(self._settings, needed)
        known = kafka.known_topics(self._settings)
        self._cluster = kafka.cluster_id(self._settings)
        read = [each for each in (topics.requests, topics.priority) if each in known]
        group = self._settings.groups.worker
        for_consumer = kafka.consumer_settings(self._settings, group=group, name=self._name)
        told = {"stats_cb": self._note_statistics, "error_cb": self._outages.note}
        consumer = kafka.open_consumer({**for_consumer, **told})
        producer = kafka.open_producer(kafka.producer_settings(self._settings, name=self._name))
        return Polling((consumer, producer), read, self, self.metrics, self._start, self._note_over)

    def _note_over(self) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._loop.call_soon_threadsafe(self._news.set)

    def _note_statistics(self, text: str) -> None:
        """Learn from librdkafka's statistics (its STATISTICS.md) whether any broker is there."""
        brokers = json.loads(text).get("brokers", {}).values()
        self._brokers_up = any(each["state"] == "UP" for each in brokers)

    def _rests(self, host: str) -> bool:
        return bool(self._engine.deliveries.rests_until(host))

    def _accept(self, item: Item) -> None:
        self._queue.add(item)
        self._news.set()

    def _refuse(
        self, at: Coordinates, raw: tuple[bytes | None, bytes | None], reason: str, *, kind: str
    ) -> None:
        log.warning("Set aside: %s: %s", at, reason)
        self.metrics.rejected(kind)
        self._polling.send(Completion(at, [self._reject(at, raw, reason)]))

    def _reject(
        self, at: Coordinates, raw: tuple[bytes | None, bytes | None], reason: str
    ) -> Outgoing:
        return rejected(self._topics.rejects, raw, at, reason=reason, worker=self._name)

    def _begin(self) -> None:
        """Begin requests whose turn it is, as long as there is room and nothing hinders all."""
        while self._queue.running <= self._width and not self._hindrances:
            item = self._queue.next()
            if item is None:
                return
            task = self._loop.create_task(self._serve(item))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, item: Item) -> None:
        try:
            await self._answer(item)
        except ArchiveError as error:
            log.warning("%s waits: %s", item.at, error)
            self._again(item)
        except Exception as error:  # a bug: that of one request ends no other
            log.exception("%s: a bug in Carrel", item.at)
            item.faults += 1
            if item.faults < _MOST_FAULTS:
                self._again(item)
            else:
                reason = f"{type(error).__name__}: {error}"
                self._refuse(item.at, item.raw, reason, kind="internal-error")
        finally:
            self._queue.end(item)
            self._news.set()

    async def _answer(self, item: Item) -> None:
        deliveries = self._engine.deliveries
        delivery = await deliveries.accept(item.at, item.request, self._name)
        if item.is_withdrawn:
            return
        if delivery.tries == MOST_TRIES - 1 and not item.runs_alone:
            # If the program ends once more, it is by this request, and by none beside it.
            item.runs_alone = True
            self._queue.add(item)
            return
        answered = await deliveries.answer(delivery)
        if answered.result is None:
            self.metrics.put_aside()
            if answered.status in HINDRANCES:
                log.warning("%s waits: %s", item.at, answered.status)
            self._again(item)
            return
        record_of = deliveries.result_record
        sent = await asyncio.to_thread(
            lambda: list(messages_of(delivery, answered, self._topics, record_of))
        )
        if answered.has_failed:
            self.metrics.rejected("no-result")
            sent.append(self._reject(item.at, item.raw, answered.result["error_message"]))
        self._count(item, answered)
        self._polling.send(Completion(item.at, sent))

    def _again(self, item: Item) -> None:
        """Have a request wait for another try, unless another worker has it now."""
        if not item.is_withdrawn:
            item.not_before = time.monotonic() + _AGAIN_AFTER_S
            self._queue.add(item)

    def _count(self, item: Item, answered: Answered) -> None:
        result = answered.result or {}
        self._learn(item, result)
        seconds = seconds_between(result["started"], result["finished"])
        size = int(result.get("kept_size", 0))
        self.metrics.answered(result["status"], size, seconds, was_known=answered.was_known)
        log.info("%s: %s", result.get("ingest_id"), result["status"])

    def _learn(self, item: Item, result: Mapping[str, Any]) -> None:
        """Know from a result who is asked for the datasets of a registrant."""
        if is_registrant(item.host) and (url := (result.get("terminal") or {}).get("terminal_url")):
            self._queue.learn(item.host, host_of(url))

    async def _withdraw(self, partitions: Collection[Partition] | None) -> None:
        """Let go of partitions: what waits is forgotten, what runs is suspended."""
        while running := self._queue.withdraw(partitions):
            wanted = [(item.at.topic, item.at.partition) for item in running]
            self._engine.deliveries.suspend(wanted)
            await asyncio.sleep(0.02)

    async def _watch(self) -> None:
        """Look every second what hinders all requests, and now and then for what is left behind."""
        tidied_at = 0.0
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            await self._look()
            if time.monotonic() - tidied_at > _TIDY_EVERY_S:
                tidied_at = time.monotonic()
                await self._tidy()
            self._news.set()  # for what waited for a while

    async def _look(self) -> None:
        free, found = await asyncio.to_thread(self._found)
        if found != self._hindrances:
            log.warning("Nothing is read: %s", ", ".join(found)) if found else log.info("Goes on")
            self._polling.hold(bool(found))
        self._hindrances = found
        self.metrics.note_hindrances(found, free)
        waiting = self._queue
        self.metrics.note_work(waiting.running, waiting.oldest_s, waiting.hosts_paused)

    def _found(self) -> tuple[int, set[str]]:
        """Return how many bytes are free, and what hinders all requests alike."""
        archive, found, free = self._engine.archive, set(), 0
        try:
            archive.check_place()
            free = shutil.disk_usage(archive.path).free
            if free < RESERVE_BYTES:
                found.add(_DISK)
        except (ArchiveError, OSError):
            found.add(_ARCHIVE)
        if not self._brokers_up:
            found.add(_BROKER)
        return free, found

    async def _tidy(self) -> None:
        """Close what was interrupted here and answered by another worker since."""
        left = [
            each
            for each in await self._engine.deliveries.left_behind()
            if each.at.cluster == self._cluster and not self._queue.has(each.at)
        ]
        if not left:
            return
        partitions = {(each.at.topic, each.at.partition) for each in left}
        try:
            known = await asyncio.wrap_future(self._polling.committed(partitions))
        except Exception as error:  # the broker is away
            log.debug("Not tidied: %s", error)
            return
        for each in left:
            if done_elsewhere(known.get((each.at.topic, each.at.partition)), each.at.offset):
                await self._engine.deliveries.let_go(each)

    async def _end(self) -> None:
        notify("STOPPING=1")
        if not self._over.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._tidy(), _TIDIED_WITHIN_S)
        self._polling.stop()
        try:
            async with asyncio.timeout(_ENDS_WITHIN_S):
                await self._over.wait()
        except TimeoutError as error:  # librdkafka hangs where the broker is away
            words = tr("Kafka did not answer at the end; what is not committed comes again.")
            raise Stuck(words) from error
        await asyncio.gather(*self._tasks, return_exceptions=True)
