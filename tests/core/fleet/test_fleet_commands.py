# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel fleet`: lists in, standing, topics, and rejects back."""

import json
from pathlib import Path

from carrel.fleet import kafka
from carrel.fleet.rejects import rejected
from carrel.fleet.settings import FleetSettings
from carrel.ledger.deliveries import Coordinates
from support.archives import carrel
from support.fleet import read_all, submit, wait_until_done, workers, write_config
from support.kafka_brokers import settings_for
from support.real_kafka import RealBroker


def test_a_dry_run_needs_no_broker(tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text("10.5281/zenodo.1\n10.5281/zenodo.2\nhttps://example.org/1\n")

    ran = carrel("fleet", "submit", "--dry-run", "--json", listed)

    assert ran.code == 0, ran.err
    assert {each["host"]: each["datasets"] for each in ran.lines} == {
        "zenodo.org": 2,
        "example.org": 1,
        "doi.org": 2,
    }


def test_a_list_is_submitted_and_what_is_no_dataset_is_named(
    fleet: FleetSettings, tmp_path: Path
) -> None:
    config, listed = write_config(tmp_path / "fleet.toml", fleet), tmp_path / "list.jsonl"
    good = json.dumps({"ingest_type": "dataset", "base_url": "https://example.org/1"})
    listed.write_text(f"{good}\nnothing\n")

    ran = carrel("fleet", "submit", listed, "--config", config)

    (sent,) = read_all(fleet, fleet.topics.requests)
    assert ran.code == 1
    assert "Line 2" in ran.err
    assert sent.key == b"example.org"
    assert sent.body["base_url"] == "https://example.org/1"


def test_rejects_are_listed_and_sent_back_once(fleet: FleetSettings, tmp_path: Path) -> None:
    config = write_config(tmp_path / "fleet.toml", fleet)
    submit(fleet, b"no JSON")
    with workers(tmp_path, fleet, "w1") as (worker,):
        wait_until_done(fleet)
        worker.stop()

    listed = carrel("fleet", "rejects", "--config", config)
    back = carrel("fleet", "rejects", "--resubmit", "--config", config)
    again = carrel("fleet", "rejects", "--config", config)
    standing = carrel("fleet", "status", "--json", "--config", config)

    assert "is not JSON" in listed.out
    assert "1 message sent back" in back.out
    assert "Nothing is set aside" in again.out
    assert sum(each["left"] for each in standing.lines if "requests" in each["topic"]) == 1
    assert [each.value for each in read_all(fleet, fleet.topics.requests)] == [b"no JSON"] * 2


def test_a_message_that_was_set_aside_twice_is_listed_and_sent_back_once(
    fleet: FleetSettings, tmp_path: Path
) -> None:
    config = write_config(tmp_path / "fleet.toml", fleet)
    source = Coordinates("cluster", fleet.topics.requests, 1, 7)
    sent = rejected(fleet.topics.rejects, (None, b"no JSON"), source, reason="why", worker="w1")
    producer = kafka.open_producer(kafka.producer_settings(fleet, name="test"))
    for _ in range(2):  # it was killed before it had committed
        producer.produce(sent.topic, sent.value, headers=list(sent.headers))
    assert producer.flush(30) == 0

    listed = carrel("fleet", "rejects", "--json", "--config", config)
    back = carrel("fleet", "rejects", "--resubmit", "--config", config)
    again = carrel("fleet", "rejects", "--config", config)

    assert [each["source"] for each in listed.lines] == [f"{fleet.topics.requests}/1/7"]
    assert "1 message sent back" in back.out
    assert "Nothing is set aside" in again.out


def test_topics_are_made_when_that_is_asked_for_and_groups_begin_at_their_start(
    kafka_broker: RealBroker, tmp_path: Path
) -> None:
    settings = settings_for(kafka_broker.addresses)
    config = write_config(tmp_path / "fleet.toml", settings)

    missing = carrel("fleet", "topics", "--config", config)
    made = carrel("fleet", "topics", "--create", "--json", "--config", config)
    standing = carrel("fleet", "status", "--json", "--config", config)

    assert missing.code == 1
    assert made.code == 0, made.err
    assert [each["partitions"] for each in made.lines] == [24, 24, 6, 6, 1]
    assert {each["committed"] for each in standing.lines} == {0}
