# SPDX-License-Identifier: AGPL-3.0-or-later
"""The numbers of runs: strictly growing, and so many that no folder swells."""

from collections import Counter

import pytest

from support.dark_archives import BEGINNING, World, papers

MANY = papers(*map(str, range(20)))


@pytest.mark.parametrize("most", [1, 2, 3, 7, 20, 21, 22])
def test_no_folder_holds_more_than_a_number_may(world: World, most: int) -> None:
    world.write(a=MANY)

    report = world.gather(batch_objects=most)

    held = Counter(path.parent for path in world.store.glob("*/*/*/*%3A*"))
    assert sum(held.values()) == 21
    assert max(held.values()) <= most
    assert report.counts["appeared"] == 20
    assert world.is_sound()


def test_further_numbers_belong_to_the_run_that_took_them(world: World) -> None:
    world.write(a=MANY)

    report = world.gather(batch_objects=5)

    taken = world.rows("SELECT tist, run, finished IS NOT NULL, scope_ok FROM run ORDER BY tist")
    assert taken == [(report.tist + number, report.tist, 1, 1) for number in range(5)]


def test_what_is_kept_lies_where_its_number_says(world: World) -> None:
    world.write(a=MANY)
    world.gather(batch_objects=5)

    places = world.rows("SELECT stored, path FROM content")
    versions = world.rows(
        "SELECT count(*) FROM version AS v JOIN content AS c USING (sha256) WHERE v.tist = c.stored"
    )

    assert [str(stored)[::-1] for stored, _ in places] == [
        path.rpartition("/")[0].replace("/", "") for _, path in places
    ]
    assert versions == [(20,)]


def test_two_runs_within_a_second_have_numbers_of_their_own(world: World) -> None:
    world.write(a=MANY)
    first = world.gather(batch_objects=5)
    world.write(a=MANY.replace("Title: ", "Title: The "))

    second = world.gather(days=0)

    assert first.tist == int(world.clock.seconds())
    assert second.tist == first.tist + 5
    assert world.is_sound()


def test_a_clock_that_was_set_back_changes_nothing_of_the_order(world: World) -> None:
    world.write(a=papers("Ebb"))
    first = world.gather()
    world.write(a=papers("Flow"))

    second = world.gather(days=-400)

    assert second.tist == first.tist + 1
    assert world.rows("SELECT wall_clock FROM run ORDER BY tist") == [
        ("2025-01-07T12:00:00Z",),
        ("2023-12-04T12:00:00Z",),
    ]
    assert [each.kind for each in world.log()] == ["appearance", "change"]
    assert world.clock.moment < BEGINNING
    assert world.is_sound()
