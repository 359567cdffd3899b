# SPDX-License-Identifier: AGPL-3.0-or-later
"""The queue's two levels: pages, filters, sorting, and few signals for many events."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from carrel.model import (
    Fixity,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    IngestStrategy,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
    StrategyChoice,
)
from carrel.model import events as ev
from carrel_desktop.views.queue.job import JobState
from carrel_desktop.views.queue.model import FACE_ROLE, Column, QueueModel, runs
from carrel_desktop.widgets.paged_tree import PAGE

CHOICE = StrategyChoice(IngestStrategy.WEB_FILESET, "because")
MANY = 100_000


def request(number: int) -> IngestRequest:
    return IngestRequest(f"https://example.org/{number:06}")


def queued(count: int, start: int = 0) -> list[ev.Event]:
    return [ev.IngestQueued(str(number), request(number)) for number in range(start, start + count)]


def described(ingest_id: str, count: int) -> list[ev.Event]:
    files = tuple(ManifestFile(f"d/{n}.csv", declared=Fixity(100)) for n in range(count))
    item = PlatformItem("zenodo", "zenodo.org", ingest_id, files, title=f"Title {ingest_id}")
    return [
        ev.IngestStarted(ingest_id, request(int(ingest_id))),
        ev.Described(ingest_id, item, CHOICE),
    ]


def finished(ingest_id: str, status: Status) -> ev.Event:
    return ev.IngestFinished(ingest_id, IngestFilesetResult(request(int(ingest_id)), status))


@pytest.fixture
def model(qtbot: QtBot) -> Iterator[QueueModel]:
    model = QueueModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    yield model
    assert tester.model() is model


def titles(model: QueueModel) -> list[str]:
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_jobs_and_files_are_two_levels(model: QueueModel) -> None:
    model.apply([*queued(2), *described("0", 3)], 0.0)

    job = model.index(0, 0)
    model.fetchMore(job)

    assert model.rowCount() == 2
    assert model.rowCount(job) == 3
    assert model.index(2, 0, job).parent() == job
    assert not model.hasChildren(model.index(1, 0))


def test_a_job_that_is_described_later_gets_its_files(model: QueueModel) -> None:
    model.apply(queued(1), 0.0)

    model.apply(described("0", 3), 1.0)

    assert model.rowCount(model.index(0, 0)) == 3


def test_a_result_with_another_manifest_replaces_the_rows(model: QueueModel) -> None:
    model.apply([*queued(1), *described("0", 5)], 0.0)
    model.fetchMore(model.index(0, 0))
    files = (ManifestFile("only.csv", status=Status.SUCCESS, observed=Fixity(5)),)

    result = IngestFilesetResult(request(0), Status.SUCCESS, manifest=files)
    model.apply([ev.IngestFinished("0", result)], 1.0)

    assert model.rowCount(model.index(0, 0)) == 1


def test_only_a_page_is_handed_out_at_first(qtbot: QtBot) -> None:
    model = QueueModel()  # without the tester, which fetches whatever there is
    model.apply(queued(PAGE + 50), 0.0)
    assert model.rowCount() == PAGE

    model.fetchMore(QModelIndex())

    assert model.rowCount() == PAGE + 50


def test_a_filter_shows_one_state_and_follows_it(model: QueueModel) -> None:
    model.apply([*queued(3), *described("1", 1)], 0.0)
    model.set_filter(JobState.RUNNING)
    assert titles(model) == ["Title 1"]

    model.apply([finished("1", Status.SUCCESS), *described("2", 1)], 1.0)

    assert titles(model) == ["Title 2"]


def test_sorting_keeps_hold_of_a_row(model: QueueModel) -> None:
    model.apply(queued(5), 0.0)
    held = QPersistentModelIndex(model.index(0, 0))

    model.sort(Column.DATASET, Qt.SortOrder.DescendingOrder)

    assert held.row() == 4
    assert titles(model)[0].endswith("4")


def test_a_retry_remembers_how_it_was_asked(model: QueueModel) -> None:
    options = IngestOptions(strategy=IngestStrategy.WEB_FILE)
    model.remember("0", options)

    model.apply(queued(1), 0.0)

    found = model.job_at(model.index(0, 0))
    assert found
    assert found[0].options == options


def test_events_of_unknown_ingests_are_let_pass(model: QueueModel) -> None:
    model.apply([ev.FileStarted("nobody", 0), ev.StageEntered("nobody", Stage.FETCH)], 0.0)

    assert model.rowCount() == 0


def test_totals_count_states(model: QueueModel) -> None:
    model.apply([*queued(4), *described("0", 1), finished("1", Status.CANCELLED)], 0.0)
    model.apply([finished("2", Status.SUCCESS)], 1.0)

    totals = model.totals()

    assert (totals.running, totals.waiting, totals.failed, totals.done) == (1, 1, 1, 1)


def test_state_and_progress_are_spoken(model: QueueModel) -> None:
    model.apply([*queued(1), *described("0", 2)], 0.0)
    model.apply([ev.FileStarted("0", 0), ev.FileProgress("0", 0, 82, 100)], 1.0)

    spoken = model.index(0, Column.PROGRESS).data(Qt.ItemDataRole.AccessibleTextRole)

    assert spoken.startswith("41 percent")


def test_a_batch_is_one_change_for_each_run_of_rows(model: QueueModel, qtbot: QtBot) -> None:
    model.apply(queued(6), 0.0)
    changes: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda top, bottom: changes.append((top.row(), bottom.row())))

    model.apply([ev.StageEntered(str(at), Stage.RESOLVE) for at in (0, 1, 2, 4)], 1.0)

    assert changes == [(0, 2), (4, 4)]


def test_runs_are_unbroken() -> None:
    assert runs([1, 2, 3, 7, 9, 10]) == [(1, 3), (7, 7), (9, 10)]


def test_a_hundred_thousand_jobs_are_one_insertion_of_one_page(qtbot: QtBot) -> None:
    model = QueueModel()
    insertions: list[int] = []
    model.rowsInserted.connect(lambda _parent, first, last: insertions.append(last - first + 1))

    model.apply(queued(MANY), 0.0)

    assert insertions == [PAGE]
    assert model.totals().waiting == MANY


def test_a_hundred_thousand_jobs_sort_and_filter_without_asking_rows(qtbot: QtBot) -> None:
    model = Counting()
    model.apply(queued(MANY), 0.0)

    model.sort(Column.DATASET, Qt.SortOrder.DescendingOrder)
    model.set_filter(JobState.WAITING)
    model.set_filter(JobState.DONE)

    assert model.asked == 0
    assert model.rowCount() == 0


def test_a_view_of_a_hundred_thousand_jobs_asks_for_what_it_shows(qtbot: QtBot) -> None:
    from carrel_desktop.widgets.paged_tree import PagedTree

    model, view = Counting(), PagedTree()
    qtbot.addWidget(view)
    view.setModel(model)
    view.resize(600, 400)
    view.show()

    model.apply([*queued(MANY), *described("7", MANY)], 0.0)
    view.expand(model.index(7, 0))
    view.grab()

    assert model.rowCount(model.index(7, 0)) <= 2 * PAGE
    assert model.asked < 5_000


def test_scrolling_to_the_end_of_a_branch_fetches_its_next_page(qtbot: QtBot) -> None:
    from carrel_desktop.widgets.paged_tree import PagedTree

    model, view = QueueModel(), PagedTree()
    qtbot.addWidget(view)
    view.setModel(model)
    view.resize(600, 400)
    view.show()
    model.apply([*queued(1), *described("0", 10 * PAGE)], 0.0)
    job = model.index(0, 0)
    view.expand(job)
    view.grab()
    before = model.rowCount(job)

    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())

    assert before < model.rowCount(job) <= before + 2 * PAGE


def test_a_file_says_where_it_is_and_how_it_ended(model: QueueModel) -> None:
    model.apply([*queued(1), *described("0", 1)], 0.0)
    file = ManifestFile("d/0.csv", status=Status.TRUNCATED, message="It broke off at byte 7.")
    model.apply([ev.FileFinished("0", 0, file)], 1.0)
    model.fetchMore(model.index(0, 0))

    face = model.index(0, 0, model.index(0, 0)).data(FACE_ROLE)

    assert (face.title, face.second) == ("0.csv", "d")
    assert (face.state, face.state_detail) == ("Broke off", "It broke off at byte 7.")


class Counting(QueueModel):
    """Counts how often a cell is asked for."""

    asked = 0

    def data(self, index: QModelIndex, role: int = 0) -> object:  # type: ignore[override]
        self.asked += 1
        return super().data(index, role)
