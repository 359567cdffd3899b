# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results from Kafka into a real Postgres by `carrel persist`, beside psycopg alone.

psycopg has its rows ready, of the same results: `executemany` of INSERT … ON CONFLICT DO UPDATE,
500 per transaction, into the same tables; and into that of the proposal alone. Each run has a
database of its own; they go in turns, and the median counts. The broker is librdkafka's mock
cluster, which keeps 5 MiB of a partition, and shares the machine as all others do.

usage: persisting.py [--results N] [--files N] [--runs N]
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from carrel.fleet import kafka
from carrel.fleet.postgres.connection import connect, connection_settings
from carrel.fleet.postgres.migrations import apply_migrations
from carrel.fleet.postgres.rows import ResultRows, Row, rows_of
from carrel.fleet.postgres.store import LARGEST_BATCH
from carrel.fleet.settings import FleetSettings
from support.delivered import delivery, result
from support.kafka_brokers import mock_broker, settings_for
from support.postgres_server import PostgresServer, postgres_server

_PARTITIONS = 24
_COLUMNS = {
    "carrel_attempt": (
        ("ingest_id",),
        "ingest_type base_url worker started finished status request_topic request_partition "
        "request_offset result",
    ),
    "ingest_request": (
        ("link_source", "link_source_id", "ingest_type", "base_url"),
        "ingest_request_source created release_stage request",
    ),
    "ingest_file_result": (
        ("ingest_type", "base_url"),
        "updated hit status terminal_url terminal_dt terminal_status_code terminal_sha1hex",
    ),
    "ingest_fileset_platform": (
        ("ingest_type", "base_url"),
        "updated hit status platform_name platform_domain platform_id ingest_strategy total_size "
        "file_count archiveorg_item_name archiveorg_item_bundle_path web_bundle_url web_bundle_dt "
        "manifest",
    ),
}


def _contents(count: int, files: int) -> list[bytes]:
    """Return results with manifests whose digests do not compress."""
    return [
        json.dumps(result(number, manifest=[_file(number, each) for each in range(files)])).encode()
        for number in range(count)
    ]


def _file(number: int, each: int) -> dict[str, object]:
    said = f"{number}/{each}".encode()
    return {
        "path": f"tables/part-{each}.csv",
        "size": 1000 + each,
        "md5": hashlib.md5(said).hexdigest(),
        "sha1": hashlib.sha1(said).hexdigest(),
        "sha256": hashlib.sha256(said).hexdigest(),
        "mimetype": "text/csv",
        "status": "success",
        "platform_url": f"https://zenodo.example/api/records/{number}/files/part-{each}.csv/content",
        "terminal_url": f"https://zenodo.example/api/records/{number}/files/part-{each}.csv/content",
        "terminal_dt": "20260201120000",
        "extra": {"warc": f"carrel-w1-20260201120000-{number:05}.warc.gz", "offset": each * 4711},
    }


def _alone(db: str, read: Sequence[ResultRows], tables: Sequence[str]) -> float:
    """Return how many results a second psycopg stores by itself."""
    rows = {table: [_row_of(each, table) for each in read] for table in tables}
    began = time.perf_counter()
    with connect(connection_settings(db)) as connection:
        for start in range(0, len(read), LARGEST_BATCH):
            with connection.transaction(), connection.cursor() as cursor:
                for table in tables:
                    some = rows[table][start : start + LARGEST_BATCH]
                    cursor.executemany(_upsert(table).encode(), some)
    return len(read) / (time.perf_counter() - began)


def _row_of(read: ResultRows, table: str) -> Row:
    rows = {
        "carrel_attempt": read.attempt,
        "ingest_request": read.request,
        "ingest_file_result": read.result,
        "ingest_fileset_platform": read.platform,
    }
    row = rows[table]
    assert row is not None
    return row


def _upsert(table: str) -> str:
    key, others = _COLUMNS[table]
    names = [*key, *others.split()]
    said = ", ".join(f"{name} = EXCLUDED.{name}" for name in others.split())
    return (
        f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(['%s'] * len(names))}) "
        f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {said}"
    )


def _persisted(db: str, fleet: FleetSettings, folder: Path, count: int) -> float:
    """Return how many results a second `carrel persist` stores, from its first batch on."""
    config = folder / "fleet.toml"
    config.write_text(f'[groups]\npersist = "group-{time.monotonic_ns()}"\n')
    command = [sys.executable, "-m", "carrel", "persist", "--db", db, "--kafka", fleet.brokers]
    process = subprocess.Popen([*command, "--config", str(config), "--name", "p1"])
    try:
        with connect(connection_settings(db)) as connection:
            first = _wait_for(connection.execute, 1, process)
            began = time.perf_counter()
            _wait_for(connection.execute, count, process)
            return (count - first) / (time.perf_counter() - began)
    finally:
        process.terminate()
        process.wait(60)


def _wait_for(
    execute: Callable[..., object], count: int, process: "subprocess.Popen[bytes]"
) -> int:
    while process.poll() is None:
        cursor = execute("SELECT count(*) FROM carrel_attempt")
        found: int = cursor.fetchone()[0]  # type: ignore[attr-defined]  # a cursor
        if found >= count:
            return found
        time.sleep(0.05)
    raise SystemExit("carrel persist ended before it was done")


def _send(fleet: FleetSettings, contents: Sequence[bytes]) -> None:
    producer = kafka.open_producer(kafka.producer_settings(fleet, name="bench"))
    for number, each in enumerate(contents):
        producer.produce(fleet.topics.results, each, b"%d" % number)
    if producer.flush(120):
        raise SystemExit("the mock cluster did not take all results")


def _new_database(server: PostgresServer) -> str:
    db = server.new_database()
    with connect(connection_settings(db)) as connection:
        apply_migrations(connection)
    return db


def _compare(
    server: PostgresServer, fleet: FleetSettings, contents: list[bytes], runs: int
) -> None:
    read = [rows for each in contents if (rows := rows_of(delivery(each))) is not None]
    _send(fleet, contents)
    alone, one_table, persisted = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            alone.append(_alone(_new_database(server), read, list(_COLUMNS)))
            persisted.append(_persisted(_new_database(server), fleet, Path(folder), len(contents)))
            one_table.append(_alone(_new_database(server), read, ["ingest_fileset_platform"]))
    own, other, single = median(persisted), median(alone), median(one_table)
    print(f"{len(contents):,} results of {len(contents[0]):,} bytes")
    print(f"carrel persist            {own:7,.0f} results/s")
    print(f"psycopg, the same tables  {other:7,.0f} results/s   {own / other:5.2f}")
    print(f"psycopg, one table        {single:7,.0f} results/s   {own / single:5.2f}")


def main() -> None:
    """Time both, and print how they compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=10_000)
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    with postgres_server() as server, mock_broker() as broker:
        fleet = settings_for(broker.addresses)
        for topic in (fleet.topics.results, fleet.topics.file_results, fleet.topics.rejects):
            broker.make_topic(topic, _PARTITIONS)
        _compare(server, fleet, _contents(given.results, given.files), given.runs)


if __name__ == "__main__":
    main()
