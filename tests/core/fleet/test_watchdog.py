# SPDX-License-Identifier: AGPL-3.0-or-later
"""A client that is silently idle, and one whose name is taken: the worker ends, and says so."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from confluent_kafka import KafkaError

from carrel.errors import NameTaken, Stuck
from carrel.fleet import consumer, kafka, polling
from carrel.fleet.metrics import WorkerMetrics
from carrel.fleet.polling import Polling
from carrel.fleet.settings import FleetSettings
from carrel.fleet.start import Start
from support.fleet import WorkerProcess, request_of, submit, write_config
from support.kafka_brokers import MockBroker, settings_for
from support.persisting import wait_until
from support.real_kafka import RealBroker

if TYPE_CHECKING:
    from confluent_kafka import Message

_FETCH, _NOT_AVAILABLE = 1, 8


@dataclass
class Idle:
    """A desk that takes what comes and does nothing with it."""

    taken: list["Message"] = field(default_factory=list)

    def take(self, message: "Message") -> None:
        self.taken.append(message)

    def withdraw(self, partitions: Collection[tuple[str, int]] | None, *, in_order: bool) -> None:
        """Work on nothing."""


@contextmanager
def polled(fleet: FleetSettings, desk: Idle) -> Iterator[Polling]:
    said = kafka.consumer_settings(fleet, group=fleet.groups.worker, name="w1")
    producer = kafka.open_producer(kafka.producer_settings(fleet, name="w1"))
    clients = kafka.open_consumer(said), producer
    thread = Polling(
        clients, [fleet.topics.requests], desk, WorkerMetrics(), Start("earliest"), lambda: None
    )
    thread.start()
    try:
        yield thread
    finally:
        thread.stop()
        thread.join(60)


def test_requests_that_never_come_end_the_worker(
    broker: MockBroker, fleet: FleetSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumer, "_ENDS_EVERY_S", 0.5)
    monkeypatch.setattr(polling, "_STUCK_AFTER_S", 3.0)
    broker.push_errors(_FETCH, *[_NOT_AVAILABLE] * 1000)  # nothing is ever fetched
    submit(fleet, request_of("https://example.org/"))
    desk = Idle()

    with polled(fleet, desk) as thread:
        wait_until(lambda: thread.fault is not None, "the watchdog")

    assert isinstance(thread.fault, Stuck)
    assert "none came" in str(thread.fault)
    assert not desk.taken


def test_a_worker_that_has_nothing_to_do_is_not_stuck(
    fleet: FleetSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumer, "_ENDS_EVERY_S", 0.5)
    monkeypatch.setattr(polling, "_STUCK_AFTER_S", 3.0)
    with polled(fleet, Idle()) as thread:
        thread.join(8)

        assert thread.fault is None


def test_who_asked_and_did_not_wait_ends_no_worker(fleet: FleetSettings) -> None:
    desk = Idle()
    with polled(fleet, desk) as thread:
        for _ in range(20):
            thread.committed([(fleet.topics.requests, 0)]).cancel()
        submit(fleet, request_of("https://example.org/"))
        wait_until(lambda: bool(desk.taken), "a request after that")

        assert thread.fault is None


def test_a_name_that_is_taken_after_an_outage_is_no_reason_to_stay_away() -> None:
    outages, taken = kafka.Outages(), NameTaken("taken")
    before = outages.judged(taken)

    outages.note(KafkaError(KafkaError._ALL_BROKERS_DOWN))

    assert before is taken
    assert isinstance(outages.judged(taken), Stuck)


def test_of_two_workers_by_one_name_the_older_ends(
    kafka_broker: RealBroker, tmp_path: Path
) -> None:
    settings = settings_for(kafka_broker.addresses)
    kafka_broker.make_topics(settings)
    config = write_config(tmp_path / "fleet.toml", settings)
    older = WorkerProcess("w1", tmp_path / "a/w1", config)
    newer = WorkerProcess("w1", tmp_path / "b/w1", config)
    older.start()
    try:
        wait_until(lambda: "begins at" in older.log.read_text(), "a first worker")
        newer.start()
        assert older.process is not None
        code = older.process.wait(60)
        older.process = None
    finally:
        for each in (older, newer):
            if each.process is not None:
                each.kill()

    assert code == 2
    assert "Another worker goes by the same name" in older.log.read_text()
