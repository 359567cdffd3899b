# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a worker needs per dataset beside `carrel batch run -`, for the same requests.

Both archive the same sample datasets from the same repository on loopback, each in a process and an
archive of its own, in turns; the median of the runs counts. Start-up is apart: the time goes from
the first result to the last, the processor's time of all that is beyond that of a run of few. The
broker is librdkafka's mock cluster, or a real one with --kafka, and shares the machine.

usage: working.py [--datasets N] [--runs N] [--kafka HOST:PORT]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from carrel.demo import DemoDataset, DemoRepository, Hosting
from carrel.demo.catalogue import sample_datasets
from carrel.demo.dataset import AskedAs
from carrel.fleet import kafka
from carrel.fleet.settings import FleetSettings
from carrel.model import Status
from support.archives import command, environment, new_archive
from support.fleet import WorkerProcess, request_of, submit, wait_until_done, write_config
from support.kafka_brokers import mock_broker, settings_for

_FEW = 10
_WITHIN_S = 600.0
_SETTINGS = "[network]\ntimeout_s = 20\n"
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Spent:
    """Seconds from the first result to the last, and of the processor in all."""

    wall: float
    processor: float


def _datasets(count: int) -> list[DemoDataset]:
    """Return sound samples of a few files, over and over, each under a key of its own.

    A Dataverse's numbers of files follow from its own few keys, and would not be unique.
    """
    several = [
        each
        for each in sample_datasets()
        if each.expected == Status.SUCCESS
        and each.hosting is not Hosting.DATAVERSE
        and each.asked_as is not AskedAs.CONCEPT
    ]
    return [
        replace(each, key=f"{each.key}x{number}")
        for number, each in enumerate(islice(cycle(several), count))
    ]


def _batch(folder: Path, requests: Sequence[bytes]) -> Spent:
    archive = new_archive(folder / "archive", _SETTINGS)
    times = list[float]()
    with subprocess.Popen(
        command("batch", "run", "-", "--archive", archive),
        env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"".join(each + b"\n" for each in requests))
        process.stdin.close()
        for line in process.stdout:
            times.append(time.perf_counter())
            _check(json.loads(line))
            if len(times) == len(requests):
                spent = _processor_s(process.pid)
    return Spent(times[-1] - times[0], spent)


def _worker(folder: Path, fleet: FleetSettings, requests: Sequence[bytes]) -> Spent:
    config = write_config(folder / "fleet.toml", fleet)
    new_archive(folder / "archive", _SETTINGS)
    with _results(fleet) as consumer:
        submit(fleet, *requests)
        worker = WorkerProcess("w1", folder / "archive", config)
        worker.start()
        try:
            assert worker.process is not None
            times = list(islice(consumer, len(requests)))
            wait_until_done(fleet)
            spent = _processor_s(worker.process.pid)
            worker.stop()
        finally:
            if worker.process is not None:
                worker.kill()
    return Spent(times[-1] - times[0], spent)


@contextmanager
def _results(fleet: FleetSettings) -> Iterator[Iterator[float]]:
    """Give when results come in from now on."""
    from confluent_kafka import Consumer, TopicPartition

    topic = fleet.topics.results
    consumer = Consumer({"bootstrap.servers": fleet.brokers, "group.id": "bench"})
    partitions = range(kafka.partitions_of(fleet, [topic])[topic])
    ends = [consumer.get_watermark_offsets(TopicPartition(topic, each))[1] for each in partitions]
    consumer.assign([TopicPartition(topic, each, end) for each, end in enumerate(ends)])

    def moments() -> Iterator[float]:
        while (message := consumer.poll(_WITHIN_S)) is not None:
            yield time.perf_counter()
            _check(json.loads(message.value() or b""))

    try:
        yield moments()
    finally:
        consumer.close()


def _check(body: dict[str, object]) -> None:
    if body["status"] != Status.SUCCESS:
        raise SystemExit(f"{body['request']}: {body['status']} {body.get('error_message')}")


def _processor_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S


def _compare(fleet: FleetSettings, count: int, runs: int) -> None:
    kinds = "batch run -", "worker"
    spent: dict[tuple[str, int], list[Spent]] = {}
    with DemoRepository(_datasets(count)) as repository:
        requests = [request_of(each.url(repository)) for each in repository.datasets]
        for _ in range(runs):
            for number in (_FEW, count):
                with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
                    batch = _batch(Path(one), requests[:number])
                    worker = _worker(Path(other), fleet, requests[:number])
                for kind, each in zip(kinds, (batch, worker), strict=True):
                    spent.setdefault((kind, number), []).append(each)
    walls, processors = list[float](), list[float]()
    for kind in kinds:
        few, many = spent[kind, _FEW], spent[kind, count]
        walls.append(median(each.wall for each in many) / (count - 1))
        beyond = median(each.processor for each in many) - median(each.processor for each in few)
        processors.append(beyond / (count - _FEW))
        print(f"{kind:12} {walls[-1] * 1000:6.1f} ms a dataset, "
              f"{processors[-1] * 1000:6.1f} ms of the processor")  # fmt: skip
    print(f"worker / batch    {walls[1] / walls[0]:.2f}, of the processor "
          f"{processors[1] / processors[0]:.2f}")  # fmt: skip


def main() -> None:
    """Time both, and print how they compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=150)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--kafka", help="a broker with the topics of environment “dev”")
    options = parser.parse_args()
    if options.kafka:
        _compare(settings_for(options.kafka), options.datasets, options.runs)
        return
    with mock_broker() as broker:
        fleet = settings_for(broker.addresses)
        broker.make_topics(fleet)
        _compare(fleet, options.datasets, options.runs)


if __name__ == "__main__":
    main()
