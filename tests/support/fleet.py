# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fleets for tests: requests into Kafka, workers as processes, and what they sent."""

import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carrel.fleet import kafka
from carrel.fleet.settings import FleetSettings
from support.archives import command, environment, new_archive

ENDS_WITHIN_S = 90.0
_SETTINGS = "[network]\ntimeout_s = 20\n"


@dataclass(frozen=True, slots=True)
class Sent:
    """A message of a topic as JSON, with its headers."""

    key: bytes | None
    value: bytes
    headers: dict[str, str]

    @property
    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.value)
        return body


def request_of(url: str, **more: Any) -> bytes:
    """Return a request for a dataset as a message."""
    return json.dumps({"ingest_type": "dataset", "base_url": url, **more}).encode()


def submit(
    settings: FleetSettings, *values: bytes, partition: int = -1, key: bytes | None = None
) -> None:
    """Put messages onto the requests topic as they are, with a key for each or one for all."""
    producer = kafka.open_producer(kafka.producer_settings(settings, name="test"))
    for number, value in enumerate(values):
        own = key or f"{number}".encode()
        producer.produce(settings.topics.requests, value, key=own, partition=partition)
    assert producer.flush(ENDS_WITHIN_S) == 0


def read_all(settings: FleetSettings, topic: str) -> list[Sent]:
    """Return every message of a topic, from the first to the last."""
    from confluent_kafka import Consumer, TopicPartition

    consumer = Consumer({"bootstrap.servers": settings.brokers, "group.id": "test-reader"})
    found = []
    try:
        for number in range(kafka.partitions_of(settings, [topic])[topic]):
            first, end = consumer.get_watermark_offsets(TopicPartition(topic, number), timeout=20)
            consumer.assign([TopicPartition(topic, number, first)])
            while first < end and (message := consumer.poll(ENDS_WITHIN_S)) is not None:
                assert message.error() is None
                headers = {
                    name: value.decode() if isinstance(value, bytes) else str(value)
                    for name, value in kafka.headers_of(message)
                }
                found.append(Sent(message.key(), message.value() or b"", headers))
                if (message.offset() or 0) + 1 >= end:
                    break
    finally:
        consumer.close()
    return found


def lag(settings: FleetSettings, topic: str = "", group: str = "") -> int:
    """Return how many messages a group has not committed yet: by default, requests of workers."""
    from confluent_kafka import Consumer, TopicPartition

    topic, group = topic or settings.topics.requests, group or settings.groups.worker
    consumer = Consumer({"bootstrap.servers": settings.brokers, "group.id": group})
    try:
        count = kafka.partitions_of(settings, [topic])[topic]
        asked = [TopicPartition(topic, number) for number in range(count)]
        behind = 0
        for each in consumer.committed(asked, timeout=20):
            _, end = consumer.get_watermark_offsets(each, timeout=20)
            behind += end - max(0, each.offset)
        return behind
    finally:
        consumer.close()


def wait_until_done(
    settings: FleetSettings,
    seconds: float = ENDS_WITHIN_S,
    meanwhile: Callable[[], None] = lambda: None,
) -> None:
    """Wait until nothing is left to commit.

    A broker that has just come back does not know yet which groups it coordinates: it is asked
    again.
    """
    from confluent_kafka import KafkaException

    left: int | KafkaException = 1
    until = time.monotonic() + seconds
    while left and time.monotonic() < until:
        meanwhile()
        time.sleep(0.2)
        try:
            left = lag(settings)
        except KafkaException as error:
            left = error
    assert not left, f"Not everything is committed: {left}"


@dataclass
class WorkerProcess:
    """`carrel worker` as a process on an archive of its own."""

    name: str
    archive: Path
    config: Path
    more: Sequence[str] = ()
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def log(self) -> Path:
        return self.archive.with_name(f"{self.name}.log")

    def start(self) -> None:
        """Start it on its archive, which is made if it is the first time."""
        if not self.archive.exists():
            new_archive(self.archive, _SETTINGS)
        said = ("--archive", self.archive, "--name", self.name, "--config", self.config)
        arguments = command("--log", "INFO", "worker", *said, "--from", "earliest", *self.more)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(arguments, env=environment(), stdout=log, stderr=log)

    def restart_if_ended(self) -> None:
        """Start it again if it ended by itself, as a service manager does."""
        if self.process is not None and self.process.poll() is not None:
            assert self.process.returncode in (69, 75, -signal.SIGKILL), self.log.read_text()[
                -2000:
            ]
            self.start()

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Stop it in good order; return its exit status."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        code = self.process.wait(ENDS_WITHIN_S)
        self.process = None
        return code


@contextmanager
def workers(
    folder: Path, settings: FleetSettings, *names: str, more: Sequence[str] = ()
) -> Iterator[list[WorkerProcess]]:
    """Give workers of these names, which run; what still runs is killed at the end."""
    config = write_config(folder / "fleet.toml", settings)
    made = [WorkerProcess(name, folder / name, config, more) for name in names]
    try:
        for each in made:
            each.start()
        yield made
    finally:
        for each in made:
            if each.process is not None:
                each.kill()


def write_config(path: Path, settings: FleetSettings) -> Path:
    """Write the settings of a fleet as its file."""
    lines = [f'brokers = "{settings.brokers}"', "[kafka]"]
    lines += [f'"{name}" = {json.dumps(value)}' for name, value in settings.kafka.items()]
    groups = settings.groups.model_dump().items()
    lines += ["[groups]", *(f'{name} = "{group}"' for name, group in groups)]
    path.write_text("\n".join(lines) + "\n")
    return path
