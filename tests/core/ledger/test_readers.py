# SPDX-License-Identifier: AGPL-3.0-or-later
"""Long questions wait for no one, see one moment, and are given up when nobody waits for them."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.errors import ArchiveError, Overtaken
from carrel.ledger import Ledger
from carrel.model import Status
from carrel.model.done_jobs import DoneQuery
from support.queues import ended

# So many numbers that no machine has counted them before it looks whether it should.
LONG = """
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000)
SELECT count(*) FROM n
"""


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "carrel.sqlite", writing=True) as opened:
        yield opened


def test_a_question_waits_for_nobody_who_writes(ledger: Ledger) -> None:
    counted: list[int] = []
    with ledger._writing() as db:
        db.execute("INSERT INTO datasets DEFAULT VALUES")
        asking = threading.Thread(target=lambda: counted.append(ledger.catalogue.total()))
        asking.start()
        asking.join(20)

    assert counted == [0]


def test_whoever_writes_sees_what_it_wrote(ledger: Ledger) -> None:
    with ledger._writing() as db:
        db.execute("INSERT INTO datasets DEFAULT VALUES")
        with ledger._connection.apart() as ask:
            assert ask.column("SELECT count(*) FROM datasets") == [1]


def test_several_questions_are_answered_as_of_one_moment(ledger: Ledger) -> None:
    with ledger._connection.apart() as ask:
        before = ask.column("SELECT count(*) FROM jobs")
        ledger.jobs.add([ended(1, Status.SUCCESS)])
        assert ask.column("SELECT count(*) FROM jobs") == before == [0]
    assert ledger.jobs.now(DoneQuery(), 5).done == {(None, Status.SUCCESS): 1}


def test_what_is_not_wanted_any_more_is_given_up(ledger: Ledger) -> None:
    with pytest.raises(Overtaken), ledger._connection.apart(lambda: False) as ask:
        ask.column(LONG)
    assert ledger.catalogue.total() == 0  # and the next question is answered


def test_a_copy_that_stands_still_does_so_for_long_questions_too(ledger: Ledger) -> None:
    with ledger.standing_still() as copy:
        ledger.jobs.add([ended(1, Status.SUCCESS)])
        assert copy.jobs.now(DoneQuery(), 5).done == {}


def test_no_question_goes_on_after_the_ledger_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "carrel.sqlite"
    with Ledger(path, writing=True) as ledger:
        ledger.catalogue.total()
    assert [each.name for each in tmp_path.iterdir()] == [path.name]  # no log is left open


def test_closing_ends_a_question_and_leaves_no_file_open(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    ledger = Ledger(folder / "carrel.sqlite", writing=True)
    is_asking, errors = threading.Event(), list[Exception]()

    def ask() -> None:
        try:
            with ledger._connection.apart() as asking:
                is_asking.set()
                asking.column(LONG)
        except ArchiveError as error:
            errors.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    assert is_asking.wait(20)

    ledger.close()

    shutil.rmtree(folder)  # nothing is written there any more
    thread.join(20)
    assert [type(each) for each in errors] == [Overtaken]
    assert not folder.exists()
    with pytest.raises(ArchiveError):
        ledger.catalogue.total()
