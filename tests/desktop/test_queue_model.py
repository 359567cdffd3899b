# SPDX-License-Identifier: AGPL-3.0-or-later
"""The queue's two levels: pages, filters, sorting, and few signals for many events."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from carrel.model import Fixity, Job, JobState, ManifestFile, Stage, Status
from carrel.model import events as ev
from carrel.model.done_jobs import DonePage, DoneQuery, JobsNow
from carrel_desktop.background import told_of_end
from carrel_desktop.views.queue.columns import Column
from carrel_desktop.views.queue.job_items import VIEW_MODEL_ROLE
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.row import Filter, Row
from carrel_desktop.views.queue.rows import BatchEnd
from carrel_desktop.views.queue.view_model import job_view_model
from carrel_desktop.widgets.indexes import runs
from carrel_desktop.widgets.paged_tree import PAGE, PagedTree
from support.queues import (
    ADDED,
    FINISHED,
    asking,
    begun,
    changed,
    described,
    ended,
    finished,
    held_up,
    queued,
    request,
    running,
    waiting,
)

MANY = 100_000


@pytest.fixture
def model(qtbot: QtBot) -> Iterator[QueueModel]:
    model = QueueModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    yield model
    assert tester.model() is model


def read(model: QueueModel, jobs: Sequence[Job]) -> None:
    """Have the model take a whole list."""
    model.begin_reading()
    model.read(jobs)
    model.end_reading()


def titles(model: QueueModel) -> list[str]:
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def numbers(model: QueueModel) -> list[int]:
    """Return which jobs are listed, in their order."""
    return [int(row.job.job_id) for row in model.listed]


# Jobs and files


def test_jobs_and_files_are_two_levels(model: QueueModel) -> None:
    model.apply([*queued(2), *begun(0, 3)], 0.0)

    job = model.index(0, 0)
    model.fetchMore(job)

    assert model.rowCount() == 2
    assert model.rowCount(job) == 3
    assert model.index(2, 0, job).parent() == job
    assert not model.hasChildren(model.index(1, 0))


def test_a_job_that_is_described_later_gets_its_files(model: QueueModel) -> None:
    model.apply(queued(1), 0.0)

    model.apply(begun(0, 3), 1.0)

    assert model.rowCount(model.index(0, 0)) == 3


def test_an_attempt_may_be_heard_of_before_its_job(model: QueueModel) -> None:
    model.apply(queued(1), 0.0)

    model.apply(described(0, 3), 1.0)
    model.apply(changed(running(0)), 2.0)

    assert model.rowCount(model.index(0, 0)) == 3


def test_a_result_with_another_manifest_replaces_the_rows(model: QueueModel) -> None:
    model.apply([*queued(1), *begun(0, 5)], 0.0)
    model.hold(model.index(0, 0), is_held=True)
    files = (ManifestFile("only.csv", status=Status.SUCCESS, observed=Fixity(5)),)

    model.apply(finished(0, Status.SUCCESS, files), 1.0)

    assert model.rowCount(model.index(0, 0)) == 1


def test_a_new_attempt_starts_with_no_files(model: QueueModel) -> None:
    model.apply([*queued(1), *begun(0, 5)], 0.0)
    model.hold(model.index(0, 0), is_held=True)
    model.apply(finished(0, Status.TRUNCATED), 1.0)

    model.apply(changed(waiting(0, attempts=1, title="Title 0")), 2.0)
    assert model.rowCount(model.index(0, 0)) == 0
    model.apply(changed(running(0, attempts=2, ingest_id="0.2")), 3.0)
    model.apply(described(0, 2, "0.2"), 3.0)

    assert model.rowCount(model.index(0, 0)) == 2


def test_an_attempt_that_goes_on_has_no_files_until_it_is_described(model: QueueModel) -> None:
    model.apply(begun(1, 2), 0)
    job = model.index(0, 0)
    model.hold(job, is_held=True)
    model.apply(
        [*finished(1, Status.CANCELLED)[:1], *changed(running(1, state=JobState.PAUSED))], 0
    )
    assert model.rowCount(job) == 2
    began, is_described = described(1, 2)

    model.apply([*changed(running(1)), began], 1)
    assert model.rowCount(job) == 0

    model.apply([is_described], 2)
    assert [model.index(at, 0, job).data() for at in range(model.rowCount(job))]


def test_the_files_of_a_closed_job_are_let_go_when_nobody_looks(model: QueueModel) -> None:
    model.apply([*queued(1), *begun(0, 3)], 0.0)
    files = tuple(ManifestFile(f"{n}", status=Status.SUCCESS) for n in range(3))

    model.apply(finished(0, Status.SUCCESS, files), 1.0)

    row = model.listed[0]
    assert row.files == []
    assert model.hasChildren(model.index(0, 0))


def test_the_files_of_a_closed_job_are_asked_for_when_it_is_opened(model: QueueModel) -> None:
    wanted: list[str | None] = []
    model.files_wanted.connect(lambda row: wanted.append(row.job.ingest_id))
    read(model, [ended(7, Status.SUCCESS, file_count=2)])
    job = model.index(0, 0)

    model.fetchMore(job)
    model.show_files("7", [ManifestFile("a"), ManifestFile("b")])

    assert "7" in wanted
    assert model.rowCount(job) == 2


def test_files_stay_while_their_job_is_open_in_the_view(model: QueueModel) -> None:
    read(model, [ended(7, Status.SUCCESS, file_count=1)])
    model.hold(model.index(0, 0), is_held=True)
    model.show_files("7", [ManifestFile("a", status=Status.SUCCESS)])

    model.apply(queued(1), 1.0)
    assert model.rowCount(model.index_of(model.listed[1])) == 1
    model.hold(model.index_of(model.listed[1]), is_held=False)

    assert model.rowCount(model.index_of(model.listed[1])) == 0


def test_a_file_is_known_until_the_view_has_let_go_of_its_job(model: QueueModel) -> None:
    read(model, [ended(7, Status.SUCCESS, file_count=1)])
    model.hold(model.index(0, 0), is_held=True)
    model.show_files("7", [ManifestFile("a", status=Status.SUCCESS)])
    row, file = model.listed[0], model.index(0, 0, model.index(0, 0))
    told: list[object] = []
    model.modelAboutToBeReset.connect(lambda: told.append(model.row_at(file)))

    read(model, [])

    assert told == [(row, 0)]
    assert model.rowCount() == 0


def test_a_file_says_where_it_is_and_how_it_ended(model: QueueModel) -> None:
    model.apply([*queued(1), *begun(0, 1)], 0.0)
    file = ManifestFile("d/0.csv", status=Status.TRUNCATED, message="It broke off at byte 7.")
    model.apply([ev.FileFinished("0", 0, file)], 1.0)
    model.fetchMore(model.index(0, 0))

    face = model.index(0, 0, model.index(0, 0)).data(VIEW_MODEL_ROLE)

    assert (face.title, face.second) == ("0.csv", "d")
    assert (face.state, face.state_detail) == ("Transfer interrupted", "It broke off at byte 7.")


@pytest.mark.parametrize(
    ("kept", "total", "shown"),
    [
        (36_454, 36_454, "35.6 KiB archived, size unknown"),
        (0, 0, "size unknown"),
        (36_454, 80_000, "35.6 KiB of 78.1 KiB"),
        (0, 80_000, "0 bytes of 78.1 KiB"),
    ],
)
def test_of_what_failed_it_is_told_how_much_is_held_and_of_how_much(
    model: QueueModel, kept: int, total: int, shown: str
) -> None:
    job = ended(1, Status.TRUNCATED, file_count=2, kept_count=int(kept > 0))
    read(model, [replace(job, kept_size=kept, total_size=total)])

    assert model.index(0, Column.SIZE).data() == shown


def test_a_state_has_few_words_for_where_its_sentence_has_no_room(model: QueueModel) -> None:
    sentence = "The files of this record are restricted; its description is public."
    read(model, [ended(1, Status.PLATFORM_RESTRICTED, message=sentence), asking(2), waiting(3)])
    cells = [model.index(row, Column.STATE) for row in range(3)]

    assert [cell.data(VIEW_MODEL_ROLE).state_brief for cell in cells] == [
        "Needs your answer",
        "",
        "Up to the repository",
    ]
    assert sentence in cells[2].data(Qt.ItemDataRole.ToolTipRole)
    assert sentence in cells[2].data(Qt.ItemDataRole.AccessibleTextRole)


def test_an_address_is_cut_in_its_middle_and_a_title_at_its_end(model: QueueModel) -> None:
    read(model, [waiting(1), waiting(2, title="Tides")])

    faces = [model.index(row, 0).data(VIEW_MODEL_ROLE) for row in range(2)]

    assert [face.differs_late for face in faces] == [True, False]


def test_a_job_says_how_many_files_are_kept(model: QueueModel) -> None:
    model.apply([*queued(1), *begun(0, 3)], 0.0)
    kept = ManifestFile("d/0.csv", status=Status.SUCCESS, observed=Fixity(100))
    lost = ManifestFile("d/1.csv", status=Status.TRUNCATED)

    model.apply([ev.FileFinished("0", 0, kept), ev.FileFinished("0", 1, lost)], 1.0)

    assert model.index(0, Column.FILES).data() == "1 of 3, 1 failed"


def test_a_waiting_job_says_that_the_queue_is_stopped(model: QueueModel) -> None:
    model.apply([*queued(1), ev.QueueChanged("", is_running=False)], 0.0)

    assert model.index(0, Column.STATE).data(VIEW_MODEL_ROLE).state_detail == "Queue paused"


def test_a_job_that_asks_says_what(model: QueueModel) -> None:
    model.apply(changed(asking(0, text="Shall all 4,000 files be kept?")), 0.0)

    face = model.index(0, 0).data(VIEW_MODEL_ROLE)

    assert (face.state, face.state_detail) == ("Needs answer", "Shall all 4,000 files be kept?")


def test_events_of_unknown_ingests_are_let_pass(model: QueueModel) -> None:
    model.apply([ev.FileStarted("nobody", 0), ev.StageEntered("nobody", Stage.FETCH)], 0.0)

    assert model.rowCount() == 0


# The whole list


def test_a_list_is_shown_as_it_runs_with_the_newest_end_first(model: QueueModel) -> None:
    older = ended(1, Status.SUCCESS)
    newer = ended(2, Status.SUCCESS, position=9, finished="2026-03-04T00:00:00+00:00")

    read(model, [older, newer, waiting(3), waiting(5, priority=1), running(4)])

    assert numbers(model) == [4, 5, 3, 2, 1]


def test_what_changes_while_the_list_is_read_is_newer_than_the_list(model: QueueModel) -> None:
    model.apply(queued(2), 0.0)
    model.begin_reading()
    model.apply(changed(ended(0, Status.SUCCESS), waiting(9)), 1.0)

    model.read([waiting(0), waiting(1)])
    model.end_reading()

    states = {row.job.job_id: row.job.state for row in model.listed}
    assert states == {"0": JobState.DONE, "1": JobState.QUEUED, "9": JobState.QUEUED}
    assert (model.totals().waiting, model.totals().done) == (2, 1)


def test_an_attempt_is_told_once_though_its_end_comes_behind_the_list(
    model: QueueModel,
) -> None:
    first = replace(ended(0, Status.TRUNCATED), attempts=1, ingest_id="0.1")
    model.apply(changed(first), 0.0)
    second = running(0, attempts=2, ingest_id="0.2")

    read(model, [second])
    model.apply(changed(first), 1.0)
    model.apply(changed(second), 1.0)

    assert [each.ingest_id for each in model.listed[0].past] == ["0.1"]


def test_a_job_that_the_list_lacks_is_gone(model: QueueModel) -> None:
    model.apply(queued(3), 0.0)

    read(model, [waiting(0), waiting(2)])

    assert numbers(model) == [0, 2]
    assert model.totals().all == 2


def test_many_changes_at_once_ask_for_the_list(model: QueueModel) -> None:
    asked: list[bool] = []
    model.outdated.connect(lambda: asked.append(True))

    model.apply([ev.QueueChanged("", is_running=True)], 0.0)

    assert asked == [True]
    assert model.is_running


def test_rows_keep_their_places_while_states_change(model: QueueModel) -> None:
    model.apply(queued(3), 0.0)

    model.apply([*changed(ended(0, Status.SUCCESS)), *begun(1, 1)], 1.0)

    assert numbers(model) == [0, 1, 2]


def test_another_turn_is_another_place(model: QueueModel) -> None:
    model.apply(queued(3), 0.0)
    held = QPersistentModelIndex(model.index(2, 0))

    model.apply(changed(waiting(2, priority=1)), 1.0)

    assert numbers(model) == [2, 0, 1]
    assert held.row() == 0


# Filters and sorting


def test_only_a_page_is_handed_out_at_first(qtbot: QtBot) -> None:
    model = QueueModel()  # without the tester, which fetches whatever there is
    read(model, [waiting(number) for number in range(PAGE + 50)])
    assert model.rowCount() == PAGE

    model.fetchMore(QModelIndex())

    assert model.rowCount() == PAGE + 50


def at_its_end() -> QueueModel:
    """Return a model of a long list whose view went to the end of it."""
    model = QueueModel()  # without the tester, which fetches whatever there is
    read(model, [waiting(2 * number) for number in range(4 * PAGE)])
    model.show_end()
    return model


def seen(model: QueueModel) -> list[int]:
    """Return which jobs the view has, as it asks for them."""
    found = [model.row_at(model.index(place, 0)) for place in range(model.rowCount())]
    return [int(each[0].job.job_id) for each in found if each is not None]


def test_the_end_is_a_page_and_what_is_before_it_comes_when_asked_for(qtbot: QtBot) -> None:
    model = at_its_end()
    before = seen(model)

    count = model.fetch_before(10)

    assert before == [2 * number for number in range(3 * PAGE, 4 * PAGE)]
    assert count == 10
    assert seen(model) == [2 * number for number in range(3 * PAGE - 10, 4 * PAGE)]


def test_what_comes_and_goes_before_the_end_moves_nothing_there(qtbot: QtBot) -> None:
    model = at_its_end()
    last = QPersistentModelIndex(model.index(PAGE - 1, 0))
    before = seen(model)

    model.apply(changed(waiting(3)), 1.0)
    came = seen(model)
    model.set_filter(model.filter)
    model.show_end()

    assert came == before
    assert last.row() in (PAGE - 1, -1)
    assert seen(model)[-PAGE:] == before


def test_what_changes_at_the_end_is_told_at_its_place(qtbot: QtBot) -> None:
    model = at_its_end()
    places: list[int] = []
    model.dataChanged.connect(lambda first, last, roles: places.append(first.row()))

    model.apply(changed(waiting(2 * (3 * PAGE + 4), priority=0, attempts=1)), 1.0)

    assert places == [4]


def test_a_filter_shows_one_state_and_follows_it(model: QueueModel) -> None:
    model.apply([*queued(3), *begun(1, 1)], 0.0)
    model.set_filter(Filter(JobState.RUNNING))
    assert titles(model) == ["Title 1"]

    model.apply([*finished(1, Status.SUCCESS), *begun(2, 1)], 1.0)

    assert titles(model) == ["Title 2"]


def test_what_enters_a_filtered_list_stands_in_its_place(model: QueueModel) -> None:
    model.apply(queued(4), 0.0)
    model.apply(changed(running(0), running(3)), 0.0)
    model.set_filter(Filter(JobState.RUNNING))

    model.apply(changed(running(2)), 1.0)

    assert numbers(model) == [0, 2, 3]


def test_a_filter_by_cause_shows_what_ended_so(model: QueueModel) -> None:
    read(model, [ended(0, Status.TRUNCATED), ended(1, Status.NOT_FOUND), waiting(2)])

    model.set_filter(Filter(cause=Status.NOT_FOUND))

    assert numbers(model) == [1]
    assert model.counts().causes == {Status.TRUNCATED: 1, Status.NOT_FOUND: 1}


def test_a_job_that_is_tried_again_has_no_cause(model: QueueModel) -> None:
    read(model, [ended(0, Status.TRUNCATED)])

    model.apply(changed(waiting(0, status=Status.TRUNCATED, attempts=1)), 1.0)

    assert model.counts().causes == {}


def test_words_are_sought_in_title_address_and_batch(model: QueueModel) -> None:
    jobs = [waiting(0, title="Dunes of the Spit"), waiting(1, batch="dunes"), waiting(2)]
    read(model, jobs)

    model.set_filter(Filter(words=("dunes",)))
    assert numbers(model) == [0, 1]
    model.set_filter(Filter(words=("example.org", "000002")))

    assert numbers(model) == [2]


def test_sorting_keeps_hold_of_a_row(model: QueueModel) -> None:
    model.apply(queued(5), 0.0)
    held = QPersistentModelIndex(model.index(0, 0))

    model.sort(Column.DATASET, Qt.SortOrder.DescendingOrder)

    assert held.row() == 4
    assert titles(model)[0].endswith("4")


def test_sorting_by_no_column_is_the_order_of_the_queue(model: QueueModel) -> None:
    model.apply(queued(3), 0.0)
    model.sort(Column.DATASET, Qt.SortOrder.DescendingOrder)

    model.sort(-1)

    assert numbers(model) == [0, 1, 2]
    assert model.has_own_order


# Dragging


def dropped(
    model: QueueModel, rows: Sequence[int], onto: int
) -> list[tuple[list[str], str | None]]:
    """Drag rows before another row; return what the model tells."""
    told: list[tuple[list[str], str | None]] = []
    model.dropped.connect(lambda job_ids, before: told.append((job_ids, before)))
    data = model.mimeData([model.index(row, 0) for row in rows])
    model.dropMimeData(data, Qt.DropAction.MoveAction, onto, 0, QModelIndex())
    return told


def test_rows_that_wait_can_be_dragged_before_another(model: QueueModel) -> None:
    model.apply(queued(5), 0.0)

    assert dropped(model, [3, 4], 1) == [(["3", "4"], "1")]


def test_rows_dropped_below_all_that_wait_run_last(model: QueueModel) -> None:
    read(model, [waiting(0), waiting(1), ended(2, Status.SUCCESS)])

    assert dropped(model, [0], 2) == [(["0"], None)]


def test_rows_that_do_not_wait_and_sorted_rows_can_not_be_dragged(model: QueueModel) -> None:
    read(model, [waiting(0), running(1), ended(2, Status.SUCCESS)])
    is_draggable = Qt.ItemFlag.ItemIsDragEnabled

    flags = [bool(model.index(row, 0).flags() & is_draggable) for row in range(3)]
    model.sort(Column.SIZE)

    assert flags == [False, True, False]
    assert not model.index(0, 0).flags() & is_draggable


def test_dragged_rows_are_addresses_for_other_programs(model: QueueModel) -> None:
    model.apply(queued(2), 0.0)

    data = model.mimeData([model.index(0, 0), model.index(1, 0), model.index(1, 1)])

    assert data.text().split("\n") == [request(0).base_url, request(1).base_url]


def test_what_is_no_job_can_not_be_dropped(model: QueueModel) -> None:
    model.apply(queued(2), 0.0)
    told: list[object] = []
    model.dropped.connect(lambda *given: told.append(given))
    data = QMimeData()
    data.setText("hello")

    assert not model.dropMimeData(data, Qt.DropAction.MoveAction, 0, 0, QModelIndex())

    assert told == []


# Totals and ends


def test_totals_count_states(model: QueueModel) -> None:
    model.apply([*queued(6), *begun(0, 1), *finished(1, Status.CANCELLED)], 0.0)
    model.apply([*finished(2, Status.SUCCESS), *finished(3, Status.TRUNCATED)], 1.0)
    model.apply(changed(asking(4)), 2.0)

    totals = model.totals()

    assert (totals.running, totals.waiting, totals.asking) == (1, 1, 1)
    assert (totals.failed, totals.stopped, totals.done) == (1, 1, 1)
    assert (totals.open, totals.all) == (3, 6)


def test_the_rate_counts_small_datasets_that_came_to_their_end(model: QueueModel) -> None:
    read(model, [waiting(number) for number in range(9)])
    model.set_running(True)

    for number in range(8):
        model.apply(begun(number, 1), float(number))
        model.apply(
            [
                ev.FileStarted(str(number), 0),
                ev.FileFinished(
                    str(number),
                    0,
                    ManifestFile(
                        "d/0.csv",
                        declared=Fixity(100),
                        observed=Fixity(100),
                        status=Status.SUCCESS,
                    ),
                ),
                *finished(number, Status.SUCCESS),
            ],
            number + 0.5,
        )
    model.tick(8.5)

    assert model.totals().running == 0
    assert model.totals().rate == pytest.approx(100.0)

    model.set_running(False)

    assert model.totals().rate == 0.0  # a paused queue moves nothing


def test_an_idle_queue_has_no_rate(model: QueueModel) -> None:
    model.set_running(True)
    model.apply(begun(0, 1), 0.0)
    model.apply([ev.FileStarted("0", 0), ev.FileProgress("0", 0, 400, 400)], 0.0)
    model.tick(0.5)
    assert model.totals().rate > 0

    model.apply(finished(0, Status.SUCCESS), 1.0)
    model.tick(1.5)

    assert model.totals().rate == 0.0


@pytest.mark.parametrize(
    ("title", "second"), [("Tides", "https://example.org/000000 · tides"), (None, "tides")]
)
def test_what_a_list_gave_a_title_is_told_with_its_address_until_a_platform_is_known(
    title: str | None, second: str
) -> None:
    row = Row(0, ended(0, Status.NOT_FOUND, batch="tides", title=title))

    assert job_view_model(row, 0.0).second == second


def test_the_end_of_a_batch_is_told_once_with_its_counts(model: QueueModel) -> None:
    ends: list[BatchEnd] = []
    model.batch_ended.connect(ends.append)
    read(model, [waiting(number, batch="holdings") for number in range(3)])

    model.apply(changed(ended(0, Status.SUCCESS, batch="holdings")), 1.0)
    model.apply(changed(ended(1, Status.TRUNCATED, batch="holdings")), 2.0)
    assert ends == []
    model.apply(changed(ended(2, Status.SUCCESS, batch="holdings")), 3.0)

    assert ends == [BatchEnd("holdings", done=2, failed=1)]


def test_what_was_cancelled_of_a_batch_has_not_failed(model: QueueModel) -> None:
    ends: list[BatchEnd] = []
    model.batch_ended.connect(ends.append)
    read(model, [waiting(number, batch="holdings") for number in range(3)])

    model.apply(changed(ended(0, Status.CANCELLED, batch="holdings")), 1.0)
    model.apply(changed(ended(1, Status.TRUNCATED, batch="holdings")), 2.0)
    model.apply(changed(ended(2, Status.SUCCESS, batch="holdings")), 3.0)

    assert ends == [BatchEnd("holdings", done=1, failed=1, cancelled=1)]
    assert told_of_end("holdings", ends[0])[1] == "1 of 3 archived, 1 failed, 1 cancelled."


def test_a_batch_that_the_person_cancels_has_not_come_to_its_end(model: QueueModel) -> None:
    ends: list[BatchEnd] = []
    model.batch_ended.connect(ends.append)
    read(model, [waiting(number, batch="holdings") for number in range(2)])

    cancelled = [ended(number, Status.CANCELLED, batch="holdings") for number in range(2)]
    model.apply(changed(*cancelled), 1.0)

    assert ends == []


def test_a_job_that_ends_or_asks_is_told(model: QueueModel) -> None:
    told: list[str] = []
    model.ended.connect(lambda row: told.append(f"ended {row.job.job_id}"))
    model.asked.connect(lambda row: told.append(f"asked {row.job.job_id}"))
    model.apply(queued(2), 0.0)

    model.apply(changed(ended(0, Status.SUCCESS), asking(1)), 1.0)

    assert told == ["ended 0", "asked 1"]


def test_earlier_attempts_are_remembered(model: QueueModel) -> None:
    model.apply([*queued(1), *begun(0, 1), *finished(0, Status.TRUNCATED)], 0.0)

    model.apply(changed(waiting(0, attempts=1)), 1.0)

    assert [job.status for job in model.listed[0].past] == [Status.TRUNCATED]
    assert model.listed[0].past[0].finished == FINISHED
    assert model.listed[0].job.added == ADDED


def test_state_and_progress_are_spoken(model: QueueModel) -> None:
    model.apply([*queued(1), *begun(0, 2)], 0.0)
    model.apply([ev.FileStarted("0", 0), ev.FileProgress("0", 0, 82, 100)], 1.0)

    spoken = model.index(0, Column.SIZE).data(Qt.ItemDataRole.AccessibleTextRole)

    assert spoken.startswith("41 percent")


# Few signals for many


def test_the_end_of_a_batch_counts_what_was_removed_of_it_meanwhile(model: QueueModel) -> None:
    ends: list[BatchEnd] = []
    model.batch_ended.connect(ends.append)
    model.begin_reading()
    removed = {("tides", JobState.DONE): 4, ("tides", JobState.FAILED): 2, ("x", JobState.DONE): 9}
    model.expect(JobsNow(removed=removed))
    model.read([waiting(0, batch="tides")])
    model.end_reading()

    model.apply(changed(ended(0, Status.SUCCESS, batch="tides")), 1.0)

    assert ends == [BatchEnd("tides", done=5, failed=2)]
    assert model.counts("tides").of(None) == 1


def test_a_batch_of_which_most_is_unread_has_not_ended(model: QueueModel) -> None:
    ends: list[BatchEnd] = []
    model.batch_ended.connect(ends.append)
    read(model, [ended(9, Status.SUCCESS)])
    failed = [ended(number, Status.NOT_FOUND, batch="new") for number in range(2)]

    model.apply([ev.QueueChanged("", is_running=True)], 1.0)
    model.apply(changed(*(waiting(number, batch="new") for number in range(2))), 2.0)
    model.apply(changed(*failed), 3.0)
    is_told_early, was_stale = bool(ends), model.is_stale
    read(model, [ended(9, Status.SUCCESS), *failed, waiting(2, batch="new")])

    assert not is_told_early
    assert was_stale
    assert not model.is_stale
    assert ends == []
    model.apply(changed(ended(2, Status.SUCCESS, batch="new")), 4.0)
    assert ends == [BatchEnd("new", done=1, failed=2)]


def test_the_end_of_a_batch_that_came_before_the_list_was_read_is_told_then(
    model: QueueModel,
) -> None:
    ends: list[BatchEnd] = []
    model.batch_ended.connect(ends.append)
    read(model, [waiting(0, batch="tides"), waiting(1, batch="new")])
    over = [ended(0, Status.SUCCESS, batch="tides"), ended(1, Status.SUCCESS, batch="new")]

    model.apply([ev.QueueChanged("", is_running=True), *changed(*over)], 1.0)
    model.begin_reading()
    model.apply([ev.QueueChanged("", is_running=True)], 2.0)  # the reading may be before it
    model.read([*over, waiting(2, batch="new")])
    model.end_reading()
    assert ends == []
    read(model, [*over, waiting(2, batch="new")])

    assert ends == [BatchEnd("tides", done=1, failed=0)]


def test_a_batch_is_one_change_for_each_run_of_rows(model: QueueModel, qtbot: QtBot) -> None:
    model.apply(queued(6), 0.0)
    changes: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda top, bottom: changes.append((top.row(), bottom.row())))

    model.apply(changed(*(waiting(at, title="another") for at in (0, 1, 2, 4))), 1.0)

    assert changes == [(0, 2), (4, 4)]


def test_runs_are_unbroken() -> None:
    assert runs([1, 2, 3, 7, 9, 10]) == [(1, 3), (7, 7), (9, 10)]


def test_a_hundred_thousand_jobs_are_one_reset_and_one_page(qtbot: QtBot) -> None:
    model = QueueModel()
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(model.rowCount()))

    read(model, [waiting(number) for number in range(MANY)])

    assert resets == [PAGE]
    assert model.totals().waiting == MANY


def test_a_hundred_thousand_jobs_sort_and_filter_without_asking_rows(qtbot: QtBot) -> None:
    model = Counting()
    read(model, [waiting(number) for number in range(MANY)])

    model.sort(Column.DATASET, Qt.SortOrder.DescendingOrder)
    model.set_filter(Filter(JobState.QUEUED, words=("example",)))
    model.set_filter(Filter(JobState.DONE))

    assert model.cells == 0
    assert model.rowCount() == 0


def test_a_thousand_changes_far_below_disturb_no_row_that_is_seen(qtbot: QtBot) -> None:
    model = QueueModel()
    read(model, [waiting(number) for number in range(10_000)])
    signals: list[object] = []
    model.dataChanged.connect(lambda *given: signals.append(given))
    model.modelReset.connect(lambda: signals.append("reset"))

    model.apply(changed(*(running(number) for number in range(5_000, 6_000))), 1.0)

    assert signals == []
    assert model.totals().running == 1_000


def test_a_view_of_a_hundred_thousand_jobs_asks_for_what_it_shows(qtbot: QtBot) -> None:
    model, view = Counting(), PagedTree()
    qtbot.addWidget(view)
    view.setModel(model)
    view.resize(600, 400)
    view.show()

    read(model, [waiting(number) for number in range(MANY)])
    model.apply(begun(7, MANY), 0.0)
    view.expand(model.index(7, 0))
    view.grab()

    assert model.rowCount(model.index(7, 0)) <= 2 * PAGE
    assert model.cells < 5_000


def test_scrolling_to_the_end_of_a_branch_fetches_its_next_page(qtbot: QtBot) -> None:
    model, view = QueueModel(), PagedTree()
    qtbot.addWidget(view)
    view.setModel(model)
    view.resize(600, 400)
    view.show()
    model.apply([*queued(1), *begun(0, 10 * PAGE)], 0.0)
    job = model.index(0, 0)
    view.expand(job)
    view.grab()
    before = model.rowCount(job)

    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())

    assert before < model.rowCount(job) <= before + 2 * PAGE


class Counting(QueueModel):
    """Counts how often a cell is asked for."""

    cells = 0

    def data(self, index: QModelIndex, role: int = 0) -> object:  # type: ignore[override]
        self.cells += 1
        return super().data(index, role)


# What cannot go on


@pytest.mark.parametrize("state", [JobState.PAUSED, JobState.QUEUED])
def test_a_job_that_is_held_up_has_a_cause_a_tone_and_a_reason(
    model: QueueModel, state: JobState
) -> None:
    model.apply(changed(held_up(0, state=state)), 0.0)

    face = model.index(0, 4).data(VIEW_MODEL_ROLE)

    assert (face.icon, face.tone, face.state) == ("warning", "warning", "Disk full")
    assert face.state_detail == "Only 2 bytes are free."
    assert model.counts().causes == {Status.DISK_FULL: 1}
    assert model.totals().held_up == 1
    assert model.totals().told_to_pause == 0


def test_a_job_that_came_paused_with_a_merged_archive_is_not_said_to_be_paused_by_you(
    model: QueueModel,
) -> None:
    paused = replace(waiting(0), state=JobState.PAUSED)
    read(model, [paused, replace(waiting(1), state=JobState.PAUSED, message="It was merged.")])

    faces = [job_view_model(row, 0.0) for row in model.listed]

    assert [(face.state_detail, face.state_brief) for face in faces] == [
        ("Paused by you", "Paused by you"),
        ("It was merged.", "Paused by merging"),
    ]


def test_a_job_that_goes_on_is_held_up_no_more(model: QueueModel) -> None:
    model.apply(changed(held_up(0)), 0.0)

    model.apply(changed(running(0)), 1.0)

    assert model.totals().held_up == 0
    assert model.counts().causes == {}


def test_the_first_that_is_held_up_is_told_and_again_when_none_was(model: QueueModel) -> None:
    told: list[str] = []
    model.held_up.connect(lambda row: told.append(row.job.job_id))

    model.apply(changed(held_up(0), held_up(1)), 0.0)
    model.apply(changed(held_up(2)), 1.0)
    model.apply(changed(running(0), running(1), running(2)), 2.0)
    read(model, [held_up(1)])

    assert told == ["0", "1"]


def test_what_came_is_counted_but_not_what_was_there_before(model: QueueModel) -> None:
    came: list[int] = []
    model.came.connect(came.append)
    before = [waiting(number) for number in range(3)]

    read(model, before)
    model.apply(queued(2, start=3), 0.0)
    read(model, [*before, *(waiting(number) for number in range(3, 100))])

    assert came == [2, 95]


def test_rows_are_put_in_order_when_it_is_asked_for(model: QueueModel) -> None:
    model.apply(queued(3), 0.0)
    held = QPersistentModelIndex(model.index(2, 0))
    model.apply(changed(ended(0, Status.SUCCESS), running(2)), 1.0)

    model.put_in_order()

    assert numbers(model) == [2, 1, 0]
    assert held.row() == 0
    assert not model.is_disordered


def test_a_filter_by_words_follows_a_title_that_becomes_known(model: QueueModel) -> None:
    model.apply(changed(running(0)), 0.0)
    model.set_filter(Filter(words=("title",)))
    before = numbers(model)

    model.apply(described(0, 1), 1.0)

    assert before == []
    assert numbers(model) == [0]


# What is done, of which a part is read


def done(number: int, **fields: object) -> Job:
    """Return a job that is done; those of lower numbers finished later."""
    finished_at = f"2026-03-03T{23 - number // 60:02}:{59 - number % 60:02}:00+00:00"
    return ended(number, Status.SUCCESS, **{"finished": finished_at, **fields})


def page_of(jobs: Sequence[Job], *, is_last: bool = False) -> DonePage:
    last = jobs[-1]
    return DonePage(jobs, None if is_last else (last.finished or "", last.position, 1))


def read_part(model: QueueModel, undone: Sequence[Job], jobs: Sequence[Job], count: int) -> None:
    """Have the model take a list, of which these are done, and so many in all."""
    page = page_of(jobs, is_last=len(jobs) == count)
    model.begin_reading()
    now = JobsNow(undone, {(None, Status.SUCCESS): count}, page, jobs[0].finished or "")
    model.expect(now)
    model.read([*undone, *jobs])
    model.end_reading(page, DoneQuery())


def test_all_that_is_done_counts_however_little_of_it_was_read(model: QueueModel) -> None:
    read_part(model, [waiting(90)], [done(n) for n in range(3)], 10)

    assert (model.totals().done, model.totals().all) == (10, 11)
    assert numbers(model) == [90, 0, 1, 2]
    assert model.done.lacks_some


def test_the_next_page_is_asked_for_once_and_listed_below(model: QueueModel) -> None:
    asked: list[None] = []
    model.done_wanted.connect(lambda: asked.append(None))
    read_part(model, [waiting(90)], [done(n) for n in range(3)], 8)
    model.fetchMore(QModelIndex())
    model.fetchMore(QModelIndex())
    assert len(asked) == 1
    assert not model.canFetchMore(QModelIndex())

    model.read_done(page_of([done(n) for n in range(3, 6)]), DoneQuery())

    assert numbers(model) == [90, 0, 1, 2, 3, 4, 5]
    assert model.rowCount() == 7
    assert model.totals().done == 8
    model.fetchMore(QModelIndex())
    model.read_done(page_of([done(6), done(7)], is_last=True), DoneQuery())
    assert numbers(model) == [90, *range(8)]
    assert not model.canFetchMore(QModelIndex())
    assert not model.done.lacks_some


def test_nothing_is_listed_below_what_was_not_read(model: QueueModel) -> None:
    late = ended(50, Status.NETWORK_ERROR, finished="2026-03-01T00:00:00+00:00")
    read_part(model, [late], [done(n) for n in range(3)], 8)
    assert numbers(model) == [0, 1, 2]

    model.set_filter(Filter(JobState.FAILED))

    assert numbers(model) == [50]
    assert not model.done.lacks_some


def test_another_filter_asks_for_what_is_done_anew(model: QueueModel, qtbot: QtBot) -> None:
    read_part(model, [], [done(n, title="Tides") for n in range(3)], 8)
    with qtbot.waitSignal(model.done_wanted, timeout=1000):
        model.set_filter(Filter(words=("winds",)))
    assert model.done.after is None
    assert numbers(model) == []
    assert model.done.lacks_some

    found = DonePage([done(6, title="Winds")])
    model.read_done(page_of([done(7)]), DoneQuery())  # of the filter before
    assert model.done.lacks_some
    model.read_done(found, DoneQuery(("winds",)))

    assert numbers(model) == [6]
    assert model.totals().done == 8


def test_what_comes_to_its_end_stands_on_top_and_counts_once(model: QueueModel) -> None:
    read_part(model, [running(90)], [done(n) for n in range(3)], 8)

    model.apply(changed(ended(90, Status.SUCCESS, finished="2026-03-04T00:00:00+00:00")), 1)
    model.put_in_order()

    assert model.totals().done == 9
    assert numbers(model) == [90, 0, 1, 2]


def test_sorted_by_a_column_what_is_done_comes_last_until_all_was_read(model: QueueModel) -> None:
    jobs = [waiting(90, title="B"), waiting(91, title="A")]
    read_part(model, jobs, [done(0, title="C"), done(1, title="A")], 8)

    model.sort(Column.DATASET)
    assert numbers(model) == [91, 90, 0, 1]

    model.fetchMore(QModelIndex())
    model.read_done(page_of([done(2, title="0")]), DoneQuery())
    assert numbers(model) == [91, 90, 0, 1, 2]


def test_a_done_job_without_a_row_has_the_list_read_anew(model: QueueModel, qtbot: QtBot) -> None:
    read_part(model, [], [done(n) for n in range(3)], 8)

    with qtbot.waitSignal(model.outdated, timeout=1000):
        model.apply(changed(done(5)), 1)

    assert model.totals().done == 8


def test_what_ends_while_the_list_is_read_has_it_read_once_more(model: QueueModel) -> None:
    read_part(model, [running(90)], [done(n) for n in range(3)], 8)
    model.begin_reading()
    model.apply(changed(ended(90, Status.SUCCESS, finished="2026-03-04T00:00:00+00:00")), 1)
    page = page_of([done(n) for n in range(3)])
    model.expect(JobsNow([], {(None, Status.SUCCESS): 9}, page, "2026-03-04T00:00:00+00:00"))
    model.read(page.jobs)
    model.end_reading(page, DoneQuery())

    assert model.is_outdated
    assert model.totals().done == 9


def test_a_batch_says_whether_more_of_it_is_done(model: QueueModel, qtbot: QtBot) -> None:
    model.begin_reading()
    page = page_of([done(0, batch="tides")])
    model.expect(JobsNow([], {("tides", Status.SUCCESS): 3}, page, page.jobs[0].finished or ""))
    model.read(page.jobs)
    model.end_reading(page, DoneQuery())

    with qtbot.waitSignal(model.batch_wanted, timeout=1000):
        model.want_batch("tides")
    model.read_batch([done(n, batch="tides") for n in range(3)])

    assert [row.job.job_id for row in model.of_batch("tides")] == ["0", "1", "2"]
    assert model.counts("tides").of(JobState.DONE) == 3
    with qtbot.assertNotEmitted(model.batch_wanted):
        model.want_batch("tides")


def test_what_waits_in_a_queue_that_is_paused_where_it_runs_says_so(model: QueueModel) -> None:
    model.set_running(True)  # in an archive that is only read nothing here pauses it

    for is_paused, said in ((True, "Queue paused"), (False, "Waiting for its turn")):
        model.begin_reading()
        model.expect(JobsNow(is_paused=is_paused))
        model.read([waiting(0)])
        model.end_reading()

        assert model.index(0, Column.STATE).data(VIEW_MODEL_ROLE).state_detail == said
