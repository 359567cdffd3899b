# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a check says of an archive that is being written to, or was left in the middle of it."""

from dataclasses import replace

import pytest

from carrel.dark_archive.store_session import StoreSession
from carrel.engine.dark.ledger_file import FoundLedger
from carrel.engine.dark.verification import check
from carrel.model.dark import RunBegan, RunSource
from carrel.model.dark_views import DarkCheck, RunProgress
from support.dark_archives import HTML, CaptureStore, World, damage, handle, papers, template

A = "aaa/wpaper/a.rdf"


@pytest.fixture
def known(world: World) -> World:
    world.gather(CaptureStore({A: papers("Ebb", "Flow").encode(), "b.rdf": HTML}))
    return world


def began(world: World, keeping: StoreSession) -> RunBegan:
    tist = keeping.next_tist()
    return RunBegan(tist, "RePEc", RunSource.DIRECTORY, "/data", tist, keeping.wall_clock())


def checked_by_writer(world: World, **given: object) -> DarkCheck:
    found = FoundLedger(world.ledger.dark, is_writing=True)
    return check(world.archive, found, lambda told: None, **given)  # type: ignore[arg-type]


def test_what_a_kill_left_of_the_ledger_is_no_damage(known: World) -> None:
    with known.keeping() as keeping:
        keeping.journal.append([began(known, keeping)])

    assert known.check().faults == ()
    assert checked_by_writer(known).faults == ()
    assert known.rows("SELECT count(*) FROM run") == [(2,)]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (
            "UPDATE obi SET series = NULL, state = 'lost' WHERE obi_id = 1",
            "1 row contradicts the journal: obi_id 1 (series is empty, should be wpaper, state is "
            "lost, should be present)",
        ),
        (
            "DELETE FROM reading WHERE container_id = 1",
            "1 row is missing: container_id 1, ",
        ),
        (
            "INSERT INTO purge VALUES ('0', 1, 'none'), ('1', 1, 'none')",
            "2 rows are not in the journal: sha256 0, at 1, reason none; sha256 1, ",
        ),
    ],
)
def test_rows_that_differ_are_told_once_and_with_what_differs(
    known: World, damage: str, said: str
) -> None:
    with known.ledger._connection.writing() as db:
        db.execute(damage)

    (fault,) = known.check().faults

    assert fault.message.startswith(said)
    assert "None" not in fault.message


def test_a_ledger_that_lacks_more_than_a_kill_leaves_is_damage(known: World) -> None:
    with known.keeping() as keeping:
        first = began(known, keeping)
        keeping.journal.append([first])
        keeping.journal.append([replace(first, tist=first.tist + 1)])

    (fault,) = checked_by_writer(known).faults

    assert (fault.where, fault.message) == ("ledger", "It lacks the last 2 groups of the journal.")


def test_what_a_kill_left_in_the_store_is_no_damage(known: World) -> None:
    with known.keeping() as keeping:
        run = began(known, keeping)
        keeping.commit([run])
        batch = keeping.store.batch(run.tist)
        batch.put_bytes("RePEc:aaa:wpaper:7", b"x\n", sha256="0" * 64, md5="0" * 32)
        batch.place()

    assert known.check().faults == ()
    assert checked_by_writer(known).faults == ()
    assert known.check().faults == ()


def test_while_another_process_writes_the_ledger_is_not_held_against_the_journal(
    known: World,
) -> None:
    def go_on(told: RunProgress) -> None:
        if told.phase == "ledger":
            known.gather(CaptureStore({A: template(handle(1), "Ebb, revised").encode()}))

    found = check(known.archive, FoundLedger(known.ledger.dark), go_on)

    assert found.faults == ()
    assert "Another process is writing" in found.notes[0]


def test_the_outcome_is_journalled_by_who_may_write(known: World) -> None:
    known.check()
    before = known.rows("SELECT count(*) FROM fixity_run")

    done = checked_by_writer(known)

    assert before == [(0,)]
    assert known.rows("SELECT contents, size, faults FROM fixity_run") == [
        (done.contents, done.size, 0)
    ]


def test_an_object_that_is_not_there_is_not_counted_as_read(known: World) -> None:
    whole = known.check()
    path = known.path_of(handle(1))
    size = path.stat().st_size
    path.unlink()

    done = checked_by_writer(known)

    assert (done.contents, done.size) == (whole.contents - 1, whole.size - size)
    assert done.unread == 1
    assert known.rows("SELECT contents, faults FROM fixity_run") == [(whole.contents, 1)]


def test_what_was_bad_is_noted_until_it_is_sound_again(known: World) -> None:
    path = known.path_of(handle(1))
    whole = path.read_bytes()
    damage(path, b"x")
    checked_by_writer(known)
    bad = known.ledger.dark.contents.faulty()
    damage(path, whole)

    checked_by_writer(known)

    assert len(bad) == 1
    assert known.ledger.dark.contents.faulty() == []


def test_a_check_that_is_stopped_is_not_journalled(known: World) -> None:
    done = checked_by_writer(known, is_cancelled=lambda: True)

    assert done.contents == 0
    assert known.rows("SELECT count(*) FROM fixity_run") == [(0,)]


def test_a_check_says_how_far_it_has_come(known: World) -> None:
    told: list[RunProgress] = []

    check(known.archive, FoundLedger(known.ledger.dark), told.append)

    assert {each.phase for each in told} == {"journal", "store", "ledger"}
    assert [(each.done, each.total) for each in told if each.phase == "store"] == [(1, 4)]


def test_bytes_that_are_bad_are_put_right_when_they_come_again(known: World) -> None:
    ((path,),) = known.rows("SELECT path FROM content WHERE path LIKE '%redif%a.rdf'")
    damage(known.store / path, b"x")
    checked_by_writer(known)

    known.gather(CaptureStore({"c.rdf": papers("Ebb", "Flow").encode()}))

    assert known.check().faults == ()
    assert known.is_sound()
