# SPDX-License-Identifier: AGPL-3.0-or-later
"""A real Postgres for the tests of what is stored in it."""

from collections.abc import Iterator

import psycopg
import pytest

from carrel.fleet.postgres.connection import connect, connection_settings
from carrel.fleet.postgres.migrations import apply_migrations
from support.postgres_server import PostgresServer, postgres_server


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as running:
        yield running


@pytest.fixture
def empty(postgres: PostgresServer) -> str:
    """The URL of a database with nothing in it."""
    return postgres.new_database()


@pytest.fixture
def prepared(empty: str) -> str:
    """The URL of a database with the tables."""
    with connect(connection_settings(empty)) as connection:
        apply_migrations(connection)
    return empty


@pytest.fixture
def connection(prepared: str) -> Iterator[psycopg.Connection]:
    with connect(connection_settings(prepared)) as opened:
        yield opened
