# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is requested again: what failed and may succeed, and what never came out."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner

from carrel.cli.program import carrel
from carrel.errors import UsageError
from carrel.fleet.postgres.rows import rows_of
from carrel.fleet.postgres.store import store
from carrel.fleet.requeue import Failed, failed_requests, missing_requests, statuses_of
from carrel.fleet.settings import FleetSettings
from carrel.model import IngestRequest
from carrel.model.status import Status
from support.delivered import delivery, result

Put = Callable[..., None]
NOW = datetime(2026, 2, 1, 13, tzinfo=UTC)


@pytest.fixture
def put(connection: psycopg.Connection) -> Put:
    def put(number: int, status: str, second: int = 5, **request: object) -> None:
        said = result(number, second=second, status=status, hit=status.startswith("success"))
        rows = rows_of(delivery({**said, "request": {**said["request"], **request}}))
        assert rows is not None
        store(connection, [rows])

    return put


def url(number: int) -> str:
    return f"https://doi.org/10.5072/{number}"


def test_what_may_succeed_later_is_requested_as_it_was(
    connection: psycopg.Connection, put: Put
) -> None:
    asked = {"link_source": "doi", "link_source_id": "10.5072/2", "release_stage": "published"}
    put(1, "success")
    put(2, "network-error", **asked, fatcat={"release_ident": "aaaaaaaaaaaaarceaaaaaaaaam"})
    put(3, "platform-restricted")

    found = list(failed_requests(connection, Failed(statuses_of(["retryable"]), NOW, 10)))

    assert [each.base_url for each in found] == [url(2)]
    assert found[0].to_json() == {
        "ingest_type": "dataset",
        "base_url": url(2),
        "fatcat": {"release_ident": "aaaaaaaaaaaaarceaaaaaaaaam"},
        **asked,
    }


def test_a_request_of_sandcrawlers_is_put_together_from_its_columns(
    connection: psycopg.Connection,
) -> None:
    connection.execute(
        "INSERT INTO ingest_request (link_source, link_source_id, ingest_type, base_url, request)"
        " VALUES ('doi', '10.5072/9', 'dataset', 'https://doi.org/10.5072/9',"
        """ '{"ext_ids": {"doi": "10.5072/9"}}')"""
    )
    connection.execute(
        "INSERT INTO ingest_file_result (ingest_type, base_url, hit, status, updated) VALUES"
        " ('dataset', 'https://doi.org/10.5072/9', false, 'read-timeout', '2026-01-01')"
    )

    (found,) = failed_requests(connection, Failed(statuses_of(["read-timeout"]), NOW, 10))

    assert (found.link_source, found.link_source_id) == ("doi", "10.5072/9")
    assert found.ext_ids == {"doi": "10.5072/9"}


def test_the_oldest_come_first_and_what_is_too_new_does_not(
    connection: psycopg.Connection, put: Put
) -> None:
    for number, second in ((1, 30), (2, 10), (3, 20), (4, 50)):
        put(number, "network-error", second)
    before = datetime(2026, 2, 1, 12, 0, 40, tzinfo=UTC)

    found = failed_requests(connection, Failed([Status.NETWORK_ERROR], before, 2))

    assert [each.base_url for each in found] == [url(2), url(3)]


def test_of_a_list_those_without_a_result_are_missing(
    connection: psycopg.Connection, put: Put
) -> None:
    for number in range(0, 1200, 2):
        put(number, "success")

    found = missing_requests(connection, (IngestRequest(url(number)) for number in range(1200)))

    assert [each.base_url for each in found] == [url(number) for number in range(1, 1200, 2)]


def test_a_word_that_is_no_status_is_refused() -> None:
    with pytest.raises(UsageError, match="lost"):
        statuses_of(["retryable", "lost"])


def test_the_command_puts_requests_onto_the_topic(
    fleet: FleetSettings, prepared: str, put: Put, tmp_path: Path
) -> None:
    put(1, "network-error")
    put(2, "not-found")
    path = tmp_path / "list.txt"
    path.write_text(f"{url(1)}\n{url(7)}\n")
    common = ["fleet", "requeue", "--db", prepared, "--kafka", fleet.brokers, "--json"]

    dry = CliRunner().invoke(carrel, [*common, "--dry-run"], catch_exceptions=False)
    failed = CliRunner().invoke(carrel, common, catch_exceptions=False)
    young = CliRunner().invoke(carrel, [*common, "--older-than", "9999w"], catch_exceptions=False)
    missing = CliRunner().invoke(carrel, [*common, "--missing", str(path)], catch_exceptions=False)

    assert json.loads(dry.stdout.splitlines()[0])["datasets"] == 1
    assert [json.loads(each.stdout)["submitted"] for each in (failed, young, missing)] == [1, 0, 1]
    assert requested(fleet, 2) == {url(1), url(7)}


def test_a_dry_run_says_how_many_there_are_and_sends_nothing(prepared: str, put: Put) -> None:
    put(1, "network-error")
    command = ["fleet", "requeue", "--db", prepared, "--dry-run"]  # no broker is asked

    told = CliRunner().invoke(carrel, command, catch_exceptions=False)
    none = CliRunner().invoke(
        carrel, [*command, "--status", "too-much-spn"], catch_exceptions=False
    )

    assert told.stdout.startswith("1 dataset at 2 hosts\n")
    assert none.stdout.startswith("0 datasets at 0 hosts\n")


def requested(fleet: FleetSettings, number: int) -> set[str]:
    from confluent_kafka import Consumer, TopicPartition

    consumer = Consumer({"bootstrap.servers": fleet.brokers, "group.id": "test"})
    consumer.assign([TopicPartition(fleet.topics.requests, each, 0) for each in range(4)])
    messages = consumer.consume(number, timeout=20)
    consumer.close()
    return {json.loads(message.value() or b"")["base_url"] for message in messages}
