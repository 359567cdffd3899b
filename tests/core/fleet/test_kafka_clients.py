# SPDX-License-Identifier: AGPL-3.0-or-later
"""Clients of Kafka: what is set, and what is said when there is no broker, topic or library."""

import builtins
import socket
from pathlib import Path

import pytest

from carrel.errors import NoBroker, NoTopic, SettingsError, UsageError
from carrel.fleet import kafka
from carrel.fleet.settings import FleetSettings
from support.kafka_brokers import MockBroker, settings_for


def test_what_one_sends_another_reads(fleet: FleetSettings) -> None:
    topic = fleet.topics.rejects
    producer = kafka.open_producer(kafka.producer_settings(fleet, name="a"))
    producer.produce(topic, b"hello", key=b"k")
    assert producer.flush(20) == 0
    consumer = kafka.open_consumer(kafka.consumer_settings(fleet, group="g", name="b"))

    from confluent_kafka import TopicPartition

    consumer.assign([TopicPartition(topic, 0, 0)])
    message = consumer.poll(20)
    consumer.close()

    assert message is not None
    assert (message.key(), message.value()) == (b"k", b"hello")


def test_a_missing_topic_is_named(fleet: FleetSettings) -> None:
    with pytest.raises(NoTopic, match=r"no topic other.*--create"):
        kafka.partitions_of(fleet, [fleet.topics.results, "other"])


def test_the_partitions_of_a_topic_are_counted(fleet: FleetSettings) -> None:
    assert kafka.partitions_of(fleet, [fleet.topics.results]) == {fleet.topics.results: 3}
    assert kafka.cluster_id(fleet)


def test_without_a_broker_it_is_said_which_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kafka, "_ASKS_WITHIN_S", 0.5)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{closed.getsockname()[1]}"

        with pytest.raises(NoBroker, match=address):
            kafka.known_topics(settings_for(address))


def test_brokers_that_are_down_come_up_with_what_they_held(
    broker: MockBroker, fleet: FleetSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka, "_ASKS_WITHIN_S", 1.0)
    broker.take_down()
    with pytest.raises(NoBroker):
        kafka.known_topics(fleet)
    broker.bring_up()

    assert fleet.topics.results in kafka.known_topics(fleet)


@pytest.mark.parametrize(
    ("key", "value"), [("enable.auto.commit", True), ("auto.offset.reset", "latest")]
)
def test_what_keeps_the_promise_cannot_be_changed(key: str, value: str | bool) -> None:
    settings = FleetSettings(kafka={key: value})

    with pytest.raises(SettingsError, match=key):
        kafka.consumer_settings(settings, group="g", name="w1")


def test_a_setting_that_librdkafka_does_not_know_is_named() -> None:
    settings = FleetSettings(kafka={"no.such.thing": 1})

    with pytest.raises(SettingsError, match=r"no\.such\.thing"):
        kafka.open_producer(kafka.producer_settings(settings, name="w1"))


def test_without_the_library_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def lacking(name: str, *args: object, **more: object) -> object:
        if name == "confluent_kafka":
            raise ImportError(name)
        return imported(name, *args, **more)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr(builtins, "__import__", lacking)

    with pytest.raises(UsageError, match=r"pip install carrel\[fleet\]"):
        kafka.need_kafka()


def test_the_password_comes_from_the_service_manager(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    (tmp_path / "kafka-password").write_text("s3cret\n")

    settings = kafka.producer_settings(FleetSettings(), name="w1")

    assert settings["sasl.password"] == "s3cret"
