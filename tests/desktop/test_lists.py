# SPDX-License-Identifier: AGPL-3.0-or-later
"""An opened list more closely: its columns, its lines without a dataset, and its forecast."""

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton

from carrel.engine.batches import Columns
from carrel.model import IngestRequest, Status
from carrel.model.caption import Caption
from carrel.platforms.identifiers import find
from carrel_desktop.main_window import MainWindow
from carrel_desktop.views.archive.counting import Counting
from carrel_desktop.views.archive.lines_dialog import LinesDialog
from carrel_desktop.views.archive.offer import Correction, Offer
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.fake_engine import FakeEngine

COUNT = 30


def a_table(folder: Path) -> Path:
    """Write a table with two columns of identifiers, two lines with none and one repetition."""
    rows = [f"Dataset {n};10.5072/d{n};10.5072/other{n};sea, coast" for n in range(COUNT)]
    bad = ["nothing here;;10.5072/other98;", "nor here;see below;;"]
    path = folder / "holdings.csv"
    heads = "name;doi;related;subjects"
    path.write_text("\n".join([heads, *rows, *bad, "again;10.5072/D0;;"]), encoding="utf-8")
    return path


@pytest.fixture
def opened(stage: Stage, tmp_path: Path) -> tuple[MainWindow, FakeEngine, LinesDialog]:
    """Return a window with a list, and the dialog of its columns and lines."""
    window, engine = stage.window(sets.script())
    view = window.pages.archive
    window.show_page(view)
    stage.do(lambda: view.batches.read([a_table(tmp_path)]))
    stage.wait(lambda: view.batches.current)
    stage.do(view.batches.actions.open_lines.trigger)
    dialog = window.findChild(LinesDialog)
    assert dialog
    return window, engine, dialog


def offer(window: MainWindow) -> Offer:
    current = window.pages.archive.batches.current
    assert current
    return current


def correct(stage: Stage, dialog: LinesDialog, place: int, text: str) -> None:
    """Choose a line, write something in its place and press Enter."""
    stage.do(lambda: dialog.problems.choose(place))
    stage.do(lambda: dialog.field.setText(text))
    stage.do(lambda: QTest.keyClick(dialog.field, Qt.Key.Key_Return))
    stage.wait(lambda: dialog.told.text())


def test_lines_without_a_dataset_are_listed_with_their_reasons(
    opened: tuple[MainWindow, FakeEngine, LinesDialog],
) -> None:
    _, _, dialog = opened

    lines = [(each.line, each.message) for each in dialog.problems.rows.listed]

    assert [line for line, _ in lines] == [32, 33]
    assert lines[0][1] == "the column “doi” is empty"
    assert dialog.count.text() == "Lines without a dataset: 2"
    assert [each.line for each in dialog.duplicates.rows.listed] == [34]
    assert dialog.repeated.text() == "Lines that repeat another: 1"


def test_a_corrected_line_is_a_dataset_of_the_list(
    stage: Stage, opened: tuple[MainWindow, FakeEngine, LinesDialog]
) -> None:
    window, _, dialog = opened

    correct(stage, dialog, 1, "10.5072/found")

    assert dialog.told.text() == "Added to the list."
    assert window.findChildren(QFileDialog) == []  # Enter presses no button
    assert offer(window).batch.requests[-1].base_url == "https://doi.org/10.5072/found"
    assert [each.line for each in offer(window).batch.problems] == [32]
    assert window.pages.archive.batches.card.heading.text() == "31 datasets in holdings.csv"


def test_a_corrected_line_keeps_what_its_other_columns_say(stage: Stage, tmp_path: Path) -> None:
    window, _ = stage.window(sets.script())
    path = tmp_path / "holdings.csv"
    rows = [f"Dataset {n},10.5072/d{n},sea" for n in range(COUNT)]
    bad = ["Tides,see below,coast; surf", "Several,none,surf"]
    path.write_text("\n".join(["title,doi,tags", *rows, *bad]), encoding="utf-8")
    batches = window.pages.archive.batches
    stage.do(lambda: batches.read([path]))
    stage.wait(lambda: batches.current)

    for line, text in ((COUNT + 2, "10.5072/tides"), (COUNT + 3, "10.5072/a 10.5072/b")):
        found = find(text).identifiers
        stage.do(partial(batches.correct, offer(window).number, Correction(line, found)))

    captions = offer(window).batch.captions
    assert captions["https://doi.org/10.5072/tides"] == Caption("Tides", ("coast", "surf"))
    assert captions["https://doi.org/10.5072/b"] == Caption(tags=("surf",))


def test_a_line_that_repeats_another_is_not_added_again(
    stage: Stage, opened: tuple[MainWindow, FakeEngine, LinesDialog]
) -> None:
    window, _, dialog = opened

    correct(stage, dialog, 0, "10.5072/d3")

    assert dialog.told.text() == "It is already in the list."
    assert len(offer(window).batch.requests) == COUNT
    batch = offer(window).batch
    first = {request.base_url: line for line, request in batch.numbered()}
    again = batch.duplicates[-1]
    assert (again.first_line, again.line) == (first["https://doi.org/10.5072/d3"], 32)
    assert [each.line for each in offer(window).batch.duplicates] == [34, 32]


def test_a_line_that_still_names_nothing_stays(
    stage: Stage, opened: tuple[MainWindow, FakeEngine, LinesDialog]
) -> None:
    window, _, dialog = opened

    correct(stage, dialog, 0, "still nothing")

    assert dialog.told.text() == "It contains no DOI, Handle, ARK or web address."
    assert len(offer(window).batch.problems) == 2


def test_other_columns_read_the_list_anew_in_the_dialog_too(
    stage: Stage, opened: tuple[MainWindow, FakeEngine, LinesDialog]
) -> None:
    window, _, dialog = opened
    identifier, title, tags = dialog._boxes
    names = [identifier.itemText(at) for at in range(identifier.count())]
    assert names == ["(detected: doi)", "name", "doi", "related", "subjects"]
    assert [title.itemText(0), tags.itemText(0)] == ["(detected: name)", "(detected: none)"]

    for box, number in ((title, "1"), (tags, "4"), (identifier, "3")):
        box.setCurrentIndex(box.findData(number))
    stage.do(lambda: identifier.activated.emit(identifier.currentIndex()))
    stage.wait(lambda: offer(window).columns.identifier == "3")
    stage.wait(lambda: len(dialog.problems.rows.listed) == 2)

    batch = offer(window).batch
    assert batch.requests[0].base_url == "https://doi.org/10.5072/other0"
    assert len(batch.requests) == COUNT + 1
    caption = batch.captions[batch.requests[0].base_url]
    assert (caption.title, caption.tags) == ("Dataset 0", ("sea", "coast"))
    assert [each.line for each in dialog.problems.rows.listed] == [33, 34]


def test_a_corrected_line_stays_so_when_other_columns_are_chosen(
    stage: Stage, opened: tuple[MainWindow, FakeEngine, LinesDialog]
) -> None:
    window, _, dialog = opened
    _, title, tags = dialog._boxes
    correct(stage, dialog, 1, "10.5072/found")

    for box, number in ((title, "4"), (tags, "4")):
        box.setCurrentIndex(box.findData(number))
        stage.do(partial(box.activated.emit, box.currentIndex()))
        stage.wait(lambda: not window.session._tasks)

    batch = offer(window).batch
    assert offer(window).columns.tags == "4"
    assert batch.requests[-1].base_url == "https://doi.org/10.5072/found"
    assert [each.line for each in batch.problems] == [32]
    assert [each.line for each in dialog.problems.rows.listed] == [32]


def test_what_is_corrected_while_other_columns_are_read_stays_corrected(
    stage: Stage, opened: tuple[MainWindow, FakeEngine, LinesDialog]
) -> None:
    window, _, dialog = opened
    tags = dialog._boxes[2]
    (found,) = find("10.5072/found").identifiers
    stage.do(lambda: dialog.problems.choose(0))
    stage.do(lambda: dialog.field.setText("10.5072/being.wri"))
    tags.setCurrentIndex(tags.findData("4"))

    def choose_and_correct() -> None:
        tags.activated.emit(tags.currentIndex())
        dialog.corrected.emit(offer(window).number, Correction(33, (found,)))

    stage.do(choose_and_correct)
    stage.wait(lambda: offer(window).columns.tags == "4" and not window.session._tasks)

    assert offer(window).batch.requests[-1].base_url == "https://doi.org/10.5072/found"
    assert [each.line for each in offer(window).batch.problems] == [32]
    assert [each.line for each in dialog.problems.rows.listed] == [32]
    assert dialog.field.text() == "10.5072/being.wri"


def test_the_columns_that_were_chosen_last_are_read(
    stage: Stage, opened: tuple[MainWindow, FakeEngine, LinesDialog]
) -> None:
    window, _, dialog = opened
    tags, before = dialog._boxes[2], offer(window)
    tags.setCurrentIndex(tags.findData("4"))
    stage.do(lambda: tags.activated.emit(tags.currentIndex()))
    stage.wait(lambda: offer(window).columns.tags == "4" and not window.session._tasks)

    # What was begun earlier may come to its end later.
    stage.run(window.pages.archive.batches._read_by(before, Columns(tags="3")))

    assert offer(window).columns.tags == "4"


def test_of_a_file_that_was_opened_twice_one_list_is_corrected(
    stage: Stage, opened: tuple[MainWindow, FakeEngine, LinesDialog], tmp_path: Path
) -> None:
    window, _, dialog = opened
    offers = window.pages.archive.batches
    stage.do(lambda: offers.read([tmp_path / "holdings.csv"]))
    stage.wait(lambda: len(offers.offers) == 2)

    correct(stage, dialog, 0, "10.5072/found")

    assert [len(each.batch.requests) for each in offers.offers] == [COUNT + 1, COUNT]
    named = [button.text() for button in offers.card.lists.findChildren(QPushButton)]
    assert named == ["holdings.csv", "holdings.csv (2)"]


@pytest.mark.parametrize(
    ("name", "first"), [("lines.csv", "line,text,reason"), ("lines.txt", "# 32: the column")]
)
def test_lines_are_exported_as_a_table_or_as_they_were(
    stage: Stage,
    opened: tuple[MainWindow, FakeEngine, LinesDialog],
    tmp_path: Path,
    name: str,
    first: str,
) -> None:
    _, _, dialog = opened
    path = tmp_path / name

    stage.do(dialog._export.click)
    asked = dialog.findChild(QFileDialog, "export_lines")
    assert asked
    stage.do(lambda: asked.fileSelected.emit(str(path)))
    stage.wait(path.exists)

    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith(first)
    assert any("see below" in line for line in lines)


def test_what_is_queued_is_shown_and_cannot_be_changed(
    stage: Stage, opened: tuple[MainWindow, FakeEngine, LinesDialog]
) -> None:
    window, _, dialog = opened
    offers = window.pages.archive.batches
    stage.do(dialog.reject)
    stage.do(offers.actions.add.trigger)
    stage.wait(lambda: offer(window).added == COUNT)

    stage.do(offers.actions.open_lines.trigger)
    after = next(each for each in window.findChildren(LinesDialog) if each.isVisible())

    assert not after.field.isEnabled()
    assert after._boxes == []
    assert len(after.problems.rows.listed) == 2


# The forecast


def counted(stage: Stage, urls: list[str]) -> list[str]:
    """Return what is told, sentence by sentence, while datasets are previewed."""
    session, _ = stage.session(sets.script())
    told: list[str] = []
    stage.run(Counting(session, told.append).run([IngestRequest(url) for url in urls]))
    return told


def test_a_forecast_sums_up_what_can_be_archived_and_what_cannot(stage: Stage) -> None:
    told = counted(stage, [sets.DUNES, sets.GENOMES, sets.ABSENT])

    assert told[0] == "Previewing 3 datasets…"
    assert told[1].startswith("1 of 3 previewed.")
    assert "2 datasets can be archived:" in told[-1]
    assert "1 cannot be archived as is: Not found at repository: " in told[-1]
    assert f"{sets.ABSENT}." in told[-1]
    assert "previewed" not in told[-1]


def test_a_forecast_tells_what_is_archived_in_part_from_what_is_archived(stage: Stage) -> None:
    when, restricted = "2026-03-03T11:31:45+00:00", Status.PLATFORM_RESTRICTED
    kept = sets.kept_result(sets.SURVEY, sets.survey(), "h1", when, restricted)
    previewed = {sets.SURVEY: Status.SUCCESS}  # as of all of which some files are open
    session, _ = stage.session(replace(sets.script(), kept=[kept], refusals=previewed))
    told: list[str] = []

    stage.run(Counting(session, told.append).run([IngestRequest(sets.SURVEY)]))

    assert "1 is already archived. 1 of these is archived in part; its other files" in told[-1]


def test_a_forecast_counts_a_dataset_with_two_addresses_once(stage: Stage) -> None:
    mirror, known = "https://mirror.example/dunes", sets.script()
    items = {**known.items, mirror: known.items[sets.DUNES]}
    session, _ = stage.session(replace(known, items=items))
    told: list[str] = []
    requests = [IngestRequest(url) for url in (sets.DUNES, mirror)]

    stage.run(Counting(session, told.append).run(requests))

    assert told[-1].startswith("1 dataset can be archived:")
    assert "1 address leads to a dataset that another one leads to, too." in told[-1]


def test_a_stopped_forecast_keeps_what_it_knows(stage: Stage) -> None:
    window, _ = stage.window(replace(sets.script(), held=frozenset({sets.GENOMES})))
    told: list[str] = []
    requests = [IngestRequest(url) for url in (sets.DUNES, sets.GENOMES)]

    async def begin() -> None:
        work = asyncio.ensure_future(Counting(window.session, told.append).run(requests))
        while not any(each.startswith("1 of 2 previewed.") for each in told):
            await asyncio.sleep(0.005)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    stage.run(begin())

    assert told[-1].startswith("1 of 2 previewed. 1 dataset can be archived:")


def test_the_forecast_of_a_list_is_told_on_its_card_and_can_be_stopped(
    stage: Stage, opened: tuple[MainWindow, FakeEngine, LinesDialog]
) -> None:
    window, _, dialog = opened
    stage.do(dialog.reject)
    card, action = window.pages.archive.batches.card, window.pages.archive.batches.actions.count

    stage.do(action.trigger)
    assert action.text() == "Stop the forecast of the &whole list"
    stage.wait(lambda: f"{COUNT} cannot be archived as is:" in card.forecast.text())
    stage.wait(lambda: action.text() == "Sho&w forecast")

    assert card.forecast.text().startswith("0 datasets can be archived")
    assert Status.PLATFORM_404 not in card.forecast.text()


def test_that_one_more_list_is_read_is_told_until_it_is_read(
    stage: Stage, opened: tuple[MainWindow, FakeEngine, LinesDialog], tmp_path: Path
) -> None:
    window, _, dialog = opened
    stage.do(dialog.reject)
    view, path = window.pages.archive, tmp_path / "more.txt"
    path.write_text("\n".join(f"https://data.example/{number}" for number in range(COUNT)))
    said: list[str] = []
    view.ui.told.said.connect(said.append)

    stage.do(lambda: view.batches.read([path]))
    stage.wait(lambda: len(view.batches.offers) == 2)

    assert said == ["Reading more.txt…"]
    stage.wait(view.ui.told.isHidden)


def test_a_list_that_was_archived_before_is_not_archived_again_unasked(
    stage: Stage, tmp_path: Path
) -> None:
    window, engine = stage.window(sets.script())
    urls = [f"https://data.example/{number}" for number in range(COUNT)]
    path = tmp_path / "again.txt"
    path.write_text("\n".join(urls))
    engine.batches.archived_urls = frozenset(urls[:4])
    offers = window.pages.archive.batches

    stage.do(lambda: offers.read([path]))
    stage.wait(lambda: offers.actions.add_again.isEnabled())
    assert "4 identifiers are of datasets that were archived before." in offers.card.facts.text()
    assert offers.actions.add.text() == f"Add the other {COUNT - 4} to the &queue"
    stage.do(offers.actions.add.trigger)
    stage.wait(lambda: offers.current is not None and offers.current.added is not None)

    assert {job.request.base_url for job in engine.jobs()} == set(urls[4:])
    assert "already in the queue" not in offers.card.facts.text()
