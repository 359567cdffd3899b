# SPDX-License-Identifier: AGPL-3.0-or-later
"""A real broker: Apache Kafka in KRaft mode, from the jars that `make kafka` gets, by its id."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from carrel.fleet.settings import FleetSettings
from support.kafka_brokers import few_partitions

_JARS = Path(__file__).parents[2] / "build/kafka/libs"
_STARTS_WITHIN_S = 60.0
_PROPERTIES = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
log.dirs={folder}/data
auto.create.topics.enable=false
message.max.bytes=31457280
replica.fetch.max.bytes=31457280
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
log.retention.check.interval.ms=1000
"""


@dataclass
class RealBroker:
    """A broker in a folder, which keeps what it has on the disk: it may be stopped and started."""

    folder: Path
    port: int
    controller: int
    _process: "subprocess.Popen[bytes] | None" = None

    @property
    def addresses(self) -> str:
        return f"127.0.0.1:{self.port}"

    def format(self) -> None:
        text = _PROPERTIES.format(port=self.port, controller=self.controller, folder=self.folder)
        (self.folder / "server.properties").write_text(text)
        identity = self._tool("random-uuid").strip().splitlines()[-1]
        self._tool("format", "-t", identity, "-c", str(self.folder / "server.properties"))

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [*_java("-Xmx512m", "-XX:+UseSerialGC"), "kafka.Kafka"]
        with (self.folder / "kafka.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, str(self.folder / "server.properties")],
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )
        until = time.monotonic() + _STARTS_WITHIN_S
        while time.monotonic() < until and self._process.poll() is None:
            if self._answers():
                return
        raise AssertionError((self.folder / "kafka.log").read_text()[-4000:])

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    take_down, bring_up = stop, start

    def make_topic(self, name: str, partitions: int = 4, **config: str) -> None:
        from confluent_kafka.admin import AdminClient
        from confluent_kafka.cimpl import NewTopic

        admin = AdminClient({"bootstrap.servers": self.addresses})
        topic = NewTopic(name, partitions, 1, config=config)
        admin.create_topics([topic])[name].result(_STARTS_WITHIN_S)

    def make_topics(self, settings: FleetSettings) -> None:
        """Make all topics of a fleet, with few partitions."""
        for name, partitions in few_partitions(settings).items():
            self.make_topic(name, partitions)

    def _answers(self) -> bool:
        from confluent_kafka import KafkaException
        from confluent_kafka.admin import AdminClient

        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            found = AdminClient({"bootstrap.servers": self.addresses}).list_topics(timeout=5)
        except (OSError, KafkaException):
            time.sleep(0.1)
            return False
        return bool(found.brokers)

    def _tool(self, *arguments: str) -> str:
        command = [*_java("-Xmx128m"), "kafka.tools.StorageTool", *arguments]
        told = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        assert told.returncode == 0, told.stdout + told.stderr
        return told.stdout


@contextmanager
def real_broker(folder: Path) -> Iterator[RealBroker]:
    """Run a broker in a folder; it ends with the block. Skips the test where there is none."""
    if missing := why_missing():
        pytest.skip(missing)
    broker = RealBroker(folder, _free_port(), _free_port())
    broker.format()
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()


def why_missing() -> str:
    """Return why no real broker can run here, "" if one can."""
    if shutil.which("java") is None:
        return "there is no java here (Debian: apt-get install default-jre-headless)"
    return "" if list(_jars().glob("kafka_*.jar")) else "there is no Kafka here: make kafka"


def _jars() -> Path:
    return Path(os.environ.get("CARREL_KAFKA") or _JARS)


def _java(*options: str) -> list[str]:
    # 1.x of log4j's settings are not looked for; warnings go to the log.
    return ["java", *options, "-Dlog4j2.level=WARN", "-cp", f"{_jars()}/*"]


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
