# SPDX-License-Identifier: AGPL-3.0-or-later
"""The thread that owns consumer and producer of a worker, and polls at least once a second.

It never works itself, and never sleeps: who does not poll is thrown out of the group.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Protocol

from carrel.errors import Stuck
from carrel.fleet.consumer import Consumption, Partition
from carrel.fleet.metrics import WorkerMetrics
from carrel.fleet.progress import Progress
from carrel.fleet.sender import Completion, Sender
from carrel.fleet.service_manager import notify
from carrel.fleet.start import Start
from carrel.ledger.deliveries import Coordinates
from carrel.translation import tr

if TYPE_CHECKING:
    from confluent_kafka import Consumer, Message, Producer

log = logging.getLogger(__name__)

_POLL_S = 0.1
_MOST_AT_ONCE = 100
_FLUSH_S, _LAST_COMMITS_S = 20.0, 5.0
_LOOK_EVERY_S = 2.0
_STUCK_AFTER_S = 600.0
Committed = Mapping[Partition, Progress]


class Desk(Protocol):
    """Who works on what comes. Called from the thread that polls."""

    def take(self, message: "Message") -> None:
        """Take a message, and return at once."""

    def withdraw(self, partitions: Collection[Partition] | None, *, in_order: bool) -> None:
        """Return when no one works on these partitions any more; None stands for all."""


class Polling(threading.Thread):
    """Ends with `stop`, or with an error, which is `fault` then; `when_over` is called at last."""

    def __init__(
        self,
        clients: "tuple[Consumer, Producer]",
        topics: Sequence[str],
        desk: Desk,
        metrics: WorkerMetrics,
        start: Start | None,
        when_over: Callable[[], None],
    ) -> None:
        super().__init__(name="polling", daemon=True)
        consumer, producer = clients
        self._topics, self._desk, self._metrics = topics, desk, metrics
        self._consumption = Consumption(consumer, self._withdraw, metrics, start=start)
        self._sender = Sender(producer, self._arrived)
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._stopping, self._when_over = threading.Event(), when_over
        self._looked_at = self._moved_at = self.polled_at = time.monotonic()
        self.fault: Exception | None = None

    def stop(self) -> None:
        """Have it end in good order; from any thread."""
        self._stopping.set()

    def send(self, completion: Completion) -> None:
        """Have an answered request sent, and committed when that has arrived; from any thread."""
        self._calls.put(lambda: self._sender.send(completion))

    def hold(self, is_held: bool) -> None:
        """Read nothing, or go on reading; from any thread."""
        self._calls.put(lambda: self._consumption.hold(is_held))

    def committed(self, partitions: Collection[Partition]) -> "Future[Committed]":
        """Ask how far the group has come in partitions; from any thread."""
        answer: Future[Committed] = Future()

        def ask() -> None:
            if not answer.set_running_or_notify_cancel():
                return  # who asked has not waited
            try:
                answer.set_result(self._consumption.committed(partitions))
            except Exception as error:  # for who asked
                answer.set_exception(error)

        self._calls.put(ask)
        return answer

    def run(self) -> None:
        try:
            self._consumption.subscribe(self._topics)
            while not self._stopping.is_set():
                self._go_round()
            self._finish()
        except Exception as error:  # for the loop, which ends by it
            self.fault = error
            self._give_up()
        finally:
            self._when_over()

    def _go_round(self) -> None:
        self._obey()
        self._sender.work()
        self._consumption.steer()
        for number in range(_MOST_AT_ONCE):
            message = self._consumption.poll(0 if number else _POLL_S)
            if message is None:
                break
            self._moved_at = time.monotonic()
            self._desk.take(message)
        self._consumption.commit()
        self._look()

    def _obey(self) -> None:
        while True:
            try:
                call = self._calls.get_nowait()
            except queue.Empty:
                return
            call()

    def _look(self) -> None:
        """Say that all is well, and look now and then whether it is."""
        now = self.polled_at = time.monotonic()
        if now - self._looked_at < _LOOK_EVERY_S:
            return
        self._looked_at = now
        notify("WATCHDOG=1")
        lags = self._consumption.lags()
        self._metrics.note_lags(lags, self._consumption.in_flight)
        waits = any(lags.values()) and self._consumption.is_reading
        if not waits or self._consumption.in_flight:
            self._moved_at = now
        if now - self._moved_at > _STUCK_AFTER_S:
            words = tr(
                "Requests are there, and none came for {seconds:.0f} seconds.",
                seconds=now - self._moved_at,
            )
            raise Stuck(words)

    def _arrived(self, at: Coordinates) -> None:
        self._consumption.end((at.topic, at.partition), at.offset)

    def _withdraw(self, partitions: Collection[Partition], in_order: bool) -> None:
        self._desk.withdraw(partitions, in_order=in_order)
        if in_order:
            self._obey()  # what ended meanwhile
            self._sender.flush(_FLUSH_S)

    def _finish(self) -> None:
        """Send and commit what is done, and leave."""
        self._consumption.hold(True)
        self._consumption.steer()
        self._desk.withdraw(None, in_order=True)
        self._obey()
        self._sender.flush(_FLUSH_S)
        until = time.monotonic() + _LAST_COMMITS_S
        while not self._consumption.is_settled and time.monotonic() < until:
            self._consumption.poll(_POLL_S)
            self._consumption.commit(at_once=True)
        self._consumption.close()

    def _give_up(self) -> None:
        try:
            self._desk.withdraw(None, in_order=False)
            self._consumption.close()
        except Exception as error:  # the first one counts
            log.debug("While giving up: %s", error)
