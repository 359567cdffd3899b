# SPDX-License-Identifier: AGPL-3.0-or-later
"""Losses: references, resources and copies told apart, suspects and renames beside them."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from carrel.model.dark import (
    ArchiveMissed,
    ContainerSeen,
    ContainerState,
    Entry,
    FixityChecked,
    LossKind,
    ObiKind,
    Purged,
    RunEnded,
    RunSource,
)
from carrel.model.dark_views import LossRow, ObiState, SeriesRow, last_determining
from carrel.model.figures import Losses
from support.dark_ledgers import (
    APPEARED,
    BACK,
    CHANGED,
    DAY,
    FRIDAY,
    MONDAY,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    Chronicle,
    asked,
    began,
    content,
    handle,
    iso,
    lost,
    sha256,
    template,
    url,
)

ONE, TWO, OTHER = handle(1), handle(2), handle(7, "journl", "bbb")
PDF = "%PDF of Monday"


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Chronicle]:
    with Chronicle(tmp_path / "carrel.sqlite") as chronicle:
        yield chronicle


@pytest.fixture
def monday(told: Chronicle) -> Chronicle:
    """Two templates of one archive, one of another; one full text that came, one that did not."""
    told.run(
        MONDAY,
        template(MONDAY, ONE, text="one", urls=[url("one"), url("two")]),
        template(MONDAY, TWO, text="two", place=1),
        template(MONDAY, OTHER, text="other", urls=[url("other")]),
        asked(MONDAY, url("one"), APPEARED, PDF),
    )
    return told


def only(chronicle: Chronicle) -> LossRow:
    (row,) = chronicle.questions.losses()
    return row


def renamed(n: int) -> list[Entry]:
    """Return what a run notes in which one handle follows another for the same file."""
    tist = MONDAY + n
    now = template(tist, handle(n), text=str(n), urls=[url("one")])
    return [now, lost(tist, handle(n - 1))] if n else [now]


def idents(chronicle: Chronicle) -> list[str]:
    return [row.ident for row in chronicle.questions.losses()]


def test_a_template_that_repec_no_longer_names_is_a_lost_reference(monday: Chronicle) -> None:
    monday.run(TUESDAY, lost(TUESDAY, TWO))

    assert only(monday) == LossRow(
        LossKind.REFERENCE,
        ObiKind.TOBI,
        TWO,
        since=TUESDAY,
        confirmed=TUESDAY,
        cause="not-in-data",
        archive="aaa",
        series="wpaper",
        held=True,
        was_captured=True,
        is_new=True,
        standing=ObiState.LOST,
    )


def test_an_address_that_gives_nothing_twice_is_a_lost_resource(monday: Chronicle) -> None:
    monday.run(TUESDAY, asked(TUESDAY, url("one"), outcome="http-404"))
    monday.run(
        FRIDAY,
        asked(FRIDAY, url("one"), outcome="http-404"),
        lost(FRIDAY, url("one"), TUESDAY, "http-404", ObiKind.FOBI),
    )

    assert only(monday) == LossRow(
        LossKind.RESOURCE,
        ObiKind.FOBI,
        url("one"),
        since=TUESDAY,
        confirmed=FRIDAY,
        cause="http-404",
        archive="aaa",
        series="wpaper",
        held=True,
        was_captured=True,
        is_new=True,
        standing=ObiState.LOST,
    )


def test_a_full_text_that_was_missed_once_is_suspect(monday: Chronicle) -> None:
    monday.run(TUESDAY, asked(TUESDAY, url("one"), outcome="dns"))

    row = only(monday)

    assert (row.what, row.since, row.confirmed) == (LossKind.RESOURCE, TUESDAY, None)
    assert (row.cause, row.is_new) == ("dns", True)
    assert list(monday.questions.losses(pending=False)) == []


def test_a_suspect_that_answers_again_is_none(monday: Chronicle) -> None:
    monday.run(TUESDAY, asked(TUESDAY, url("one"), outcome="dns"))
    monday.run(WEDNESDAY, asked(WEDNESDAY, url("one")))

    assert idents(monday) == []


def test_what_never_came_and_does_not_come_is_not_lost(monday: Chronicle) -> None:
    monday.run(TUESDAY, asked(TUESDAY, url("two"), outcome="http-404"))

    assert idents(monday) == []


def test_what_came_back_is_not_lost(monday: Chronicle) -> None:
    monday.run(TUESDAY, lost(TUESDAY, TWO))
    monday.run(WEDNESDAY, template(WEDNESDAY, TWO, BACK, cause="same text", place=1))

    assert idents(monday) == []


def test_what_went_again_is_lost_since_it_went_again(monday: Chronicle) -> None:
    monday.run(TUESDAY, lost(TUESDAY, TWO))
    monday.run(WEDNESDAY, template(WEDNESDAY, TWO, BACK, cause="same text", place=1))
    monday.run(FRIDAY, lost(FRIDAY, TWO))

    assert (only(monday).since, only(monday).confirmed) == (FRIDAY, FRIDAY)


def test_a_file_that_its_template_dropped_is_a_lost_reference(monday: Chronicle) -> None:
    monday.run(TUESDAY, template(TUESDAY, ONE, CHANGED, "one, shorter", urls=[url("one")]))

    row = only(monday)

    assert (row.what, row.kind, row.ident) == (LossKind.REFERENCE, ObiKind.FOBI, url("two"))
    assert (row.since, row.confirmed, row.cause) == (TUESDAY, TUESDAY, "not-in-data")
    assert (row.archive, row.series, row.held) == ("aaa", "wpaper", False)


def test_the_files_of_a_lost_template_are_lost_references_too(monday: Chronicle) -> None:
    monday.run(TUESDAY, lost(TUESDAY, ONE))

    rows = monday.questions.losses(what=LossKind.REFERENCE)

    assert [row.ident for row in rows] == [ONE, url("one"), url("two")]
    assert [row.held for row in rows] == [True, True, False]
    assert [row.was_captured for row in rows] == [True, True, False]


def test_a_file_that_another_template_still_names_is_not_lost(monday: Chronicle) -> None:
    monday.run(TUESDAY, template(TUESDAY, TWO, CHANGED, "two, longer", urls=[url("two")], place=1))
    monday.run(WEDNESDAY, template(WEDNESDAY, ONE, CHANGED, "one, shorter", urls=[url("one")]))

    assert idents(monday) == []


def test_a_file_that_is_named_again_is_not_lost(monday: Chronicle) -> None:
    monday.run(TUESDAY, template(TUESDAY, ONE, CHANGED, "one, shorter", urls=[url("one")]))
    monday.run(WEDNESDAY, template(WEDNESDAY, ONE, CHANGED, "one", urls=[url("one"), url("two")]))

    assert idents(monday) == []


def test_reference_and_resource_may_both_be_lost(monday: Chronicle) -> None:
    monday.run(TUESDAY, lost(TUESDAY, url("one"), cause="http-410", kind=ObiKind.FOBI))
    monday.run(WEDNESDAY, template(WEDNESDAY, ONE, CHANGED, "one, shorter", urls=[url("two")]))

    rows = monday.questions.losses()

    assert [(row.what, row.cause) for row in rows] == [
        (LossKind.RESOURCE, "http-410"),
        (LossKind.REFERENCE, "not-in-data"),
    ]
    assert {row.state for row in rows} == {ObiState.LOST}


def test_a_damaged_copy_is_shown_for_each_object_that_has_it(monday: Chronicle) -> None:
    monday.run(TUESDAY, asked(TUESDAY, url("other"), APPEARED, PDF))
    monday.note(FixityChecked(WEDNESDAY, 5, 100, {sha256(PDF): "damaged"}))

    rows = monday.questions.losses()

    assert [(row.what, row.ident, row.cause) for row in rows] == [
        (LossKind.COPY, url("one"), "damaged"),
        (LossKind.COPY, url("other"), "damaged"),
    ]
    assert [(row.since, row.confirmed, row.held, row.is_new) for row in rows] == [
        (WEDNESDAY, WEDNESDAY, False, True)
    ] * 2
    assert all(row.was_captured for row in rows)
    assert [row.archive for row in rows] == ["aaa", "bbb"]
    assert monday.ledger.figures("2026-03-02T12:00:00Z").dark_damaged == 2


def test_a_watched_dataset_counts_as_lost_when_it_was_first_missed(told: Chronicle) -> None:
    watched = RunSource.WATCH
    later = MONDAY + 30 * DAY
    told.run(MONDAY, template(MONDAY, ONE, text="seen"), source=watched, scope="watch")
    told.run(later, lost(later, ONE, since=TUESDAY), source=watched, scope="watch")

    months = told.ledger.figures("2030-01-01T00:00:00Z").lost

    assert months == [Losses(iso(TUESDAY)[:7], watched=1)]


def newly_lost(told: Chronicle) -> int:
    """Return how many losses the first page counts as new."""
    return told.ledger.figures("2030-01-01T00:00:00Z").dark_lost


def test_a_copy_is_lost_since_the_first_bad_check_after_a_good_one(monday: Chronicle) -> None:
    bad = {sha256(PDF): "damaged"}
    monday.note(FixityChecked(MONDAY + 1, 5, 100, bad))
    monday.note(FixityChecked(TUESDAY, 5, 100, {}, [sha256(PDF)]))
    monday.note(FixityChecked(WEDNESDAY, 5, 100, bad))
    monday.note(FixityChecked(THURSDAY, 5, 100, {sha256(PDF): "missing"}))

    row = only(monday)

    assert (row.since, row.confirmed, row.cause, row.is_new) == (
        WEDNESDAY,
        THURSDAY,
        "missing",
        False,
    )


def test_a_copy_that_was_mended_is_not_lost(monday: Chronicle) -> None:
    monday.note(FixityChecked(TUESDAY, 5, 100, {sha256(PDF): "damaged"}))
    monday.note(FixityChecked(WEDNESDAY, 5, 100, {}, [sha256(PDF)]))

    assert idents(monday) == []


def test_an_object_with_a_sound_version_is_held_though_another_is_damaged(
    monday: Chronicle,
) -> None:
    monday.run(TUESDAY, asked(TUESDAY, url("one"), CHANGED, "%PDF of Tuesday"))
    monday.note(FixityChecked(WEDNESDAY, 5, 100, {sha256(PDF): "damaged"}))

    assert only(monday).held


def test_bytes_that_were_purged_are_no_lost_copy_and_are_not_held(monday: Chronicle) -> None:
    monday.note(FixityChecked(TUESDAY, 5, 100, {sha256(PDF): "missing"}))
    monday.note(Purged(WEDNESDAY, sha256(PDF), "asked to"))
    monday.run(THURSDAY, lost(THURSDAY, url("one"), cause="http-410", kind=ObiKind.FOBI))

    row = only(monday)

    assert (row.what, row.held, row.was_captured) == (LossKind.RESOURCE, False, True)


@pytest.mark.parametrize(
    ("identifier", "ident"),
    [(None, sha256("file")[:20]), ("redif:aaa/all.rdf", "redif:aaa/all.rdf")],
)
def test_a_damaged_file_of_templates_is_shown_though_it_is_no_object(
    told: Chronicle, identifier: str | None, ident: str
) -> None:
    kept = content("file", identifier=identifier)
    told.run(
        MONDAY,
        ContainerSeen(
            MONDAY, "RePEc", "aaa/all.rdf", ContainerState.READ, kept.sha256, content=kept
        ),
    )
    told.note(FixityChecked(TUESDAY, 1, 4, {kept.sha256: "unreadable"}))

    row = only(told)

    assert (row.what, row.ident, row.cause) == (LossKind.COPY, ident, "unreadable")
    assert (row.archive, row.series) == (None, None)


def test_what_was_found_before_the_last_run_is_not_new(monday: Chronicle) -> None:
    monday.run(TUESDAY, lost(TUESDAY, TWO), asked(TUESDAY, url("one"), outcome="dns"))
    monday.run(WEDNESDAY, lost(WEDNESDAY, OTHER))

    news = {row.ident: row.is_new for row in monday.questions.losses()}

    assert news == {TWO: False, url("one"): False, OTHER: True, url("other"): True}
    assert newly_lost(monday) == 1  # that no template names a file any more is no loss of it
    monday.run(THURSDAY)
    assert newly_lost(monday) == 0


def test_a_suspect_that_is_confirmed_is_new_once_more(monday: Chronicle) -> None:
    monday.run(TUESDAY, asked(TUESDAY, url("one"), outcome="dns"))
    assert newly_lost(monday) == 1
    monday.run(FRIDAY, lost(FRIDAY, url("one"), TUESDAY, "dns", ObiKind.FOBI))

    assert only(monday).is_new
    assert newly_lost(monday) == 1


@pytest.mark.parametrize(
    ("source", "scope", "is_ended", "scope_ok"),
    [
        (RunSource.LIST, "my list", True, True),
        (RunSource.BACKFILL, "RePEc", True, True),
        (RunSource.DIRECTORY, "RePEc", False, False),
        (RunSource.DIRECTORY, "RePEc", True, False),
        (RunSource.DIRECTORY, "RePEc", False, True),
    ],
    ids=[
        "of another scope",
        "a backfill",
        "cut short",
        "of an empty folder",
        "cut short while full texts were requested",
    ],
)
def test_a_later_run_that_concludes_nothing_makes_no_loss_old(
    monday: Chronicle, source: RunSource, scope: str, is_ended: bool, scope_ok: bool
) -> None:
    monday.run(TUESDAY, lost(TUESDAY, TWO))
    monday.run(WEDNESDAY, source=source, scope=scope, is_ended=is_ended, scope_ok=scope_ok)

    assert only(monday).is_new
    assert newly_lost(monday) == 1
    determined = {run.scope: run.tist for run in last_determining(monday.questions.runs())}
    assert determined["RePEc"] == TUESDAY


def test_a_run_that_was_stopped_makes_no_loss_old_and_what_it_missed_is_new(
    monday: Chronicle,
) -> None:
    monday.run(TUESDAY, lost(TUESDAY, TWO))
    monday.note(
        began(WEDNESDAY),
        lost(WEDNESDAY, OTHER),
        RunEnded(WEDNESDAY, True, iso(WEDNESDAY + 60), {"stopped": 1}),
    )

    assert {row.ident for row in monday.questions.losses() if row.is_new} >= {TWO, OTHER}
    assert [run.tist for run in last_determining(monday.questions.runs())] == [TUESDAY]


def test_what_a_backfill_alone_named_is_suspect_and_no_run_has_missed_it(
    monday: Chronicle,
) -> None:
    monday.run(TUESDAY)
    new = handle(8)
    monday.run(WEDNESDAY, template(WEDNESDAY, new, text="eight"), source=RunSource.BACKFILL)

    row, life = only(monday), monday.questions.life(None, new)

    assert (row.ident, row.state, row.is_new) == (new, ObiState.SUSPECT, False)
    assert life is not None
    assert [each.what for each in life.events] == ["noted"]

    monday.run(THURSDAY, lost(THURSDAY, new))

    assert only(monday).is_new


def test_a_whole_archive_that_was_missed_is_suspect_and_not_lost(monday: Chronicle) -> None:
    monday.run(
        TUESDAY,
        ContainerSeen(TUESDAY, "RePEc", "bbb/all.rdf", ContainerState.GONE),
        ArchiveMissed(TUESDAY, "RePEc", "bbb", 1),
    )

    row = only(monday)

    assert (row.what, row.ident, row.confirmed) == (LossKind.REFERENCE, OTHER, None)
    assert (row.archive, row.cause) == ("bbb", "not-in-data")


@pytest.mark.parametrize(
    ("asked_for", "found"),
    [
        ({"archive": "bbb"}, [OTHER, url("other")]),
        ({"archive": "aaa", "series": "wpaper"}, [TWO, url("one")]),
        ({"series": "nosuch"}, []),
        ({"what": LossKind.REFERENCE}, [TWO, OTHER, url("other")]),
        ({"what": LossKind.RESOURCE}, [url("one")]),
        ({"what": LossKind.COPY}, []),
        ({"since": WEDNESDAY}, [OTHER, url("one"), url("other")]),
        ({"since": WEDNESDAY, "pending": False}, [OTHER, url("other")]),
        ({"archive": ""}, []),
    ],
)
def test_losses_are_narrowed(
    monday: Chronicle, asked_for: dict[str, object], found: list[str]
) -> None:
    monday.run(TUESDAY, lost(TUESDAY, TWO))
    monday.run(WEDNESDAY, lost(WEDNESDAY, OTHER), asked(WEDNESDAY, url("one"), outcome="dns"))

    rows = monday.questions.losses(**asked_for)  # type: ignore[arg-type]  # as parametrized

    assert [row.ident for row in rows] == found


def test_what_no_template_names_belongs_to_no_archive(monday: Chronicle) -> None:
    monday.run(
        TUESDAY,
        asked(TUESDAY, url("listed"), APPEARED, "%PDF listed"),
        lost(TUESDAY, url("listed"), cause="http-410", kind=ObiKind.FOBI),
    )

    row = only(monday)
    log = monday.questions.changes(archive="", series="")

    assert (row.ident, row.archive, row.series) == (url("listed"), None, None)
    assert list(monday.questions.losses(archive="", series="")) == [row]
    assert [each.ident for each in log] == [url("listed")] * 2


def test_a_full_text_counts_for_each_archive_that_names_it(monday: Chronicle) -> None:
    monday.run(
        TUESDAY,
        template(TUESDAY, OTHER, CHANGED, "other, longer", urls=[url("one"), url("other")]),
        lost(TUESDAY, url("one"), cause="http-410", kind=ObiKind.FOBI),
    )

    of_each = [monday.questions.losses(archive=archive) for archive in ("aaa", "bbb")]

    assert [[(row.ident, row.archive) for row in rows] for rows in of_each] == [
        [(url("one"), "aaa")],
        [(url("one"), "bbb")],
    ]


def test_a_living_template_with_the_same_file_tells_a_rename(monday: Chronicle) -> None:
    renamed = handle("2023-01")
    monday.run(
        TUESDAY,
        template(TUESDAY, renamed, text="one, renamed", urls=[url("one")], place=2),
        lost(TUESDAY, ONE),
    )

    row = next(row for row in monday.questions.losses() if row.ident == ONE)

    assert row.renamed_to == (renamed,)
    assert monday.ledger.figures("2030-01-01T00:00:00Z").lost == []  # it goes under another handle


def test_what_an_archive_that_came_back_lacks_is_not_lost_with_the_whole_archive(
    monday: Chronicle,
) -> None:
    whole = "archive-not-in-data"
    monday.run(TUESDAY, lost(TUESDAY, ONE, cause=whole), lost(TUESDAY, TWO, cause=whole))
    before = {row.ident: row.cause for row in monday.questions.losses() if row.ident in (ONE, TWO)}
    monday.run(WEDNESDAY, template(WEDNESDAY, ONE, BACK, text="one"))

    (row,) = [row for row in monday.questions.losses() if row.ident == TWO]

    assert before == {ONE: whole, TWO: whole}
    assert row.cause == "not-in-data"


def test_one_that_was_renamed_again_and_again_is_followed_to_the_last(told: Chronicle) -> None:
    told.note(*(began(MONDAY + n) for n in range(8)))
    told.note(*chain.from_iterable(renamed(n) for n in range(8)))

    assert {row.ident: row.renamed_to for row in told.questions.losses()} == {
        handle(n): (handle(7),) for n in range(7)
    }


@pytest.mark.parametrize(("sharers", "is_telling"), [(5, True), (6, False)])
def test_a_file_that_many_share_tells_no_rename(
    told: Chronicle, sharers: int, is_telling: bool
) -> None:
    landing = [url("landing")]
    told.run(
        MONDAY,
        *(template(MONDAY, handle(n), text=str(n), urls=landing) for n in range(sharers)),
    )
    renamed = template(TUESDAY, handle(9), text="renamed", urls=landing)
    told.run(TUESDAY, renamed, lost(TUESDAY, handle(0)))

    assert (only(told).renamed_to == (handle(9),)) is is_telling
    assert only(told).renamed_to in ((), (handle(9),))


def test_those_that_shared_a_file_with_one_that_is_still_there_were_not_renamed_to_it(
    told: Chronicle,
) -> None:
    landing = [url("landing")]
    told.run(MONDAY, *(template(MONDAY, handle(n), text=str(n), urls=landing) for n in range(4)))
    told.run(TUESDAY, *(lost(TUESDAY, handle(n)) for n in range(3)))

    assert [row.renamed_to for row in told.questions.losses()] == [()] * 3


def test_one_that_appears_stands_for_one_at_most_of_those_that_are_lost(told: Chronicle) -> None:
    landing = [url("landing")]
    shared = (template(MONDAY, handle(n), text=str(n), urls=landing) for n in (1, 2))
    told.run(MONDAY, *shared, template(MONDAY, handle(3), text="3", urls=[*landing, url("own")]))
    now = template(TUESDAY, handle(4), text="4", urls=[*landing, url("own")])
    told.run(TUESDAY, now, *(lost(TUESDAY, handle(n)) for n in (1, 2, 3)))

    found = {row.ident: row.renamed_to for row in told.questions.losses()}

    assert found == {handle(1): (), handle(2): (), handle(3): (handle(4),)}
    (board,) = told.questions.series()
    assert (board.templates_lost, board.renamed) == (2, 1)


def test_what_one_goes_under_is_the_same_asked_alone_and_with_others(told: Chronicle) -> None:
    told.run(
        MONDAY,
        template(MONDAY, handle(1), text="1", urls=[url("one")]),
        template(MONDAY, handle(2), text="2", urls=[url("two"), url("three")], place=1),
    )
    now = template(TUESDAY, handle(3), text="3", urls=[url("one"), url("two"), url("three")])
    told.run(TUESDAY, now, lost(TUESDAY, handle(1)), lost(TUESDAY, handle(2)))

    together = {row.ident: row.renamed_to for row in told.questions.losses()}
    lives = (told.questions.life(None, each) for each in (handle(1), handle(2)))
    alone = {each.ident: each.renamed_to for each in lives if each is not None}

    assert together == alone == {handle(1): (), handle(2): (handle(3),)}


def test_two_that_appear_stand_for_two_that_are_lost(told: Chronicle) -> None:
    landing = [url("landing")]
    told.run(MONDAY, *(template(MONDAY, handle(n), text=str(n), urls=landing) for n in (1, 2)))
    now = (template(TUESDAY, handle(n), text=str(n), urls=landing) for n in (3, 4))
    told.run(TUESDAY, *now, *(lost(TUESDAY, handle(n)) for n in (1, 2)))

    found = {row.ident: row.renamed_to for row in told.questions.losses()}

    assert found == {handle(1): (handle(3),), handle(2): (handle(4),)}


def test_one_that_was_known_before_the_loss_and_came_back_after_it_is_none_that_it_goes_under(
    told: Chronicle,
) -> None:
    landing = [url("landing")]
    told.run(MONDAY, *(template(MONDAY, handle(n), text=str(n), urls=landing) for n in (1, 2)))
    told.run(TUESDAY, lost(TUESDAY, TWO))
    told.run(WEDNESDAY, lost(WEDNESDAY, ONE))
    told.run(THURSDAY, template(THURSDAY, ONE, BACK, text="1", urls=landing))

    assert (only(told).ident, only(told).renamed_to) == (TWO, ())


def test_what_stood_for_one_that_came_back_does_not_come_to_stand_for_another(
    told: Chronicle,
) -> None:
    landing = [url("landing")]
    first, second = handle(11), handle(12)
    told.run(MONDAY, *(template(MONDAY, handle(n), text=str(n), urls=landing) for n in (1, 2)))
    new = template(TUESDAY, first, text="1", urls=landing)
    told.run(TUESDAY, new, lost(TUESDAY, ONE), lost(TUESDAY, TWO))
    told.run(WEDNESDAY, template(WEDNESDAY, second, text="2", urls=landing))
    back = template(THURSDAY, ONE, BACK, text="1", urls=landing)
    told.run(THURSDAY, back, lost(THURSDAY, first))

    found = {row.ident: row.renamed_to for row in told.questions.losses()}

    assert found == {TWO: (second,), first: ()}


def test_one_that_stood_beside_another_between_its_losses_is_none_that_it_goes_under(
    told: Chronicle,
) -> None:
    landing = [url("landing")]
    told.run(MONDAY, template(MONDAY, ONE, text="1", urls=landing))
    told.run(TUESDAY, template(TUESDAY, TWO, text="2", urls=landing), lost(TUESDAY, ONE))
    told.run(WEDNESDAY, template(WEDNESDAY, ONE, BACK, text="1", urls=landing))
    told.run(THURSDAY, lost(THURSDAY, ONE))

    assert (only(told).ident, only(told).renamed_to) == (ONE, ())


def test_one_that_a_run_found_before_it_was_cut_short_is_later_than_the_last_whole_run(
    told: Chronicle,
) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one", urls=[url("one")]))
    told.run(
        TUESDAY,
        template(TUESDAY, TWO, text="two", urls=[url("one")], place=1),
        is_ended=False,
    )
    told.run(WEDNESDAY, lost(WEDNESDAY, ONE))

    assert only(told).renamed_to == (TWO,)


def test_what_older_data_name_beside_another_was_not_renamed_to_it(told: Chronicle) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one", urls=[url("one")]))
    old = "backfill:2009-01-01"
    told.run(
        TUESDAY,
        replace(template(TUESDAY, ONE, None, text="one", urls=[url("one")]), scope=old),
        replace(template(TUESDAY, TWO, text="two", urls=[url("one")], place=1), scope=old),
        source=RunSource.BACKFILL,
        scope=old,
        dated=MONDAY - 9 * DAY,
    )
    told.run(WEDNESDAY, lost(WEDNESDAY, TWO))

    assert only(told).renamed_to == ()


def test_a_landing_page_that_all_but_one_left_tells_no_rename(told: Chronicle) -> None:
    landing = [url("landing")]
    told.run(MONDAY, *(template(MONDAY, handle(n), text=str(n), urls=landing) for n in range(30)))
    told.run(TUESDAY, *(lost(TUESDAY, handle(n)) for n in range(29)))

    assert [row.renamed_to for row in told.questions.losses()] == [()] * 29


def test_a_twin_that_is_lost_itself_is_none(monday: Chronicle) -> None:
    monday.run(TUESDAY, template(TUESDAY, TWO, CHANGED, "two", urls=[url("one")], place=1))
    monday.run(WEDNESDAY, lost(WEDNESDAY, ONE), lost(WEDNESDAY, TWO))

    assert {row.renamed_to for row in monday.questions.losses()} == {()}


def test_series_are_counted(monday: Chronicle) -> None:
    monday.run(
        TUESDAY,
        template(TUESDAY, "RePEc:aaa", text="the archive"),
        template(TUESDAY, handle("2023-01"), text="one, renamed", urls=[url("one")], place=2),
        lost(TUESDAY, ONE),
        lost(TUESDAY, TWO),
        asked(TUESDAY, url("other"), APPEARED, "%PDF other"),
    )
    monday.run(WEDNESDAY, asked(WEDNESDAY, url("other"), outcome="http-404"))
    monday.run(
        THURSDAY,
        lost(THURSDAY, url("one"), cause="http-410", kind=ObiKind.FOBI),
        asked(THURSDAY, url("nobody's"), APPEARED, "%PDF nobody's"),
    )

    assert list(monday.questions.series()) == [
        SeriesRow("", "", 0, 0, 0, 0, 1, 0, 0, 0),
        SeriesRow("aaa", "", 1, 0, 0, 0, 0, 0, 0, 0),
        SeriesRow("aaa", "wpaper", 3, 1, 1, 0, 2, 1, 1, 1),
        SeriesRow("bbb", "journl", 1, 0, 0, 1, 1, 0, 0, 0),
    ]


def test_a_file_of_two_series_counts_in_both_and_in_each_once(monday: Chronicle) -> None:
    monday.run(
        TUESDAY,
        template(TUESDAY, TWO, CHANGED, "two", urls=[url("one")], place=1),
        template(TUESDAY, OTHER, CHANGED, "other", urls=[url("one")]),
    )

    rows = {row.archive: row for row in monday.questions.series()}

    assert (rows["aaa"].full_texts, rows["bbb"].full_texts) == (2, 2)


@pytest.mark.parametrize(
    "loss",
    [
        FixityChecked(WEDNESDAY, 5, 100, {sha256(PDF): "damaged"}),
        Purged(WEDNESDAY, sha256(PDF), "asked to"),
    ],
    ids=["damaged", "purged"],
)
def test_what_is_lost_and_can_not_be_read_is_not_held(monday: Chronicle, loss: Entry) -> None:
    monday.run(TUESDAY, lost(TUESDAY, url("one"), cause="http-410", kind=ObiKind.FOBI))
    monday.note(loss)

    row = monday.questions.series()[0]

    assert (row.full_texts_lost, row.lost_but_held, row.never_captured) == (1, 0, 1)
