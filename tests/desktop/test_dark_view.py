# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Dark archive page in a window, on a fake engine."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QUrl, Slot
from PySide6.QtGui import QAccessible, QDesktopServices, QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFileDialog,
    QLabel,
    QMainWindow,
    QMessageBox,
    QPlainTextEdit,
    QWidget,
)

from carrel.errors import OlderData, UsageError
from carrel.exports.options import checked
from carrel.model.dark import LossKind, ObiKind, RunSource
from carrel.model.dark_views import DarkCheck, Hit, Life, LifeEvent, ObiState
from carrel.model.events import ScheduleChanged
from carrel.model.exports import ExportForm, ExportOptions
from carrel.model.remarks import Remark, RunRemarks
from carrel.model.schedule import Ending, ScheduledRun, Task
from carrel_desktop.theme import Mode
from carrel_desktop.views.dark.chosen import ReasonDialog
from carrel_desktop.views.dark.harvest_settings import HarvestSettings
from carrel_desktop.views.dark.layout import EMPTY, FILLED, LISTED, NONE_FOUND, NONE_THERE
from carrel_desktop.views.dark.life_pane import DIFFERENCE, HINT, NAMES, OPENINGS, TEXT, VERSIONS
from carrel_desktop.views.dark.questions import SAVED, Question
from carrel_desktop.views.dark.text_export import TextExportDialog
from carrel_desktop.views.dark.view import DarkView
from carrel_desktop.views.settings.catalogue import groups
from desktop.conftest import Stage
from support import dark_datasets as sets
from support import fake_datasets
from support.fake_dark import DarkScript, FakeDark

T = TypeVar("T")


class Room:
    """The page in a window of its own."""

    def __init__(self, stage: Stage, script: DarkScript) -> None:
        self._stage = stage
        self.fake = FakeDark(script)
        self.troubles: list[str] = []
        session, engine = stage.session(fake_datasets.script())
        engine._fake_dark = self.fake
        session.troubled.connect(self.troubles.append)
        self.view = DarkView(session, stage._theme, lambda: sets.NOW)
        self.window = QMainWindow()
        self.window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.window.setCentralWidget(self.view)
        self.view.addActions(self.view.actions_in_menu)
        self.window.resize(1000, 640)
        self.window.show()
        stage.do(self.view.refresh)
        stage.wait(
            lambda: (
                [run.tist for run in self.view.answers.board.runs]
                == [run.tist for run in script.runs]
                and self.view.listing.is_settled
            )
        )

    def do(self, act: Callable[[], object]) -> None:
        self._stage.do(act)

    def wait(self, holds: Callable[[], object]) -> None:
        self._stage.wait(holds)

    def ask(self, question: Question) -> None:
        """Open a saved view."""
        side = self.view.ui.side
        index = side.questions.index(SAVED.index(question))
        self.do(lambda: side.question_list.setCurrentIndex(index))
        self.wait(lambda: self.view.listing.is_settled)

    def choose(self, ident: str) -> None:
        """Choose a row, and wait for its life."""
        place = self.view.ui.model.place_of(ident)
        assert place is not None
        self.do(lambda: self.view.ui.table.choose(place))
        self.wait(lambda: self.shown == ident)

    @property
    def shown(self) -> str:
        return self.view.chosen.life.ident if self.view.chosen.life else ""

    @property
    def idents(self) -> list[str]:
        model = self.view.ui.model
        return [model.ident(model.index(row, 0)) for row in range(model.rowCount())]


@pytest.fixture
def opened(stage: Stage) -> Iterator[Callable[[DarkScript], Room]]:
    rooms: list[Room] = []

    def make(script: DarkScript) -> Room:
        rooms.append(Room(stage, script))
        return rooms[-1]

    yield make
    stage.do(lambda: [room.window.close() for room in rooms])


@pytest.fixture
def room(opened: Callable[[DarkScript], Room]) -> Room:
    return opened(sets.script())


@pytest.fixture
def openings() -> Iterator[list[str]]:
    """Stand in for the person's programs; tells what was opened."""

    class Programs(QObject):
        opened: list[str] = []  # noqa: RUF012  # one for the test

        @Slot(QUrl)
        def take(self, url: QUrl) -> None:
            self.opened.append(url.toString())

    stands_in = Programs()
    # The stub asks for bytes; PySide6 takes a text only.
    QDesktopServices.setUrlHandler("file", stands_in, "take")  # type: ignore[arg-type]
    yield stands_in.opened
    QDesktopServices.unsetUrlHandler("file")


def dialog_of(room: Room) -> ReasonDialog:
    found = room.window.findChildren(ReasonDialog)
    assert found
    return found[-1]


# The source and the runs


def test_an_empty_page_says_what_it_is_and_offers_a_source(
    opened: Callable[[DarkScript], Room],
) -> None:
    room = opened(DarkScript())

    room.wait(lambda: room.view.ui.page.currentIndex() == EMPTY)
    assert "First choose" in room.view.ui._empty.sentence.text()
    assert not room.view.page_actions.gather.isEnabled()


def test_a_chosen_directory_is_written_and_can_be_gathered(
    opened: Callable[[DarkScript], Room], tmp_path: Path
) -> None:
    room = opened(DarkScript())
    room.do(room.view.commands.choose_folder)
    dialog = room.window.findChild(QFileDialog)
    assert dialog

    room.do(lambda: dialog.fileSelected.emit(str(tmp_path)))
    room.wait(lambda: room.view.page_actions.gather.isEnabled())

    assert f"set_directory {tmp_path}" in room.fake.calls
    assert str(tmp_path) in room.view.ui.strip.source.text()


def test_where_no_directory_is_chosen_that_of_the_last_harvest_is_named(
    opened: Callable[[DarkScript], Room],
) -> None:
    room = opened(DarkScript(runs=sets.runs()))  # made in the terminal, by another configuration

    assert room.view.ui.strip.source.text() == (
        "No ReDIF directory is chosen here; the last harvest read /srv/repec/RePEc"
    )


def test_the_last_run_is_told_in_words(room: Room) -> None:
    assert room.view.ui.strip.last.text() == (
        "Harvested 12 min ago. Templates: 3 appeared, 1 changed, 2 lost or renamed, "
        "1 reappeared"
        " · Full texts: 1 lost. All templates were read."
    )


def test_the_last_run_is_told_whole_where_the_window_is_narrow(room: Room) -> None:
    last = room.view.ui.strip.last

    room.window.resize(720, 640)
    QApplication.processEvents()

    line = last.fontMetrics()
    assert line.horizontalAdvance(last.text()) > last.width()
    assert last.height() >= last.heightForWidth(last.width()) > 1.5 * line.height()


@pytest.mark.parametrize("width", [900, 1440])
def test_every_column_of_the_series_can_be_moved_into_sight(room: Room, width: int) -> None:
    room.do(lambda: room.window.resize(width, 700))
    table = room.view.ui.table
    assert room.view.listing.asked.question is Question.SERIES

    room.do(lambda: table.selectRow(0))
    last = room.view.ui.model.columnCount() - 1
    room.do(lambda: table.scrollTo(room.view.ui.model.index(0, last)))

    assert not any(map(table.isColumnHidden, range(last + 1)))
    assert table.horizontalScrollBar().maximum() > 0
    end = table.columnViewportPosition(last) + table.columnWidth(last)
    assert end <= table.viewport().width()


def test_a_run_tells_how_far_it_is_in_each_series_and_can_be_stopped(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    script.holds = True
    room = opened(script)
    room.do(room.view.commands.gather)
    room.wait(lambda: room.view.ui.model.rowCount() == 4)
    doing = room.view.ui.strip.doing.text()

    room.do(room.view.page_actions.stop.trigger)
    room.wait(lambda: not room.view.runner.is_busy)

    assert doing == "Reading templates · RePEc:quy:econwp · 1,122 of 1,893"
    assert "run gathering.conf None" in room.fake.calls
    assert "cancel" in room.fake.calls
    room.wait(
        lambda: room.view.listing.asked.question is Question.NEW and room.view.listing.is_settled
    )


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("choose_tarball", "run list.txt None"),
        ("choose_older", "run list.txt list.txt None"),
        ("choose_list", "run list.txt None"),
    ],
)
def test_other_sources_are_read_in_place_of_the_directory(
    room: Room, name: str, order: str, tmp_path: Path
) -> None:
    room.do(getattr(room.view.commands, name))
    dialog = room.window.findChild(QFileDialog)
    assert dialog

    room.do(lambda: dialog.fileSelected.emit(str(tmp_path / "list.txt")))
    room.wait(lambda: order in room.fake.calls and not room.view.runner.is_busy)


def test_a_run_may_leave_full_texts_out(room: Room) -> None:
    room.view.page_actions.templates_only.setChecked(True)

    room.do(room.view.commands.gather)
    room.wait(lambda: "run gathering.conf False" in room.fake.calls)


def test_what_stood_in_the_way_of_a_run_is_told(opened: Callable[[DarkScript], Room]) -> None:
    script = sets.script()
    script.report = sets.report([f"tde/{number:02}.rdf is HTML." for number in range(12)])
    room = opened(script)

    room.do(room.view.commands.gather)
    room.wait(lambda: room.view.ui.remarks.isVisible())

    assert room.view.ui.remarks.heading.text() == "1 remark"
    told = room.view.ui.remarks.text.toPlainText().splitlines()
    assert told == ["12 × … is HTML."] + [f"    tde/{number:02}.rdf" for number in range(12)]
    room.ask(Question.LOST)
    assert room.view.ui.remarks.isHidden()
    room.ask(Question.NEW)
    assert room.view.ui.remarks.isVisible()


def test_a_run_that_can_not_be_is_told_and_can_be_tried_again(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    script.error = UsageError("That tarball is older than what was read already.")
    room = opened(script)

    room.do(room.view.commands.gather)
    room.wait(lambda: room.troubles)

    assert room.troubles == ["That tarball is older than what was read already."]
    assert room.view.page_actions.gather.isEnabled()


def test_data_that_are_older_are_refused_with_the_way_of_the_window(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    script.error = OlderData("2012.tar is older than the last harvest.", "Give --backfill NAME.")
    room = opened(script)

    room.do(room.view.commands.gather)
    room.wait(lambda: room.troubles)

    assert room.troubles == [
        "2012.tar is older than the last harvest. To add this one anyway, without reporting "
        "losses: Dark archive > Backfill…"
    ]


def test_a_run_lists_what_it_found(room: Room) -> None:
    side = room.view.ui.side

    room.do(lambda: side.run_list.setCurrentIndex(side.runs.index(0, 0)))
    room.wait(lambda: room.view.listing.is_settled)

    assert len(room.idents) == 4
    assert "complete" in room.view.ui.sentence.text()


def test_an_earlier_run_lists_nothing_of_later_ones(room: Room) -> None:
    side = room.view.ui.side

    room.do(lambda: side.run_list.setCurrentIndex(side.runs.index(3, 0)))
    room.wait(lambda: room.view.listing.is_settled)

    assert room.idents == [sets.TEXT]


def test_a_run_says_what_it_remarked_and_what_of_it_is_not_listed(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    newest, *others = script.runs
    counts = {**newest.counts, "suspect": 2, "full texts suspect": 2}
    newest = replace(newest, counts={**counts, "full texts no longer named": 5})
    script.runs = [newest, *others]
    script.remarks = {newest.tist: RunRemarks([Remark("a.rdf is HTML.", "a.rdf")], 0)}
    room = opened(script)

    chosen_run(room, 0)

    assert room.view.ui.lacking.text() == "Not listed: 4 suspect, 5 no longer named."
    assert room.view.ui.lacking.isVisible()
    assert room.view.ui.remarks.text.toPlainText() == "a.rdf is HTML."
    assert room.view.ui.remarks.isVisible()
    chosen_run(room, 3)
    assert room.view.ui.remarks.isHidden()
    room.ask(Question.LOST)
    assert room.view.ui.lacking.isHidden()


def chosen_run(room: Room, place: int) -> None:
    side = room.view.ui.side
    room.do(lambda: side.run_list.setCurrentIndex(side.runs.index(place, 0)))
    room.wait(lambda: room.view.listing.is_settled)


def test_runs_of_a_minute_are_told_apart(opened: Callable[[DarkScript], Room]) -> None:
    script = sets.script()
    script.runs = [sets.run(sets.LAST - number, {}, "ftp") for number in range(3)]
    room = opened(script)

    runs = room.view.ui.side.runs

    assert len({runs.index(row, 0).data() for row in range(3)}) == 3


def test_a_check_that_is_begun_where_a_run_was_followed_shows_what_it_found(room: Room) -> None:
    room.view.ui.side.show_run(is_running=True)
    room.ask(Question.PROGRESS)

    room.do(room.view.page_actions.check.trigger)
    room.wait(lambda: room.view.answers.check is not None and room.view.listing.is_settled)
    room.do(lambda: None)

    assert room.view.listing.asked.question is Question.CHECK
    assert room.view.ui.model.rowCount() == 3


def test_what_a_check_found_stands_only_where_it_belongs(room: Room) -> None:
    room.do(room.view.page_actions.check.trigger)
    room.wait(lambda: room.view.answers.check is not None and room.view.listing.is_settled)
    card = room.view.ui.card
    where = {}

    for question in (Question.CHECK, Question.COPIES, Question.NEW, Question.LOST):
        room.ask(question)
        where[question] = card.isVisible()
    chosen_run(room, 0)

    assert where == {
        Question.CHECK: True,
        Question.COPIES: True,
        Question.NEW: False,
        Question.LOST: False,
    }
    assert card.isHidden()


def test_that_all_was_intact_is_said_with_the_moment_and_nowhere_else(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    script.check = DarkCheck(19, 4800, 43)
    room = opened(script)

    room.do(room.view.page_actions.check.trigger)
    room.wait(lambda: room.view.answers.check is not None and room.view.listing.is_settled)

    assert room.view.ui.none.heading.text() == "All was intact"
    assert "Verified on 2026-03-03 09:12 UTC" in room.view.ui.none.sentence.text()
    assert room.view.ui.card.isHidden()
    assert not room.view.page_actions.rebuild.isEnabled()


def test_a_check_is_let_go_of_once_a_run_repaired_some_of_its_faults(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    room = opened(script)
    room.do(room.view.page_actions.check.trigger)
    room.wait(lambda: room.view.answers.check is not None and room.view.listing.is_settled)

    room.do(room.view.commands.gather)
    room.wait(lambda: not room.view.runner.is_busy)
    kept = room.view.answers.check
    script.report = replace(sets.report(), counts={"copies repaired": 2})
    room.do(room.view.commands.gather)
    room.wait(lambda: not room.view.runner.is_busy)

    assert kept is not None
    assert room.view.answers.check is None
    assert room.view.ui.card.isHidden()


def test_what_a_run_left_to_repair_is_repaired_without_another_check(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    room = opened(script)
    assert not room.view.page_actions.rebuild.isEnabled()
    room.do(room.view.page_actions.check.trigger)
    room.wait(lambda: room.view.answers.check is not None and room.view.listing.is_settled)
    script.report = replace(sets.report(), counts={"copies repaired": 1})
    room.do(room.view.commands.gather)
    room.wait(lambda: room.view.listing.asked.question in (Question.NEW, Question.SERIES))

    room.ask(Question.CHECK)
    room.wait(room.view.ui.none.sentence.text)
    said = room.view.ui.none.sentence.text()
    room.do(room.view.page_actions.rebuild.trigger)
    room.wait(lambda: "rebuild" in room.fake.calls and not room.view.runner.is_busy)

    assert "Some of the faults found have since been repaired. “Repair faults”" in said
    assert room.view.answers.check is not None
    assert not room.view.page_actions.rebuild.isEnabled()  # what is left cannot be


def test_a_check_is_let_go_of_once_a_second_copy_repaired_some_of_its_faults(room: Room) -> None:
    room.do(room.view.page_actions.check.trigger)
    room.wait(lambda: room.view.answers.check is not None and room.view.listing.is_settled)

    room.do(room.view.session.repaired.emit)
    room.do(room.view.refresh)
    room.wait(lambda: room.view.ui.card.isHidden())

    assert room.view.answers.check is None


def test_what_can_be_repaired_is_repaired_by_a_button(room: Room) -> None:
    room.do(room.view.page_actions.check.trigger)
    room.wait(lambda: room.view.answers.check is not None and room.view.listing.is_settled)
    button = room.view.ui.card.findChild(QAbstractButton, "rebuild_button")
    assert isinstance(button, QAbstractButton)
    assert button.isVisible()

    room.do(button.click)
    room.wait(lambda: "rebuild" in room.fake.calls and not room.view.runner.is_busy)
    room.wait(lambda: room.view.ui.model.rowCount() == 2)

    assert not button.isVisible()  # what is left cannot be repaired from here
    assert "Repaired: incidence." in room.view.ui.card.advice.text()


def test_a_check_tells_its_faults(room: Room) -> None:
    room.do(room.view.page_actions.check.trigger)
    room.wait(lambda: room.view.answers.check is not None and room.view.listing.is_settled)

    assert room.view.ui.card.word.text() == "3 faults found"
    assert room.view.ui.model.rowCount() == 3


# Questions


def test_the_board_comes_first_with_the_greatest_losses_on_top(room: Room) -> None:
    first = room.view.ui.model.listed[0]

    assert room.view.ui.page.currentIndex() == FILLED
    assert (first.archive, first.series) == ("RePEc:vmk", "bulltn")
    assert not room.view.ui.pane.isVisible()


def test_a_series_leads_to_what_of_it_is_lost(room: Room) -> None:
    room.do(lambda: room.view.ui.table.choose(1))

    room.do(lambda: QTest.keyClick(room.view.ui.table, Qt.Key.Key_Space))
    room.wait(lambda: room.view.listing.is_settled)

    assert room.view.listing.asked.question is Question.LOST
    assert room.view.ui.filters.place.text() == "RePEc:tde:wpaper"
    assert len(room.idents) == 2


@pytest.mark.parametrize(
    ("question", "count"),
    [
        (Question.LOST, 3),
        (Question.SUSPECT, 2),
        (Question.RENAMED, 40),
        (Question.CHANGED, 2),
        (Question.FOUND_AGAIN, 1),
        (Question.CHECK, 0),
    ],
)
def test_saved_views_answer(room: Room, question: Question, count: int) -> None:
    room.ask(question)

    assert room.view.ui.model.rowCount() == count


def test_a_full_text_that_is_named_and_never_came_is_listed(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    script.uncaptured = [
        Hit(ObiKind.FOBI, sets.TEXT, ObiState.UNSEEN, "aaa", "wp", outcome="http-404")
    ]
    room = opened(script)

    room.ask(Question.NEVER_HELD)
    listed = room.view.ui.model.listed

    assert room.view.ui.side.questions.count(Question.NEVER_HELD) == "1"
    assert [(row.ident, row.outcome) for row in listed] == [(sets.TEXT, "http-404")]
    script.uncaptured = ()
    room.do(room.view.refresh)
    room.wait(lambda: not room.view.ui.model.rowCount())
    assert room.view.ui.none.sentence.text() == "Every full text that was ever named was captured."


def test_of_a_full_text_that_was_never_asked_for_that_is_said(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    unseen = Life(ObiKind.FOBI, sets.TEXT, ObiState.UNSEEN, None)
    script.lives = {sets.TEXT: unseen}
    script.uncaptured = [Hit(ObiKind.FOBI, sets.TEXT, ObiState.UNSEEN, "aaa", "wp")]
    room = opened(script)

    room.ask(Question.NEVER_HELD)
    pane = room.view.ui.pane
    room.do(lambda: room.view.ui.table.choose(0))
    room.wait(lambda: pane.life is not None)

    assert pane.facts.text().endswith("no version is archived · not requested yet")
    pane.show_life(replace(unseen, state=ObiState.UNNAMED))
    assert pane.facts.text().endswith("never requested")
    pane.show_life(replace(unseen, events=[LifeEvent(7, "asked", "http-404")]))
    assert pane.facts.text().endswith("no version is archived")


def test_columns_that_have_no_room_are_named_beside_the_sum(room: Room) -> None:
    room.ask(Question.NEW)
    room.window.resize(1024, 800)
    room.wait(lambda: room.view.ui.table.without_room)
    narrow, named = room.view.ui.sum.text(), room.view.ui.sum.toolTip()
    room.window.resize(3000, 800)
    room.wait(lambda: not room.view.ui.table.without_room)

    assert narrow == "3 rows · 1 column has no room"
    assert named == "Without room: Our copy"
    assert (room.view.ui.sum.text(), room.view.ui.sum.toolTip()) == ("3 rows", "")


def test_the_table_is_named_by_what_it_lists(room: Room) -> None:
    room.ask(Question.SUSPECT)

    assert room.view.ui.table.accessibleName() == "Suspect"
    assert room.view.ui.side.question_list.accessibleName() == "Lists"


def test_watched_datasets_are_told_on_their_own_page(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    watched = "dataset:https://doi.org/10.5072/a"
    script.losses = [replace(row, ident=watched) for row in script.losses]
    script.changes = [replace(row, ident=watched) for row in script.changes]
    room = opened(script)

    assert {row.what for row in room.view.answers.board.losses} <= {LossKind.COPY}
    room.ask(Question.CHANGED)
    assert room.view.ui.model.rowCount() == 0


def test_a_view_with_nothing_in_it_says_so(opened: Callable[[DarkScript], Room]) -> None:
    script = sets.script()
    script.losses = []
    room = opened(script)

    room.ask(Question.LOST)

    assert room.view.ui.results.currentIndex() == NONE_THERE


def test_filters_cut_the_view_and_can_be_taken_away(room: Room) -> None:
    room.ask(Question.LOST)

    room.do(lambda: room.view.ui.filters.text.setText("no such thing"))
    room.wait(lambda: room.view.ui.results.currentIndex() == NONE_FOUND)
    room.do(room.view.page_actions.all.trigger)

    assert room.view.ui.results.currentIndex() == LISTED
    assert len(room.idents) == 3


def test_only_what_is_new_since_a_date_is_listed(room: Room) -> None:
    room.ask(Question.LOST)

    room.do(lambda: room.view.ui.filters.since.setCurrentIndex(2))
    room.do(lambda: room.view.ui.filters.since.activated.emit(2))

    assert set(room.idents) == {
        sets.PAPER, sets.TEXT
    }  # fmt: skip


def test_search_finds_by_part_of_a_handle_or_url(room: Room) -> None:
    room.do(room.view.page_actions.find.trigger)

    room.do(lambda: QTest.keyClicks(room.view.ui.side.search, "2011-05"))
    room.do(lambda: QTest.keyClick(room.view.ui.side.search, Qt.Key.Key_Return))
    room.wait(lambda: room.view.listing.asked.text == "2011-05" and room.view.listing.is_settled)

    assert len(room.idents) == 2


def test_what_is_listed_is_exported(room: Room, tmp_path: Path) -> None:
    room.ask(Question.RENAMED)
    room.do(room.view.commands.export)
    dialog = room.window.findChild(QFileDialog)
    assert dialog
    path = tmp_path / "renamed.csv"

    room.do(lambda: dialog.fileSelected.emit(str(path)))
    room.wait(path.exists)

    assert len(path.read_text(encoding="utf-8").splitlines()) == 41


def test_a_hundred_thousand_losses_are_listed(opened: Callable[[DarkScript], Room]) -> None:
    script = sets.script()
    script.losses = sets.many_losses(100_000)
    room = opened(script)

    room.ask(Question.LOST)
    room.wait(lambda: room.view.ui.model._sought is not None)

    assert room.view.ui.model.rowCount() == 80_000
    assert not room.view.grab().isNull()


def test_changes_and_what_reappeared_are_counted_before_they_are_opened(room: Room) -> None:
    count = room.view.ui.side.questions.count

    assert (count(Question.CHANGED), count(Question.FOUND_AGAIN)) == ("2", "1")
    room.do(room.view.page_actions.check.trigger)
    room.wait(lambda: room.view.answers.check is not None and room.view.listing.is_settled)
    assert (count(Question.CHANGED), count(Question.FOUND_AGAIN)) == ("2", "1")


def test_a_search_stands_in_its_field_only_while_it_is_listed(room: Room) -> None:
    search = room.view.ui.side.search
    room.do(lambda: QTest.keyClicks(search, "2011-05"))
    room.do(lambda: QTest.keyClick(search, Qt.Key.Key_Return))
    room.wait(lambda: room.view.listing.asked.text == "2011-05" and room.view.listing.is_settled)
    while_listed = search.text()

    chosen_run(room, 0)

    assert (while_listed, search.text()) == ("2011-05", "")
    assert room.view.listing.asked.question is Question.RUN


def test_a_suspect_is_explained_by_the_days_that_are_configured(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    script.confirm_after_days = 3
    room = opened(script)
    room.ask(Question.SUSPECT)
    after_three = room.view.ui.sentence.text()
    script.confirm_after_days = 0
    room.do(room.view.refresh)
    room.wait(lambda: room.view.ui.sentence.text().endswith("confirms the loss."))

    assert "A full text is lost when it is missed again 3 days later or more" in after_three
    assert "A template that a backfill added is lost when the next complete harvest" in after_three
    assert "week" not in room.view.ui.sentence.text()


def test_harvests_are_configured_in_the_window(room: Room) -> None:
    room.do(room.view.page_actions.harvest.trigger)
    room.wait(lambda: room.window.findChild(HarvestSettings))
    dialog = room.window.findChild(HarvestSettings)
    assert isinstance(dialog, HarvestSettings)
    dialog.private.setChecked(True)
    dialog.confirm.setValue(2)

    room.do(dialog.accept)

    room.wait(lambda: "configure True 2" in room.fake.calls)
    room.wait(lambda: room.view.answers.board.config.confirm_after_days == 2)


def test_the_setting_that_harvest_settings_name_is_one_of_the_page_settings(room: Room) -> None:
    room.do(room.view.page_actions.harvest.trigger)
    room.wait(lambda: room.window.findChild(HarvestSettings))
    dialog = room.window.findChild(HarvestSettings)
    assert isinstance(dialog, HarvestSettings)

    said = " ".join(label.text() for label in dialog.findChildren(QLabel))

    titles = [setting.label for group in groups() for setting in group.settings]
    (named,) = re.findall("“(.+?)”", said)
    assert named in titles


@pytest.mark.parametrize(
    ("name", "kind"),
    [("choose_tarball", "*.tar.gz"), ("choose_older", "*.tgz"), ("choose_list", "*.txt")],
)
def test_files_of_the_right_kind_are_offered_first(room: Room, name: str, kind: str) -> None:
    room.do(getattr(room.view.commands, name))
    dialog = room.window.findChild(QFileDialog)
    assert dialog

    assert kind in dialog.nameFilters()[0]
    assert dialog.nameFilters()[-1] == "All files (*)"


# One object


def test_a_list_without_the_object_on_show_takes_it_away(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    script.losses = [row for row in script.losses if row.what is not LossKind.COPY]
    room = opened(script)
    room.ask(Question.LOST)
    room.choose(sets.PAPER)

    room.ask(Question.COPIES)

    assert room.view.ui.model.rowCount() == 0
    assert (room.view.chosen.life, room.view.chosen.wanted) == (None, "")
    assert room.view.ui.pane.stack.currentIndex() == HINT


def test_a_filter_without_the_object_on_show_takes_it_away(room: Room) -> None:
    room.ask(Question.LOST)
    room.choose(sets.PAPER)

    room.do(lambda: room.view.ui.filters.text.setText("no such thing"))
    room.wait(lambda: room.view.ui.results.currentIndex() == NONE_FOUND)

    assert room.view.chosen.life is None


def test_the_pane_says_of_our_copy_what_the_list_says(opened: Callable[[DarkScript], Room]) -> None:
    script = sets.script()
    damaged = next(row for row in script.losses if row.what is LossKind.COPY)
    bad = replace(sets.version(sets.at(2026, 2), 9), fault="damaged")
    life = Life(damaged.kind, damaged.ident, ObiState.PRESENT, sets.at(2026, 2), versions=[bad])
    script.lives = {damaged.ident: life}
    room = opened(script)
    room.ask(Question.COPIES)
    room.choose(damaged.ident)
    pane = room.view.ui.pane

    listed = room.view.ui.model.index(0, 1).data()

    assert listed == "Our copy is damaged"
    assert pane.state.text() == "Our copy is damaged · Present"
    assert pane._icon.name == "failed"


def test_a_line_says_by_which_clock_it_is_drawn(room: Room) -> None:
    room.ask(Question.LOST)
    room.choose(sets.PAPER)
    of_template = room.view.ui.pane.clock.text()

    room.choose(sets.TEXT)

    assert of_template == "Line: Date of the data"
    assert room.view.ui.pane.clock.text() == "Line: Date of the request"
    assert room.view.ui.pane.line.accessibleDescription().startswith("Date of the request.")


def test_the_life_of_the_chosen_object_is_drawn_and_told(room: Room) -> None:
    room.ask(Question.LOST)

    room.choose(sets.PAPER)

    line = room.view.ui.pane.line
    assert [mark.what for mark in line.drawing.marks] == [
        "noted", "changed", "lost", "found again", "missed", "lost"
    ]  # fmt: skip
    assert "Lost: No longer in the data" in line.accessibleDescription()
    assert room.view.ui.pane.state.text() == "Lost"


def test_a_late_life_does_not_take_the_place_of_a_later_choice(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    script.slow = frozenset({sets.PAPER})
    room = opened(script)
    room.ask(Question.LOST)
    room.wait(lambda: f"life {sets.PAPER}" in room.fake.calls)

    room.choose(sets.TEXT)
    room.do(room.fake.release_held)
    room.do(lambda: None)

    assert room.shown == sets.TEXT


def test_keys_go_from_mark_to_mark_and_choose_the_version(room: Room) -> None:
    room.ask(Question.LOST)
    room.choose(sets.PAPER)
    pane = room.view.ui.pane

    room.do(lambda: QTest.keyClick(pane.line, Qt.Key.Key_Home))
    room.do(lambda: QTest.keyClick(pane.line, Qt.Key.Key_Right))

    assert pane.line.chosen is not None
    assert pane.line.chosen.what == "changed"
    assert pane.version is not None
    assert pane.version.tist == sets.at(2014, 9, 12)


def test_a_click_on_a_mark_chooses_it(room: Room) -> None:
    room.ask(Question.LOST)
    room.choose(sets.PAPER)
    line = room.view.ui.pane.line
    place = line.place_of(line.drawing.marks[2])

    room.do(lambda: QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=place))

    assert line.chosen == line.drawing.marks[2]
    assert line.hint_at(place) == "Lost: No longer in the data\nRecorded 2017-02-01 04:12 UTC"
    assert line.hint_at(place + QPoint(40, 0)).startswith("Date of the data: 2017-")
    assert line.hint_at(place + QPoint(40, 0)).endswith("Lost")


def test_what_old_data_tell_is_drawn_where_these_are_in_time(room: Room) -> None:
    room.do(lambda: room.view.chosen.show(sets.OLD_PAPER))
    room.wait(lambda: room.shown == sets.OLD_PAPER)
    pane = room.view.ui.pane

    marks = pane.line.drawing.marks
    rows = [pane.events.rows.index(row, 0).data() for row in range(3)]
    dates = [pane.events.rows.index(row, 1).data() for row in range(3)]

    assert [mark.seconds for mark in marks] == [sets.at(2019, 3), sets.at(2020, 6)]
    assert pane.line.drawing.ends == (sets.at(2019, 3), sets.at(2020, 6))
    assert pane.line.hint_at(pane.line.place_of(marks[0])).splitlines()[1:] == [
        "Recorded 2026-01-19 04:12 UTC",
        "Data of 2019-03-01 04:12 UTC",
    ]
    assert rows == ["2026-01-18 04:12", "2026-01-19 04:12", None]
    assert dates == ["2020-06-01", "2019-03-01", None]
    assert pane.clock.text() == "Line: Date of the data"


def test_the_version_before_another_is_that_of_the_data_before(room: Room) -> None:
    room.do(lambda: room.view.chosen.show(sets.OLD_PAPER))
    room.wait(lambda: room.shown == sets.OLD_PAPER)
    pane = room.view.ui.pane
    pane.tabs.choose(DIFFERENCE)
    room.wait(lambda: "@@" in pane.difference.toPlainText())

    assert pane.difference.toPlainText().splitlines()[:2] == [
        "--- 2019-03-01 04:12 (recorded 2026-01-19 04:12)",
        "+++ 2020-06-01 04:12 (recorded 2026-01-18 04:12)",
    ]


def test_wheel_and_keys_zoom_and_all_can_be_seen_again(room: Room) -> None:
    room.ask(Question.LOST)
    room.choose(sets.PAPER)
    line = room.view.ui.pane.line
    turn = QWheelEvent(
        QPointF(100, 20), QPointF(100, 20), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip

    room.do(lambda: QApplication.sendEvent(line, turn))
    room.do(lambda: QTest.keyClick(line, Qt.Key.Key_Plus))
    was_zoomed = line.scale.is_zoomed and room.view.page_actions.whole.isEnabled()
    room.do(room.view.page_actions.whole.trigger)

    assert was_zoomed
    assert not line.scale.is_zoomed


def test_the_text_of_a_template_is_shown(room: Room) -> None:
    room.ask(Question.LOST)
    room.choose(sets.PAPER)

    room.do(lambda: room.view.ui.pane.tabs.choose(TEXT))
    room.wait(lambda: "Fish Auctions" in room.view.ui.pane.text.toPlainText())


def test_two_versions_of_a_template_are_compared(room: Room) -> None:
    room.ask(Question.LOST)
    room.choose(sets.PAPER)
    pane = room.view.ui.pane
    room.do(lambda: pane.tabs.choose(VERSIONS))
    room.do(lambda: pane.versions.choose(1))

    room.do(lambda: pane.tabs.choose(DIFFERENCE))
    room.wait(lambda: "+Revision-Date: 2014-09" in pane.difference.toPlainText())


def test_the_first_version_has_none_before_it(room: Room) -> None:
    room.ask(Question.LOST)
    room.choose(sets.PAPER)
    pane = room.view.ui.pane
    room.do(lambda: pane.versions.choose(2))

    room.do(lambda: pane.tabs.choose(DIFFERENCE))
    room.wait(lambda: "first version" in pane.difference.toPlainText())


def test_names_lead_on_and_back(room: Room) -> None:
    room.ask(Question.LOST)
    room.choose(sets.PAPER)
    pane = room.view.ui.pane
    room.do(lambda: pane.tabs.choose(NAMES))
    place = pane.names.rows.place_of(sets.TEXT)
    assert place is not None

    room.do(lambda: pane.names.wanted.emit(place))
    room.wait(lambda: room.shown == sets.TEXT)
    room.do(room.view.page_actions.back.trigger)
    room.wait(lambda: room.shown == sets.PAPER)

    assert not room.view.page_actions.back.isEnabled()


def test_an_address_that_no_one_can_request_says_why_and_leads_nowhere(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    addresses = ("ftp://e.org/a.pdf", sets.TEXT)
    unrequested = addresses[:1]
    known = replace(script.lives[sets.PAPER], names=addresses, not_requested=unrequested)
    script.lives = {**script.lives, sets.PAPER: known}
    room = opened(script)
    room.ask(Question.LOST)
    room.choose(sets.PAPER)
    pane = room.view.ui.pane
    room.do(lambda: pane.tabs.choose(NAMES))
    rows = pane.names.rows
    places = [rows.place_of(each) for each in addresses]

    shown = [rows.index(place, 1).data() for place in places if place is not None]

    assert shown == [
        'ftp://e.org/a.pdf (not requested: Only http and https are fetched, not "ftp:")',
        sets.TEXT,
    ]
    room.do(lambda: pane.names.wanted.emit(places[0]))
    assert room.shown == sets.PAPER
    assert not room.view.page_actions.back.isEnabled()


def test_an_object_that_nobody_knows_is_told(room: Room) -> None:
    room.do(lambda: room.view.chosen.show("RePEc:zzz:none:1"))
    room.wait(lambda: room.troubles)

    assert room.troubles == ["RePEc:zzz:none:1 is unknown here."]


# Dark content


def test_nothing_of_a_full_text_is_shown(room: Room) -> None:
    room.ask(Question.GONE)
    room.choose(sets.TEXT)
    pane = room.view.ui.pane

    room.do(lambda: pane.tabs.choose(OPENINGS))

    assert not pane.tabs.button(TEXT).isVisible()
    assert "are closed" in pane.openings.text()
    assert not any(call.startswith("text") for call in room.fake.calls)


def test_a_template_can_not_be_opened_as_dark_content(room: Room) -> None:
    room.ask(Question.LOST)
    room.choose(sets.PAPER)

    assert not room.view.page_actions.open.isEnabled()
    assert not room.view.page_actions.release.isEnabled()


def test_opening_states_the_trigger_and_needs_a_reason(room: Room, openings: list[str]) -> None:
    room.ask(Question.GONE)
    room.choose(sets.TEXT)
    room.do(room.view.page_actions.open.trigger)
    dialog = dialog_of(room)
    could_be_accepted, trigger = dialog.accept_button.isEnabled(), dialog.trigger.text()

    dialog.reason.setPlainText("  a reader\nasks  ")
    room.do(dialog.accept_button.click)
    room.wait(lambda: openings)

    assert trigger.startswith("Lost since 2026-03-03, last checked on")
    assert not could_be_accepted
    assert f"open {sets.TEXT} {sets.at(2026, 2, 10)} a reader asks" in room.fake.calls


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("ok", "Not lost: its address delivered it when last requested, on 2026-02-03."),
        ("forbidden", "last delivered it on 2026-02-03. On 2026-03-03: Access refused."),
        ("robots", "last delivered it on 2026-02-03. On 2026-03-03: Disallowed by robots.txt."),
        ("no-answer", "On 2026-03-03: Connection closed without an answer."),
    ],
)
def test_that_an_address_delivers_a_full_text_is_said_only_of_what_it_delivered(
    room: Room, outcome: str, said: str
) -> None:
    life = replace(
        sets.full_text(),
        state=ObiState.PRESENT,
        events=(),
        outcome=outcome,
        requested=sets.LAST,
        delivered=sets.at(2026, 2, 3),
    )
    dialog = ReasonDialog(room.view, room.view.ui.pane._theme, life, releases=False)

    assert said in dialog.trigger.text()
    assert dialog.trigger.text().startswith("Not lost" if outcome == "ok" else "Not known to be")


def test_a_reason_that_is_too_short_is_told_so(room: Room) -> None:
    room.ask(Question.GONE)
    room.choose(sets.TEXT)
    room.do(room.view.page_actions.open.trigger)
    dialog = dialog_of(room)

    dialog.reason.setPlainText("x")
    said = dialog.lacking.text()
    dialog.reason.setPlainText("a reader asks")

    assert said == "A reason has 3 characters or more."
    assert (dialog.lacking.text(), dialog.accept_button.isEnabled()) == ("", True)


def test_where_no_program_opens_a_copy_its_place_is_told(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: False)
    room.ask(Question.GONE)
    room.choose(sets.TEXT)
    room.do(room.view.page_actions.open.trigger)
    dialog = dialog_of(room)
    dialog.reason.setPlainText("a reader asks")

    room.do(dialog.accept_button.click)
    room.wait(lambda: room.troubles)

    (told,) = room.troubles
    assert told.startswith("No program on this system opens paper.pdf.")
    assert told.endswith("carrel-dark/paper.pdf.")


def test_a_dialog_that_is_left_opens_nothing(room: Room, openings: list[str]) -> None:
    room.ask(Question.GONE)
    room.choose(sets.TEXT)
    room.do(room.view.page_actions.open.trigger)
    dialog = dialog_of(room)
    dialog.reason.setPlainText("a reason")

    room.do(dialog.reject)

    assert openings == []
    assert not any(call.startswith("open") for call in room.fake.calls)


def test_a_copy_is_released_for_a_reason_to_a_place(room: Room, tmp_path: Path) -> None:
    room.ask(Question.GONE)
    room.choose(sets.TEXT)
    room.do(room.view.page_actions.release.trigger)
    dialog = dialog_of(room)
    dialog.reason.setPlainText("the author asked")
    room.do(dialog.accept_button.click)
    chooser = room.window.findChild(QFileDialog)
    assert chooser

    room.do(lambda: chooser.fileSelected.emit(str(tmp_path / "copy.pdf")))

    expected = f"release {sets.TEXT} {sets.at(2026, 2, 10)} the author asked copy.pdf"
    room.wait(lambda: expected in room.fake.calls)


def test_handle_or_url_is_copied(room: Room) -> None:
    room.ask(Question.LOST)
    room.choose(sets.PAPER)

    room.do(room.view.page_actions.copy.trigger)

    assert QGuiApplication.clipboard().text() == sets.PAPER


# Hands and ears


def letter(text: str) -> str:
    return text.replace("&&", "").partition("&")[2][:1].lower()


def test_everything_that_takes_the_keyboard_has_a_name(room: Room) -> None:
    room.ask(Question.GONE)
    room.choose(sets.TEXT)

    nameless = [
        (type(widget).__name__, widget.objectName())
        for widget in room.view.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.focusProxy() is None
        and not isinstance(widget.parent(), QPlainTextEdit)
        and not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    ]

    assert nameless == []


def test_letters_are_used_once_on_a_full_page(room: Room) -> None:
    room.ask(Question.GONE)
    room.choose(sets.TEXT)

    texts = [
        button.text() for button in room.view.findChildren(QAbstractButton) if button.isVisible()
    ]
    letters = Counter(found for found in map(letter, texts) if found)

    assert [found for found, count in letters.items() if count > 1] == []
    assert set("fevhk").isdisjoint(letters)


def test_every_entry_of_the_menu_has_a_letter_of_its_own(room: Room) -> None:
    letters = Counter(letter(action.text()) for action in room.view.actions_in_menu)

    assert max(letters.values()) == 1
    assert "" not in letters


def test_tab_visits_everything_on_a_full_page(room: Room) -> None:
    room.ask(Question.LOST)
    room.choose(sets.PAPER)
    room.window.activateWindow()
    room.view.ui.side.search.setFocus()
    wanted = {
        widget
        for widget in room.view.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not isinstance(widget, QAbstractButton)
    }

    visited: set[QWidget] = set()
    for _ in range(40):
        focused = QApplication.focusWidget()
        assert focused
        visited.add(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)

    assert [widget.objectName() for widget in wanted - visited] == []
    assert room.view.listing.asked.question is Question.LOST


def test_dark_and_light_repaint_the_life_line(room: Room, stage: Stage) -> None:
    room.ask(Question.LOST)
    room.choose(sets.PAPER)
    line = room.view.ui.pane.line
    light = line.grab().toImage()

    stage.do(lambda: stage._theme.set_mode(Mode.DARK))
    dark = line.grab().toImage()
    stage.do(lambda: stage._theme.set_mode(Mode.SYSTEM))

    assert light != dark


# What other pages do


def test_a_check_of_what_is_watched_is_a_run_once_the_page_is_seen(room: Room) -> None:
    watched = replace(room.fake.script.runs[0], tist=sets.NOW, source=RunSource.WATCH)
    room.do(room.view.hide)
    room.fake.script.runs = [watched, *room.fake.script.runs]

    room.do(room.view.session.looked.emit)
    room.do(room.view.show)

    room.wait(lambda: room.view.answers.board.runs[0] == watched)


def test_a_scheduled_check_of_what_is_watched_is_a_run_at_once(room: Room) -> None:
    watched = replace(room.fake.script.runs[0], tist=sets.NOW, source=RunSource.WATCH)
    room.fake.script.runs = [watched, *room.fake.script.runs]
    run = ScheduledRun(Task.WATCH, "2026-03-03T11:00:00Z", None, Ending.DONE)

    room.do(lambda: room.view.session.events.emit([ScheduleChanged("", run)]))

    room.wait(lambda: room.view.answers.board.runs[0] == watched)


@pytest.mark.parametrize("form", ExportForm)
def test_nothing_is_asked_of_a_form_that_it_cannot_do(
    room: Room, tmp_path: Path, form: ExportForm
) -> None:
    room.do(room.view.page_actions.export_texts.trigger)
    (dialog,) = room.view.window().findChildren(TextExportDialog)
    asked: list[ExportOptions] = []
    dialog.wanted.connect(lambda _, options: asked.append(options))
    dialog.form.setCurrentIndex(dialog.form.findData(form))

    dialog.accept()

    checked(asked[0])
    assert asked[0].form is form


def test_full_texts_are_exported_for_a_reason_and_what_is_not_is_named(
    room: Room, tmp_path: Path
) -> None:
    room.do(room.view.page_actions.export_texts.trigger)
    (dialog,) = room.view.window().findChildren(TextExportDialog)
    assert not dialog.go.isEnabled()
    dialog.folder.setText(str(tmp_path))
    assert not dialog.go.isEnabled()
    dialog.reason.setText("Request 7")
    dialog.form.setCurrentIndex(1)
    dialog.archive.setCurrentIndex(1)
    dialog.lost.setChecked(True)
    archive = dialog.archive.currentText()
    assert archive in room.view.answers.archives

    room.do(dialog.go.click)

    room.wait(lambda: not room.view.runner.is_busy and room.fake.calls)
    assert room.fake.calls[-1] == f"export bagit {archive} True Request 7"
    (box,) = room.view.findChildren(QMessageBox, "texts_exported")
    assert box.text() == "2 of 4 handles exported."
    assert f"3 files (2.0 KiB) in {tmp_path}." in box.informativeText()
    assert "1 handle was there already; its files were read again" in box.informativeText()
    assert "Floods: Nothing of it may be given out." in box.informativeText()
    assert "Ebbs: without paper.pdf: It is not lost." in box.informativeText()
    box.close()


def test_the_end_of_a_run_is_told_to_other_pages(room: Room) -> None:
    told: list[str] = []
    room.view.session.harvested.connect(lambda: told.append("harvested"))

    room.do(room.view.page_actions.gather.trigger)
    room.wait(lambda: told and not room.view.runner.is_busy)

    assert told == ["harvested"]


def test_a_check_of_what_is_watched_is_no_run_of_the_dark_archive(room: Room) -> None:
    harvests = list(room.fake.script.runs)
    watched = replace(harvests[0], tist=sets.NOW, source=RunSource.WATCH)
    room.fake.script.runs = [watched, *harvests]

    room.do(room.view.refresh)
    room.wait(lambda: room.view.answers.board.runs[0] == watched)

    listed = room.view.ui.side.runs.listed
    assert [run.tist for run in listed] == [run.tist for run in harvests]
    assert room.view.answers.after(harvests[0]) == watched.tist


def test_a_run_that_determined_no_losses_does_not_end_with_those_of_an_earlier_one(
    opened: Callable[[DarkScript], Room],
) -> None:
    script = sets.script()
    older = replace(script.runs[-1], tist=sets.NOW, source=RunSource.BACKFILL)
    script.runs_after = [older, *script.runs]
    room = opened(script)

    room.do(room.view.commands.gather)
    room.wait(lambda: older in room.view.answers.board.runs and not room.view.runner.is_busy)

    room.wait(
        lambda: room.view.listing.asked.question is Question.SERIES and room.view.listing.is_settled
    )


def test_a_run_without_losses_ends_with_the_series(opened: Callable[[DarkScript], Room]) -> None:
    script = sets.script()
    script.losses = [row for row in script.losses if not row.is_new]
    room = opened(script)

    room.do(room.view.commands.gather)
    room.wait(lambda: "run gathering.conf None" in room.fake.calls and not room.view.runner.is_busy)

    room.wait(
        lambda: room.view.listing.asked.question is Question.SERIES and room.view.listing.is_settled
    )
