# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel persist` as a process, between a broker and a real Postgres, killed and restarted."""

import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import httpx

from carrel.fleet.postgres.connection import connect, connection_settings
from carrel.fleet.postgres.migrations import apply_migrations
from carrel.fleet.settings import FleetSettings, Groups
from support.archives import environment
from support.delivered import file_result, result
from support.kafka_brokers import MockBroker
from support.persisting import (
    committed,
    count,
    has_done,
    has_more,
    persisting,
    prints,
    rejects,
    send,
    wait_until,
)
from support.postgres_server import PostgresServer, free_port, postgres_server


def test_results_are_stored_and_poison_is_set_aside(
    fleet: FleetSettings, prepared: str, tmp_path: Path
) -> None:
    send(fleet, (result(number) for number in range(20)))
    send(fleet, [b"{", result(40, status=""), result(41, title="a\x00b")])
    send(fleet, [file_result(1)], fleet.topics.file_results)
    with persisting(fleet, prepared, tmp_path) as process:
        wait_until(lambda: committed(fleet, fleet.topics.results) == 23, "results")
        wait_until(lambda: committed(fleet, fleet.topics.file_results) == 1, "file results")
        found = rejects(fleet, 2)
        process.send_signal(signal.SIGTERM)

        assert process.wait(30) == 0

    assert count(prepared, "ingest_file_result") == 22
    assert sorted(each.get("sqlstate", "") for each in found) == ["", "23514"]
    for each in found:
        assert each["source"].startswith(f"{fleet.topics.results}/")
        assert each["worker"] == "p1"
        assert {"reason", "version", "at"} < each.keys()


def test_read_again_from_the_beginning_by_another_group_no_row_changes(
    fleet: FleetSettings, prepared: str, postgres: PostgresServer, tmp_path: Path
) -> None:
    words = ["success", "not-found", "success-existing"]
    send(
        fleet, (result(n, second=s, status=words[(n + s) % 3]) for s in range(4) for n in range(9))
    )
    with persisting(fleet, prepared, tmp_path):
        wait_until(lambda: committed(fleet, fleet.topics.results) == 36, "results")
    once = prints(prepared)
    other = postgres.new_database()
    with connect(connection_settings(other)) as connection:
        apply_migrations(connection)
    for db, group in ((prepared, "again"), (other, "afresh")):
        named = fleet.model_copy(update={"groups": Groups(persist=group)})
        with persisting(named, db, tmp_path):
            wait_until(partial(has_done, named, 36), group)

        assert prints(db) == once


def test_killed_in_the_midst_it_goes_on_and_nothing_is_lost_or_twice(
    fleet: FleetSettings, prepared: str, postgres: PostgresServer, tmp_path: Path
) -> None:
    for part in range(2):
        send(fleet, (result(number) for number in range(part * 1000, part * 1000 + 1000)))
        with persisting(fleet, prepared, tmp_path) as process:
            wait_until(partial(has_more, prepared, part * 1000), "a first batch")
            process.kill()
    with persisting(fleet, prepared, tmp_path):
        wait_until(lambda: committed(fleet, fleet.topics.results) == 2000, "results")

    assert {table: found for table, (found, _) in prints(prepared).items()} == {
        "ingest_request": 2000,
        "ingest_file_result": 2000,
        "ingest_fileset_platform": 2000,
        "carrel_attempt": 2000,
    }


def test_while_postgres_is_away_it_waits_and_skips_nothing(
    fleet: FleetSettings, tmp_path: Path
) -> None:
    with postgres_server() as postgres:
        db = postgres.new_database()
        with connect(connection_settings(db)) as connection:
            apply_migrations(connection)
        with persisting(fleet, db, tmp_path) as process:
            send(fleet, (result(number) for number in range(1000)))
            wait_until(lambda: count(db) > 0, "a first batch")
            postgres.stop()
            send(fleet, (result(number) for number in range(1000, 2000)))
            time.sleep(8)  # longer than the session: it must go on polling
            assert process.poll() is None
            postgres.start()
            wait_until(lambda: committed(fleet, fleet.topics.results) == 2000, "results")
            log = (tmp_path / "persist.log").read_text()

        assert count(db) == count(db, "ingest_file_result") == 2000
    assert "tried again in" in log
    assert "rejects" not in log
    assert "Partitions were lost" not in log


def test_brokers_that_go_and_come_back_lose_nothing(
    broker: MockBroker, fleet: FleetSettings, prepared: str, tmp_path: Path
) -> None:
    send(fleet, (result(number) for number in range(10)))
    with persisting(fleet, prepared, tmp_path):
        wait_until(lambda: count(prepared) == 10, "the first")
        broker.take_down()
        time.sleep(3)
        broker.bring_up()
        send(fleet, (result(number) for number in range(10, 20)))
        wait_until(lambda: committed(fleet, fleet.topics.results) == 20, "results")

    assert count(prepared) == 20


def ended(*arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "carrel", "persist", *arguments]
    env = environment(**variables)
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=60)


def test_a_database_is_prepared_by_the_command_and_then_used(
    fleet: FleetSettings, empty: str
) -> None:
    refused = ended("--db", empty, "--kafka", fleet.brokers)
    assert (refused.returncode, "--init" in refused.stderr) == (2, True)

    prepared = ended("--db", empty, "--init")

    assert prepared.returncode == 0, prepared.stderr
    assert "0002-attempts.sql" in prepared.stdout


def test_what_is_missing_at_the_start_is_told_by_the_exit_status(
    broker: MockBroker, prepared: str
) -> None:
    no_database = ended("--db", "postgresql://u@127.0.0.1:1/d", "--kafka", broker.addresses)
    no_topic = ended("--db", prepared, "--kafka", broker.addresses)
    no_broker = ended("--db", prepared, "--kafka", "127.0.0.1:1")
    wrong = ended("--db", "postgresql://u:hunter2@h/d", "--kafka", broker.addresses)

    assert [each.returncode for each in (no_database, no_topic, no_broker, wrong)] == [69, 2, 69, 2]
    assert "fleet topics --create" in no_topic.stderr
    assert "hunter2" not in wrong.stderr + wrong.stdout


def test_metrics_say_how_many_rows_were_stored(
    fleet: FleetSettings, prepared: str, tmp_path: Path
) -> None:
    address = f"127.0.0.1:{free_port()}"
    send(fleet, (result(number) for number in range(5)))
    with persisting(fleet, prepared, tmp_path, "--metrics", address):
        wait_until(lambda: committed(fleet, fleet.topics.results) == 5, "results")
        text = httpx.get(f"http://{address}/metrics").text
        health = httpx.get(f"http://{address}/healthz").status_code

    assert 'carrel_persist_rows_total{table="carrel_attempt"} 5.0' in text
    assert "carrel_persist_database_up 1.0" in text
    assert health == 200
