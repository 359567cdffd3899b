# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run left behind: messages, rows, logs, and what one machine answers to the same."""

import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from acceptance.machines import own_settings
from acceptance.requested import Requested
from acceptance.scene import Scene
from carrel.fleet.postgres.connection import connect, connection_settings
from support.archives import command, environment, new_archive
from support.fleet import Sent, read_all

_ONE_MACHINE_WITHIN_S = 900.0
_BEGINS = re.compile(r"^(?P<topic>[^/]+)/(?P<partition>\d+): begins at")


@dataclass(frozen=True, slots=True)
class Change:
    """A worker was given a partition, at a time (seconds since 1970)."""

    at: float
    worker: str
    topic: str
    partition: int

    @property
    def place(self) -> tuple[str, int]:
        return self.topic, self.partition


@dataclass
class Evidence:
    """What is there at the end. All of it is read once."""

    scene: Scene
    wanted: Requested

    @cached_property
    def results(self) -> list[Sent]:
        """Every message on the topic of results that is one."""
        sent = read_all(self.scene.settings, self.scene.settings.topics.results)
        return [each for each in sent if each.value not in self.wanted.no_results]

    @cached_property
    def rejects(self) -> list[Sent]:
        return read_all(self.scene.settings, self.scene.settings.topics.rejects)

    @cached_property
    def changes(self) -> list[Change]:
        """Who was given which partition of requests, when."""
        found = [
            Change(_seconds(line["at"]), name, said["topic"], int(said["partition"]))
            for name, lines in self.logs.items()
            for line in lines
            if (said := _BEGINS.match(line["message"]))
        ]
        return sorted(found, key=lambda each: each.at)

    @cached_property
    def withdrawn(self) -> Mapping[str, Sequence[float]]:
        """When each worker had partitions taken away."""
        return {
            name: [_seconds(each["at"]) for each in lines if "Withdrawn" in each["message"]]
            for name, lines in self.logs.items()
        }

    @cached_property
    def logs(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The lines of the logs of workers."""
        return {name: _json_lines(each.log) for name, each in self.scene.workers.items()}

    @cached_property
    def one_machine(self) -> Mapping[str, str]:
        """The statuses of an undisturbed run of the same requests on one machine, by address."""
        archive = new_archive(self.scene.folder / "one-machine")
        for host in self.scene.hosts:
            host.delay_s = 0.0
        ran = subprocess.run(
            command("batch", "run", "-", "--archive", archive),
            input="".join(f"{json.dumps(each)}\n" for each in self.wanted.ordinary),
            env=environment(**own_settings(self.scene.folder, "one")),
            capture_output=True,
            text=True,
            timeout=_ONE_MACHINE_WITHIN_S,
            check=False,
        )
        results = [json.loads(line) for line in ran.stdout.splitlines()]
        statuses: dict[str, str] = {}
        for each in results:
            address, status = each["request"]["base_url"], each["status"]
            if each["request"]["ingest_type"] == "dataset" and status != "success-existing":
                statuses[address] = status
        return statuses

    def rows(self, sql: str) -> list[Any]:
        with connect(connection_settings(self.scene.db)) as connection:
            return connection.execute(sql.encode()).fetchall()


def _json_lines(path: Path) -> list[Mapping[str, Any]]:
    lines = path.read_text(errors="replace").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
