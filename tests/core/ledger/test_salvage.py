# SPDX-License-Identifier: AGPL-3.0-or-later
"""Rows of a damaged ledger, carried over into a new one."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from carrel.ledger import Ledger
from carrel.ledger.salvage import salvage
from support.dark_archives import World, papers, rows

PAGE = 4096
REQUESTS = 400


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A ledger with some hundred requests, not damaged yet."""
    path = tmp_path / "damaged.sqlite"
    Ledger(path, writing=True).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(
            "INSERT INTO requests (ingest_type, base_url, created, request)"
            " VALUES ('dataset', ?, '2025-01-06', ?)",
            [(f"http://example.org/{each}", f'{{"n": "{"x" * 200}"}}') for each in range(REQUESTS)],
        )
    return path


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    path = tmp_path / "fresh.sqlite"
    Ledger(path, writing=True).close()
    return path


def pages_of(path: Path, table: str) -> list[int]:
    """Return where the pages of a table's rows lie, by what stands on them."""
    data = path.read_bytes()
    return [
        at
        for at in range(0, len(data), PAGE)
        if data[at : at + 1] == b"\x0d" and b"http://example.org/" in data[at : at + PAGE]
    ]


def spoil(path: Path, at: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(b"\xa5" * PAGE)


def test_of_a_sound_ledger_every_row_is_carried(damaged: Path, fresh: Path) -> None:
    carried = salvage(damaged, fresh)

    assert carried["requests"] == REQUESTS
    assert rows(fresh, "SELECT * FROM requests") == rows(damaged, "SELECT * FROM requests")


def test_a_damaged_page_hides_the_rows_on_it_and_no_others(damaged: Path, fresh: Path) -> None:
    places = pages_of(damaged, "requests")
    spoil(damaged, places[len(places) // 2])

    carried = salvage(damaged, fresh)

    assert REQUESTS - 20 < carried["requests"] < REQUESTS
    ids = [each for (each,) in rows(fresh, "SELECT id FROM requests ORDER BY id")]
    assert (ids[0], ids[-1]) == (1, REQUESTS)


def test_what_follows_from_the_journal_is_not_carried_and_its_copy_is(
    tmp_path: Path, fresh: Path
) -> None:
    with World(tmp_path / "world") as world:
        world.gather_files(a=papers("Ebb"))

    carried = salvage(tmp_path / "world" / "archive" / "carrel.sqlite", fresh)

    assert carried["journal_group"] == 4
    assert "obi" not in carried
    assert rows(fresh, "SELECT count(*) FROM obi") == [(0,)]


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_what_is_no_ledger_at_all_gives_nothing(
    tmp_path: Path, fresh: Path, content: bytes
) -> None:
    (tmp_path / "nothing.sqlite").write_bytes(content)

    carried = salvage(tmp_path / "nothing.sqlite", fresh)

    assert set(carried.values()) == {0}


def test_a_row_that_makes_no_sense_any_more_stays_behind(damaged: Path, fresh: Path) -> None:
    with closing(sqlite3.connect(damaged)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE requests SET request = '{' WHERE id = 7")
        connection.execute("UPDATE requests SET base_url = CAST(x'ff41' AS TEXT) WHERE id = 9")

    carried = salvage(damaged, fresh)

    assert REQUESTS - 2 <= carried["requests"] <= REQUESTS - 1
