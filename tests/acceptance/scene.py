# SPDX-License-Identifier: AGPL-3.0-or-later
"""The scene: brokers, Postgres, hosts, and the machines of the fleet; and what happened there."""

import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from acceptance.hosts import Host
from acceptance.machines import Machine, persist, worker
from acceptance.requested import Request
from acceptance.small_disk import SmallDisk, small_disk
from carrel.fleet.settings import FleetSettings
from support.archives import carrel
from support.fleet import lag, write_config
from support.kafka_brokers import MockBroker, mock_broker, settings_for
from support.postgres_server import PostgresServer, postgres_server
from support.real_kafka import RealBroker, real_broker

HOSTS = 8
SESSION_S = 8.0


@dataclass
class Scene:
    """All that a run consists of. `happened` are the faults with their times (since 1970)."""

    folder: Path
    settings: FleetSettings
    config: Path
    broker: MockBroker | RealBroker
    postgres: PostgresServer
    db: str
    hosts: Sequence[Host]
    disk: SmallDisk
    workers: dict[str, Machine]
    persist: Machine
    happened: list[tuple[float, str]] = field(default_factory=list)
    began: float = field(default_factory=time.time)

    @property
    def is_real(self) -> bool:
        return isinstance(self.broker, RealBroker)

    @property
    def archives(self) -> dict[str, Path]:
        return {
            name: Path(each.arguments[each.arguments.index("--archive") + 1])
            for name, each in self.workers.items()
        }

    def note(self, what: str) -> None:
        now = time.time()
        self.happened.append((now, what))
        print(f"{now - self.began:6.1f} s  {what}", flush=True)

    def mind(self) -> None:
        """Do what a service manager does: who ended by itself is started again."""
        for each in (*self.workers.values(), self.persist):
            each.mind()

    def idle(self, seconds: float) -> None:
        """Let so much time go by."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.mind()
            time.sleep(0.1)

    def submit(self, requests: Sequence[Request]) -> None:
        """Submit requests by the command, as a person does."""
        listed = self.folder / "list.jsonl"
        listed.write_text("".join(f"{json.dumps(each)}\n" for each in requests))
        ran = carrel("fleet", "submit", listed, "--config", self.config)
        assert ran.code == 0, ran.err

    def left(self) -> dict[str, int]:
        """Return how many messages are not committed: requests, and results."""
        topics, groups = self.settings.topics, self.settings.groups
        return {
            "requests": lag(self.settings, topics.requests, groups.worker),
            "priority": lag(self.settings, topics.priority, groups.worker),
            "results": lag(self.settings, topics.results, groups.persist),
            "file results": lag(self.settings, topics.file_results, groups.persist),
        }

    def wait_until_done(self, seconds: float) -> None:
        """Wait until all is committed: requests first, their results then."""
        until = time.monotonic() + seconds
        while any((left := self.left()).values()):
            assert time.monotonic() < until, f"not committed: {left}"
            self.idle(1)

    def staged(self) -> list[Path]:
        """Return what lies in the staging of any archive."""
        return [
            each
            for archive in self.archives.values()
            for each in sorted((archive / "staging").glob("*"))
            if each.is_dir() and each.name != "unfinished"
        ]


@contextmanager
def scene(folder: Path, kind: str) -> Iterator[Scene]:
    """Set a scene in an empty folder; what runs ends with the block, by its id."""
    with ExitStack() as stack:
        broker = _broker(stack, folder, kind)
        settings = settings_for(broker.addresses, **{"session.timeout.ms": int(SESSION_S * 1000)})
        broker.make_topics(settings)
        postgres = stack.enter_context(postgres_server())
        db, config = postgres.new_database(), write_config(folder / "fleet.toml", settings)
        machines: dict[str, Machine] = {}
        hosts = [
            stack.enter_context(Host(lambda name: _kill(machines, name))) for _ in range(HOSTS)
        ]
        disk = stack.enter_context(small_disk(folder / "small-disk"))
        for name in ("w1", "w2", "w3", "w4"):
            archive = disk.path / "archive" if name == "w2" else None
            machines[name] = worker(folder, name, config, archive)
        storing = persist(folder, "p1", config, db)
        for each in (*machines.values(), storing):
            stack.callback(each.kill)
        prepared = carrel("persist", "--db", db, "--init")
        assert prepared.code == 0, prepared.err
        yield Scene(folder, settings, config, broker, postgres, db, hosts, disk, machines, storing)


def _broker(stack: ExitStack, folder: Path, kind: str) -> MockBroker | RealBroker:
    if kind == "mock":
        return stack.enter_context(mock_broker())
    (folder / "kafka").mkdir()
    return stack.enter_context(real_broker(folder / "kafka"))


def _kill(machines: dict[str, Machine], name: str) -> None:
    """Kill a worker that asked for what it should not; it is started again as any other."""
    process: subprocess.Popen[bytes] | None
    if name in machines and (process := machines[name].process) is not None:
        process.kill()
