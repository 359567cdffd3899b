# SPDX-License-Identifier: AGPL-3.0-or-later
"""What binds a fleet that archives a whole catalogue: hosts, calls, days, and the other parts.

`carrel fleet submit --dry-run --json -` reads the list that fleet_list.py makes up; its time and
the peak of its memory are measured. Results have the fields that workers send; they are stored in a
real Postgres by the code of `carrel persist`. Prints Markdown, as docs/guides/fleet-plan.md has it.

usage: fleet_plan.py [--datasets N] [--days N] [--seed N] [--hinted 0…1] [--results N]
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import psycopg

from carrel.engine.batches.forecast import forecast
from carrel.fleet.plan import QUESTIONS
from carrel.fleet.postgres.connection import connect, connection_settings
from carrel.fleet.postgres.migrations import apply_migrations
from carrel.fleet.postgres.rows import rows_of
from carrel.fleet.postgres.store import LARGEST_BATCH, store
from carrel.settings import Network
from support.delivered import delivery, result
from support.postgres_server import postgres_server

_LIST = Path(__file__).with_name("fleet_list.py")
_SHOWN, _FILES = 10, 8
_DAY_S, _GB = 86_400, 1e9
# Seconds of a processor for a dataset with 7.5 small files, measured on loopback; digests of large
# files take 2.6 s a GiB more.
_WORK_S = 0.135


@dataclass(frozen=True, slots=True)
class Dry:
    """What a dry run said of each host, how long it took (s), and the most memory it had (MiB)."""

    hosts: list[dict[str, Any]]
    took_s: float
    peak_mib: float


def dry_run(datasets: int, seed: int, hinted: float) -> Dry:
    """Have a made-up list planned by a process of its own."""
    said = ("--datasets", str(datasets), "--seed", str(seed), "--hinted", str(hinted))
    plan = [sys.executable, "-m", "carrel", "fleet", "submit", "--dry-run", "--json", "-"]
    began = time.monotonic()
    with (
        subprocess.Popen([sys.executable, str(_LIST), *said], stdout=subprocess.PIPE) as source,
        subprocess.Popen(plan, stdin=source.stdout, stdout=subprocess.PIPE) as process,
    ):
        assert source.stdout is not None
        assert process.stdout is not None
        source.stdout.close()
        hosts = [json.loads(line) for line in process.stdout]
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    return Dry(hosts, time.monotonic() - began, used.ru_maxrss / 1024)


def _file(number: int, each: int) -> dict[str, Any]:
    said = f"{number}/{each}".encode()
    url = f"https://zenodo.example/api/records/{number}/files/part-{each}.csv/content"
    return {
        "path": f"tables/part-{each}.csv",
        "size": 1000 + each,
        "md5": hashlib.md5(said).hexdigest(),
        "sha1": hashlib.sha1(said).hexdigest(),
        "sha256": hashlib.sha256(said).hexdigest(),
        "mimetype": "text/csv",
        "status": "success",
        "platform_url": url,
        "terminal_url": url,
        "terminal_dt": "20260201120000",
        "extra": {"warc": f"main-20260201120000-{number:05}-w1.warc.gz", "offset": each * 4711},
    }


def stored(contents: list[bytes]) -> tuple[float, float]:
    """Store results in a Postgres; return how many a second, and the bytes of each there."""
    read = [rows for each in contents if (rows := rows_of(delivery(each))) is not None]
    with (
        postgres_server() as server,
        connect(connection_settings(server.new_database())) as connection,
    ):
        apply_migrations(connection)
        empty, began = _size(connection), time.monotonic()
        for start in range(0, len(read), LARGEST_BATCH):
            store(connection, read[start : start + LARGEST_BATCH])
        rate = len(read) / (time.monotonic() - began)
        return rate, (_size(connection) - empty) / len(read)


def _size(connection: psycopg.Connection) -> int:
    row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    assert row is not None
    size: int = row[0]
    return size


def _days_with_token(host: str, datasets: int, calls: int) -> float:
    """Return how long a host takes at least where a token raises its limit."""
    (found,) = forecast([(host, calls)], lambda _: True)
    asked = min(calls, datasets * QUESTIONS) * Network().api_interval_s
    return max(found.hours / 24, asked / _DAY_S)


def _table(head: str, rows: Iterable[Iterable[object]]) -> None:
    print(f"| {head} |")
    print("|" + " --- |" * (head.count("|") + 1))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def _tell_hosts(dry: Dry, days: int) -> None:
    print(f"Planned in {dry.took_s / 60:.1f} minutes with at most {dry.peak_mib:.0f} MiB.\n")
    rows = []
    for each in dry.hosts[:_SHOWN]:
        host, datasets, calls = each["host"], each["datasets"], each["calls"]
        better = _days_with_token(host, datasets, calls)
        numbers = (f"{datasets:,}", f"{calls:,}", f"{each['days']:.1f}", f"{better:.1f}")
        rows.append((host, *numbers, each["bound_by"]))
    _table("host | datasets | calls | days | with a token | what binds", rows)
    late = sum(each["days"] > days for each in dry.hosts)
    print(f"{late} of {len(dry.hosts):,} hosts take longer than {days} days.\n")


def _tell_others(datasets: int, days: int, count: int) -> None:
    contents = [
        json.dumps(result(n, manifest=[_file(n, each) for each in range(_FILES)])).encode()
        for n in range(count)
    ]
    rate, row = stored(contents)
    size = sum(map(len, contents)) / count
    packed = len(zlib.compress(b"".join(contents[:100]))) / len(contents[:100])
    a_second = datasets / (days * _DAY_S)
    _table(
        f"part | a dataset | {datasets:,} datasets in {days} days",
        (
            ("all", "", f"{a_second:.1f} datasets a second"),
            ("workers, processor", f"{_WORK_S * 1000:.0f} ms", f"{a_second * _WORK_S:.1f} cores"),
            *(
                (
                    "workers, network",
                    f"{mean:,} MB",
                    f"{a_second * mean * 8 / 1000:.1f} Gbit/s, {datasets * mean / 1e9:.1f} PB",
                )
                for mean in (10, 100, 1000)
            ),
            (
                "Kafka, results",
                f"{size / 1000:.1f} kB",
                f"{a_second * size / 1000:.0f} kB/s, "
                f"{datasets * size / _GB:.0f} GB, deflated {datasets * packed / _GB:.0f} GB",
            ),
            (
                "Postgres",
                f"{row / 1000:.1f} kB",
                f"{datasets * row / _GB:.0f} GB; "
                f"{a_second / rate:.1%} of the {rate:,.0f} results a second that were stored here",
            ),
        ),
    )


def main() -> None:
    """Plan a list, and print what each part of the fleet has to do for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=30_000_000)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hinted", type=float, default=1.0)
    parser.add_argument("--results", type=int, default=10_000)
    given = parser.parse_args()
    _tell_hosts(dry_run(given.datasets, given.seed, given.hinted), given.days)
    _tell_others(given.datasets, given.days, given.results)


if __name__ == "__main__":
    main()
