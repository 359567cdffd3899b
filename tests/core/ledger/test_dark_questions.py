# SPDX-License-Identifier: AGPL-3.0-or-later
"""What people ask of the dark archive: runs, incidences, the archive as it stood, search."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from carrel.model.dark import BatchBegan, FixityChecked, IncidenceKind, Looked, ObiKind, RunSource
from carrel.model.dark_views import NotedCheck, ObiState
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
    md5,
    sha256,
    template,
    url,
    version,
)

ONE, TWO, OTHER = handle(1), handle(2), handle(7, "journl", "bbb")


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Chronicle]:
    with Chronicle(tmp_path / "carrel.sqlite") as chronicle:
        yield chronicle


@pytest.fixture
def week(told: Chronicle) -> Chronicle:
    """One template changes, goes and comes back as it was; another goes and comes back anew."""
    told.run(
        MONDAY,
        template(MONDAY, ONE, text="first", urls=[url("one")]),
        template(MONDAY, OTHER, text="other", place=1),
        asked(MONDAY, url("one"), APPEARED, "%PDF first"),
    )
    told.run(TUESDAY, template(TUESDAY, ONE, CHANGED, "second", urls=[url("one")]))
    told.run(WEDNESDAY, lost(WEDNESDAY, ONE))
    told.run(
        THURSDAY,
        template(THURSDAY, ONE, BACK, urls=[url("one")], cause="same text"),
        lost(THURSDAY, OTHER),
    )
    told.run(
        FRIDAY,
        template(FRIDAY, OTHER, BACK, "other, again", cause="new text", place=1),
        asked(FRIDAY, url("one"), CHANGED, "%PDF second"),
    )
    return told


def test_the_last_verification_of_everything_is_known(told: Chronicle) -> None:
    told.run(MONDAY, asked(MONDAY, url("one"), APPEARED, "%PDF"))
    before = told.questions.last_check()
    told.note(FixityChecked(TUESDAY, 5, 100, {sha256("%PDF"): "damaged"}))
    told.note(FixityChecked(WEDNESDAY, 0, 0, {}, [sha256("%PDF")]))  # a run that repaired it

    assert before is None
    assert told.questions.last_check() == NotedCheck(TUESDAY, contents=5, size=100, bad=1)


def test_the_verification_that_was_recorded_last_is_the_last_one_whatever_the_clock_said(
    told: Chronicle,
) -> None:
    told.run(MONDAY, asked(MONDAY, url("one"), APPEARED, "%PDF"))
    told.note(FixityChecked(FRIDAY + 400 * DAY, 5, 100, {}))  # the clock was wrong
    told.note(FixityChecked(FRIDAY, 5, 100, {sha256("%PDF"): "damaged"}))

    assert told.questions.last_check() == NotedCheck(FRIDAY, contents=5, size=100, bad=1)


def test_a_copy_that_was_found_good_last_is_good_whatever_the_clock_said(told: Chronicle) -> None:
    told.run(MONDAY, asked(MONDAY, url("one"), APPEARED, "%PDF"))
    told.note(FixityChecked(FRIDAY + 400 * DAY, 5, 100, {sha256("%PDF"): "damaged"}))
    told.note(FixityChecked(FRIDAY, 5, 100, {}, [sha256("%PDF")]))

    life = told.questions.life(None, url("one"))

    assert told.questions.losses() == []
    assert told.ledger.dark.contents.faulty() == []
    assert life is not None
    assert [each.what for each in life.events][-2:] == ["damaged", "repaired"]


def test_two_verifications_of_one_second_are_not_added(told: Chronicle) -> None:
    told.run(MONDAY, asked(MONDAY, url("one"), APPEARED, "%PDF"))
    bad = {sha256("%PDF"): "damaged"}
    told.note(FixityChecked(TUESDAY, 5, 100, bad))
    told.note(FixityChecked(TUESDAY, 5, 100, bad))

    assert told.questions.last_check() == NotedCheck(TUESDAY, contents=5, size=100, bad=1)


def test_the_faults_of_a_verification_in_several_lines_are_added(told: Chronicle) -> None:
    told.note(FixityChecked(TUESDAY, 5, 100, {sha256("a"): "damaged"}))
    told.note(FixityChecked(TUESDAY, 5, 100, {sha256("b"): "damaged"}))

    assert told.questions.last_check() == NotedCheck(TUESDAY, contents=5, size=100, bad=2)


def test_the_log_tells_what_befell_each_object_in_order(week: Chronicle) -> None:
    log = [(row.tist, row.incidence, row.ident) for row in week.questions.changes()]

    assert log == [
        (MONDAY, APPEARED, ONE),
        (MONDAY, APPEARED, OTHER),
        (MONDAY, APPEARED, url("one")),
        (TUESDAY, CHANGED, ONE),
        (WEDNESDAY, IncidenceKind.DELETION, ONE),
        (THURSDAY, BACK, ONE),
        (THURSDAY, IncidenceKind.DELETION, OTHER),
        (FRIDAY, BACK, OTHER),
        (FRIDAY, CHANGED, url("one")),
    ]


@pytest.mark.parametrize(
    ("ident", "tist", "before", "text_changed"),
    [
        (ONE, MONDAY, None, None),
        (ONE, TUESDAY, MONDAY, True),
        (ONE, WEDNESDAY, TUESDAY, None),
        (ONE, THURSDAY, TUESDAY, False),
        (OTHER, FRIDAY, MONDAY, True),
    ],
    ids=["appearance", "change", "deletion", "back as it was", "back anew"],
)
def test_an_incidence_stands_beside_the_version_before_it(
    week: Chronicle, ident: str, tist: int, before: int | None, text_changed: bool | None
) -> None:
    (row,) = [x for x in week.questions.changes() if (x.ident, x.tist) == (ident, tist)]

    assert (row.before, row.text_changed) == (before, text_changed)


def test_other_bytes_of_the_same_text_are_no_change_of_text(told: Chronicle) -> None:
    told.run(MONDAY, asked(MONDAY, url("a"), APPEARED, "stamped on Monday"))
    weak = version("stamped on Tuesday", text_md5=md5("stamped on Monday"))
    told.run(
        TUESDAY,
        # A text extractor may find that both say the same.
        Looked(TUESDAY, url("a"), "ok", incidence=CHANGED, version=weak),
    )

    row = told.questions.changes()[-1]

    assert (row.incidence, row.before, row.text_changed) == (CHANGED, MONDAY, False)


@pytest.mark.parametrize(
    ("asked_for", "idents"),
    [
        ({"since": FRIDAY}, [OTHER, url("one")]),
        ({"since": FRIDAY + 1}, []),
        ({"kind": IncidenceKind.DELETION}, [ONE, OTHER]),
        ({"archive": "bbb"}, [OTHER] * 3),
        ({"archive": "aaa", "since": FRIDAY}, [url("one")]),
        ({"series": "wpaper", "kind": CHANGED}, [ONE, url("one")]),
        ({"archive": "bbb", "series": "wpaper"}, []),
        ({"archive": ""}, []),
    ],
)
def test_the_log_is_narrowed(
    week: Chronicle, asked_for: dict[str, object], idents: list[str]
) -> None:
    rows = week.questions.changes(**asked_for)  # type: ignore[arg-type]  # as parametrized

    assert [row.ident for row in rows] == idents


def test_a_full_text_is_logged_under_the_series_that_names_it(week: Chronicle) -> None:
    row = week.questions.changes(since=FRIDAY)[-1]

    assert (row.kind, row.archive, row.series) == (ObiKind.FOBI, "aaa", "wpaper")


def test_a_deletion_is_logged_with_the_run_that_first_missed_it(told: Chronicle) -> None:
    told.run(MONDAY, asked(MONDAY, url("a"), APPEARED, "%PDF"))
    told.run(TUESDAY, asked(TUESDAY, url("a"), outcome="http-404"))
    told.run(FRIDAY, lost(FRIDAY, url("a"), TUESDAY, "http-404", ObiKind.FOBI))

    *_, row = told.questions.log()

    assert (row.tist, row.since, row.cause) == (FRIDAY, TUESDAY, "http-404")


def test_a_backfill_is_never_the_version_before(told: Chronicle) -> None:
    old = MONDAY - 900 * DAY
    told.run(MONDAY, template(MONDAY, ONE, text="first"))
    told.run(
        TUESDAY,
        template(TUESDAY, ONE, None, "from long ago", urls=None, dated=old),
        source=RunSource.BACKFILL,
    )
    told.run(WEDNESDAY, template(WEDNESDAY, ONE, CHANGED, "second"))

    row = told.questions.changes()[-1]

    assert (row.before, row.text_changed) == (MONDAY, True)


def test_a_run_under_several_numbers_is_one(told: Chronicle) -> None:
    told.run(MONDAY, BatchBegan(MONDAY + 1, MONDAY, iso(MONDAY + 1)))
    told.run(TUESDAY, is_ended=False)

    newest, oldest = told.questions.runs()

    assert (oldest.tist, oldest.began, oldest.ended) == (MONDAY, iso(MONDAY), iso(MONDAY + 60))
    assert (oldest.scope_ok, oldest.counts) == (True, {"templates": 1})
    assert (newest.ended, newest.scope_ok, newest.counts) == (None, False, {})


@pytest.mark.parametrize(
    ("at", "stood"),
    [
        (MONDAY - 1, {}),
        (MONDAY, {ONE: MONDAY, OTHER: MONDAY, url("one"): MONDAY}),
        (TUESDAY + 5, {ONE: TUESDAY, OTHER: MONDAY, url("one"): MONDAY}),
        (WEDNESDAY, {OTHER: MONDAY, url("one"): MONDAY}),
        (THURSDAY, {ONE: TUESDAY, url("one"): MONDAY}),
        (FRIDAY, {ONE: TUESDAY, OTHER: FRIDAY, url("one"): FRIDAY}),
    ],
)
def test_the_archive_is_told_as_it_stood(week: Chronicle, at: int, stood: dict[str, int]) -> None:
    assert {each.ident: each.version for each in week.questions.as_of(at)} == stood


def test_what_was_named_and_never_came_is_told(week: Chronicle) -> None:
    week.run(FRIDAY + 1, template(FRIDAY + 1, TWO, text="two", urls=[url("one"), url("two")]))

    week.note(asked(FRIDAY + 1, url("two"), outcome="http-404"))

    hits = list(week.questions.never_captured())

    assert [(hit.ident, hit.state, hit.archive, hit.outcome) for hit in hits] == [
        (url("two"), ObiState.UNSEEN, "aaa", "http-404")
    ]
    assert week.questions.never_captured_count() == 1
    assert list(week.questions.never_captured("bbb")) == []
    assert [hit.ident for hit in week.questions.never_captured("aaa")] == [url("two")]


def test_the_same_bytes_are_found_under_each_of_their_names(week: Chronicle) -> None:
    week.run(FRIDAY + 1, asked(FRIDAY + 1, url("copy"), APPEARED, "%PDF first"))

    hits = week.questions.same_bytes(sha256("%PDF first"))

    assert {hit.ident for hit in hits} == {url("one"), url("copy")}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("RePEc:aaa:wpaper:1", [ONE]),
        ("repec:AAA:WPaper", [ONE, TWO]),
        ("aaa:wpaper", [ONE, TWO]),
        ("bbb", [OTHER]),
        ("journl", [OTHER]),
        ("WPAPER 2", [TWO]),
        ("2 wpaper", [TWO]),
        ("HTTP://WWW.Example.org/one", [url("one")]),
        ("example.org/ONE", [url("one")]),
        ("100%", [url("100%25_done")]),
        ("%", [url("100%25_done")]),
        ("_done", [url("100%25_done")]),
        ("one\\", []),
        ("nowhere", []),
        ("  ", []),
    ],
)
def test_objects_are_found_by_any_piece_of_their_names(
    week: Chronicle, text: str, found: list[str]
) -> None:
    week.run(FRIDAY + 1, template(FRIDAY + 1, TWO, text="two", urls=[url("100%25_done")]))

    assert [hit.ident for hit in week.questions.search(text, 10)] == found


def test_what_begins_with_the_text_comes_first_and_no_more_than_wanted(told: Chronicle) -> None:
    told.run(
        MONDAY,
        template(MONDAY, handle("xaaa", "zzz", "bbb"), text="inside"),
        template(MONDAY, handle(9), text="nine", place=1),
        template(MONDAY, handle(8), text="eight", place=2),
    )

    three = told.questions.search("aaa", 3)
    two = told.questions.search("aaa", 2)

    assert [hit.ident for hit in three] == [handle(8), handle(9), handle("xaaa", "zzz", "bbb")]
    assert two == three[:2]


def test_a_hit_tells_how_the_object_stands(told: Chronicle) -> None:
    told.run(
        MONDAY,
        template(MONDAY, ONE, text="one", urls=[url("a"), url("b")]),
        template(MONDAY, TWO, text="two", place=1),
        asked(MONDAY, url("a"), APPEARED, "%PDF"),
    )
    told.run(TUESDAY, lost(TUESDAY, TWO), asked(TUESDAY, url("a"), outcome="dns"))

    states = {hit.ident: hit.state for hit in told.questions.search("e", 10)}

    assert states == {
        ONE: ObiState.PRESENT,
        TWO: ObiState.LOST,
        url("a"): ObiState.SUSPECT,
        url("b"): ObiState.UNSEEN,
    }


@pytest.mark.parametrize(
    ("mistyped", "meant"),
    [
        ("RePEc:aaa:wpaper:11", "RePEc:aaa:wpaper:1"),
        ("RePEc:aab:wpaper:2016-17", "RePEc:aaa:wpaper:2016-17"),
        ("http://www.exmaple.org/one.pdf", url("one")),
    ],
)
def test_near_a_name_that_is_not_known_stand_those_that_were_meant(
    week: Chronicle, mistyped: str, meant: str
) -> None:
    week.run(FRIDAY + 1, template(FRIDAY + 1, handle("2016-17"), text="new"))

    assert meant in [hit.ident for hit in week.questions.near(mistyped, 3)]


def test_near_nonsense_stands_nothing(week: Chronicle) -> None:
    assert list(week.questions.near("qqqq", 3)) == []


def test_a_long_log_comes_in_the_same_order_page_by_page(told: Chronicle) -> None:
    told.run(
        MONDAY,
        *(template(MONDAY, handle(n), text=f"text {n}", place=n) for n in range(2500)),
    )

    log = told.questions.log()
    first = next(log)
    rest = [row.ident for row in log]

    assert first.ident == handle(0)
    assert rest == [handle(n) for n in range(1, 2500)]
    assert sum(1 for _ in told.questions.as_of(MONDAY)) == 2500
    assert len(list(islice(told.questions.log(since=MONDAY + 1), 5))) == 0


def test_a_ledger_without_a_run_answers_nothing(told: Chronicle) -> None:
    questions = told.questions

    assert list(questions.runs()) == []
    assert list(questions.losses()) == []
    assert list(questions.changes()) == []
    assert list(questions.series()) == []
    assert list(questions.search("a", 5)) == []
    assert list(questions.as_of(FRIDAY)) == []
    assert questions.life(None, ONE) is None
    assert list(questions.versions(ObiKind.TOBI, ONE)) == []
    assert questions.version_at(None, ONE) is None
