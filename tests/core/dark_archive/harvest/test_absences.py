# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is missed: lost at once, waited for, or not looked at."""

import pytest

from support.dark_archives import (
    HTML,
    CaptureStore,
    Incidence,
    Stop,
    World,
    handle,
    papers,
    template,
)

A, B, FOG = "aaa/wpaper/a.rdf", "aaa/wpaper/b.rdf", "bbb/journl/fog.rdf"
EBB, FLOW = papers("Ebb").encode(), template(handle(2), "Flow").encode()
OTHER = papers("Fog", series="journl", archive="bbb").encode()
FOG_1 = handle(1, "journl", "bbb")
UNTIL_NOW = {A: EBB, B: FLOW, FOG: OTHER}


def lost(world: World) -> list[tuple[int, str, str | None, int | None]]:
    return [
        (each.run, each.ident, each.cause, each.since)
        for each in world.log()
        if each.kind == "deletion"
    ]


@pytest.fixture
def known(world: World) -> World:
    """A world in which two archives were read once."""
    world.gather(CaptureStore(UNTIL_NOW))
    return world


def test_a_template_that_its_file_names_no_more_is_lost_at_once(known: World) -> None:
    known.gather(CaptureStore({**UNTIL_NOW, B: template(handle(3)).encode()}))

    assert lost(known) == [(2, handle(2), "not-in-data", 2)]


def test_a_file_that_vanishes_from_a_living_archive_is_lost_at_once(known: World) -> None:
    report = known.gather(CaptureStore({A: EBB, FOG: OTHER}))

    assert lost(known) == [(2, handle(2), "not-in-data", 2)]
    assert (report.counts["containers gone"], report.counts["lost"]) == (1, 1)


def test_a_whole_archive_that_is_away_is_one_event_and_nothing_is_lost(known: World) -> None:
    report = known.gather(CaptureStore({FOG: OTHER}))

    assert lost(known) == []
    assert known.states() == {handle(1): "suspect", handle(2): "suspect", FOG_1: "present"}
    assert known.rows("SELECT archive, pending FROM archive_missed") == [("aaa", 2)]
    assert report.problems == [
        "Nothing of the archive aaa could be read; its 2 templates are suspects until another "
        "harvest, some days from now, misses them too."
    ]


def test_a_template_without_a_handle_whose_file_is_away_is_of_no_nameless_archive(
    world: World,
) -> None:
    world.gather(CaptureStore({A: EBB, FOG: template(None, "Undertow").encode()}))

    report = world.gather(CaptureStore({A: EBB}))

    assert report.problems == [
        "The file of 1 template without a handle could not be read; it is a suspect until another "
        "harvest, some days from now, misses it too."
    ]


def test_of_an_archive_with_one_template_one_is_told(known: World) -> None:
    report = known.gather(CaptureStore({A: EBB, B: FLOW}))

    assert report.problems == [
        "Nothing of the archive bbb could be read; its 1 template is a suspect until another "
        "harvest, some days from now, misses it too."
    ]


def test_a_run_whose_number_is_far_ahead_of_the_clock_says_so(known: World) -> None:
    known.gather(CaptureStore(UNTIL_NOW), days=400)

    ahead = known.gather(CaptureStore(UNTIL_NOW), days=-399)
    level = known.gather(CaptureStore(UNTIL_NOW), days=400)

    (problem,) = ahead.problems
    assert problem.startswith("An earlier run is dated in the future: this computer's clock")
    assert level.problems == []


def test_a_second_look_too_soon_confirms_nothing(known: World) -> None:
    known.gather(CaptureStore({FOG: OTHER}))

    known.gather(CaptureStore({FOG: OTHER}), days=6.99)

    assert lost(known) == []


def test_a_second_look_days_later_confirms_the_loss_since_the_first(known: World) -> None:
    known.gather(CaptureStore({FOG: OTHER}))

    known.gather(CaptureStore({FOG: OTHER}), days=7)

    assert lost(known) == [
        (3, handle(1), "archive-not-in-data", 2),
        (3, handle(2), "archive-not-in-data", 2),
    ]


def test_an_archive_that_is_back_in_time_was_never_away(known: World) -> None:
    known.gather(CaptureStore({FOG: OTHER}))

    known.gather(CaptureStore(UNTIL_NOW), days=30)

    assert known.log(2) + known.log(3) == []
    assert set(known.states().values()) == {"present"}


def test_what_is_missed_while_its_archive_is_back_in_part_is_lost_since_the_first_look(
    known: World,
) -> None:
    known.gather(CaptureStore({FOG: OTHER}))

    known.gather(CaptureStore({A: EBB, FOG: OTHER}))

    assert lost(known) == [(3, handle(2), "not-in-data", 2)]


def test_in_strict_mode_the_first_look_is_believed(known: World) -> None:
    known.gather(CaptureStore({FOG: OTHER}), confirm_after_s=0)

    assert [each[:2] for each in lost(known)] == [(2, handle(1)), (2, handle(2))]


@pytest.mark.parametrize("content", [HTML, b"", b"Nothing here.", b"<rdf:RDF></rdf:RDF>"])
def test_a_file_that_is_no_redif_any_more_loses_nothing(known: World, content: bytes) -> None:
    spoiled = {A: content, B: content, FOG: OTHER}

    known.gather(CaptureStore(spoiled))
    known.gather(CaptureStore(spoiled), days=30)
    known.gather(CaptureStore(UNTIL_NOW))

    assert known.log(2) + known.log(3) + known.log(4) == []
    assert set(known.states().values()) == {"present"}


def test_a_file_that_is_no_redif_at_first_and_then_gone_loses_what_it_held(known: World) -> None:
    known.gather(CaptureStore({**UNTIL_NOW, B: HTML}))

    known.gather(CaptureStore({A: EBB, FOG: OTHER}))

    assert lost(known) == [(3, handle(2), "not-in-data", 3)]


def test_a_source_without_any_file_concludes_nothing(known: World) -> None:
    report = known.gather(CaptureStore({}), confirm_after_s=0)

    assert not report.scope_ok
    assert lost(known) == []


@pytest.mark.parametrize("unread", ["aaa/", "aaa/wpaper/", "aaa/wpaper/b", "", "misc/"])
def test_below_a_folder_that_can_not_be_listed_nothing_is_lost(known: World, unread: str) -> None:
    known.gather(CaptureStore({FOG: OTHER, A: EBB}, unread=[unread]))

    assert lost(known) == []


def test_what_was_missed_once_is_not_lost_by_a_look_that_could_not_see_it(known: World) -> None:
    known.gather(CaptureStore({FOG: OTHER}))

    known.gather(CaptureStore({FOG: OTHER}, unread=["aaa/"]), days=30)

    assert lost(known) == []
    assert known.states()[handle(1)] == "suspect"


def test_a_template_may_have_moved_to_where_nobody_could_look(known: World) -> None:
    known.gather(CaptureStore({A: EBB, FOG: OTHER}, unread=["aaa/other/"]))
    known.gather(CaptureStore({A: EBB, FOG: OTHER, "aaa/other/b.rdf": FLOW}))

    assert known.log(2) + known.log(3) == []


def test_another_archive_that_can_not_be_listed_is_no_reason_to_wait(known: World) -> None:
    known.gather(CaptureStore({A: EBB}, unread=["bbb/"]))

    assert lost(known) == [(2, handle(2), "not-in-data", 2)]


def test_a_page_in_place_of_a_file_is_named_and_the_run_is_not_complete(known: World) -> None:
    walled = CaptureStore({A: EBB, B: b"<!DOCTYPE html><html>Are you human?</html>", FOG: OTHER})

    for count in (1, 2):  # what could not be read once is not read by being looked at again
        report = known.gather(walled)

        assert (report.unread, report.is_complete) == (1, False)
        assert report.counts["containers unreadable"] == 1
        assert [B in problem for problem in report.problems] == [True], count
    assert lost(known) == []


def test_a_file_that_can_not_be_opened_is_told_and_loses_nothing(known: World) -> None:
    report = known.gather(CaptureStore({A: EBB, FOG: OTHER}, closed=frozenset({B})))

    assert lost(known) == []
    assert report.problems == [f"{B} cannot be read: Permission denied."]
    assert report.counts["containers not observed"] == 1


def test_a_template_may_have_moved_to_a_file_that_can_not_be_opened(known: World) -> None:
    known.gather(CaptureStore({A: EBB, FOG: OTHER}, closed=frozenset({"aaa/wpaper/c.rdf"})))

    assert lost(known) == []


def test_a_run_that_is_stopped_concludes_nothing_and_forgets_nothing(known: World) -> None:
    changed = papers("Ebb, revised").encode()
    report = known.gather(CaptureStore({A: changed, FOG: OTHER}), is_cancelled=Stop(1))

    assert not report.scope_ok
    assert known.log(2) == [Incidence(2, "change", handle(1))]
    assert lost(known) == []


def test_the_next_run_concludes_what_a_stopped_one_had_missed(known: World) -> None:
    known.gather(CaptureStore({A: template(handle(5)).encode(), **UNTIL_NOW}), is_cancelled=Stop(1))
    capture_store = CaptureStore({A: template(handle(5)).encode(), B: FLOW, FOG: OTHER})
    known.gather(capture_store, is_cancelled=Stop(1))

    known.gather(capture_store)

    assert lost(known) == [(4, handle(1), "not-in-data", 3)]


def test_a_run_stopped_within_a_file_reads_it_again(world: World) -> None:
    many = papers(*map(str, range(450))).encode()
    world.gather(CaptureStore({A: many}), is_cancelled=Stop(1))
    begun = len(world.log())

    world.gather(CaptureStore({A: many}))

    assert begun == 200
    assert len(world.log()) == 450
    assert world.is_sound()


def test_a_template_without_a_handle_is_lost_at_once_when_it_gets_one(world: World) -> None:
    world.gather(CaptureStore({A: EBB + template(None, "Undertow").encode()}))

    world.gather(CaptureStore({A: EBB + template(handle(2), "Undertow").encode()}))

    assert [(each.kind, each.ident[:10]) for each in world.log(2)] == [
        ("appearance", "RePEc:aaa:"),
        ("deletion", "x-nohandle"),
    ]


def test_a_handle_without_a_colon_is_none(world: World) -> None:
    world.gather(CaptureStore({A: template("wp-1", "Undertow").encode()}))

    assert [each.ident.partition(":")[0] for each in world.log()] == ["x-nohandle"]
