# SPDX-License-Identifier: AGPL-3.0-or-later
"""The page Overview: first of all, true to the ledger, leading to what is behind each piece."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from carrel.archive import Archive
from carrel.engine import Engine
from carrel.errors import ArchiveError
from carrel.ledger.fixity import RunFixity
from carrel.model import JobState, Status
from carrel.model.copies import SecondCopy
from carrel.model.events import IngestFinished, ScheduleChanged
from carrel.model.figures import Amount, Figures, Losses, Month
from carrel.model.formats import FormatAmount
from carrel.model.holdings import NOT_INTACT, Checked, Facet, HoldingsQuery, State
from carrel.model.schedule import Ending, ScheduledRun, Task
from carrel.model.standing import Need, Standing
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.dark.questions import Question
from carrel_desktop.views.overview import formats, pictures
from carrel_desktop.views.overview.periods import periods
from carrel_desktop.views.overview.shown import Shown, shown_of
from carrel_desktop.views.overview.view import EMPTY, FILLED, READING, OverviewView
from carrel_desktop.views.overview.ways import Way
from carrel_desktop.widgets.charts.columns import Columns
from carrel_desktop.widgets.charts.table import kind_of
from carrel_desktop.widgets.table.model import RowsModel
from core.ledger.test_catalogue import held_file, note
from desktop.conftest import Stage
from support import fake_datasets as sets
from support import fake_standing
from support.fake_engine import FakeEngine

NOW = "2026-03-14T09:26:53Z"


class House:
    """A window on an archive that stands in some way."""

    def __init__(self, stage: Stage, standing: Standing) -> None:
        self.stage = stage
        self.window: MainWindow
        self.engine: FakeEngine
        self.window, self.engine = stage.window(replace(sets.script(), standing=standing))
        self.wait_for(standing)

    @property
    def view(self) -> OverviewView:
        return self.window.pages.overview

    @property
    def readings(self) -> int:
        return self.engine.standing_readings

    def stand(self, standing: Standing) -> None:
        """Have the archive stand otherwise, which no one has seen yet."""
        self.engine.script = replace(self.engine.script, standing=standing)

    def is_to_be_read_after(self, event: object) -> bool:
        """Say whether an event has the page read again, whatever came of the queue before it."""
        soon = self.view._soon
        soon.stop()
        self.view._on_events([event])  # type: ignore[list-item]  # as signals carry them
        return soon.isActive()

    def wait_for(self, standing: Standing) -> None:
        expected = shown_of(standing)
        self.stage.wait(lambda: self.view.shown == expected)


@pytest.fixture
def house(stage: Stage) -> House:
    return House(stage, fake_standing.FULL)


def test_it_is_the_page_that_the_window_opens_with(house: House) -> None:
    assert house.window.page is house.view
    assert house.window.pages[0] is house.view
    assert house.view.stack.currentIndex() == FILLED


def test_an_empty_archive_says_how_to_begin_and_shows_no_zeros(stage: Stage) -> None:
    house = House(stage, fake_standing.EMPTY)
    stage.wait(lambda: house.view.stack.currentIndex() == EMPTY)

    stage.do(house.view.page_actions.add.trigger)

    assert house.window.page is house.window.pages.archive


def test_until_it_was_read_nothing_is_said_of_the_archive(stage: Stage, theme: Theme) -> None:
    session, _ = stage.session(sets.script())

    view = OverviewView(session, theme)

    assert view.stack.currentIndex() == READING
    assert view.reading.heading.text() == "Loading…"
    view.deleteLater()


def test_what_cannot_be_read_is_said_in_place_of_what_was_true_before(house: House) -> None:
    error = ArchiveError("carrel.sqlite is not a readable ledger.")
    house.engine.script = replace(house.engine.script, ledger_error=error)

    house.stage.do(house.view.refresh)
    house.stage.wait(lambda: house.view.stack.currentIndex() == READING)

    assert house.view.reading.heading.text() == "This cannot be read"
    assert house.view.reading.sentence.text() == str(error)
    house.engine.script = replace(house.engine.script, ledger_error=None)
    house.stage.do(house.view.refresh)
    house.stage.wait(lambda: house.view.stack.currentIndex() == FILLED)


def test_it_is_read_again_when_it_is_opened(house: House) -> None:
    house.stage.do(lambda: house.window.show_page(house.window.pages.queue))
    house.stand(fake_standing.WELL)
    assert house.view.shown == shown_of(fake_standing.FULL)

    house.stage.do(lambda: house.window.show_page(house.view))

    house.wait_for(fake_standing.WELL)


def test_what_ends_while_it_is_open_is_read_once_for_many(house: House) -> None:
    house.view._soon.setInterval(1)
    before = house.readings
    house.stand(fake_standing.WELL)
    ended = IngestFinished("one", sets.kept_result(sets.DUNES, sets.dunes(), "one", NOW))

    def report() -> None:
        for _ in range(100):
            house.view._on_events([ended])

    house.stage.do(report)

    house.wait_for(fake_standing.WELL)
    assert house.readings < before + 10  # the queue has news of its own


@pytest.mark.parametrize("task", Task)
def test_what_a_schedule_found_is_read_while_it_is_open(house: House, task: Task) -> None:
    house.view._soon.setInterval(1)
    house.stand(fake_standing.WELL)
    going_on = ScheduledRun(task, NOW)
    ended = replace(going_on, finished=NOW, ending=Ending.FOUND)

    assert not house.is_to_be_read_after(ScheduleChanged("", going_on, "Checking"))
    house.stage.do(lambda: house.view._on_events([ScheduleChanged("", ended)]))

    house.wait_for(fake_standing.WELL)


@pytest.mark.parametrize("ended", ["harvested", "looked"])
def test_what_a_run_of_another_page_found_is_read_while_it_is_open(
    house: House, ended: str
) -> None:
    house.stand(fake_standing.WELL)

    house.stage.do(getattr(house.window.session, ended).emit)

    house.wait_for(fake_standing.WELL)


def test_what_ends_while_another_page_is_open_is_not_read(house: House) -> None:
    house.stage.do(lambda: house.window.show_page(house.window.pages.queue))
    ended = IngestFinished("one", sets.kept_result(sets.DUNES, sets.dunes(), "one", NOW))

    assert not house.is_to_be_read_after(ended)


def test_the_piece_that_has_the_keyboard_keeps_it_when_the_page_is_read_again(house: House) -> None:
    chart = house.view.board.platforms.chart
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_End)

    house.stage.do(house.view.refresh)
    house.stand(fake_standing.WELL)
    house.stage.do(house.view.refresh)
    house.wait_for(fake_standing.WELL)

    assert chart.hasFocus()
    assert chart.currentIndex().row() == 6


def test_the_numbers_are_spoken(house: House) -> None:
    tiles = house.view.board.tiles

    assert [tile.accessibleName() for tile in tiles] == [
        "Datasets held: 938",
        "Verified again: 91%",
        "Jobs running now: 3",
        "Needs attention: 7",
    ]
    assert "41 datasets, 63.0 GiB archived in the last 30 days." in tiles[0].accessibleDescription()
    assert "3 damaged · 27 incomplete" in tiles[1].accessibleDescription()


def test_each_need_leads_to_where_it_is_seen_to(house: House) -> None:
    asked: list[object] = []
    house.view.wants_holdings.connect(asked.append)
    house.view.wants_jobs.connect(asked.append)
    lines = house.view.board.needs.lines

    for need in (Need.DAMAGED, Need.FAILED, Need.INCOMPLETE):
        house.stage.do(lines[need].button.click)

    assert [need for need, line in lines.items() if line.isHidden()] == [
        Need.TWINNED,
        Need.DAMAGED_CAPTURES,
        Need.DARK_DAMAGED,
        Need.JOURNAL,
        Need.LOST_RECORD,
        Need.ROOM,
        Need.ON_HOLD,
        Need.COPY,
        Need.DARK_LOST,
        Need.RESTRICTED,
        Need.NO_DATASET,
    ]
    assert asked == [
        HoldingsQuery(chosen={Facet.STATE: NOT_INTACT - {State.TWINNED}}),
        JobState.FAILED,
        HoldingsQuery(chosen={Facet.STATE: frozenset([State.INCOMPLETE])}),
    ]


def test_the_side_bar_says_how_much_needs_attention(stage: Stage) -> None:
    house = House(stage, fake_standing.FULL)
    button = house.window.side_bar.buttons[0]
    lines = sum(not line.isHidden() for line in house.view.board.needs.lines.values())

    said = f"Overview, needs attention: {lines}"

    assert button.accessibleName() == said
    assert [badge.tone for badge in button.fitting(1000)] == ["failed"]


def test_the_side_bar_says_nothing_where_nothing_needs_attention(stage: Stage) -> None:
    house = House(stage, fake_standing.WELL)
    button = house.window.side_bar.buttons[0]

    assert (button.accessibleName(), button.fitting(1000)) == ("Overview", ())


def test_what_needs_attention_is_known_while_another_page_is_open(stage: Stage) -> None:
    house = House(stage, fake_standing.WELL)
    house.stage.do(lambda: house.window.show_page(house.window.pages.holdings))
    house.view._away.setInterval(1)
    house.stand(fake_standing.FULL)

    house.window.session.harvested.emit()

    button = house.window.side_bar.buttons[0]
    house.stage.wait(lambda: "needs attention" in button.accessibleName())


def test_what_the_last_harvest_missed_leads_to_its_list(stage: Stage) -> None:
    figures = replace(fake_standing.WELL.figures, dark_lost=18)
    house = House(stage, replace(fake_standing.WELL, figures=figures))
    line = house.view.board.needs.lines[Need.DARK_LOST]

    house.stage.do(line.button.click)

    assert "missed 18 templates and full texts" in line.sentence.text()
    dark = house.window.pages.dark
    assert house.window.page is dark
    assert dark.listing.asked.question is Question.NEW


def test_the_queue_opens_on_the_jobs_that_are_meant(house: House) -> None:
    house.stage.do(house.view.board.needs.lines[Need.ASKING].button.click)

    assert house.window.page is house.window.pages.queue
    assert house.window.pages.queue.ui.places.place is JobState.ASKING


def test_the_jobs_that_are_meant_are_listed_whatever_was_searched_for(house: House) -> None:
    queue = house.window.pages.queue
    queue.ui.search.setText("nothing of the kind")

    house.stage.do(house.view.board.needs.lines[Need.ASKING].button.click)

    assert queue.ui.search.text() == ""
    assert queue.batches.tree.chosen_name == ""


def test_failed_jobs_are_listed_without_those_that_were_archived_since(house: House) -> None:
    causes = house.window.pages.queue.ui.causes

    house.stage.do(house.view.board.needs.lines[Need.FAILED].button.click)
    assert causes.is_outstanding
    house.stage.do(house.view.board.needs.lines[Need.ASKING].button.click)

    assert causes.currentText() == "Any cause"


@pytest.mark.parametrize(
    ("way", "page"),
    [(Way.QUEUE, "queue"), (Way.WATCH, "watch"), (Way.DARK, "dark"), (Way.REQUESTS, "settings")],
)
def test_every_way_is_open(house: House, way: Way, page: str) -> None:
    house.stage.do(lambda: house.view._go(way))

    assert house.window.page is getattr(house.window.pages, page)


def test_the_number_of_needs_leads_to_the_first_of_them(house: House) -> None:
    house.stage.do(house.view.board.tiles[3].click)

    assert house.view.board.needs.lines[Need.DAMAGED].button.hasFocus()


def test_all_pictures_become_tables_at_once(house: House) -> None:
    house.stage.do(house.view.page_actions.tables.trigger)

    assert all(card.table.isVisible() for card in house.view.board.cards)


# What is shown follows from the figures


def test_the_growth_adds_up_to_what_is_held() -> None:
    figures = replace(fake_standing.LONG.figures, taken=NOW)
    datasets, sizes = pictures.growth(figures).pictures

    added = [piece.values[1] for piece in datasets.pieces]

    assert sum(added) == sum(month.added.datasets for month in figures.months)
    assert datasets.pieces[-1].total == sum(added)
    assert [piece.name for piece in datasets.pieces] == [f"{year}" for year in range(2012, 2027)]
    assert sizes.pieces[0].leads_to == HoldingsQuery(chosen={Facet.YEAR: frozenset(["2012"])})


def test_what_was_archived_again_counts_where_its_files_came_and_is_held_once() -> None:
    months = (Month("2026-01", Amount(3, 9, 900), 3, 3), Month("2026-02", Amount(2, 2, 50), 1, 1))
    figures = replace(fake_standing.FULL.figures, taken=NOW, months=months)

    datasets, sizes = pictures.growth(figures).pictures

    first, last = (each for each in datasets.pieces if each.name in ("2026-01", "2026-02"))
    assert (first.values, last.values) == ((0, 3), (2, 2))
    assert (first.cells, last.cells) == (("3", "3"), ("2", "4"))
    assert sizes.pieces[-1].total == 950


def test_few_platforms_stand_for_themselves_and_many_are_put_together() -> None:
    datasets, sizes = pictures.platforms(fake_standing.FULL.figures).pictures

    assert [piece.name for piece in datasets.pieces][-2:] == ["archive.org", "3 others"]
    others = datasets.pieces[-1].leads_to
    assert isinstance(others, HoldingsQuery)
    assert others.chosen[Facet.PLATFORM] == {"schema.org", "cernopendata", ""}
    assert [piece.name for piece in sizes.pieces][:2] == ["Zenodo", "CERN Open Data"]
    held = fake_standing.HELD
    assert sum(piece.total for piece in datasets.pieces) == held.datasets
    assert sum(piece.total for piece in sizes.pieces) == held.size_bytes


def test_only_what_is_whole_is_a_hundred_percent() -> None:
    figures = replace(fake_standing.FULL.figures, checked={Checked.MONTH: 937, Checked.NEVER: 1})

    (ages,) = pictures.ages(figures).pictures

    assert [piece.cells[0] for piece in ages.pieces] == [
        "99%",
        "0%",
        "0%",
        "0%",
        "< 1%",
        "0%",
    ]
    assert [piece.leads_to is None for piece in ages.pieces] == [
        *(False, True, True, True, False, True)
    ]


@pytest.mark.parametrize(
    ("watched", "harvests", "words"),
    [
        ({}, 0, "losses elsewhere are unknown"),
        ({"unchecked": 2}, 0, "have not been checked yet"),
        ({"unchecked": 2, "same": 1}, 0, "No check has found any losses"),
        ({}, 3, "No check has found any losses"),
    ],
)
def test_that_nothing_was_lost_is_said_only_of_what_was_looked_at(
    watched: dict[str, int], harvests: int, words: str
) -> None:
    drawn = pictures.losses(Figures(NOW, watched=watched, harvests=harvests))

    assert drawn.pictures[0].pieces == ()
    assert words in drawn.word


def test_losses_lead_to_the_page_that_knows_most_of_them() -> None:
    figures = Figures(NOW, lost=(Losses("2026-01", 4, 1, files=6), Losses("2026-02", 0, 9)))

    (picture,) = pictures.losses(figures).pictures

    told = {piece.name: (piece.values, piece.leads_to) for piece in picture.pieces}
    assert told["2026-01"] == ((4, 6, 1, 0), Way.WATCH)
    assert told["2026-02"] == ((0, 0, 9, 0), Way.DARK)
    assert told["2026-03"] == ((0, 0, 0, 0), None)


def test_months_without_anything_have_their_place() -> None:
    names = [each.name for each in periods(["2025-11", "2026-02"], NOW)]

    assert names == ["2025-10", "2025-11", "2025-12", "2026-01", "2026-02", "2026-03"]


def test_many_months_are_years_and_names_that_are_none_do_no_harm() -> None:
    assert [each.name for each in periods(["2023-12"], NOW)] == ["2023", "2024", "2025", "2026"]
    assert len(periods(["0001-01", "not-a-month", "2026-13"], NOW)) == 30
    assert periods([], NOW)[-1].has("2026-03")


# The page of a real archive


@pytest.fixture
def real(stage: Stage, theme: Theme, tmp_path: Path) -> MainWindow:
    folder = tmp_path / "archive"
    with Archive.create_or_open(folder) as archive:
        note(archive.ledger, 1, "u:1", (held_file("a"),), identifier="1")
        part = (held_file("a"), held_file("b", is_kept=False))
        note(
            archive.ledger,
            2,
            "u:2",
            part,
            identifier="2",
            status=Status.NETWORK_ERROR,
            platform="zenodo",
        )
        archive.ledger.fixity.note_run(RunFixity("ingest-01", "2026-03-05T00:00:00Z", 1, 0))
    session = Session(folder, lambda path, emit: Engine.open(path, emit))
    window = MainWindow.furnished(session, theme)
    stage.keep(session, window)
    window.show()
    stage.run(session.open())
    stage.wait(lambda: window.pages.overview.shown)
    return window


def texts(shown: Shown) -> str:
    told = [f"{each.caption} {each.figure} {each.sentence}" for each in shown.numbers]
    return "\n".join([*told, *(line.sentence for line in shown.lines)])


def test_a_real_archive_is_shown_as_its_ledger_says(real: MainWindow) -> None:
    shown = real.pages.overview.shown
    assert shown

    told = texts(shown)

    assert "Datasets held 2 2 files, 8 bytes." in told
    assert re.search("1 dataset is incomplete", told)
    platforms = shown.platforms.pictures[0]
    assert [(piece.name, piece.total) for piece in platforms.pieces] == [
        ("Dataverse", 1),
        ("Zenodo", 1),
    ]
    assert sum(piece.total for piece in shown.ages.pictures[0].pieces) == 2
    assert shown.growth.pictures[0].pieces[-1].total == 2


def test_what_is_pasted_on_an_empty_page_is_previewed(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    view = window.pages.overview
    stage.wait(lambda: view.stack.currentWidget() is view.empty)
    assert view.add.hasFocus()
    QGuiApplication.clipboard().setText(sets.DUNES)
    window.activateWindow()

    stage.do(lambda: QTest.keyClick(view.add, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier))

    stage.wait(lambda: len(window.pages.archive.model) == 1)
    assert window.page is window.pages.archive


def test_formats_lead_to_the_holdings_that_have_them() -> None:
    files, sizes = formats.formats(fake_standing.FULL.figures).pictures

    names = [piece.name for piece in files.pieces]
    assert names[:2] == [
        "Comma Separated Values (x-fmt/18)",
        "Portable Network Graphics 1.0 (fmt/11)",
    ]
    assert (files.pieces[1].total, names[-1]) == (5_123, "4 others")
    png = "fmt/11 Portable Network Graphics 1.0"
    assert files.pieces[1].leads_to == HoldingsQuery(chosen={Facet.FORMAT: frozenset([png])})
    assert sizes.pieces[0].name == "ZIP Format (x-fmt/263)"
    held = fake_standing.FORMATS
    assert sum(piece.total for piece in files.pieces) == sum(each.files for each in held)


def test_what_needs_attention_of_the_formats_is_counted_by_reason() -> None:
    files, _ = formats.risks(fake_standing.FULL.figures).pictures

    told = {piece.name: (piece.total, piece.leads_to) for piece in files.pieces}

    assert {name: total for name, (total, _) in told.items()} == {
        "Unknown to PRONOM": 377,
        "Another format than the extension says": 3,
        "Recognised by the extension only": 14_902,
        "Not identified": 800,
    }
    assert told["Unknown to PRONOM"][1] == HoldingsQuery(
        chosen={Facet.FORMAT_RISK: frozenset(["unknown"])}
    )
    assert told["Not identified"][1] == HoldingsQuery(chosen={Facet.FORMAT: frozenset([""])})


def test_where_no_format_is_identified_it_is_said_how_to() -> None:
    figures = Figures(NOW, formats=[FormatAmount("", "", None, 2, 3, 4)])

    for drawn in (formats.formats(figures), formats.risks(figures)):
        assert not any(picture.pieces for picture in drawn.pictures)
        assert "carrel formats" in drawn.word


def test_where_nothing_is_held_no_format_is_to_be_identified() -> None:
    none = Figures(NOW)

    words = {formats.formats(none).word, formats.risks(none).word, pictures.platforms(none).word}

    assert words == {"No datasets are archived yet."}


def test_where_no_format_needs_attention_it_is_said() -> None:
    well = FormatAmount("fmt/11", "Portable Network Graphics 1.0", None, 2, 3, 4)

    assert formats.risks(Figures(NOW, formats=[well])).word.startswith("PRONOM knows the formats")


def test_only_losses_that_there_are_have_a_key(theme: Theme) -> None:
    figures = Figures(NOW, lost=(Losses("2026-01", 0, 1), Losses("2026-02", 0, 9)))
    (picture,) = pictures.losses(figures).pictures
    chart = Columns(theme, RowsModel(kind_of(picture)), "losses", "Lost elsewhere")
    chart.resize(160, 200)
    chart.show_picture(picture)
    ((series, x, _, width),) = chart._keys()
    assert series.name == "Templates no longer listed, by date of data or run"
    assert x + width <= chart.viewport().width()


def test_of_addresses_without_a_dataset_nothing_is_said_that_is_so_of_some_only() -> None:
    (line, *_) = shown_of(Standing(Figures(NOW, watched={"no dataset": 2}))).lines

    assert line.sentence == "2 watched addresses show no dataset"
    assert line.advice == "Each says whether a dataset was ever seen there, and what to do."


def test_beside_the_jobs_that_run_stands_which_hosts_they_may_wait_for() -> None:
    pause = "No requests until 14:30 to data.example, as it asked."
    at_work = Standing(Figures(NOW, queue={JobState.RUNNING: 2, JobState.QUEUED: 1}))
    at_rest = Standing(Figures(NOW, queue={JobState.QUEUED: 1}))

    assert shown_of(at_work, pause).numbers[2].sentence == f"1 queued\n{pause}"
    assert shown_of(at_work).numbers[2].sentence == "1 queued"
    assert shown_of(at_rest, pause).numbers[2].sentence == "1 queued"


def test_damage_names_a_complete_second_copy_first() -> None:
    figures = Figures(NOW, damaged=1)
    never = SecondCopy("/a", tried="2026-02-01T00:00:00Z", trouble="The disk is full.")
    older = SecondCopy("/b", complete="2026-01-01T00:00:00Z")
    newer = SecondCopy("/c", complete="2026-01-09T00:00:00Z")

    (line, *_) = shown_of(Standing(figures, copies=[never])).lines
    assert (line.advice[:12], line.other) == ("Each dataset", None)
    (line, *_) = shown_of(Standing(figures, copies=[older, newer, never])).lines
    assert line.advice.startswith("A second copy of 2026-01-09")
    assert "File > Second copy > Repair" in line.advice
    assert line.other == ("Second copies", Way.COPIES)
    later = ["main-20260110120000-00001-carrel.warc.gz"]
    standing = Standing(figures, copies=[older, newer], damaged_warcs=later)
    assert shown_of(standing).lines[0].advice.startswith("Each dataset"), "begun after the copies"


def test_a_copy_that_needs_someone_is_spoken_of_once() -> None:
    late = SecondCopy("/a", complete="2026-01-09T00:00:00Z", trouble="The disk is full.")
    other = SecondCopy("/b", complete="2026-01-01T00:00:00Z")

    (line,) = shown_of(Standing(Figures(NOW), copies=[late, other])).lines
    assert line.advice.startswith("/a: it was last complete 2026-01-09")
    assert line.advice.count("/a") == 1
    (line,) = shown_of(Standing(Figures(NOW), copies=[replace(late, complete=""), other])).lines
    assert line.advice.startswith("/a. The copy in /b was complete 2026-01-01")


def test_a_copy_that_lacks_files_is_said_to_be_of_use_as_far_as_it_has_them() -> None:
    partly = SecondCopy("/a", reached="2026-01-09T00:00:00Z", trouble="1 file not copied.")
    never = SecondCopy("/b", tried="2026-01-09T00:00:00Z", trouble="It is not there.")

    (line,) = shown_of(Standing(Figures(NOW), copies=[partly])).lines
    assert line.advice.startswith("/a. No second copy was complete yet: damage here can be")
    (line,) = shown_of(Standing(Figures(NOW), copies=[never])).lines
    assert line.advice == "/b: Without a second copy, damage here cannot be repaired."
