# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Queue page, on a fake engine."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QPushButton, QWidget

from carrel.model import (
    Answer,
    Finding,
    IngestOptions,
    IngestRequest,
    IngestStrategy,
    Job,
    JobState,
    ManifestFile,
    Question,
    Status,
    StrategyChoice,
)
from carrel.model import events as ev
from carrel_desktop.main_window import MainWindow
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.queue.columns import Column
from carrel_desktop.views.queue.graph import RateGraph
from carrel_desktop.views.queue.history import ending_of, failures, history
from carrel_desktop.views.queue.job_items import VIEW_MODEL_ROLE
from carrel_desktop.views.queue.layout import EMPTY, FILLED, NONE_FOUND
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.transfer import Transfer
from carrel_desktop.views.queue.view import QueueView
from carrel_desktop.views.queue.view_model import job_view_model
from carrel_desktop.widgets.paged_tree import PAGE
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.fake_engine import FakeEngine
from support.fake_script import Script
from support.queues import asking, changed, described, ended, held_up, running, waiting

SURVEY = IngestRequest(sets.SURVEY)


def started(
    stage: Stage, script: Script, url: str, options: IngestOptions = IngestOptions()
) -> tuple[QueueView, FakeEngine, MainWindow]:
    window, engine = stage.window(script)
    window.show_page(window.pages.queue)
    stage.run(window.session.call(lambda engine: engine.queue.add([IngestRequest(url)], options)))
    view = window.pages.queue
    stage.wait(lambda: view.model.totals().all == 1 and view.model.totals().waiting == 0)
    stage.wait(lambda: view.model.rowCount() == 1)
    return view, engine, window


def standing(stage: Stage, *jobs: Job) -> tuple[QueueView, FakeEngine, MainWindow]:
    """Return the page of a queue that was there before and is stopped."""
    window, engine = stage.window(replace(sets.script(), jobs=jobs))
    view = window.pages.queue
    window.show_page(window.pages.queue)
    stage.wait(lambda: view.model.is_running)
    stage.run(window.session.call(lambda engine: engine.queue.stop()))
    stage.do(window.session._bridge.drain)  # what ran until now must not be heard of later
    engine.queue.known = {job.job_id: job for job in jobs}
    stage.do(view.refresh)
    stage.wait(lambda: {row.job.job_id: row.job for row in view.model.listed} == engine.queue.known)
    stage.wait(lambda: not view.reading.is_busy)
    view._follow_queue()
    return view, engine, window


def held(url: str) -> Script:
    return replace(sets.script(), held=frozenset({url}))


def choose(view: QueueView, *rows: int) -> None:
    """Choose rows by their places."""
    selection = view.tree.selectionModel()
    flag = QItemSelectionModel.SelectionFlag
    first = view.model.index(rows[0] if rows else 0, 0)
    selection.setCurrentIndex(first, flag.ClearAndSelect | flag.Rows)
    for row in rows:
        selection.select(view.model.index(row, 0), flag.Select | flag.Rows)


def did(stage: Stage, engine: FakeEngine, what: str) -> None:
    """Wait until the engine was asked for something."""
    stage.wait(lambda: what in engine.calls)


def story(view: QueueView) -> list[str]:
    return [moment.text for moment in view.ui.pane.timeline.shown]


# Opening


def test_an_empty_queue_says_what_to_do(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    window.show_page(window.pages.queue)

    stage.wait(lambda: window.pages.queue.ui.stack.currentIndex() == EMPTY)
    window.pages.queue.go_action.trigger()
    assert window.page is window.pages.archive


def test_the_queue_goes_on_when_the_window_opens(stage: Stage) -> None:
    job = waiting(1, request=IngestRequest(sets.DUNES))

    window, engine = stage.window(replace(sets.script(), jobs=[job]))
    stage.wait(lambda: window.pages.queue.model.totals().done == 1)

    assert engine.queue.is_running
    assert window.pages.queue.model.is_running


def test_closed_jobs_of_earlier_days_are_there(stage: Stage) -> None:
    view, _, _ = standing(stage, ended(1, Status.SUCCESS), ended(2, Status.TRUNCATED))

    assert (view.model.totals().done, view.model.totals().failed) == (1, 1)
    assert view.ui.stack.currentIndex() == FILLED


def test_a_job_runs_to_its_end_and_stays(stage: Stage) -> None:
    view, _, window = started(stage, sets.script(), sets.DUNES)
    stage.wait(lambda: view.model.totals().done == 1)

    assert view.ui.stack.currentIndex() == FILLED
    assert view.model.index(0, 0).data() == sets.dunes().title
    assert view.model.index(0, 4).data() == "Archived"
    stage.wait(lambda: window.pages.holdings.model.rowCount() == 1)


def test_the_files_of_a_closed_job_come_from_its_result(stage: Stage) -> None:
    view, _, _ = started(stage, sets.script(), sets.DUNES)
    stage.wait(lambda: view.model.totals().done == 1)
    job = view.model.index(0, 0)
    assert view.model.rowCount(job) == 0

    stage.do(lambda: view.tree.expand(job))
    stage.wait(lambda: view.model.rowCount(job) == len(sets.dunes().manifest))

    assert view.model.index(0, 4, job).data() == "Checksum matches"


# One job


def test_a_running_job_can_be_cancelled(stage: Stage) -> None:
    view, engine, _ = started(stage, held(sets.DUNES), sets.DUNES)
    choose(view)
    assert view.page_actions.cancel.isEnabled()

    stage.do(view.page_actions.cancel.trigger)
    stage.wait(lambda: view.model.totals().stopped == 1)

    assert "cancel job-1" in engine.calls
    assert view.ui.pane.card.word.text() == "Cancelled"
    assert view.ui.pane.card.advice.text() == Status.CANCELLED.meaning.advice


def test_a_failed_job_is_tried_again_as_it_was_asked(stage: Stage) -> None:
    outcomes = {"data/wave_1.tab": Status.MISMATCH_MD5}
    script = replace(sets.script(), file_outcomes=outcomes)
    options = IngestOptions(strategy=IngestStrategy.WEB_FILESET)
    view, engine, _ = started(stage, script, sets.SURVEY, options)
    stage.wait(lambda: view.model.totals().failed == 1)
    choose(view)

    stage.do(view.page_actions.retry.trigger)
    stage.wait(lambda: view.model.listed[0].job.attempts == 2)
    stage.wait(lambda: view.model.totals().failed == 1)

    assert "retry job-1" in engine.calls
    assert engine.jobs()[0].options == options
    assert [job.status for job in view.model.listed[0].past] == [Status.MISMATCH_MD5]


def test_a_file_is_tried_again_with_its_job(stage: Stage) -> None:
    script = replace(sets.script(), file_outcomes={"data/wave_1.tab": Status.TRUNCATED})
    view, engine, _ = started(stage, script, sets.SURVEY)
    stage.wait(lambda: view.model.totals().failed == 1)
    job = view.model.index(0, 0)
    stage.do(lambda: view.tree.expand(job))
    stage.wait(lambda: view.model.rowCount(job) > 0)
    view.tree.setCurrentIndex(view.model.index(0, 0, job))
    assert view.ui.pane.card.word.text() == "Transfer interrupted"

    stage.do(view.page_actions.retry.trigger)

    did(stage, engine, "retry job-1")


def test_a_failure_names_its_files_and_what_to_do(stage: Stage) -> None:
    script = replace(sets.script(), file_outcomes={"data/wave_1.tab": Status.MISMATCH_MD5})
    view, _, _ = started(stage, script, sets.SURVEY)
    stage.wait(lambda: view.model.totals().failed == 1)

    stage.do(lambda: choose(view))
    stage.wait(lambda: not view.ui.pane.failures.isHidden())

    assert view.ui.pane.card.advice.text() == Status.MISMATCH_MD5.meaning.advice
    labels = view.ui.pane.failures.findChildren(type(view.ui.pane.heading))
    assert "data/wave_1.tab – MD5 mismatch" in [label.text() for label in labels]


def test_a_failed_job_says_that_its_dataset_was_archived_since(stage: Stage) -> None:
    job = ended(1, Status.ERROR_PLATFORM_DOWNLOAD, finished="2026-03-01T09:00:00Z", message="Cut.")
    view, engine, _ = standing(stage, job)
    stage.do(lambda: choose(view))
    pane = view.ui.pane
    assert pane.card.advice.text() == Status.ERROR_PLATFORM_DOWNLOAD.meaning.advice
    assert pane._retry.property("role") == "primary"

    engine.done_jobs.since = {job.job_id: "2026-03-02T09:00:00Z"}
    stage.do(view.refresh)
    stage.wait(lambda: view.model.listed[0].is_overcome)

    said = pane.card.advice.text()
    assert said.startswith("The dataset was archived since, on 2026-03-02")
    assert pane.card.detail.text() == "Cut."
    assert pane._retry.property("role") != "primary"
    assert job_view_model(view.model.listed[0], 0.0).state_detail == said

    anew = replace(job, finished="2026-03-03T09:00:00Z")
    stage.do(lambda: view.model.apply(changed(anew), 0.0))
    assert pane.card.advice.text() == Status.ERROR_PLATFORM_DOWNLOAD.meaning.advice


def test_the_history_tells_that_the_person_skipped_what_asked() -> None:
    skipped = replace(asking(1), state=JobState.CANCELLED, question=None)

    assert history(Row(1, skipped), None)[-1].text == "You chose not to archive it."
    assert history(Row(1, ended(1, Status.CANCELLED)), None)[-1].text == "Cancelled"


def test_the_pane_tells_what_happened_and_when(stage: Stage) -> None:
    job = ended(1, Status.TRUNCATED, attempts=3, batch="holdings", message="It broke off.")
    view, _, _ = standing(stage, job)

    stage.do(lambda: choose(view))

    assert story(view) == [
        "Added to the queue",
        "2 earlier attempts",
        "Started, attempt 3",
        "Transfer interrupted",
    ]
    assert view.ui.pane.timeline.shown[0].detail == "With the batch holdings"
    assert view.ui.pane.card.detail.text() == "It broke off."


def test_attempts_that_were_seen_are_told_each(stage: Stage) -> None:
    script = replace(sets.script(), file_outcomes={"data/wave_1.tab": Status.TRUNCATED})
    view, _, _ = started(stage, script, sets.SURVEY)
    stage.wait(lambda: view.model.totals().failed == 1)
    stage.run(view.session.call(lambda engine: engine.queue.retry(["job-1"])))
    stage.wait(lambda: view.model.listed[0].job.attempts == 2)
    stage.wait(lambda: view.model.totals().failed == 1)

    stage.do(lambda: choose(view))

    assert story(view)[1:] == [
        "Started",
        "Transfer interrupted",
        "Started, attempt 2",
        "Transfer interrupted",
    ]


def test_a_doi_that_was_requested_stays_whatever_its_dataset_has() -> None:
    concept = "10.5281/zenodo.7000"
    request = IngestRequest(f"https://doi.org/{concept}", ext_ids={"doi": concept})
    row = Row(1, replace(running(1), request=request))

    row.set_doi("10.5281/zenodo.7002")

    assert row.identifier == concept


def test_the_history_names_the_strategy_and_tells_where_it_was_not_followed() -> None:
    told = (
        Finding("bundle-unusable", "The platform's bundle could not be used: HTTP status 404."),
        Finding("fetched-singly", "2 files fetched individually: a.txt, b.txt"),
        Finding("md5-only", "The platform publishes MD5 only."),
    )
    choice = StrategyChoice(IngestStrategy.WEB_FILESET_BUNDLED, "You chose this strategy.")
    result = sets.kept_result(sets.DUNES, sets.dunes(), "i1", "2026-03-03T11:31:45+00:00")
    ending = ending_of(replace(result, choice=choice, findings=told).to_json())

    (begun,) = [
        each for each in history(Row(1, ended(1, Status.SUCCESS)), ending) if each.text == "Started"
    ]

    assert begun.detail == (
        "Repository ZIP · web-fileset-bundled. You chose this strategy. "
        "The platform's bundle could not be used: HTTP status 404. "
        "2 files fetched individually: a.txt, b.txt."
    )


def test_the_identifier_can_be_copied(stage: Stage) -> None:
    view, _, _ = started(stage, held(sets.DUNES), sets.DUNES)
    stage.wait(lambda: view.model.listed[0].files)
    choose(view)

    stage.do(view.page_actions.copy.trigger)

    assert QGuiApplication.clipboard().text() == "10.5281/zenodo.7041152"


# Questions


def test_a_question_is_asked_in_the_pane_and_holds_up_nothing(stage: Stage) -> None:
    question = Question("Shall all be kept?", (Answer.LIFT_LIMIT, Answer.LEAVE))
    script = replace(sets.script(), questions={sets.CENSUS: question})
    view, engine, _ = started(stage, script, sets.CENSUS)
    stage.wait(lambda: view.model.totals().asking == 1)
    stage.run(
        view.session.call(
            lambda engine: engine.queue.add([IngestRequest(sets.SEABIRDS)], IngestOptions())
        )
    )
    stage.wait(lambda: view.model.totals().done == 1)
    row = view.model.rows(JobState.ASKING)[0]

    stage.do(lambda: choose(view, row.at))
    card = view.ui.pane.question

    assert not card.isHidden()
    assert card.text.text() == "Shall all be kept?"
    assert [a for a, button in card.buttons.items() if not button.isHidden()] == [
        Answer.LIFT_LIMIT,
        Answer.LEAVE,
    ]
    stage.do(card.buttons[Answer.LIFT_LIMIT].click)
    stage.wait(lambda: view.model.totals().done == 2)
    assert "answer lift-limit job-1" in engine.calls


def test_one_answer_holds_for_all_that_are_chosen(stage: Stage) -> None:
    view, engine, _ = standing(
        stage, asking(1), asking(2, Answer.OTHER_ITEM, Answer.LEAVE), waiting(3)
    )
    choose(view, 0, 1)
    card = view.ui.pane.question

    assert card.heading.text() == "2 datasets need your answer"
    assert [a for a, button in card.buttons.items() if not button.isHidden()] == [Answer.LEAVE]
    stage.do(card.buttons[Answer.LEAVE].click)
    did(stage, engine, "answer leave 2")

    assert "answer leave 1" in engine.calls


# Many jobs


def test_several_chosen_jobs_are_summed_up(stage: Stage) -> None:
    view, _, _ = standing(
        stage,
        waiting(1),
        waiting(2),
        ended(3, Status.TRUNCATED, kept_size=1_000_000),
        ended(4, Status.SUCCESS, kept_size=2_000_000),
    )

    choose(view, 0, 1, 2, 3)
    pane = view.ui.pane

    assert pane.title.title.text() == "4 selected"
    assert pane.title.facts.text() == "2.9 MiB archived"
    assert story(view) == ["Queued", "Failed", "Done", "Transfer interrupted"]


@pytest.mark.parametrize(
    ("action", "call"),
    [
        ("pause", "pause 1 2"),
        ("resume", "resume 3"),
        ("retry", "retry 4 5"),
        ("cancel", "cancel 1 2 3"),
        ("remove", "remove 1 2 3 4 5 6"),
    ],
)
def test_what_is_done_to_many_is_done_to_those_that_it_fits(
    stage: Stage, action: str, call: str
) -> None:
    view, engine, _ = standing(
        stage,
        waiting(1),
        waiting(2),
        waiting(3, state=JobState.PAUSED),
        ended(4, Status.TRUNCATED, finished="2026-03-06T00:00:00+00:00"),
        ended(5, Status.CANCELLED, finished="2026-03-05T00:00:00+00:00"),
        ended(6, Status.SUCCESS, finished="2026-03-04T00:00:00+00:00"),
    )
    view.commands.choose_all()

    stage.do(getattr(view.page_actions, action).trigger)

    did(stage, engine, call)


def test_only_what_can_be_done_is_offered(stage: Stage) -> None:
    view, _, _ = standing(stage, waiting(1), ended(2, Status.SUCCESS))
    actions = view.page_actions

    choose(view, 0)
    assert [actions.pause.isEnabled(), actions.retry.isEnabled()] == [True, False]
    assert [actions.up.isEnabled(), actions.remove.isEnabled()] == [True, True]
    choose(view, 1)

    assert [actions.pause.isEnabled(), actions.cancel.isEnabled()] == [False, False]
    assert [actions.up.isEnabled(), actions.remove.isEnabled()] == [False, True]


def test_all_are_chosen_also_those_never_scrolled_to(stage: Stage) -> None:
    count = PAGE + 40
    view, _, _ = standing(stage, *(waiting(number) for number in range(1, count + 1)))

    stage.do(view.page_actions.choose_all.trigger)

    assert len(view.tree.chosen_rows()) == count


def test_what_comes_after_all_were_chosen_and_removed_is_not_chosen(stage: Stage) -> None:
    view, engine, window = standing(stage, waiting(1), waiting(2))
    stage.do(view.page_actions.choose_all.trigger)
    stage.do(view.page_actions.remove.trigger)
    did(stage, engine, "remove 1 2")
    stage.wait(lambda: not view.model.listed)

    requests = [IngestRequest(f"https://example.org/{number}") for number in range(3)]
    stage.run(window.session.call(lambda it: it.queue.add(requests, IngestOptions())))
    stage.wait(lambda: len(view.model.listed) == 3)

    assert len(view.tree.chosen_rows()) <= 1


def test_after_all_were_chosen_one_can_be(stage: Stage) -> None:
    count = PAGE + 40
    view, _, _ = standing(stage, *(waiting(number) for number in range(1, count + 1)))
    view.commands.choose_all()
    view.model.fetchMore(QModelIndex())
    assert len(view.tree.chosen_rows()) == count

    choose(view, 3)

    assert [row.job.job_id for row in view.tree.chosen_rows()] == ["4"]


def test_everything_that_failed_is_tried_again_at_once(stage: Stage) -> None:
    view, engine, _ = standing(
        stage, ended(1, Status.TRUNCATED), ended(2, Status.SUCCESS), ended(3, Status.NOT_FOUND)
    )

    stage.do(view.page_actions.retry_failed.trigger)
    stage.wait(lambda: view.model.totals().waiting == 2)

    assert "retry 1 3" in engine.calls


def test_what_would_fail_again_is_not_tried_with_the_rest(stage: Stage) -> None:
    unknown = ended(2, Status.NO_PLATFORM_MATCH)
    view, engine, _ = standing(stage, ended(1, Status.TRUNCATED), unknown)
    action = view.page_actions.retry_failed
    assert action.text() == "Retry 1 of 2 &failed"
    assert action.statusTip() == "1 excluded: retrying would fail the same way"

    stage.do(action.trigger)
    stage.wait(lambda: view.model.totals().waiting == 1)

    assert "retry 1" in engine.calls
    assert action.text() == "Retry all &failed"
    assert not action.isEnabled()


@pytest.mark.parametrize("width", [1000, 1200, 1280, 1320, 1440, 1920])
def test_how_many_files_are_kept_is_told_at_every_width(stage: Stage, width: int) -> None:
    view, _, window = standing(stage, ended(1, Status.TRUNCATED))

    window.resize(width, 800)
    stage.do(view.tree.updateGeometries)

    assert not view.tree.isColumnHidden(Column.FILES)


def test_what_is_done_can_be_cleared(stage: Stage) -> None:
    view, _, _ = standing(stage, ended(1, Status.TRUNCATED), ended(2, Status.SUCCESS))

    stage.do(view.page_actions.clear_done.trigger)
    stage.wait(lambda: view.model.totals().all == 1)

    assert view.model.totals().failed == 1


# Turns


@pytest.mark.parametrize(
    ("action", "rows", "order"),
    [
        ("up", (3,), [1, 2, 4, 3, 5]),
        ("up", (0,), [1, 2, 3, 4, 5]),
        ("down", (0, 1), [3, 1, 2, 4, 5]),
        ("down", (4,), [1, 2, 3, 4, 5]),
        ("top", (2, 4), [3, 5, 1, 2, 4]),
        ("bottom", (0, 2), [2, 4, 5, 1, 3]),
    ],
)
def test_chosen_jobs_are_moved_by_keys(
    stage: Stage, action: str, rows: tuple[int, ...], order: list[int]
) -> None:
    view, _, _ = standing(stage, *(waiting(number) for number in range(1, 6)))
    choose(view, *rows)
    chosen = [row.job.job_id for row in view.tree.chosen_rows()]

    stage.do(getattr(view.page_actions, action).trigger)
    stage.wait(lambda: [int(row.job.job_id) for row in view.model.listed] == order)
    stage.wait(lambda: not view.reading.is_busy)

    assert sorted(row.job.job_id for row in view.tree.chosen_rows()) == sorted(chosen)


def test_alt_and_an_arrow_move_a_job(stage: Stage) -> None:
    view, engine, window = standing(stage, waiting(1), waiting(2))
    window.activateWindow()
    choose(view, 1)

    alt = Qt.KeyboardModifier.AltModifier
    stage.do(lambda: QTest.keyClick(view.tree, Qt.Key.Key_Up, alt))

    did(stage, engine, "move before 1 2")


def test_what_is_moved_to_the_top_runs_before_jobs_that_are_not_listed(stage: Stage) -> None:
    jobs = waiting(1, title="Dunes"), waiting(2, title="Dunes"), waiting(3, title="Seabirds")
    view, engine, _ = standing(stage, *jobs)
    view.ui.search.setText("sea")
    choose(view, 0)

    stage.do(view.page_actions.top.trigger)

    did(stage, engine, "move before 1 3")


def test_a_priority_is_raised_from_where_it_is(stage: Stage) -> None:
    view, engine, _ = standing(stage, waiting(1, priority=1), waiting(2))
    choose(view, 0, 1)

    stage.do(view.page_actions.higher.trigger)
    did(stage, engine, "priority 2 1")
    did(stage, engine, "priority 1 2")
    stage.wait(lambda: view.model.listed[0].job.priority == 2)

    assert view.model.index(0, 0).data(Qt.ItemDataRole.UserRole).second == "High priority"


def test_dropped_jobs_are_moved(stage: Stage) -> None:
    view, engine, _ = standing(stage, waiting(1), waiting(2), waiting(3))

    stage.do(lambda: view.model.dropped.emit(["3"], "1"))

    did(stage, engine, "move before 1 3")


# Places, causes, words


def test_places_count_and_filter(stage: Stage) -> None:
    view, _, _ = standing(stage, ended(1, Status.SUCCESS), waiting(2))
    places = view.ui.places

    places.choose(JobState.FAILED)
    assert places.button(JobState.DONE).text() == "Done  1"
    assert view.ui.stack.currentIndex() == NONE_FOUND
    places.choose(JobState.DONE)
    assert view.ui.stack.currentIndex() == FILLED
    places.choose(None)

    assert view.model.rowCount() == 2


def test_rare_places_stand_there_only_with_something_in_them(stage: Stage) -> None:
    view, _, _ = standing(stage, waiting(1), asking(2))
    places = view.ui.places

    assert not places.button(JobState.ASKING).isHidden()
    assert places.button(JobState.PAUSED).isHidden()


def test_a_cause_filters_and_counts(stage: Stage) -> None:
    view, _, _ = standing(
        stage, ended(1, Status.TRUNCATED), ended(2, Status.TRUNCATED), ended(3, Status.NOT_FOUND)
    )

    view.ui.causes.choose(Status.TRUNCATED)

    assert view.ui.causes.currentText() == "Transfer interrupted  2"
    assert view.model.rowCount() == 2


def test_what_failed_and_was_not_archived_since_can_be_listed_alone(stage: Stage) -> None:
    jobs = [ended(number, Status.TRUNCATED) for number in (1, 2, 3)]
    view, engine, _ = standing(stage, *jobs, ended(4, Status.SUCCESS))
    causes = view.ui.causes
    assert [causes.itemText(at) for at in range(causes.count())] == [
        "Any cause",
        "Transfer interrupted  3",
    ]

    stage.do(causes.choose_outstanding)
    assert view.model.rowCount() == 3
    engine.done_jobs.since = {"2": "2999-03-02T09:00:00Z"}
    stage.do(view.refresh)
    stage.wait(lambda: view.model.rowCount() == 2)

    assert causes.currentText() == "Not archived since  2"
    assert {row.job.job_id for row in view.model.listed} == {"1", "3"}
    stage.do(lambda: causes.choose(None))
    assert view.model.rowCount() == 4
    assert causes.itemText(1) == "Not archived since  2"


def test_words_filter_and_escape_shows_all(stage: Stage) -> None:
    view, _, window = standing(stage, waiting(1, title="Dunes"), waiting(2, title="Seabirds"))
    window.activateWindow()

    view.ui.search.setText("dun")
    assert view.model.rowCount() == 1
    QTest.keyClick(view.ui.search, Qt.Key.Key_Escape)

    assert view.model.rowCount() == 2


def test_what_is_chosen_stays_chosen_when_the_list_is_read_anew(stage: Stage) -> None:
    view, _, _ = standing(stage, waiting(1), waiting(2), waiting(3))
    choose(view, 1, 2)

    stage.do(view.refresh)
    stage.wait(lambda: not view.reading.is_busy)

    assert [row.job.job_id for row in view.tree.chosen_rows()] == ["2", "3"]


def test_an_open_job_stays_open_when_the_list_is_read_anew(stage: Stage) -> None:
    view, _, _ = started(stage, sets.script(), sets.DUNES)
    stage.wait(lambda: view.model.totals().done == 1)
    stage.do(lambda: view.tree.expand(view.model.index(0, 0)))
    stage.wait(lambda: view.model.rowCount(view.model.index(0, 0)) > 0)

    stage.do(view.refresh)
    stage.wait(lambda: not view.reading.is_busy)

    assert view.tree.isExpanded(view.model.index(0, 0))
    assert view.model.rowCount(view.model.index(0, 0)) == len(sets.dunes().manifest)


# The queue as a whole


def test_the_queue_is_stopped_and_started(stage: Stage) -> None:
    view, engine, _ = started(stage, held(sets.DUNES), sets.DUNES)
    assert view.page_actions.toggle.text() == "Pau&se queue"

    stage.do(view.page_actions.toggle.trigger)
    stage.wait(lambda: view.model.totals().waiting == 1 and not view.model.is_running)
    stage.wait(lambda: view.page_actions.toggle.text() == "Re&sume queue")
    engine.release()
    stage.do(view.page_actions.toggle.trigger)
    stage.wait(lambda: view.model.totals().done == 1)

    assert view.model.is_running


def test_a_queue_that_was_paused_is_paused_when_the_archive_is_opened_again(stage: Stage) -> None:
    script = replace(sets.script(), jobs=(waiting(1),), is_queue_paused=True)

    window, engine = stage.window(script)
    window.show_page(window.pages.queue)
    view = window.pages.queue
    stage.wait(lambda: view.model.rowCount() == 1)
    stage.wait(lambda: not window.session._tasks)

    assert not engine.queue.is_running
    assert view.page_actions.toggle.text() == "Re&sume queue"
    assert window.closing.farewell() == "The queue stays paused until you resume it."
    stage.do(view.page_actions.toggle.trigger)
    stage.wait(lambda: engine.queue.is_running)
    assert not engine.queue.is_paused


def test_what_stands_below_stays_where_it_is_as_the_queue_is_stopped(stage: Stage) -> None:
    view, engine, _ = started(stage, held(sets.DUNES), sets.DUNES)
    width = view.ui.toggle.width()

    stage.do(view.page_actions.toggle.trigger)
    stage.wait(lambda: view.page_actions.toggle.text() == "Re&sume queue")

    assert view.ui.toggle.width() == width == view.ui.toggle.sizeHint().width()
    engine.release()


def test_an_idle_queue_says_so_in_place_of_a_rate_and_is_resumed_by_its_button(
    stage: Stage,
) -> None:
    view, _, _ = standing(stage, ended(1, Status.SUCCESS))

    assert view.ui.toggle.isVisible()  # to resume it
    assert not view.ui.graph.isVisible()
    assert view.ui.idle.text() == "The queue is idle and paused. New datasets wait."
    stage.do(view.page_actions.toggle.trigger)
    stage.wait(lambda: view.model.is_running)

    assert not view.ui.toggle.isVisible()
    assert not view.ui.graph.isVisible()
    assert view.ui.idle.text() == "The queue is idle. New datasets start at once."


def test_a_queue_with_something_to_do_can_be_started(stage: Stage) -> None:
    view, _, _ = standing(stage, ended(1, Status.SUCCESS), waiting(2))

    assert view.ui.toggle.isVisible()
    assert not view.ui.idle.isVisible()
    assert not view.ui.graph.isVisible()  # nothing moves yet


def test_what_runs_can_be_stopped_and_has_a_rate(stage: Stage) -> None:
    view, _, _ = started(stage, held(sets.DUNES), sets.DUNES)

    assert view.ui.toggle.isVisible()
    assert view.ui.graph.isVisible()
    assert not view.ui.idle.isVisible()


def test_files_that_the_message_names_are_not_named_again() -> None:
    files = [
        ManifestFile(f"{name}.txt", status=Status.TRUNCATED, message=f"{name} broke off.")
        for name in "abc"
    ]
    message = (
        "None of the 3 files is archived. Not archived: a.txt: a broke off; b.txt: b broke off."
    )
    row = Row(0, ended(1, Status.TRUNCATED, message=message), Transfer.of_manifest(files))

    (found,) = failures(row, None)

    assert found.message.startswith("c.txt – Transfer interrupted")


def test_another_try_is_not_urged_where_it_would_be_in_vain(stage: Stage) -> None:
    view, _, _ = standing(stage, ended(1, Status.TRUNCATED), ended(2, Status.NO_PLATFORM_MATCH))
    button = view.ui.pane.footer.findChild(QPushButton, "retry_button")
    broke_off, unknown = view.model.find("1"), view.model.find("2")
    assert button
    assert broke_off
    assert unknown

    stage.do(lambda: view.tree.choose([broke_off]))
    assert button.property("role") == "primary"
    stage.do(lambda: view.tree.choose([unknown]))

    assert button.property("role") == ""


def test_a_job_that_found_nothing_leads_to_the_mementos_of_its_address(stage: Stage) -> None:
    view, _, window = standing(stage, ended(1, Status.NOT_FOUND), ended(2, Status.TRUNCATED))
    gone, cut = view.model.find("1"), view.model.find("2")
    assert gone
    assert cut

    stage.do(lambda: view.tree.choose([cut]))
    assert not view.ui.pane.mementos.isVisible()
    stage.do(lambda: view.tree.choose([gone]))
    assert view.ui.pane.mementos.isVisible()
    stage.do(view.ui.pane.mementos.click)

    assert window.page is window.pages.mementos
    assert window.pages.mementos.ui.field.text() == gone.job.request.base_url


def test_the_side_bar_tells_what_runs(stage: Stage) -> None:
    _, _, window = started(stage, held(sets.DUNES), sets.DUNES)

    stage.wait(lambda: window.side_bar.buttons[2].accessibleName() == "Queue, 1 running")
    stage.wait(lambda: window.status.jobs.text() == "1 running")


def test_the_graph_says_the_rate_in_words(stage: Stage) -> None:
    view, _, _ = standing(stage, waiting(1))

    view.ui.graph.add(1000.0, 2_000_000.0)
    view.ui.graph.add(1001.0, 1_000_000.0)

    assert view.ui.graph.accessibleName().startswith("976.6 KiB/s now, up to 1.9 MiB/s")


# Commands and batches


def test_jobs_are_copied_as_commands_safe_in_a_shell(stage: Stage) -> None:
    url = "https://example.org/a?x=1&y='$(reboot)'"
    options = IngestOptions(strategy=IngestStrategy.WEB_FILE, max_file_count=5)
    view, _, _ = standing(stage, waiting(1, request=IngestRequest(url), options=options))
    choose(view)

    stage.do(view.page_actions.command.trigger)

    assert QGuiApplication.clipboard().text() == (
        "carrel ingest --strategy web-file --max-file-count 5 "
        """'https://example.org/a?x=1&y='"'"'$(reboot)'"'"''"""
    )


def test_what_failed_is_exported_as_a_batch_that_can_be_read(stage: Stage, tmp_path: Path) -> None:
    request = IngestRequest(sets.DUNES, ext_ids={"doi": "10.5281/zenodo.7041152"})
    view, _, _ = standing(stage, ended(1, Status.TRUNCATED, request=request), waiting(2))
    path = tmp_path / "failed.jsonl"

    stage.do(view.page_actions.export_failed.trigger)
    dialog = view.tree.findChild(QFileDialog, "export")
    assert dialog
    stage.do(lambda: dialog.fileSelected.emit(str(path)))
    stage.do(dialog.reject)
    stage.wait(path.exists)

    lines = path.read_text().splitlines()
    assert [IngestRequest.from_json(json.loads(line)) for line in lines] == [request]


def test_a_batch_that_can_not_be_written_is_told(stage: Stage, tmp_path: Path) -> None:
    view, _, window = standing(stage, waiting(1))

    stage.do(lambda: view.commands.write_batch(tmp_path / "gone" / "b.jsonl", [SURVEY]))
    stage.wait(lambda: not window.notice.isHidden())

    assert "b.jsonl cannot be used" in window.notice.label.text()


def test_changes_that_come_while_the_list_is_read_are_not_lost(stage: Stage) -> None:
    view, engine, _ = standing(stage, waiting(1))

    def change() -> None:
        view.refresh()
        job = ended(1, Status.SUCCESS)
        engine.queue.known = {"1": job}
        view.model.apply([ev.JobChanged("1", job)], 0.0)

    stage.do(change)
    stage.wait(lambda: not view.reading.is_busy)

    assert view.model.totals().done == 1


# What cannot go on


def test_a_full_disk_is_told_in_the_row_the_pane_the_side_bar_and_a_notice(stage: Stage) -> None:
    view, _, window = standing(stage, held_up(1), held_up(2), waiting(3))

    choose(view, 0)
    card = view.ui.pane.card

    assert view.model.index(0, 4).data() == "Disk full"
    assert not card.isHidden()
    assert card.word.text() == "Disk full"
    assert card.property("card") == "notice"
    assert "make room" in card.advice.text()
    assert "Retried when the queue starts again" in card.advice.text()
    assert card.detail.text() == "Only 2 bytes are free."
    assert "2 on hold" in window.side_bar.buttons[2].accessibleName()
    assert "2 on hold" in window.status.jobs.text()
    assert not re.search(r"\d paused", window.status.jobs.text())
    assert "Disk full: Only 2 bytes are free." in window.notice.label.text()


def test_what_a_damaged_store_holds_up_goes_on_with_the_queue_or_is_paused_for_good(
    stage: Stage,
) -> None:
    view, _, _ = standing(stage, held_up(1, Status.STORE_DAMAGED))

    choose(view, 0)

    assert view.model.index(0, 4).data() == "Storing failed"
    assert view.ui.pane.card.advice.text().endswith(
        "Retried when the queue starts again, or by “Retry all on hold”."
    )
    assert view.page_actions.resume.isEnabled()
    assert view.page_actions.pause.isEnabled()


def test_what_another_program_holds_up_goes_on_with_the_queue(stage: Stage) -> None:
    view, _, _ = standing(stage, held_up(1, Status.ARCHIVE_LOCKED))

    choose(view, 0)

    assert view.model.index(0, 4).data() == "Archive in use"
    assert "Retried when the queue starts again" in view.ui.pane.card.advice.text()


def test_a_queue_that_stopped_by_itself_says_why(stage: Stage) -> None:
    view, _, window = standing(stage, waiting(1))
    reason = "Another program holds the ledger."

    stage.do(lambda: view.model.apply([ev.QueueChanged("", is_running=False, reason=reason)], 0.0))

    assert window.notice.label.text() == f"The queue was paused. {reason}"


def test_that_a_queue_stopped_by_itself_is_taken_back_once_it_runs(stage: Stage) -> None:
    view, _, window = standing(stage, waiting(1))
    away = ev.QueueChanged("", is_running=False, reason="The folder is away.")
    stage.do(lambda: view.model.apply([away], 0.0))
    was_told = not window.notice.isHidden()

    stage.do(lambda: view.model.apply([ev.QueueChanged("", is_running=True)], 1.0))

    assert was_told
    assert window.notice.isHidden()


def test_of_several_that_can_not_go_on_the_first_is_told(stage: Stage) -> None:
    view, _, window = standing(stage, waiting(1), waiting(2))
    told: list[str] = []
    window.notice.said.connect(told.append)

    stage.do(lambda: view.model.apply(changed(held_up(1)), 0.0))
    stage.do(lambda: view.model.apply(changed(held_up(2)), 1.0))

    assert len(told) == 1


def test_all_jobs_on_hold_are_tried_again_by_one_button(stage: Stage) -> None:
    view, engine, _ = standing(stage, held_up(1), waiting(2), held_up(3))
    assert not view.page_actions.retry_held.isEnabled(), "a start of the queue tries them"

    stage.do(lambda: view.model.set_running(True))
    stage.wait(lambda: view.page_actions.retry_held.isEnabled())
    stage.do(view.page_actions.retry_held.trigger)
    stage.wait(lambda: "resume 1 3" in engine.calls)


def test_that_a_job_is_on_hold_is_taken_back_once_none_is(stage: Stage) -> None:
    view, _, window = standing(stage, waiting(1), waiting(2))
    stage.do(lambda: view.model.apply(changed(held_up(1)), 0.0))
    was_told = "is on hold" in window.notice.label.text() and not window.notice.isHidden()

    stage.do(lambda: view.model.apply(changed(running(1)), 1.0))

    assert was_told
    assert window.notice.isHidden()


def test_another_notice_stays_when_no_job_is_on_hold_any_more(stage: Stage) -> None:
    view, _, window = standing(stage, waiting(1))
    stage.do(lambda: view.model.apply(changed(held_up(1)), 0.0))
    stage.do(lambda: window.notice.say("Something else."))

    stage.do(lambda: view.model.apply(changed(running(1)), 1.0))

    assert not window.notice.isHidden()


def test_a_job_whose_host_asked_for_a_pause_is_said_to_wait(stage: Stage) -> None:
    view, _, window = standing(stage, running(1))
    host = urlsplit(view.model.listed[0].job.request.base_url).netloc
    until = datetime.now(UTC) + timedelta(hours=1)

    stage.do(lambda: window.session.events.emit([ev.HostPaused("", host, until, "As it asked.")]))

    face = view.model.face_of(view.model.listed[0])
    shown = (until + timedelta(seconds=59)).astimezone()  # not a minute that is over before it
    told = f"No requests until {shown:%H:%M} to {host}, as it asked."
    assert (face.state, face.is_moving, face.speed) == ("Waiting", False, "")
    assert told in face.state_detail or until.astimezone().hour == 0  # tomorrow has its date
    cell = view.model.index(0, Column.STATE)
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert face.state_detail in cell.data(role)  # whole, whatever the column cuts
    assert "No requests until" in window.status.scheduled.text()


def test_jobs_that_wait_for_a_host_are_not_counted_among_those_that_run(stage: Stage) -> None:
    view, _, window = standing(stage, running(1), running(2), waiting(3))
    request = view.model.listed[0].job.request
    busy = replace(request, base_url="https://busy.example/set/1")
    slow = replace(running(1), request=busy)
    until = datetime.now(UTC) + timedelta(hours=1)
    stage.do(lambda: view._on_events([*changed(slow)]))

    stage.do(lambda: window.session.events.emit([ev.HostPaused("", "busy.example", until, "So.")]))
    stage.do(view._on_tick)

    told = "1 running · 1 waiting for a host · 1 queued · queue paused"
    assert window.status.jobs.text() == told
    spoken = [button.accessibleName() for button in window.side_bar.findChildren(QAbstractButton)]
    assert "Queue, 1 running, 1 waiting for a host, 1 queued, paused" in spoken
    assert (view.model.totals().running, view.model.totals().at_work) == (2, 1)


def test_a_pause_of_another_host_holds_no_job_up(stage: Stage) -> None:
    view, _, window = standing(stage, running(1))
    until = datetime.now(UTC) + timedelta(hours=1)

    stage.do(lambda: window.session.events.emit([ev.HostPaused("", "x.example", until, "So.")]))

    assert view.model.face_of(view.model.listed[0]).state != "Waiting"


# What stands where


def test_what_runs_stands_on_top_while_nothing_is_chosen_by_the_person(stage: Stage) -> None:
    view, engine, _ = standing(stage, waiting(1), waiting(2), waiting(3))
    jobs = [ended(1, Status.SUCCESS), running(3)]
    engine.queue.known |= {job.job_id: job for job in jobs}

    stage.do(lambda: view._on_events([*changed(*jobs)]))

    stage.wait(lambda: [row.job.job_id for row in view.model.listed] == ["3", "2", "1"])


def test_rows_stay_where_they_are_while_the_person_has_chosen_one(stage: Stage) -> None:
    view, engine, window = standing(stage, waiting(1), waiting(2), waiting(3))
    choose(view, 1)
    jobs = [ended(1, Status.SUCCESS), running(3)]
    engine.queue.known |= {job.job_id: job for job in jobs}

    stage.do(lambda: view._on_events([*changed(*jobs)]))
    view._on_order_due()
    before = [row.job.job_id for row in view.model.listed]
    window.show_page(window.pages.archive)
    window.show_page(window.pages.queue)

    assert before == ["1", "2", "3"]
    assert [row.job.job_id for row in view.model.listed] == ["3", "2", "1"]
    assert [row.job.job_id for row in view.tree.chosen_rows()] == ["2"]


def test_whoever_comes_to_the_page_has_the_first_row_chosen(stage: Stage) -> None:
    view, _, window = standing(stage, waiting(1), asking(2))

    window.show_page(window.pages.archive)
    window.show_page(window.pages.queue)

    assert [row.job.job_id for row in view.tree.chosen_rows()] == ["2"]
    assert not view.tree.is_chosen_by_person


def test_down_goes_from_the_search_field_to_a_row_that_is_chosen(stage: Stage) -> None:
    view, _, window = standing(stage, waiting(1), waiting(2))
    window.activateWindow()
    view.tree.clearSelection()
    view.ui.search.go_to_search()

    QTest.keyClick(view.ui.search, Qt.Key.Key_Down)

    assert view.tree.hasFocus()
    assert len(view.tree.chosen_rows()) == 1


def test_down_stays_in_the_search_field_where_nothing_is_found(stage: Stage) -> None:
    view, _, window = standing(stage, waiting(1))
    window.activateWindow()
    view.ui.search.go_to_search()
    QTest.keyClicks(view.ui.search, "glacier")

    QTest.keyClick(view.ui.search, Qt.Key.Key_Down)

    assert view.ui.search.hasFocus()


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def test_tab_leads_from_the_rows_to_the_answers(stage: Stage) -> None:
    _, _, window = standing(stage, asking(1))
    window.activateWindow()
    window.show_page(window.pages.archive)
    window.show_page(window.pages.queue)

    visited = []
    for _ in range(12):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        visited.append(focused().objectName())

    assert {"answer_lift-limit", "answer_leave"} <= set(visited)


def test_the_current_row_has_a_frame_and_a_chosen_one_a_bar(stage: Stage, theme: Theme) -> None:
    view, _, window = standing(stage, waiting(1), waiting(2))
    window.activateWindow()
    choose(view, 1)
    view.tree.setFocus()

    row = view.tree.visualRect(view.model.index(1, 4))
    picture = view.tree.viewport().grab().toImage()
    accent = theme.color("accent").rgb()

    assert picture.pixel(row.right() - 20, row.top()) == accent
    assert picture.pixel(row.right() - 20, row.bottom() - 1) == accent
    assert picture.pixel(row.right() - 1, row.center().y()) == accent
    assert picture.pixel(0, row.center().y()) == accent
    assert picture.pixel(0, row.top() - 10) != accent


def test_end_goes_to_the_real_end(stage: Stage) -> None:
    view, _, window = standing(stage, *(waiting(number) for number in range(3 * PAGE)))
    window.activateWindow()
    view.tree.setFocus()

    QTest.keyClick(view.tree, Qt.Key.Key_End)

    assert [row.job.job_id for row in view.tree.chosen_rows()] == [str(3 * PAGE - 1)]


def test_end_and_home_do_not_load_what_is_between(stage: Stage) -> None:
    last = 20 * PAGE - 1
    view, _, window = standing(stage, *(waiting(number) for number in range(last + 1)))
    window.activateWindow()
    view.tree.setFocus()

    QTest.keyClick(view.tree, Qt.Key.Key_End)
    at_end = (chosen_ids(view), view.model.rowCount(), is_in_sight(view))
    QTest.keyClick(view.tree, Qt.Key.Key_Home)

    assert at_end == ([str(last)], PAGE, True)
    assert chosen_ids(view) == ["0"]
    assert view.model.rowCount() <= 2 * PAGE
    assert view.tree.verticalScrollBar().value() == 0


def test_from_the_end_one_goes_up_without_a_gap(stage: Stage) -> None:
    last = 5 * PAGE - 1
    view, _, window = standing(stage, *(waiting(number) for number in range(last + 1)))
    window.activateWindow()
    view.tree.setFocus()
    QTest.keyClick(view.tree, Qt.Key.Key_End)

    for _ in range(PAGE + 5):
        QTest.keyClick(view.tree, Qt.Key.Key_Up)

    assert chosen_ids(view) == [str(last - PAGE - 5)]
    assert is_in_sight(view)


def test_with_shift_end_chooses_all_on_the_way(stage: Stage) -> None:
    count = 4 * PAGE
    view, _, window = standing(stage, *(waiting(number) for number in range(count)))
    window.activateWindow()
    view.tree.setFocus()
    QTest.keyClick(view.tree, Qt.Key.Key_Home)

    QTest.keyClick(view.tree, Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)

    assert len(view.tree.chosen_rows()) == count


def test_the_end_stays_in_sight_while_the_queue_moves_on(stage: Stage) -> None:
    last = 5 * PAGE - 1
    view, _, window = standing(stage, *(waiting(number) for number in range(last + 1)))
    window.activateWindow()
    view.tree.setFocus()
    QTest.keyClick(view.tree, Qt.Key.Key_End)

    view.model.apply(changed(waiting(last, title="Renamed"), waiting(7, priority=1)), 1.0)
    stage.do(view.refresh)
    stage.wait(lambda: not view.reading.is_busy)

    assert chosen_ids(view) == [str(last)]
    assert is_in_sight(view)


def chosen_ids(view: QueueView) -> list[str]:
    return [row.job.job_id for row in view.tree.chosen_rows()]


def is_in_sight(view: QueueView) -> bool:
    place = view.tree.visualRect(view.tree.currentIndex())
    return view.tree.viewport().rect().contains(place.center())


def test_a_scroll_bar_dragged_to_its_foot_shows_the_end(stage: Stage) -> None:
    view, _, _ = standing(stage, *(waiting(number) for number in range(4 * PAGE)))
    bar = view.tree.verticalScrollBar()

    bar.setSliderDown(True)
    bar.setSliderPosition(bar.maximum())
    bar.setSliderDown(False)

    assert view.model.rowCount() == 4 * PAGE
    assert bar.value() == bar.maximum()


# What a dataset is called


def test_a_closed_job_is_found_by_a_doi_that_nobody_asked_for(stage: Stage) -> None:
    url = "https://repository.example/datasets/7"
    request = IngestRequest(url)
    job = ended(1, Status.SUCCESS, request=request, platform_name="zenodo", title="Dunes")
    kept = sets.kept_result(url, sets.dunes(), "1", "2026-03-03T09:12:00+00:00")
    window, _ = stage.window(replace(sets.script(), jobs=[job], kept=[kept]))
    view = window.pages.queue
    window.show_page(window.pages.queue)
    stage.wait(lambda: view.model.listed and view.model.listed[0].doi)
    doi = sets.dunes().doi

    view.ui.search.setText("10.5281/zenodo.7041152")
    choose(view, 0)
    view.page_actions.copy.trigger()

    assert view.model.rowCount() == 1
    assert QGuiApplication.clipboard().text() == doi


def test_a_job_that_was_removed_and_is_back_has_its_doi_again(stage: Stage) -> None:
    url = "https://repository.example/datasets/7"
    job = ended(
        1, Status.SUCCESS, request=IngestRequest(url), platform_name="zenodo", title="Dunes"
    )
    kept = sets.kept_result(url, sets.dunes(), "1", "2026-03-03T09:12:00+00:00")
    window, engine = stage.window(replace(sets.script(), jobs=[job], kept=[kept]))
    view = window.pages.queue
    window.show_page(window.pages.queue)
    stage.wait(lambda: view.model.listed and view.model.listed[0].doi)
    before = view.model.listed[0]

    choose(view, 0)
    stage.do(view.page_actions.remove.trigger)
    stage.wait(lambda: not view.model.listed)
    stage.do(window.editing.actions.undo.trigger)
    stage.wait(lambda: view.model.listed)
    stage.do(view.refresh)

    stage.wait(lambda: view.model.listed and view.model.listed[0].doi)
    assert view.model.listed[0] is not before
    assert view.model.listed[0].doi == sets.dunes().doi
    assert any(each.startswith("restore") for each in engine.calls)


def test_a_job_keeps_the_doi_that_was_seen_while_it_ran(stage: Stage) -> None:
    view, _, _ = standing(stage, waiting(1))
    item = replace(sets.dunes(), doi="10.5072/seen")
    events = described(1, 1)
    seen = events[1]
    assert isinstance(seen, ev.Described)
    events[1] = replace(seen, item=item)

    view.model.apply([*changed(running(1)), *events], 0.0)
    view.model.apply(changed(ended(1, Status.SUCCESS)), 1.0)

    assert view.model.listed[0].identifier == "10.5072/seen"
    assert "10.5072/seen" in view.model.listed[0].sought


# What is said elsewhere


def test_other_pages_say_that_the_queue_is_stopped_while_something_waits(stage: Stage) -> None:
    _, _, window = standing(stage, waiting(1), waiting(2))

    assert window.status.jobs.text() == "2 queued · queue paused"
    assert window.side_bar.buttons[2].accessibleName() == "Queue, 2 queued, paused"


def test_the_status_bar_counts_what_was_cancelled(stage: Stage) -> None:
    _, _, window = standing(
        stage,
        ended(1, Status.CANCELLED),
        ended(2, Status.CANCELLED),
        ended(3, Status.SUCCESS),
    )

    assert window.status.jobs.text() == "2 cancelled · 1 done"


def test_what_counts_of_files_do_not_need_goes_to_the_titles(stage: Stage) -> None:
    jobs = [ended(at, Status.SUCCESS, file_count=1, kept_count=1) for at in range(3)]
    view, _, _ = standing(stage, *jobs)
    narrow = view.tree.columnWidth(Column.FILES)
    assert narrow < space(27)

    many = replace(jobs[0], file_count=123_456, kept_count=123_450)
    stage.do(lambda: view.model.apply(changed(many), 2.0))

    stage.wait(lambda: view.tree.columnWidth(Column.FILES) > narrow)
    room = view.tree.columnWidth(Column.FILES) - space(4)
    for at in range(3):
        count = view.model.index(at, Column.FILES).data(VIEW_MODEL_ROLE).files
        cut = view.tree.fontMetrics().elidedText(count, Qt.TextElideMode.ElideRight, room)
        assert cut == count


def test_places_go_on_in_a_second_line_where_room_is_short(stage: Stage) -> None:
    view, _, _ = standing(stage, waiting(1))
    places = view.ui.places

    one, two = (
        places.heightForWidth(places.sizeHint().width()),
        places.heightForWidth(places.sizeHint().width() // 2),
    )

    assert two > 1.8 * one
    assert places.minimumSizeHint().width() < places.sizeHint().width() // 3


def test_the_words_of_the_graph_have_room_at_their_longest(stage: Stage) -> None:
    view, _, _ = standing(stage, waiting(1))
    graph: RateGraph = view.ui.graph
    graph.add(1000.0, 0.0)
    still = graph.grab().toImage()
    graph.add(1001.0, 1000.4 * 1024 * 1024)

    moving = graph.grab().toImage()

    # The longest words begin to the right of the curve's end: between both is a gap.
    assert graph.width() >= graph.sizeHint().width()
    gap = graph.words_left + 3
    column = [moving.pixel(gap, y) == still.pixel(gap, y) for y in range(moving.height())]
    assert all(column)


def rows_in_sight(view: QueueView) -> int:
    tree = view.tree
    room = tree.viewport().height()
    return sum(tree.visualRect(view.model.index(at, 0)).bottom() < room for at in range(10))


def test_a_low_window_shows_six_jobs_and_the_pane_on_demand(stage: Stage) -> None:
    view, _, window = standing(stage, *(waiting(number) for number in range(1, 11)))
    details = view.page_actions.details
    assert not details.isEnabled()
    assert view.ui.pane.isVisible()

    stage.do(lambda: window.resize(1024, 600))
    assert details.isEnabled()
    assert view.ui.pane.isHidden()
    assert rows_in_sight(view) >= 6
    stage.do(details.trigger)
    assert view.ui.pane.isVisible()
    stage.do(details.trigger)
    stage.do(lambda: window.resize(1200, 800))

    assert view.ui.pane.isVisible()


def test_an_archived_job_leads_to_what_is_held(stage: Stage) -> None:
    view, _, window = standing(stage, ended(1, Status.SUCCESS, kept_count=2))
    kept = view.model.find("1")
    assert kept

    stage.do(lambda: view.tree.choose([kept]))
    assert view.page_actions.holding.isEnabled()
    stage.do(view.page_actions.holding.trigger)

    assert window.page is window.pages.holdings


def test_a_failed_job_of_which_nothing_is_held_leads_nowhere(stage: Stage) -> None:
    view, _, _ = standing(stage, ended(1, Status.NOT_FOUND))
    gone = view.model.find("1")
    assert gone

    stage.do(lambda: view.tree.choose([gone]))

    assert not view.page_actions.holding.isEnabled()
