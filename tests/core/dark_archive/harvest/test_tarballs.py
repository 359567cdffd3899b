# SPDX-License-Identifier: AGPL-3.0-or-later
"""Old data in their order, and out of it."""

import pytest

from carrel.errors import UsageError
from support.dark_archives import Incidence, Stop, World, handle, papers, template

A, B = "aaa/wpaper/a.rdf", "aaa/wpaper/b.rdf"
NOW = {A: papers("Ebb", "Flow")}
OLDER = {A: papers("Low water", "Flow"), B: template(handle(3), "Slack")}
# By the time that the members of tarballs bear here.
THEN = 1_000_000_000


def found(world: World) -> dict[str, int]:
    return dict(world.rows("SELECT ident_n, tist_found FROM obi_state"))


def test_an_older_tarball_is_refused_with_what_can_be_done(world: World) -> None:
    world.gather_tarball("2020-01-31.tar", NOW)

    with pytest.raises(UsageError, match=r"the last harvest.* give --backfill NAME"):
        world.gather_tarball("2019-12-31.tar", OLDER)

    assert world.log(2) == []


def test_one_of_the_same_day_is_read(world: World) -> None:
    world.gather_tarball("2020-01-31.tar", NOW)

    report = world.gather_tarball("RePEc-20200131.tar", NOW)

    assert report.counts["containers unchanged"] == 1


def test_one_older_than_a_folder_that_was_read_is_refused(world: World) -> None:
    world.gather_tree(NOW)

    with pytest.raises(UsageError, match="older"):
        world.gather_tarball("2019-12-31.tar", OLDER)


def test_one_older_than_one_that_was_read_in_part_is_refused(world: World) -> None:
    world.gather_tarball("2020-01-31.tar", {**NOW, B: OLDER[B]}, is_cancelled=Stop(1))

    with pytest.raises(UsageError, match="older"):
        world.gather_tarball("2019-12-31.tar", OLDER)


def test_a_whole_archive_that_is_away_is_lost_by_the_dates_of_the_data(world: World) -> None:
    fog = {"bbb/journl/fog.rdf": template(handle(1, "journl", "bbb"))}
    world.gather_tarball("2020-01-01.tar", {**NOW, **fog})
    world.gather_tarball("2020-02-01.tar", fog)

    world.gather_tarball("2020-02-08.tar", fog)

    assert [(each.ident, each.since) for each in world.log(3)] == [(handle(1), 2), (handle(2), 2)]


@pytest.fixture
def backfilled(world: World) -> World:
    world.gather_tarball("2020-01-31.tar", NOW)
    world.gather_tarball("2019-12-31.tar", OLDER, backfill="before")
    return world


def test_a_backfill_logs_what_nobody_knew_of_and_no_change_and_no_loss(backfilled: World) -> None:
    assert backfilled.log(2) == [Incidence(2, "appearance", handle(3))]
    assert backfilled.is_sound()


def test_a_backfill_adds_the_versions_that_were_not_known(backfilled: World) -> None:
    versions = backfilled.rows(
        "SELECT o.ident_n, v.src_tist FROM version AS v JOIN obi AS o USING (obi_id)"
        " JOIN run AS r USING (tist) WHERE r.source = 'backfill'"
        " AND v.sha256 NOT IN (SELECT sha256 FROM version WHERE tist < v.tist) ORDER BY 1"
    )

    assert versions == [(handle(1), THEN), (handle(3), THEN)]


def test_a_backfill_says_how_many_older_versions_it_added(world: World) -> None:
    world.gather_tarball("2020-01-31.tar", NOW)

    report = world.gather_tarball("2019-12-31.tar", OLDER, backfill="old")
    again = world.gather_tarball("2019-12-31.tar", OLDER, backfill="old")

    assert (report.counts["appeared"], report.counts["older versions"]) == (1, 1)
    assert "older versions" not in again.counts


def test_what_is_known_stays_known_by_its_newer_text(backfilled: World) -> None:
    backfilled.gather_tarball("2020-03-01.tar", NOW)

    assert [each.kind for each in backfilled.log(3)] == ["deletion"]


def test_a_backfill_moves_the_first_finding_to_the_older_date(world: World) -> None:
    world.gather_tarball("2020-01-31.tar", NOW, modified=THEN + 5)
    before = found(world)

    world.gather_tarball("2019-12-31.tar", OLDER, backfill="before")

    assert before == {handle(1): THEN + 5, handle(2): THEN + 5}
    assert found(world) == {handle(1): THEN, handle(2): THEN, handle(3): THEN}


def test_what_only_a_backfill_named_is_lost_by_the_next_run_in_turn(backfilled: World) -> None:
    backfilled.gather_tarball("2020-03-01.tar", NOW)

    assert backfilled.log(3) == [Incidence(3, "deletion", handle(3), "not-in-data", 3)]


def test_an_archive_that_only_a_backfill_named_is_lost_by_the_dates_of_the_data(
    world: World,
) -> None:
    old = {"ccc/x/c.rdf": template(handle(1, "x", "ccc"))}
    world.gather_tarball("2012-11-07.tar", NOW)
    world.gather_tarball("2014-05-01.tar", NOW)
    world.gather_tarball("2013-06-01.tar", old, backfill="between")

    report = world.gather_tarball("2016-01-01.tar", NOW)

    assert report.problems == []
    assert [(each.kind, each.ident) for each in world.log(4)] == [
        ("deletion", handle(1, "x", "ccc"))
    ]


def test_what_a_backfill_named_and_the_next_run_names_too_is_present(backfilled: World) -> None:
    backfilled.gather_tarball("2020-03-01.tar", {**NOW, B: OLDER[B]})

    assert backfilled.log(3) == []
    assert set(backfilled.states().values()) == {"present"}


def test_the_same_backfill_again_adds_nothing(backfilled: World) -> None:
    before = backfilled.rows("SELECT count(*) FROM version")

    report = backfilled.gather_tarball("2019-12-31.tar", OLDER, backfill="before")

    assert report.counts["containers unchanged"] == 2
    assert backfilled.rows("SELECT count(*) FROM version") == before


def test_a_further_backfill_that_names_less_casts_no_doubt_on_what_is_there(
    backfilled: World,
) -> None:
    backfilled.gather_tarball("2018-12-31.tar", {A: papers("Low water")}, backfill="before")
    backfilled.gather_tarball("2020-03-01.tar", {A: papers("Ebb")})

    assert [(each.kind, each.ident) for each in backfilled.log(4)] == [
        ("deletion", handle(2)),
        ("deletion", handle(3)),
    ]


def test_a_backfill_of_what_is_lost_leaves_it_lost(world: World) -> None:
    world.gather_tarball("2020-01-31.tar", NOW)
    world.gather_tarball("2020-02-28.tar", {A: papers("Ebb")})

    world.gather_tarball("2019-12-31.tar", OLDER, backfill="before")

    assert world.states()[handle(2)] == "lost"
    assert world.log(3) == [Incidence(3, "appearance", handle(3))]
    assert world.is_sound()
