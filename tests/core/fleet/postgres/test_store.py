# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results in a real Postgres: what replaces what, what is refused, and that twice is once."""

import random
from collections.abc import Sequence
from typing import Any

import psycopg
import pytest

from carrel.fleet.postgres.connection import connect, connection_settings
from carrel.fleet.postgres.migrations import apply_migrations
from carrel.fleet.postgres.rows import ResultRows, rows_of
from carrel.fleet.postgres.store import Reject, store
from support.delivered import delivery, file_result, fingerprint, result, statuses
from support.postgres_server import PostgresServer

NUL = "a\x00b"
SURROGATE = "a\ud800b"
# Its index entry has more than 2,704 bytes, which repetition would compress.
INCOMPRESSIBLE = "".join(chr(0x4E00 + number * 7919 % 20_000) for number in range(1400))


def rows(contents: Sequence[dict[str, Any]]) -> list[ResultRows]:
    read = [rows_of(delivery(each)) for each in contents]
    return [each for each in read if each is not None]


def put(connection: psycopg.Connection, *contents: dict[str, Any]) -> Sequence[Reject]:
    return store(connection, rows(contents))


def test_a_result_has_a_row_in_each_table(connection: psycopg.Connection) -> None:
    assert put(connection, result()) == []

    assert {table: count for table, (count, _) in fingerprint(connection).items()} == {
        "ingest_request": 1,
        "ingest_file_result": 1,
        "ingest_fileset_platform": 1,
        "carrel_attempt": 1,
    }
    found = connection.execute("SELECT manifest->1->>'path', updated FROM ingest_fileset_platform")
    path, updated = found.fetchone() or ("", None)
    assert (path, str(updated)) == ("b.csv", "2026-02-01 12:00:05+00:00")


def test_an_older_result_that_comes_late_loses(connection: psycopg.Connection) -> None:
    put(connection, result(second=9, status="not-found", hit=False))
    put(connection, result(second=5))

    assert statuses(connection) == ["not-found"]
    assert statuses(connection, "ingest_fileset_platform") == ["not-found"]
    assert statuses(connection, "carrel_attempt") == ["not-found", "success"]


@pytest.mark.parametrize("is_late", [False, True])
def test_what_exists_never_hides_a_success(
    connection: psycopg.Connection, *, is_late: bool
) -> None:
    both = [result(second=5), result(second=9, status="success-existing")]

    for each in reversed(both) if is_late else both:
        put(connection, each)

    assert statuses(connection) == ["success"]
    assert statuses(connection, "ingest_fileset_platform") == ["success"]


def test_a_dataset_may_come_several_times_in_one_batch(connection: psycopg.Connection) -> None:
    put(
        connection,
        result(second=5),
        result(second=7, status="not-found", hit=False),
        result(second=6, status="success-existing"),
    )

    assert statuses(connection) == ["not-found"]


@pytest.mark.parametrize("seed", range(6))
def test_read_again_from_the_beginning_nothing_changes(postgres: PostgresServer, seed: int) -> None:
    """However it is cut into batches, each row is the same; the second time none is touched."""
    chance = random.Random(seed)
    words = ["success", "success-existing", "not-found", "network-error", "success-file"]
    sent = [
        result(number, second=second, status=word, hit=word.startswith("success"))
        for number in range(12)
        for second in range(6)
        for word in [chance.choice(words)]
    ]
    chance.shuffle(sent)
    prints = []
    for size in (1, 7, len(sent)):
        with connect(connection_settings(postgres.new_database())) as connection:
            apply_migrations(connection)
            for _ in range(2):
                for start in range(0, len(sent), size):
                    assert put(connection, *sent[start : start + size]) == []
                prints.append((fingerprint(connection), versions(connection)))

    assert [each for each, _ in prints] == [prints[0][0]] * 6
    assert [each for _, each in prints[::2]] == [each for _, each in prints[1::2]]


def versions(connection: psycopg.Connection) -> list[tuple[object, ...]]:
    """Return where each row stands: another place for one that was written again."""
    tables = ("ingest_file_result", "ingest_fileset_platform")
    return [
        row
        for table in tables
        for row in connection.execute(f"SELECT ctid, xmin FROM {table} ORDER BY base_url".encode())
    ]


@pytest.mark.parametrize(
    "content",
    [
        result(2, title=NUL),
        result(2, platform_id=NUL),
        result(2, manifest=[{"path": NUL}]),
        result(2, title=SURROGATE),
        result(2, platform_domain=SURROGATE),
        result(2, manifest=[{"path": SURROGATE, SURROGATE: 1}]),
        result(2, manifest=[{"size": float("nan")}, {"size": float("inf")}]),
        result(2, total_size=2**63, file_count=2**80),
        result(2, manifest=[{"size": 2**200}]),
        result(2, terminal={"terminal_status_code": 2**40}),
        result(2, platform_domain=None),
    ],
)
def test_what_can_be_cleaned_is_stored(
    connection: psycopg.Connection, content: dict[str, Any]
) -> None:
    assert put(connection, result(1), content, result(3)) == []

    assert statuses(connection) == ["success"] * 3


@pytest.mark.parametrize(
    ("content", "sqlstate"),
    [
        (result(2, status=""), "23514"),
        (result(2, terminal={"terminal_dt": "2026"}), "23514"),
        (
            result(2, request={"ingest_type": "dataset", "base_url": INCOMPRESSIBLE}),
            "54000",
        ),
    ],
)
def test_a_row_that_postgres_refuses_is_found_among_many(
    connection: psycopg.Connection, content: dict[str, Any], sqlstate: str
) -> None:
    healthy = [result(number) for number in range(10, 43)]

    rejects = put(connection, *healthy[:20], content, *healthy[20:])

    assert [each.sqlstate for each in rejects] == [sqlstate]
    assert rejects[0].reason
    assert statuses(connection) == ["success"] * 33


def test_all_rows_of_a_batch_may_be_refused(connection: psycopg.Connection) -> None:
    rejects = put(connection, *(result(number, status="") for number in range(9)))

    assert len(rejects) == 9
    assert fingerprint(connection)["ingest_request"][0] == 0


def test_a_lost_connection_is_no_fault_of_a_row(
    prepared: str, connection: psycopg.Connection
) -> None:
    with connect(connection_settings(prepared)) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [connection.info.backend_pid])

    with pytest.raises(psycopg.OperationalError):
        put(connection, result(), result(2, status=""))


def test_the_file_of_a_dataset_has_a_row_beside_it(connection: psycopg.Connection) -> None:
    of_file = rows_of(delivery(file_result(), is_of_file=True))
    assert of_file is not None

    store(connection, [of_file, *rows([result(status="success-file")])])

    found = connection.execute("SELECT ingest_type, status FROM ingest_file_result ORDER BY 1")
    assert found.fetchall() == [("dataset", "success-file"), ("dataset-file", "success")]
    assert fingerprint(connection)["ingest_request"][0] == 1
