# SPDX-License-Identifier: AGPL-3.0-or-later
"""A ledger of an older Carrel is brought up to date as a whole, or stays as it was."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from carrel.errors import ArchiveError
from carrel.ledger import Ledger
from carrel.ledger.schema import migrations


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
