# SPDX-License-Identifier: AGPL-3.0-or-later
"""Databases that are prepared, adopted, or refused."""

import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from carrel.errors import NoDatabase, OtherDatabase, UsageError
from carrel.fleet.postgres.connection import connect, connection_settings
from carrel.fleet.postgres.migrations import apply_migrations, check_prepared, migrations
from carrel.fleet.postgres.rows import rows_of
from carrel.fleet.postgres.store import store
from support.delivered import delivery, result, statuses
from support.postgres_server import PostgresServer

# As sandcrawler's migrations make it: in another order, with a CHECK of another column.
SANDCRAWLERS = """
CREATE TABLE ingest_file_result (
    ingest_type TEXT NOT NULL CHECK (octet_length(ingest_type) >= 1),
    base_url TEXT NOT NULL CHECK (octet_length(base_url) >= 1),
    updated TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    hit BOOLEAN NOT NULL,
    status TEXT CHECK (octet_length(terminal_url) >= 1),
    terminal_url TEXT, terminal_dt TEXT, terminal_status_code INT, terminal_sha1hex TEXT,
    PRIMARY KEY (ingest_type, base_url)
);
CREATE INDEX ingest_file_result_terminal_url_idx ON ingest_file_result (terminal_url);
INSERT INTO ingest_file_result (ingest_type, base_url, hit, status)
VALUES ('pdf', 'https://x.example/a.pdf', true, 'success');
CREATE TABLE cdx (url TEXT);
"""


@pytest.fixture
def opened(empty: str) -> Iterator[psycopg.Connection]:
    with connect(connection_settings(empty)) as connection:
        yield connection


def test_an_empty_database_is_prepared_once(opened: psycopg.Connection) -> None:
    with pytest.raises(OtherDatabase, match="--init"):
        check_prepared(opened)

    assert apply_migrations(opened) == [each.name for each in migrations()]

    check_prepared(opened)
    assert apply_migrations(opened) == []


def test_two_that_prepare_at_the_same_time_do_not_disturb_each_other(empty: str) -> None:
    applied: list[str] = []

    def prepare() -> None:
        with connect(connection_settings(empty)) as connection:
            applied.extend(apply_migrations(connection))

    threads = [threading.Thread(target=prepare) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert sorted(applied) == [each.name for each in migrations()]


def test_a_database_of_sandcrawler_is_adopted_with_what_it_holds(
    opened: psycopg.Connection,
) -> None:
    opened.execute(SANDCRAWLERS.encode())

    apply_migrations(opened)

    rows = rows_of(delivery(result()))
    assert rows is not None
    assert store(opened, [rows]) == []
    assert statuses(opened) == ["success", "success"]


def test_a_column_that_a_row_may_lack_is_no_hindrance(opened: psycopg.Connection) -> None:
    opened.execute(SANDCRAWLERS.encode())
    opened.execute("ALTER TABLE ingest_file_result ADD note TEXT, ADD n INT NOT NULL DEFAULT 0")

    apply_migrations(opened)

    check_prepared(opened)


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ("DROP COLUMN terminal_dt", "ingest_file_result: terminal_dt is missing"),
        ("ALTER hit TYPE TEXT", "hit is text, not boolean"),
        ("ALTER terminal_url SET NOT NULL", "terminal_url may not be NULL"),
        ("ADD note TEXT NOT NULL", "note must have a value"),
        ("DROP CONSTRAINT ingest_file_result_pkey", r"the key is \(\)"),
    ],
)
def test_another_database_is_refused_with_the_difference_and_left_as_it_is(
    opened: psycopg.Connection, change: str, difference: str
) -> None:
    opened.execute(SANDCRAWLERS.encode())
    opened.execute("DELETE FROM ingest_file_result")
    opened.execute(f"ALTER TABLE ingest_file_result {change}".encode())

    with pytest.raises(OtherDatabase, match=difference):
        apply_migrations(opened)

    tables = opened.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert sorted(tables.fetchall()) == [("cdx",), ("ingest_file_result",)]


def test_a_step_of_a_newer_version_is_refused(opened: psycopg.Connection) -> None:
    apply_migrations(opened)
    opened.execute("INSERT INTO carrel_migration (number, name, sha256) VALUES (9999, 'x', 'y')")

    for check in (check_prepared, apply_migrations):
        with pytest.raises(OtherDatabase, match="9999"):
            check(opened)


def test_who_writes_results_needs_no_more_than_three_rights(
    postgres: PostgresServer, prepared: str
) -> None:
    role = f"writer_{prepared.rpartition('_')[2]}"
    with connect(connection_settings(prepared)) as owner:
        owner.execute(f"CREATE ROLE {role} LOGIN".encode())
        as_writer = connection_settings(prepared.replace("carrel@", f"{role}@"))
        with connect(as_writer) as writer, pytest.raises(OtherDatabase, match="carrel_migration"):
            check_prepared(writer)
        owner.execute(f"GRANT SELECT ON carrel_migration TO {role}".encode())
        with connect(as_writer) as writer, pytest.raises(OtherDatabase, match="SELECT"):
            check_prepared(writer)
        for table in ("ingest_request", "ingest_file_result", "ingest_fileset_platform"):
            owner.execute(f"GRANT SELECT, INSERT, UPDATE ON {table} TO {role}".encode())
        owner.execute(f"GRANT SELECT, INSERT ON carrel_attempt TO {role}".encode())
    rows = rows_of(delivery(result()))
    assert rows is not None

    with connect(as_writer) as writer:
        check_prepared(writer)

        assert store(writer, [rows]) == []


def test_a_database_of_another_encoding_is_refused(postgres: PostgresServer, empty: str) -> None:
    with connect(connection_settings(empty)) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")

    with pytest.raises(OtherDatabase, match="LATIN1"):
        connect(connection_settings(postgres.url("latin")))


def test_without_a_server_it_is_said_which_database_was_wanted() -> None:
    with pytest.raises(NoDatabase, match=r"results@127\.0\.0\.1"):
        connect(connection_settings("postgresql://u@127.0.0.1:1/results"))


@pytest.mark.parametrize(
    "db",
    ["postgresql://u:hunter2@h/d", "host=h password=hunter2", "postgresql://h/d?password=hunter2"],
)
def test_a_password_in_the_address_is_refused_and_not_repeated(db: str) -> None:
    with pytest.raises(UsageError, match="PGPASSFILE") as refused:
        connection_settings(db)

    assert "hunter2" not in str(refused.value)


def test_the_password_comes_from_the_service_manager(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    (tmp_path / "pgpass").write_text("*:*:*:*:hunter2")
    assert connection_settings("postgresql://h/d")["passfile"] == str(tmp_path / "pgpass")

    (tmp_path / "postgres-password").write_text("hunter2\n")

    assert "hunter2" in connection_settings("postgresql://h/d").values()


def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(UsageError, match="--db"):
        connection_settings("postgresql://h/d?nonsense=1")
