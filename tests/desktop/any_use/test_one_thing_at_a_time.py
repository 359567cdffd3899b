# SPDX-License-Identifier: AGPL-3.0-or-later
"""What once was wrong: files of one dataset below the title of another, a word on another thing."""

from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import QModelIndex, Qt

from carrel.model import (
    IngestOptions,
    IngestRequest,
    IngestStrategy,
    JobState,
    ManifestFile,
    Status,
)
from carrel_desktop import words
from carrel_desktop.main_window import MainWindow
from carrel_desktop.views.archive.detection import State
from carrel_desktop.views.queue.row import Row
from carrel_desktop.widgets.file_tree import Column
from carrel_desktop.widgets.file_view import FileView
from desktop.any_use.holdings import paths
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.fake_engine import FakeEngine

PASTED = "\n".join((sets.DUNES, sets.SURVEY, sets.GENOMES))


@dataclass
class House:
    """A window with something on every page, and the fake engine behind it."""

    stage: Stage
    window: MainWindow
    engine: FakeEngine

    def look_at_pasted(self) -> None:
        view = self.window.pages.archive
        self.window.show_page(view)
        view.ui.paste.setPlainText(PASTED)
        self.stage.do(view.look)
        self.stage.wait(lambda: len(view.model) and not view.model.count(State.LOOKING))

    def choose_holding(self, url: str) -> None:
        view = self.window.pages.holdings
        dataset_id = self.engine.holdings.dataset_of(url)
        place = view.model.place_of(dataset_id or 0)
        assert place is not None
        self.stage.do(lambda: view.ui.table.choose(place))
        self.stage.wait(lambda: view.choice.record and view.choice.record.asked == url)

    def run(self, url: str) -> tuple[Row, QModelIndex]:
        """Have a job run to its end; return it with its files at hand, and where it stands."""
        view = self.window.pages.queue
        self.window.show_page(view)
        add = self.window.session.call(
            lambda engine: engine.queue.add([IngestRequest(url)], IngestOptions())
        )
        self.stage.run(add)
        self.stage.wait(lambda: view.model.listed and not view.model.listed[0].job.state.is_open)
        (row,) = view.model.listed
        index = view.model.index_of(row)
        self.stage.do(lambda: view.tree.setCurrentIndex(index))
        self.stage.do(lambda: view.tree.expand(index))
        self.stage.wait(lambda: row.files)
        return row, index


@pytest.fixture
def house(stage: Stage) -> House:
    script = replace(
        sets.script(),
        kept=sets.holdings(),
        file_outcomes={"data/wave_2.tab": Status.MISMATCH_MD5},
    )
    return House(stage, *stage.window(script))


def test_sorted_files_of_one_holding_leave_the_next_one_its_own(house: House) -> None:
    view = house.window.pages.holdings
    house.window.show_page(view)
    house.stage.wait(lambda: view.model.rowCount() == 5)
    house.choose_holding(sets.CENSUS)
    descending = Qt.SortOrder.DescendingOrder

    house.stage.do(lambda: view.ui.detail.files.sortByColumn(Column.SIZE, descending))
    house.choose_holding(sets.SURVEY)

    assert view.ui.detail.title.title.text() == sets.survey().title
    assert view.ui.detail.card.word.text() == "MD5 mismatch"
    assert len(list(paths(view.ui.detail.files.files))) == 5


def test_sorted_files_of_one_detection_leave_the_next_one_its_own(house: House) -> None:
    view = house.window.pages.archive
    house.look_at_pasted()
    house.stage.do(lambda: view.ui.list.setCurrentIndex(view.model.index(0)))
    descending = Qt.SortOrder.DescendingOrder

    house.stage.do(lambda: view.ui.detail.files.sortByColumn(Column.SIZE, descending))
    house.stage.do(lambda: view.ui.list.setCurrentIndex(view.model.index(2)))

    assert view.ui.detail.title.title.text() == sets.genomes().title
    assert view.ui.detail.strategy.combo.currentData() == IngestStrategy.WEB_FILE
    assert list(paths(view.ui.detail.files.files)) == ["assemblies.fasta.gz"]


def test_a_kept_file_says_nothing_of_its_dataset(house: House) -> None:
    view = house.window.pages.queue
    row, job = house.run(sets.SURVEY)
    kept = next(at for at, file in enumerate(row.files) if file.is_kept)
    assert row.job.state is JobState.FAILED

    house.stage.do(lambda: view.tree.setCurrentIndex(view.model.index(kept, 0, job)))

    pane = view.ui.pane
    assert pane.title.title.text() == sets.survey().title
    assert pane.card.word.text() == words.outcome(row.job.status or Status.SUCCESS)
    assert pane.card.isVisible()
    assert pane.file.name.text() == f"File {row.files[kept].path}"
    assert pane.file.card.word.text() == "Checksum matches"
    assert "Everything" not in pane.file.card.advice.text()


def test_a_file_that_failed_says_nothing_of_its_dataset(house: House) -> None:
    view = house.window.pages.queue
    row, job = house.run(sets.SURVEY)
    (failed,) = [at for at, it in enumerate(row.files) if it.status is Status.MISMATCH_MD5]

    house.stage.do(lambda: view.tree.setCurrentIndex(view.model.index(failed, 0, job)))
    assert view.ui.pane.file.card.word.text() == "MD5 mismatch"
    house.stage.do(lambda: view.tree.setCurrentIndex(job))

    assert view.ui.pane.file.isHidden()


def test_a_file_with_every_column_is_sorted_by_all_of_them(stage: Stage) -> None:
    view = FileView(stage._theme, with_digests=True)
    files = [ManifestFile(f"{name}.csv", status=Status.SUCCESS) for name in "cab"]
    view.show_files(files, {}, {"c.csv": "2020", "a.csv": "2021", "b.csv": "2019"})

    view.sortByColumn(Column.ARCHIVED, Qt.SortOrder.AscendingOrder)

    assert list(paths(view.files)) == ["b.csv", "c.csv", "a.csv"]
    assert not view.isColumnHidden(Column.ARCHIVED) or view.viewport().width() < 400
