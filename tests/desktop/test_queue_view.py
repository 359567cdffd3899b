# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Queue page, on a fake engine."""

from dataclasses import replace

from PySide6.QtGui import QGuiApplication

from carrel.model import IngestOptions, IngestRequest, IngestStrategy, Status
from carrel_desktop.main_window import QUEUE, MainWindow
from carrel_desktop.views.queue.view import EMPTY, FILLED, FILTERED, QueueView
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.fake_engine import FakeEngine, Script

SURVEY = IngestRequest(sets.SURVEY)


def started(
    stage: Stage, script: Script, url: str, options: IngestOptions = IngestOptions()
) -> tuple[QueueView, FakeEngine, MainWindow]:
    window, engine = stage.window(script)
    window.show_page(QUEUE)
    stage.run(window._desk.enqueue(IngestRequest(url), options))
    stage.wait(lambda: window.queue_view.model.totals().waiting == 0)
    stage.wait(lambda: window.queue_view.model.rowCount() == 1)
    return window.queue_view, engine, window


def held(url: str) -> Script:
    return replace(sets.script(), held=frozenset({url}))


def choose(view: QueueView, row: int = 0) -> None:
    view.tree.setCurrentIndex(view.model.index(row, 0))


def test_an_empty_queue_says_what_to_do(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    window.show_page(QUEUE)

    assert window.queue_view.stack.currentIndex() == EMPTY
    window.queue_view.go_action.trigger()
    assert window.pages.currentIndex() == 0


def test_a_job_runs_to_its_end_and_stays(stage: Stage) -> None:
    view, _, window = started(stage, sets.script(), sets.DUNES)
    stage.wait(lambda: view.model.totals().done == 1)

    assert view.stack.currentIndex() == FILLED
    assert view.model.index(0, 0).data() == sets.dunes().title
    assert view.model.index(0, 3).data() == "Kept and verified"
    assert window.holdings_view.model.rowCount() == 1


def test_a_running_job_can_be_stopped(stage: Stage) -> None:
    view, engine, _ = started(stage, held(sets.DUNES), sets.DUNES)
    choose(view)
    assert view.cancel_action.isEnabled()

    stage.do(view.cancel_action.trigger)
    stage.wait(lambda: view.model.totals().failed == 1)

    assert "cancel ingest-1" in engine.calls
    assert view.card.word.text() == "Stopped"
    assert view.card.advice.text() == Status.CANCELLED.meaning.advice


def test_a_failed_job_is_tried_again_as_it_was_asked(stage: Stage) -> None:
    outcomes = {"data/wave_1.tab": Status.MISMATCH_MD5}
    script = replace(sets.script(), file_outcomes=outcomes)
    options = IngestOptions(strategy=IngestStrategy.WEB_FILESET)
    view, engine, _ = started(stage, script, sets.SURVEY, options)
    stage.wait(lambda: view.model.totals().failed == 1)
    choose(view)

    stage.do(view.retry_action.trigger)
    stage.wait(lambda: view.model.totals().failed == 2)

    assert engine.calls.count(f"enqueue {sets.SURVEY} web-fileset") == 2


def test_a_failure_names_its_files_and_what_to_do(stage: Stage) -> None:
    script = replace(sets.script(), file_outcomes={"data/wave_1.tab": Status.MISMATCH_MD5})
    view, _, _ = started(stage, script, sets.SURVEY)
    stage.wait(lambda: view.model.totals().failed == 1)

    choose(view)

    assert view.card.advice.text() == Status.MISMATCH_MD5.meaning.advice
    assert "data/wave_1.tab (MD5 differs)" in view.card.detail.text()


def test_chips_count_and_filter(stage: Stage) -> None:
    view, _, _ = started(stage, sets.script(), sets.DUNES)
    stage.wait(lambda: view.model.totals().done == 1)
    chips = {chip.objectName(): chip for chip in view.chips._group.buttons()}

    chips["chip_failed"].click()

    assert chips["chip_done"].text() == "Done  1"
    assert view.stack.currentIndex() == FILTERED
    chips["chip_all"].click()
    assert view.stack.currentIndex() == FILLED


def test_the_identifier_can_be_copied(stage: Stage) -> None:
    view, _, _ = started(stage, sets.script(), sets.DUNES)
    choose(view)

    stage.do(view.copy_action.trigger)

    assert QGuiApplication.clipboard().text() == "10.5281/zenodo.7041152"


def test_the_side_bar_tells_what_runs(stage: Stage) -> None:
    _, _, window = started(stage, held(sets.DUNES), sets.DUNES)

    assert window.side_bar.buttons[QUEUE].accessibleName() == "Queue, 1 running"
    assert window.status.jobs.text() == "1 running"
