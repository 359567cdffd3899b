# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel persist` as a process, what is sent to it, and how far it has come."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from carrel.fleet import kafka
from carrel.fleet.postgres.connection import connect, connection_settings
from carrel.fleet.settings import FleetSettings
from support.archives import environment
from support.delivered import fingerprint

_WITHIN_S = 60.0


def send(fleet: FleetSettings, contents: Iterable[dict[str, Any] | bytes], topic: str = "") -> None:
    """Send results, or any bytes, to the topic of results, or another one."""
    producer = kafka.open_producer(kafka.producer_settings(fleet, name="test"))
    for each in contents:
        value = each if isinstance(each, bytes) else json.dumps(each).encode()
        base_url = "" if isinstance(each, bytes) else each["request"]["base_url"]
        producer.produce(
            topic or fleet.topics.results,
            value,
            base_url.encode(),
            headers={"carrel-worker": b"w1", "carrel-request": b"requests/0/7"},
        )
    assert producer.flush(30) == 0


@contextmanager
def persisting(
    fleet: FleetSettings, db: str, folder: Path, *options: str
) -> Iterator["subprocess.Popen[str]"]:
    """Run the command; it is stopped, or killed, at the end of the block."""
    config = folder / "fleet.toml"
    lines = [f"{name!r} = {value!r}".replace("'", '"') for name, value in fleet.kafka.items()]
    group = f'[groups]\npersist = "{fleet.groups.persist}"'
    config.write_text("\n".join([group, "[kafka]", *lines]))
    command = [sys.executable, "-m", "carrel", "--log", "INFO", "persist", "--db", db]
    command += ["--config", str(config), "--kafka", fleet.brokers, "--name", "p1", *options]
    with (folder / "persist.log").open("a") as log:
        process = subprocess.Popen(command, stderr=log, text=True, env=environment())
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(30)
        finally:
            process.kill()


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds; else say what was waited for."""
    until = time.monotonic() + _WITHIN_S
    while not holds():
        assert time.monotonic() < until, what
        time.sleep(0.1)


def count(db: str, table: str = "carrel_attempt") -> int:
    """Return how many rows a table has."""
    with connect(connection_settings(db)) as connection:
        return fingerprint(connection)[table][0]


def prints(db: str) -> Mapping[str, tuple[int, str]]:
    """Return how many rows each table has, and a digest of them."""
    with connect(connection_settings(db)) as connection:
        return fingerprint(connection)


def committed(fleet: FleetSettings, topic: str) -> int:
    """Return how many messages of a topic the group has done; -1 where the broker does not say."""
    from confluent_kafka import Consumer, KafkaException, TopicPartition

    consumer = Consumer({"bootstrap.servers": fleet.brokers, "group.id": fleet.groups.persist})
    asked = [TopicPartition(topic, each) for each in range(3)]
    try:
        return sum(max(0, each.offset) for each in consumer.committed(asked, timeout=20))
    except KafkaException:  # it has just come back, and does not know yet which groups are its own
        return -1
    finally:
        consumer.close()


def has_done(fleet: FleetSettings, messages: int) -> bool:
    """Say whether the group has done so many results."""
    return committed(fleet, fleet.topics.results) == messages


def has_more(db: str, rows: int) -> bool:
    """Say whether there are more attempts than that."""
    return count(db) > rows


def rejects(fleet: FleetSettings, number: int) -> list[dict[str, str]]:
    """Return the headers of the first messages that were set aside."""
    from confluent_kafka import Consumer, TopicPartition

    consumer = Consumer({"bootstrap.servers": fleet.brokers, "group.id": "test"})
    consumer.assign([TopicPartition(fleet.topics.rejects, 0, 0)])
    found: list[dict[str, str]] = []
    while len(found) < number:
        message = consumer.poll(20)
        assert message is not None, found
        headers = dict(message.headers() or ())
        found.append({k: v.decode() for k, v in headers.items() if isinstance(v, bytes)})
    consumer.close()
    return found
