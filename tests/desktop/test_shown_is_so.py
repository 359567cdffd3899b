# SPDX-License-Identifier: AGPL-3.0-or-later
"""What pages show is what the archive has, however one sorts, chooses and filters."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import QModelIndex, Qt

from carrel.model import (
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    IngestStrategy,
    JobState,
    ManifestFile,
    Status,
)
from carrel.model.events import IngestFinished
from carrel_desktop import words
from carrel_desktop.holding_rows.model import Place
from carrel_desktop.main_window import MainWindow
from carrel_desktop.views.archive.model import State
from carrel_desktop.views.holdings.layout import FILLED
from carrel_desktop.views.queue.layout import ORDER
from carrel_desktop.views.queue.row import Row
from carrel_desktop.widgets.file_tree import Column, FileTreeModel
from carrel_desktop.widgets.file_view import FileView
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.fake_engine import FakeEngine

PASTED = "\n".join((sets.DUNES, sets.SURVEY, sets.GENOMES, sets.SEABIRDS, sets.INTERVIEWS))
SEEDS = (1, 1841)
STEPS = 250
ORDERS = tuple(Qt.SortOrder)


def paths(model: FileTreeModel, below: QModelIndex | None = None) -> Iterator[str]:
    """Yield the paths of all files of a tree."""
    parent = below or QModelIndex()
    while model.canFetchMore(parent):
        model.fetchMore(parent)
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        file = model.file_at(index)
        if file is not None:
            yield file.path
        else:
            yield from paths(model, index)


def sort_files(stage: Stage, files: FileView, column: Column, order: Qt.SortOrder) -> None:
    stage.do(lambda: files.sortByColumn(column, order))


@dataclass
class House:
    """A window with something on every page, and what is behind it."""

    stage: Stage
    window: MainWindow
    engine: FakeEngine

    def settle(self) -> None:
        """Wait until nothing is read any more."""
        self.stage.do(self.window._session._bridge.drain)
        self.stage.wait(lambda: not self.window._session._tasks)

    def do(self, act: Callable[[], object]) -> None:
        self.stage.do(act)
        self.settle()

    # What is shown, and what is so

    def check(self) -> None:
        self.check_holdings()
        self.check_archive()
        self.check_queue()

    def check_holdings(self) -> None:
        view = self.window.pages.holdings
        chosen = view.model.at(view.ui.table.currentIndex())
        if view.ui.stack.currentIndex() != FILLED or chosen is None:
            return
        (held,) = [
            row
            for row in self.engine.holdings.results()
            if row["request"]["base_url"] == chosen.asked
        ]
        title = held.get("title") or chosen.asked
        assert view.ui.detail.is_whole
        assert view.ui.detail.title.title.text() == chosen.title == title
        assert view.ui.detail.card.word.text() == words.outcome(Status(held["status"]))
        listed = [entry["path"] for entry in held.get("manifest", ())]
        assert sorted(paths(view.ui.detail.files.files)) == sorted(listed)
        assert view.ui.detail.later.isHidden() is ("last_attempt" not in held)

    def check_archive(self) -> None:
        view = self.window.pages.archive
        chosen, pane = view.current(), view.ui.detail
        if chosen is None or chosen.result is None:
            return
        item, choice = chosen.result.item, chosen.result.choice
        assert pane.is_whole
        assert pane.title.title.text() == (item.title if item else chosen.identifier.value)  # type: ignore[union-attr]
        listed = [entry.path for entry in chosen.result.files]
        assert sorted(paths(pane.files.files)) == sorted(listed)
        if choice and not pane.footer.isHidden():
            wanted = chosen.strategy or choice.strategy
            assert pane.strategy.combo.currentData() == wanted

    def check_queue(self) -> None:
        view = self.window.pages.queue
        rows = view.chosen()
        if len(rows) == 1:
            self._check_job(rows[0])

    def _check_job(self, row: Row) -> None:
        view = self.window.pages.queue
        pane, job = view.ui.pane, self.engine.queue.known[row.job.job_id]
        assert pane.title.title.text() == row.title
        assert pane.card.isHidden() is job.state.is_open
        if job.status is not None and not job.state.is_open:
            assert pane.card.word.text() == words.outcome(job.status)
        found = view.model.row_at(view.tree.currentIndex())
        file = found[1] if found and found[0] is row else None
        assert pane.file.isHidden() is (file is None)
        if file is not None:
            assert pane.file.name.text() == f"File {row.files[file].path}"


@pytest.fixture
def house(stage: Stage) -> House:
    script = replace(
        sets.script(),
        kept=sets.holdings(),
        file_outcomes={"data/wave_2.tab": Status.MISMATCH_MD5},
    )
    window, engine = stage.window(script)
    house = House(stage, window, engine)
    window.pages.archive.ui.paste.setPlainText(PASTED)
    stage.do(window.pages.archive.look)
    stage.wait(
        lambda: (
            len(window.pages.archive.model) and not window.pages.archive.model.count(State.LOOKING)
        )
    )
    requests = [IngestRequest(url) for url in (sets.DUNES, sets.SURVEY)]
    stage.run(window._session.call(lambda engine: engine.queue.add(requests, IngestOptions())))
    stage.wait(lambda: not any(job.state.is_open for job in engine.queue.known.values()))
    house.settle()
    return house


def row_of(house: House, url: str) -> int:
    row = house.window.pages.holdings.model.place_of(url)
    assert row is not None
    return row


@pytest.mark.parametrize("column", Column)
def test_sorted_files_of_one_holding_leave_the_next_one_its_own(
    house: House, column: Column
) -> None:
    view = house.window.pages.holdings
    house.window.show_page(house.window.pages.holdings)
    house.do(lambda: view.ui.table.selectRow(row_of(house, sets.CENSUS)))

    sort_files(house.stage, view.ui.detail.files, column, Qt.SortOrder.DescendingOrder)
    house.do(lambda: view.ui.table.selectRow(row_of(house, sets.SURVEY)))

    assert view.ui.detail.title.title.text() == sets.survey().title
    assert view.ui.detail.card.word.text() == "MD5 mismatch"
    assert len(list(paths(view.ui.detail.files.files))) == 5
    house.check()


@pytest.mark.parametrize("column", Column)
def test_sorted_files_of_one_detection_leave_the_next_one_its_own(
    house: House, column: Column
) -> None:
    view = house.window.pages.archive
    house.window.show_page(house.window.pages.archive)
    house.do(lambda: view.ui.list.setCurrentIndex(view.model.index(0)))

    sort_files(house.stage, view.ui.detail.files, column, Qt.SortOrder.DescendingOrder)
    house.do(lambda: view.ui.list.setCurrentIndex(view.model.index(2)))

    assert view.ui.detail.title.title.text() == sets.genomes().title
    assert view.ui.detail.strategy.combo.currentData() == IngestStrategy.WEB_FILE
    assert list(paths(view.ui.detail.files.files)) == ["assemblies.fasta.gz"]


def job_of(house: House, url: str) -> tuple[Row, QModelIndex]:
    """Return a job with its files at hand, and where it stands in the tree."""
    view = house.window.pages.queue
    row = next(row for row in view.model.listed if row.job.request.base_url == url)
    house.do(lambda: view.tree.setCurrentIndex(view.model.index_of(row)))
    house.do(lambda: view.tree.expand(view.model.index_of(row)))
    house.stage.wait(lambda: row.files)
    house.settle()
    return row, view.model.index_of(row)


def test_a_kept_file_says_nothing_of_its_dataset(house: House) -> None:
    house.window.show_page(house.window.pages.queue)
    view = house.window.pages.queue
    row, job = job_of(house, sets.SURVEY)
    kept = next(at for at, file in enumerate(row.files) if file.is_kept)
    assert row.job.state is JobState.FAILED

    house.do(lambda: view.tree.setCurrentIndex(view.model.index(kept, 0, job)))

    pane = view.ui.pane
    assert pane.title.title.text() == sets.survey().title
    assert pane.card.word.text() == words.outcome(row.job.status or Status.SUCCESS)
    assert pane.card.isVisible()
    assert pane.file.name.text() == f"File {row.files[kept].path}"
    assert pane.file.card.word.text() == "Verified"
    assert "Everything" not in pane.file.card.advice.text()


def test_a_file_that_failed_says_nothing_of_its_dataset(house: House) -> None:
    house.window.show_page(house.window.pages.queue)
    view = house.window.pages.queue
    row, job = job_of(house, sets.SURVEY)
    (failed,) = [at for at, it in enumerate(row.files) if it.status is Status.MISMATCH_MD5]

    house.do(lambda: view.tree.setCurrentIndex(view.model.index(failed, 0, job)))
    assert view.ui.pane.file.card.word.text() == "MD5 mismatch"
    house.do(lambda: view.tree.setCurrentIndex(job))

    assert view.ui.pane.file.isHidden()
    house.check()


# A walk at random


def sort_table(house: House, chance: random.Random) -> None:
    view = house.window.pages.holdings
    column = chance.randrange(-1, view.model.columnCount())
    house.do(lambda: view.ui.table.sortByColumn(column, chance.choice(ORDERS)))


def sort_shown_files(house: House, chance: random.Random) -> None:
    panes = house.window.pages.holdings.ui.detail, house.window.pages.archive.ui.detail
    files, column = chance.choice(panes).files, chance.randrange(-1, len(Column))
    house.do(lambda: files.sortByColumn(column, chance.choice(ORDERS)))


def choose_holding(house: House, chance: random.Random) -> None:
    view = house.window.pages.holdings
    row = chance.randrange(max(1, view.model.rowCount()))
    house.do(lambda: view.ui.table.selectRow(row))


def filter_holdings(house: House, chance: random.Random) -> None:
    view = house.window.pages.holdings
    place, text = chance.choice(tuple(Place)), chance.choice(("", "", "census", "10.", "nowhere"))
    house.do(lambda: view.ui.places.choose(place))
    view.ui.search.setText(text)
    house.do(view.searching.search)


def choose_detection(house: House, chance: random.Random) -> None:
    view = house.window.pages.archive
    row = chance.randrange(len(view.model))
    house.do(lambda: view.ui.list.setCurrentIndex(view.model.index(row)))


def overrule(house: House, chance: random.Random) -> None:
    """Choose another strategy for what is on show."""
    combo = house.window.pages.archive.ui.detail.strategy.combo
    if house.window.pages.archive.ui.detail.footer.isHidden() or not combo.isEnabled():
        return
    at = chance.randrange(combo.count())
    combo.setCurrentIndex(at)
    house.do(lambda: combo.activated.emit(at))


def choose_job(house: House, chance: random.Random) -> None:
    view = house.window.pages.queue
    if not view.model.rowCount():
        return
    job = view.model.index(chance.randrange(view.model.rowCount()), 0)
    house.do(lambda: view.tree.expand(job))
    count = view.model.rowCount(job)
    at = chance.randrange(-1, count)
    index = job if at < 0 else view.model.index(at, 0, job)
    house.do(lambda: view.tree.setCurrentIndex(index))


def sort_queue(house: House, chance: random.Random) -> None:
    view = house.window.pages.queue
    column = chance.randrange(-1, view.model.columnCount())
    house.do(lambda: view.tree.sortByColumn(column, chance.choice(ORDERS)))


def filter_queue(house: House, chance: random.Random) -> None:
    place = chance.choice((None, *ORDER))
    house.do(lambda: house.window.pages.queue.ui.places.choose(place))


def turn_page(house: House, chance: random.Random) -> None:
    house.do(lambda: house.window.show_page(house.window.pages[chance.choice((0, 1, 2))]))


def reload(house: House, chance: random.Random) -> None:
    view = chance.choice((house.window.pages.holdings, house.window.pages.queue))
    house.do(view.refresh)


def fail_again(house: House, chance: random.Random) -> None:
    """Let an attempt at something that is held fail, while whatever is on show is on show."""
    held = chance.choice([row for row in house.engine.holdings.results() if row.get("kept_count")])
    number = len(house.engine.holdings.kept)
    result = IngestFilesetResult(
        IngestRequest(held["request"]["base_url"]),
        Status.NETWORK_ERROR,
        error_message="Nobody answered.",
        ingest_id=f"again{number}",
        started="2026-03-04T08:00:00+00:00",
        finished="2026-03-04T08:00:01+00:00",
    )
    house.engine.holdings.kept.append(result)
    event = IngestFinished(f"again{number}", result)
    house.do(lambda: house.window.pages.holdings._on_events([event]))


MOVES: Sequence[Callable[[House, random.Random], None]] = (
    *(sort_table, sort_shown_files, choose_holding, choose_holding, filter_holdings),
    *(choose_detection, overrule, choose_job, choose_job, sort_queue, filter_queue),
    *(turn_page, reload, fail_again),
)


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_one_does_what_is_shown_is_so(house: House, seed: int) -> None:
    chance = random.Random(seed)  # the same walk each time
    house.window.show_page(house.window.pages.holdings)

    for step in range(STEPS):
        move = chance.choice(MOVES)
        move(house, chance)
        try:
            house.check()
        except AssertionError as error:
            raise AssertionError(f"after {move.__name__}, step {step} of walk {seed}") from error


def test_a_file_with_every_column_is_sorted_by_all_of_them(stage: Stage) -> None:
    view = FileView(stage._theme, with_digests=True)
    files = [ManifestFile(f"{name}.csv", status=Status.SUCCESS) for name in "cab"]
    view.show_files(files, {}, {"c.csv": "2020", "a.csv": "2021", "b.csv": "2019"})

    view.sortByColumn(Column.ARCHIVED, Qt.SortOrder.AscendingOrder)

    assert list(paths(view.files)) == ["b.csv", "c.csv", "a.csv"]
    assert not view.isColumnHidden(Column.ARCHIVED) or view.viewport().width() < 400
