# SPDX-License-Identifier: AGPL-3.0-or-later
"""A ledger of an older Carrel is brought up to date as a whole, or stays as it was."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from carrel.errors import ArchiveError
from carrel.ledger import Ledger
from carrel.ledger.connection import STEPS
from carrel.ledger.older import kept_beside
from carrel.ledger.schema import migrations
from support import older_ledgers


def steps(path: Path) -> list[str]:
    """Return the names of the steps that a ledger has taken."""
    with closing(sqlite3.connect(path)) as connection:
        return [each.name for each in migrations.applied(Database(connection))]


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A ledger without what came after the accessions."""
    path = tmp_path / "carrel.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        migrations.apply(Database(connection), stop_before="datasets")
    return path


def test_it_takes_all_steps_that_it_lacks(older: Path) -> None:
    taken = steps(older)

    Ledger(older, writing=True).close()

    assert steps(older)[: len(taken)] == taken
    assert {"datasets", "schedule_runs"} <= set(steps(older)) - set(taken)


def test_where_a_later_step_fails_none_is_taken(older: Path) -> None:
    taken = steps(older)
    with closing(sqlite3.connect(older)) as connection:
        connection.execute("CREATE TABLE schedule_runs (in_its_way)")

    with pytest.raises(ArchiveError, match="schedule_runs already exists"):
        Ledger(older, writing=True)

    assert steps(older) == taken


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, str]]:
    """What a ledger is made of that begins today."""
    path = tmp_path_factory.mktemp("fresh") / "carrel.sqlite"
    Ledger(path, writing=True).close()
    with closing(sqlite3.connect(path)) as connection:
        return older_ledgers.schema(connection)


def test_every_schema_there_was_is_kept_as_a_file() -> None:
    kept = {path.stem for path in older_ledgers.SCHEMAS.glob("*.sql")}

    assert kept == set(older_ledgers.steps()), "python tests/support/older_ledgers.py writes it"


@pytest.mark.parametrize("step", older_ledgers.steps())
def test_steps_make_today_what_they_made_then(tmp_path: Path, step: str) -> None:
    path = tmp_path / "carrel.sqlite"
    older_ledgers.write_as_then(step, path)

    with closing(sqlite3.connect(path)) as then, closing(older_ledgers.after(step)) as today:
        assert older_ledgers.schema(then) == older_ledgers.schema(today)


@pytest.mark.parametrize("step", older_ledgers.steps())
def test_a_ledger_of_any_time_becomes_one_of_today_with_its_datasets(
    tmp_path: Path, step: str, fresh: list[tuple[str, str, str]]
) -> None:
    path = tmp_path / "carrel.sqlite"
    older_ledgers.write_as_then(step, path)

    with Ledger(path, writing=True) as ledger:
        assert [each["ingest_id"] for each in ledger.holdings.listed()] == ["older"]

    with closing(sqlite3.connect(path)) as connection:
        assert older_ledgers.schema(connection) == fresh


@pytest.mark.parametrize("step", older_ledgers.steps()[:-1])
def test_the_ledger_as_it_was_is_kept_beside_it(tmp_path: Path, step: str) -> None:
    path = tmp_path / "carrel.sqlite"
    older_ledgers.write_as_then(step, path)

    Ledger(path, writing=True).close()

    kept = kept_beside(path, step)
    with closing(sqlite3.connect(kept)) as then, closing(older_ledgers.after(step)) as expected:
        assert list(then.iterdump()) == list(expected.iterdump())


def test_a_ledger_of_today_is_known_by_its_steps(tmp_path: Path) -> None:
    Ledger(tmp_path / "ledger.sqlite", writing=True).close()
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as connection:
        taken = migrations.applied(Database(connection, execute_plugins=False))

    assert (len(taken), taken[-1].name) == STEPS


def test_a_ledger_of_today_has_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "carrel.sqlite"
    Ledger(path, writing=True).close()

    Ledger(path, writing=True).close()

    assert sorted(each.name for each in tmp_path.glob("*.sqlite")) == ["carrel.sqlite"]


def test_an_older_ledger_that_is_only_read_stays_as_it_was(older: Path) -> None:
    before = older.read_bytes()

    Ledger(older, writing=False).close()

    assert older.read_bytes() == before
    assert [each.name for each in older.parent.iterdir()] == [older.name]


def test_a_ledger_of_a_newer_carrel_is_read_and_never_written(tmp_path: Path) -> None:
    path = tmp_path / "carrel.sqlite"
    older_ledgers.write_as_then(older_ledgers.steps()[-1], path)
    Ledger(path, writing=True).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) "
            "VALUES ('carrel', 'of_next_year', '2027-01-01')"
        )
        connection.execute("CREATE TABLE of_next_year (what)")
    before = path.read_bytes()

    with pytest.raises(ArchiveError, match="newer version of Carrel"):
        Ledger(path, writing=True)

    with Ledger(path, writing=False) as ledger:
        assert [each["ingest_id"] for each in ledger.holdings.listed()] == ["older"]
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("carrel-*.sqlite"))
