# SPDX-License-Identifier: AGPL-3.0-or-later
"""Brokers for tests: librdkafka's mock cluster in a process of its own, ended by its id."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from carrel.fleet.settings import FleetSettings

_PROGRAM = Path(__file__).with_name("mock_broker.py")
_ENDS_WITHIN_S = 20.0


@dataclass
class MockBroker:
    """A cluster that keeps everything in memory: the last 5 MiB of each partition."""

    addresses: str
    _process: "subprocess.Popen[str]"

    def make_topic(self, name: str, partitions: int = 4) -> None:
        self._say(f"topic {name} {partitions}")

    def make_topics(self, settings: FleetSettings) -> None:
        """Make all topics of a fleet, with few partitions."""
        for name, partitions in few_partitions(settings).items():
            self.make_topic(name, partitions)

    def take_down(self) -> None:
        """Have all brokers answer nothing; what they hold stays."""
        self._say("down")

    def bring_up(self) -> None:
        self._say("up")

    def push_errors(self, api: int, *codes: int) -> None:
        """Have the next answers to an API (by its key) be these errors (by their numbers)."""
        self._say(f"errors {api} {' '.join(map(str, codes))}")

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "ok\n", line


@contextmanager
def mock_broker() -> Iterator[MockBroker]:
    """Run a cluster without topics; it ends with the block."""
    command = [sys.executable, str(_PROGRAM)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            addresses = process.stdout.readline().strip()
            assert addresses, "the mock cluster did not start"
            yield MockBroker(addresses, process)
        finally:
            process.kill()
            process.wait(_ENDS_WITHIN_S)


def few_partitions(settings: FleetSettings) -> Mapping[str, int]:
    """Return the topics of a fleet with as many partitions as a test needs."""
    topics = settings.topics
    return {
        topics.requests: 4,
        topics.priority: 2,
        topics.results: 3,
        topics.file_results: 3,
        topics.rejects: 1,
    }


def settings_for(addresses: str, **kafka: str | int) -> FleetSettings:
    """Return the settings of a fleet on these brokers, which a test does not wait long for."""
    quick = {
        "session.timeout.ms": 6000,
        "heartbeat.interval.ms": 500,
        "topic.metadata.refresh.interval.ms": 2000,
        "reconnect.backoff.max.ms": 500,
    }
    return FleetSettings(brokers=addresses, kafka={**quick, **kafka}).named()
