# SPDX-License-Identifier: AGPL-3.0-or-later
"""The life of one object of the dark archive."""

from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

import pytest

from carrel.model.dark import (
    ArchiveMissed,
    BatchBegan,
    ContainerSeen,
    ContainerState,
    FixityChecked,
    IncidenceKind,
    ObiKind,
    Opened,
    Purged,
    Redirect,
    Reference,
    RunEnded,
    RunSource,
)
from carrel.model.dark_views import LifeEvent, ObiState
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
    handle,
    iso,
    lost,
    sha256,
    template,
    url,
    version,
)

ONE, TWO = handle(1), handle(2)
LONG_AGO = MONDAY - 900 * DAY


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Chronicle]:
    with Chronicle(tmp_path / "carrel.sqlite") as chronicle:
        yield chronicle


def events(chronicle: Chronicle, ident: str) -> list[tuple[int, str, str, int | None]]:
    life = chronicle.questions.life(None, ident)
    assert life is not None
    return [(each.tist, each.what, each.detail, each.until) for each in life.events]


def test_a_template_is_told_from_its_first_finding(told: Chronicle) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one", urls=[url("a")], dated=LONG_AGO))
    told.run(TUESDAY, template(TUESDAY, ONE, CHANGED, "one, anew", urls=[url("a"), url("b")]))
    told.run(WEDNESDAY, lost(WEDNESDAY, ONE))
    told.run(THURSDAY, template(THURSDAY, ONE, BACK, urls=[url("a"), url("b")], cause="same text"))

    life = told.questions.life(ObiKind.TOBI, ONE)

    assert life is not None
    assert (life.kind, life.ident, life.state) == (ObiKind.TOBI, ONE, ObiState.PRESENT)
    assert (life.archive, life.series, life.type) == ("aaa", "wpaper", "ReDIF-Paper 1.0")
    assert life.found == LONG_AGO
    assert life.names == (url("a"), url("b"))
    assert [(each.tist, each.source_tist, each.size) for each in life.versions] == [
        (MONDAY, LONG_AGO, 3),
        (TUESDAY, None, 9),
    ]
    assert life.events == (
        LifeEvent(MONDAY, "noted", dated=LONG_AGO),
        LifeEvent(TUESDAY, "changed"),
        LifeEvent(WEDNESDAY, "lost", "not-in-data"),
        LifeEvent(THURSDAY, "found again", "same text"),
    )


def test_a_full_text_is_told_with_each_look_at_it(told: Chronicle) -> None:
    told.run(
        MONDAY,
        template(MONDAY, ONE, text="one", urls=[url("a")]),
        asked(MONDAY, url("a"), APPEARED, "%PDF"),
    )
    told.run(TUESDAY, asked(TUESDAY, url("a")))
    told.run(WEDNESDAY, asked(WEDNESDAY, url("a"), outcome="http-404"))
    told.run(
        FRIDAY,
        asked(FRIDAY, url("a"), outcome="http-404"),
        lost(FRIDAY, url("a"), WEDNESDAY, "http-404", ObiKind.FOBI),
    )

    life = told.questions.life(None, url("a"))

    assert life is not None
    assert (life.state, life.archive, life.series) == (ObiState.LOST, "aaa", "wpaper")
    assert (life.found, life.names) == (MONDAY, (ONE,))
    assert events(told, url("a")) == [
        (MONDAY, "asked", "ok, 2 times", TUESDAY),
        (MONDAY, "noted", "", None),
        (WEDNESDAY, "asked", "http-404, 2 times", FRIDAY),
        (WEDNESDAY, "missed", "http-404", None),
        (FRIDAY, "lost", "http-404", None),
    ]


@pytest.mark.parametrize("outcome", ["forbidden", "no-answer", "http-500", "robots"])
def test_a_failure_that_is_no_loss_leaves_a_full_text_present_as_it_was_last_seen(
    told: Chronicle, outcome: str
) -> None:
    told.run(
        MONDAY,
        template(MONDAY, ONE, text="one", urls=[url("a")]),
        asked(MONDAY, url("a"), APPEARED, "%PDF"),
    )
    told.run(TUESDAY, asked(TUESDAY, url("a")))
    told.run(WEDNESDAY, replace(asked(WEDNESDAY, url("a"), outcome=outcome), is_evidence=False))

    life = told.questions.life(None, url("a"))
    (hit,) = told.questions.search(url("a"), 5)

    assert life is not None
    assert life.state is hit.state is ObiState.PRESENT
    assert (life.outcome, life.requested, life.delivered) == (outcome, WEDNESDAY, TUESDAY)
    assert life.last_seen == hit.last_seen == TUESDAY

    told.run(THURSDAY, asked(THURSDAY, url("a")))

    again = told.questions.life(None, url("a"))
    assert again is not None
    assert (again.delivered, again.last_seen) == (THURSDAY, None)


def test_what_an_earlier_run_flagged_is_told_of_the_last_version(told: Chronicle) -> None:
    named = template(MONDAY, ONE, text="one", urls=[url("a")])
    flagged = replace(asked(TUESDAY, url("a"), CHANGED, "%PDF-2"), detail="likely-cut")
    told.run(MONDAY, named, asked(MONDAY, url("a"), APPEARED, "%PDF"))
    told.run(TUESDAY, flagged)

    life = told.questions.life(None, url("a"))

    assert life is not None
    assert [each.flags for each in life.versions] == [(), ("likely-cut",)]


def test_a_request_that_was_not_sent_is_not_told_as_one(told: Chronicle) -> None:
    not_sent = replace(asked(MONDAY, url("a"), outcome="not-public"), is_evidence=False)
    led_on = replace(
        asked(MONDAY, url("b"), outcome="robots"),
        is_evidence=False,
        redirects=(Redirect(302, url("c")),),
    )
    named = template(MONDAY, ONE, text="one", urls=[url("a"), url("b")])
    told.run(MONDAY, named, not_sent, led_on)

    assert events(told, url("a")) == [(MONDAY, "not asked", "not-public", MONDAY)]
    assert events(told, url("b")) == [(MONDAY, "asked", "robots", MONDAY)]


def test_a_full_text_is_found_when_its_first_copy_came_whatever_its_server_says(
    told: Chronicle,
) -> None:
    dated = replace(asked(MONDAY, url("a"), APPEARED), version=version("%PDF", LONG_AGO))
    told.run(MONDAY, dated)

    life = told.questions.life(None, url("a"))

    assert life is not None
    assert life.found == MONDAY


def test_a_suspect_is_told_as_missed(told: Chronicle) -> None:
    told.run(MONDAY, asked(MONDAY, url("a"), APPEARED, "%PDF"))
    told.run(TUESDAY, asked(TUESDAY, url("a"), outcome="dns"))

    life = told.questions.life(None, url("a"))

    assert life is not None
    assert life.state is ObiState.SUSPECT
    assert LifeEvent(TUESDAY, "missed", "dns") in life.events


def test_what_was_named_and_never_came_is_unseen(told: Chronicle) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one", urls=[url("a")]))

    life = told.questions.life(None, url("a"))

    assert life is not None
    assert (life.state, life.found, life.events, life.versions) == (ObiState.UNSEEN, None, (), ())


def test_that_a_whole_archive_was_missed_stays_known_when_it_is_back(told: Chronicle) -> None:
    gone = ContainerSeen(TUESDAY, "RePEc", "aaa/all.rdf", ContainerState.GONE)
    told.run(MONDAY, template(MONDAY, ONE, text="one"))
    told.run(
        TUESDAY,
        gone,
        BatchBegan(TUESDAY + 1, TUESDAY, iso(TUESDAY + 1)),
        ArchiveMissed(TUESDAY + 1, "RePEc", "aaa", 1),
    )
    while_missed = events(told, ONE)
    told.run(WEDNESDAY, template(WEDNESDAY, ONE, None, urls=None))
    told.run(THURSDAY, template(THURSDAY, TWO, text="of another time", place=1))

    assert while_missed == events(told, ONE)
    assert while_missed[1:] == [
        (TUESDAY, "missed", "nothing of the whole archive could be read", None)
    ]
    assert [what for _, what, *_ in events(told, TWO)] == ["noted"]


def test_when_no_template_named_a_file_is_a_gap_in_its_life(told: Chronicle) -> None:
    told.run(
        MONDAY,
        template(MONDAY, ONE, text="one", urls=[url("a")]),
        template(MONDAY, TWO, text="two", urls=[url("a")], place=1),
    )
    told.run(TUESDAY, template(TUESDAY, ONE, CHANGED, "one, bare"))
    told.run(WEDNESDAY, template(WEDNESDAY, TWO, CHANGED, "two, bare", place=1))
    told.run(THURSDAY, template(THURSDAY, ONE, CHANGED, "one", urls=[url("a")]))
    told.run(FRIDAY, lost(FRIDAY, ONE))

    assert events(told, url("a")) == [
        (WEDNESDAY, "missed", "not-in-data", THURSDAY),
        (FRIDAY, "missed", "not-in-data", None),
    ]


def test_a_file_that_nobody_names_any_more_has_those_that_named_it_last(told: Chronicle) -> None:
    told.run(
        MONDAY,
        template(MONDAY, ONE, text="one", urls=[url("a")]),
        template(MONDAY, TWO, text="two", urls=[url("a")], place=1),
    )
    told.run(TUESDAY, lost(TUESDAY, ONE))
    told.run(WEDNESDAY, lost(WEDNESDAY, TWO))

    lives = [told.questions.life(None, ident) for ident in (url("a"), ONE)]

    assert [life and life.names for life in lives] == [(TWO,), (url("a"),)]


def test_what_can_not_be_fetched_is_among_the_names_all_the_same(told: Chronicle) -> None:
    seen = replace(
        template(MONDAY, ONE, text="one"), references=[Reference("file:///C:/a.pdf", None)]
    )
    told.run(MONDAY, seen)

    life = told.questions.life(None, ONE)

    assert life is not None
    assert life.names == ("file:///C:/a.pdf",)


def test_redirects_are_those_of_the_last_look(told: Chronicle) -> None:
    hops = [Redirect(301, url("b")), Redirect(302, url("c"))]
    told.run(
        MONDAY, replace(asked(MONDAY, url("a"), APPEARED, "%PDF"), redirects=[Redirect(301, "x:")])
    )
    told.run(TUESDAY, replace(asked(TUESDAY, url("a")), redirects=hops))
    then = told.questions.life(None, url("a"))
    told.run(WEDNESDAY, asked(WEDNESDAY, url("a"), outcome="dns"))
    unanswered = told.questions.life(None, url("a"))
    told.run(THURSDAY, asked(THURSDAY, url("a")))
    now = told.questions.life(None, url("a"))

    assert [life and life.redirects for life in (then, unanswered, now)] == [
        tuple(hops),
        tuple(hops),
        (),
    ]


@pytest.mark.parametrize("is_lost", [True, False], ids=["lost", "suspect"])
def test_a_missing_template_has_the_handle_it_may_have_now(told: Chronicle, is_lost: bool) -> None:
    gone = ContainerSeen(TUESDAY, "RePEc", "aaa/all.rdf", ContainerState.GONE)
    told.run(MONDAY, template(MONDAY, ONE, text="one", urls=[url("a")]))
    twin = template(TUESDAY, handle(7, archive="bbb"), text="twin", urls=[url("a")])
    told.run(TUESDAY, twin, *([lost(TUESDAY, ONE)] if is_lost else [gone]))

    life = told.questions.life(None, ONE)

    assert life is not None
    assert life.renamed_to == (handle(7, archive="bbb"),)


def test_a_suspect_that_named_another_file_once_may_have_another_handle(told: Chronicle) -> None:
    gone = ContainerSeen(WEDNESDAY, "RePEc", "aaa/all.rdf", ContainerState.GONE)
    told.run(MONDAY, template(MONDAY, ONE, text="one", urls=[url("a")]))
    told.run(TUESDAY, template(TUESDAY, ONE, CHANGED, text="one", urls=[url("b")]))
    twin = template(WEDNESDAY, handle(7, archive="bbb"), text="twin", urls=[url("a")])
    told.run(WEDNESDAY, twin, gone)

    life = told.questions.life(None, ONE)

    assert life is not None
    assert life.renamed_to == (handle(7, archive="bbb"),)


def test_a_backfill_adds_older_text_and_an_earlier_finding_and_befalls_nothing(
    told: Chronicle,
) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one"))
    older = template(TUESDAY, ONE, None, "one, of old", urls=None, dated=LONG_AGO)
    told.run(TUESDAY, older, source=RunSource.BACKFILL, dated=LONG_AGO)

    life = told.questions.life(None, ONE)
    current = told.questions.version_at(None, ONE)

    assert life is not None
    assert (life.found, life.state) == (LONG_AGO, ObiState.PRESENT)
    assert events(told, ONE) == [
        (TUESDAY, "noted", "older text, /data/RePEc", None),
        (MONDAY, "noted", "", None),
    ]
    assert [each.at for each in life.events] == [LONG_AGO, MONDAY]
    assert [each.tist for each in sorted(life.versions, key=attrgetter("age"))] == [TUESDAY, MONDAY]
    assert current is not None
    assert current.tist == MONDAY


def test_a_backfill_of_the_current_text_is_not_told_as_an_older_one(told: Chronicle) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one"))
    same = template(TUESDAY, ONE, None, "one", urls=None, dated=LONG_AGO)
    told.run(TUESDAY, same, source=RunSource.BACKFILL, dated=LONG_AGO)

    assert (TUESDAY, "noted", "same text in older data, /data/RePEc", None) in events(told, ONE)


NEW, LATER = handle(8), LONG_AGO + 400 * DAY


def backfilled(told: Chronicle, tist: int, dated: int) -> None:
    """Have old data, in which a template stands that no other data had, read out of their turn."""
    old = replace(template(tist, NEW, text="eight", dated=dated), scope="backfill:old")
    told.run(tist, old, source=RunSource.BACKFILL, scope="backfill:old", dated=dated)


def dates_of_loss(told: Chronicle) -> tuple[int | None, int, int | None, int | None]:
    """Return of when the data are that lack what is lost, and where it stands on its line, by its
    life; and the first of these by the list of losses, and by the log."""
    life = told.questions.life(None, NEW)
    assert life is not None
    (event,) = [each for each in life.events if each.what == "lost"]
    (row,) = [each for each in told.questions.losses() if each.ident == NEW]
    (change,) = told.questions.changes(kind=IncidenceKind.DELETION)
    return event.dated, event.at, row.dated, change.dated


def test_what_a_backfill_alone_names_was_lost_when_later_data_did_not_have_it(
    told: Chronicle,
) -> None:
    one = template(MONDAY, ONE, text="one", dated=LATER)
    told.run(MONDAY, one, source=RunSource.TARBALL, dated=LATER)
    backfilled(told, TUESDAY, LONG_AGO)
    told.run(WEDNESDAY, lost(WEDNESDAY, NEW))

    life = told.questions.life(None, NEW)

    assert dates_of_loss(told) == (LATER, LATER, LATER, LATER)
    assert life is not None
    assert [(each.what, each.at) for each in life.events] == [("noted", LONG_AGO), ("lost", LATER)]
    assert life.known_until == WEDNESDAY
    lost_in = told.ledger.figures("2026-11-28T00:00:00Z").lost
    assert [(each.name, each.templates) for each in lost_in] == [(iso(LATER)[:7], 1)]


def test_where_the_data_before_were_read_from_a_folder_it_was_lost_when_that_was_read(
    told: Chronicle,
) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one"))
    backfilled(told, TUESDAY, LONG_AGO)
    told.run(WEDNESDAY, lost(WEDNESDAY, NEW))

    assert dates_of_loss(told) == (None, MONDAY, None, None)


@pytest.mark.parametrize(
    ("ident", "dated", "counts", "scope_ok"),
    [
        (ONE, LONG_AGO - DAY, {}, True),
        (ONE, LATER, {}, False),
        (ONE, LATER, {"containers unreadable": 1}, True),
        (handle(1, archive="bbb"), LATER, {}, True),
    ],
    ids=["older data", "not read to their end", "read in part", "without the archive"],
)
def test_other_data_say_nothing_of_what_a_backfill_alone_names(
    told: Chronicle, ident: str, dated: int, counts: dict[str, int], scope_ok: bool
) -> None:
    one = template(MONDAY, ident, text="one", dated=dated)
    told.run(MONDAY, one, source=RunSource.TARBALL, dated=dated, is_ended=False)
    told.note(RunEnded(MONDAY, scope_ok, iso(MONDAY), counts))
    backfilled(told, TUESDAY, LONG_AGO)
    told.run(WEDNESDAY, lost(WEDNESDAY, NEW))

    assert dates_of_loss(told) == (None, WEDNESDAY, None, None)


def test_what_was_seen_in_its_turn_since_is_lost_when_it_was_missed(told: Chronicle) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one"), source=RunSource.TARBALL, dated=LATER)
    backfilled(told, TUESDAY, LONG_AGO)
    told.run(WEDNESDAY, template(WEDNESDAY, NEW, None))
    told.run(THURSDAY, lost(THURSDAY, NEW))

    assert dates_of_loss(told) == (None, THURSDAY, None, None)


@pytest.mark.parametrize(("content", "detail"), [("%PDF 2", "other bytes than before"), (None, "")])
def test_a_full_text_that_is_back_says_whether_it_is_as_it_was(
    told: Chronicle, content: str | None, detail: str
) -> None:
    told.run(MONDAY, asked(MONDAY, url("a"), APPEARED, "%PDF"))
    told.run(TUESDAY, lost(TUESDAY, url("a"), cause="http-410", kind=ObiKind.FOBI))
    told.run(WEDNESDAY, asked(WEDNESDAY, url("a"), BACK, content))

    assert (WEDNESDAY, "found again", detail, None) in events(told, url("a"))


def test_what_tarballs_tell_is_dated_by_them_and_not_by_their_reading(told: Chronicle) -> None:
    first, second, third = (LONG_AGO + number * 100 * DAY for number in range(3))
    tarball = RunSource.TARBALL
    told.run(MONDAY, template(MONDAY, ONE, text="one"), source=tarball, dated=first)
    told.run(TUESDAY, lost(TUESDAY, ONE), source=tarball, dated=second)
    back = template(WEDNESDAY, ONE, BACK, cause="same text")
    told.run(WEDNESDAY, back, source=tarball, dated=third)
    told.run(THURSDAY, template(THURSDAY, ONE, CHANGED, "one, anew", dated=second))

    life = told.questions.life(None, ONE)

    assert life is not None
    assert [(each.what, each.at) for each in life.events] == [
        ("noted", first),
        ("lost", second),
        ("found again", third),
        ("changed", THURSDAY),  # its file is older than what was read of it before
    ]


@pytest.mark.parametrize(
    ("at", "tist"),
    [(MONDAY - 1, None), (MONDAY, MONDAY), (TUESDAY - 1, MONDAY), (FRIDAY, TUESDAY)],
)
def test_the_version_of_a_time_is_the_last_that_was_noted_by_then(
    told: Chronicle, at: int, tist: int | None
) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one"))
    told.run(TUESDAY, template(TUESDAY, ONE, CHANGED, "one, anew"))

    current = told.questions.version_at(ObiKind.TOBI, ONE, at)

    assert (current and current.tist) == tist


def test_deeds_on_what_is_dark_are_part_of_its_life(told: Chronicle) -> None:
    pdf = sha256("%PDF")
    told.run(MONDAY, asked(MONDAY, url("a"), APPEARED, "%PDF"))
    told.note(
        Opened(TUESDAY, "opened", ObiKind.FOBI, url("a"), MONDAY, pdf, "for a reader", "lost"),
        Purged(WEDNESDAY, pdf, "taken down"),
    )

    life = told.questions.life(None, url("a"))

    assert life is not None
    assert life.openings == (
        f"{iso(TUESDAY)} opened: for a reader (lost)",
        f"{iso(WEDNESDAY)} purged: taken down",
    )


def test_kinds_are_told_apart(told: Chronicle) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one"))

    assert told.questions.life(ObiKind.FOBI, ONE) is None
    assert told.questions.life(ObiKind.TOBI, ONE) == told.questions.life(None, ONE)
    assert [each.tist for each in told.questions.versions(None, ONE)] == [MONDAY]


# Two clocks


def test_a_request_is_of_the_moment_it_was_made_whatever_the_date_of_the_data(
    told: Chronicle,
) -> None:
    """A full text that an old tarball names was not there in the year of the tarball: nobody had
    looked then."""
    dates = [LONG_AGO + number * 100 * DAY for number in range(3)]
    tarball = RunSource.TARBALL
    told.run(
        MONDAY,
        template(MONDAY, ONE, text="one", urls=[url("a")], dated=dates[0]),
        asked(MONDAY, url("a"), APPEARED, "%PDF"),
        source=tarball,
        dated=dates[0],
    )
    told.run(TUESDAY, asked(TUESDAY, url("a"), CHANGED, "%PDF 2"), source=tarball, dated=dates[1])
    told.run(
        WEDNESDAY,
        asked(WEDNESDAY, url("a"), outcome="http-410"),
        lost(WEDNESDAY, url("a"), cause="http-410", kind=ObiKind.FOBI),
        source=tarball,
        dated=dates[2],
    )

    life = told.questions.life(None, url("a"))
    losses, changes = told.questions.losses(), told.questions.changes()
    months = told.ledger.figures("2030-01-01T00:00:00Z").lost

    assert life is not None
    assert [(each.what, each.at, each.dated) for each in life.events if each.what != "asked"] == [
        ("noted", MONDAY, None),
        ("changed", TUESDAY, None),
        ("lost", WEDNESDAY, None),
    ]
    assert (life.found, life.known_until) == (MONDAY, WEDNESDAY)
    assert [(row.recorded, row.dated) for row in losses] == [(WEDNESDAY, None)]
    assert [row.dated for row in changes] == [dates[0], None, None, None]
    assert [(each.name, each.templates, each.full_texts) for each in months] == [
        (iso(WEDNESDAY)[:7], 0, 1)
    ]


def test_what_old_data_lack_has_their_date_beside_the_one_on_which_it_was_recorded(
    told: Chronicle,
) -> None:
    tarball = RunSource.TARBALL
    told.run(MONDAY, template(MONDAY, ONE, text="one"), source=tarball, dated=LONG_AGO)
    told.run(TUESDAY, lost(TUESDAY, ONE), source=tarball, dated=LONG_AGO + DAY)

    life = told.questions.life(None, ONE)
    (row,) = told.questions.losses()
    months = told.ledger.figures("2030-01-01T00:00:00Z").lost

    assert life is not None
    assert [(each.tist, each.dated, each.at) for each in life.events] == [
        (MONDAY, LONG_AGO, LONG_AGO),
        (TUESDAY, LONG_AGO + DAY, LONG_AGO + DAY),
    ]
    assert life.known_until == LONG_AGO + DAY
    assert (row.recorded, row.dated) == (TUESDAY, LONG_AGO + DAY)
    assert [(each.name, each.templates) for each in months] == [(iso(LONG_AGO + DAY)[:7], 1)]


def test_that_no_template_names_a_file_any_more_is_of_the_data_and_stands_where_it_was_noted(
    told: Chronicle,
) -> None:
    tarball = RunSource.TARBALL
    one = template(MONDAY, ONE, text="one", urls=[url("a")])
    told.run(MONDAY, one, asked(MONDAY, url("a"), APPEARED, "%PDF"), source=tarball, dated=LONG_AGO)
    told.run(TUESDAY, template(TUESDAY, ONE, CHANGED, "bare"), source=tarball, dated=LONG_AGO + DAY)

    life = told.questions.life(None, url("a"))
    (row,) = told.questions.losses()
    (hit,) = told.questions.search(url("a"), 9)

    assert life is not None
    assert life.events[-1] == LifeEvent(
        TUESDAY, "missed", "not-in-data", dated=LONG_AGO + DAY, placed=TUESDAY
    )
    assert {life.state, row.state, hit.state} == {ObiState.UNNAMED}
    assert row.dated == LONG_AGO + DAY


def test_a_renamed_template_is_so_wherever_it_is_told_of(told: Chronicle) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one", urls=[url("a")]))
    told.run(TUESDAY, template(TUESDAY, TWO, text="two", urls=[url("a")]), lost(TUESDAY, ONE))

    life = told.questions.life(None, ONE)
    (row,) = told.questions.losses()
    hit = next(each for each in told.questions.search("wpaper", 9) if each.ident == ONE)
    (board,) = told.questions.series()

    assert life is not None
    assert {life.state, row.state, hit.state} == {ObiState.RENAMED}
    assert life.is_lost
    assert [each.what for each in life.events] == ["noted", "renamed"]
    assert (board.templates, board.templates_lost, board.renamed) == (2, 0, 1)


def test_a_damaged_copy_is_told_of_wherever_the_object_is(told: Chronicle) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one"))
    told.note(FixityChecked(TUESDAY, 1, 3, {sha256("one"): "damaged"}))
    told.note(FixityChecked(WEDNESDAY, 1, 3, {sha256("one"): "damaged"}))

    life = told.questions.life(None, ONE)
    (hit,) = told.questions.search(ONE, 9)
    told.note(FixityChecked(THURSDAY, 1, 3, {}, [sha256("one")]))
    repaired = told.questions.life(None, ONE)

    assert life is not None
    assert repaired is not None
    assert (life.state, life.fault, hit.fault) == (ObiState.PRESENT, "damaged", "damaged")
    assert life.events[1:] == (LifeEvent(TUESDAY, "damaged", "damaged"),)
    assert (repaired.fault, repaired.versions[0].fault) == (None, None)
    assert repaired.events[-1] == LifeEvent(THURSDAY, "repaired")


def test_events_are_counted_but_for_those_of_what_is_watched(told: Chronicle) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one"))
    told.run(TUESDAY, template(TUESDAY, ONE, CHANGED, "one, anew"))
    seen = replace(template(WEDNESDAY, "dataset:x:y", text="seen"), scope="watch")
    told.run(WEDNESDAY, seen, source=RunSource.WATCH, scope="watch")

    assert told.questions.event_counts() == {
        IncidenceKind.APPEARANCE: 1,
        IncidenceKind.CHANGE: 1,
    }


def test_that_a_file_came_is_told_without_the_sentence_of_older_runs(told: Chronicle) -> None:
    came = replace(
        asked(MONDAY, url("a"), APPEARED, "%PDF"), detail="http://a gave it.; likely-cut"
    )
    told.run(MONDAY, came)

    assert (MONDAY, "asked", "ok: likely-cut", MONDAY) in events(told, url("a"))


def test_the_first_second_of_the_calendar_is_a_date_of_data(told: Chronicle) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one", dated=0))

    life = told.questions.life(None, ONE)

    assert life is not None
    assert life.found == 0
