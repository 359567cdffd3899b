# SPDX-License-Identifier: AGPL-3.0-or-later
"""The batches above the jobs of the Queue page, on a fake engine."""

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QDate, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from carrel.model import JobState, Status
from carrel.model import events as ev
from carrel.model.batch import BatchProgress, ListedBatch
from carrel_desktop.main_window import MainWindow
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.queue import removing
from carrel_desktop.views.queue.batch_columns import FAILED, LEFT, PROGRESS, REMARKS
from carrel_desktop.views.queue.batch_items import BatchItems
from carrel_desktop.views.queue.batch_tree import BatchTree
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.view_model import job_view_model
from carrel_desktop.widgets.actions import ActionButton
from desktop.conftest import Stage
from desktop.test_archive_view import a_table
from support import fake_datasets as sets
from support.fake_engine import FakeEngine
from support.queues import begun, ended, waiting


def with_batches(stage: Stage, folder: Path) -> tuple[MainWindow, FakeEngine]:
    """Queue two lists, none of whose datasets there is, and wait until that is known of all."""
    window, engine = stage.window(sets.script())
    archive, queue = window.pages.archive, window.pages.queue
    stage.do(lambda: archive.batches.read([a_table(folder, 30), a_table(folder, 40, "more.csv")]))
    stage.wait(lambda: len(archive.batches.offers) == 2)
    for number in (1, 0):
        stage.do(partial(archive.batches.choose, number))
        stage.do(archive.batches.actions.add.trigger)
        stage.wait(lambda: archive.batches.current and archive.batches.current.added is not None)
        # What waits in one list would not be added by another.
        stage.wait(lambda: not any(job.state.is_open for job in engine.jobs()))
    stage.do(lambda: window.show_page(queue))
    stage.wait(lambda: queue.model.totals().all == 70 and not queue.model.totals().open)
    stage.wait(lambda: sum(each.ended for each in queue.batches.tree.items.batches) == 70)
    return window, engine


def test_each_list_is_a_row_with_its_bad_lines(stage: Stage, tmp_path: Path) -> None:
    window, _ = with_batches(stage, tmp_path)
    tree = window.pages.queue.batches.tree

    rows = {batch.name: batch for batch in tree.items.batches}

    assert set(rows) == {"holdings", "more"}
    assert rows["holdings"].listed
    assert rows["holdings"].listed.problem_count == 1
    assert tree.isVisibleTo(window)


def test_a_window_of_1200_pixels_has_room_for_the_remarks(stage: Stage, tmp_path: Path) -> None:
    window, _ = with_batches(stage, tmp_path)

    window.resize(1200, 800)
    tree = window.pages.queue.batches.tree
    stage.wait(lambda: not tree.isColumnHidden(REMARKS))
    font = tree.fontMetrics()
    told = font.horizontalAdvance("299 bad lines · 179 duplicates")
    assert tree.columnWidth(REMARKS) >= told + space(4)


def test_a_chosen_batch_shows_its_jobs(stage: Stage, tmp_path: Path) -> None:
    window, _ = with_batches(stage, tmp_path)
    queue = window.pages.queue

    stage.do(lambda: queue.batches.tree.choose("holdings"))

    stage.wait(lambda: {row.job.batch for row in queue.model.listed} == {"holdings"})
    stage.do(queue.batches.actions.all_batches.trigger)
    assert len(queue.model.listed) == queue.model.totals().all


def test_a_chosen_batch_that_is_removed_is_chosen_no_longer(stage: Stage, tmp_path: Path) -> None:
    window, _ = with_batches(stage, tmp_path)
    queue = window.pages.queue
    stage.do(lambda: queue.batches.tree.choose("holdings"))
    stage.wait(lambda: {row.job.batch for row in queue.model.listed} == {"holdings"})

    stage.do(queue.batches.actions.forget_batch.trigger)
    stage.wait(lambda: queue.batches.tree.items.index_of("holdings").isValid() is False)

    stage.wait(lambda: queue.model.filter.batch == "")
    assert len(queue.model.listed) == queue.model.totals().all


def test_escape_lets_go_of_a_chosen_batch(stage: Stage, tmp_path: Path) -> None:
    window, _ = with_batches(stage, tmp_path)
    queue = window.pages.queue
    trees: list[QWidget] = [queue.batches.tree, queue.tree]
    for tree in trees:
        stage.do(lambda: queue.batches.tree.choose("holdings"))
        assert queue.batches.tree.chosen_name == "holdings"

        stage.do(partial(QTest.keyClick, tree, Qt.Key.Key_Escape))

        assert queue.batches.tree.chosen_name == ""


def test_filters_that_no_job_passes_are_cleared_where_that_is_said(
    stage: Stage, tmp_path: Path
) -> None:
    window, _ = with_batches(stage, tmp_path)
    queue = window.pages.queue
    stage.do(lambda: queue.ui.places.choose(JobState.RUNNING))
    stage.do(lambda: queue.ui.search.setText("no such thing"))
    clear, _ = queue.ui.none.findChildren(ActionButton)
    assert clear.isVisible()

    stage.do(clear.click)

    assert len(queue.model.listed) == queue.model.totals().all > 0
    assert (queue.ui.search.text(), queue.ui.places.place) == ("", None)
    assert queue.tree.isVisible()


def test_where_a_batch_has_no_such_job_the_page_names_it_and_shows_all(
    stage: Stage, tmp_path: Path
) -> None:
    window, _ = with_batches(stage, tmp_path)
    queue = window.pages.queue
    none = queue.ui.none
    _, way = none.findChildren(ActionButton)
    stage.do(lambda: queue.ui.places.choose(JobState.RUNNING))
    without = none.sentence.text(), way.isHidden()

    stage.do(lambda: queue.batches.tree.choose("holdings"))

    assert without == ("No jobs match the filters.", True)
    assert none.isVisible()
    assert none.sentence.text() == "No jobs of the batch “holdings” match the filters."
    assert not way.isHidden()
    stage.do(way.click)
    assert queue.batches.tree.chosen_name == ""


def test_what_failed_of_a_batch_is_retried_at_once(stage: Stage, tmp_path: Path) -> None:
    window, engine = with_batches(stage, tmp_path)
    queue = window.pages.queue
    stage.wait(lambda: not queue.model.totals().open)
    failed = [job.job_id for job in engine.jobs() if job.state is JobState.FAILED]
    stage.do(lambda: queue.batches.tree.choose("holdings"))
    name = queue.batches.tree.chosen_name

    stage.do(queue.batches.actions.retry_batch.trigger)
    stage.wait(lambda: any(call.startswith("retry") for call in engine.calls))

    (call,) = [call for call in engine.calls if call.startswith("retry")]
    of_batch = {job.job_id for job in engine.jobs() if job.batch == name}
    assert set(call.split()[1:]) == of_batch & set(failed)


def test_what_is_done_with_a_batch_is_done_with_its_listed_jobs(
    stage: Stage, tmp_path: Path
) -> None:
    window, engine = with_batches(stage, tmp_path)
    queue = window.pages.queue
    retry, drop = queue.batches.actions.retry_batch, queue.batches.actions.drop_batch
    stage.do(lambda: queue.batches.tree.choose("holdings"))
    whole = retry.text(), drop.text()
    known = engine.jobs()
    ids = {job.job_id for job in known if job.batch == "holdings"}

    stage.do(lambda: queue.ui.places.choose(JobState.DONE))
    of_done = retry.text(), retry.isEnabled(), drop.isEnabled()
    stage.do(lambda: queue.ui.places.choose(None))
    word = queue.model.listed[0].identifier
    stage.do(lambda: queue.ui.search.setText(word))
    listed = {row.job.job_id for row in queue.model.listed}
    found = retry.text(), drop.text()
    stage.do(lambda: queue.ui.search.setText(""))
    engine.done_jobs.since = dict.fromkeys(sorted(ids)[:27], "2999-03-02T09:00:00Z")
    stage.do(queue.refresh)
    stage.do(queue.ui.causes.choose_outstanding)
    stage.wait(lambda: len(queue.model.listed) == 3)
    stage.do(queue.batches.read)
    stage.wait(lambda: drop.text() == "Remo&ve 3 failed jobs of the batch")
    stage.do(drop.trigger)
    stage.wait(lambda: queue.model.totals().all == 67)

    assert whole == (
        "Try 30 failed jobs of the batch a&gain",
        "Remo&ve 30 failed jobs of the batch",
    )
    assert of_done == ("Try failed jobs of the batch a&gain", False, False)
    assert len(listed) == 1
    assert found == ("Try 1 failed job of the batch a&gain", "Remo&ve 1 failed job of the batch")
    left = {job.job_id for job in engine.jobs()}
    assert {job.job_id for job in known} - left == set(sorted(ids)[27:])


def test_the_report_of_a_batch_is_saved(stage: Stage, tmp_path: Path) -> None:
    window, engine = with_batches(stage, tmp_path)
    queue = window.pages.queue
    stage.do(lambda: queue.batches.tree.choose("holdings"))

    stage.do(queue.batches.actions.report.trigger)
    dialog = window.findChild(QFileDialog, "batch_report")
    assert dialog
    today = QDate.currentDate().toString(Qt.DateFormat.ISODate)
    assert dialog.selectedFiles()[0].endswith(f"report-holdings-{today}.html")
    stage.do(lambda: dialog.fileSelected.emit(str(tmp_path / "r.html")))
    stage.wait(lambda: window.findChild(QMessageBox, "report_saved") is not None)

    box = window.findChild(QMessageBox, "report_saved")
    assert box
    assert str(tmp_path / "r.html") in box.informativeText()
    assert [each.text() for each in box.buttons()] == ["&Open", "&Close", "Show in &folder"]
    assert engine.batches.reports == [(queue.batches.tree.chosen_name, tmp_path / "r.html")]


def test_a_batch_opens_to_its_datasets_in_its_place(stage: Stage, tmp_path: Path) -> None:
    window, _ = with_batches(stage, tmp_path)
    tree = window.pages.queue.batches.tree
    before = tree.height()

    stage.do(lambda: tree.expand(tree.items.index_of("holdings")))
    stage.wait(lambda: tree.items.open_jobs == 30)

    there = tree.items.index_of("holdings")
    rows = [tree.items.job_at(tree.items.index(at, 0, there)) for at in range(30)]
    assert {row.job.batch for row in rows if row} == {"holdings"}
    assert tree.items.index(0, 0, there).data() == "Dataset 0"
    assert tree.height() > before
    assert len(window.pages.queue.model.listed) == 70
    stage.do(lambda: tree.collapse(tree.items.index_of("holdings")))
    assert tree.height() == before


def test_a_dataset_chosen_below_its_batch_is_shown(stage: Stage, tmp_path: Path) -> None:
    window, _ = with_batches(stage, tmp_path)
    queue = window.pages.queue
    tree = queue.batches.tree
    stage.do(lambda: tree.expand(tree.items.index_of("more")))
    stage.wait(lambda: tree.items.open_jobs == 40)
    dataset = tree.items.index(20, 0, tree.items.index_of("more"))
    row = tree.items.job_at(dataset)
    stage.wait(lambda: not queue.session._tasks)

    stage.do(lambda: tree.setCurrentIndex(dataset))

    assert row
    assert tree.chosen_name == "more"
    assert queue.tree.chosen_rows() == [row]
    assert queue.ui.pane.title.title.text() == row.title


def test_a_job_that_the_program_goes_to_is_chosen_alone_while_ctrl_is_held(
    stage: Stage, tmp_path: Path
) -> None:
    window, _ = with_batches(stage, tmp_path)
    queue = window.pages.queue
    row = queue.model.listed[20]
    QTest.keyPress(queue.tree, Qt.Key.Key_Control, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.keyboardModifiers() == Qt.KeyboardModifier.ControlModifier

    stage.do(lambda: queue.tree.go_to(row))
    chosen = queue.tree.chosen_rows()
    QTest.keyRelease(queue.tree, Qt.Key.Key_Control)

    assert chosen == [row]


def test_what_is_open_and_chosen_stays_so_when_another_batch_comes(
    stage: Stage, tmp_path: Path
) -> None:
    window, _ = with_batches(stage, tmp_path)
    archive, tree = window.pages.archive, window.pages.queue.batches.tree
    stage.do(lambda: tree.expand(tree.items.index_of("more")))
    stage.do(lambda: tree.choose("more"))

    stage.do(lambda: archive.batches.read([a_table(tmp_path, 50, "third.csv")]))
    stage.wait(lambda: len(archive.batches.offers) == 3)
    stage.do(archive.batches.actions.add.trigger)
    stage.wait(lambda: len(tree.items.batches) == 3)

    assert tree.isExpanded(tree.items.index_of("more"))
    assert tree.chosen_name == "more"


def test_the_same_file_twice_is_two_batches(stage: Stage, tmp_path: Path) -> None:
    window, _engine = with_batches(stage, tmp_path)
    archive, queue = window.pages.archive, window.pages.queue
    stage.wait(lambda: not queue.model.totals().open)

    stage.do(lambda: archive.batches.read([tmp_path / "holdings.csv"]))
    stage.wait(lambda: len(archive.batches.offers) == 3)
    stage.do(archive.batches.actions.add.trigger)
    stage.wait(lambda: len(queue.batches.tree.items.batches) == 3)

    assert "They are the batch “holdings (2)”." in archive.batches.card.facts.text()
    totals = {batch.name: batch.total for batch in queue.batches.tree.items.batches}
    assert (totals["holdings"], totals["holdings (2)"]) == (30, 30)


def test_the_end_of_a_batch_is_a_notice_with_its_report(stage: Stage, tmp_path: Path) -> None:
    window, engine = stage.window(sets.script())
    archive, queue = window.pages.archive, window.pages.queue
    stage.do(lambda: archive.batches.read([a_table(tmp_path, 30)]))
    stage.wait(lambda: archive.batches.current)

    stage.do(archive.batches.actions.add.trigger)
    stage.wait(lambda: window.notice.isVisible())

    ended = "The batch holdings has ended: 0 of 30 archived, 30 failed."
    assert window.notice.label.text() == ended
    assert window.notice.way.text() == "Save report…"
    stage.do(window.notice.way.click)
    dialog = window.findChild(QFileDialog, "batch_report")
    assert dialog
    stage.do(lambda: dialog.fileSelected.emit(str(tmp_path / "r.csv")))
    stage.wait(lambda: engine.batches.reports)
    assert engine.batches.reports == [("holdings", tmp_path / "r.csv")]
    assert queue.batches.tree.chosen_name == ""


def test_a_removed_batch_can_be_brought_back(stage: Stage, tmp_path: Path) -> None:
    window, _engine = with_batches(stage, tmp_path)
    queue, tree = window.pages.queue, window.pages.queue.batches.tree
    stage.wait(lambda: not queue.model.totals().open)
    stage.do(lambda: tree.choose("holdings"))

    stage.do(queue.batches.actions.forget_batch.trigger)
    stage.wait(lambda: [batch.name for batch in tree.items.batches] == ["more"])
    stage.wait(lambda: queue.model.totals().all == 40)

    assert window.notice.label.text() == "Removed the batch holdings from the queue."
    stage.do(window.editing.actions.undo.trigger)
    stage.wait(lambda: len(tree.items.batches) == 2)
    stage.wait(lambda: queue.model.totals().all == 70)


def test_removing_a_batch_and_taking_it_back_are_told_while_they_last(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(removing, "SOON_S", 0)
    window, _ = with_batches(stage, tmp_path)
    queue, said = window.pages.queue, list[str]()
    window.notice.said.connect(said.append)
    call = window.session.call

    async def in_a_while(*wanted: Any) -> Any:
        await asyncio.sleep(0.05)  # it lasts longer than the loop takes for what is due at once
        return await call(*wanted)

    monkeypatch.setattr(window.session, "call", in_a_while)

    stage.do(lambda: queue.batches.tree.choose("holdings"))
    stage.do(queue.batches.actions.forget_batch.trigger)
    stage.wait(lambda: len(said) == 2)
    stage.do(window.editing.actions.undo.trigger)
    stage.wait(lambda: len(said) == 4)

    assert said == [
        "Removing the batch holdings…",
        "Removed the batch holdings from the queue.",
        "Restoring the batch holdings…",
        "Restored the batch holdings.",
    ]


def test_failed_jobs_that_were_removed_stay_in_the_row_of_their_batch_and_come_back(
    stage: Stage, tmp_path: Path
) -> None:
    window, _engine = with_batches(stage, tmp_path)
    queue, tree = window.pages.queue, window.pages.queue.batches.tree

    def shown() -> list[str]:
        (at,) = (n for n, batch in enumerate(tree.items.batches) if batch.name == "holdings")
        return [tree.items.index(at, column).data() for column in (PROGRESS, FAILED, REMARKS)]

    before = shown()
    stage.do(lambda: tree.choose("holdings"))
    stage.do(queue.batches.actions.drop_batch.trigger)
    stage.wait(lambda: queue.model.totals().all == 40)
    stage.wait(lambda: shown()[2] != before[2])

    assert before == ["30 of 30", "30", "1 bad line · 1 duplicate"]
    assert shown() == ["30 of 30", "30", "1 bad line · 1 duplicate · 30 removed"]
    assert tree.chosen_name == "holdings"
    assert not queue.batches.actions.retry_batch.isEnabled()
    assert not queue.batches.actions.drop_batch.isEnabled()
    assert not tree.items.hasChildren(tree.items.index_of("holdings"))
    assert window.notice.label.text() == "Removed 30 jobs from the queue."
    stage.do(window.editing.actions.undo.trigger)
    stage.wait(lambda: queue.model.totals().all == 70)
    stage.wait(lambda: shown() == before)
    assert queue.batches.actions.drop_batch.isEnabled()


# The tree alone

NEWEST_FIRST = ["c", "b", "a"]


def progress(name: str, done: int = 0, total: int = 4) -> BatchProgress:
    """Return a batch that was added later than those whose names come before."""
    added = f"2026-03-0{ord(name) - ord('a') + 1}T09:00:00+00:00"
    states = {JobState.DONE: done, JobState.QUEUED: total - done}
    return BatchProgress(name, ListedBatch(name, f"{name}.csv", "csv", added, total), states)


@pytest.fixture
def items() -> tuple[BatchItems, dict[str, list[Row]]]:
    """Return three batches of two datasets each."""
    jobs = {
        name: [Row(10 * at + n, waiting(10 * at + n, batch=name)) for n in (1, 2)]
        for at, name in enumerate("abc")
    }
    model = BatchItems(lambda name: list(jobs[name]), lambda row: job_view_model(row, 0.0))
    model.show_batches([progress(name) for name in "abc"])
    return model, jobs


def names(model: BatchItems) -> list[str]:
    return [batch.name for batch in model.batches]


def test_the_newest_batch_stands_on_top(items: tuple[BatchItems, dict[str, list[Row]]]) -> None:
    assert names(items[0]) == NEWEST_FIRST


def test_batches_are_sorted_by_any_column(items: tuple[BatchItems, dict[str, list[Row]]]) -> None:
    model, _ = items
    model.show_batches([progress("a", 2), progress("b", 0), progress("c", 1)])

    model.sort(1, Qt.SortOrder.AscendingOrder)
    assert names(model) == ["b", "c", "a"]
    model.sort(0, Qt.SortOrder.DescendingOrder)
    assert names(model) == ["c", "b", "a"]


def test_open_batches_keep_their_datasets_through_every_change(
    items: tuple[BatchItems, dict[str, list[Row]]], qtbot: QtBot
) -> None:
    model, jobs = items
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.fetchMore(model.index_of("a"))
    model.fetchMore(model.index_of("b"))
    held = QPersistentModelIndex(model.index(1, 0, model.index_of("a")))

    model.sort(0, Qt.SortOrder.AscendingOrder)
    model.show_batches([progress("a", 1), progress("b", 3), progress("c", 2)])
    assert model.job_at(held) is jobs["a"][1]
    assert model.batch_at(held) == progress("a", 1)
    jobs["b"].append(Row(99, waiting(99, batch="b")))
    model.show_batches([progress("a", 1), progress("b", 3), progress("c", 2)])

    assert model.rowCount(model.index_of("b")) == 3
    assert tester.model() is model


def test_a_closed_batch_reads_its_datasets_anew_when_it_is_opened(
    items: tuple[BatchItems, dict[str, list[Row]]],
) -> None:
    model, jobs = items
    model.fetchMore(model.index_of("a"))

    model.close(model.index_of("a"))
    assert model.rowCount(model.index_of("a")) == 0
    jobs["a"].append(Row(99, waiting(99, batch="a")))
    model.fetchMore(model.index_of("a"))

    assert model.rowCount(model.index_of("a")) == 3


def test_a_dataset_says_how_it_stands_in_the_columns_of_its_batch(
    items: tuple[BatchItems, dict[str, list[Row]]],
) -> None:
    model, jobs = items
    reason = "Its MD5 differs."
    jobs["a"][0].set_job(ended(1, Status.MISMATCH_MD5, batch="a", title="Tides", message=reason))
    model.fetchMore(model.index_of("a"))

    cells = [model.index(0, at, model.index_of("a")).data() for at in range(4)]

    assert cells[0] == "Tides"
    assert cells[1] == job_view_model(jobs["a"][0], 0.0).state
    assert cells[3] == reason


def test_a_batch_is_as_far_as_its_jobs_and_has_no_time_left_while_the_queue_is_paused(
    qtbot: QtBot, theme: Theme
) -> None:
    jobs = QueueModel()
    jobs.begin_reading()
    jobs.read([waiting(number, batch="a") for number in range(4)])
    jobs.end_reading()
    jobs.set_running(is_running=True)
    tree = BatchTree(theme, jobs)
    qtbot.addWidget(tree)
    listed = replace(progress("a"), states={JobState.QUEUED: 4}, seconds_left=90.0)
    tree.show_batches([listed])
    assert tree.items.index(0, LEFT).data() == "about 2 min"

    jobs.apply([ev.JobChanged("", ended(0, Status.SUCCESS, batch="a"))], 1.0)

    assert (tree.items.batches[0].ended, tree.items.batches[0].total) == (1, 4)
    jobs.apply([ev.QueueChanged("", is_running=False, jobs_changed=False)], 2.0)
    assert tree.items.index(0, LEFT).data() == ""


def test_a_batch_takes_no_less_time_than_the_dataset_that_is_being_archived(
    qtbot: QtBot, theme: Theme
) -> None:
    jobs = QueueModel()
    jobs.begin_reading()
    jobs.read([waiting(0, batch="a")])
    jobs.end_reading()
    jobs.set_running(is_running=True)
    tree = BatchTree(theme, jobs)
    qtbot.addWidget(tree)
    tree.show_batches([replace(progress("a"), states={JobState.QUEUED: 1}, seconds_left=2.0)])

    jobs.apply(begun(0, 1, batch="a"), 0.0)
    jobs.apply([ev.FileStarted("0", 0), ev.FileProgress("0", 0, 2, 100)], 0.0)
    jobs.apply([ev.FileProgress("0", 0, 12, 100)], 4.0)

    assert tree.items.index(0, LEFT).data() == "about 29 s"


def test_the_row_says_how_the_removed_ended(
    items: tuple[BatchItems, dict[str, list[Row]]],
) -> None:
    model, _ = items
    removed = {JobState.DONE: 2, JobState.FAILED: 1}
    model.show_batches([replace(progress(name), removed=removed) for name in "abc"])

    cell = model.index(0, REMARKS)

    assert cell.data() == "3 removed"
    tip = cell.data(Qt.ItemDataRole.ToolTipRole)
    assert tip == "Removed from the queue’s list: 2 archived, 1 failed"


def test_the_row_counts_the_cancelled(items: tuple[BatchItems, dict[str, list[Row]]]) -> None:
    model, _ = items
    cancelled = {JobState.DONE: 2, JobState.CANCELLED: 2_378}
    model.show_batches([replace(progress(name), states=cancelled) for name in "abc"])

    cell = model.index(0, REMARKS)

    assert cell.data() == cell.data(Qt.ItemDataRole.ToolTipRole) == "2,378 cancelled"


def test_the_heading_above_the_reasons_of_datasets_is_true_of_them_too(
    items: tuple[BatchItems, dict[str, list[Row]]],
) -> None:
    heading = items[0].headerData(REMARKS, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)

    assert heading == "Remarks"


def test_why_a_dataset_failed_has_the_room_of_two_columns(qtbot: QtBot, theme: Theme) -> None:
    reason = "There is no network: doi.org cannot be looked up, nor can any other host."
    jobs = QueueModel()
    jobs.begin_reading()
    jobs.read([ended(1, Status.NETWORK_ERROR, batch="a", message=reason)])
    jobs.end_reading()
    tree = BatchTree(theme, jobs)
    qtbot.addWidget(tree)
    tree.resize(1200, 200)
    tree.show_batches([progress("a")])
    tree.expand(tree.items.index_of("a"))

    cell = tree.visualRect(tree.items.index(0, LEFT, tree.items.index_of("a")))
    image = tree.viewport().grab(cell).toImage()

    ground = image.pixelColor(image.width() - 1, 1)
    dots = range(image.width() // 2)
    assert any(image.pixelColor(x, y) != ground for x in dots for y in range(image.height()))


def test_finished_batches_fold_away_in_a_low_window(stage: Stage) -> None:
    jobs = (waiting(1, batch="under way"), ended(2, Status.SUCCESS, batch="done"))
    window, _ = stage.window(replace(sets.script(), jobs=jobs, is_queue_paused=True))
    queue = window.pages.queue
    tree, finished = queue.batches.tree, queue.page_actions.finished

    def shown() -> set[str]:
        return {batch.name for batch in tree.items.batches}

    stage.do(lambda: window.show_page(queue))
    stage.wait(lambda: shown() == {"done", "under way"})
    stage.do(lambda: window.resize(1024, 600))
    assert shown() == {"under way"}
    assert finished.text() == "1 finished batch"
    stage.do(finished.trigger)
    assert shown() == {"done", "under way"}
    stage.do(finished.trigger)
    stage.do(lambda: window.resize(1200, 800))

    assert shown() == {"done", "under way"}
