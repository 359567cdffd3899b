# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Dark archive page's models, words and drawing, with no window."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from carrel.dark_archive.probes.outcomes import PROVES_NOTHING, SPEAKS_FOR_LOSS
from carrel.model.dark import IncidenceKind, LossKind, ObiKind, RunSource
from carrel.model.dark_views import (
    ChangeRow,
    DarkCheck,
    DarkFault,
    Hit,
    Life,
    LifeEvent,
    LossRow,
    NotedCheck,
    ObiState,
    RunProgress,
)
from carrel_desktop.run_stream import RunStream, key_of
from carrel_desktop.theme import Theme
from carrel_desktop.views.dark import columns, texts
from carrel_desktop.views.dark.answers import new_by_series
from carrel_desktop.views.dark.chosen import file_name
from carrel_desktop.views.dark.commands import as_csv
from carrel_desktop.views.dark.life import Drawing, Stretch, Way, drawing, trigger
from carrel_desktop.views.dark.questions import SAVED, Question, QuestionsModel, counted, words
from carrel_desktop.views.dark.side import RunsModel, _lines
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.table.view import hidden_columns, least_width
from support import dark_datasets as sets

Role = Qt.ItemDataRole
DESCENDING = Qt.SortOrder.DescendingOrder
FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


def listed(rows: Sequence[LossRow] | None = None) -> RowsModel[LossRow]:
    model: RowsModel[LossRow] = RowsModel(columns.losses())
    model.show(model.kind, sets.losses() if rows is None else rows)
    return model


def life(*events: LifeEvent, state: ObiState = ObiState.PRESENT, until: int = 40) -> Life:
    return Life(ObiKind.TOBI, sets.PAPER, state, 0, events=events, known_until=until)


# Rows


def test_rows_are_a_sound_model(qapp: QApplication) -> None:
    model = listed()
    tester = QAbstractItemModelTester(model, FATAL)

    model.sort(0)
    model.seek(("wpaper",))
    model.show(columns.hits(), sets.hits())  # type: ignore[arg-type]  # a table changes its kind

    assert model.rowCount() == 2
    tester.deleteLater()


def test_rows_come_newest_first(qapp: QApplication) -> None:
    model = listed()

    assert model.listed[0].since == max(row.since for row in sets.losses())


def test_every_word_must_occur_in_any_case(qapp: QApplication) -> None:
    model = listed()

    model.seek(("TIDEWATER", "404"))

    assert [row.ident for row in model.listed] == [sets.TEXT]


def test_sorting_keeps_the_chosen_row(qapp: QApplication) -> None:
    model = listed()
    place = model.place_of(sets.TEXT)
    assert place is not None
    chosen = QPersistentModelIndex(model.index(place, 0))

    model.sort(0, DESCENDING)

    assert model.ident(chosen) == sets.TEXT


def test_a_row_speaks_as_one_sentence(qapp: QApplication) -> None:
    model = listed()

    spoken = model.index(0, 0).data(Role.AccessibleTextRole)

    assert spoken.startswith(f"Object {sets.PAPER}, Missing No longer listed")


def test_progress_replaces_what_is_known_and_adds_what_is_new(qapp: QApplication) -> None:
    model: RowsModel[RunProgress] = RowsModel(columns.progress())
    first = RunProgress("templates", "RePEc:aaa", "one", 1, 9, "")
    model.put([first], key_of)

    model.put([replace(first, done=9), replace(first, series="two")], key_of)

    assert [(row.series, row.done) for row in model.listed] == [("one", 9), ("two", 1)]


def test_a_hundred_thousand_rows_sort_and_filter_in_a_blink(qapp: QApplication) -> None:
    model = listed(sets.many_losses(100_000))
    model.know([model.kind.sought(row) for row in sets.many_losses(100_000)])
    began = perf_counter()

    model.sort(0)
    model.seek(("a07", "404"))

    assert model.rowCount() > 1000
    assert perf_counter() - began < 2


def test_the_object_has_room_before_anything_else() -> None:
    shown = columns.losses()

    assert hidden_columns(shown, 4000) == set()
    assert hidden_columns(shown, 10) == {1, 3, 4}


def test_what_a_series_lost_is_in_sight_in_a_small_window(qapp: QApplication) -> None:
    shown = columns.series({})
    first = [each.heading for each in shown.columns[:5]]

    assert first == ["Series", "Templates", "Templates lost", "Full texts", "Full texts gone"]
    assert least_width(shown, set(range(5, len(shown.columns)))) <= 557  # at 1024 by 600


def test_a_bar_beside_what_is_lost_has_nothing_in_it_that_was_renamed(qapp: QApplication) -> None:
    lost = columns.series({}).columns[2]
    row = replace(sets.series()[0], templates=7, templates_lost=0, renamed=1)
    assert lost.shares is not None

    assert list(lost.shares(row)) == []
    assert list(lost.shares(replace(row, templates_lost=7))) == [(1.0, "failed")]


# Questions


def test_losses_answer_six_questions() -> None:
    counts = counted(sets.losses())

    assert counts[Question.LOST] == 3
    assert counts[Question.SUSPECT] == 2
    assert counts[Question.RENAMED] == 40
    assert counts[Question.NEW] == 3
    assert counts[Question.GONE] == 2
    assert counts[Question.COPIES] == 1


def test_news_are_what_the_last_run_missed_first_or_confirmed() -> None:
    confirmed = sets.losses()[1]
    assert confirmed.is_new
    assert confirmed.since < (confirmed.confirmed or 0)

    assert counted([confirmed])[Question.NEW] == 1
    assert "or confirmed as lost" in words(Question.NEW).sentence


def test_what_is_lost_renamed_suspect_not_named_or_damaged_is_in_one_list_each() -> None:
    apart = (
        *(Question.LOST, Question.SUSPECT, Question.RENAMED),
        *(Question.UNNAMED, Question.COPIES),
    )
    unnamed = replace(sets.losses()[0], kind=ObiKind.FOBI)

    for row in [*sets.losses(), unnamed]:
        assert sum(counted([row])[question] for question in apart) == 1
    assert counted([unnamed])[Question.UNNAMED] == 1


def test_losses_of_a_run_add_up_to_what_is_newly_missing() -> None:
    found = {"lost": 2, "full texts lost": 1, "full texts no longer named": 3}

    assert texts.counts(found) == (
        "Templates: 2 lost or renamed · Full texts: 1 lost, 3 no longer named"
    )


def test_a_run_that_repaired_copies_is_not_said_to_have_found_nothing() -> None:
    assert texts.counts({"copies repaired": 1}) == "1 damaged copy repaired"
    assert texts.counts({"appeared": 1, "copies repaired": 2}) == (
        "Templates: 1 appeared · 2 damaged copies repaired"
    )


def test_a_backfill_says_that_older_versions_were_added() -> None:
    assert texts.counts({"appeared": 1, "older versions": 2}) == (
        "Templates: 1 appeared, 2 with an older version"
    )


def test_a_damaged_copy_was_captured_all_the_same(qapp: QApplication) -> None:
    (damaged,) = [row for row in sets.losses() if row.what is LossKind.COPY]

    assert listed([replace(damaged, held=False)]).index(0, 4).data() == "No intact copy"


def test_of_a_damaged_copy_it_is_said_that_only_another_version_is_held(
    qapp: QApplication,
) -> None:
    damaged = next(row for row in sets.losses() if row.what is LossKind.COPY)

    assert listed([replace(damaged, held=True)]).index(0, 4).data() == "Another version"


@pytest.mark.parametrize(
    ("held", "was_captured", "said"),
    [(True, True, "Archived"), (False, True, "No intact copy"), (False, False, "Never captured")],
)
def test_a_lost_text_whose_copy_is_bad_is_not_said_to_be_never_captured(
    qapp: QApplication, held: bool, was_captured: bool, said: str
) -> None:
    gone = replace(sets.losses()[1], held=held, was_captured=was_captured)

    assert listed([gone]).index(0, 4).data() == said


def test_counts_stand_beside_the_questions(qapp: QApplication, theme: Theme) -> None:
    model = QuestionsModel(theme)
    tester = QAbstractItemModelTester(model, FATAL)

    model.show_counts({Question.LOST: 1200})

    said = model.index(SAVED.index(Question.LOST)).data(Role.AccessibleTextRole)
    assert said == "Lost, 1,200"
    tester.deleteLater()


def test_a_damaged_copy_of_ours_is_no_loss_of_the_series() -> None:
    row = replace(sets.losses()[0], what=LossKind.COPY)

    assert new_by_series([row, sets.losses()[1]]) == {("RePEc:tde", "wpaper"): 1}


def test_runs_stand_newest_first_and_know_what_came_after(qapp: QApplication) -> None:
    model = RunsModel()
    tester = QAbstractItemModelTester(model, FATAL)

    model.show_runs(list(reversed(sets.runs())))

    newest, second = model.at(model.index(0, 0)), model.at(model.index(1, 0))
    assert newest is not None
    assert second is not None
    assert newest.tist == sets.LAST
    tester.deleteLater()


def test_a_run_stands_under_the_time_it_began_though_its_number_is_ahead(
    qapp: QApplication,
) -> None:
    began = datetime.fromtimestamp(sets.LAST, UTC).isoformat()
    run = replace(sets.runs()[0], tist=sets.LAST + 400 * 86_400, began=began)

    assert _lines(run).first == f"{texts.second(sets.LAST)} UTC"
    assert texts.last_run(run, sets.LAST + 1).startswith("Harvested just now.")


def test_runs_carry_the_date_of_old_data(qapp: QApplication) -> None:
    model = RunsModel()
    model.show_runs(sets.runs())

    told = [model.index(row, 0).data(Role.AccessibleTextRole) for row in range(7)]

    assert ["data of" in each for each in told] == [False] * 5 + [True, True]


def test_what_belongs_to_no_series_is_named_by_what_it_is(qapp: QApplication) -> None:
    kind = columns.series({})
    nameless = replace(sets.series()[0], archive="", series="")

    assert kind.columns[0].text(sets.series()[-1]) == "RePEc:arn: in no series"
    assert kind.columns[0].text(nameless) == "Without an archive"
    assert kind.columns[0].tip is not None
    assert kind.columns[0].tip(nameless).startswith("Templates without a handle, ")


def test_a_verification_is_counted_in_faults_and_says_so(qapp: QApplication) -> None:
    model = QuestionsModel()

    assert model.count(Question.CHECK) == ""
    model.show_counts({Question.CHECK: 0, Question.LOST: 0})
    assert (model.count(Question.CHECK), model.count(Question.LOST)) == ("intact", "0")
    model.show_counts({Question.CHECK: 1})
    assert model.count(Question.CHECK) == "1 fault"


def test_a_verification_of_an_earlier_session_is_told_as_far_as_it_was_noted(
    qapp: QApplication,
) -> None:
    model = QuestionsModel()

    model.show_counts({}, NotedCheck(7, 20, 300, 2))
    assert model.count(Question.CHECK) == "2 not intact"
    model.show_counts({}, NotedCheck(7, 20, 300, 0))
    assert model.count(Question.CHECK) == "objects intact"
    model.show_counts({Question.CHECK: 0}, NotedCheck(7, 20, 300, 0))
    assert model.count(Question.CHECK) == "intact"


def test_the_name_of_a_faulty_object_gives_way_in_its_middle() -> None:
    name = columns.faults().columns[2]

    assert (name.heading, name.is_fixed, name.leads_on) == ("Name", True, True)


# The life line


def test_a_life_is_drawn_from_noted_over_lost_to_found_again() -> None:
    drawn = drawing(
        life(LifeEvent(10, "noted"), LifeEvent(20, "lost"), LifeEvent(30, "found again"))
    )

    assert [mark.what for mark in drawn.marks] == ["noted", "lost", "found again"]
    assert drawn.stretches == [
        Stretch(10, 20, Way.THERE),
        Stretch(20, 30, Way.GONE),
        Stretch(30, 40, Way.THERE, is_open=True),
    ]


def test_what_is_lost_stays_open_to_the_end() -> None:
    drawn = drawing(life(LifeEvent(10, "noted"), LifeEvent(20, "lost")))

    assert drawn.stretches[-1] == Stretch(20, 40, Way.GONE, is_open=True)


def test_what_is_missed_lies_over_what_is_there() -> None:
    drawn = drawing(life(LifeEvent(10, "noted"), LifeEvent(20, "missed", "", 25)))

    assert drawn.stretches == [
        Stretch(10, 40, Way.THERE, is_open=True),
        Stretch(20, 25, Way.MISSED),
    ]


@pytest.mark.parametrize(
    ("state", "after", "stretch"),
    [
        (ObiState.LOST, "lost", Stretch(20, 30, Way.MISSED)),
        (ObiState.SUSPECT, "noted", Stretch(20, 40, Way.MISSED, is_open=True)),
        (ObiState.PRESENT, "changed", Stretch(10, 40, Way.THERE, is_open=True)),
        (ObiState.PRESENT, "noted", Stretch(10, 40, Way.THERE, is_open=True)),
    ],
)
def test_a_miss_lasts_until_it_is_a_loss_or_until_now(
    state: ObiState, after: str, stretch: Stretch
) -> None:
    events = LifeEvent(10, "noted"), LifeEvent(20, "missed"), LifeEvent(30, after)

    assert drawing(life(*events, state=state)).stretches[-1] == stretch


def test_an_older_text_that_is_added_later_ends_no_loss() -> None:
    events = LifeEvent(10, "noted"), LifeEvent(20, "lost"), LifeEvent(30, "noted", "older text")

    assert drawing(life(*events)).stretches[-1] == Stretch(20, 40, Way.GONE, is_open=True)


def test_a_life_is_drawn_by_the_clock_of_its_data() -> None:
    events = LifeEvent(90, "noted", dated=10), LifeEvent(91, "lost", dated=20)
    missed = LifeEvent(91, "missed", "", dated=15)

    drawn = drawing(life(*events, missed, until=100))

    assert [(mark.seconds, mark.recorded) for mark in drawn.marks] == [(10, 90), (15, 91), (20, 91)]
    assert drawn.stretches == [
        Stretch(10, 20, Way.THERE),
        Stretch(20, 100, Way.GONE, is_open=True),
        Stretch(15, 20, Way.MISSED),
    ]
    assert trigger(life(*events))[0] == 91  # by our clock


def test_looks_are_drawn_apart_and_are_no_marks() -> None:
    drawn = drawing(life(LifeEvent(10, "noted"), LifeEvent(10, "asked", "ok", 35)))

    assert drawn.asked == [(10, 35)]
    assert len(drawn.marks) == 1


def test_a_life_without_events_is_drawn_as_nothing() -> None:
    assert drawing(life()) == Drawing([], [], [])
    assert drawing(life()).ends is None


def test_a_life_is_drawn_as_far_as_it_is_known_and_no_further() -> None:
    changed = LifeEvent(10, "noted"), LifeEvent(30, "changed")

    assert drawing(life(*changed, until=20)).ends == (10, 30)
    assert drawing(life(*changed, until=35)).ends == (10, 35)


@pytest.mark.parametrize(
    ("events", "since"),
    [
        ((LifeEvent(10, "noted"), LifeEvent(20, "lost")), 20),
        ((LifeEvent(20, "lost"), LifeEvent(30, "found again")), None),
        ((LifeEvent(10, "noted"),), None),
    ],
)
def test_only_what_is_lost_now_triggers(events: Sequence[LifeEvent], since: int | None) -> None:
    assert trigger(life(*events))[0] == since


def test_how_our_copy_is_stands_on_no_line() -> None:
    drawn = drawing(life(LifeEvent(10, "noted"), LifeEvent(900, "damaged", "damaged")))

    assert ([mark.what for mark in drawn.marks], drawn.ends) == (["noted"], (10, 40))


def test_a_line_is_solid_only_until_the_object_was_last_seen() -> None:
    events = LifeEvent(10, "noted"), LifeEvent(10, "asked", "ok", 20), LifeEvent(30, "asked", "x")
    seen = replace(life(*events), outcome="forbidden", requested=30, delivered=20)

    assert drawing(seen).stretches == [
        Stretch(10, 20, Way.THERE),
        Stretch(20, 40, Way.UNSEEN, is_open=True),
    ]


def test_a_version_that_may_be_cut_says_so() -> None:
    kind = columns.versions()
    media = next(it for it in kind.columns if it.heading == "Type")
    cut = replace(sets.version(10, 5, "application/pdf"), flags=("likely-cut",))

    assert media.text(cut) == "may be cut: a PDF without its end · application/pdf"
    assert media.look is not None
    assert media.look(cut) == ("warning", "warning")
    assert media.look(replace(cut, flags=("landing-page",))) == ("", "")
    said = "Delivered the file, 2 times: may be cut: a PDF without its end"
    assert texts.cause("ok, 2 times: likely-cut") == said


def test_what_was_not_seen_since_has_no_tick(qapp: QApplication) -> None:
    hit = Hit(ObiKind.FOBI, sets.TEXT, ObiState.PRESENT, "aaa", "wp", None, "ok", sets.LAST)
    later = replace(hit, outcome="forbidden")

    assert (texts.standing(hit), texts.standing_look(hit)) == ("Present", ("ok", "ok"))
    assert texts.standing(later) == "Present when last delivered on 2026-03-03"
    assert texts.standing_look(later) == ("question", "secondary")


def test_what_was_not_requested_is_no_check() -> None:
    events = LifeEvent(10, "noted"), LifeEvent(20, "lost"), LifeEvent(30, "not asked", "robots")

    assert trigger(life(*events)) == (20, 20)


def test_what_was_renamed_is_drawn_as_no_loss() -> None:
    drawn = drawing(life(LifeEvent(10, "noted"), LifeEvent(20, "renamed")))

    assert drawn.stretches[-1] == Stretch(20, 40, Way.RENAMED, is_open=True)


# Words


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(5, "just now"), (720, "12 min ago"), (3 * 86400, "on 2026-02-28"), (-60, "on 2026-03-03")],
)
def test_how_long_ago_it_was_is_said_in_words(qapp: QApplication, seconds: int, said: str) -> None:
    assert texts.ago(sets.NOW - seconds, sets.NOW) == said


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (
            0,
            "3 appeared, 1 changed, 2 lost or renamed, 1 reappeared · Full texts: 1 lost. "
            "All templates were read.",
        ),
        (5, "(data of 2012-06-01). Templates: 8,431 appeared"),
        (1, "no losses were determined"),
        (2, "The harvest begun on 2026-02-17 was interrupted before it had determined all losses."),
    ],
)
def test_a_run_says_what_may_be_concluded(qapp: QApplication, number: int, words: str) -> None:
    assert words in texts.last_run(sets.runs()[number], sets.NOW)


def test_where_a_whole_archive_is_away_not_all_templates_are_said_to_be_read(
    qapp: QApplication,
) -> None:
    said = texts.last_run(sets.run(sets.LAST, {"suspect": 17}, "ftp"), sets.NOW)

    assert "All templates were read" not in said
    assert "All that was there was read; nothing of some archives was." in said


@pytest.mark.parametrize("name", ["containers unreadable", "parts not read"])
def test_a_run_that_could_not_read_a_part_says_so_and_names_it(
    qapp: QApplication, name: str
) -> None:
    run = replace(sets.run(sets.LAST, {name: 1}, "ftp"), unreadable=["tde/wpaper.rdf"])

    said = texts.last_run(run, sets.NOW)

    assert "All templates were read" not in said
    assert said.endswith(
        "A part of the source could not be read: nothing is concluded about it. "
        "Unreadable: tde/wpaper.rdf."
    )
    assert texts.completeness(run) == "a part could not be read"
    assert _lines(run).icon == "warning"


@pytest.mark.parametrize(
    ("scope_ok", "ended", "said", "short"),
    [
        (
            True,
            True,
            "The harvest begun 12 min ago was stopped before all full texts were requested. "
            "Nothing new until then. All templates were read.",
            "stopped before all full texts were requested",
        ),
        (
            False,
            True,
            "The harvest begun 12 min ago was stopped before all templates were read: no losses "
            "were determined. Nothing new until then.",
            "stopped before all templates were read",
        ),
        (
            True,
            False,
            "The harvest begun 12 min ago was interrupted while full texts were requested. "
            "Nothing new until then. All templates were read.",
            "interrupted while full texts were requested",
        ),
    ],
)
def test_a_run_that_was_cut_short_says_where(
    qapp: QApplication, scope_ok: bool, ended: bool, said: str, short: str
) -> None:
    run = replace(
        sets.run(sets.LAST, {"stopped": 1} if ended else {}, "ftp", ended=ended), scope_ok=scope_ok
    )

    assert texts.last_run(run, sets.NOW) == said
    assert short in texts.completeness(run)
    assert short in _lines(run).second
    assert _lines(run).icon == "warning"


def test_a_run_that_was_interrupted_is_not_said_to_have_found_nothing(qapp: QApplication) -> None:
    model = RunsModel()
    model.show_runs([sets.runs()[2]])

    assert "nothing new" not in model.index(0, 0).data(Role.AccessibleTextRole)


def test_a_run_says_how_many_full_texts_did_not_come_and_why(qapp: QApplication) -> None:
    found = {"appeared": 2, "full texts: bot-wall": 3, "full texts: http-404": 1}
    told = "4 full texts were not delivered (Bot check: 3, Not found (404): 1)"

    run = sets.run(sets.LAST, found, "ftp")

    assert texts.last_run(run, sets.NOW).endswith(f"All templates were read. {told}.")
    assert texts.completeness(run) == f"all templates read, {told}"


@pytest.mark.parametrize("outcome", [*SPEAKS_FOR_LOSS, *PROVES_NOTHING])
def test_every_outcome_of_a_request_has_words(outcome: str) -> None:
    assert texts.cause(outcome) != outcome


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        ("http-404", "Not found (404)"),
        ("http-503", "The server answered 503"),
        ("odd", "odd"),
        ("http-404, 3 times: no such page", "Not found (404), 3 times: no such page"),
        (None, ""),
    ],
)
def test_a_cause_is_said_in_words_or_as_it_is(cause: str | None, said: str) -> None:
    assert texts.cause(cause) == said


def test_the_last_run_names_what_it_read_unless_that_stands_beside(qapp: QApplication) -> None:
    chosen = Path("/srv/RePEc")
    read = replace(sets.run(sets.LAST, {}, str(chosen)), source_tist=None)
    listed = replace(read, source=RunSource.LIST, source_ref="/home/ada/urls.txt")

    assert "from" not in texts.last_run(read, sets.NOW, chosen)
    assert " from RePEc" in texts.last_run(read, sets.NOW, Path("/srv/other"))
    assert " from urls.txt. " in texts.last_run(listed, sets.NOW, chosen)


def test_a_check_names_all_three_places(qapp: QApplication) -> None:
    heading, sentence = texts.checked(sets.check(), sets.NOW)

    assert heading == "3 faults found"
    assert sentence.startswith("Store: 1 · Journal: 1 · Ledger: 1.")
    assert "1 can be repaired here" in sentence
    assert "Verified on 2026-03-03 09:12 UTC" in sentence


def test_a_check_counts_as_read_what_it_could_read(qapp: QApplication) -> None:
    fault = DarkFault("store", "a.pdf", "missing", "There is no file at its path.")

    heading, sentence = texts.checked(DarkCheck(61, 24_000, 43, [fault], unread=1), sets.NOW)

    assert heading == "1 fault found"
    assert "61 stored objects (23.4 KiB) were read again. 1 more could not be read." in sentence
    assert "A second copy could repair it." in sentence


def test_a_sound_check_says_so(qapp: QApplication) -> None:
    heading, sentence = texts.checked(DarkCheck(2, 10, 4), sets.NOW)

    assert heading == "All was intact"
    assert "Store, journal and ledger agreed." in sentence


@pytest.mark.parametrize("tist", [10**18, -(10**18)])
def test_a_moment_beyond_all_calendars_is_a_dash(tist: int) -> None:
    assert texts.moment(tist) == "–"


# Files


def test_csv_has_plain_numbers_and_whole_texts(qapp: QApplication) -> None:
    lines = as_csv(columns.series({}), sets.series()[1:2]).splitlines()

    assert lines[0].startswith("Series,Templates,Templates lost,Full texts,")
    assert lines[1] == "RePEc:nis:papers,1204,2,1150,96,1,0,0,90,41,0"


def test_what_never_came_is_told_with_what_came_of_the_last_request(qapp: QApplication) -> None:
    asked = Hit(ObiKind.FOBI, sets.TEXT, ObiState.UNSEEN, "aaa", "wp", outcome="http-404")
    closed = replace(asked, outcome=None, series=None)

    assert as_csv(columns.never_captured(), [asked, closed]).splitlines() == [
        "Object,Last request,State,Series",
        f"{sets.TEXT},Not found (404),Never captured,aaa:wp",
        f"{sets.TEXT},Not requested,Never captured,aaa",
    ]


def test_csv_names_all_new_handles(qapp: QApplication) -> None:
    row = replace(sets.losses()[0], renamed_to=("RePEc:a:b:1", "RePEc:a:b:2"))

    assert "RePEc:a:b:1 RePEc:a:b:2" in as_csv(columns.renames(), [row])


@pytest.mark.parametrize("ident", ["=1+1", "@SUM(A1)", "-2", "+3"])
def test_csv_holds_no_formula(qapp: QApplication, ident: str) -> None:
    row: Any = replace(sets.losses()[0], ident=ident)

    assert f"'{ident}" in as_csv(columns.losses(), [row])


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://a.example/wp/11.pdf?x=/../y", "11.pdf"),
        ("https://a.example/wp/..%2f..%2fetc", "2f.._2fetc"),
        ("https://a.example/.bashrc", "bashrc"),
        ("https://a.example/", "a.example"),
        ("", "full-text"),
    ],
)
def test_the_name_offered_for_a_copy_is_harmless(url: str, name: str) -> None:
    assert file_name(url).endswith(name)
    assert "/" not in file_name(url)


# Progress


def test_only_the_newest_of_each_series_comes(qapp: QApplication) -> None:
    stream = RunStream()
    came: list[Sequence[RunProgress]] = []
    stream.moved.connect(came.append)
    first = RunProgress("templates", "RePEc:aaa", "one", 1, 9, "")

    stream.tell(first)
    stream.tell(replace(first, series="two"))
    stream.tell(replace(first, done=2))
    stream.close()

    assert [[(row.series, row.done) for row in told] for told in came] == [[("two", 1), ("one", 2)]]


@pytest.mark.parametrize(
    ("phase", "total", "said"),
    [
        ("templates", 1_200, "5 of 1,200 files"),
        ("templates", None, "5 files"),
        ("full texts", None, "5 full texts"),
        ("tarball", 9, "5 of 9"),
    ],
)
def test_the_progress_of_a_run_says_what_it_counts(
    phase: str, total: int | None, said: str
) -> None:
    row = RunProgress(phase, "aaa", "wpaper", 5, total, "")

    assert str(columns.progress().columns[2].text(row)) == said


def test_a_run_that_lost_templates_says_the_same_whatever_is_known_of_them_later() -> None:
    found = {"appeared": 1, "lost": 2, "full texts lost": 1}

    assert texts.counts(found) == "Templates: 1 appeared, 2 lost or renamed · Full texts: 1 lost"


def test_a_template_that_a_run_found_lost_is_marked_if_it_is_known_to_be_renamed() -> None:
    change = ChangeRow(
        7, IncidenceKind.DELETION, ObiKind.TOBI, "a:2", "not-in-data", None, None, None, None
    )
    assert texts.change(change) == "Lost"
    assert texts.change(replace(change, is_renamed=True)) == "Probably renamed"


def test_a_run_that_did_not_get_every_full_text_has_no_green_tick(qapp: QApplication) -> None:
    whole = next(run for run in sets.runs() if run.ended and run.scope_ok)
    lacking = replace(whole, counts={**whole.counts, "full texts: private-address": 2})

    assert (_lines(whole).icon, _lines(lacking).icon) == ("ok", "warning")
    assert [texts.run_look(run)[0] for run in (whole, lacking)] == ["ok", "warning"]
