# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a worker tells those who watch over it: metrics, health, its log, its exit status."""

import json
import re
import time
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from carrel.cli import program
from carrel.demo import DemoRepository
from carrel.errors import Stuck
from carrel.fleet import running
from carrel.fleet.settings import FleetSettings
from support.fleet import WorkerProcess, request_of, submit, wait_until_done, workers
from support.kafka_brokers import settings_for
from support.postgres_server import free_port

_GUIDE = Path(__file__).parents[3] / "docs/guides/fleet.md"


def answer(address: str, path: str, *, seconds: float = 30.0) -> httpx.Response:
    """Return what is answered there, as soon as something listens."""
    until = time.monotonic() + seconds
    while True:
        try:
            return httpx.get(f"http://{address}{path}", trust_env=False)
        except httpx.ConnectError:
            assert time.monotonic() < until, f"nothing listens at {address}"
            time.sleep(0.1)


def test_metrics_health_and_log_tell_what_a_worker_does(
    fleet: FleetSettings, repository: DemoRepository, tmp_path: Path
) -> None:
    address = f"127.0.0.1:{free_port()}"
    dataset = repository.datasets[0]
    submit(fleet, request_of(dataset.url(repository)), b"no JSON")

    with workers(tmp_path, fleet, "w1", more=("--metrics", address, "--json-log")) as (worker,):
        wait_until_done(fleet)
        health, metrics = answer(address, "/healthz"), answer(address, "/metrics").text
        unknown = answer(address, "/")
        code = worker.stop()

    assert (health.status_code, health.text, unknown.status_code, code) == (200, "ok\n", 404, 0)
    assert f'carrel_results_total{{status="{dataset.expected}"}} 1.0' in metrics
    assert 'carrel_rejects_total{reason="unreadable"} 1.0' in metrics
    lines = [json.loads(line) for line in worker.log.read_text().splitlines()]
    assert {each["worker"] for each in lines} == {"w1"}
    (ended,) = (each for each in lines if each["message"].endswith(f": {dataset.expected}"))
    assert ended["message"].startswith(ended["ingest_id"])


def test_each_metric_of_the_guide_is_there(
    fleet: FleetSettings, repository: DemoRepository, tmp_path: Path
) -> None:
    address = f"127.0.0.1:{free_port()}"
    named = set(re.findall(r"^[|] `(carrel_\w+)", _GUIDE.read_text(), re.M))

    with workers(tmp_path, fleet, "w1", more=("--metrics", address)) as (worker,):
        there = set(re.findall(r"^# TYPE (\w+)", answer(address, "/metrics").text, re.M))
        worker.stop()

    assert len(named) > 6
    assert named <= there


def test_a_worker_that_no_broker_answered_yet_is_not_well(tmp_path: Path) -> None:
    address = f"127.0.0.1:{free_port()}"

    with workers(
        tmp_path, settings_for(f"127.0.0.1:{free_port()}"), "w1", more=("--metrics", address)
    ) as (worker,):
        health = answer(address, "/healthz")

    assert (health.status_code, health.text) == (503, "Kafka has not answered yet.\n")
    assert isinstance(worker, WorkerProcess)


def test_a_worker_that_is_stuck_asks_to_be_started_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def stuck(*_: object, **__: object) -> None:
        raise Stuck("Requests are there, and none came for 600 seconds.")

    monkeypatch.setattr(running, "run_worker", stuck)
    monkeypatch.setattr("sys.argv", ["carrel", "worker", "--archive", str(tmp_path), "--name", "w"])

    with pytest.raises(SystemExit) as ended, CliRunner().isolation():
        program.run()

    assert ended.value.code == 75
